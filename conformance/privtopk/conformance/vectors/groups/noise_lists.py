"""Noise from levels, and whole noise lists answered by an oracle from a tape."""

import math
from collections.abc import Sequence
from typing import Final

from privtopk.conformance.vectors.coins import WatchedCoins, endless_words
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


def noises(
    identity: str, hunts: str, kind: NoiseKind, rate: float, levels: Sequence[float]
) -> Vector:
    """Return the vector of the noises of some levels."""
    noise = noise_of(kind, rate)
    return Vector(
        id=identity,
        operation="noise",
        hunts=hunts,
        claims=("def:noise", "fact:inversion", "fact:inversion-order-statistics"),
        input={"noise": kind, "rate": rate, "levels": levels},
        intermediates={"uniform_values": [math.exp(-level) for level in levels]},
        expected={"noises": [noise.from_exponential(level) for level in levels]},
        tolerance=NOISES,
    )


def oracle(
    identity: str,
    hunts: str,
    m: int,
    kind: NoiseKind,
    rate: float,
    accesses: Sequence[int],
    seed: int,
    *,
    is_rank_free: bool = False,
) -> Vector:
    """Return the vector of some accesses; 0 is a sorted access, an item a random one."""
    coins = WatchedCoins(endless_words(seed))
    maker = RankFreeOracle if is_rank_free else OnlineOracle
    served = maker(m, noise_of(kind, rate), coins.tape)
    entries: list[list[Number]] = []
    consumed: list[int] = []
    for item in accesses:
        if item:
            entries.append([item, served.random_access(Item(item))])
        else:
            entry = served.sorted_access()
            entries.append([entry.item, entry.value])
        consumed.append(len(coins.read))
    return Vector(
        id=identity,
        operation="rank-free-oracle" if is_rank_free else "online-oracle",
        hunts=hunts,
        claims=("ours:rank-free",) if is_rank_free else ("algo:online-sampling", "thm:oracle"),
        input={
            "m": m,
            "noise": kind,
            "rate": rate,
            "accesses": [["random", item] if item else ["sorted", None] for item in accesses],
            "uniforms": coins.read,
        },
        intermediates={"consumed_so_far": consumed},
        expected={"entries": entries},
        tolerance=ANSWERS,
    )


def noise_lists() -> tuple[Vector, ...]:
    """Return the vectors of noise and of noise lists."""
    return (*_noises(), *_oracles())


def _noises() -> tuple[Vector, ...]:
    both = (2.0**-1000, 2.0**-53, 0.125, 0.5, 0.625, 0.75, 1.0, 2.0, 40.0, 800.0)
    return (
        noises(
            "noise-gumbel",
            "Mirroring the law: large levels are small noise.",
            NoiseKind.GUMBEL,
            1.0,
            both,
        ),
        noises(
            "noise-gumbel-scale",
            "Taking the rate for the scale instead of 1/rate.",
            NoiseKind.GUMBEL,
            0.25,
            both,
        ),
        noises(
            "noise-laplace",
            "Computing 1 - e^-E without expm1 above the median, or ln(2 e^-E) far below it.",
            NoiseKind.LAPLACE,
            1.0,
            both,
        ),
        noises(
            "noise-laplace-scale",
            "Using the scale 2/rate, or the standard deviation for the scale.",
            NoiseKind.LAPLACE,
            4.0,
            both,
        ),
        noises(
            "noise-laplace-median",
            "Taking the wrong branch around the median, E = ln 2.",
            NoiseKind.LAPLACE,
            1.0,
            (0.6875, 0.6931471805599453, 0.6953125),
        ),
    )


def _oracles() -> tuple[Vector, ...]:
    mixed = (3, 0, 0, 5, 0, 3, 1, 0, 0)
    return (
        oracle(
            "online-oracle-sorted",
            "Delivering an item twice, or noise out of order.",
            5,
            NoiseKind.GUMBEL,
            1.0,
            (0, 0, 0, 0, 0),
            51,
        ),
        oracle(
            "online-oracle-random-first",
            "Having no predecessor at the first sorted access after a random one.",
            10,
            NoiseKind.GUMBEL,
            0.5,
            (4, 0, 0),
            52,
        ),
        oracle(
            "online-oracle-mixed",
            "Drawing new noise for an item that the other door has shown.",
            6,
            NoiseKind.LAPLACE,
            1.0,
            mixed,
            53,
        ),
        oracle(
            "rank-free-oracle-sorted",
            "Dividing by m instead of the number of unseen items.",
            5,
            NoiseKind.GUMBEL,
            1.0,
            (0, 0, 0, 0, 0),
            54,
            is_rank_free=True,
        ),
        oracle(
            "rank-free-oracle-mixed",
            "Keeping the minimum that was drawn when a pending item comes first.",
            6,
            NoiseKind.LAPLACE,
            1.0,
            mixed,
            55,
            is_rank_free=True,
        ),
        oracle(
            "rank-free-oracle-huge",
            "Listing the unseen items one by one.",
            2**50,
            NoiseKind.GUMBEL,
            0.5,
            (2**50, 0, 1, 0, 2**49),
            56,
            is_rank_free=True,
        ),
    )
