"""The exponential mechanism: one item, with probability proportional to e^(epsilon h[i]).

The loss of an item is ln of its probability under h divided by that under h'. It is epsilon
times the change of the item's own score, up to one constant for all items. Both laws sum to 1,
so losses have both signs unless all are 0, and none exceeds the range of epsilon (h - h'):

- add/remove: all scores move the same way by 0 or 1, so the range is epsilon;
- l-infinity: scores move by at most 1 either way, so the range is 2 epsilon; losses come
  arbitrarily close to it.

Paper:    cor:exponential-mechanism, rel:report-noisy-max.
Deviates: erratum:exponential-mechanism (epsilon under add/remove, 2 epsilon under
          l-infinity).
"""

from collections.abc import Sequence
from fractions import Fraction

from privtopk.spec.laws.gumbel import float_weights, total, weights
from privtopk.spec.model.tape import Tape
from privtopk.spec.model.values import Histogram, Item, Number, items_of


def exponential_law(histogram: Histogram, base: Fraction) -> dict[Item, Fraction]:
    """Return the exact law of the mechanism for a rational base = e^epsilon.

    Deviates: erratum:exponential-mechanism.
    """
    exact = weights(histogram, base)
    everything = total(exact)
    return {
        item: weight / everything for item, weight in zip(items_of(len(exact)), exact, strict=True)
    }


def exponential_mechanism(histogram: Histogram, epsilon: Number, tape: Tape) -> Item:
    """Return one item, drawn by one choice of the tape."""
    return weighted_item(float_weights(histogram, epsilon), tape)


def weighted_item(item_weights: Sequence[Number], tape: Tape) -> Item:
    """Return item i with probability proportional to the i-th weight."""
    return Item(tape.choose(item_weights) + 1)
