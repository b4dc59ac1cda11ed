"""The exponential mechanism: one item, with probability proportional to e^(epsilon h[i]).

The loss of an item, ln of its probability under h over that under h', is epsilon times the
change of its own score, up to one constant for all items. Both laws sum to 1, so the loss
takes both signs unless it is 0 throughout, and none exceeds the range of epsilon (h - h'):

- add/remove: the scores move by 0 or 1 the same way, the range is epsilon;
- l-infinity: they move by 1 either way, the range is 2 epsilon, and that is approached.

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
    """Return the exact law of the mechanism for a rational base = e^epsilon."""
    exact = weights(histogram, base)
    everything = total(exact)
    return {
        item: weight / everything for item, weight in zip(items_of(len(exact)), exact, strict=True)
    }


def exponential_mechanism(histogram: Histogram, epsilon: Number, tape: Tape) -> Item:
    """Return one item, drawn by one choice of the tape."""
    return weighted_item(float_weights(histogram, epsilon), tape)


def weighted_item(item_weights: Sequence[Number], tape: Tape) -> Item:
    """Return item i with probability proportional to its weight, the i-th one."""
    return Item(tape.choose(item_weights) + 1)
