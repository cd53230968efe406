"""What both ends of the jackpot link say, and what counts as a fault everywhere.

`obligations` is what a table owes the jackpot controller, `messages` everything else on the
link with its topics (`asyncapi.yaml` says the same for others), `fault_catalogue` every fault
with its code, its place and its remedy, `link_problems` why a link is down, by code, `version` the software's own version.
Nothing here connects, decides or remembers.
"""
