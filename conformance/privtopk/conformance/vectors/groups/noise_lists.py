"""Noise from levels, and whole noise lists answered by an oracle from a tape."""

import math
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from privtopk.conformance.vectors.coins import WatchedCoins, endless_words
from privtopk.conformance.vectors.tables import Cases, Solution, vectors_of
from privtopk.conformance.vectors.vector import Tolerance, Vector
from privtopk.spec.model.values import Item, Number
from privtopk.spec.noise.distributions import NoiseKind, noise_of
from privtopk.spec.noise.online_oracle import OnlineOracle
from privtopk.spec.noise.rank_free import RankFreeOracle

OPERATIONS: Final = {
    "noise": (
        "Turn each level E into the noise that it stands for, of scale 1/rate: Gumbel "
        "-ln(E)/rate; Laplace (ln 2 - E)/rate for E >= ln 2 and -ln(2 (1 - e^-E))/rate for "
        "smaller E."
    ),
    "online-oracle": (
        "Answer accesses to a noise list of m items by Algorithm 4. A sorted access asks a lazy "
        "permutation (see the group permutations) for the item at the next position, a random "
        "access for the position of the item; then `order-statistics` for the level of that "
        "position; the answer is the item with the `noise` of the level. Both read one tape."
    ),
    "rank-free-oracle": (
        "Answer accesses to a noise list of m items without ranks. c = 0 at first. With X the "
        "-ln of the next uniform: a random access to an item not seen gives it the level c + X. "
        "A sorted access, if any of the N unseen items are left, draws W = c + X/N; if some item "
        "that only random access has seen has a level below W, the one with the smallest level "
        "is delivered, else the unseen item at place s + 1 + floor(u N), where u is the next "
        "uniform and s = m - N the number seen, with level W. c becomes the level delivered. "
        "Places: an arrangement of 1, ..., m, each item at first at its own place; the s-th item "
        "seen is exchanged with the one at place s."
    ),
}

NOISES: Final = Tolerance(
    2.0**-46,
    2.0**-46,
    "One logarithm, whose value may be close to 0; the absolute part is in units of 1, which no "
    "scale here falls below by more than 8.",
)

ANSWERS: Final = Tolerance(
    2.0**-40, 2.0**-40, "The items are exact; a noise close to 0 has the error of its level."
)


def noises_of_levels(noise: NoiseKind, rate: float, levels: Sequence[float]) -> Solution:
    """Turn levels into noises."""
    law = noise_of(noise, rate)
    return Solution(
        intermediates={"uniform_values": [math.exp(-level) for level in levels]},
        expected={"noises": [law.from_exponential(level) for level in levels]},
        claims=("def:noise", "fact:inversion", "fact:inversion-order-statistics"),
        tolerance=NOISES,
    )


def answers_of(
    oracle: type[OnlineOracle] | type[RankFreeOracle],
    claims: tuple[str, ...],
    m: int,
    noise: NoiseKind,
    rate: float,
    accesses: Sequence[int],
    seed: int,
) -> Solution:
    """Let an oracle answer some accesses; 0 is a sorted access, an item a random one."""
    coins = WatchedCoins(endless_words(seed))
    served = oracle(m, noise_of(noise, rate), coins.tape)
    entries: list[list[Number]] = []
    consumed: list[int] = []
    for item in accesses:
        if item:
            entries.append([item, served.random_access(Item(item))])
        else:
            entry = served.sorted_access()
            entries.append([entry.item, entry.value])
        consumed.append(len(coins.read))
    return Solution(
        input={
            "m": m,
            "noise": noise,
            "rate": rate,
            "accesses": [["random", item] if item else ["sorted", None] for item in accesses],
            "uniforms": coins.read,
        },
        intermediates={"consumed_so_far": consumed},
        expected={"entries": entries},
        claims=claims,
        tolerance=ANSWERS,
    )


online_answers: Final = partial(answers_of, OnlineOracle, ("algo:online-sampling", "thm:oracle"))
rank_free_answers: Final = partial(answers_of, RankFreeOracle, ("ours:rank-free",))


def vectors() -> Iterator[Vector]:
    """Yield the vectors of noise and of noise lists."""
    yield from vectors_of("noise", noises_of_levels, LEVELS)
    yield from vectors_of("online-oracle", online_answers, ONLINE_ACCESSES)
    yield from vectors_of("rank-free-oracle", rank_free_answers, RANK_FREE_ACCESSES)


GUMBEL, LAPLACE = NoiseKind
BOTH_TAILS: Final = (2.0**-1000, 2.0**-53, 0.125, 0.5, 0.625, 0.75, 1.0, 2.0, 40.0, 800.0)
AROUND_MEDIAN: Final = (0.6875, 0.6931471805599453, 0.6953125)
SORTED_ONLY: Final = (0, 0, 0, 0, 0)
MIXED: Final = (3, 0, 0, 5, 0, 3, 1, 0, 0)

# fmt: off
LEVELS: Final[Cases] = (
    ("id",                   "noise", "rate", "levels", "hunts"),
    ("noise-gumbel",         GUMBEL,  1.0,    BOTH_TAILS,
     "Mirroring the law: large levels are small noise."),
    ("noise-gumbel-scale",   GUMBEL,  0.25,   BOTH_TAILS,
     "Taking the rate for the scale instead of 1/rate."),
    ("noise-laplace",        LAPLACE, 1.0,    BOTH_TAILS,
     "Computing 1 - e^-E without expm1 above the median, or ln(2 e^-E) far below it."),
    ("noise-laplace-scale",  LAPLACE, 4.0,    BOTH_TAILS,
     "Using the scale 2/rate, or the standard deviation for the scale."),
    ("noise-laplace-median", LAPLACE, 1.0,    AROUND_MEDIAN,
     "Taking the wrong branch around the median, E = ln 2."),
)

ONLINE_ACCESSES: Final[Cases] = (
    ("id",                         "m", "noise", "rate", "accesses",  "seed", "hunts"),
    ("online-oracle-sorted",       5,   GUMBEL,  1.0,    SORTED_ONLY, 51,
     "Delivering an item twice, or noise out of order."),
    ("online-oracle-random-first", 10,  GUMBEL,  0.5,    (4, 0, 0),   52,
     "Having no predecessor at the first sorted access after a random one."),
    ("online-oracle-mixed",        6,   LAPLACE, 1.0,    MIXED,       53,
     "Drawing new noise for an item that the other door has shown."),
)

RANK_FREE_ACCESSES: Final[Cases] = (
    ("id",                      "m",   "noise", "rate", "accesses",              "seed", "hunts"),
    ("rank-free-oracle-sorted", 5,     GUMBEL,  1.0,    SORTED_ONLY,             54,
     "Dividing by m instead of the number of unseen items."),
    ("rank-free-oracle-mixed",  6,     LAPLACE, 1.0,    MIXED,                   55,
     "Keeping the minimum that was drawn when a pending item comes first."),
    ("rank-free-oracle-huge",   2**50, GUMBEL,  0.5,    (2**50, 0, 1, 0, 2**49), 56,
     "Listing the unseen items one by one."),
)
# fmt: on
