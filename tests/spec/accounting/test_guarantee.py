"""Facts about what a selection guarantees and how its noise is calibrated."""

import math
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privtopk.spec.accounting.assumptions import DomainAssumption, NoiseSource
from privtopk.spec.accounting.composition import renyi_composition, zcdp_of_steps
from privtopk.spec.accounting.guarantee import (
    Guarantee,
    calibrate,
    guarantee,
    guarantees,
    laplace_cited_epsilon,
)
from privtopk.spec.laws.gumbel import ranked_law, weights
from privtopk.spec.laws.laplace import laplace_set_law
from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.neighbours import Relation
from privtopk.spec.model.privacy import hockey_stick
from privtopk.spec.model.values import Histogram
from privtopk.spec.noise.distributions import NoiseKind

GUMBEL, LAPLACE = NoiseKind.GUMBEL, NoiseKind.LAPLACE
TWO_SIDED = (Relation.SWAP, Relation.L_INFINITY)
KINDS = st.sampled_from(NoiseKind)
RELATIONS = st.sampled_from(Relation)


def test_pure_gumbel_under_add_remove() -> None:
    """Under add/remove k Gumbel selections are k epsilon-DP, exactly."""
    third = Fraction(1, 3)
    assert guarantee(GUMBEL, third, 4, 9, Relation.ADD_REMOVE, 0) == Guarantee(
        Fraction(4, 3),
        0.0,
        Relation.ADD_REMOVE,
        "ours:accounting-pure",
        zcdp_of_steps(third, 4),
        True,
    )


@pytest.mark.parametrize("relation", TWO_SIDED)
def test_pure_gumbel_under_two_sided_relations(relation: Relation) -> None:
    """Under swap and l-infinity k Gumbel selections are 2 k epsilon-DP, exactly."""
    third = Fraction(1, 3)
    assert guarantee(GUMBEL, third, 4, 9, relation, 0) == Guarantee(
        Fraction(8, 3), 0.0, relation, "ours:accounting-pure", zcdp_of_steps(2 * third, 4), True
    )


def test_pure_laplace_under_add_remove() -> None:
    """Under add/remove the Laplace set is k epsilon-DP, exactly."""
    assert guarantee(LAPLACE, Fraction(1, 3), 4, 9, Relation.ADD_REMOVE, 0) == Guarantee(
        Fraction(4, 3), 0.0, Relation.ADD_REMOVE, "ours:accounting-laplace", None, True
    )


@pytest.mark.parametrize("relation", TWO_SIDED)
def test_pure_laplace_under_two_sided_relations(relation: Relation) -> None:
    """Under swap and l-infinity the Laplace set is 2 k epsilon-DP, exactly."""
    assert guarantee(LAPLACE, Fraction(1, 3), 4, 9, relation, 0) == Guarantee(
        Fraction(8, 3), 0.0, relation, "ours:accounting-laplace", None, True
    )


def test_approximate_gumbel_uses_the_curve() -> None:
    """For many items and delta > 0 all moments together give the cheapest guarantee."""
    assert guarantee(GUMBEL, 0.1, 100, 1000, Relation.ADD_REMOVE, 1e-6) == Guarantee(
        renyi_composition(0.1, 100, 1e-6),
        1e-6,
        Relation.ADD_REMOVE,
        "ours:bounded-range-renyi",
        zcdp_of_steps(0.1, 100),
        True,
    )


def test_every_gumbel_guarantee() -> None:
    """With delta > 0 the pure, printed, zCDP and Rényi guarantees are all listed, in that order."""
    known = guarantees(GUMBEL, 0.1, 100, 1000, Relation.ADD_REMOVE, 1e-6)
    assert [(one.theorem, round(one.epsilon, 3)) for one in known] == [
        ("ours:accounting-pure", 10.0),
        ("fact:gumbel-approximate", 4.217),
        ("ours:bounded-range-zcdp", 2.419),
        ("ours:bounded-range-renyi", 2.4),
    ]


def test_proved_laplace_ignores_delta() -> None:
    """Without cited claims a Laplace guarantee is pure whatever the delta."""
    pure = guarantee(LAPLACE, 1e-4, 1000, 2000, Relation.L_INFINITY, 0)
    assert guarantee(LAPLACE, 1e-4, 1000, 2000, Relation.L_INFINITY, 0.01) == pure


def test_cited_laplace_on_request() -> None:
    """The cited approximate Laplace bound is used only when allowed, and says so."""
    chosen = guarantee(LAPLACE, 1e-4, 1000, 2000, Relation.L_INFINITY, 0.01, allow_cited=True)
    assert chosen == Guarantee(
        8e-4 * math.sqrt(1000 * (math.log(2000) - math.log(0.01))),
        0.01,
        Relation.L_INFINITY,
        "fact:laplace-approximate",
        None,
        False,
    )


def test_cited_laplace_is_not_preferred_where_it_is_worse() -> None:
    """For few items the pure Laplace guarantee is cheaper even if cited ones are allowed."""
    chosen = guarantee(LAPLACE, 1e-4, 5, 2000, Relation.L_INFINITY, 0.01, allow_cited=True)
    assert chosen.theorem == "ours:accounting-laplace"


@pytest.mark.parametrize(
    ("epsilon", "k", "m", "delta"),
    [(1e-4, 1, 2, 0), (1e-4, 1, 2, 0.0501), (1e-4, 1, 1, 0.01), (0.2, 1, 2, 0.01)],
)
def test_cited_laplace_hypotheses(epsilon: float, k: int, m: int, delta: float) -> None:
    """The cited bound needs 0 < delta <= 0.05, m >= 2 and a value of at most 0.2."""
    assert laplace_cited_epsilon(epsilon, k, m, delta) is None


@pytest.mark.parametrize(
    ("relation", "second"),
    [
        (Relation.ADD_REMOVE, (1, 1, 0, 0)),
        (Relation.SWAP, (1, 1, 0, 2)),
        (Relation.L_INFINITY, (1, 0, 2, 2)),
    ],
)
@pytest.mark.parametrize("delta", [1e-3, 0.05, 0.3])
def test_gumbel_guarantee_holds_on_exact_laws(
    relation: Relation, second: Histogram, delta: float
) -> None:
    """No set of ranked lists of three items exceeds the guarantee, both ways round."""
    base = Fraction(3, 2)
    promised = guarantee(GUMBEL, math.log(base), 3, 4, relation, delta)
    first_law = ranked_law(weights((2, 1, 1, 1), base), 3)
    second_law = ranked_law(weights(second, base), 3)
    ratio = Fraction(math.exp(promised.epsilon))
    assert hockey_stick(first_law, second_law, ratio) <= Fraction(delta)
    assert hockey_stick(second_law, first_law, ratio) <= Fraction(delta)


@pytest.mark.parametrize(
    ("relation", "second"), [(Relation.ADD_REMOVE, (1, 1, 0, 0)), (Relation.SWAP, (1, 2, 2, 2))]
)
def test_laplace_guarantee_holds_on_exact_laws(relation: Relation, second: Histogram) -> None:
    """No set of two items has a probability ratio above the Laplace guarantee."""
    first_law = laplace_set_law((2, 1, 1, 1), 2, 0.5)
    second_law = laplace_set_law(second, 2, 0.5)
    promised = math.exp(guarantee(LAPLACE, 0.5, 2, 4, relation, 0).epsilon)
    ratios = [first_law[chosen] / second_law[chosen] for chosen in first_law]
    assert max(ratios) <= promised
    assert min(ratios) >= 1 / promised


@given(
    KINDS, st.floats(1e-3, 20), st.integers(1, 10**4), RELATIONS, st.floats(0, 0.4), st.booleans()
)
@settings(max_examples=25, deadline=None)
def test_calibration_round_trip(
    kind: NoiseKind, total: float, k: int, relation: Relation, delta: float, allow_cited: bool
) -> None:
    """The guarantee of a calibrated epsilon is at most the total, and a little more exceeds it."""
    epsilon = calibrate(kind, total, k, 10**4, relation, delta, allow_cited=allow_cited)
    here = guarantee(kind, epsilon, k, 10**4, relation, delta, allow_cited=allow_cited)
    more = guarantee(kind, epsilon * (1 + 1e-9), k, 10**4, relation, delta, allow_cited=allow_cited)
    assert here.epsilon <= total < more.epsilon


def test_calibration_to_an_exact_total() -> None:
    """A total given as a fraction is not exceeded, exactly."""
    epsilon = calibrate(GUMBEL, Fraction(1, 3), 7, 10, Relation.ADD_REMOVE, 0)
    assert guarantee(GUMBEL, epsilon, 7, 10, Relation.ADD_REMOVE, 0).epsilon <= Fraction(1, 3)
    assert epsilon == pytest.approx(1 / 21, rel=1e-15)


@given(
    st.floats(1e-3, 5), st.integers(1, 10**6), st.floats(1e-12, 0.4), RELATIONS, st.floats(0.01, 1)
)
@settings(max_examples=25, deadline=None)
def test_guarantee_is_monotone(
    epsilon: float, k: int, delta: float, relation: Relation, growth: float
) -> None:
    """Less noise, more items and a smaller delta never make the guarantee smaller."""
    m = 10**7
    here = guarantee(GUMBEL, epsilon, k, m, relation, delta).epsilon * (1 - 1e-12)
    assert here <= guarantee(GUMBEL, epsilon * (1 + growth), k, m, relation, delta).epsilon
    assert here <= guarantee(GUMBEL, epsilon, k + 1, m, relation, delta).epsilon
    assert here <= guarantee(GUMBEL, epsilon, k, m, relation, delta / (1 + growth)).epsilon


@given(KINDS, st.floats(1e-3, 5), st.integers(1, 10**6), st.floats(0, 0.4))
@settings(max_examples=25, deadline=None)
def test_two_sided_relations_cost_a_doubled_epsilon(
    kind: NoiseKind, epsilon: float, k: int, delta: float
) -> None:
    """Swap and l-infinity both cost what add/remove costs at twice the epsilon."""
    doubled = guarantee(kind, 2 * epsilon, k, 10**6, Relation.ADD_REMOVE, delta)
    for relation in TWO_SIDED:
        assert guarantee(kind, epsilon, k, 10**6, relation, delta).epsilon == doubled.epsilon


def test_refuses_a_total_too_small_to_share() -> None:
    """A total that leaves no positive double for each item is refused."""
    with pytest.raises(SelectionError) as refused:
        calibrate(GUMBEL, 5e-324, 10, 10, Relation.SWAP, 0)
    assert refused.value.reason == Reason.EPSILON_OUT_OF_RANGE
    assert str(refused.value) == "total_epsilon=5e-324 is too small to be shared by k=10 items"


@pytest.mark.parametrize(
    ("arguments", "reason", "message"),
    [
        (
            ("gumbel", 1, 1, 2, Relation.SWAP, 0),
            Reason.WRONG_TYPE,
            "noise must be a NoiseKind, got 'gumbel'",
        ),
        (
            (GUMBEL, 1, 3, 2, Relation.SWAP, 0),
            Reason.K_OUT_OF_RANGE,
            "k must be between 1 and m=2, got 3",
        ),
        ((GUMBEL, 1, 1, 0, Relation.SWAP, 0), Reason.EMPTY_DOMAIN, "m must be at least 1, got 0"),
        (
            (GUMBEL, 1, 1, 2, "swap", 0),
            Reason.WRONG_TYPE,
            "relation must be a Relation, got 'swap'",
        ),
        (
            (GUMBEL, 1, 1, 2, Relation.SWAP, 1.5),
            Reason.DELTA_OUT_OF_RANGE,
            "delta must be at least 0 and below 1, got 1.5",
        ),
    ],
)
@pytest.mark.parametrize("function", [guarantee, calibrate])
def test_refuses_bad_parameters(
    function: object, arguments: tuple[object, ...], reason: Reason, message: str
) -> None:
    """Both directions check noise, k, m, relation and delta before they compute anything."""
    assert callable(function)
    with pytest.raises(SelectionError) as refused:
        function(*arguments)
    assert (refused.value.reason, str(refused.value)) == (reason, message)


def test_refuses_no_noise_parameter() -> None:
    """The epsilon of the noise must be positive."""
    with pytest.raises(SelectionError) as refused:
        guarantee(GUMBEL, 0, 1, 2, Relation.SWAP, 0)
    assert refused.value.reason == Reason.EPSILON_OUT_OF_RANGE
    assert str(refused.value) == "epsilon must be positive and finite, got 0"


def test_refuses_no_total() -> None:
    """The total to calibrate to must be positive."""
    with pytest.raises(SelectionError) as refused:
        calibrate(GUMBEL, 0, 1, 2, Relation.SWAP, 0)
    assert refused.value.reason == Reason.EPSILON_OUT_OF_RANGE
    assert str(refused.value) == "total_epsilon must be positive and finite, got 0"


PUBLISHED = Guarantee(
    Fraction(1, 2), 1e-6, Relation.SWAP, "ours:bounded-range-renyi", 0.1, is_proved=True
)
SEEDED = "NOT PRIVATE: the noise was seeded, so others can reproduce it"
PUBLIC = "it is assumed that everybody may know which items there are"


@pytest.mark.parametrize(
    ("noise_source", "domain", "conditions"),
    [
        ("cryptographic", "declared", ()),
        ("seeded", "declared", (SEEDED,)),
        ("cryptographic", "public", (PUBLIC,)),
        ("seeded", "public", (SEEDED, PUBLIC)),
    ],
)
def test_the_text_repeats_the_conditions(
    noise_source: str, domain: str, conditions: tuple[str, ...]
) -> None:
    """The text of a guarantee says if the noise was seeded and if the items are assumed public."""
    promise = replace(
        PUBLISHED, noise_source=NoiseSource(noise_source), domain=DomainAssumption(domain)
    )
    stated = "epsilon 0.5, delta 1e-06, swap neighbours (ours:bounded-range-renyi)"
    assert promise.conditions == conditions
    assert str(promise) == "; ".join((stated, *conditions))


def test_the_text_of_a_pure_guarantee_has_no_delta() -> None:
    """Only an approximate guarantee mentions delta."""
    pure = guarantee(GUMBEL, Fraction(1, 3), 3, 9, Relation.ADD_REMOVE, 0)
    assert str(pure) == "epsilon 1, add-remove neighbours (ours:accounting-pure)"
