"""The CrossHair gate: from a theorem to a verdict that can be trusted.

CrossHair confirms a theorem without a postcondition, a theorem whose precondition raises, and a
theorem whose docstring excuses an exception. It reports errors of its own as refutations. This
module detects these cases: in every doubtful case the verdict is FAILED.
"""

import contextlib
import io
import warnings
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from inspect import BoundArguments
from sys import maxsize

from crosshair.condition_parser import ConditionExpr, Conditions, default_counterexample
from crosshair.core import ConditionCheckable, suspected_proxy_intolerance_exception
from crosshair.core_and_libs import AnalysisKind, MessageType, analyze_function
from crosshair.options import AnalysisOptionSet
from crosshair.tracers import NoTracing
from crosshair.util import ControlFlowException, IdKeyedDict, NotDeterministic

from privtopk.spec.proofs.gate.replay import replay
from privtopk.spec.proofs.gate.theorem import Policy, Theorem


class Finding(StrEnum):
    """What CrossHair found for a theorem."""

    CONFIRMED = "confirmed"
    """It holds on every path, and there is at least one path."""

    SEARCHED = "searched"
    """No counterexample within the budget, but some paths were not visited."""

    REFUTED = "refuted"
    """A counterexample replays in plain Python."""

    FAILED = "failed"
    """No verdict: the theorem, CrossHair or the replay is at fault."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A finding with its evidence, or with the reason for a failure."""

    finding: Finding
    evidence: str


ACCEPTED = {
    Policy.CONFIRM: (Finding.CONFIRMED,),
    Policy.SEARCH: (Finding.CONFIRMED, Finding.SEARCHED),
    Policy.REFUTE: (Finding.REFUTED,),
}
"""The findings that each policy accepts."""

_REFUTATIONS = (MessageType.POST_FAIL, MessageType.POST_ERR, MessageType.EXEC_ERR)


@dataclass(slots=True)
class _Witnesses:
    """A record of the counterexamples that CrossHair finds and of the preconditions that raise."""

    calls: list[str]
    broken_preconditions: list[str]

    def attach(self, conditions: Conditions) -> Conditions:
        """Return the conditions, changed so that counterexamples and errors are recorded here."""
        return replace(
            conditions,
            pre=[self._record_errors(condition) for condition in conditions.pre],
            counterexample_description_maker=self._describer(conditions.fn.__name__),
        )

    def _record_errors(self, condition: ConditionExpr) -> ConditionExpr:
        """Return a precondition that records the errors that it raises."""
        original = condition.evaluate

        def evaluate(bindings: Mapping[str, object]) -> bool:
            if original is None:
                return False
            try:
                return original(bindings)
            except Exception as error:
                with NoTracing():  # type: ignore[no-untyped-call]
                    if not _is_of_crosshair(error):
                        self.broken_preconditions.append(
                            f"precondition {condition.expr_source} raised {type(error).__name__}"
                        )
                raise

        return replace(condition, evaluate=evaluate)

    def _describer(
        self, name: str
    ) -> Callable[[BoundArguments, object, IdKeyedDict], tuple[str, str]]:
        """Return a function that records a counterexample and describes it as CrossHair does."""

        def describe(
            arguments: BoundArguments, value: object, overrides: IdKeyedDict
        ) -> tuple[str, str]:
            call, returned = default_counterexample(name, arguments, value, overrides)
            self.calls.append(call)
            return call, returned

        return describe


def _is_of_crosshair(error: Exception) -> bool:
    """Return whether an exception comes from the limits of CrossHair, not from the program."""
    return isinstance(error, NotDeterministic) or suspected_proxy_intolerance_exception(error)


def is_accepted(theorem: Theorem, verdict: Verdict) -> bool:
    """Return whether the verdict is one that the prefix of the theorem's name demands."""
    return verdict.finding in ACCEPTED[theorem.policy]


class _Doubt(Exception):  # noqa: N818 (a verdict, not an error)
    """A reason not to trust CrossHair's verdict on a theorem."""


def judge(theorem: Theorem) -> Verdict:
    """Return CrossHair's verdict on a theorem; a doubt becomes a failure."""
    try:
        return _judge(theorem)
    except _Doubt as doubt:
        return Verdict(Finding.FAILED, str(doubt))


def _judge(theorem: Theorem) -> Verdict:
    """Return CrossHair's verdict on a theorem, or raise a doubt."""
    _require_no(theorem.problem)
    paths: Counter[str] = Counter()
    checkable = _read(theorem, _options(theorem, paths))
    _require_no(_misreading(theorem, checkable.conditions))
    witnesses = _Witnesses([], [])
    checkable.conditions = witnesses.attach(checkable.conditions)
    try:
        # CrossHair prints and warns; a caller that turns warnings into errors would break it.
        with contextlib.redirect_stderr(io.StringIO()), warnings.catch_warnings(action="ignore"):
            messages = list(checkable.analyze())
    except (Exception, ControlFlowException) as error:
        raise _Doubt(f"CrossHair failed: {type(error).__name__}: {error}") from error
    _require_no("; ".join(witnesses.broken_preconditions[:1]))
    if not messages:
        raise _Doubt("CrossHair returned no message")
    worst = max(messages, key=lambda message: message.state)
    return _verdict(theorem, worst.state, worst.message, witnesses.calls, paths["num_paths"])


def _require_no(problem: str) -> None:
    """Raise a doubt if there is a problem."""
    if problem:
        raise _Doubt(problem)


def _read(theorem: Theorem, options: AnalysisOptionSet) -> ConditionCheckable:
    """Return what CrossHair reads as the one condition of a theorem."""
    try:
        checkables = analyze_function(theorem.function, options)
    except Exception as error:
        raise _Doubt(f"CrossHair cannot read it: {type(error).__name__}: {error}") from error
    if len(checkables) != 1 or not isinstance(checkables[0], ConditionCheckable):
        raise _Doubt("CrossHair does not read one condition from it")
    return checkables[0]


def _options(theorem: Theorem, paths: Counter[str]) -> AnalysisOptionSet:
    """Return options that no directive in the source of the theorem can weaken."""
    return AnalysisOptionSet(
        analysis_kind=[AnalysisKind.PEP316],
        enabled=True,
        specs_complete=False,
        per_condition_timeout=theorem.seconds,
        per_path_timeout=theorem.seconds**0.5,
        max_iterations=maxsize,
        max_uninteresting_iterations=0,
        stats=paths,
    )


def _misreading(theorem: Theorem, conditions: Conditions) -> str:
    """Return how CrossHair's reading of the contract differs from ours; empty if it does not."""
    if tuple(condition.expr_source for condition in conditions.pre) != theorem.preconditions:
        return "CrossHair reads other preconditions"
    if [condition.expr_source for condition in conditions.post] != ["_"]:
        return "CrossHair reads another postcondition"
    if conditions.raises or conditions.mutable_args is not None:
        return "CrossHair reads an excuse for exceptions or mutation"
    return ""


def _verdict(
    theorem: Theorem, state: MessageType, message: str, calls: list[str], paths: int
) -> Verdict:
    """Return the verdict for CrossHair's worst message; replay a refutation."""
    if state is MessageType.CONFIRMED:
        return Verdict(Finding.CONFIRMED, f"all {paths:,} paths")
    if state is MessageType.CANNOT_CONFIRM:
        return Verdict(
            Finding.SEARCHED, f"no counterexample in {paths:,} paths, {theorem.seconds:.0f} s"
        )
    if state not in _REFUTATIONS or not calls:
        raise _Doubt(f"{state.value}: {message}")
    replayed = replay(theorem, calls[-1])
    if not replayed.is_refutation:
        raise _Doubt(f"the counterexample does not replay: {calls[-1]} {replayed.account}")
    return Verdict(Finding.REFUTED, f"{calls[-1]} {replayed.account}")
