"""Facts about the specification's own objects as subjects: the oracle accepts them."""

import pytest

from conformance.support_oracle import run_case
from privtopk.conformance.evidence.decision import CaseVerdict
from privtopk.conformance.evidence.requirement import Requirement
from privtopk.conformance.requirements.registry import REQUIREMENTS
from privtopk.conformance.subjects.doors import open_doors
from privtopk.conformance.subjects.kinds import Cost, Kind, Profile, abilities_of
from privtopk.conformance.subjects.question import Question, question_at
from privtopk.conformance.subjects.reference import (
    SecureTape,
    naive_index,
    secure_uniform,
    spec_online_oracle,
    spec_order_statistics,
    spec_rank_free_oracle,
    spec_selector,
    stored_source,
)
from privtopk.conformance.subjects.scores import ListedScores
from privtopk.spec.model.errors import Reason
from privtopk.spec.noise.distributions import NoiseKind
from support import refusal

SUBJECTS = {
    Kind.SELECTOR: spec_selector,
    Kind.PREDECESSOR_INDEX: naive_index,
    Kind.SOURCE: stored_source,
}
DETERMINISTIC = [one for one in REQUIREMENTS if one.share == 0 and one.kind in SUBJECTS]


@pytest.mark.slow
@pytest.mark.parametrize("requirement", DETERMINISTIC, ids=lambda one: one.id)
def test_the_specification_passes_what_is_certain(requirement: Requirement) -> None:
    """The specification's objects satisfy every requirement that does not depend on chance."""
    case = run_case(SUBJECTS[requirement.kind], requirement, budget=0.3)
    assert (case.verdict, case.message) == (CaseVerdict.PASS, "")


def test_the_selector_says_what_it_can() -> None:
    """Algorithm 3 has all profiles, both noises, and the rounds of the threshold algorithm."""
    abilities = abilities_of(spec_selector)
    assert abilities.profiles == tuple(Profile)
    assert (abilities.noises, abilities.cost) == (tuple(NoiseKind), Cost.THRESHOLD)
    assert (abilities.ranked, abilities.largest) == (True, 2000)


def test_a_ranked_list_needs_gumbel_noise() -> None:
    """Under Laplace noise only the set may be released."""
    doors, meter = open_doors(ListedScores([1, 2, 3]))
    question = question_at(1.0, 2, NoiseKind.LAPLACE, is_ranked=True)
    message = "a ranked list needs Gumbel noise, got noise=laplace"
    refused = refusal(lambda: spec_selector.select(doors, question))
    assert refused == (Reason.RANKED_LAPLACE, message)
    assert meter.accesses == 0


def test_a_set_is_listed_by_number() -> None:
    """A set comes in the order of its items, a ranked list best first."""
    noises = ListedScores([0.0, 1.0, 2.0])
    for is_ranked, expected in ((False, [2, 3]), (True, [3, 2])):
        scores, noise = open_doors(ListedScores([0, 0, 0]))[0], open_doors(noises)[0]
        question = Question(2, 1.0, is_ranked=is_ranked)
        assert spec_selector.select_with_noise(scores, noise, question) == expected


def test_coins_are_served_one_an_item() -> None:
    """With served coins the largest coin wins among ties."""
    coins = iter([0.2, 0.9, 0.5])
    doors, _ = open_doors(ListedScores([3, 3, 3]))
    found = spec_selector.select_with_uniforms(doors, lambda: next(coins), question_at(1.0, 1))
    assert found == [2]


@pytest.mark.parametrize("oracle", [spec_rank_free_oracle, spec_online_oracle])
@pytest.mark.parametrize("noise", NoiseKind)
def test_both_doors_of_an_oracle_show_one_list(oracle: object, noise: NoiseKind) -> None:
    """An oracle delivers every item once, by descending noise, the same by either door."""
    assert callable(oracle)
    listed = oracle(20, 0.7, noise)
    looked_up = {item: listed.random_access(item) for item in (3, 17)}
    entries = [listed.sorted_access() for _ in range(20)]
    noises = [value for _, value in entries]
    assert sorted(item for item, _ in entries) == list(range(1, 21))
    assert noises == sorted(noises, reverse=True)
    assert looked_up.items() <= dict(entries).items()


@pytest.mark.parametrize("oracle", [spec_rank_free_oracle, spec_online_oracle])
def test_an_oracle_works_on_its_largest_domain(oracle: object) -> None:
    """The largest domain that is promised works through both doors."""
    m = abilities_of(oracle).largest
    assert callable(oracle)
    listed = oracle(m, 0.7, "gumbel")
    item, noise = listed.sorted_access()
    assert 1 <= item <= m
    assert listed.random_access(m) <= noise


def test_order_statistics_descend() -> None:
    """Positions revealed in any order hold descending noises."""
    listed = spec_order_statistics(50, 0.7, "laplace")
    values = {position: listed.value(position) for position in (30, 1, 50, 31, 2)}
    ordered = [values[position] for position in sorted(values)]
    assert ordered == sorted(ordered, reverse=True)


def test_whole_numbers_are_uniform_beyond_52_bits() -> None:
    """The low bits of a large number are drawn too; the test fails with probability 2^-200."""
    assert any(SecureTape().below(2**60) % 256 for _ in range(25))


def test_secure_coins_are_odd_multiples() -> None:
    """A coin is (2n + 1) / 2^53."""
    coins = [secure_uniform() for _ in range(100)]
    assert all(0 < coin < 1 and int(coin * 2**53) % 2 == 1 for coin in coins)
