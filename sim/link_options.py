"""The options of a connection to a broker besides `--broker`: `--ca`, `--certificate` and so on.

They are here alone so that `--help` need not import what connects (`connection.py`).
"""

import argparse


def add_tls_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of a connection besides `--broker`."""
    parser.add_argument(
        "--ca", help="the authority that signed a mqtts:// broker's certificate (a PEM file)"
    )
    parser.add_argument(
        "--certificate",
        help="the certificate to show the broker; {name} in it stands for the client's name",
    )
    parser.add_argument("--key", help="the private key of that certificate; {name} as above")
    parser.add_argument(
        "--protocol",
        choices=("3.1.1", "5"),
        default="3.1.1",
        help="the version of MQTT (default 3.1.1)",
    )
