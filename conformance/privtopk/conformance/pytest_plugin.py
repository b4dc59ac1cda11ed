"""One pytest test per requirement, for libraries that have an implementation to test.

A library adds one file:

    from privtopk.conformance.pytest_plugin import conformance_test

    test_selection = conformance_test("python:my_library.adapter:select")

and may set `--conformance-budget`, `--conformance-jobs` and `--conformance-seed`. The subject runs
in processes of its own, unless `--conformance-in-process` is given.
"""

from collections.abc import Callable

import pytest

from privtopk.conformance.subjects.extras import installation_advice
from privtopk.conformance.subjects.kinds import Kind


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of a run."""
    group = parser.getgroup("privtopk", "conformance of private top-k selections")
    group.addoption(
        "--conformance-budget", type=float, default=1.0, help="multiplies the number of trials"
    )
    group.addoption("--conformance-jobs", type=int, default=1, help="number of processes")
    group.addoption(
        "--conformance-seed", type=int, default=0, help="seed of the harness's own coins"
    )
    group.addoption(
        "--conformance-in-process",
        action="store_true",
        help="call Python subjects in the processes of the harness",
    )


def conformance_test(address: str, kind: Kind | str | None = None) -> Callable[..., None]:
    """Return a test of a subject, with one case per requirement of its kind."""
    try:
        from privtopk.conformance.requirements.registry import requirements_for
        from privtopk.conformance.running.addresses import subject_at
    except ModuleNotFoundError as error:
        pytest.fail(installation_advice(error, "conformance"), pytrace=False)
    known = Kind(kind) if kind else subject_at(address).abilities.kind
    names = [requirement.id for requirement in requirements_for(known)]

    @pytest.mark.parametrize("requirement", names)
    def test(requirement: str, request: pytest.FixtureRequest) -> None:
        """The subject satisfies the requirement."""
        judge(address, known, requirement, request.config)

    return test


def judge(address: str, kind: Kind, requirement: str, config: pytest.Config) -> None:
    """Run one requirement, and fail or skip the test according to its verdict."""
    from privtopk.conformance.evidence.decision import CaseVerdict
    from privtopk.conformance.report.terminal import explanation
    from privtopk.conformance.running.runner import RunPlan, run

    plan = RunPlan(
        seed=config.getoption("--conformance-seed"),
        budget=config.getoption("--conformance-budget"),
        jobs=config.getoption("--conformance-jobs"),
        only=(requirement,),
        is_in_process=config.getoption("--conformance-in-process"),
    )
    finished = run(address, plan, kind=kind)
    case = next(one for one in finished.cases if one.requirement.id == requirement)
    if case.verdict is CaseVerdict.SKIP:
        pytest.skip(case.message)
    if case.verdict is not CaseVerdict.PASS:
        pytest.fail(explanation(finished, case), pytrace=False)
