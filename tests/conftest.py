"""Options of the test suite: `--forbid-skips` makes a skipped test fail the session.

A test that injects faults records their number and place; the session prints the sums.

Hypothesis draws the same examples in every run, so that a verdict depends on the code
alone, and sets no deadline, because a slow machine is no defect. The inner loop draws
fewer (`--hypothesis-profile=quick`).
"""

from collections import Counter
from typing import cast

import pytest
from hypothesis import settings

settings.register_profile("repeatable", deadline=None, derandomize=True)
settings.register_profile("quick", settings.get_profile("repeatable"), max_examples=20)
settings.load_profile("repeatable")

SKIPPED = pytest.StashKey[list[str]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option."""
    parser.addoption(
        "--forbid-skips", action="store_true", help="fail the session if any test was skipped"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Start with nothing skipped."""
    config.stash[SKIPPED] = []
    config.pluginmanager.register(_SkipWatch(config), "skip-watch")
    config.pluginmanager.register(_FaultCount(), "fault-count")


class _SkipWatch:
    """Records skipped tests; with pytest-xdist, reports reach the controller as well."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Record a skipped test; an expected failure is not one."""
        if report.skipped and not hasattr(report, "wasxfail"):
            self.config.stash[SKIPPED].append(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Record a module that was skipped during collection."""
        if report.skipped:
            self.config.stash[SKIPPED].append(report.nodeid)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Fail a session that would have passed."""
        if self.config.getoption("--forbid-skips") and self.config.stash[SKIPPED]:
            session.exitstatus = session.exitstatus or pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the names of skipped tests."""
        if self.config.getoption("--forbid-skips") and self.config.stash[SKIPPED]:
            terminalreporter.section("skips are forbidden")
            for nodeid in self.config.stash[SKIPPED]:
                terminalreporter.line(nodeid)


class _FaultCount:
    """Adds up the injected faults that tests recorded as `faults`, (where, n)."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add what a passed test has recorded."""
        if report.when == "call" and report.passed:
            for name, recorded in report.user_properties:
                if name == "faults":
                    where, count = cast("tuple[str, int]", recorded)
                    self._counts[where] += count

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the number of faults per place."""
        if self._counts:
            sums = (f"{where} {count}" for where, count in sorted(self._counts.items()))
            terminalreporter.line(f"faults injected: {', '.join(sums)}")
