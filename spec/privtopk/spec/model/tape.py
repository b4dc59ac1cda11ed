"""Randomness as an explicit argument, so that every algorithm can be replayed.

A tape supplies the random numbers of one run. `UniformTape` reads given uniforms, so a run
is a function of its input. `every_outcome` runs an algorithm once per sequence of its finite
choices and returns the exact law of its output.

Paper: fact:inversion.
"""

import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate
from typing import Protocol, TypeVar

from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.values import Number

Output = TypeVar("Output")


class Tape(Protocol):
    """The random numbers of one run."""

    def uniform(self) -> Number:
        """Return a uniform number strictly between 0 and 1."""

    def choose(self, weights: Sequence[Number]) -> int:
        """Return an index with probability proportional to its weight."""

    def below(self, n: int) -> int:
        """Return a uniform integer in 0, ..., n - 1."""

    def subset(self, n: int, probability: Number) -> tuple[int, ...]:
        """Return a subset of 0, ..., n - 1: each number independently with this probability."""


@dataclass(slots=True)
class UniformTape:
    """A tape that reads its uniforms, in order, from an iterator."""

    uniforms: Iterator[Number]

    def uniform(self) -> Number:
        """Return the next uniform; raise if it lies outside (0, 1) or if there is none."""
        for value in self.uniforms:
            if not 0 < value < 1:
                raise SelectionError(
                    Reason.PROBABILITY_OUT_OF_RANGE,
                    f"a uniform must be strictly between 0 and 1, got {value}",
                )
            return value
        raise SelectionError(Reason.TAPE_EXHAUSTED, "the tape has no more uniforms")

    def choose(self, weights: Sequence[Number]) -> int:
        """Return the first index whose cumulated weight exceeds u times the total."""
        cumulated = list(accumulate(weights))
        target = self.uniform() * cumulated[-1]
        for index, bound in enumerate(cumulated):
            if target < bound:
                return index
        return max(index for index, weight in enumerate(weights) if weight > 0)

    def below(self, n: int) -> int:
        """Return floor(u * n), in exact arithmetic.

        With uniforms of b bits the probabilities are off by at most n / 2^b.
        """
        return math.floor(Fraction(self.uniform()) * n)

    def subset(self, n: int, probability: Number) -> tuple[int, ...]:
        """Return a Bernoulli subset by skipping geometric gaps, with one uniform per member."""
        chance = float(probability)
        if chance <= 0:
            return ()
        if chance >= 1:
            return tuple(range(n))
        members: list[int] = []
        index = -1
        while True:
            gap = math.log(self.uniform()) / math.log1p(-chance)
            # Compare before rounding: for a tiny chance the gap is infinite.
            if gap >= n - index - 1:
                return tuple(members)
            index += 1 + math.floor(gap)
            members.append(index)


def seeded_tape(seed: int) -> UniformTape:
    """Return an endless tape for tests: (2n + 1) / 2^53 for pseudo-random n < 2^52."""
    generator = random.Random(seed)

    def uniforms() -> Iterator[Number]:
        while True:
            yield (2 * generator.getrandbits(52) + 1) / 2**53

    return UniformTape(uniforms())


def tape_of(*uniforms: Number) -> UniformTape:
    """Return a tape of exactly these uniforms."""
    return UniformTape(iter(uniforms))


@dataclass(slots=True)
class ChoiceTape:
    """A tape of finite choices: it replays a given path and then takes the first branch.

    It records every branching, so that `every_outcome` can visit the others.
    """

    path: tuple[int, ...]
    taken: list[int] = field(default_factory=list)
    branchings: list[tuple[Fraction, ...]] = field(default_factory=list)

    def uniform(self) -> Number:
        """Raise: a continuous draw has no finite list of outcomes."""
        raise SelectionError(Reason.WRONG_TYPE, "a tape of finite choices serves no uniforms")

    def choose(self, weights: Sequence[Number]) -> int:
        """Return the branch that the path names, or the first possible one beyond its end."""
        exact = tuple(Fraction(weight) for weight in weights)
        total = sum(exact)
        depth = len(self.taken)
        if depth < len(self.path):
            index = self.path[depth]
        else:
            index = next(i for i, weight in enumerate(exact) if weight > 0)
        self.taken.append(index)
        self.branchings.append(tuple(weight / total for weight in exact))
        return index

    def below(self, n: int) -> int:
        """Return one of n equally likely branches."""
        return self.choose((1,) * n)

    def subset(self, n: int, probability: Number) -> tuple[int, ...]:
        """Return a Bernoulli subset, with one branching per number."""
        return tuple(i for i in range(n) if self.choose((1 - probability, probability)) == 1)


def every_outcome(run: Callable[[Tape], Output]) -> dict[Output, Fraction]:
    """Return the exact output law of an algorithm that makes finitely many finite choices."""
    law: dict[Output, Fraction] = {}
    pending: list[tuple[int, ...]] = [()]
    while pending:
        path = pending.pop()
        tape = ChoiceTape(path)
        output = run(tape)
        probability = Fraction(1)
        for depth, (index, branching) in enumerate(zip(tape.taken, tape.branchings, strict=True)):
            probability *= branching[index]
            if depth >= len(path):
                pending.extend(
                    (*tape.taken[:depth], other)
                    for other, weight in enumerate(branching)
                    if other != index and weight > 0
                )
        law[output] = law.get(output, Fraction(0)) + probability
    return law
