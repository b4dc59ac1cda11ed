"""Facts about the noise for many items."""

from typing import Any

import pytest

from conformance.support_oracle import run_case
from privtopk.conformance.evidence.decision import CaseVerdict
from privtopk.conformance.mutants.selector.budget import DeltaNobodyGranted
from privtopk.conformance.requirements.selector.many_items import ManyItems
from privtopk.impl.subjects import batched, one_shot


@pytest.mark.parametrize("engine", [batched, one_shot], ids=["batched", "one-shot"])
def test_a_right_engine_passes(engine: Any) -> None:
    """Our engines share the budget among 64 items; a false alarm has probability 6e-8."""
    assert run_case(engine, ManyItems(), budget=0.25).verdict is CaseVerdict.PASS


def test_a_delta_that_was_not_granted_is_found() -> None:
    """An accounting that spends a delta where there is none takes too little noise."""
    assert run_case(DeltaNobodyGranted(), ManyItems(), budget=4).verdict is CaseVerdict.FAIL
