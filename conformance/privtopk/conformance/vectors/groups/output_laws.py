"""Exact laws of what the mechanisms output, and how far neighbours drive them apart."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final, TypeVar

from privtopk.conformance.vectors.vector import EXACT, Group, Tolerance, Vector
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

LAPLACE: Final = Tolerance(
    2.0**-40,
    0.0,
    "The exact value, rounded once; in doubles the two parts cancel, and a law that keeps 40 "
    "bits has taken care of that.",
)

TWO: Final = Fraction(2)


def listed(law: Mapping[Output, Any]) -> list[dict[str, Any]]:
    """Return a law as a list, in the order of its outputs."""
    rows = sorted((tuple(sorted(o)) if isinstance(o, frozenset) else o, p) for o, p in law.items())
    return [{"items": items, "probability": probability} for items, probability in rows]


def relative_weights(scores: Histogram, base: Fraction) -> dict[str, Any]:
    """Return the weights of the items, the largest one being 1."""
    return {"weights": acceptances(scores, base)}


def gumbel(
    identity: str,
    hunts: str,
    scores: Histogram,
    k: int,
    base: Fraction = TWO,
    *,
    is_ranked: bool = False,
) -> Vector:
    """Return the vector of a law under Gumbel noise."""
    exact = weights(scores, base)
    return Vector(
        id=identity,
        operation="gumbel-ranked-law" if is_ranked else "gumbel-set-law",
        hunts=hunts,
        claims=("algo:one-shot", "rel:peeling", "rem:ranked-release"),
        input={"scores": scores, "k": k, "base": base},
        intermediates=relative_weights(scores, base),
        expected={"law": listed(ranked_law(exact, k)) if is_ranked else listed(set_law(exact, k))},
        tolerance=EXACT,
    )


def laplace(identity: str, hunts: str, scores: Histogram, k: int, base: Fraction = TWO) -> Vector:
    """Return the vector of a law under Laplace noise."""
    law = exact_laplace_set_law(scores, k, base)
    return Vector(
        id=identity,
        operation="laplace-set-law",
        hunts=hunts,
        claims=("algo:one-shot", "def:noise"),
        input={"scores": scores, "k": k, "base": base},
        intermediates={
            "exact": [
                {"items": sorted(o), "rational": p.rational, "log_coefficient": p.log_coefficient}
                for o, p in sorted(law.items(), key=lambda pair: sorted(pair[0]))
            ]
        },
        expected={"law": listed({o: float(p) for o, p in law.items()})},
        tolerance=LAPLACE,
    )


def one_item(identity: str, hunts: str, operation: str, scores: Histogram) -> Vector:
    """Return the vector of the law of a mechanism that selects one item, with base 2."""
    is_exponential = operation == "exponential-law"
    law = (
        exponential_law(scores, TWO)
        if is_exponential
        else permute_and_flip_law(acceptances(scores, TWO))
    )
    return Vector(
        id=identity,
        operation=operation,
        hunts=hunts,
        claims=("rel:report-noisy-max" if is_exponential else "rel:permute-and-flip",),
        input={"scores": scores, "base": TWO},
        intermediates=relative_weights(scores, TWO),
        expected={"law": listed({(item,): p for item, p in law.items()})},
        tolerance=EXACT,
    )


def limited(
    identity: str, hunts: str, scores: Histogram, sizes: tuple[int, int], delta: Fraction
) -> Vector:
    """Return the vector of a law of the limited-domain mechanism; sizes are k and k_bar."""
    k, k_bar = sizes
    return Vector(
        id=identity,
        operation="limited-domain-law",
        hunts=hunts,
        claims=("rel:limited-domain",),
        input={"scores": scores, "k": k, "k_bar": k_bar, "base": TWO, "delta": delta},
        intermediates={"stop_weight": stop_weight(scores, k_bar, TWO, delta)},
        expected={"law": listed(limited_domain_law(scores, k, k_bar, TWO, delta))},
        tolerance=EXACT,
    )


def pair(
    identity: str,
    hunts: str,
    claims: tuple[str, ...],
    histograms: tuple[Histogram, Histogram],
    k: int,
    ratio: Fraction | None = None,
) -> Vector:
    """Return the vector of a pair of neighbours: its ratio, or its delta for a given ratio."""
    p, q = (set_law(weights(scores, TWO), k) for scores in histograms)
    given = {"scores": histograms[0], "other_scores": histograms[1], "k": k, "base": TWO}
    return Vector(
        id=identity,
        operation="tight-ratio" if ratio is None else "tight-delta",
        hunts=hunts,
        claims=claims,
        input=given if ratio is None else {**given, "ratio": ratio},
        intermediates={"law": listed(p), "other_law": listed(q)},
        expected=(
            {"ratio": tight_ratio(p, q)} if ratio is None else {"delta": tight_delta(p, q, ratio)}
        ),
        tolerance=EXACT,
    )


def group() -> Group:
    """Return all laws."""
    return Group(
        name="output-laws",
        task="Compute the law of a mechanism's output and compare every probability.",
        operations=OPERATIONS,
        vectors=(*_gumbel(), *_laplace(), *_relatives(), *_pairs()),
    )


def _gumbel() -> tuple[Vector, ...]:
    return (
        gumbel(
            "law-gumbel-two-items",
            "Halving epsilon: weights e^(epsilon h/2), as for scores that may move both ways.",
            (1, 0),
            1,
        ),
        gumbel(
            "law-gumbel-pairs",
            "Giving a set the product of its weights, which is wrong for k > 1.",
            (3, 2, 1, 0),
            2,
        ),
        gumbel(
            "law-gumbel-ties", "Favouring one of several items of equal score.", (1, 0, 1, 1), 2
        ),
        gumbel("law-gumbel-all", "Spreading probability though only one set exists.", (2, 5, 1), 3),
        gumbel("law-gumbel-single", "Failing for m = 1.", (4,), 1),
        gumbel(
            "law-gumbel-overflow",
            "Computing e^(epsilon h), which overflows once epsilon h exceeds 709.",
            (2000, 1999, 1998),
            2,
        ),
        gumbel(
            "law-gumbel-underflow",
            "Giving an item far below probability 0, so that no epsilon is private.",
            (1100, 0),
            1,
        ),
        gumbel(
            "law-gumbel-other-base",
            "Having the base 2 built in.",
            (2, 1, 0),
            2,
            Fraction(11, 10),
        ),
        gumbel(
            "law-gumbel-ranked",
            "Drawing with replacement, or from the weights of the whole domain at every step.",
            (2, 1, 0),
            2,
            is_ranked=True,
        ),
        gumbel(
            "law-gumbel-ranked-all",
            "Taking the last of m items for certain to be the worst.",
            (1, 0, 0),
            3,
            Fraction(3),
            is_ranked=True,
        ),
    )


def _laplace() -> tuple[Vector, ...]:
    return (
        laplace("law-laplace-two-items", "Using the Gumbel law, 2/3 and 1/3.", (1, 0), 1),
        laplace("law-laplace-three-items", "Losing the logarithmic term.", (2, 1, 0), 1),
        laplace("law-laplace-pairs", "Deriving the set from the best item alone.", (2, 1, 1, 0), 2),
        laplace("law-laplace-equal-scores", "Favouring one of several equal items.", (3, 3, 3), 1),
        laplace("law-laplace-all", "Spreading probability though only one set exists.", (1, 0), 2),
        laplace(
            "law-laplace-far-apart",
            "Cancelling to 0, or below it, where one item is 40 scores behind.",
            (40, 39, 0),
            1,
        ),
        laplace(
            "law-laplace-other-base",
            "Losing digits for a small epsilon, where the two parts nearly cancel.",
            (3, 1, 0),
            2,
            Fraction(101, 100),
        ),
    )


def _relatives() -> tuple[Vector, ...]:
    half = Fraction(1, 2)
    return (
        one_item(
            "law-exponential",
            "Using epsilon/2, which is twice the noise that add/remove neighbours need.",
            "exponential-law",
            (3, 0, 1),
        ),
        one_item(
            "law-permute-and-flip",
            "Normalising the acceptance probabilities: that is the exponential mechanism.",
            "permute-and-flip-law",
            (0, 1, 2),
        ),
        one_item(
            "law-permute-and-flip-pair",
            "Accepting relative to the scores met so far instead of the largest one.",
            "permute-and-flip-law",
            (0, 2),
        ),
        limited(
            "law-limited-domain",
            "Leaving out the stop token, so that always k items are returned.",
            (4, 3, 1, 0),
            (2, 2),
            half,
        ),
        limited(
            "law-limited-domain-width",
            "Using k_bar for min(k_bar, m - k_bar) in the weight of the token.",
            (4, 3, 3, 0),
            (1, 3),
            Fraction(1, 10),
        ),
        limited(
            "law-limited-domain-whole",
            "Having a stop token though k_bar = m.",
            (2, 1, 0),
            (2, 3),
            half,
        ),
    )


def _pairs() -> tuple[Vector, ...]:
    claims = ("erratum:neighbour-relation", "fact:gumbel-pure", "ours:accounting-pure")
    definition = ("def:differential-privacy", "ours:hockey-stick")
    return (
        pair(
            "ratio-add-remove",
            "Taking the loss of one item for e^epsilon though the others move as well.",
            claims,
            ((1, 3), (1, 4)),
            1,
        ),
        pair(
            "ratio-swap",
            "Forgetting that swapped votes move scores both ways: 17/5 exceeds e^epsilon = 2.",
            (*claims, "erratum:exponential-mechanism"),
            ((1, 3), (0, 4)),
            1,
        ),
        pair(
            "ratio-l-infinity",
            "Forgetting the relation: 5/2 exceeds e^epsilon = 2.",
            claims,
            ((1, 0, 0), (0, 1, 1)),
            1,
        ),
        pair(
            "ratio-of-pairs",
            "Counting the budget once for k items: the ratio of a pair exceeds e^epsilon.",
            claims,
            ((0, 0, 0, 0), (1, 1, 0, 0)),
            2,
        ),
        pair(
            "ratio-of-pairs-swapped",
            "Counting k epsilon where neighbours may move both ways.",
            claims,
            ((1, 1, 3, 3), (0, 0, 4, 4)),
            2,
        ),
        pair(
            "delta-at-ratio",
            "Taking the largest excess of one output for delta instead of the sum over all.",
            definition,
            ((1, 1, 3, 3), (0, 0, 4, 4)),
            2,
            TWO,
        ),
        pair(
            "delta-both-ways",
            "Comparing the pair in one direction only.",
            definition,
            ((2, 0), (1, 1)),
            1,
            Fraction(3, 2),
        ),
        pair(
            "delta-zero",
            "Returning a negative delta where the pair is private already.",
            definition,
            ((1, 0), (1, 0)),
            1,
            TWO,
        ),
    )
