"""Facts about what subjects say of themselves, and what is taken for granted if they don't."""

import pytest

from privtopk.conformance.subjects import SCANNED, Abilities, Cost, Kind, Profile, abilities_of
from privtopk.spec.noise import NoiseKind


class Full:
    """A selector that says everything."""

    kind = "selector"
    noises = ("gumbel", "laplace")
    ranked = True
    cost = "batched"
    largest = 2**60

    def select(self) -> None:
        """Select."""

    def select_with_noise(self) -> None:
        """Select with noise."""

    def select_with_uniforms(self) -> None:
        """Select with coins."""


class ServedOnly:
    """A selector that has no coins of its own."""

    def select_with_noise(self) -> None:
        """Select with noise."""


def test_a_function_is_a_plain_selector() -> None:
    """A function says nothing: it selects sets under Gumbel noise, by a scan."""
    expected = Abilities(
        Kind.SELECTOR,
        (NoiseKind.GUMBEL,),
        False,
        Cost.SCAN,
        SCANNED,
        (Profile.OWN_RANDOMNESS,),
    )
    assert abilities_of(lambda scores, question: [1]) == expected


def test_everything_can_be_said() -> None:
    """Attributes and methods say what a subject can; texts will do for names."""
    expected = Abilities(
        Kind.SELECTOR,
        (NoiseKind.GUMBEL, NoiseKind.LAPLACE),
        True,
        Cost.BATCHED,
        2**60,
        (Profile.NOISE_SERVED, Profile.UNIFORMS_SERVED, Profile.OWN_RANDOMNESS),
    )
    assert abilities_of(Full()) == expected


def test_coins_of_its_own_need_a_way_to_select() -> None:
    """A subject that only takes served noise has no other profile."""
    assert abilities_of(ServedOnly()).profiles == (Profile.NOISE_SERVED,)


def test_the_kind_that_is_asked_for_wins() -> None:
    """A caller can say what a subject is."""
    assert abilities_of(Full(), Kind.SOURCE).kind is Kind.SOURCE


@pytest.mark.parametrize(
    ("name", "value"), [("kind", "wizard"), ("noises", ("normal",)), ("cost", "free")]
)
def test_unknown_words_are_refused(name: str, value: object) -> None:
    """What a subject says must be one of the words there are."""
    subject = Full()
    setattr(subject, name, value)
    with pytest.raises(ValueError, match="is not a valid"):
        abilities_of(subject)


def test_kinds_and_profiles_have_stable_names() -> None:
    """The words of adapters are part of the interface."""
    assert [str(kind) for kind in Kind] == [
        "selector",
        "noise-oracle",
        "order-statistics",
        "noise-sampler",
        "predecessor-index",
        "source",
    ]
    assert [str(profile) for profile in Profile] == [
        "noise-served",
        "uniforms-served",
        "own-randomness",
    ]
