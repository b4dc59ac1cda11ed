"""Checks of the noise oracles: the uniform permutation, Algorithm 4, the rank-free oracle."""

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import combinations, pairwise, permutations, product

import sympy

from privtopk.spec.model.access import Door, DualAccess, Entry
from privtopk.spec.model.tape import Tape, every_outcome, seeded_tape, tape_of
from privtopk.spec.model.values import Item, Position, items_of
from privtopk.spec.noise.distributions import Gumbel, Laplace, Noise
from privtopk.spec.noise.field import LazyNoise
from privtopk.spec.noise.online_oracle import OnlineOracle
from privtopk.spec.noise.permutation import LazyPermutation
from privtopk.spec.noise.rank_free import RankFreeOracle
from privtopk.spec.proofs.gate.registry import Method, expect, supports
from privtopk.spec.proofs.instruments.goodness import expect_rejected, uniform_enough

Script = tuple[int, ...]
"""Queries: 0 is a sorted access, i > 0 a random access to item i."""


def _scripts(m: int, length: int) -> Iterator[Script]:
    """Return every script with at most m sorted accesses."""
    return (s for s in product(range(m + 1), repeat=length) if s.count(0) <= m)


@supports("lem:permutation-and-independence", method=Method.EXACT)
def order_is_uniform_and_independent() -> str:
    """Given distinct i.i.d. noises, every order of the items is equally likely for any values."""
    weights = {0: Fraction(1, 2), 1: Fraction(1, 3), 4: Fraction(1, 8), 9: Fraction(1, 24)}
    cases = 0
    for m in (2, 3):
        for values in combinations(weights, m):
            mass: dict[tuple[int, ...], Fraction] = {}
            for noises in permutations(values):
                order = tuple(sorted(items_of(m), key=lambda i: -noises[i - 1]))
                probability = math.prod((weights[z] for z in noises), start=Fraction(1))
                mass[order] = mass.get(order, Fraction(0)) + probability
            cases += 1
            expect(len(mass) == math.factorial(m), f"{values}: an order is missing")
            expect(len(set(mass.values())) == 1, f"{values}: orders differ in probability")
    return f"m <= 3: {cases} sets of noise values with unequal probabilities"


@supports("thm:oracle", "lem:permutation-and-independence", method=Method.EXACT)
def lazy_permutation_is_uniform() -> str:
    """In whatever order positions and items are queried, all m! permutations are equally likely."""
    cases = 0
    for m in (1, 2, 3, 4):
        for sides in product("pi", repeat=m):
            law = every_outcome(partial(_reveal, m, sides))
            cases += 1
            expect(len(law) == math.factorial(m), f"{sides}: {len(law)} permutations")
            expect(set(law.values()) == {Fraction(1, math.factorial(m))}, f"{sides}: {law}")
    return f"m <= 4: {cases} ways to interleave the two queries, all outcomes"


def _reveal(m: int, sides: tuple[str, ...], tape: Tape) -> tuple[int, ...]:
    """Query position n or item m + 1 - n in step n; then return the whole permutation."""
    lazy = LazyPermutation(m, tape)
    for n, side in enumerate(sides, start=1):
        if side == "p":
            lazy.item_at(Position(n))
        else:
            lazy.position_of(Item(m + 1 - n))
    return tuple(lazy.item_at(Position(n)) for n in range(1, m + 1))


@supports("algo:online-sampling", "thm:oracle", "ours:rank-free", method=Method.ENUMERATION)
def both_doors_show_one_list() -> str:
    """For every script the two doors agree on one list: each item once, in descending order."""
    cases = 0
    for m, length in ((1, 2), (2, 4), (3, 5)):
        for seed, script in enumerate(_scripts(m, length)):
            for oracle in (
                OnlineOracle(m, Gumbel(2), seeded_tape(seed)),
                RankFreeOracle(m, Laplace(2), seeded_tape(seed)),
            ):
                cases += 1
                _play_and_compare(oracle, script)
    return f"m <= 3: {cases:,} scripts of up to 5 queries"


def _play_and_compare(oracle: DualAccess, script: Script) -> None:
    revealed: dict[Item, object] = {}
    delivered: list[Entry] = []
    for query in script:
        if query == 0:
            delivered.append(oracle.sorted_access())
            item, value = delivered[-1].item, delivered[-1].value
        else:
            item = Item(query)
            value = oracle.random_access(item)
        expect(
            revealed.setdefault(item, value) == value, f"{script}: item {item} changed its noise"
        )
    while len(delivered) < oracle.size:
        delivered.append(oracle.sorted_access())
    expect(len({entry.item for entry in delivered}) == oracle.size, f"{script}: an item twice")
    expect(all(a.value >= b.value for a, b in pairwise(delivered)), f"{script}: not descending")
    for entry in delivered:
        expect(
            revealed.get(entry.item, entry.value) == entry.value, f"{script}: the doors disagree"
        )


@supports("ours:rank-free", "ours:adaptive-stages", "ours:batched-exact", method=Method.SYMBOLIC)
def potential_is_the_joint_density() -> str:
    """Each transition multiplies the transcript's density by the ratio of the list's densities.

    With the set S of seen items, N unseen items and the frontier c, what has been revealed
    has the density prod_S e^(-E_i) * e^(-c N) in the list.
    """
    c, p, w, e, level = sympy.symbols("c p w e level", positive=True)
    n = sympy.symbols("n", integer=True, positive=True)

    def mass(frontier: sympy.Expr, unseen: sympy.Expr) -> sympy.Expr:
        return sympy.exp(-frontier * unseen)

    random_access = sympy.exp(-(e - c))
    expect(_are_equal(random_access, sympy.exp(-e) * mass(c, n - 1) / mass(c, n)), "random access")
    fresh = n * sympy.exp(-n * (w - c)) / n
    expect(_are_equal(fresh, sympy.exp(-w) * mass(w, n - 1) / mass(c, n)), "sorted access, unseen")
    pending = sympy.exp(-n * (p - c))
    expect(_are_equal(pending, mass(p, n) / mass(c, n)), "sorted access, pending")
    chance = 1 - sympy.exp(-(level - c))
    truncated = chance * sympy.exp(-(e - c)) / chance
    expect(
        _are_equal(
            truncated * sympy.exp(-(level - c)) ** (n - 1),
            sympy.exp(-e) * mass(level, n - 1) / mass(c, n),
        ),
        "opening to a level, one item found",
    )
    return "three transitions of the oracle and the opening of a stage, symbolic"


def _are_equal(first: sympy.Expr, second: sympy.Expr) -> bool:
    return bool(sympy.simplify(first / second) == 1)


@supports("ours:rank-free", method=Method.ENUMERATION)
def rank_free_code_makes_these_transitions() -> str:
    """The oracle applies the formulas of the transitions to the uniforms that it is given."""
    noise = Gumbel(1)
    u = (0.3, 0.9, 0.2, 0.6, 0.45, 0.7)
    oracle = RankFreeOracle(3, noise, tape_of(*u))
    first = -math.log(u[0])
    _expect_level(noise, oracle.random_access(Item(2)), first)
    fresh = -math.log(u[1]) / 2
    expect(fresh < first, "the script needs an unseen item first")
    entry = oracle.sorted_access()
    expect(entry.item == Item(1), f"the unseen items are 3, 1 in this order; got {entry.item}")
    _expect_level(noise, entry.value, fresh)
    later = fresh - math.log(u[3])
    expect(later < first, "the script needs the last unseen item before the pending one")
    _expect_level(noise, oracle.sorted_access().value, later)
    last = oracle.sorted_access()
    expect(last.item == Item(2), "the pending item comes last")
    _expect_level(noise, last.value, first)
    expect(oracle.ledger.count(Door.SORTED) == 3, "three items were delivered")
    _expect_a_fresh_minimum(noise)
    return "two scripts through every transition"


def _expect_a_fresh_minimum(noise: Noise) -> None:
    """Deliver a pending item while others are unseen: the minimum drawn for that is thrown away."""
    u = (0.8, 0.3, 0.4, 0.9, 0.5)
    oracle = RankFreeOracle(3, noise, tape_of(*u))
    pending = -math.log(u[0])
    _expect_level(noise, oracle.random_access(Item(2)), pending)
    expect(-math.log(u[1]) / 2 > pending, "the script needs the pending item first")
    entry = oracle.sorted_access()
    expect(entry.item == Item(2), f"the pending item comes first; got {entry.item}")
    _expect_level(noise, entry.value, pending)
    looked_up = pending - math.log(u[2])
    _expect_level(noise, oracle.random_access(Item(3)), looked_up)
    fresh = pending - math.log(u[3])
    expect(fresh < looked_up, "the script needs the last unseen item next")
    entry = oracle.sorted_access()
    expect(entry.item == Item(1), f"the last unseen item comes next; got {entry.item}")
    _expect_level(noise, entry.value, fresh)


def _expect_level(noise: Noise, value: object, level: float) -> None:
    expect(value == noise.from_exponential(level), f"{value} is not the noise at E = {level}")


@supports(
    "ours:rank-free", "thm:oracle", "lem:sampling-zj", method=Method.STATISTICAL, is_slow=True
)
def residuals_are_uniform() -> str:
    """Rank-hidden residuals of both oracles are uniform.

    Null hypothesis: i.i.d. uniform residuals. A seeded run has about 14,300 residuals per
    oracle in 32 cells. It is accepted if the chi-square stays below its 1 - 1e-9 quantile. A
    scale of E that is wrong by 20 % has noncentrality 397 against a quantile of 107 and is
    found with probability above 0.999; it is the negative control.
    """
    evidence = []
    for name, make in (("online", OnlineOracle), ("rank-free", RankFreeOracle)):
        residuals: list[float] = []
        for seed in range(2000):
            residuals.extend(_residuals(make(6, Gumbel(1), seeded_tape(seed)), seed))
        evidence.append(f"{name} {uniform_enough(residuals, 32, name)}")
        wrong = [u**1.2 for u in residuals]
        expect_rejected(partial(uniform_enough, wrong, 32, "control"))
    return "; ".join(evidence)


def _residuals(oracle: DualAccess, seed: int) -> Iterator[float]:
    """Yield the residuals of a fixed script of queries, i.i.d. uniform if the oracle is right."""
    coins = seeded_tape(10**6 + seed)
    frontier, unseen, pending = 0.0, oracle.size, dict[Item, float]()
    seen: set[Item] = set()
    for query in (0, 5, 2, 0, 0, 3, 0, 0):
        if query and Item(query) not in seen:
            level = math.exp(-float(oracle.random_access(Item(query))))
            yield math.exp(-(level - frontier))
            pending[Item(query)] = level
            seen.add(Item(query))
            unseen -= 1
        elif query == 0:
            entry = oracle.sorted_access()
            level = math.exp(-float(entry.value))
            survival = math.exp(-unseen * (level - frontier))
            if entry.item in seen:
                pending.pop(entry.item, None)
                yield survival * float(coins.uniform())
            else:
                yield survival
                seen.add(entry.item)
                unseen -= 1
            frontier = level


@supports("ours:adaptive-stages", "ours:batched-exact", method=Method.ENUMERATION)
def lazy_noise_makes_these_transitions() -> str:
    """Opening a lazy field to a level draws a Bernoulli subset with truncated exponentials."""
    noise = Gumbel(1)
    level = noise.from_exponential(0.5)
    chance = -math.expm1(-0.5)
    expect(abs(noise.survival(level) - chance) < 1e-15, "the chance is 1 - e^-1/2")
    gap = math.log1p(-chance)
    # A uniform e^(gap * n) skips floor(n) items: one is skipped, item 2 is in, the rest is out.
    u = (math.exp(1.5 * gap), 0.25, math.exp(5.5 * gap))
    field = LazyNoise(4, noise, tape_of(u[0], u[2], u[1], 0.5))
    found = field.above(level)
    expect([entry.item for entry in found] == [Item(2)], f"{found}")
    _expect_level(noise, found[0].value, -math.log1p(-chance * u[1]))
    rest = field.noise_of(Item(1))
    expect(
        abs(noise.to_exponential(float(rest)) - (0.5 - math.log(0.5))) < 1e-12,
        "a hidden item lies beyond the frontier by an exponential variable",
    )
    return "one subset of four items, its values and one beyond the frontier"
