"""Facts about the adapters with the libraries that they adapt, which `make test-all` installs."""

import math
from pathlib import Path
from typing import Any

import pytest

from conformance.support_oracle import run_case
from privtopk.conformance.evidence.decision import CaseVerdict
from privtopk.conformance.evidence.requirement import Requirement
from privtopk.conformance.requirements.selector.privacy import PrivacyBudget, PrivacyLaw
from privtopk.conformance.requirements.selector.shape import Shape
from privtopk.conformance.scoreboard.entries import ENTRIES
from privtopk.conformance.scoreboard.measuring import MeasuredEntry, ScoreboardSetup, measure_entry
from privtopk.conformance.subjects.libraries import diffprivlib, opendp, pipeline_dp, python_dp
from privtopk.conformance.subjects.question import Question
from privtopk.spec.model.neighbours import Relation

pytestmark = pytest.mark.heavy

ADAPTED = {
    "opendp exponential": opendp.exponential,
    "opendp permute_and_flip": opendp.permute_and_flip,
    "opendp report_noisy_max": opendp.report_noisy_max,
    "diffprivlib exponential": diffprivlib.exponential,
    "diffprivlib permute_and_flip": diffprivlib.permute_and_flip,
    "pipeline-dp exponential": pipeline_dp.exponential,
    "python-dp noisy_laplace": python_dp.noisy_laplace,
}
ENVIRONMENTS = Path(__file__).parents[4] / "build" / "environments"


@pytest.mark.filterwarnings("ignore:.*make_report_noisy_max_gumbel:DeprecationWarning")
@pytest.mark.parametrize("requirement", [PrivacyBudget(), PrivacyLaw()], ids=lambda one: one.id)
@pytest.mark.parametrize("subject", ADAPTED.values(), ids=ADAPTED)
def test_a_library_has_the_law_of_the_scale_that_is_declared(
    subject: Any, requirement: Requirement
) -> None:
    """The adapter declares what the library does; a false alarm has probability at most 8e-8."""
    assert run_case(subject, requirement, seconds=60).verdict is CaseVerdict.PASS


@pytest.mark.parametrize("subject", [opendp.exponential, python_dp.noisy_laplace])
def test_answers_are_items_from_1(subject: Any) -> None:
    """Places from 0 become items from 1, the last item included."""
    assert run_case(subject, Shape(), seconds=60).verdict is CaseVerdict.PASS


@pytest.mark.parametrize(("relation", "scale"), [(Relation.ADD_REMOVE, 3.0), (Relation.SWAP, 6.0)])
def test_opendp_calibrates_a_pure_budget(relation: Relation, scale: float) -> None:
    """Three items at epsilon 1 take a scale of 3, and of 6 without monotonic scores."""
    question = Question(3, 1.0, relation=relation)
    assert opendp.smallest_scale(question) == pytest.approx(scale)


def test_opendp_calibrates_a_delta_by_zcdp() -> None:
    """The simplest conversion of rho = k/(8 scale^2) gives slightly more than epsilon = 1."""
    scale = opendp.smallest_scale(Question(3, 1.0, 1e-3))
    rho = 3 / (8 * scale**2)
    assert 1.0 < rho + 2 * math.sqrt(rho * math.log(1e3)) < 1.5


def test_the_oracle_catches_the_old_noisy_max(tmp_path: Path) -> None:
    """OpenDP 0.15.1 reports the worst item where no noise can matter."""
    (old,) = (entry for entry in ENTRIES if entry.environment == "opendp-0.15.1")
    options = ("--only", "selector.degenerate", "--only", "selector.set-law", "--quiet")
    result = measure_entry(old, ScoreboardSetup(ENVIRONMENTS, tmp_path, options))
    assert isinstance(result, MeasuredEntry)
    assert result.timing.version == "0.15.1"
    failed = [finding.id for finding in result.findings.of(CaseVerdict.FAIL)]
    assert failed == ["selector.set-law", "selector.degenerate"]
    assert result.minimal_output == "without noise, of the scores [0, 1] it reports place 0"
