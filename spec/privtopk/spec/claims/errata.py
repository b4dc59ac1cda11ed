"""The 33 errata of the paper, in the order of a full reading.

The statement of an erratum is what is printed; the correction is what holds instead.
"""

from typing import Final

from privtopk.spec.claims.claim import Claim, Origin, Status


def _is_refuted(key: str, number: str, statement: str, correction: str, witness: str) -> Claim:
    return Claim(
        f"erratum:{key}", number, Origin.ERRATUM, Status.REFUTED, statement, correction, witness
    )


def _needs_correction(key: str, number: str, statement: str, correction: str) -> Claim:
    return Claim(f"erratum:{key}", number, Origin.ERRATUM, Status.CORRECTED, statement, correction)


ERRATA: Final[tuple[Claim, ...]] = (
    _is_refuted(
        "beta-shift",
        "E1",
        "Theorem 4.10 (3): Y = (u_l - u_r) X has the density between two neighbours.",
        "Y = u_r + (u_l - u_r) X with X ~ Beta(r - j, j - l).",
        "m = 3, l = 1, j = 2, r = 3, u_l = 0.9, u_r = 0.5: support [0, 0.4] instead of [0.5, 0.9].",
    ),
    _is_refuted(
        "no-predecessor",
        "E2",
        "A position below the largest revealed one has both a predecessor and a successor.",
        "One case with virtual ends u_(0) = 1 and u_(m+1) = 0.",
        "Random access, then the first sorted access: position 1 has no predecessor with "
        "probability (m - 1)/m, for m = 10 that is 9/10.",
    ),
    _is_refuted(
        "feasible",
        "E3",
        "Feasible neighbours satisfy u_l >= u_r, and r <= m.",
        "u_l > u_r and 0 <= l < j < r <= m + 1; on a tie from rounding the value is u_r.",
        "u_l = u_r = 1/2: the density of case (3) divides by 0.",
    ),
    _is_refuted(
        "neighbour-relation",
        "E4",
        "Histograms at l-infinity distance 1 may be called neighbours, and Gumbel(1/eps) stays k "
        "eps-private.",
        "k eps under add/remove; 2k eps under swap and l-infinity.",
        "e^eps = 2: k = 1, h = (1, 3), h' = (0, 4) gives 17/5 > 2; h = (1, 0, 0), h' = (0, 1, 1) "
        "gives 5/2; k = 2, m = 4 gives 187/15 > 4.",
    ),
    _is_refuted(
        "gumbel-approximate",
        "E5",
        "k eps tanh(eps/2) + eps sqrt(k ln 1/delta) under l-infinity.",
        "Under add/remove it is valid but loose; k eps^2/8 + eps sqrt(k/2 ln 1/delta) is better. "
        "Under l-infinity it holds with 2 eps in place of eps.",
        "e^eps = 1.1, k = 100, m = 200000, delta = 1e-6: at the printed epsilon the true delta "
        "exceeds 1e-5.",
    ),
    _needs_correction(
        "attribution",
        "E6",
        "The second term is that of Durfee and Rogers.",
        "It is neither of their two terms as public code quotes them. It follows from bounded "
        "range.",
    ),
    Claim(
        "erratum:laplace-tight",
        "E7",
        Origin.ERRATUM,
        Status.HOLDS,
        "Laplace(1/eps) is 2k eps-private. This is true under l-infinity, and tight for k = 1; "
        "under add/remove it is k eps-private.",
    ),
    _needs_correction(
        "laplace-hypothesis",
        "E8",
        "The approximate Laplace bound is stated for delta in [0, 0.05] with an unnamed logarithm.",
        "delta in (0, 0.05] and the natural logarithm; it beats 2k eps only if k > 16 ln(m/delta).",
    ),
    _is_refuted(
        "parameter-ranges",
        "E9",
        "eps, delta > 0; b in R; the noise is independent.",
        "eps >= 0, 0 <= delta < 1; b > 0; the noise is i.i.d. with a continuous law.",
        "b = -1 gives a negative density; pure privacy uses delta = 0.",
    ),
    _is_refuted(
        "cost-parity",
        "E10",
        "The cost on the score list is two per round, and an even integer.",
        "There are four cost models; all bounds are on the number of rounds and need no parity.",
        "m = 2, k = 1, h = (5, 0), Z = (1, 0): with memory the cost is 1; as printed it is 3.",
    ),
    _is_refuted(
        "claim-one",
        "E11",
        "If the first r items of both lists have more than k in common, the cost is below 2r.",
        "If they have at least k in common, R <= r, so the cost is at most 2r.",
        "m = 2, k = 1, h = (1, 0), Z = (0, 1): two in common at r = 2, and the cost is 4 = 2r.",
    ),
    _needs_correction(
        "tail-proof",
        "E12",
        "Lemma B.1 follows from Claim One.",
        "The inequality holds for every r >= sqrt(mk) by other proofs. It is not needed: Theorem U "
        "replaces it.",
    ),
    _is_refuted(
        "gamma-chain",
        "E13",
        "e^k k^-k Gamma(k + 1/2) <= sqrt(2).",
        "e^k k^-k Gamma(k + 1/2, k) <= 1.378937 < sqrt(2) for every k, so the final bound is true.",
        "k = 1: e Gamma(3/2) = 2.409 > 1.415.",
    ),
    _is_refuted(
        "missing-privacy",
        "E14",
        "Theorem 5.4 does not assume that the algorithm is private.",
        "It must be (eps, delta)-private: Theorem S3.",
        "m = 10^6, k = 1: one sorted access is exact and costs 1, far below 1000.",
    ),
    _is_refuted(
        "low-set-size",
        "E15",
        "|S_L| = |S|/k also for k = 1.",
        "|S_L| = ceil(|S|/(2k)) in S3; S = [m] in S2.",
        "k = 1: S_H is empty, the sorted bound is 0, and one sorted access meets S_L.",
    ),
    _is_refuted(
        "nine-eta",
        "E16",
        "9 eta sorted accesses obtain all of S_H, for eta = tau/20.",
        "Give the algorithm all of S_H; only eta <= |S_H| is used.",
        "k = 2: |S_H| = 20 eta (1 - 1/k) = 10 eta > 9 eta.",
    ),
    _is_refuted(
        "integrality",
        "E17",
        "sqrt(mk), |S|/k, tau/20 and m/50 are used as integers, k <= m/4 is assumed in a proof, "
        "and 2k/m as a probability.",
        "Ceilings; S1 to S3 need no divisibility and no bound on k but k <= m.",
        "|S| = 5, k = 3 with the floor: the miss probability is 0.4 > 1/e; k = 6, m = 10: 2k/m = "
        "6/5.",
    ),
    _is_refuted(
        "tie-order",
        "E18",
        "Ties in the sorted list are broken arbitrarily.",
        "By a fixed order that does not depend on the data.",
        "m = 10^4, k = 4: a rule that lists first some x, y in S_H with x + 101 y mod m in S_L "
        "leads to S_L in three accesses. Such a pair exists in all of 300 seeded draws; it does "
        "not if S_H has even items and S_L odd ones.",
    ),
    _needs_correction(
        "client-count",
        "E19",
        "The families have n clients, with n - 1 and n - 2 as accuracies.",
        "n is a public bound on all scores, n >= 3; h_S and h_{SH,SL} are an add/remove pair.",
    ),
    _is_refuted(
        "threshold-arity",
        "E20",
        "The threshold is f(y_1, ..., y_m).",
        "f(y_1, ..., y_t), one argument per list.",
        "t = 2, m = 3: f takes 2 arguments, not 3.",
    ),
    _is_refuted(
        "threshold-edge-cases",
        "E21",
        "The threshold algorithm has no condition on k.",
        "1 <= k <= m; then R <= T <= m and no list is exhausted.",
        "k = m + 1: the lists are exhausted before the stopping rule holds.",
    ),
    _is_refuted(
        "atoms",
        "E22",
        "Unseen scores are lower than the threshold, and privacy is inherited directly.",
        "At most the threshold; the law is inherited if ties have probability 0, or if one fixed "
        "order of ties decides both the stopping rule and the selection.",
        "A fair coin as noise, h = (0, 0), ties to the smaller item: item 1 has 3/4, with uniform "
        "ties 1/2.",
    ),
    _is_refuted(
        "marginal-law",
        "E23",
        "It is enough that the oracle's tuples have the same marginal law.",
        "The transcript must have the same joint law for every adaptive order of queries.",
        "m = 2: independent Beta(2, 1) and Beta(1, 2) have the right marginals and are out of "
        "order with probability 1/6.",
    ),
    _needs_correction(
        "running-time",
        "E24",
        "The time is O(sqrt(mk) log log m) with the best k items in a heap.",
        "A heap adds O(log k) per round. A buffer of 2k with linear selection, tested every k "
        "rounds, adds O(1) per round and fewer than k rounds.",
    ),
    _needs_correction(
        "high-probability",
        "E25",
        "With high probability, the algorithm has an expected cost of O(sqrt(mk)).",
        "An expected cost is a number: `with high probability` must go.",
    ),
    _is_refuted(
        "quantile",
        "E26",
        "F^-1(u) = inf {x : F(x) = u}.",
        "inf {x : F(x) >= u} for 0 < u < 1.",
        "A fair coin and u = 1/4: no x has F(x) = 1/4.",
    ),
    _needs_correction(
        "utility-constant",
        "E27",
        "alpha is in O(ln(m/beta)/eps).",
        "Gumbel: alpha = ln((m-k) H_k/beta)/eps; Laplace: alpha = 2 ln(m/(2 beta))/eps.",
    ),
    _is_refuted(
        "exponential-mechanism",
        "E28",
        "Selecting i with probability proportional to e^(eps h[i]) is eps-private under "
        "l-infinity.",
        "eps under add/remove, 2 eps under l-infinity.",
        "e^eps = 2, h = (1, 3), h' = (0, 4): the ratio is 17/5 > 2.",
    ),
    _is_refuted(
        "three-eightieths",
        "E29",
        "tau/k <= 3/4 (m - (k-1) tau/k - eta) if and only if tau (3/4 + 1/(4k) + 3/40) <= 3m/4.",
        "With 3/80 in place of 3/40; the printed condition is sufficient, not equivalent.",
        "k = 1, m = 140, tau = 100, eta = 5: the first holds, the second does not.",
    ),
    _is_refuted(
        "density-exponent",
        "E30",
        "In the proof of Theorem 4.8 the density of U_(zeta) has u^(m-j).",
        "u^(m-zeta).",
        "m = 3, zeta = 1, j = 3: the printed density integrates to 3.",
    ),
    _is_refuted(
        "index-slips",
        "E31",
        "Slips of an index or a set: u_(zeta_j) and a product over j in the proof of Theorem "
        "4.8; cS; `neighbouring to h`; lambda from {0, 1}; i in [m]; u_i.",
        "u_(zeta_s) and a product over s; S minus S_L, h_S; (0, 1); i in [n]; u_(j).",
        "m = 5, positions 1, 3, 5: with u_(zeta_c) in every factor the density does not integrate "
        "to 1.",
    ),
    _is_refuted(
        "joint-support",
        "E32",
        "The joint density of order statistics is printed without its support.",
        "It is 0 unless 1 >= u_(j1) > ... > u_(jt) >= 0.",
        "m = 3, positions 1 and 2: at u = (1/4, 3/4), which is out of order, the formula gives "
        "9/2.",
    ),
    _needs_correction(
        "access-pattern",
        "E33",
        "Privacy is stated for the output alone; nothing is said about the accesses.",
        "The number and pattern of accesses and the time depend on the scores and are not private.",
    ),
)
