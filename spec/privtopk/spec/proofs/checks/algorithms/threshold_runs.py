"""Checks of Algorithm 1 on several lists: what it returns, when it stops, what it refuses."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import product

import z3

from privtopk.spec.algorithms.threshold import (
    Aggregation,
    Reading,
    keep_best,
    threshold_algorithm,
    total,
)
from privtopk.spec.model.access import Entry, StoredList
from privtopk.spec.model.accuracy import is_top_set
from privtopk.spec.model.errors import Reason
from privtopk.spec.model.values import Number
from privtopk.spec.proofs.gate.registry import Method, expect, refutes, supports
from privtopk.spec.proofs.instruments.refusals import expect_refused
from privtopk.spec.proofs.instruments.solver import decide

Lists = tuple[tuple[int, ...], ...]

AGGREGATIONS: dict[str, Aggregation] = {
    "sum": total,
    "min": min,
    "max": max,
    "lead": lambda attributes: 3 * attributes[0] + min(attributes),
}
"""Monotone functions: strict and not strict, symmetric and not symmetric."""


def _inputs() -> Iterator[Lists]:
    """Yield one and two lists of four values, and two and three lists of three."""
    for t, m, largest in ((1, 4, 2), (2, 3, 2), (3, 3, 1), (2, 4, 1)):
        rows = list(product(range(largest + 1), repeat=m))
        yield from product(rows, repeat=t)


def _aggregate_scores(lists: Lists, aggregate: Aggregation) -> tuple[Number, ...]:
    return tuple(aggregate(attributes) for attributes in zip(*lists, strict=True))


@supports(
    "algo:threshold-algorithm",
    "erratum:threshold-edge-cases",
    method=Method.ENUMERATION,
    is_slow=True,
)
def threshold_algorithm_returns_a_top_set() -> str:
    """For every 1 <= k <= m a run ends within m rounds with k items that no other one exceeds."""
    cases = 0
    for lists in _inputs():
        for name, aggregate in AGGREGATIONS.items():
            scores = _aggregate_scores(lists, aggregate)
            for k in range(1, len(scores) + 1):
                cases += 1
                sources = [StoredList(values) for values in lists]
                run = threshold_algorithm(sources, k, aggregate)
                expect(is_top_set(scores, run.items, k), f"{lists} {name} k={k}: {run.items}")
                expect(run.rounds <= len(scores), f"{lists} {name} k={k}: {run.rounds} rounds")
                unseen = _unseen_scores(sources, scores)
                expect(all(score <= run.threshold for score in unseen), f"{lists} {name} k={k}")
    return f"t <= 3 lists, {len(AGGREGATIONS)} aggregations: {cases:,} runs"


def _unseen_scores(sources: Sequence[StoredList], scores: Sequence[Number]) -> list[Number]:
    """Return the scores of the items that no list has delivered."""
    seen = {item for source in sources for _, item in source.ledger.accesses}
    return [score for item, score in enumerate(scores, start=1) if item not in seen]


@supports("algo:threshold-algorithm", method=Method.ENUMERATION)
def memory_changes_nothing_but_the_cost() -> str:
    """All three ways of reading give the same run, and the one with memory costs least."""
    cases = 0
    for lists in product(product(range(3), repeat=3), repeat=2):
        for k in (1, 2, 3):
            cases += 1
            costs, runs = [], set()
            for reading in (Reading.LITERAL, Reading.SKIP_DELIVERED, Reading.MEMOISED):
                sources = [StoredList(values) for values in lists]
                runs.add(threshold_algorithm(sources, k, total, reading))
                costs.append(sum(source.ledger.cost for source in sources))
            expect(len(runs) == 1, f"{lists} k={k}: {runs}")
            expect(costs[0] > costs[1] >= costs[2], f"{lists} k={k}: {costs}")
    return f"m = 3, two lists: {cases:,} runs, three ways each"


ROUNDS, KEPT, RANKS = z3.Int("rounds"), z3.Real("kept"), z3.Ints("r0 r1 r2")


def _overtakes(
    lists: Sequence[Callable[[z3.ExprRef], z3.ExprRef]], f: Callable[..., z3.ExprRef]
) -> list[z3.BoolRef]:
    """Return constraints: k items reach the threshold, and an item at RANKS exceeds them all."""
    threshold = f(*(values(ROUNDS) for values in lists))
    score = f(*(values(rank) for values, rank in zip(lists, RANKS, strict=True)))
    return [threshold <= KEPT, score > KEPT]


@supports("algo:threshold-algorithm", method=Method.Z3)
def stop_rule_is_sound_for_every_m() -> str:
    """When k items reach the threshold no unseen item exceeds them, for any m and monotone f.

    `threshold_algorithm_returns_a_top_set` connects this model to the code.
    """
    lists = [z3.Function(f"list{j}", z3.IntSort(), z3.RealSort()) for j in range(3)]
    f = z3.Function("f", *[z3.RealSort()] * 4)
    a, b, xs, ys = z3.Int("a"), z3.Int("b"), z3.Reals("x0 x1 x2"), z3.Reals("y0 y1 y2")
    falls = [z3.ForAll([a, b], z3.Implies(a <= b, values(a) >= values(b))) for values in lists]
    is_below = z3.And(*(x <= y for x, y in zip(xs, ys, strict=True)))
    is_monotone = z3.ForAll([*xs, *ys], z3.Implies(is_below, f(*xs) <= f(*ys)))
    unseen = [rank > ROUNDS for rank in RANKS]
    found = decide(*falls, is_monotone, *unseen, *_overtakes(lists, f))
    expect(found == z3.unsat, f"an unseen item may exceed the items kept: {found}")
    # Controls on the lists 0, -1, -2, ...: an item seen before, and an f that is not monotone.
    line = [lambda rank: -z3.ToReal(rank)] * 3
    seen = [RANKS[0] <= ROUNDS, *unseen[1:]]
    expect(decide(*seen, *_overtakes(line, lambda *x: sum(x))) == z3.sat, "a seen item")
    expect(decide(*unseen, *_overtakes(line, lambda *x: -sum(x))) == z3.sat, "a falling f")
    return "three lists of any length, any monotone f; two controls have counterexamples"


@refutes("erratum:threshold-arity", method=Method.ENUMERATION)
def threshold_of_m_values_is_undefined() -> str:
    """f(y_1, ..., y_m) is undefined for t = 2 lists of m = 3 items: f takes two arguments."""
    lists = ((2, 1, 0), (0, 1, 2))

    def strict_sum(attributes: tuple[Number, ...]) -> Number:
        first, second = attributes
        return first + second

    lowest = tuple(min(values) for values in lists)
    expect(strict_sum(lowest) == 0, "f is not defined on t values")
    printed = (*lowest, 0)
    expect(len(printed) == 3, "m is not 3")
    try:
        strict_sum(printed)
    except ValueError:
        return "t = 2, m = 3: f refuses three values"
    expect(False, "f accepted three values")
    return ""


@supports("erratum:threshold-arity", method=Method.ENUMERATION)
def threshold_takes_one_value_a_list() -> str:
    """The algorithm calls the aggregation with t values, for every m."""
    for t, m in product((1, 2, 3), (1, 2, 4, 5)):
        arities: set[int] = set()

        def sum_and_record(attributes: tuple[Number, ...], seen: set[int] = arities) -> Number:
            seen.add(len(attributes))
            return sum(attributes)

        threshold_algorithm([StoredList(range(m)) for _ in range(t)], 1, sum_and_record)
        expect(arities == {t}, f"t={t}, m={m}: called with {arities} values")
    return "t <= 3, m <= 5"


def _printed_rounds(lists: Lists, k: int) -> int:
    """Run Algorithm 1 as printed, which does not look at k, and return its rounds."""
    sources = [StoredList(values) for values in lists]
    best: tuple[Entry, ...] = ()
    rounds = 0
    while True:
        rounds += 1
        delivered = [source.sorted_access() for source in sources]
        for entry in delivered:
            score = sum(values[entry.item - 1] for values in lists)
            best = keep_best(best, Entry(entry.item, score), k)
        threshold = sum(entry.value for entry in delivered)
        if sum(entry.value >= threshold for entry in best) >= k:
            return rounds


@refutes("erratum:threshold-edge-cases", method=Method.ENUMERATION)
def more_items_than_exist_exhaust_the_lists() -> str:
    """As printed, k = m + 1 exhausts the lists before the stopping rule holds."""
    cases = 0
    for lists in product(product(range(3), repeat=3), repeat=2):
        cases += 1
        expect(_printed_rounds(lists, 3) <= 3, f"{lists}: the control k = m did not stop")
        expect(_printed_rounds(lists, 0) == 1, f"{lists}: k = 0 should cost a round")
        expect_refused(partial(_printed_rounds, lists, 4), Reason.LIST_EXHAUSTED, f"{lists}")
    return f"m = 3: all {cases} inputs run past the end for k = 4"


@supports("erratum:threshold-edge-cases", method=Method.ENUMERATION)
def impossible_k_is_refused() -> str:
    """The algorithm refuses k = 0 and k = m + 1 before it reads anything."""
    for m, k in ((1, 0), (1, 2), (3, 0), (3, 4)):
        source = StoredList(range(m))
        call = partial(threshold_algorithm, [source], k)
        expect_refused(call, Reason.K_OUT_OF_RANGE, f"m={m}, k={k}")
        expect(source.ledger.cost == 0, f"m={m}, k={k}: something was read")
    return "k = 0 and k = m + 1 for m = 1, 3"
