"""Facts about sources that are opened for one use: they are always closed."""

from typing import Any

import pytest

from conformance.support_oracle import run_case
from privtopk.conformance.evidence.decision import CaseVerdict
from privtopk.conformance.evidence.trial import ViolationError
from privtopk.conformance.mutants.right.stores import HistogramSource
from privtopk.conformance.requirements.registry import requirements_for
from privtopk.conformance.requirements.source.opening import missing_extra, open_source
from privtopk.conformance.subjects.calls import Caller, DeclinedError, SubjectError
from privtopk.conformance.subjects.kinds import Abilities, Extra, Kind

CALL = Caller(1.0)


class Counted(HistogramSource):
    """A source that counts how many are open."""

    still_open = 0
    has_been_open = 0

    def __init__(self, histogram: Any) -> None:
        super().__init__(histogram)
        Counted.still_open += 1
        Counted.has_been_open += 1

    def rewrite(self, histogram: Any) -> None:
        """Store other scores elsewhere."""

    def name(self, item: int) -> int:
        """Return the number of an item."""
        return item

    @classmethod
    def named(cls, names: Any, histogram: Any) -> "Counted":
        """Return a source without the names."""
        return cls(histogram)

    def close(self) -> None:
        """Count, once."""
        Counted.still_open -= 1


class Failing(Counted):
    """Raises whenever it is closed."""

    def close(self) -> None:
        """Count, and raise."""
        super().close()
        raise ValueError("never again")


class Mistaken(Counted):
    """Raises when it is read."""

    def top(self, start: int, count: int) -> Any:
        """Raise."""
        raise LookupError("no page")


@pytest.mark.parametrize("source", [Counted, Failing, Mistaken])
@pytest.mark.parametrize("requirement", requirements_for(Kind.SOURCE), ids=lambda one: one.id)
def test_every_requirement_closes_what_it_opens(source: Any, requirement: Any) -> None:
    """No source is left open, whether it is right or wrong."""
    before = Counted.has_been_open
    run_case(source, requirement, budget=0.1)
    assert (Counted.has_been_open > before, Counted.still_open) == (True, 0)


def test_a_source_that_cannot_be_closed_has_failed() -> None:
    """An error of `close` without any change of the scores is a fault of the subject."""
    (order, *_) = requirements_for(Kind.SOURCE)
    case = run_case(Failing, order, budget=0.1)
    assert (case.verdict, case.message) == (
        CaseVerdict.FAIL,
        "the subject raised ValueError: never again",
    )


def test_the_first_fault_is_reported() -> None:
    """If a source raises when it is read and when it is closed, the first error is reported."""

    def fail() -> None:
        with open_source(CALL, Failing, (1, 2)):
            raise ViolationError("wrong")

    with pytest.raises(ViolationError, match=r"^wrong$"):
        fail()
    assert Counted.still_open == 0


def test_closing_is_called_within_limits() -> None:
    """A `close` that does not return is interrupted like any other call."""

    class Hanging(HistogramSource):
        def close(self) -> None:
            while True:
                pass

    with (
        pytest.raises(SubjectError, match=r"^gave no answer within 0.1 s$"),
        open_source(Caller(0.1), Hanging, (1,)),
    ):
        pass


def test_a_source_that_is_declined_is_not_closed() -> None:
    """A source that was never made is not closed."""

    def declined(histogram: Any) -> Any:
        raise NotImplementedError("not today")

    with (
        pytest.raises(DeclinedError, match=r"^NotImplementedError: not today$"),
        open_source(CALL, declined, (1,)),
    ):
        pass


@pytest.mark.parametrize(
    ("wanted", "reason"),
    [
        (
            Extra.NAME,
            "the subject does not offer name: give its sources a method name(item), which returns "
            "a text or a whole number, and, if the subject is not a class, an attribute extras = "
            '("name",)',
        ),
        (
            Extra.NAMED,
            "the subject does not offer named: give it a method named(names, histogram), which "
            "returns a source of these items, and, if the subject is not a class, an attribute "
            'extras = ("named",)',
        ),
        (
            Extra.REWRITE,
            "the subject does not offer rewrite: give its sources a method rewrite(histogram), "
            "which stores other scores of the same items as another writer would, and, if the "
            'subject is not a class, an attribute extras = ("rewrite",)',
        ),
    ],
)
def test_a_reason_to_skip_says_how_to_offer_it(wanted: Extra, reason: str) -> None:
    """The reason to skip names the missing method."""
    assert missing_extra(Abilities(), wanted) == reason
    assert missing_extra(Abilities(extras=(wanted,)), wanted) is None


def test_all_that_is_wanted_must_be_there() -> None:
    """If one of two extras is missing, the reason names it."""
    reason = missing_extra(Abilities(extras=(Extra.NAMED,)), Extra.NAMED, Extra.NAME)
    assert reason == missing_extra(Abilities(), Extra.NAME)
