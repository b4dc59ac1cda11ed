"""How far the evidence for each claim reaches: its class, its written proof, the range checked.

A claim is for all parameters if every step of its proof is checked by Coq, z3 or symbolic algebra.
The gate requires such a check. What a claim says that machines have covered must stand in what one
of its checks reports, and if it is for all parameters in what one of these methods reports. A test
looks up the written proofs.
"""

from typing import Final

from privtopk.spec.claims.claim import Basis, EvidenceClass

_ROUNDS = "proofs.md#bound-the-rounds-of-the-threshold-algorithm-theorem-u"
_TAIL = "proofs.md#bound-their-tail-lemma-h-and-lemma-b1"
_RANK_FREE = "proofs.md#show-that-the-rank-free-oracle-has-the-law-of-a-full-list"
_TWO_PHASES = "proofs.md#two-phases-and-stages"
_S2 = "proofs.md#s2-sorted-access-only"
_S3 = "proofs.md#s3-both-doors"
_S5 = "proofs.md#s5-the-same-with-prices"
_LEMMA_5_5 = "proofs.md#lemma-55-with-the-right-sizes"
_ACCOUNTING = "proofs.md#accounting"
_THEOREM_N = "proofs.md#noisy-values-theorem-n"
_UTILITY = "proofs.md#utility"
_NEIGHBOURS = "facts.md#votes-and-neighbours"
_COST = "facts.md#cost-of-an-access"
_STOPPING_RULE = "facts.md#stopping-rule"
_INVERSION = "facts.md#inversion"
_WITHOUT_REPLACEMENT = "facts.md#sampling-without-replacement"
_ORDER_STATISTICS = "facts.md#order-statistics"
_LOW_ITEMS = "facts.md#low-items"


def _for_all(checked: str) -> Basis:
    return Basis(EvidenceClass.FOR_ALL, checked)


def _written_proof(proof: str, checked: str) -> Basis:
    return Basis(EvidenceClass.WRITTEN, checked, proof)


def _definition(checked: str) -> Basis:
    return Basis(EvidenceClass.DEFINITION, checked)


def _examples(checked: str) -> Basis:
    return Basis(EvidenceClass.EXAMPLES, checked)


_IN_COQ = _for_all("for all parameters")

BASES: Final[dict[str, Basis]] = {
    "model:votes": _written_proof(_NEIGHBOURS, "m = 3, 2 clients"),
    "def:differential-privacy": _definition("3 outputs in quarters"),
    "def:accuracy": _definition("m = 4, scores to 2"),
    "model:sorted-access": _definition("m = 5, values to 2"),
    "model:random-access": _definition("m = 3, values to 2"),
    "model:access-cost": _written_proof(_COST, "m = 3"),
    "algo:threshold-algorithm": _written_proof(_STOPPING_RULE, "t <= 3 lists, 4 aggregations"),
    "def:noise": _for_all("symbolic in z and b > 0"),
    "algo:one-shot": _definition("m = 3"),
    "fact:laplace-pure": _written_proof(_ACCOUNTING, "m = 3, scores to 2"),
    "fact:laplace-approximate": _written_proof(_THEOREM_N, "m <= 5"),
    "fact:gumbel-pure": _written_proof(_ACCOUNTING, "m <= 4"),
    "fact:gumbel-approximate": _written_proof(_ACCOUNTING, "m = 3, e^eps = 6/5"),
    "fact:utility": _written_proof(_UTILITY, "90 settings to m = 2^50"),
    "rem:ranked-release": _written_proof(_ACCOUNTING, "m <= 4"),
    "algo:private-threshold": _written_proof(_STOPPING_RULE, "m = 4"),
    "lem:permutation-and-independence": _written_proof(
        "facts.md#order-of-the-noise-list", "m <= 3"
    ),
    "thm:access-cost": _for_all("real y = sqrt(mk) >= 1"),
    "cor:exponential-mechanism": _for_all("real y = sqrt(mk) >= 1"),
    "thm:oracle": _written_proof(_ORDER_STATISTICS, "m <= 5"),
    "algo:online-sampling": _written_proof(_ORDER_STATISTICS, "m <= 3"),
    "lem:sampling-zj": _written_proof(_ORDER_STATISTICS, "m <= 5"),
    "fact:inversion": _written_proof(_INVERSION, "three atoms, uniforms in twelfths"),
    "fact:inversion-order-statistics": _written_proof(_INVERSION, "orders of five uniforms"),
    "thm:conditional-order-statistics": _written_proof(_ORDER_STATISTICS, "m <= 5"),
    "def:beta": _definition("36 pairs of parameters"),
    "thm:beta-form": _written_proof(_ORDER_STATISTICS, "m = 6, all four cases"),
    "thm:lower-random": _written_proof("proofs.md#s1-random-access-only", "all k <= m <= 40"),
    "lem:report-low-items": _written_proof(_LOW_ITEMS, "all k <= s <= 90"),
    "thm:lower-sorted": _written_proof(_S2, "all k <= m <= 40"),
    "thm:lower-both": _written_proof(_S3, "real m, k and tau"),
    "lem:lower-e1": _written_proof(_LEMMA_5_5, "m <= 6"),
    "fact:chernoff": _written_proof("facts.md#chernoff", "tails of up to 7 trials"),
    "fact:hoeffding-reduction": _written_proof(
        _WITHOUT_REPLACEMENT, "populations of up to 5 points"
    ),
    "cor:chernoff-without-replacement": _written_proof(_WITHOUT_REPLACEMENT, "populations to 13"),
    "fact:gamma": _for_all("by induction"),
    "fact:beta-function": _written_proof("facts.md#gamma-and-beta-functions", "a, b <= 30"),
    "fact:stirling": _written_proof("facts.md#stirling", "k <= 5000"),
    "lem:cost-tail": _written_proof(_TAIL, "m <= 60"),
    "lem:cost-tail-large": _written_proof(_TAIL, "m <= 60"),
    "lem:cost-tail-real": _written_proof(_TAIL, "m <= 30"),
    "fact:joint-density": _written_proof(_ORDER_STATISTICS, "m <= 4"),
    "lem:joint-density": _written_proof(_ORDER_STATISTICS, "m <= 4"),
    "rel:peeling": _IN_COQ,
    "rel:report-noisy-max": _for_all("with symbolic h, eps, w and W"),
    "rel:permute-and-flip": _written_proof("proofs.md#permute-and-flip", "m = 3"),
    "rel:limited-domain": _definition("m = 3"),
    "erratum:beta-shift": _written_proof(_ORDER_STATISTICS, "m = 6, all four cases"),
    "erratum:no-predecessor": _written_proof(_ORDER_STATISTICS, "m <= 5"),
    "erratum:feasible": _definition("intervals down to the last bit"),
    "erratum:neighbour-relation": _written_proof(_ACCOUNTING, "m <= 4"),
    "erratum:gumbel-approximate": _written_proof(_ACCOUNTING, "m = 20,000"),
    "erratum:attribution": _examples("k = 100, eps = 0.1, delta = 1e-6"),
    "erratum:laplace-tight": _written_proof(_ACCOUNTING, "m = 3, scores to 2"),
    "erratum:laplace-hypothesis": _written_proof(_THEOREM_N, "six borders of k"),
    "erratum:parameter-ranges": _definition("two laws"),
    "erratum:cost-parity": _written_proof(_COST, "m <= 3"),
    "erratum:claim-one": _written_proof(_ROUNDS, "m = 4"),
    "erratum:tail-proof": _written_proof(_TAIL, "m <= 60"),
    "erratum:gamma-chain": _written_proof("facts.md#the-last-step-of-theorem-42", "k <= 2000"),
    "erratum:missing-privacy": _written_proof(_S3, "real m, k and tau"),
    "erratum:low-set-size": _written_proof(_LEMMA_5_5, "|S| < 200"),
    "erratum:nine-eta": _written_proof(_LEMMA_5_5, "20 <= |S| < 400"),
    "erratum:integrality": _written_proof(_LOW_ITEMS, "all k <= m < 120"),
    "erratum:tie-order": _written_proof(_LEMMA_5_5, "m = 10^4, k = 4"),
    "erratum:client-count": _definition("m = 4, n = 3"),
    "erratum:threshold-arity": _definition("t <= 3, m <= 5"),
    "erratum:threshold-edge-cases": _written_proof(_ROUNDS, "m = 4"),
    "erratum:atoms": _written_proof(_STOPPING_RULE, "m = 3"),
    "erratum:marginal-law": _written_proof(_ORDER_STATISTICS, "m <= 5"),
    "erratum:running-time": _written_proof("proofs.md#time-of-a-round", "m = 3, 6"),
    "erratum:high-probability": _definition("m = 6, 12, 30"),
    "erratum:quantile": _written_proof(_INVERSION, "three atoms, uniforms in twelfths"),
    "erratum:utility-constant": _written_proof(_UTILITY, "1,920 histograms"),
    "erratum:exponential-mechanism": _written_proof(_ACCOUNTING, "m <= 4"),
    "erratum:three-eightieths": _for_all("real m, tau and 1/k"),
    "erratum:density-exponent": _written_proof(_ORDER_STATISTICS, "m <= 6"),
    "erratum:index-slips": _written_proof(_ORDER_STATISTICS, "m <= 6"),
    "erratum:joint-support": _written_proof(_ORDER_STATISTICS, "m <= 5"),
    "erratum:access-pattern": _examples("48 neighbouring pairs"),
    "ours:relations": _written_proof(_NEIGHBOURS, "m = 3, scores to 2"),
    "ours:hockey-stick": _written_proof("facts.md#hockey-stick", "3 outputs in quarters"),
    "ours:cost-models": _written_proof(_COST, "m <= 3"),
    "ours:rounds-law": _IN_COQ,
    "ours:theorem-u": _IN_COQ,
    "ours:hypergeometric-moment": _written_proof(_TAIL, "m <= 11"),
    "ours:rank-free": _written_proof(_RANK_FREE, "m <= 3"),
    "ours:batched-exact": _written_proof(_TWO_PHASES, "m = 4"),
    "ours:batched-candidates": _IN_COQ,
    "ours:batched-cost": _for_all("with symbolic m and k"),
    "ours:adaptive-prefix": _written_proof(_TWO_PHASES, "m = 4"),
    "ours:adaptive-stages": _written_proof(_TWO_PHASES, "m = 4"),
    "ours:early-noise": _written_proof(_TWO_PHASES, "1,751 cases"),
    "ours:fixed-accesses": _IN_COQ,
    "ours:unequal-costs": _written_proof(_TWO_PHASES, "828 choices of m, k and prices"),
    "ours:unequal-costs-lower": _written_proof(_S5, "54 choices of m, k and prices"),
    "ours:atoms": _written_proof(_TWO_PHASES, "m = 3"),
    "ours:lower-random": _IN_COQ,
    "ours:lower-sorted": _written_proof(_S2, "all k <= m <= 40"),
    "ours:lower-both": _written_proof(_S3, "m up to 2 10^7"),
    "ours:certificate": _written_proof(_S3, "m <= 6"),
    "ours:hit-certificate": _written_proof("proofs.md#the-hit-certificate", "m <= 6"),
    "ours:lower-both-seventh": _written_proof(
        "proofs.md#s4-a-seventh-of-the-root", "m up to 2 10^10"
    ),
    "ours:unequal-costs-lower-sharp": _written_proof(_S5, "255 certificates"),
    "ours:accounting-pure": _written_proof(_ACCOUNTING, "m <= 4"),
    "ours:accounting-laplace": _written_proof(_ACCOUNTING, "m = 3, scores to 2"),
    "ours:noisy-values": _written_proof(_THEOREM_N, "m <= 5"),
    "ours:bounded-range-renyi": _written_proof(_ACCOUNTING, "m = 3, e^eps = 2"),
    "ours:bounded-range-zcdp": _written_proof(_ACCOUNTING, "m = 3, e^eps = 2"),
    "ours:conversion": _written_proof(_ACCOUNTING, "81 cases in exact rationals"),
    "ours:utility-gumbel": _written_proof(_UTILITY, "1,920 histograms"),
    "ours:utility-laplace": _written_proof(_UTILITY, "256 histograms"),
    "ours:certified-logarithm": _written_proof("exact.md#the-logarithm", "14,321 doubles"),
    "ours:deferred-revelation": _written_proof("exact.md#why-it-is-exact", "m = 3"),
    "ours:exact-gaps": _written_proof("exact.md#gaps", "m <= 7"),
    "ours:count-tree": _written_proof(_RANK_FREE, "m <= 3, up to 2 bits"),
}
