"""The law of k choices by permute-and-flip, each among the remaining items."""

from privtopk.spec.algorithms.permute_and_flip import permute_and_flip_law
from privtopk.spec.laws.gumbel import float_weights
from privtopk.spec.model.values import Histogram, Item, items_of


def ranked_flip_law(histogram: Histogram, k: int, rate: float) -> dict[tuple[Item, ...], float]:
    """Return the probabilities of all lists of k items, the first choice first."""
    law: dict[tuple[Item, ...], float] = {(): 1.0}
    for _ in range(k):
        law = {
            (*chosen, item): p * q
            for chosen, p in law.items()
            for item, q in next_choice(histogram, chosen, rate).items()
        }
    return law


def flip_set_law(histogram: Histogram, k: int, rate: float) -> dict[frozenset[Item], float]:
    """Return the probabilities of all sets of k items."""
    law: dict[frozenset[Item], float] = {}
    for chosen, p in ranked_flip_law(histogram, k, rate).items():
        law[frozenset(chosen)] = law.get(frozenset(chosen), 0.0) + p
    return law


def next_choice(histogram: Histogram, chosen: tuple[Item, ...], rate: float) -> dict[Item, float]:
    """Return the law of the next item, given the items chosen before."""
    left = [item for item in items_of(len(histogram)) if item not in chosen]
    weights = float_weights(tuple(histogram[item - 1] for item in left), rate)
    return {left[place - 1]: p for place, p in permute_and_flip_law(weights).items()}
