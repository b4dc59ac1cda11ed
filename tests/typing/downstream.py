"""A user's program: every call has the type that its author relies on."""

from fractions import Fraction
from typing import assert_type

from privtopk.spec import (
    CLAIMS,
    BatchedRun,
    Claim,
    CostModel,
    Door,
    DualAccess,
    Entry,
    Gumbel,
    Item,
    Laplace,
    LazyNoise,
    LazyPermutation,
    Ledger,
    NaiveIndex,
    Noise,
    NoiseField,
    NoiseKind,
    Number,
    OnlineOracle,
    Position,
    PredecessorIndex,
    RankFreeOracle,
    Reason,
    Relation,
    SelectionError,
    ServedNoise,
    StoppingRule,
    StoredList,
    Tape,
    ThresholdRun,
    UniformTape,
    adaptive_prefix,
    charged_cost,
    claim_of,
    error_of,
    every_outcome,
    fixed_prefix,
    histogram_from_rows,
    is_accurate,
    is_neighbour,
    is_private,
    multi_stage,
    noise_list,
    noise_of,
    one_shot_ranked,
    one_shot_set,
    private_threshold,
    seeded_tape,
    set_law,
    tape_of,
    tight_ratio,
    top_items,
    two_phase,
    weights,
)


def select() -> frozenset[Item]:
    """Select two of four items by every algorithm."""
    histogram = histogram_from_rows([("ann", 1), ("bob", 1), ("bob", 3)], 4)
    assert_type(histogram, tuple[int, ...])
    tape = seeded_tape(1)
    assert_type(tape, UniformTape)
    noise = noise_of(NoiseKind.GUMBEL, Fraction(1, 2))
    assert_type(noise, Gumbel | Laplace)
    assert_type(one_shot_set(histogram, 2, noise, tape), frozenset[Item])
    assert_type(one_shot_ranked(histogram, 2, Gumbel(1), tape), tuple[Item, ...])
    scores = StoredList(histogram)
    run = private_threshold(scores, noise_list(noise, 4, tape), 2)
    assert_type(run, ThresholdRun)
    assert_type(run.selected, tuple[Entry, ...])
    assert_type(scores.ledger, Ledger)
    assert_type(scores.ledger.count(Door.SORTED), int)
    assert_type(charged_cost(scores.ledger, CostModel.DISTINCT), int)
    rule = adaptive_prefix(4, 2, 3, 1, Fraction(1, 2))
    assert_type(rule, StoppingRule)
    assert_type(two_phase(StoredList(histogram), LazyNoise(4, noise, tape), 2, rule), BatchedRun)
    assert_type(
        multi_stage(StoredList(histogram), ServedNoise((1, 0.5, 0, 0), noise), 2, noise, 4).items,
        frozenset[Item],
    )
    return run.items


def structures(tape: Tape) -> tuple[DualAccess, DualAccess, NoiseField, PredecessorIndex, Noise]:
    """Return objects that satisfy the protocols."""
    index = NaiveIndex()
    assert_type(index.predecessor(3), int | None)
    order = LazyPermutation(4, tape)
    assert_type(order.item_at(Position(1)), Item)
    assert_type(order.position_of(Item(1)), Position)
    noise = Laplace(2)
    assert_type(noise.quantile(0.5), float)
    online, free = OnlineOracle(4, noise, tape, index), RankFreeOracle(4, noise, tape)
    assert_type(online.sorted_access(), Entry)
    assert_type(online.random_access(Item(2)), float)
    assert_type(StoredList((1, 2)).random_access(Item(2)), Number)
    return online, free, LazyNoise(4, noise, tape), index, noise


def judge() -> bool:
    """Decide privacy and accuracy of small laws."""
    first, second = (
        set_law(weights((1, 0), Fraction(2)), 1),
        set_law(weights((0, 0), Fraction(2)), 1),
    )
    assert_type(first, dict[frozenset[Item], Fraction])
    assert_type(tight_ratio(first, second), Fraction | None)
    assert_type(is_neighbour((1, 0), (0, 0), Relation.ADD_REMOVE), bool)
    assert_type(every_outcome(lambda tape: tape.below(2)), dict[int, Fraction])
    best = top_items((3, 1, 2), 2)
    assert_type(best, tuple[Item, ...])
    assert_type(error_of((3, 1, 2), best, 2), int)
    return is_private(first, second, Fraction(2)) and is_accurate((3, 1, 2), best, 0, 2)


def refuse() -> Reason:
    """Return the reason of a refusal."""
    try:
        one_shot_set((1, 2), 3, Gumbel(1), tape_of())
    except SelectionError as error:
        assert_type(error.reason, Reason)
        return error.reason
    return Reason.WRONG_TYPE


def claims() -> Claim:
    """Return the first claim, found by its key."""
    assert_type(CLAIMS, tuple[Claim, ...])
    return claim_of(CLAIMS[0].key)


if __name__ == "__main__":
    assert len(select()) == 2
    assert len(structures(seeded_tape(2))) == 5
    assert judge()
    assert refuse() is Reason.K_OUT_OF_RANGE
    assert claims() == CLAIMS[0]
    assert fixed_prefix(1) is not None
