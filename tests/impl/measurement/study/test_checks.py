"""Facts about the checks of a study."""

import math

import pytest

from privtopk.impl.engines.choice import Engine
from privtopk.impl.measurement.results import missed_results
from privtopk.impl.measurement.rows import Row, Table
from privtopk.impl.measurement.study.checks import (
    FALSE_ALARMS,
    checks_of,
    largest_share,
    tables_with_laws,
)
from privtopk.impl.measurement.study.counting import AccessCell, PriceCell
from privtopk.impl.measurement.study.laws import law_of, log_tail
from privtopk.impl.measurement.study.promises import AccuracyCell, PlanCell

MEASURED: dict[str, Table] = {
    "accesses": [
        *AccessCell("m", "batched", "worst", 400, 3, 1.0, 10).rows(),
        *AccessCell("m", "rank-free", "worst", 400, 3, 1.0, 10).rows(),
    ],
    "prices": PriceCell("batched", "worst", 400, 3, 1.0, 1, 5, 10).rows(),
    "accuracy": AccuracyCell("batched", "gumbel", 100, 2, 0.5, 20).rows(),
    "plans": PlanCell("worst", 400, 3, 1.0, 1, 1, 10).rows(),
}
TABLES = tables_with_laws(MEASURED)


def failing_checks(topic: str, **columns: float) -> list[str]:
    """Return the names of the checks that fail once some columns of a table are changed."""
    first, *others = TABLES[topic]
    row: Row = {**first, **columns}
    return [check.name for check in missed_results(checks_of({**TABLES, topic: [row, *others]}))]


def test_means_are_compared_with_their_law() -> None:
    """A row has the mean of its law for its prices, and the log tail of its own mean."""
    (row,) = TABLES["prices"]
    law = law_of(Engine.BATCHED, 400, 3, 1, 5)
    assert (row["law"], row["log_tail"]) == (law.mean, log_tail(law, 10, float(row["mean"])))
    assert TABLES["accuracy"] is MEASURED["accuracy"]


def test_correct_engines_exceed_nothing() -> None:
    """The measurements of correct engines pass all checks."""
    assert missed_results(checks_of(TABLES)) == []


def test_the_levels_add_up_to_the_budget() -> None:
    """Six random checks share 1e-6; comparisons of bounds need no level."""
    random = [check for check in checks_of(TABLES) if check.log_level < 0]
    assert len(random) == 6
    assert sum(math.exp(check.log_level) for check in random) == pytest.approx(FALSE_ALARMS)


def test_a_mean_above_its_law_is_named() -> None:
    """The report names an unlikely mean with its engine, input and parameters."""
    assert failing_checks("accesses", log_tail=-20.0) == [
        "accesses of batched on worst, m=400, k=3, epsilon=1.0"
    ]
    assert failing_checks("prices", log_tail=-math.inf) == [
        "price of batched on worst, m=400, k=3, epsilon=1.0, sorted_cost=1, random_cost=5"
    ]


def test_a_mean_that_may_happen_is_not() -> None:
    """A mean with a probability just above the level of its check passes."""
    assert failing_checks("accesses", log_tail=math.log(FALSE_ALARMS / 6) + 0.1) == []
    assert failing_checks("accesses", log_tail=math.log(FALSE_ALARMS / 6) - 0.1) != []


def test_a_wrong_accuracy_is_named() -> None:
    """The report names a share of failures that the exact quantile does not allow."""
    assert failing_checks("accuracy", chance=1e-9) == ["accuracy of batched, gumbel, m=100, k=2"]


@pytest.mark.parametrize("column", ["chance_above_99", "chance_missed"])
def test_a_wrong_plan_is_named(column: str) -> None:
    """The report names a plan that is exceeded too often."""
    assert failing_checks("plans", **{column: 0.0}) == ["plan for worst, m=400, k=3"]


@pytest.mark.parametrize(
    ("columns", "bound"),
    [
        ({"certificate": 1e6}, "certificate <= law"),
        ({"two_roots": 1.0}, "law <= 2 sqrt(mk) and 1/512 of the prefix"),
    ],
)
def test_bounds_out_of_order_are_named(columns: dict[str, float], bound: str) -> None:
    """A lower bound above an upper one fails a check, for all measurements."""
    first, *others = TABLES["accesses"]
    tables = {"accesses": [{**first, **columns}, *others]}
    assert [check.bound for check in missed_results(checks_of(tables))] == [bound]


def test_no_number_is_no_success() -> None:
    """A probability that is NaN fails its check."""
    assert failing_checks("accesses", log_tail=math.nan) != []


def test_limits_lie_above_what_is_proven() -> None:
    """The limit of a random mean lies above the mean of its law."""
    means = [check for check in checks_of(TABLES) if check.bound == "law of the worst input"]
    assert len(means) == 3
    assert all(check.proven < check.limit < 10 * check.proven for check in means)


def test_the_largest_share_just_passes() -> None:
    """At least 19 heads of 20 have probability 2e-5, all 20 have probability 1e-6."""
    assert largest_share(20, 0.5, 1e-5) == 0.95
    assert largest_share(20, 0.5, 1e-7) == 1
    assert largest_share(20, 0.5, 0.5) == 0.5


def test_rows() -> None:
    """A row of a check has its result and the probability of the observation."""
    (row,) = (check.as_row() for check in checks_of(TABLES) if check.name.startswith("accuracy"))
    assert list(row) == [
        "check",
        "bound",
        "observed",
        "proven",
        "limit",
        "log10_chance",
        "met",
    ]
    assert row["met"] == "true"
