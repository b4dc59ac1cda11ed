"""Tests of the expectation that a call is refused."""

import pytest

from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.proofs.gate.registry import CheckFailed
from privtopk.spec.proofs.instruments.refusals import expect_refused


def refuse() -> None:
    """Refuse a call."""
    raise SelectionError(Reason.K_OUT_OF_RANGE, "k must be 1, got 2")


def test_the_reason_is_compared() -> None:
    """A refusal passes for its own reason, and fails for another one with its message."""
    expect_refused(refuse, Reason.K_OUT_OF_RANGE, "m=1")
    with pytest.raises(CheckFailed, match=r"^m=1: k must be 1, got 2$"):
        expect_refused(refuse, Reason.NEGATIVE_SCORE, "m=1")


def test_an_accepted_call_fails() -> None:
    """A call that returns fails, and the message says what it returned."""
    with pytest.raises(CheckFailed, match=r"^m=1: returned 7 instead of k-out-of-range$"):
        expect_refused(lambda: 7, Reason.K_OUT_OF_RANGE, "m=1")
