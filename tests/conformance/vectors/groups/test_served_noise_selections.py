"""The vectors of selections with served noise: naive ones and our engines pass, wrong ones fail."""

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

import mpmath
import numpy as np

from conformance.support_vectors import failed_ids
from privtopk.conformance.vectors import Vector, uniform, vectors
from privtopk.impl.noise.distributions import standard_noise
from privtopk.spec.noise.distributions import NoiseKind

GROUP = "served-noise-selections"

Key = Callable[[Fraction, Fraction], Any]


def best_items(vector: Vector, noises: list[Any], key: Key, tie: int = 1) -> list[int]:
    """Return the k items with the smallest keys of score and noise."""
    pairs = list(zip(vector.input["scores"], noises, strict=True))
    keys = {i: key(Fraction(h), Fraction(z)) for i, (h, z) in enumerate(pairs, start=1)}
    return sorted(keys, key=lambda i: (keys[i], tie * i))[: vector.input["k"]]


def selection_by(key: Key, tie: int = 1) -> Callable[[Vector], dict[str, Any]]:
    """Return an implementation of `select` that sorts by a key."""
    return lambda vector: {"ranked": best_items(vector, vector.input["noises"], key, tie)}


def by_sum(score: Fraction, noise: Fraction) -> Fraction:
    """Return the right key."""
    return -(score + noise)


def test_sorting_all_sums_passes() -> None:
    """A full sort of the sums passes."""
    assert failed_ids(GROUP, "select", selection_by(by_sum)) == set()


def test_the_worst_items_are_found() -> None:
    """A selection of the smallest sums fails the vector without noise."""
    assert "select-without-noise" in failed_ids(GROUP, "select", selection_by(lambda h, z: h + z))


def test_ignoring_one_of_the_two_is_found() -> None:
    """Ranking by score alone and by noise alone fails the vector made for it."""
    for key in (lambda h, z: -h, lambda h, z: -z):
        assert "select-by-the-sum" in failed_ids(GROUP, "select", selection_by(key))


def test_subtracting_the_noise_is_found() -> None:
    """Subtracting the noise fails."""
    found = failed_ids(GROUP, "select", selection_by(lambda h, z: z - h))
    assert "select-subtracts-nothing" in found


def test_larger_items_first_is_found() -> None:
    """Ties to the larger item fail the vectors with ties, and no other."""
    assert failed_ids(GROUP, "select", selection_by(by_sum, tie=-1)) == {
        "select-ties-to-smaller-item",
        "select-ties-at-the-border",
    }


def test_sums_in_doubles_are_found() -> None:
    """Sums in doubles fail for scores above 2^53, single precision also at 2^24."""
    large = {"select-beyond-double-scores", "select-beyond-double-range"}
    doubles = failed_ids(GROUP, "select", selection_by(lambda h, z: -(float(h) + float(z))))
    singles = failed_ids(
        GROUP, "select", selection_by(lambda h, z: -float(np.float32(h) + np.float32(z)))
    )
    assert (doubles, singles) == (large, {*large, "select-single-precision"})


def test_rounded_noise_is_found() -> None:
    """Noise rounded to whole numbers fails if the fractions decide."""
    found = failed_ids(GROUP, "select", selection_by(lambda h, z: -(h + math.floor(z))))
    assert "select-truncates-no-noise" in found


def high_precision(noise: str, rate: float, word: int) -> Any:
    """Return the noise of a uniform with 60 digits, by the distribution function itself."""
    with mpmath.workdps(60):
        u = mpmath.mpf(2 * word + 1) / 2**53
        if noise == "gumbel":
            return -mpmath.log(-mpmath.log(u)) / rate
        return (mpmath.log(2 * u) if u < 0.5 else -mpmath.log(2 * (1 - u))) / rate


def select_exactly(vector: Vector) -> dict[str, Any]:
    """Select with noise of 60 digits."""
    noise, rate = vector.input["noise"], vector.input["rate"]
    noises = [
        Fraction(mpmath.nstr(high_precision(noise, rate, word), 50))
        for word in vector.input["uniforms"]
    ]
    return {"ranked": best_items(vector, noises, by_sum)}


def selection_with(
    noise_at: Callable[[str, float, float], float],
) -> Callable[[Vector], dict[str, Any]]:
    """Return an implementation that turns uniforms into noise in doubles."""

    def answer(vector: Vector) -> dict[str, Any]:
        given = vector.input
        noises = [noise_at(given["noise"], given["rate"], uniform(n)) for n in given["uniforms"]]
        return {"ranked": best_items(vector, noises, by_sum)}

    return answer


def our_noise(noise: str, rate: float, u: float) -> float:
    """Return the noise by our engines' own functions."""
    return standard_noise(NoiseKind(noise)).value(-math.log(u)) / rate


def test_noise_from_uniforms_passes() -> None:
    """Sixty digits and our engines' doubles select the same items."""
    assert failed_ids(GROUP, "select-from-uniforms", select_exactly) == set()
    assert failed_ids(GROUP, "select-from-uniforms", selection_with(our_noise)) == set()


def test_sums_from_uniforms_are_well_apart() -> None:
    """No two sums are closer than 2^-20, as the tolerance says."""
    for vector in vectors(GROUP):
        if vector.operation == "select-from-uniforms":
            sums = sorted(vector.intermediates["sums"])
            assert min(b - a for a, b in pairwise(sums)) > 2**-20


def test_wrong_noise_from_uniforms_is_found() -> None:
    """A wrong scale, sign, tail, branch or law fails the vector made for it."""
    wrong = {
        "drawn-gumbel-scale": lambda noise, rate, u: our_noise(noise, 1 / rate, u),
        "drawn-laplace-scale": lambda noise, rate, u: our_noise(noise, 1 / rate, u),
        "drawn-gumbel-sign": lambda noise, rate, u: -our_noise(noise, rate, u),
        "drawn-gumbel-upper-tail": lambda noise, rate, u: our_noise(noise, rate, 1 - u),
        "drawn-laplace-branches": lambda noise, rate, u: -abs(our_noise(noise, rate, u)),
        "drawn-laplace-is-no-gumbel": lambda noise, rate, u: our_noise("gumbel", rate, u),
    }
    for identity, noise_at in wrong.items():
        assert identity in failed_ids(GROUP, "select-from-uniforms", selection_with(noise_at))


def in_two_phases(
    vector: Vector,
    bar_rank: int | None = None,
    bar_score: int = -1,
    *,
    is_strict: bool = True,
    number: Callable[[Any], Any] = Fraction,
) -> dict[str, Any]:
    """Run the two phases from their definition on the whole table; each default is right."""
    scores, noises = (list(map(number, vector.input[name])) for name in ("scores", "noises"))
    k, r, m = vector.input["k"], vector.input["prefix"], len(scores)
    sums = {i: scores[i - 1] + noises[i - 1] for i in range(1, m + 1)}
    delivered = sorted(sums, key=lambda i: (-scores[i - 1], i))[:r]
    candidates = sorted(set(sums) - set(delivered))
    if k <= r:
        kth = sorted((sums[i] for i in delivered), reverse=True)[(bar_rank or k) - 1]
        bar = kth - scores[delivered[bar_score] - 1]
        candidates = [
            i for i in candidates if noises[i - 1] > bar or (not is_strict and noises[i - 1] == bar)
        ]
    best = sorted([*delivered, *candidates], key=lambda i: (-sums[i], i))
    return {"ranked": best[:k], "delivered": delivered, "candidates": candidates}


def test_two_phases_on_the_whole_table_pass() -> None:
    """The definition gives the same items and the same candidates."""
    assert failed_ids(GROUP, "two-phase", in_two_phases) == set()


def test_two_phases_select_what_a_full_sort_selects() -> None:
    """For every prefix, the items are those of a full sort."""
    for vector in vectors(GROUP):
        if vector.operation == "two-phase":
            assert vector.expected["ranked"] == best_items(vector, vector.input["noises"], by_sum)


def test_a_bar_at_the_best_sum_is_found() -> None:
    """A bar at the best sum, instead of the k-th best, fails."""
    assert "two-phase-bar" in failed_ids(GROUP, "two-phase", lambda v: in_two_phases(v, bar_rank=1))


def test_a_bar_below_the_first_score_is_found() -> None:
    """A bar measured from the first score, instead of the last score read, fails."""
    found = failed_ids(GROUP, "two-phase", lambda v: in_two_phases(v, bar_score=0))
    assert "two-phase-last-score" in found


def test_letting_in_ties_is_found() -> None:
    """An item whose noise equals the bar is not a candidate."""
    found = failed_ids(GROUP, "two-phase", lambda v: in_two_phases(v, is_strict=False))
    assert found == {"two-phase-strict-bar"}


def test_sums_of_doubles_in_two_phases_are_found() -> None:
    """A bar in doubles fails: beside scores of 2^60 the noise is rounded away."""
    found = failed_ids(GROUP, "two-phase", lambda v: in_two_phases(v, number=float))
    assert found == {"two-phase-huge-scores"}


def in_a_limited_domain(
    vector: Vector, *, is_limited: bool = True, is_stopped: bool = True, is_noisy: bool = True
) -> dict[str, Any]:
    """Rank the entering items and cut the list at the token; each default is right."""
    given = vector.input
    sums = [h + z for h, z in zip(given["scores"], given["noises"], strict=True)]
    order = sorted(range(1, len(sums) + 1), key=lambda i: (-given["scores"][i - 1], i))
    entering = order[: given["k_bar"]] if is_limited else order
    best = sorted(entering, key=lambda i: (-sums[i - 1], i))[: given["k"]]
    stop = given["stop_score"] + (given["stop_noise"] if is_noisy else 0)
    return {"ranked": [i for i in best if sums[i - 1] > stop or not is_stopped]}


def test_a_limited_domain_passes() -> None:
    """The definition gives the same items."""
    assert failed_ids(GROUP, "limited-domain", in_a_limited_domain) == set()


def test_wrong_limited_domains_are_found() -> None:
    """A mistake in each of the three parts of the mechanism fails the vector made for it."""
    unlimited = failed_ids(
        GROUP, "limited-domain", lambda v: in_a_limited_domain(v, is_limited=False)
    )
    unstopped = failed_ids(
        GROUP, "limited-domain", lambda v: in_a_limited_domain(v, is_stopped=False)
    )
    noiseless = failed_ids(
        GROUP, "limited-domain", lambda v: in_a_limited_domain(v, is_noisy=False)
    )
    assert unlimited == {"limited-domain-excludes-low-items"}
    assert unstopped == {"limited-domain-returns-fewer", "limited-domain-token-has-noise"}
    assert noiseless == {"limited-domain-token-has-noise"}
