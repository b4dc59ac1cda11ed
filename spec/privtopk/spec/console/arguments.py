"""A parser of command lines whose error is one line, whatever the arguments hold."""

from argparse import ArgumentParser
from typing import NoReturn

from privtopk.spec.console.escaping import printable


class CommandParser(ArgumentParser):
    """A parser whose errors are one line, with the arguments that they repeat escaped."""

    def error(self, message: str) -> NoReturn:
        """Print the error and where help is, and exit with code 2."""
        self.exit(2, f"{self.prog}: {printable(message)}; see {self.prog} --help\n")
