"""The options of a connection to a broker besides `--broker`: `--ca`, `--certificate` and so on.

They are here alone so that `--help` need not import what connects (`connection.py`).
"""

import argparse


def add_tls_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of a connection besides `--broker`."""
    parser.add_argument("--ca", help="the authority of a mqtts:// broker (a PEM file)")
    parser.add_argument(
        "--certificate", help="the certificate to show; {name} in it is the client's name"
    )
    parser.add_argument("--key", help="its private key; {name} as above")
    parser.add_argument("--protocol", choices=("3.1.1", "5"), default="3.1.1", help="of MQTT")
