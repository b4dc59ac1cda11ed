"""Facts about what a guarantee assumes besides its theorem: programs read it from JSON."""

from privtopk.spec.accounting.assumptions import Arithmetic, DomainAssumption, NoiseSource


def test_assumptions_are_words() -> None:
    """The values are words that are published and must not change."""
    assert [
        [one.value for one in kind] for kind in (Arithmetic, NoiseSource, DomainAssumption)
    ] == [
        ["exact", "floating point"],
        ["cryptographic", "seeded"],
        ["declared", "public"],
    ]
