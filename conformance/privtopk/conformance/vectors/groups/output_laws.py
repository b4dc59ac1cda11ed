"""Exact laws of what the mechanisms output, and how far neighbours drive them apart."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final, TypeVar

from privtopk.conformance.vectors.tables import Cases, Solution, vectors_of
from privtopk.conformance.vectors.vector import Group, Tolerance
from privtopk.spec.algorithms.exponential import exponential_law
from privtopk.spec.algorithms.limited_domain import limited_domain_law, stop_weight
from privtopk.spec.algorithms.permute_and_flip import acceptances, permute_and_flip_law
from privtopk.spec.laws.gumbel import ranked_law, set_law, weights
from privtopk.spec.laws.laplace import exact_laplace_set_law
from privtopk.spec.model.privacy import tight_delta, tight_ratio
from privtopk.spec.model.values import Histogram, Item

Output = TypeVar("Output", frozenset[Item], tuple[Item, ...])

OPERATIONS: Final = {
    "gumbel-set-law": (
        "Return the law of the set of the k largest sums of score and Gumbel noise of scale "
        "1/epsilon, where e^epsilon = `base`: each set in ascending order with its probability."
    ),
    "gumbel-ranked-law": "The same for the ranked list, best first.",
    "exponential-law": (
        "Return the law of one item, drawn with probability proportional to base^score."
    ),
    "laplace-set-law": (
        "Return the law of the set under Laplace noise of scale 1/epsilon, where e^epsilon = "
        "`base`. A probability is rational + log_coefficient ln(base); both coefficients are "
        "among the intermediates."
    ),
    "permute-and-flip-law": (
        "Return the law of the first item accepted in random order, item i being accepted with "
        "probability base^(score - largest score)."
    ),
    "limited-domain-law": (
        "Return the law of the ranked list of at most k items among the k_bar with the largest "
        "scores, ties to the smaller item, that ends at a stop token of weight "
        "base^(1 + score number k_bar + 1) min(k_bar, m - k_bar)/delta; none if k_bar = m."
    ),
    "tight-ratio": (
        "Return the smallest e^epsilon for which the set under Gumbel noise, of scale given by "
        "`base`, is epsilon-private for this pair of score lists."
    ),
    "tight-delta": "Return the smallest delta for this pair when e^epsilon is `ratio`.",
}

ROUNDED_ONCE: Final = Tolerance(
    2.0**-40,
    0.0,
    "The exact value, rounded once; in doubles the two parts cancel, and a law that keeps 40 "
    "bits has taken care of that.",
)


def rows_of(law: Mapping[Output, Any]) -> list[dict[str, Any]]:
    """Return a law as a list, in the order of its outputs."""
    rows = sorted((tuple(sorted(o)) if isinstance(o, frozenset) else o, p) for o, p in law.items())
    return [{"items": items, "probability": probability} for items, probability in rows]


def relative_weights(scores: Histogram, base: Fraction) -> dict[str, Any]:
    """Return the weights of the items, the largest one being 1."""
    return {"weights": acceptances(scores, base)}


def gumbel_set_law(scores: Histogram, k: int, base: Fraction) -> Solution:
    """Compute the law of a set under Gumbel noise."""
    return Solution(
        intermediates=relative_weights(scores, base),
        expected={"law": rows_of(set_law(weights(scores, base), k))},
        claims=GUMBEL,
    )


def gumbel_ranked_law(scores: Histogram, k: int, base: Fraction) -> Solution:
    """Compute the law of a ranked list under Gumbel noise."""
    return Solution(
        intermediates=relative_weights(scores, base),
        expected={"law": rows_of(ranked_law(weights(scores, base), k))},
        claims=GUMBEL,
    )


def laplace_set_law(scores: Histogram, k: int, base: Fraction) -> Solution:
    """Compute the law of a set under Laplace noise."""
    law = exact_laplace_set_law(scores, k, base)
    return Solution(
        intermediates={
            "exact": [
                {"items": sorted(o), "rational": p.rational, "log_coefficient": p.log_coefficient}
                for o, p in sorted(law.items(), key=lambda pair: sorted(pair[0]))
            ]
        },
        expected={"law": rows_of({o: float(p) for o, p in law.items()})},
        claims=("algo:one-shot", "def:noise"),
        tolerance=ROUNDED_ONCE,
    )


def law_of_exponential(scores: Histogram, base: Fraction) -> Solution:
    """Compute the law of the exponential mechanism."""
    law = exponential_law(scores, base)
    return Solution(
        intermediates=relative_weights(scores, base),
        expected={"law": rows_of({(item,): p for item, p in law.items()})},
        claims=("rel:report-noisy-max",),
    )


def law_of_permute_and_flip(scores: Histogram, base: Fraction) -> Solution:
    """Compute the law of permute-and-flip."""
    law = permute_and_flip_law(acceptances(scores, base))
    return Solution(
        intermediates=relative_weights(scores, base),
        expected={"law": rows_of({(item,): p for item, p in law.items()})},
        claims=("rel:permute-and-flip",),
    )


def law_of_limited_domain(
    scores: Histogram, k: int, k_bar: int, base: Fraction, delta: Fraction
) -> Solution:
    """Compute the law of the limited-domain mechanism."""
    return Solution(
        intermediates={"stop_weight": stop_weight(scores, k_bar, base, delta)},
        expected={"law": rows_of(limited_domain_law(scores, k, k_bar, base, delta))},
        claims=("rel:limited-domain",),
    )


def ratio_of_pair(scores: Histogram, other_scores: Histogram, k: int, base: Fraction) -> Solution:
    """Compute the tight e^epsilon of a pair of score lists."""
    p, q = (set_law(weights(histogram, base), k) for histogram in (scores, other_scores))
    return Solution(
        intermediates={"law": rows_of(p), "other_law": rows_of(q)},
        expected={"ratio": tight_ratio(p, q)},
    )


def delta_of_pair(
    scores: Histogram, other_scores: Histogram, k: int, base: Fraction, ratio: Fraction
) -> Solution:
    """Compute the tight delta of a pair of score lists for a given e^epsilon."""
    p, q = (set_law(weights(histogram, base), k) for histogram in (scores, other_scores))
    return Solution(
        intermediates={"law": rows_of(p), "other_law": rows_of(q)},
        expected={"delta": tight_delta(p, q, ratio)},
        claims=("def:differential-privacy", "ours:hockey-stick"),
    )


def group() -> Group:
    """Return all laws."""
    return Group(
        name="output-laws",
        task="Compute the law of a mechanism's output and compare every probability.",
        operations=OPERATIONS,
        vectors=(
            *vectors_of("gumbel-set-law", gumbel_set_law, GUMBEL_SETS),
            *vectors_of("gumbel-ranked-law", gumbel_ranked_law, GUMBEL_RANKINGS),
            *vectors_of("laplace-set-law", laplace_set_law, LAPLACE_SETS),
            *vectors_of("exponential-law", law_of_exponential, EXPONENTIAL),
            *vectors_of("permute-and-flip-law", law_of_permute_and_flip, PERMUTE_AND_FLIP),
            *vectors_of("limited-domain-law", law_of_limited_domain, LIMITED_DOMAINS),
            *vectors_of("tight-ratio", ratio_of_pair, RATIOS),
            *vectors_of("tight-delta", delta_of_pair, DELTAS),
        ),
    )


GUMBEL: Final = ("algo:one-shot", "rel:peeling", "rem:ranked-release")
PURE: Final = ("erratum:neighbour-relation", "fact:gumbel-pure", "ours:accounting-pure")
SWAPPED: Final = (*PURE, "erratum:exponential-mechanism")

TWO: Final = Fraction(2)
HALF: Final = Fraction(1, 2)

# fmt: off
GUMBEL_SETS: Final[Cases] = (
    ("id",                    "scores",           "k", "base", "hunts"),
    ("law-gumbel-two-items",  (1, 0),             1,   TWO,
     "Halving epsilon: weights e^(epsilon h/2), as for scores that may move both ways."),
    ("law-gumbel-pairs",      (3, 2, 1, 0),       2,   TWO,
     "Giving a set the product of its weights, which is wrong for k > 1."),
    ("law-gumbel-ties",       (1, 0, 1, 1),       2,   TWO,
     "Favouring one of several items of equal score."),
    ("law-gumbel-all",        (2, 5, 1),          3,   TWO,
     "Spreading probability though only one set exists."),
    ("law-gumbel-single",     (4,),               1,   TWO,
     "Failing for m = 1."),
    ("law-gumbel-overflow",   (2000, 1999, 1998), 2,   TWO,
     "Computing e^(epsilon h), which overflows once epsilon h exceeds 709."),
    ("law-gumbel-underflow",  (1100, 0),          1,   TWO,
     "Giving an item far below probability 0, so that no epsilon is private."),
    ("law-gumbel-other-base", (2, 1, 0),          2,   Fraction(11, 10),
     "Having the base 2 built in."),
)

GUMBEL_RANKINGS: Final[Cases] = (
    ("id",                    "scores",  "k", "base", "hunts"),
    ("law-gumbel-ranked",     (2, 1, 0), 2,   TWO,
     "Drawing with replacement, or from the weights of the whole domain at every step."),
    ("law-gumbel-ranked-all", (1, 0, 0), 3,   Fraction(3),
     "Taking the last of m items for certain to be the worst."),
)

LAPLACE_SETS: Final[Cases] = (
    ("id",                       "scores",     "k", "base", "hunts"),
    ("law-laplace-two-items",    (1, 0),       1,   TWO,
     "Using the Gumbel law, 2/3 and 1/3."),
    ("law-laplace-three-items",  (2, 1, 0),    1,   TWO,
     "Losing the logarithmic term."),
    ("law-laplace-pairs",        (2, 1, 1, 0), 2,   TWO,
     "Deriving the set from the best item alone."),
    ("law-laplace-equal-scores", (3, 3, 3),    1,   TWO,
     "Favouring one of several equal items."),
    ("law-laplace-all",          (1, 0),       2,   TWO,
     "Spreading probability though only one set exists."),
    ("law-laplace-far-apart",    (40, 39, 0),  1,   TWO,
     "Cancelling to 0, or below it, where one item is 40 scores behind."),
    ("law-laplace-other-base",   (3, 1, 0),    2,   Fraction(101, 100),
     "Losing digits for a small epsilon, where the two parts nearly cancel."),
)

EXPONENTIAL: Final[Cases] = (
    ("id",              "scores",  "base", "hunts"),
    ("law-exponential", (3, 0, 1), TWO,
     "Using epsilon/2, which is twice the noise that add/remove neighbours need."),
)

PERMUTE_AND_FLIP: Final[Cases] = (
    ("id",                        "scores",  "base", "hunts"),
    ("law-permute-and-flip",      (0, 1, 2), TWO,
     "Normalising the acceptance probabilities: that is the exponential mechanism."),
    ("law-permute-and-flip-pair", (0, 2),    TWO,
     "Accepting relative to the scores met so far instead of the largest one."),
)

LIMITED_DOMAINS: Final[Cases] = (
    ("id",                       "scores",     "k", "k_bar", "base", "delta", "hunts"),
    ("law-limited-domain",       (4, 3, 1, 0), 2,   2,       TWO,    HALF,
     "Leaving out the stop token, so that always k items are returned."),
    ("law-limited-domain-width", (4, 3, 3, 0), 1,   3,       TWO,    Fraction(1, 10),
     "Using k_bar for min(k_bar, m - k_bar) in the weight of the token."),
    ("law-limited-domain-whole", (2, 1, 0),    2,   3,       TWO,    HALF,
     "Having a stop token though k_bar = m."),
)

RATIOS: Final[Cases] = (
    ("id",                     "scores",     "other_scores", "k", "base", "claims", "hunts"),
    ("ratio-add-remove",       (1, 3),       (1, 4),         1,   TWO,    PURE,
     "Taking the loss of one item for e^epsilon though the others move as well."),
    ("ratio-swap",             (1, 3),       (0, 4),         1,   TWO,    SWAPPED,
     "Forgetting that swapped votes move scores both ways: 17/5 exceeds e^epsilon = 2."),
    ("ratio-l-infinity",       (1, 0, 0),    (0, 1, 1),      1,   TWO,    PURE,
     "Forgetting the relation: 5/2 exceeds e^epsilon = 2."),
    ("ratio-of-pairs",         (0, 0, 0, 0), (1, 1, 0, 0),   2,   TWO,    PURE,
     "Counting the budget once for k items: the ratio of a pair exceeds e^epsilon."),
    ("ratio-of-pairs-swapped", (1, 1, 3, 3), (0, 0, 4, 4),   2,   TWO,    PURE,
     "Counting k epsilon where neighbours may move both ways."),
)

DELTAS: Final[Cases] = (
    ("id",              "scores",     "other_scores", "k", "base", "ratio", "hunts"),
    ("delta-at-ratio",  (1, 1, 3, 3), (0, 0, 4, 4),   2,   TWO,    TWO,
     "Taking the largest excess of one output for delta instead of the sum over all."),
    ("delta-both-ways", (2, 0),       (1, 1),         1,   TWO,    Fraction(3, 2),
     "Comparing the pair in one direction only."),
    ("delta-zero",      (1, 0),       (1, 0),         1,   TWO,    TWO,
     "Returning a negative delta where the pair is private already."),
)
# fmt: on
