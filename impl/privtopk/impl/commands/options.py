"""The options of the command line: exact numbers, and errors of one line."""

import argparse
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import NoReturn, cast

from privtopk.spec.model.number_types import plain
from privtopk.spec.model.values import Number


class OptionParser(argparse.ArgumentParser):
    """A parser whose errors are one line, without the usage; the exit code is 2."""

    def error(self, message: str) -> NoReturn:
        """Print the message to the error stream and exit."""
        self.exit(2, f"privtopk: {message}; see {self.prog} --help\n")


def number(text: str) -> Number:
    """Return an exact number: both 0.1 and 1/10 are one tenth.

    A number beyond all doubles is infinite: its digits could fill the memory.
    """
    numerator, slash, denominator = text.partition("/")
    try:
        exact = Fraction(int(numerator), int(denominator)) if slash else plain(Decimal(text))
    except (ValueError, InvalidOperation):
        allowed = "a number such as 0.1, 1e-6 or 1/10 is required"
        raise argparse.ArgumentTypeError(f"{allowed}, got {text!r}") from None
    except ZeroDivisionError:
        raise argparse.ArgumentTypeError(f"{text} divides by 0") from None
    return cast("Number", exact)
