"""Numbers a + b ln x with rational a, b and x: the form of exact Laplace probabilities.

ln x is transcendental for rational x > 1, so a + b ln x is 0 only if a = b = 0, and two
such numbers over the same base are equal exactly when their coefficients are. Coefficients
decide equality. Digits are computed only at the end, as many as the cancellation between the
two parts requires.

Paper: def:noise.
"""

from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, getcontext, localcontext
from fractions import Fraction
from typing import Final

from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.parameters import require_base, require_between

FLOAT_DIGITS: Final = 20
"""Digits computed before rounding to a float: three more than a double needs."""


def wide_context(precision: int) -> Context:
    """Return a decimal context of the given precision in which no exponent overflows."""
    return Context(prec=precision, Emax=MAX_EMAX, Emin=MIN_EMIN)


@dataclass(frozen=True, slots=True)
class LogLinear:
    """The real number rational + log_coefficient * ln(base)."""

    rational: Fraction
    log_coefficient: Fraction

    base: Fraction
    """A rational number above 1: e^epsilon."""

    def __post_init__(self) -> None:
        """Raise unless the base has a positive logarithm."""
        require_base(self.base)

    def __add__(self, other: "LogLinear") -> "LogLinear":
        """Return the sum of two numbers over the same base."""
        if other.base != self.base:
            raise SelectionError(
                Reason.DIFFERENT_DOMAINS,
                f"both numbers must have the same base, got {self.base} and {other.base}",
            )
        return LogLinear(
            self.rational + other.rational,
            self.log_coefficient + other.log_coefficient,
            self.base,
        )

    def __mul__(self, factor: Fraction | int) -> "LogLinear":
        """Return this number times a rational one."""
        return LogLinear(self.rational * factor, self.log_coefficient * factor, self.base)

    __rmul__ = __mul__

    def __sub__(self, other: "LogLinear") -> "LogLinear":
        """Return the difference of two numbers over the same base."""
        return self + other * -1

    def __float__(self) -> float:
        """Return the number rounded to a float."""
        return float(self.decimal(FLOAT_DIGITS))

    def is_positive(self) -> bool:
        """Return whether the number exceeds 0, decided exactly."""
        return self.decimal(1) > 0

    def decimal(self, digits: int) -> Decimal:
        """Return the number with a relative error below 10^-digits.

        The working precision doubles until enough digits survive the cancellation. That
        ends, because the number is not 0 unless both coefficients are.
        """
        require_between("digits", digits, 1, 10**6)
        if self.rational == 0 and self.log_coefficient == 0:
            return Decimal(0)
        precision = digits + 10
        while True:
            with localcontext(wide_context(precision)):
                value, error = self._evaluate()
                if error.scaleb(digits) < abs(value):
                    return value
            precision *= 2

    def _evaluate(self) -> tuple[Decimal, Decimal]:
        """Return the number in the current precision, and a bound on its rounding error."""
        plain = quotient(self.rational)
        logarithm = quotient(self.log_coefficient) * _logarithm(self.base)
        # Each part carries at most four roundings of half a unit in its last digit.
        unit = Decimal(1).scaleb(2 - getcontext().prec)
        return plain + logarithm, (abs(plain) + abs(logarithm)) * unit


def quotient(fraction: Fraction) -> Decimal:
    """Return a fraction as a decimal in the current precision."""
    return Decimal(fraction.numerator) / Decimal(fraction.denominator)


def _logarithm(base: Fraction) -> Decimal:
    """Return ln(base) in the current precision, also for a base very close to 1."""
    excess = base - 1
    with localcontext() as context:
        context.prec += (excess.denominator // excess.numerator).bit_length()
        value = quotient(base).ln()
    return +value
