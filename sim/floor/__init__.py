"""A floor of simulated tables: the tables, their dealers and players, and the view."""
