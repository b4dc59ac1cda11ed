"""Checks of exact selection: the certified logarithm, deferred revelation, the count tree."""

import math
import sys
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import combinations, permutations, product

from flint import arb, ctx

from privtopk.spec.model.tape import Tape, every_outcome
from privtopk.spec.noise.certified_logarithm import (
    ARGUMENT_ERROR,
    COEFFICIENTS,
    LARGEST_EXCESS,
    LARGEST_RATIO,
    LEVEL_ERROR,
    LOG_2,
    LOG_2_HIGH,
    LOG_2_LOW,
    LOGARITHM_ERROR,
    ROOT_HALF,
    level,
    level_error,
    logarithm,
    logarithm_error,
)
from privtopk.spec.noise.count_tree import CountTree
from privtopk.spec.noise.deferred_revelation import select_all, select_deferred, subset_law
from privtopk.spec.proofs.gate.registry import Method, expect, supports
from privtopk.spec.proofs.instruments.balls import ball

Script = tuple[int, ...]
"""Queries: 0 is a sorted access, i > 0 a random access to item i."""

Transcript = tuple[tuple[int, int], ...]
"""The answers to a script: pairs of item and point."""


@supports("ours:certified-logarithm", method=Method.EXACT)
def roundings_stay_below_the_errors() -> str:
    """The sum of all rounding errors, in rationals, stays below 2^-49 and 2^-48."""
    expect(logarithm_error() <= LOGARITHM_ERROR, f"{float(logarithm_error())}")
    expect(level_error() <= LEVEL_ERROR, f"{float(level_error())}")
    for place, coefficient in enumerate(COEFFICIENTS):
        true = Fraction(1, 2 * place + 3)
        expect(abs(Fraction(coefficient) / true - 1) <= Fraction(1, 2**53), f"{coefficient}")
    units = [f"{float(error() * 2**53):.2f}" for error in (logarithm_error, level_error)]
    return f"{units[0]} and {units[1]} units of 2^-53, of 16 and 32 allowed"


@supports("ours:certified-logarithm", method=Method.ARB)
def constants_are_what_the_proof_says() -> str:
    """log 2, sqrt(1/2) and the largest |s| satisfy the inequalities of the proof."""
    ctx.prec = 200
    expect(bool(ball(LOG_2_LOW) < arb(2).log()), "log 2 from below")
    expect(bool(arb(2).log() < ball(LOG_2_HIGH)), "log 2 from above")
    half = arb(2).log() / 2
    for f in (arb(ROOT_HALF), 2 * arb(ROOT_HALF)):
        expect(bool(abs(f.log()) < half * ball(LARGEST_EXCESS)), "the largest |log f|")
        expect(bool(abs((f - 1) / (f + 1)) < ball(LARGEST_RATIO)), "the largest |s|")
    expect(bool(abs(arb(LOG_2) / arb(2).log() - 1) < arb(2) ** -53), "the double next to log 2")
    return "balls of 200 bits"


@supports("ours:certified-logarithm", method=Method.ARB)
def every_exponent_keeps_to_the_error() -> str:
    """At hard fractions of all 2,046 exponents the error of the logarithm is as small as proved."""
    ctx.prec = 160
    bound, cases = ball(LOGARITHM_ERROR), 0
    for exponent in range(-1021, 1025):
        for fraction in _fractions(exponent):
            x = math.ldexp(fraction, exponent)
            if x < sys.float_info.min or x == 1:
                continue
            true = arb(x).log()
            cases += 1
            expect(bool(abs(arb(logarithm(x)) - true) <= bound * abs(true)), f"log {x!r}")
    return f"{cases:,} doubles"


def _fractions(exponent: int) -> Iterator[float]:
    """Yield fractions in [1/2, 1): next to the cut, next to powers of two, and one other."""
    yield from (0.5, math.nextafter(0.5, 1), math.nextafter(1.0, 0))
    yield from (ROOT_HALF, math.nextafter(ROOT_HALF, 0), math.nextafter(ROOT_HALF, 1))
    yield 0.5 + ((exponent * 2654435761) % 2**32) / 2**33


@supports("ours:certified-logarithm", method=Method.ARB)
def levels_bear_errors_of_their_arguments() -> str:
    """If V and 1 - V have three rounding errors, the error of the level is as small as proved."""
    ctx.prec = 200
    bound, cases = ball(LEVEL_ERROR), 0
    for v in _uniforms():
        true = -(-ball(v)).log1p()
        for first, second in product((-1, 0, 1), repeat=2):
            # The conversion to a double may add a third rounding, so the shift is two.
            shift = ARGUMENT_ERROR * Fraction(2, 3)
            value = level(float(v * (1 + first * shift)), float((1 - v) * (1 + second * shift)))
            cases += 1
            expect(bool(abs(arb(value) - true) <= bound * true), f"level at {float(v)!r}")
    return f"{cases:,} pairs of arguments"


def _uniforms() -> Iterator[Fraction]:
    """Yield uniforms next to 0, next to 1, next to the cut of the reduction, and others."""
    yield from (Fraction(1, 2**n) for n in range(1, 72))
    yield from (1 - Fraction(1, 2**n) for n in range(2, 72))
    cut = 1 - Fraction(ROOT_HALF)
    yield from (cut + Fraction(n, 2**54) for n in range(-8, 9))
    yield from (1 - Fraction(ROOT_HALF) / 2**n for n in range(1, 60))
    yield from (Fraction(n, 997) for n in range(1, 997))


PLANS: tuple[tuple[tuple[int, int], ...], ...] = (
    (),
    ((1, 1),),
    ((1, 1), (2, 2), (3, 2)),
    ((2, 2), (2, 3)),
    ((3, 1),),
)
"""Stages: lengths of prefixes of the sorted scores, each with a number of words to open."""


def _falling_noise(word: int) -> Fraction:
    """Return the noise of a word: falling, not linear, such that noisy scores tie."""
    return (Fraction(5, 2), Fraction(1), Fraction(0), Fraction(-3))[word]


@supports("ours:deferred-revelation", method=Method.EXACT)
def deferred_selection_has_the_law_of_all_words() -> str:
    """For all sizes of stages the ranked list has exactly the law of the one-shot mechanism."""
    cases = 0
    for scores in ((0, 0, 0), (1, 0, 0), (2, 1, 0), (0, 3, 1)):
        for k in (1, 2, 3):
            for words in (2, 3):
                whole = every_outcome(partial(select_all, scores, k, words, _falling_noise))
                for plan in PLANS:
                    stages = [(max(k, prefix), opened) for prefix, opened in plan]
                    law = every_outcome(
                        partial(select_deferred, scores, k, words, _falling_noise, stages)
                    )
                    cases += 1
                    expect(law == whole, f"{scores}, k={k}, W={words}, {stages}")
    return f"m = 3: {cases} combinations of scores, k, words and stages, all outcomes"


@supports("ours:exact-gaps", method=Method.EXACT)
def gaps_choose_independently() -> str:
    """With geometric gaps every subset has its product probability."""
    cases = 0
    for chance in (Fraction(1, 2), Fraction(2, 7), Fraction(99, 100)):
        for m in range(1, 8):
            total = Fraction(0)
            for size in range(m + 1):
                for members in combinations(range(m), size):
                    law = subset_law(chance, members, m)
                    expect(law == chance**size * (1 - chance) ** (m - size), f"{members}")
                    total += law
                    cases += 1
            expect(total == 1, f"m={m}: {total}")
    return f"m <= 7: {cases} subsets, three chances"


def _answers_of_tree(m: int, bits: int, script: Script, tape: Tape) -> Transcript:
    tree = CountTree(m, bits, tape)
    return tuple(
        (item, tree.random_access(item)) if item else tree.sorted_access() for item in script
    )


def _answers_of_table(
    points: tuple[int, ...], order: tuple[int, ...], script: Script
) -> Transcript:
    """Return the answers of a table of points; equal points come in the given order of items."""
    ranked = sorted(order, key=lambda item: points[item - 1])
    answers = []
    for item in script:
        named = item or ranked.pop(0)
        answers.append((named, points[named - 1]))
    return tuple(answers)


@supports("ours:count-tree", "thm:oracle", method=Method.EXACT)
def count_tree_has_the_law_of_the_list() -> str:
    """For every script of queries the transcript has exactly the law of m uniform points."""
    cases = 0
    for m, bits, length in ((1, 2, 2), (2, 2, 3), (3, 1, 4), (3, 2, 3)):
        orders = list(permutations(range(1, m + 1)))
        for script in product(range(m + 1), repeat=length):
            if script.count(0) > m:
                continue
            law: dict[Transcript, Fraction] = {}
            for points in product(range(1 << bits), repeat=m):
                for order in orders:
                    answers = _answers_of_table(points, order, script)
                    weight = Fraction(1, (1 << bits * m) * len(orders))
                    law[answers] = law.get(answers, Fraction(0)) + weight
            cases += 1
            expect(
                every_outcome(partial(_answers_of_tree, m, bits, script)) == law, f"m={m}, {script}"
            )
    return f"m <= 3, up to 2 bits: {cases} scripts of up to 4 queries, all outcomes"
