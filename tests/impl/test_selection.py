"""Facts about selections: only what may be published is shown."""

import dataclasses

import pytest

from privtopk.impl.selection import Audit, Selection
from privtopk.spec.accounting.guarantee import Guarantee
from privtopk.spec.model.neighbours import Relation

AUDIT = Audit(
    engine="batched",
    reason="asked for",
    sorted_accesses=20,
    random_accesses=3,
    round_trips=2,
    noise_draws=26,
    seconds=0.5,
    is_secure=True,
)
GUARANTEE = Guarantee(1, 0.0, Relation.ADD_REMOVE, "ours:accounting-pure", 0.125)
SELECTION = Selection(items=("fig", "pear"), is_ranked=True, guarantee=GUARANTEE, audit=AUDIT)


def test_the_access_cost_is_both_doors_together() -> None:
    """The cost is the number of sorted and of random accesses."""
    assert AUDIT.accesses == 23


def test_the_audit_is_not_shown() -> None:
    """The repr of a selection has the items and the guarantee, but no audit."""
    assert repr(SELECTION) == (
        f"Selection(items=('fig', 'pear'), is_ranked=True, guarantee={GUARANTEE!r})"
    )


@pytest.mark.parametrize("value", [AUDIT, SELECTION])
def test_values_do_not_change(value: "Audit | Selection") -> None:
    """A selection and its audit are immutable."""
    field = dataclasses.fields(value)[0].name
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(value, field, None)


def test_the_audit_says_that_it_is_not_private() -> None:
    """The documentation of the audit says that it must not be published."""
    assert "NOT private" in str(Audit.__doc__)
