"""Facts about what subjects declare, and about the defaults."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from privtopk.conformance.subjects.kinds import (
    EXTRAS,
    SCANNED,
    Abilities,
    Cost,
    Extra,
    Kind,
    Mechanism,
    Profile,
    abilities_of,
    close,
    plain_name,
)
from privtopk.conformance.subjects.question import Question
from privtopk.spec.model.neighbours import Relation
from privtopk.spec.noise.distributions import NoiseKind


class Full:
    """A selector that declares everything."""

    kind = "selector"
    mechanism = "permute-and-flip"
    noises = ("gumbel", "laplace")
    relations = ("swap",)
    approximate = False
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


class Sampler:
    """A selector that takes the whole histogram."""

    def sample(self) -> None:
        """Select often."""


def test_a_function_is_a_plain_selector() -> None:
    """A function declares nothing: it selects sets under Gumbel noise, by a scan."""
    expected = Abilities(
        kind=Kind.SELECTOR,
        mechanism=Mechanism.NOISY_TOP_K,
        noises=(NoiseKind.GUMBEL,),
        relations=(Relation.ADD_REMOVE, Relation.SWAP, Relation.L_INFINITY),
        approximate=True,
        ranked=False,
        cost=Cost.SCAN,
        largest=SCANNED,
        profiles=(Profile.OWN_RANDOMNESS,),
    )
    assert abilities_of(lambda scores, question: [1]) == expected


def test_everything_can_be_declared() -> None:
    """Attributes and methods declare what a subject can do; texts may stand for members."""
    expected = Abilities(
        kind=Kind.SELECTOR,
        mechanism=Mechanism.PERMUTE_AND_FLIP,
        noises=(NoiseKind.GUMBEL, NoiseKind.LAPLACE),
        relations=(Relation.SWAP,),
        approximate=False,
        ranked=True,
        cost=Cost.BATCHED,
        largest=2**60,
        profiles=(Profile.NOISE_SERVED, Profile.UNIFORMS_SERVED, Profile.OWN_RANDOMNESS),
    )
    assert abilities_of(Full()) == expected


def test_coins_of_its_own_need_a_way_to_select() -> None:
    """A subject that only takes served noise has no other profile."""
    assert abilities_of(ServedOnly()).profiles == (Profile.NOISE_SERVED,)


def test_a_sampler_has_coins_of_its_own() -> None:
    """A subject that takes the histogram draws its own coins."""
    assert abilities_of(Sampler()) == Abilities(is_sampler=True)


@pytest.mark.parametrize(
    ("changes", "is_offered"),
    [
        ({}, True),
        ({"noise": NoiseKind.LAPLACE}, False),
        ({"relation": Relation.SWAP}, False),
        ({"delta": 0.1}, False),
        ({"is_ranked": True}, False),
    ],
)
def test_a_subject_says_which_questions_it_takes(changes: dict[str, Any], is_offered: bool) -> None:
    """A subject may not support a noise, a relation, a delta or a ranking."""
    modest = Abilities(relations=(Relation.ADD_REMOVE,), approximate=False)
    assert modest.offers(replace(Question(1, 1.0), **changes)) is is_offered


def test_flips_are_accounted_for_as_gumbel_noise_without_a_delta() -> None:
    """Noisy scores have the accounting of their question; permute-and-flip spends no delta."""
    question = Question(3, 1.0, 0.1, NoiseKind.LAPLACE, Relation.SWAP)
    pure = Question(3, 1.0, 0.0, NoiseKind.GUMBEL, Relation.SWAP)
    assert Abilities().accounting_question(question) == question
    assert Abilities(mechanism=Mechanism.PERMUTE_AND_FLIP).accounting_question(question) == pure


def test_a_law_is_named_by_its_noise_or_its_mechanism() -> None:
    """A law without noise is named by its mechanism."""
    flips = Abilities(mechanism=Mechanism.PERMUTE_AND_FLIP)
    assert Abilities().law_name(NoiseKind.LAPLACE) == "laplace"
    assert flips.law_name(NoiseKind.GUMBEL) == "permute-and-flip"


class Table:
    """A class of sources that can be closed and rewritten, and has a title."""

    kind = "source"
    name = "votes"

    def rewrite(self) -> None:
        """Store other scores."""

    def close(self) -> None:
        """End."""


class Tables:
    """Makes sources, and declares their extras."""

    kind = "source"
    name = "votes"
    extras = ("name", "close")


def test_a_class_of_sources_has_what_its_methods_say() -> None:
    """A method is an extra; an attribute that cannot be called is not."""
    assert abilities_of(Table).extras == (Extra.CLOSE, Extra.REWRITE)


def test_what_makes_sources_says_what_they_have() -> None:
    """The extras of sources that do not exist yet must be declared."""
    assert abilities_of(Tables()).extras == (Extra.NAME, Extra.CLOSE)
    assert abilities_of(Table()).extras == ()
    assert abilities_of(lambda histogram: Table(), Kind.SOURCE).extras == ()


def test_what_a_class_says_wins() -> None:
    """A class may declare fewer extras than it has methods."""
    modest = type("Modest", (Table,), {"extras": ()})
    assert abilities_of(modest).extras == ()


def test_a_source_is_closed_if_it_can_be() -> None:
    """A source is closed if its `close` is a method; otherwise nothing is called."""
    closed: list[int] = []
    close(SimpleNamespace(close=lambda: closed.append(1)))
    close(SimpleNamespace(close="a price"))
    close(None)
    assert closed == [1]


@pytest.mark.parametrize(
    ("name", "plain"),
    [("a", "a"), (np.str_("a"), "a"), (7, 7), (np.int64(-7), -7), (2**70, 2**70), ("", "")],
)
def test_names_are_texts_or_whole_numbers(name: object, plain: object) -> None:
    """Texts and numbers of a library's own types become plain ones."""
    assert (plain_name(name), type(plain_name(name))) == (plain, type(plain))


@pytest.mark.parametrize("name", [True, np.True_, None, 1.0, b"a", ("a",), np.array([1, 2])])
def test_other_names_are_refused(name: object) -> None:
    """A truth value, a fraction and bytes are not names."""
    with pytest.raises(TypeError):
        plain_name(name)


def test_the_kind_that_the_caller_gives_wins() -> None:
    """A caller can give the kind of a subject."""
    assert abilities_of(Full(), Kind.SOURCE).kind is Kind.SOURCE


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("kind", "wizard"),
        ("mechanism", "magic"),
        ("noises", ("normal",)),
        ("cost", "free"),
        ("extras", ("magic",)),
    ],
)
def test_unknown_words_are_refused(name: str, value: object) -> None:
    """A declared word must be one of the known words."""
    subject = Full()
    setattr(subject, name, value)
    with pytest.raises(ValueError, match="is not a valid"):
        abilities_of(subject)


def test_kinds_and_profiles_have_stable_names() -> None:
    """The words of adapters are part of the interface."""
    assert [str(extra) for extra in EXTRAS[Kind.SOURCE]] == ["close", "name", "named", "rewrite"]
    of_indexes = [str(extra) for extra in EXTRAS[Kind.PREDECESSOR_INDEX]]
    assert of_indexes == ["minimum", "maximum", "check"]
    assert [str(mechanism) for mechanism in Mechanism] == ["noisy-top-k", "permute-and-flip"]
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
