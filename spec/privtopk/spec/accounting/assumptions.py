"""What a guarantee assumes about the program that selects, besides the theorem behind it."""

from enum import StrEnum


class Arithmetic(StrEnum):
    """Which arithmetic a guarantee assumes."""

    EXACT = "exact"
    """No noise is rounded. The random bits are assumed to be fair."""

    FLOATING_POINT = "floating point"
    """Real numbers are assumed: the rounding of noise to doubles is ignored."""


class NoiseSource(StrEnum):
    """Where the random numbers come from."""

    CRYPTOGRAPHIC = "cryptographic"
    """From a generator that nobody can predict."""

    SEEDED = "seeded"
    """From a generator that the caller has passed: who knows its seed can remove the noise."""


class DomainAssumption(StrEnum):
    """Where the items come from that can be selected."""

    DECLARED = "declared"
    """They are known without the votes: a list, a range, or the indices of an array."""

    PUBLIC = "public"
    """From the votes. It is assumed that everybody may know which items have votes."""
