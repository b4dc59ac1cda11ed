"""Algorithm 3: the threshold algorithm on the score list and a list of noise.

List one is the database; list two has one i.i.d. noise per item, sorted. Any object with
both doors can be list two: the full list of line 1, the online oracle of Algorithm 4 or the
rank-free oracle.

Paper:    algo:private-threshold, lem:permutation-and-independence, thm:access-cost,
          cor:exponential-mechanism.
Deviates: erratum:atoms (the law is Algorithm 2's only if ties have probability 0),
          erratum:access-pattern (rounds and accesses depend on the scores: not private).
"""

from privtopk.spec.algorithms.threshold import Reading, ThresholdRun, threshold_algorithm, total
from privtopk.spec.model.access import DualAccess, StoredList
from privtopk.spec.model.parameters import require_size
from privtopk.spec.model.tape import Tape
from privtopk.spec.noise.distributions import Noise, sample


def noise_list(noise: Noise, m: int, tape: Tape) -> StoredList:
    """Return the full list of noise: m values in descending order, with their items."""
    return StoredList([sample(noise, tape) for _ in range(require_size(m))])  # line 1


def private_threshold(
    scores: DualAccess,
    noises: DualAccess,
    k: int,
    reading: Reading = Reading.SKIP_DELIVERED,
) -> ThresholdRun:
    """Return the k items with the largest noisy score, reading both lists from the top.

    Paper:    algo:private-threshold.
    Deviates: erratum:access-pattern.
    """
    return threshold_algorithm((scores, noises), k, total, reading)  # line 2
