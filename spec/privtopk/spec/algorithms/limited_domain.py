"""Limited domain: only the true top k-bar items enter, and a stop token hides their border.

The domain may be unknown or huge, so Durfee and Rogers rank the k-bar best items by their
scores with Gumbel noise, together with a token whose score lies above that of item k-bar + 1
by 1 + ln(min(k-bar, m - k-bar) / delta) / epsilon. The items that rank above the token are
returned: at most k, possibly none. With k-bar = m there is no border and no token, and this is
the one-shot mechanism.

Under add/remove it is (k epsilon, delta)-private. Let D and D' be the items that enter for
the two neighbours and c = min(k-bar, m - k-bar).

- Outputs with an item outside D' have probability at most delta. Such an item was overtaken
  by one outside D, so it scores at most 1 above the best one outside D and its weight is at
  most delta / c times that of the token; there are at most c of them.
- For every other output each of the at most k steps has a ratio within e^(+-epsilon). All
  weights, that of the token too, grow by factors from 1 to e^epsilon, and so does the
  weight that remains, since it is the largest total of that number of remaining items.

The threshold is the one of the public implementations of that paper, for one client who
may change any number of scores; the paper itself is cited, not reproduced.

Paper: rel:limited-domain, algo:one-shot.
"""

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction

from privtopk.spec.algorithms.one_shot import noisy_scores
from privtopk.spec.laws.gumbel import Weight, append_item, total
from privtopk.spec.model.accuracy import kth_largest, top_items
from privtopk.spec.model.parameters import (
    require_base,
    require_between,
    require_epsilon,
    require_histogram,
    require_k,
    require_probability,
)
from privtopk.spec.model.tape import Tape
from privtopk.spec.model.values import Histogram, Item, Number, score_of
from privtopk.spec.noise.distributions import Gumbel, sample


def border_width(m: int, k_bar: int) -> int:
    """Return min(k-bar, m - k-bar): one client moves at most that many items over the border."""
    return min(require_between("k_bar", k_bar, 1, m), m - k_bar)


def stop_threshold(histogram: Histogram, k_bar: int, epsilon: Number, delta: Number) -> float:
    """Return the score of the stop token, minus infinity if k-bar = m."""
    scores = require_histogram(histogram)
    width = border_width(len(scores), k_bar)
    scale, slack = require_epsilon(epsilon), require_probability("delta", delta)
    if width == 0:
        return -math.inf
    border = kth_largest(scores, k_bar + 1)
    return float(border + 1 + (math.log(width) - math.log(slack)) / scale)


def stop_weight(histogram: Histogram, k_bar: int, base: Fraction, delta: Fraction) -> Fraction:
    """Return base^threshold, which is rational for a rational base = e^epsilon and delta."""
    scores = require_histogram(histogram)
    width = border_width(len(scores), k_bar)
    rational, slack = require_base(base), Fraction(require_probability("delta", delta))
    if width == 0:
        return Fraction(0)
    border = sorted(scores, reverse=True)[k_bar]
    return rational ** (border + 1) * width / slack


def limited_domain(
    histogram: Histogram,
    k: int,
    k_bar: int,
    threshold: Number,
    noise_values: Sequence[Number],
    stop_noise: Number,
) -> tuple[Item, ...]:
    """Return the ranked items above the noisy token, at most k, for given noise.

    Takes one noise value per item; those of items that do not enter are not used.

    Paper: rel:limited-domain.
    """
    scores = require_histogram(histogram)
    require_between("k_bar", k_bar, require_k(k, len(scores)), len(scores))
    noisy = noisy_scores(scores, noise_values)
    entering = top_items(scores, k_bar)
    ranked = sorted(entering, key=lambda item: (-noisy[item - 1], item))
    return tuple(item for item in ranked[:k] if noisy[item - 1] > threshold + stop_noise)


def limited_domain_mechanism(
    histogram: Histogram, k: int, k_bar: int, epsilon: Number, delta: Number, tape: Tape
) -> tuple[Item, ...]:
    """Return the selection with Gumbel(1/epsilon) noise: item 1, ..., item m, then the token."""
    threshold = stop_threshold(histogram, k_bar, epsilon, delta)
    noise = Gumbel(epsilon)
    noise_values = [sample(noise, tape) for _ in histogram]
    return limited_domain(histogram, k, k_bar, threshold, noise_values, sample(noise, tape))


def limited_domain_law(
    histogram: Histogram, k: int, k_bar: int, base: Fraction, delta: Fraction
) -> dict[tuple[Item, ...], Fraction]:
    """Return the exact law of the selection, for rational base = e^epsilon and delta."""
    scores = require_histogram(histogram)
    require_between("k_bar", k_bar, require_k(k, len(scores)), len(scores))
    rational = require_base(base)
    entering = {item: rational ** score_of(scores, item) for item in top_items(scores, k_bar)}
    return stopped_law(entering, stop_weight(scores, k_bar, rational, delta), k)


def stopped_law(
    entering: Mapping[Item, Weight], stop: Weight, k: int
) -> dict[tuple[Item, ...], Weight]:
    """Return the law of a Plackett-Luce ranking that ends at the token, or after k items."""
    law: dict[tuple[Item, ...], Weight] = {}
    unfinished = {tuple[Item, ...](): next(iter(entering.values())) * 0 + 1}
    for _ in range(require_k(k, len(entering))):
        longer: dict[tuple[Item, ...], Weight] = {}
        for ranking, probability in unfinished.items():
            rest = [item for item in entering if item not in ranking]
            remaining = total([stop] + [entering[item] for item in rest])
            if stop > 0:
                law[ranking] = probability * stop / remaining
            for item in rest:
                longer[append_item(ranking, item)] = probability * entering[item] / remaining
        unfinished = longer
    return law | unfinished


def draw_until_stop(
    entering: Mapping[Item, Number], stop: Number, k: int, tape: Tape
) -> tuple[Item, ...]:
    """Return such a ranking, drawn item by item; the token is the last choice of each draw."""
    remaining = dict(entering)
    drawn: tuple[Item, ...] = ()
    for _ in range(require_k(k, len(entering))):
        index = tape.choose([*remaining.values(), stop])
        if index == len(remaining):
            break
        drawn = (*drawn, list(remaining)[index])
        del remaining[drawn[-1]]
    return drawn
