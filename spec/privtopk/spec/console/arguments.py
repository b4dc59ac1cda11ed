"""A parser of command lines whose error is one line, whatever the arguments hold."""

from argparse import ArgumentParser
from typing import NoReturn

from privtopk.spec.console.escaping import printable


class CommandParser(ArgumentParser):
    """A parser that escapes the arguments that an error repeats."""

    def error(self, message: str) -> NoReturn:
        """Print the usage and the error, and exit with code 2."""
        super().error(printable(message))
