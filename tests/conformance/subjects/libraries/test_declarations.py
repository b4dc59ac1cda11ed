"""Facts about what adapters of libraries declare; they need no library."""

import math

import pytest

from privtopk.conformance.subjects.kinds import Mechanism, abilities_of
from privtopk.conformance.subjects.libraries import (
    diffprivlib,
    opendp,
    pipeline_dp,
    python_dp,
    smartnoise,
)
from privtopk.conformance.subjects.question import Question
from privtopk.spec.model.neighbours import Relation
from privtopk.spec.noise.distributions import NoiseKind


@pytest.mark.parametrize("relation", Relation)
def test_smartnoise_halves_epsilon_whatever_the_relation(relation: Relation) -> None:
    """SmartNoise has no option for monotonic scores."""
    assert smartnoise.exponential.rate(Question(4, 2.0, relation=relation), 10) == 0.25


@pytest.mark.parametrize("subject", [diffprivlib.exponential, diffprivlib.permute_and_flip])
def test_diffprivlib_documents_an_infinite_epsilon(subject: diffprivlib.Mechanisms) -> None:
    """An infinite epsilon is documented to switch privacy off, so it is declined."""
    message = "^an infinite epsilon is documented to switch privacy off$"
    with pytest.raises(NotImplementedError, match=message):
        subject.sample((1, 2), Question(1, math.inf), 1)


@pytest.mark.parametrize("subject", [opendp.permute_and_flip, python_dp.noisy_laplace])
def test_pure_libraries_take_no_delta(subject: opendp.NoisyTopK | python_dp.NoisyLaplace) -> None:
    """A delta is declined before the library is called."""
    with pytest.raises(NotImplementedError, match=r"^the library takes no delta$"):
        subject.sample((1, 2), Question(1, 1.0, 0.1), 1)


def test_subjects_claim_their_mechanisms() -> None:
    """Two libraries have both mechanisms, and one adds Laplace noise."""
    flips = {opendp.permute_and_flip, opendp.report_noisy_max, diffprivlib.permute_and_flip}
    noisy = {opendp.exponential, diffprivlib.exponential, pipeline_dp.exponential}
    noisy |= {smartnoise.exponential}
    assert {abilities_of(one).mechanism for one in flips} == {Mechanism.PERMUTE_AND_FLIP}
    assert {abilities_of(one).mechanism for one in noisy} == {Mechanism.NOISY_TOP_K}
    assert abilities_of(python_dp.noisy_laplace).noises == (NoiseKind.LAPLACE,)


def test_only_opendp_takes_a_delta() -> None:
    """Only OpenDP supports a delta, because its zCDP form is converted with one."""
    assert abilities_of(opendp.exponential).approximate
    assert not abilities_of(diffprivlib.exponential).approximate
