"""Our own theorems: they replace broken proofs of the paper, or go beyond it."""

from typing import Final

from privtopk.spec.claims.claim import Claim, Origin, Status


def _ours(key: str, number: str, statement: str) -> Claim:
    return Claim(key, number, Origin.OURS, Status.HOLDS, statement)


def _bounds_below(key: str, number: str, statement: str) -> Claim:
    """Return a lower bound with the hypotheses that all of them have.

    Without the first, k = m and the answer 1, ..., m would cost nothing.
    """
    hypotheses = (
        "The algorithm returns only items that it has read, and the mean is over a random input."
    )
    return _ours(key, number, f"{statement} {hypotheses}")


OWN_THEOREMS: Final[tuple[Claim, ...]] = (
    _ours(
        "ours:relations",
        "Relations",
        "Add/remove neighbours are swap neighbours, swap and l-infinity are one relation on "
        "histograms, and l-infinity neighbours are two add/remove steps apart.",
    ),
    _ours(
        "ours:hockey-stick",
        "Exact decision",
        "The hockey-stick divergence decides the definition over all sets of outputs, and its "
        "inverse in epsilon is exact.",
    ),
    _ours(
        "ours:cost-models",
        "Cost models",
        "A run of R rounds costs 3R as printed, 2R if no delivered value is read again, and R to "
        "2R with memory; the number of distinct entries is at most each of these.",
    ),
    _ours(
        "ours:rounds-law",
        "Law of the rounds",
        "R <= T for every h, with P(T > r) = P(Hyp(m, r, r) <= k - 1) exactly.",
    ),
    _ours(
        "ours:theorem-u",
        "Theorem U",
        "E[R] <= 1/2 + sqrt(mk + 1/4) for all 1 <= k <= m, all h and all continuous noise.",
    ),
    _ours(
        "ours:hypergeometric-moment",
        "Lemma H",
        "Let N ~ Hyp(m, b, a) count the marked items among a drawn ones. E[s^N] <= (1 - (1-s) "
        "b/m)^a <= e^(-(ab/m)(1-s)) for 0 < s <= 1 and all a, b <= m.",
    ),
    _ours(
        "ours:rank-free",
        "Rank-free oracle",
        "The rank-free oracle has the joint law of the noise list under every adaptive order of "
        "queries.",
    ),
    _ours(
        "ours:batched-exact",
        "Claim A",
        "With continuous noise the two-phase algorithm has exactly the output law of the one-shot "
        "algorithm.",
    ),
    _ours(
        "ours:batched-candidates",
        "Claim B",
        "E[N] <= (m - r) k / (r + 1) for every h and every continuous noise, with equality when "
        "the top r scores are equal.",
    ),
    _ours(
        "ours:batched-cost",
        "Two-phase cost",
        "r = ceil(sqrt(mk)) costs at most 2 sqrt(mk) on average, and the best r at most "
        "sqrt(4k(m+1) + 1) - (k + 1).",
    ),
    _ours(
        "ours:adaptive-prefix",
        "Adaptive prefix",
        "With continuous noise Claim A holds for every prefix that is a stopping time of what is "
        "revealed.",
    ),
    _ours(
        "ours:adaptive-stages",
        "Adaptive stages",
        "With continuous noise, stages that reveal all noise above a falling frontier return the "
        "one-shot set.",
    ),
    _ours(
        "ours:early-noise",
        "Early noise",
        "Stages that have opened the noise of n items of m before the prefix reaches r add at most "
        "r^k n^(k+1) / (m^k (k+1)!) candidates on average.",
    ),
    _ours(
        "ours:fixed-accesses",
        "Theorem F",
        "t sorted accesses and t random accesses to the items with the largest noise give the list "
        "of Algorithm 2 if k items are in both. They are not with probability P(Hyp(m, t, t) <= k "
        "- 1), whatever the scores are; then everything is read. If this is at most delta' and the "
        "items are (eps, delta)-private, the pair of items and cost is (eps, delta + (1 + e^eps) "
        "delta')-private.",
    ),
    _ours(
        "ours:unequal-costs",
        "Unequal costs, above",
        "With prices c_s, c_r the best prefix costs at most sqrt(4k(m+1) c_s c_r + c_s^2) - c_s - "
        "k c_r while k <= r <= m.",
    ),
    _bounds_below(
        "ours:unequal-costs-lower",
        "Unequal costs, below",
        "Under the hypotheses of S3 the mean cost is at least 1e-4 min{c_s m, c_r m, sqrt(mk c_s "
        "c_r)}.",
    ),
    _ours(
        "ours:atoms",
        "Noise with atoms",
        "The two-phase algorithm is exact for noise with atoms if ties at the bar are let in, or "
        "if pairs with a second, uniform coordinate are compared.",
    ),
    _bounds_below(
        "ours:lower-random",
        "Theorem S1",
        "Random access only, accuracy n - 1 with probability 1 - beta: the mean cost is at least m "
        "(1 - beta)^2 / 2.",
    ),
    _bounds_below(
        "ours:lower-sorted",
        "Theorem S2",
        "Sorted access only, (eps, delta)-private: the mean cost is at least e^-eps (1 - "
        "delta)^2 m / 4, without any accuracy.",
    ),
    _bounds_below(
        "ours:lower-both",
        "Theorem S3",
        "Both accesses, private with eps <= 1 and beta + delta <= 0.05, accuracy n - 2: the mean "
        "cost is at least sqrt(mk)/100 for all 1 <= k <= m.",
    ),
    _bounds_below(
        "ours:certificate",
        "Certificate",
        "For all k <= s <= m and 1 <= a <= s the computable sum of S3 is a lower bound of the "
        "mean cost.",
    ),
    _bounds_below(
        "ours:hit-certificate",
        "Hit certificate",
        "For all k <= s <= m, 1 <= a <= s and 1 <= c <= min(k, a) the mean price is at least (D - "
        "L) / R: D low items must be returned on average, counting at most c; a well chosen time "
        "to stop brings at most L more of them; a unit of price buys at most R. For c = 1 this is "
        "at least the sum of S3.",
    ),
    _bounds_below(
        "ours:lower-both-seventh",
        "Theorem S4",
        "Under the hypotheses of S3 the mean cost is at least sqrt(mk)/7 for all 1 <= k <= m.",
    ),
    _bounds_below(
        "ours:unequal-costs-lower-sharp",
        "Theorem S5",
        "Under the hypotheses of S3 the mean price is at least min{c_s m, c_r m, sqrt(mk c_s "
        "c_r)}/125 for all prices of the two doors.",
    ),
    _ours(
        "ours:accounting-pure",
        "Pure accounting",
        "k selections with Gumbel(1/eps) are k eps-private under add/remove and 2k eps-private "
        "under swap and l-infinity, for sets and ranked lists.",
    ),
    _ours(
        "ours:accounting-laplace",
        "Laplace accounting",
        "Laplace(1/eps) gives k eps under add/remove and 2k eps under swap and l-infinity.",
    ),
    _ours(
        "ours:noisy-values",
        "Theorem N",
        "If the logarithm of the reversed hazard rate of the noise changes by at most c over a "
        "distance D, the k best items in order, with their noisy values, are (eps', "
        "delta)-private for scores at distance D: eps' = k (G (1+z) - c), G = e^c - 1, k (z - "
        "ln(1+z)) = ln(1/delta). Laplace(1/eps) has G = 2 (e^(eps D) - 1), Gumbel(1/eps) e^(eps D) "
        "- 1. D = 1 under swap and l-infinity; for the items alone D = 1/2 under add/remove.",
    ),
    _ours(
        "ours:bounded-range-renyi",
        "Rényi curve",
        "A step whose loss has range r has ln E[e^(cL)] <= J(c+1) - J(c) - J(1) with J(y) = y "
        "ln(sinh(ry/2)/y), and this is attained.",
    ),
    _ours(
        "ours:bounded-range-zcdp",
        "Tight zCDP",
        "A step whose loss has range r is rho-zCDP with rho = x - 1 - ln x, x = r/(1 - e^-r), and "
        "no smaller rho; rho <= r^2/8.",
    ),
    _ours(
        "ours:conversion",
        "Conversion",
        "Rényi divergence D_alpha <= tau gives (eps, delta) with delta = e^((alpha-1)(tau-eps)) (1 "
        "- 1/alpha)^alpha / (alpha - 1).",
    ),
    _ours(
        "ours:utility-gumbel",
        "Gumbel utility",
        "The worst failure over real scores is exactly 1 - prod j/(j + w), w = (m-k) e^(-eps "
        "alpha), so alpha = ln((m-k) H_k/beta)/eps suffices.",
    ),
    _ours(
        "ours:utility-laplace",
        "Laplace utility",
        "alpha = 2 ln(m/(2 beta))/eps suffices, and the exact quantile is an integral.",
    ),
    _ours(
        "ours:certified-logarithm",
        "Certified logarithm",
        "The logarithm from IEEE operations has a relative error of at most 2^-49 for every normal "
        "double, and -log(1 - V) from V and 1 - V with errors of 3 2^-53 one of at most 2^-48.",
    ),
    _ours(
        "ours:deferred-revelation",
        "Deferred revelation",
        "Stages that reveal leading bits on demand, and never reveal an item that cannot pass the "
        "bar, return the one-shot list with its exact law.",
    ),
    _ours(
        "ours:exact-gaps",
        "Exact gaps",
        "Gaps floor(log(1 - V)/log(1 - p)) of uniform V choose every item independently with "
        "probability p.",
    ),
    _ours(
        "ours:count-tree",
        "Count tree",
        "The dyadic count tree, split by Bin(n, 1/2), has the joint law of the noise list under "
        "every adaptive order of queries.",
    ),
)
