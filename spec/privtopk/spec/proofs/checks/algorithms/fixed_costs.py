"""Checks of Theorem F: fixed accesses return the one-shot list at a cost that says nothing."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations, product
from math import factorial

from privtopk.spec.algorithms.fixed_accesses import chance_to_read_everything, fixed_accesses
from privtopk.spec.algorithms.one_shot import select_with
from privtopk.spec.model.access import StoredList
from privtopk.spec.proofs.gate.registry import Method, expect, supports

LARGEST = 4


def _cases(m: int) -> Iterator[tuple[tuple[int, ...], int, int]]:
    """Yield score vectors of 0, 1 and 2 with every k and t."""
    yield from product(product(range(3), repeat=m), range(1, m + 1), range(m + 1))


@supports("ours:fixed-accesses", method=Method.ENUMERATION, is_slow=True)
def fixed_accesses_return_the_one_shot_list() -> str:
    """With every order of the noise, t accesses per door return the ranked list of Algorithm 2.

    They cost 2t, or t + m if fewer than k items were met twice. How many orders of the noise lead
    to the second case does not depend on the scores.
    """
    runs = 0
    for m in range(1, LARGEST + 1):
        for scores, k, t in _cases(m):
            complete = 0
            for order in permutations(range(m)):
                noises = [Fraction(rank * rank, 7) for rank in order]  # no two sums are equal
                source = StoredList(scores)
                run = fixed_accesses(source, StoredList(noises), k, t)
                runs += 1
                expect(
                    run.items == select_with(scores, noises, k),
                    f"scores {scores}, noises {noises}, k={k}, t={t}: got {run.items}",
                )
                cost = 2 * t if run.is_enough else t + m
                expect(
                    source.ledger.cost == cost, f"m={m}, k={k}, t={t}: cost {source.ledger.cost}"
                )
                complete += not run.is_enough
            expect(
                complete == chance_to_read_everything(m, k, t) * factorial(m),
                f"scores {scores}, k={k}, t={t}: {complete} orders read everything",
            )
    return f"m <= {LARGEST}: {runs:,} runs"
