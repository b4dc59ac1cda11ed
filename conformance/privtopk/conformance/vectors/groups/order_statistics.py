"""Order statistics of uniforms and whole noise lists, driven by a tape.

An implementer who draws Beta variables in another way cannot use the tape-driven vectors; the
densities, the step between neighbours and the noise of a level serve everyone.
"""

import math
from collections.abc import Sequence
from typing import Any, Final

from privtopk.conformance.vectors.coins import WatchedCoins, endless_words
from privtopk.conformance.vectors.groups import densities, noise_lists
from privtopk.conformance.vectors.numbers import uniform
from privtopk.conformance.vectors.vector import Group, Tolerance, Vector
from privtopk.spec.model.tape import tape_of
from privtopk.spec.model.values import Position
from privtopk.spec.noise.gamma import gamma_variable, normal_variable
from privtopk.spec.noise.online_oracle import OrderStatistics
from privtopk.spec.noise.order_statistic import beta_shape, between, neighbouring_positions

OPERATIONS: Final = {
    "gamma": (
        "Draw a Gamma(shape) variable by Marsaglia and Tsang's method. d = shape - 1/3, "
        "c = 1/sqrt(9 d). An attempt takes two uniforms, x = sqrt(-2 ln u1) cos(2 pi u2), and "
        "v = (1 + c x)^3. If v <= 0 it ends there; else it takes a third uniform and returns d v "
        "if ln u3 < x^2/2 + d (1 - v + ln v). The tape is exactly as long as needed."
    ),
    "between": (
        "Return E_(j) from its neighbours E_l = `left_level` < E_r = `right_level` and from "
        "G_l ~ Gamma(j - l) and G_r ~ Gamma(r - j): with D = E_r - E_l it is "
        "E_l + ln(1 + (1 - e^-D) G_l / (e^-D G_l + G_r)). Without a left neighbour E_l = 0, "
        "without a right one E_r is infinite. If E_l = E_r the answer is E_r."
    ),
    "order-statistics": (
        "Reveal E_(j) = -ln U_(j) of m uniforms at the given positions, one after the other; "
        "position 1 is the largest uniform and the smallest E. A position that is known "
        "consumes nothing. Any other draws G_l ~ Gamma(j - l), then G_r ~ Gamma(r - j), as in "
        "`gamma`, and takes the step of `between`, l and r being the nearest positions revealed "
        "or the ends 0 and m + 1. The tape is exactly as long as needed."
    ),
    **noise_lists.OPERATIONS,
    **densities.OPERATIONS,
}

LEVELS: Final = Tolerance(
    2.0**-40,
    0.0,
    "Logarithms and cosines differ in the last digits between libraries, and a script adds up "
    "some of them; a wrong formula is off by far more.",
)


STEP: Final = Tolerance(
    2.0**-46, 0.0, "One step takes a few roundings; a form that cancels loses ten digits or more."
)


def gamma(identity: str, hunts: str, shape: int, words: Sequence[int] | int) -> Vector:
    """Return the vector of a Gamma variable, from given words or from a seed."""
    coins = WatchedCoins(endless_words(words) if isinstance(words, int) else words)
    value = gamma_variable(shape, coins.tape)
    return Vector(
        id=identity,
        operation="gamma",
        hunts=hunts,
        claims=("def:beta", "lem:sampling-zj"),
        input={"shape": shape, "uniforms": coins.read},
        intermediates={"attempts": attempts(shape, coins.read)},
        expected={"value": value},
        tolerance=LEVELS,
    )


def attempts(shape: int, words: Sequence[int]) -> list[dict[str, Any]]:
    """Return what each attempt of the rejection method computes from these words."""
    d = shape - 1 / 3
    left = list(map(uniform, words))
    made: list[dict[str, Any]] = []
    while left:
        x = normal_variable(tape_of(*left[:2]))
        v = (1 + x / math.sqrt(9 * d)) ** 3
        if v <= 0:
            made.append({"x": x, "v": v, "margin": None})
            left = left[2:]
        else:
            margin = x * x / 2 + d * (1 - v + math.log(v)) - math.log(left[2])
            made.append({"x": x, "v": v, "margin": margin})
            left = left[3:]
    return made


def step(
    identity: str,
    hunts: str,
    claims: tuple[str, ...],
    levels: tuple[float, float],
    gammas: tuple[float, float],
) -> Vector:
    """Return the vector of one step between two levels."""
    return Vector(
        id=identity,
        operation="between",
        hunts=hunts,
        claims=claims,
        input={
            "left_level": levels[0],
            "right_level": levels[1],
            "left_gamma": gammas[0],
            "right_gamma": gammas[1],
        },
        intermediates={"beta_variable": gammas[0] / (gammas[0] + gammas[1])},
        expected={"level": between(*levels, *gammas)},
        tolerance=STEP,
    )


def script(
    identity: str, hunts: str, claims: tuple[str, ...], m: int, positions: Sequence[int], seed: int
) -> Vector:
    """Return the vector of some positions, revealed one after the other."""
    coins = WatchedCoins(endless_words(seed))
    statistics = OrderStatistics(m, coins.tape)
    levels: dict[Position, float] = {}
    steps: list[dict[str, Any]] = []
    for number in positions:
        j, start = Position(number), len(coins.read)
        left, right = (j, j) if j in levels else neighbouring_positions(levels, j, m)
        levels[j] = statistics.at(j)
        steps.append(
            {"position": j, "level": levels[j], **_drawn(left, j, right, coins.read[start:])}
        )
    return Vector(
        id=identity,
        operation="order-statistics",
        hunts=hunts,
        claims=claims,
        input={"m": m, "positions": positions, "uniforms": coins.read},
        intermediates={"steps": steps},
        expected={"levels": [levels[Position(j)] for j in positions]},
        tolerance=LEVELS,
    )


def _drawn(left: Position, j: Position, right: Position, words: list[int]) -> dict[str, Any]:
    """Return the neighbours of a new position and the variables drawn for it."""
    if not words:
        return {"left": None, "right": None, "shapes": None, "gammas": None, "consumed": 0}
    right_shape, left_shape = beta_shape(left, j, right)
    tape = tape_of(*map(uniform, words))
    gammas = [gamma_variable(left_shape, tape), gamma_variable(right_shape, tape)]
    return {
        "left": left,
        "right": right,
        "shapes": [left_shape, right_shape],
        "gammas": gammas,
        "consumed": len(words),
    }


def group() -> Group:
    """Return all order statistics."""
    return Group(
        name="order-statistics",
        task=(
            "Compute the order statistics of uniforms, or the noise list, from the tape and "
            "compare the values. Who draws Beta variables in another way leaves out `gamma`, "
            "`order-statistics` and `online-oracle`."
        ),
        operations=OPERATIONS,
        vectors=(
            *_gammas(),
            *_steps(),
            *_scripts(),
            *_huge_scripts(),
            *noise_lists.noise_lists(),
            *densities.densities(),
        ),
    )


def _gammas() -> tuple[Vector, ...]:
    # u1 = e^-4.5 and u2 = 1/2 make x = -3, so that v <= 0 for shape 1.
    negative = [round(math.exp(-4.5) * 2**52), 2**51]
    good = [2**51, 2**50, 2**51]
    # x = 3 is accepted with small probability only, and u3 is close to 1.
    unlikely = [round(math.exp(-4.5) * 2**52), 0, 2**52 - 1]
    return (
        gamma("gamma-of-shape-one", "Taking shape for d, without the third.", 1, 21),
        gamma("gamma-of-shape-seven", "Using sqrt(d)/3 for 1/sqrt(9 d).", 7, 22),
        gamma(
            "gamma-negative-cube",
            "Taking the third uniform, or the logarithm of a negative number, though v <= 0.",
            1,
            [*negative, *good],
        ),
        gamma(
            "gamma-rejected",
            "Accepting every attempt: the law is then that of a cube of a normal variable.",
            1,
            [*unlikely, *good],
        ),
        gamma("gamma-of-large-shape", "Losing the third in a single-precision shape.", 2**30, 24),
    )


def _steps() -> tuple[Vector, ...]:
    claims = ("thm:beta-form", "lem:sampling-zj")
    inf = math.inf
    return (
        step(
            "between-ends",
            "Exchanging the two Gamma variables.",
            claims,
            (0.0, inf),
            (2.0, 3.0),
        ),
        step(
            "between-left-only",
            "Forgetting to add the level of the left neighbour.",
            claims,
            (0.5, inf),
            (1.0, 4.0),
        ),
        step(
            "between-right-only",
            "Treating a position without a predecessor as if nothing were known.",
            (*claims, "erratum:no-predecessor"),
            (0.0, 0.75),
            (2.0, 1.0),
        ),
        step(
            "between-both",
            "Leaving out + u_r, as printed: the value is then not between its neighbours.",
            (*claims, "erratum:beta-shift"),
            (-math.log(0.9), -math.log(0.5)),
            (1.0, 1.0),
        ),
        step(
            "between-near-the-top",
            "Computing with U = 1 - V, which is 1 for the largest of 2^50 uniforms.",
            claims,
            (0.0, inf),
            (1.3, 2.0**50),
        ),
        step(
            "between-close-neighbours",
            "Subtracting two uniforms that agree in their first digits.",
            claims,
            (2.0**-40, 2.0**-40 + 2.0**-80),
            (3.0, 5.0),
        ),
        step(
            "between-far-apart",
            "Overflowing, or losing the answer, when e^-D is 0.",
            claims,
            (1.0, 1000.0),
            (1.0, 1.0),
        ),
        step(
            "between-tied-neighbours",
            "Dividing 0 by 0 when rounding has made the neighbours equal.",
            ("erratum:feasible",),
            (0.25, 0.25),
            (1.0, 2.0),
        ),
    )


def _scripts() -> tuple[Vector, ...]:
    claims = ("lem:sampling-zj", "thm:conditional-order-statistics", "thm:beta-form")
    return (
        script("order-single", "Failing for m = 1.", claims, 1, (1,), 31),
        script(
            "order-no-neighbour",
            "Exchanging the parameters of the Beta law, so that position j follows m + 1 - j.",
            claims,
            9,
            (2,),
            32,
        ),
        script(
            "order-left-neighbour",
            "Drawing a position below all revealed ones as if the last one, m, were the end.",
            (*claims, "erratum:feasible"),
            6,
            (2, 5),
            33,
        ),
        script(
            "order-right-neighbour",
            "Assuming that a position below the largest revealed one has a predecessor.",
            (*claims, "erratum:no-predecessor"),
            10,
            (7, 1),
            34,
        ),
        script(
            "order-both-neighbours",
            "Leaving out the shift of case 3.",
            (*claims, "erratum:beta-shift"),
            3,
            (1, 3, 2),
            35,
        ),
        script(
            "order-nearest-neighbours",
            "Conditioning on any revealed position instead of the nearest ones.",
            claims,
            20,
            (3, 18, 10, 5, 12, 11),
            36,
        ),
        script(
            "order-repeated",
            "Drawing a known position again, or consuming coins for it.",
            claims,
            4,
            (2, 2, 3, 2, 3, 1),
            37,
        ),
        script("order-from-the-top", "Counting positions from 0.", claims, 6, range(1, 7), 38),
        script(
            "order-from-the-bottom",
            "Letting position 1 be the smallest uniform.",
            claims,
            6,
            range(6, 0, -1),
            39,
        ),
        script(
            "order-from-the-middle",
            "Having right marginal laws only: all positions drawn independently.",
            (*claims, "erratum:marginal-law"),
            7,
            (4, 2, 6, 1, 3, 5, 7),
            40,
        ),
    )


def _huge_scripts() -> tuple[Vector, ...]:
    claims = ("lem:sampling-zj", "thm:conditional-order-statistics")
    m = 2**50
    return (
        script(
            "order-top-of-a-million",
            "Using 1 - Beta(m, 1), which loses the digits of the first positions.",
            claims,
            10**6,
            (1, 2, 3, 10**6),
            41,
        ),
        script(
            "order-top-of-2-to-the-50",
            "Keeping U instead of E = -ln U: the first become 1 and their noise infinite.",
            claims,
            m,
            (1, 3, 2),
            42,
        ),
        script(
            "order-bottom-of-2-to-the-50",
            "Keeping positions in doubles or in 32 bits.",
            claims,
            m,
            (m, m - 1),
            43,
        ),
    )
