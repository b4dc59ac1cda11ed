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
from privtopk.conformance.vectors.tables import Cases, Solution, vectors_of
from privtopk.conformance.vectors.vector import Group, Tolerance
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


def draw_gamma(shape: int, words: Sequence[int] | int) -> Solution:
    """Draw a Gamma variable from given words, or from those of a seed."""
    coins = WatchedCoins(endless_words(words) if isinstance(words, int) else words)
    value = gamma_variable(shape, coins.tape)
    return Solution(
        input={"shape": shape, "uniforms": coins.read},
        intermediates={"attempts": attempts(shape, coins.read)},
        expected={"value": value},
        claims=("def:beta", "lem:sampling-zj"),
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


def step_between(
    left_level: float, right_level: float, left_gamma: float, right_gamma: float
) -> Solution:
    """Take one step between two levels."""
    return Solution(
        intermediates={"beta_variable": left_gamma / (left_gamma + right_gamma)},
        expected={"level": between(left_level, right_level, left_gamma, right_gamma)},
        tolerance=STEP,
    )


def reveal(m: int, positions: Sequence[int], seed: int) -> Solution:
    """Reveal some positions one after the other."""
    coins = WatchedCoins(endless_words(seed))
    statistics = OrderStatistics(m, coins.tape)
    levels: dict[Position, float] = {}
    steps: list[dict[str, Any]] = []
    for number in positions:
        j, start = Position(number), len(coins.read)
        left, right = (j, j) if j in levels else neighbouring_positions(levels, j, m)
        levels[j] = statistics.at(j)
        steps.append(
            {"position": j, "level": levels[j], **_variables(left, j, right, coins.read[start:])}
        )
    return Solution(
        input={"m": m, "positions": positions, "uniforms": coins.read},
        intermediates={"steps": steps},
        expected={"levels": [levels[Position(j)] for j in positions]},
        tolerance=LEVELS,
    )


def _variables(left: Position, j: Position, right: Position, words: list[int]) -> dict[str, Any]:
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
            *vectors_of("gamma", draw_gamma, GAMMAS),
            *vectors_of("between", step_between, STEPS),
            *vectors_of("order-statistics", reveal, SCRIPTS),
            *noise_lists.vectors(),
            *densities.vectors(),
        ),
    )


BETA: Final = ("thm:beta-form", "lem:sampling-zj")
CONDITIONAL: Final = ("lem:sampling-zj", "thm:conditional-order-statistics")
LAW: Final = (*CONDITIONAL, "thm:beta-form")
NO_PREDECESSOR: Final = "erratum:no-predecessor"
SHIFT: Final = "erratum:beta-shift"
FEASIBLE: Final = "erratum:feasible"

INFINITE: Final = math.inf
HUGE: Final = 2**50

ACCEPTED: Final = [2**51, 2**50, 2**51]
NEGATIVE: Final = [round(math.exp(-4.5) * 2**52), 2**51]
"""u1 = e^-4.5 and u2 = 1/2 make x = -3, so that v <= 0 for shape 1."""
UNLIKELY: Final = [round(math.exp(-4.5) * 2**52), 0, 2**52 - 1]
"""x = 3 is accepted with small probability only, and u3 is close to 1."""

# fmt: off
GAMMAS: Final[Cases] = (
    ("id",                   "shape", "words", "hunts"),
    ("gamma-of-shape-one",   1,       21,
     "Taking shape for d, without the third."),
    ("gamma-of-shape-seven", 7,       22,
     "Using sqrt(d)/3 for 1/sqrt(9 d)."),
    ("gamma-negative-cube",  1,       [*NEGATIVE, *ACCEPTED],
     "Taking the third uniform, or the logarithm of a negative number, though v <= 0."),
    ("gamma-rejected",       1,       [*UNLIKELY, *ACCEPTED],
     "Accepting every attempt: the law is then that of a cube of a normal variable."),
    ("gamma-of-large-shape", 2**30,   24,
     "Losing the third in a single-precision shape."),
)

STEPS: Final[Cases] = (
    ("id", "left_level", "right_level", "left_gamma", "right_gamma", "claims", "hunts"),
    ("between-ends", 0.0, INFINITE, 2.0, 3.0, BETA,
     "Exchanging the two Gamma variables."),
    ("between-left-only", 0.5, INFINITE, 1.0, 4.0, BETA,
     "Forgetting to add the level of the left neighbour."),
    ("between-right-only", 0.0, 0.75, 2.0, 1.0, (*BETA, NO_PREDECESSOR),
     "Treating a position without a predecessor as if nothing were known."),
    ("between-both", -math.log(0.9), -math.log(0.5), 1.0, 1.0, (*BETA, SHIFT),
     "Leaving out + u_r, as printed: the value is then not between its neighbours."),
    ("between-near-the-top", 0.0, INFINITE, 1.3, 2.0**50, BETA,
     "Computing with U = 1 - V, which is 1 for the largest of 2^50 uniforms."),
    ("between-close-neighbours", 2.0**-40, 2.0**-40 + 2.0**-80, 3.0, 5.0, BETA,
     "Subtracting two uniforms that agree in their first digits."),
    ("between-far-apart", 1.0, 1000.0, 1.0, 1.0, BETA,
     "Overflowing, or losing the answer, when e^-D is 0."),
    ("between-tied-neighbours", 0.25, 0.25, 1.0, 2.0, (FEASIBLE,),
     "Dividing 0 by 0 when rounding has made the neighbours equal."),
)

SCRIPTS: Final[Cases] = (
    ("id", "m", "positions", "seed", "claims", "hunts"),
    ("order-single", 1, (1,), 31, LAW, "Failing for m = 1."),
    ("order-no-neighbour", 9, (2,), 32, LAW,
     "Exchanging the parameters of the Beta law, so that position j follows m + 1 - j."),
    ("order-left-neighbour", 6, (2, 5), 33, (*LAW, FEASIBLE),
     "Drawing a position below all revealed ones as if the last one, m, were the end."),
    ("order-right-neighbour", 10, (7, 1), 34, (*LAW, NO_PREDECESSOR),
     "Assuming that a position below the largest revealed one has a predecessor."),
    ("order-both-neighbours", 3, (1, 3, 2), 35, (*LAW, SHIFT),
     "Leaving out the shift of case 3."),
    ("order-nearest-neighbours", 20, (3, 18, 10, 5, 12, 11), 36, LAW,
     "Conditioning on any revealed position instead of the nearest ones."),
    ("order-repeated", 4, (2, 2, 3, 2, 3, 1), 37, LAW,
     "Drawing a known position again, or consuming coins for it."),
    ("order-from-the-top", 6, (1, 2, 3, 4, 5, 6), 38, LAW, "Counting positions from 0."),
    ("order-from-the-bottom", 6, (6, 5, 4, 3, 2, 1), 39, LAW,
     "Letting position 1 be the smallest uniform."),
    ("order-from-the-middle", 7, (4, 2, 6, 1, 3, 5, 7), 40, (*LAW, "erratum:marginal-law"),
     "Having right marginal laws only: all positions drawn independently."),
    ("order-top-of-a-million", 10**6, (1, 2, 3, 10**6), 41, CONDITIONAL,
     "Using 1 - Beta(m, 1), which loses the digits of the first positions."),
    ("order-top-of-2-to-the-50", HUGE, (1, 3, 2), 42, CONDITIONAL,
     "Keeping U instead of E = -ln U: the first become 1 and their noise infinite."),
    ("order-bottom-of-2-to-the-50", HUGE, (HUGE, HUGE - 1), 43, CONDITIONAL,
     "Keeping positions in doubles or in 32 bits."),
)
# fmt: on
