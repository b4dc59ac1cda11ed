"""The numbered statements of the paper, in its order."""

from typing import Final

from privtopk.spec.claims.claim import Claim, Origin, Status


def _holds(key: str, number: str, statement: str) -> Claim:
    return Claim(key, number, Origin.PAPER, Status.HOLDS, statement)


def _needs_correction(key: str, number: str, statement: str, correction: str) -> Claim:
    return Claim(key, number, Origin.PAPER, Status.CORRECTED, statement, correction)


def _is_refuted(key: str, number: str, statement: str, correction: str, witness: str) -> Claim:
    return Claim(key, number, Origin.PAPER, Status.REFUTED, statement, correction, witness)


STATEMENTS: Final[tuple[Claim, ...]] = (
    _holds(
        "model:votes",
        "Section 2",
        "Each client casts at most one vote per item, so one client more or less moves every score "
        "by at most 1.",
    ),
    _needs_correction(
        "def:differential-privacy",
        "Definition 2.1",
        "An algorithm is (eps, delta)-private, for eps, delta > 0, if P(A(h) in Z) <= e^eps "
        "P(A(h') in Z) + delta for all neighbouring h, h' and all sets Z of outputs.",
        "eps >= 0 and 0 <= delta < 1, and the neighbour relation is part of the statement.",
    ),
    _holds(
        "def:accuracy",
        "Definition 2.2",
        "A selection of k items is (alpha, k)-accurate if each scores at least h[pi(k)] - alpha.",
    ),
    _holds(
        "model:sorted-access",
        "Section 2",
        "Sorted access delivers each item once, in non-increasing order of score.",
    ),
    _holds(
        "model:random-access",
        "Section 2",
        "Random access returns the score of the item asked for, the same as sorted access "
        "delivers.",
    ),
    _holds(
        "model:access-cost",
        "Section 2",
        "The access cost counts sorted and random accesses and is at least the number of distinct "
        "entries learned.",
    ),
    _needs_correction(
        "algo:threshold-algorithm",
        "Algorithm 1",
        "The threshold algorithm returns the top k of items aggregated over t lists by a monotone "
        "function, with or without memory of the items met.",
        "For 1 <= k <= m, with the threshold f(y_1, ..., y_t); it then stops within m rounds.",
    ),
    _needs_correction(
        "def:noise",
        "Definition 3.1",
        "For b in R, Laplace(b) and Gumbel(b) have the printed densities.",
        "For b > 0.",
    ),
    _holds(
        "algo:one-shot",
        "Algorithm 2",
        "The one-shot algorithm adds noise to every score and returns the k largest.",
    ),
    _holds(
        "fact:laplace-pure",
        "Fact 3.2 (1)",
        "With Laplace(1/eps) noise the one-shot algorithm is 2k eps-private.",
    ),
    _holds(
        "fact:laplace-approximate",
        "Fact 3.2 (2)",
        "If m >= 2, 0 < delta <= 0.05 and eps' = 8 eps sqrt(k ln(m/delta)) <= 0.2, the one-shot "
        "algorithm with Laplace(1/eps) noise is (eps', delta)-private.",
    ),
    _is_refuted(
        "fact:gumbel-pure",
        "Fact 3.3 (1)",
        "With Gumbel(1/eps) noise the one-shot algorithm is k eps-private for histograms at "
        "l-infinity distance 1.",
        "k eps under add/remove; 2k eps under swap and l-infinity.",
        "e^eps = 2, k = 1, h = (1, 3), h' = (0, 4): the ratio is 17/5 > 2.",
    ),
    _is_refuted(
        "fact:gumbel-approximate",
        "Fact 3.3 (2)",
        "With Gumbel(1/eps) noise it is also (k eps tanh(eps/2) + eps sqrt(k ln 1/delta), "
        "delta)-private for histograms at l-infinity distance 1.",
        "Valid under add/remove; under swap and l-infinity with 2 eps for eps.",
        "e^eps = 1.1, k = 100, m = 200000, delta = 1e-6: the true delta exceeds 1e-5.",
    ),
    _holds(
        "fact:utility",
        "Fact 3.4",
        "With probability 1 - beta the one-shot algorithm is (alpha, k)-accurate for alpha in "
        "O(ln(m/beta)/eps).",
    ),
    _holds(
        "rem:ranked-release",
        "Remark 3.5",
        "With Gumbel noise the ranked list may be released for the same privacy as the set.",
    ),
    _needs_correction(
        "algo:private-threshold",
        "Algorithm 3",
        "The threshold algorithm on scores and noise has the output, and so the privacy and "
        "utility, of the one-shot algorithm.",
        "If the noise has a continuous law, or one fixed tie order decides both the stopping rule "
        "and the selection.",
    ),
    _holds(
        "lem:permutation-and-independence",
        "Lemma 4.1",
        "The order of the items in the noise list is uniform and independent of the noise values.",
    ),
    _holds(
        "thm:access-cost",
        "Theorem 4.2",
        "The expected cost of Algorithm 3 on the score list is at most 2 (sqrt(mk) + sqrt(m/2)).",
    ),
    _holds(
        "cor:exponential-mechanism",
        "Corollary 4.3",
        "The exponential mechanism needs O(sqrt(m)) accesses on average.",
    ),
    _needs_correction(
        "thm:oracle",
        "Theorem 4.4",
        "The online oracle answers both accesses without building the noise list, and its tuples "
        "have the same marginal law.",
        "For every adaptive order of queries the transcript has the same joint law.",
    ),
    _holds(
        "algo:online-sampling",
        "Algorithm 4",
        "Both doors of the online oracle show the same list: each item once, in descending order "
        "of noise, with the same noise through either door.",
    ),
    _needs_correction(
        "lem:sampling-zj",
        "Lemma 4.5",
        "The order-statistic sampler draws Z_(j) from its law given the positions revealed.",
        "With virtual ends u_(0) = 1 and u_(m+1) = 0 where a neighbour is missing.",
    ),
    _needs_correction(
        "fact:inversion",
        "Fact 4.6",
        "F^-1(u) = inf {x : F(x) = u} turns a uniform variable into one with law F.",
        "With F^-1(u) = inf {x : F(x) >= u} for 0 < u < 1.",
    ),
    _holds(
        "fact:inversion-order-statistics",
        "Fact 4.7",
        "Inversion commutes with sorting: F^-1(U_(1)), ..., F^-1(U_(m)) is the sorted noise list.",
    ),
    _needs_correction(
        "thm:conditional-order-statistics",
        "Theorem 4.8",
        "Given the revealed positions, U_(j) depends on its nearest neighbours only and has the "
        "three printed densities.",
        "There are four cases; the density of case (3) covers all of them with virtual ends.",
    ),
    _holds(
        "def:beta",
        "Definition 4.9",
        "The Beta law has density x^(a-1) (1-x)^(b-1) / B(a, b) on [0, 1].",
    ),
    _is_refuted(
        "thm:beta-form",
        "Theorem 4.10",
        "U_(j) is X, u_l X or (u_l - u_r) X for Beta variables X, in the three cases.",
        "In case (3) it is u_r + (u_l - u_r) X with X ~ Beta(r - j, j - l); this covers all cases.",
        "m = 3, l = 1, j = 2, r = 3, u_l = 0.9, u_r = 0.5: the support is [0, 0.4], not [0.5, "
        "0.9].",
    ),
    _needs_correction(
        "thm:lower-random",
        "Theorem 5.1",
        "With random access only, accuracy n - 1 with probability above 0.9 costs Omega(m).",
        "The printed family needs 2k <= m; Theorem S1 needs neither that nor beta < 0.1.",
    ),
    _needs_correction(
        "lem:report-low-items",
        "Lemma 5.2",
        "A private and accurate algorithm reports an item of a random S_L of size |S|/k with "
        "probability at least e^-eps (1 - beta - delta - 1/e).",
        "With |S_L| = ceil(|S|/k) and |S| >= k.",
    ),
    _needs_correction(
        "thm:lower-sorted",
        "Theorem 5.3",
        "With sorted access only, a private and accurate algorithm costs Omega(m).",
        "The printed family gives the bound 0 for k = 1; Theorem S2 covers every k.",
    ),
    _is_refuted(
        "thm:lower-both",
        "Theorem 5.4",
        "With both accesses, an accurate algorithm costs Omega(sqrt(mk)).",
        "A private and accurate one does: Theorem S3.",
        "Reading the first k items of the sorted list is exact and costs k: m = 10^6, k = 1 costs "
        "1.",
    ),
    _is_refuted(
        "lem:lower-e1",
        "Lemma 5.5",
        "An algorithm meets an item of S_L within sqrt(mk)/20 accesses with probability at most "
        "0.19.",
        "For k >= 2, and for every k with |S_L| = ceil(|S|/(2k)).",
        "k = 1: S_H is empty and the first sorted access meets S_L with probability 1.",
    ),
    _holds(
        "fact:chernoff",
        "Fact A.1",
        "Chernoff's bounds hold for sums of independent Poisson trials.",
    ),
    _holds(
        "fact:hoeffding-reduction",
        "Fact A.2",
        "A convex function of a sum has no larger mean without replacement than with it.",
    ),
    _holds(
        "cor:chernoff-without-replacement",
        "Corollary A.3",
        "Chernoff's lower tail holds for sampling without replacement.",
    ),
    _holds(
        "fact:gamma",
        "Fact A.4",
        "Gamma(k + 1/2) = (2k)! sqrt(pi) / (4^k k!) for integers k >= 0.",
    ),
    _holds(
        "fact:beta-function",
        "Fact A.5",
        "B(a, b) = (a-1)! (b-1)! / (a+b-1)! for integers a, b >= 1.",
    ),
    _holds(
        "fact:stirling",
        "Fact A.6",
        "sqrt(2 pi k) (k/e)^k e^(1/(12k+1)) <= k! <= sqrt(2 pi k) (k/e)^k e^(1/(12k)).",
    ),
    _holds(
        "lem:cost-tail",
        "Lemma B.1, r <= (m+1)/2",
        "P(cost >= 2r) <= (e mu/k)^k e^-mu with mu = r^2/m, for integers r from sqrt(mk) to "
        "(m+1)/2.",
    ),
    _holds(
        "lem:cost-tail-large",
        "Lemma B.1, r > (m+1)/2",
        "The same bound for integers r > (m+1)/2 with r >= sqrt(mk).",
    ),
    _holds(
        "lem:cost-tail-real",
        "Lemma B.2",
        "The bound of Lemma B.1 holds for real r >= sqrt(mk).",
    ),
    _holds(
        "fact:joint-density",
        "Fact B.3",
        "The joint density of all m order statistics is m! on the ordered simplex.",
    ),
    _needs_correction(
        "lem:joint-density",
        "Lemma B.4",
        "The joint density of chosen order statistics is the printed product.",
        "On the ordered simplex, and 0 elsewhere.",
    ),
    _holds(
        "rel:peeling",
        "Section 6",
        "The peeling exponential mechanism has the output law of the one-shot algorithm with "
        "Gumbel noise.",
    ),
    _holds(
        "rel:report-noisy-max",
        "Section 6",
        "Report-noisy-max with Gumbel noise is the exponential mechanism.",
    ),
    _holds(
        "rel:permute-and-flip",
        "Section 6",
        "Permute-and-flip, given the largest score, may stop before it has met all m items, and "
        "its expected error is never above that of the exponential mechanism.",
    ),
    _holds(
        "rel:limited-domain",
        "Section 6",
        "The limited-domain mechanism reads the true top k-bar only and may return fewer than k "
        "items; with k-bar = m it is the one-shot algorithm.",
    ),
)
