"""Checks that compare measurements with the proven bounds.

A random check bounds the probability of its observation, or of a more extreme one, under the
theorem. The levels of all checks add up to 1e-6: this is the probability that a study of correct
engines fails by chance.
"""

import math
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from privtopk.impl.engines.batched import WASTE, latest_prefix
from privtopk.impl.engines.choice import Engine
from privtopk.impl.measurement.proportions import at_least
from privtopk.impl.measurement.rows import Row, Table, number
from privtopk.impl.measurement.study.laws import CostLaw, largest_mean, law_of, log_tail

FALSE_ALARMS: Final = 1e-6
"""The largest probability that a study of correct engines fails."""

MEANS: Final = {"accesses": "accesses", "prices": "price"}
"""The tables that have means, and the quantity in each."""

ROUNDING: Final = 1 + 1e-9
"""The factor by which rounding may exceed a bound that was computed in floats."""


@dataclass(frozen=True, slots=True)
class BoundCheck:
    """One comparison of a measurement with a proven bound."""

    name: str
    """The measurement."""

    bound: str
    """The name of its bound."""

    observed: float
    proven: float

    limit: float
    """The largest observation that passes; the bound itself if nothing is random."""

    log_chance: float
    """The logarithm of an upper bound of the probability of such an observation."""

    log_level: float
    """The logarithm of the level of this check."""

    @property
    def is_met(self) -> bool:
        """Whether the observation passes; NaN never does."""
        return self.log_chance >= self.log_level

    def as_row(self) -> Row:
        """Return the check as a row of a table."""
        return {
            "check": self.name,
            "bound": self.bound,
            "observed": self.observed,
            "proven": self.proven,
            "limit": self.limit,
            "log10_chance": self.log_chance / math.log(10),
            "met": str(self.is_met).lower(),
        }


def tables_with_laws(tables: Mapping[str, Table]) -> dict[str, Table]:
    """Return the tables with two more columns for each mean: its law, and its log tail under it."""
    return {
        topic: [{**row, **_law_columns(row)} for row in rows] if topic in MEANS else rows
        for topic, rows in tables.items()
    }


def _law_columns(row: Row) -> Row:
    law = _law(row)
    return {"law": law.mean, "log_tail": log_tail(law, int(row["runs"]), number(row, "mean"))}


def _law(row: Row) -> CostLaw:
    return law_of(Engine(str(row["engine"])), int(row["m"]), int(row["k"]), *_prices(row))


def _prices(row: Row) -> tuple[int, int]:
    """Return the prices of the two doors; a row without prices has 1 and 1."""
    return int(row.get("sorted_cost", 1)), int(row.get("random_cost", 1))


def checks_of(tables: Mapping[str, Table]) -> list[BoundCheck]:
    """Return all checks of the tables with laws."""
    level = math.log(FALSE_ALARMS / max(1, len(list(_random_checks(tables, -1.0)))))
    return [*_random_checks(tables, level), *_ordered_bounds(tables)]


def _random_checks(tables: Mapping[str, Table], log_level: float) -> Iterator[BoundCheck]:
    for topic, what in MEANS.items():
        for row in tables.get(topic, []):
            yield _mean_check(what, row, log_level)
    for row in tables.get("accuracy", []):
        name = f"accuracy of {row['engine']}, {row['noise']}, m={row['m']}, k={row['k']}"
        yield _share_check(
            name, "exact quantile", row, ("share", "chance"), number(row, "beta"), log_level, 2
        )
    for row in tables.get("plans", []):
        name = f"plan for {row['family']}, m={row['m']}, k={row['k']}"
        columns = ("share_above_99", "chance_above_99")
        yield _share_check(name, "accesses, 99 %", row, columns, 0.01, log_level)
        columns = ("share_missed", "chance_missed")
        yield _share_check(name, "error, 95 %", row, columns, 0.05, log_level)


def _mean_check(what: str, row: Row, log_level: float) -> BoundCheck:
    """Return the check of a mean against its engine's law on the worst input."""
    law = _law(row)
    parameters = ", ".join(
        f"{name}={row[name]}"
        for name in ("m", "k", "epsilon", "sorted_cost", "random_cost")
        if name in row
    )
    return BoundCheck(
        f"{what} of {row['engine']} on {row['family']}, {parameters}",
        "law of the worst input",
        number(row, "mean"),
        law.mean,
        largest_mean(law, int(row["runs"]), log_level),
        number(row, "log_tail"),
        log_level,
    )


def _share_check(
    name: str,
    bound: str,
    row: Row,
    columns: tuple[str, str],
    proven: float,
    log_level: float,
    sides: int = 1,
) -> BoundCheck:
    """Return the check of a frequency against its probability, by the exact binomial tail."""
    share, chance = (number(row, column) for column in columns)
    limit = largest_share(int(row["runs"]), proven, math.exp(log_level) / sides)
    log_chance = math.log(chance) if chance > 0 else -math.inf
    return BoundCheck(name, bound, share, proven, limit, log_chance, log_level)


def largest_share(runs: int, probability: float, level: float) -> float:
    """Return the largest share of successes whose upper tail is at least the level."""
    counts = range(runs + 1)
    too_many = bisect_left(counts, True, key=lambda x: at_least(x, runs, probability) < level)
    return (too_many - 1) / runs


def _ordered_bounds(tables: Mapping[str, Table]) -> Iterator[BoundCheck]:
    """Yield the comparisons of bounds with each other, in which nothing is random."""
    for row in tables.get("accesses", []):
        name = f"bounds at m={row['m']}, k={row['k']}, epsilon={row['epsilon']}, {row['engine']}"
        yield _column_order_check(name, "certificate <= law", row, "certificate", "law")
        if row["engine"] == Engine.BATCHED:
            early = WASTE * latest_prefix(int(row["m"]), int(row["k"]), 1, 1)
            values = number(row, "law"), number(row, "two_roots") + early
            yield _order_check(name, "law <= 2 sqrt(mk) and 1/512 of the prefix", *values)
        if row["engine"] in (Engine.THRESHOLD, Engine.ONLINE, Engine.RANK_FREE):
            yield _column_order_check(name, "law <= Theorem U", row, "law", "theorem_u")
            yield _column_order_check(
                name, "Theorem U <= the paper's bound", row, "theorem_u", "paper"
            )
    for row in tables.get("prices", []):
        name = f"bounds at {row['sorted_cost']}:{row['random_cost']}, m={row['m']}, k={row['k']}"
        yield _column_order_check(name, "lower bound <= optimum", row, "lower_bound", "optimum")
        prices = _prices(row)
        again = int(row["k"]) * prices[1]
        early = WASTE * prices[0] * latest_prefix(int(row["m"]), int(row["k"]), *prices)
        bound = "law <= optimum, k random accesses and 1/512 of the prefix"
        values = number(row, "law"), number(row, "optimum") + again + early
        yield _order_check(name, bound, *values)


def _column_order_check(name: str, bound: str, row: Row, low: str, high: str) -> BoundCheck:
    return _order_check(name, bound, number(row, low), number(row, high))


def _order_check(name: str, bound: str, low: float, high: float) -> BoundCheck:
    log_chance = 0.0 if low <= high * ROUNDING else -math.inf
    return BoundCheck(name, bound, low, high, high, log_chance, 0.0)
