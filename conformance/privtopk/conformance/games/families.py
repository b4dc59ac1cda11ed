"""The games: three families of our own theorems, and the three of the paper as printed.

S1 and the paper's Theorem 5.1 allow random access only, and follow from accuracy alone. S2 allows
sorted access only and follows from privacy alone; Theorem 5.3 needs both promises. S3 and Theorem
5.4 leave both doors open. The paper's families need sizes with certain divisors; ours do not.
"""

import math
from fractions import Fraction
from functools import lru_cache
from typing import Final

from privtopk.conformance.games.game import Floor, Game, Instance, Promise, Stakes
from privtopk.conformance.games.sizes import best_sizes
from privtopk.spec.lower_bounds.certificate import Certificate, certificate
from privtopk.spec.lower_bounds.hard_families import (
    HardInstance,
    draw_instance,
    draw_printed_both_access,
    draw_printed_random_access,
    draw_printed_sorted_access,
    draw_random_access,
    draw_sorted_access,
    printed_both_sizes,
    printed_sorted_sizes,
)
from privtopk.spec.lower_bounds.printed_certificates import (
    printed_random_sum,
    printed_sorted_product,
)
from privtopk.spec.lower_bounds.theorems import (
    random_access_sum,
    sorted_access_product,
    sorted_low_size,
)
from privtopk.spec.model.access import Door
from privtopk.spec.model.parameters import require_loss
from privtopk.spec.model.tape import Tape

SCANNED: Final = Stakes(1_000, 4)
"""The usual stakes of games in which nearly all of m items must be read."""

SKIMMED: Final = Stakes(10_000, 4)
"""The usual stakes of games in which about sqrt(mk) items must be read.

The size is the smallest at which a batched selector promises its cost.
"""


def shrinkage(stakes: Stakes) -> Fraction:
    """Return e^-epsilon."""
    return Fraction(math.exp(-float(require_loss(stakes.epsilon))))


def with_neighbour(drawn: HardInstance) -> Instance:
    """Return the neighbour as the hard input, together with its base."""
    return Instance(drawn.neighbour, drawn.base, drawn.low)


class RandomOnly(Game):
    """k items with votes among zeros, with random access only."""

    name = "S1"
    title = "random access only: n votes on k random items, 0 elsewhere"
    closed = Door.SORTED
    promises = (Promise.ACCURACY,)
    claims = ("ours:lower-random",)
    defaults = SCANNED
    spare = 1

    def floor(self, stakes: Stakes) -> Floor:
        """Return the sum of S1, in which at most m accesses count."""
        bound = random_access_sum(stakes.m, stakes.k, stakes.beta)
        return Floor(float(bound), stakes.m)

    def draw(self, stakes: Stakes, n: int, tape: Tape) -> Instance:
        """Draw the k items."""
        return Instance(draw_random_access(stakes.m, stakes.k, n, tape))


class PrintedRandomOnly(RandomOnly):
    """The paper's input against random access: a coin per item decides whether it is high."""

    name = "thm-5.1"
    title = "random access only: n votes on each item with probability 2k/m"
    claims = ("thm:lower-random",)

    def floor(self, stakes: Stakes) -> Floor:
        """Return the sum that the paper's input certifies."""
        return Floor(printed_random_sum(stakes.m, stakes.k, stakes.beta), stakes.m)

    def draw(self, stakes: Stakes, n: int, tape: Tape) -> Instance:
        """Toss the coins."""
        return Instance(draw_printed_random_access(stakes.m, stakes.k, n, tape))


class SortedOnly(Game):
    """Tied items, of which all but a random low set get a vote, with sorted access only."""

    name = "S2"
    title = "sorted access only: one vote more on all but a random low set"
    closed = Door.RANDOM
    promises = (Promise.PRIVACY,)
    claims = ("ours:lower-sorted",)
    defaults = SCANNED
    spare = 2

    def floor(self, stakes: Stakes) -> Floor:
        """Return the product of S2: all m - a others come before the first low item."""
        m, k, delta = stakes.m, stakes.k, stakes.delta
        bound = sorted_access_product(m, k, shrinkage(stakes), delta)
        return Floor(float(bound), m - sorted_low_size(m, k, delta) + 1)

    def draw(self, stakes: Stakes, n: int, tape: Tape) -> Instance:
        """Draw the low set."""
        return with_neighbour(draw_sorted_access(stakes.m, stakes.k, stakes.delta, n, tape))


class PrintedSortedOnly(Game):
    """The paper's input against sorted access: S is the first half of the items."""

    name = "thm-5.3"
    title = "sorted access only: S = the first m/2 items, 1/k of them low"
    closed = Door.RANDOM
    promises = (Promise.PRIVACY, Promise.ACCURACY)
    claims = ("thm:lower-sorted", "lem:report-low-items")
    defaults = SCANNED
    spare = 2

    def floor(self, stakes: Stakes) -> Floor:
        """Return the product that the paper's input certifies."""
        s, a = printed_sorted_sizes(stakes.m, stakes.k)
        bound = printed_sorted_product(
            stakes.m, stakes.k, shrinkage(stakes), stakes.delta, stakes.beta
        )
        return Floor(float(bound), s - a + 1)

    def draw(self, stakes: Stakes, n: int, tape: Tape) -> Instance:
        """Draw the low set."""
        return with_neighbour(draw_printed_sorted_access(stakes.m, stakes.k, n, tape))


class BothDoors(Game):
    """A random set S on top, with a random part of it one vote behind, and both doors open."""

    name = "S3"
    title = "both doors: a random set S on top, a random part of it one vote behind"
    closed = None
    promises = (Promise.PRIVACY, Promise.ACCURACY)
    claims = ("ours:certificate", "ours:lower-both")
    defaults = SKIMMED
    spare = 2

    def certificate(self, stakes: Stakes) -> Certificate:
        """Return the certificate with the largest bound on counted costs, and its sizes."""
        return searched_certificate(stakes)

    def floor(self, stakes: Stakes) -> Floor:
        """Return the bound of the certificate, in which at most s - a + 1 accesses count."""
        found = self.certificate(stakes)
        return Floor(found.bound, found.size - found.low_size + 1)

    def draw(self, stakes: Stakes, n: int, tape: Tape) -> Instance:
        """Draw both sets, with the sizes of the certificate."""
        found = self.certificate(stakes)
        return with_neighbour(draw_instance(stakes.m, found.size, found.low_size, n, tape))


@lru_cache(maxsize=64)
def searched_certificate(stakes: Stakes) -> Certificate:
    """Return the certificate that a search over sizes finds, and cache it."""
    return best_sizes(stakes.m, stakes.k, stakes.epsilon, stakes.delta, stakes.beta)


class PrintedBothDoors(BothDoors):
    """The paper's input against both doors, with the paper's sizes."""

    name = "thm-5.4"
    title = "both doors: |S| = sqrt(mk), 1/k of it low, as printed"
    claims = ("thm:lower-both", "ours:certificate")

    def certificate(self, stakes: Stakes) -> Certificate:
        """Return the certificate at the paper's sizes."""
        s, a = printed_both_sizes(stakes.m, stakes.k)
        return certificate(stakes.m, stakes.k, s, a, stakes.epsilon, stakes.delta, stakes.beta)

    def draw(self, stakes: Stakes, n: int, tape: Tape) -> Instance:
        """Draw both sets."""
        return with_neighbour(draw_printed_both_access(stakes.m, stakes.k, n, tape))


GAMES: Final[tuple[Game, ...]] = (
    RandomOnly(),
    SortedOnly(),
    BothDoors(),
    PrintedRandomOnly(),
    PrintedSortedOnly(),
    PrintedBothDoors(),
)
