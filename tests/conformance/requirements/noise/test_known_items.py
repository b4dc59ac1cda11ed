"""Facts about known items in a noise list."""

from typing import Any

import pytest

from conformance.support_oracle import run_case
from privtopk.conformance.evidence.decision import CaseVerdict
from privtopk.conformance.mutants.noise.oracles import MinimumKeptTooLong
from privtopk.conformance.requirements.noise.known_items import KnownItems
from privtopk.impl.subjects import online_oracle, rank_free_oracle


@pytest.mark.parametrize("oracle", [rank_free_oracle, online_oracle], ids=["rank-free", "online"])
def test_a_right_list_passes(oracle: Any) -> None:
    """Our oracles have the law; a false alarm has probability at most 1e-7."""
    assert run_case(oracle, KnownItems(), budget=0.1).verdict is CaseVerdict.PASS


def test_a_stale_maximum_is_found() -> None:
    """A list that keeps a maximum after another item was looked up fails."""
    assert run_case(MinimumKeptTooLong, KnownItems(), budget=2).verdict is CaseVerdict.FAIL
