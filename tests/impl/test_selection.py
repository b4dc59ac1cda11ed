"""Facts about selections: only what may be published is shown."""

import dataclasses
import json
import math
from fractions import Fraction
from importlib.metadata import version

import pytest

from privtopk.impl.selection import Audit, Selection, float_at_least
from privtopk.spec.accounting.assumptions import NoiseSource
from privtopk.spec.accounting.guarantee import Guarantee
from privtopk.spec.model.neighbours import Relation
from privtopk.spec.model.values import Number
from privtopk.spec.noise.distributions import NoiseKind

AUDIT = Audit(
    engine="batched",
    reason="asked for",
    sorted_accesses=20,
    random_accesses=3,
    round_trips=2,
    noise_draws=26,
    seconds=0.5,
)
GUARANTEE = Guarantee(1, 0.0, Relation.ADD_REMOVE, "ours:accounting-pure", 0.125, True)
SELECTION = Selection(
    items=("fig", "pear"),
    is_ranked=True,
    noise=NoiseKind.GUMBEL,
    noise_scale=2.0,
    guarantee=GUARANTEE,
    audit=AUDIT,
)
PUBLISHED = {
    "items": ["fig", "pear"],
    "is_ranked": True,
    "k": 2,
    "noise": {"kind": "gumbel", "scale": 2.0},
    "guarantee": {
        "epsilon": 1.0,
        "delta": 0.0,
        "relation": "add-remove",
        "theorem": "ours:accounting-pure",
        "rho": 0.125,
        "is_proved": True,
        "arithmetic": "floating point",
        "noise_source": "cryptographic",
        "domain": "declared",
    },
    "privtopk": version("privtopk"),
}


def test_the_access_cost_is_both_doors_together() -> None:
    """The cost is the number of sorted and of random accesses."""
    assert AUDIT.accesses == 23


def test_the_audit_is_not_shown() -> None:
    """The repr of a selection has the items and the guarantee, but no audit."""
    assert repr(SELECTION) == (
        "Selection(items=('fig', 'pear'), is_ranked=True, noise=<NoiseKind.GUMBEL: 'gumbel'>, "
        f"noise_scale=2.0, guarantee={GUARANTEE!r})"
    )


def test_the_repr_says_that_the_noise_was_seeded() -> None:
    """The repr of a selection for tests says that it protects nobody."""
    seeded = dataclasses.replace(GUARANTEE, noise_source=NoiseSource.SEEDED)
    assert "'seeded'" not in repr(SELECTION)
    assert "'seeded'" in repr(dataclasses.replace(SELECTION, guarantee=seeded))


def test_what_may_be_published_as_json() -> None:
    """The JSON has items, mechanism, guarantee with all its assumptions and version; no audit."""
    assert json.loads(json.dumps(SELECTION.as_json(), allow_nan=False)) == PUBLISHED


@pytest.mark.parametrize("epsilon", [Fraction(1, 3), Fraction(1, 10), 0.1, 7, Fraction(10**30 + 1)])
def test_no_epsilon_is_understated(epsilon: Number) -> None:
    """An exact epsilon is published as the smallest double that is not below it."""
    published = float_at_least(epsilon)
    assert published >= epsilon > math.nextafter(published, -math.inf)


def test_a_scale_beyond_doubles_is_null() -> None:
    """JSON has no infinity."""
    vast = dataclasses.replace(SELECTION, noise_scale=math.inf).as_json()
    assert vast["noise"] == {"kind": "gumbel", "scale": None}


@pytest.mark.parametrize("value", [AUDIT, SELECTION])
def test_values_do_not_change(value: "Audit | Selection") -> None:
    """A selection and its audit are immutable."""
    field = dataclasses.fields(value)[0].name
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(value, field, None)


def test_the_audit_says_that_it_is_not_private() -> None:
    """The documentation of the audit says that it must not be published."""
    assert "NOT private" in str(Audit.__doc__)
