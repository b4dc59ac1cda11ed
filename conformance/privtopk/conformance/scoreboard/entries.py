"""The entries of the scoreboard, and the libraries that were examined and left out."""

from functools import partial
from typing import Final

from privtopk.conformance.scoreboard.entry import LeftOut, ScoreboardEntry

LIBRARIES: Final = "python:privtopk.conformance.subjects.libraries."

EXPONENTIAL: Final = (
    "k choices by the exponential mechanism, which is noisy top-k with Gumbel noise"
)
FLIPS: Final = "k choices by permute-and-flip"
MONOTONIC_SENSITIVITY: Final = "sensitivity 1, and whether scores are monotonic"
PEELED: Final = (
    "it chooses one item per call: k calls with epsilon/k each, without the items chosen before"
)
EVERYTHING: Final = "every score, in each of k passes"

NOT_A_NUMBER: Final = """\
import math
from diffprivlib.mechanisms import {name}

choose = {name}(epsilon=math.nan, sensitivity=1, utility=[0, 1], monotonic=True)
print(sum(int(choose.randomise()) for _ in range(1000)), "of 1000 choices are the best item")
"""

OVERFLOW: Final = """\
from pipeline_dp.dp_computations import ExponentialMechanism

class Scores(ExponentialMechanism.ScoringFunction):
    global_sensitivity, is_monotonic = 1.0, True
    def score(self, k):
        return k

for scores in ([0, 709], [0, 710]):
    try:
        print(scores, "gives", ExponentialMechanism(Scores()).apply(1.0, scores))
    except ValueError as error:
        print(scores, "gives", error)
for epsilon in (0.0, -1.0):
    times = [ExponentialMechanism(Scores()).apply(epsilon, [0, 4]) for _ in range(1000)].count(4)
    print("epsilon", epsilon, "gives the best item", times, "times of 1000")
"""

NOT_POSITIVE: Final = """\
from snsynth.utils import exponential_mechanism

for epsilon in (0.0, -1.0):
    times = [int(exponential_mechanism([0, 4], epsilon)) for _ in range(1000)].count(1)
    print("epsilon", epsilon, "gives the best item", times, "times of 1000")
"""

LOST_NOISE: Final = """\
import math
from pydp.algorithms.numerical_mechanisms import LaplaceMechanism

noise = LaplaceMechanism(epsilon=1.6, sensitivity=1.0)
trials, first, second = 100_000, float(2**53 - 2), float(2**53 - 1)
leads = [noise.add_noise(second) - noise.add_noise(first) for _ in range(trials)]
print("second ahead", sum(lead > 0 for lead in leads), "tied", leads.count(0), "of", trials)
print("expected", round(trials * (1 - math.exp(-1.6) * (2 + 1.6) / 4)), "and 0")
"""

REVERSED: Final = """\
import warnings
import opendp.prelude as dp

warnings.simplefilter("ignore")
dp.enable_features("contrib")
space = dp.vector_domain(dp.atom_domain(T="i64")), dp.linf_distance(T="i64", monotonic=True)
choose = dp.m.make_report_noisy_max_gumbel(*space, scale=0.0)
print("without noise, of the scores [0, 1] it reports place", choose([0, 1]))
"""

opendp_entry = partial(
    ScoreboardEntry,
    package="opendp",
    neighbours="l-infinity distance 1: one client more or less if scores are monotonic, otherwise "
    "any change by at most 1",
    access=EVERYTHING,
    arithmetic="exact: rationals and random integers",
)
opendp_max_entry = partial(
    opendp_entry,
    address=f"{LIBRARIES}opendp:report_noisy_max",
    call="make_report_noisy_max_gumbel(vector_domain(i64), linf_distance, scale), deprecated; "
    + PEELED,
    law=FLIPS,
    calibration="OpenDP's privacy map",
)
diffprivlib_entry = partial(
    ScoreboardEntry,
    package="diffprivlib",
    neighbours=MONOTONIC_SENSITIVITY,
    calibration="diffprivlib: epsilon, halved if scores are not monotonic",
    access=EVERYTHING,
)
own_entry = partial(
    ScoreboardEntry,
    package="privtopk",
    law="noisy top-k with Gumbel or Laplace noise",
    neighbours="add-remove, swap, l-infinity",
)
engine_entry = partial(
    own_entry,
    calibration="privtopk",
    arithmetic="doubles: an item with a probability below 2^-1074 is never chosen",
)
example_entry = partial(
    own_entry,
    calibration="pure composition; delta is not used",
    arithmetic="doubles; scores and noises are compared by their differences",
)

ENTRIES: Final = (
    opendp_entry(
        name="OpenDP noisy top-k, zCDP",
        address=f"{LIBRARIES}opendp:exponential",
        call="make_noisy_top_k(vector_domain(i64, size=m), linf_distance, "
        "zero_concentrated_divergence, k, scale)",
        law=EXPONENTIAL,
        calibration="OpenDP's privacy map; a pure budget by its map for max divergence",
    ),
    opendp_entry(
        name="OpenDP noisy top-k, pure",
        address=f"{LIBRARIES}opendp:permute_and_flip",
        call="make_noisy_top_k(vector_domain(i64, size=m), linf_distance, max_divergence, k, "
        "scale)",
        law=FLIPS,
        calibration="OpenDP's privacy map",
    ),
    opendp_max_entry(name="OpenDP report noisy max"),
    opendp_max_entry(
        name="OpenDP report noisy max, old release",
        environment="opendp-0.15.1",
        minimal=REVERSED,
    ),
    diffprivlib_entry(
        name="diffprivlib Exponential",
        address=f"{LIBRARIES}diffprivlib:exponential",
        call=f"Exponential(epsilon, sensitivity=1, utility, monotonic).randomise(); {PEELED}",
        law=EXPONENTIAL,
        arithmetic="doubles: items after one with a share of at least 1 - 2^-53 of the weight are "
        "never chosen",
        minimal=NOT_A_NUMBER.format(name="Exponential"),
    ),
    diffprivlib_entry(
        name="diffprivlib PermuteAndFlip",
        address=f"{LIBRARIES}diffprivlib:permute_and_flip",
        call=f"PermuteAndFlip(epsilon, sensitivity=1, utility, monotonic).randomise(); {PEELED}",
        law=FLIPS,
        arithmetic="doubles: coins are flipped with uniforms of 53 bits",
        minimal=NOT_A_NUMBER.format(name="PermuteAndFlip"),
    ),
    ScoreboardEntry(
        name="pipeline-dp ExponentialMechanism",
        address=f"{LIBRARIES}pipeline_dp:exponential",
        package="pipeline-dp",
        call=f"ExponentialMechanism(scoring).apply(epsilon, places); {PEELED}",
        law=EXPONENTIAL,
        neighbours=MONOTONIC_SENSITIVITY,
        calibration="pipeline-dp: epsilon, halved if scores are not monotonic",
        access=EVERYTHING,
        arithmetic="doubles: the weight of a score overflows when score times epsilon exceeds 709",
        minimal=OVERFLOW,
    ),
    ScoreboardEntry(
        name="SmartNoise exponential_mechanism",
        address=f"{LIBRARIES}smartnoise:exponential",
        package="smartnoise-synth",
        call=f"snsynth.utils.exponential_mechanism(scores, epsilon, sensitivity=1.0); {PEELED}",
        law=EXPONENTIAL,
        neighbours="sensitivity 1",
        calibration="SmartNoise: half of epsilon, whatever the relation",
        access=EVERYTHING,
        arithmetic="doubles; random numbers from numpy's global generator",
        environment="smartnoise",
        minimal=NOT_POSITIVE,
    ),
    ScoreboardEntry(
        name="python-dp Laplace on every score",
        address=f"{LIBRARIES}python_dp:noisy_laplace",
        package="python-dp",
        call="LaplaceMechanism(epsilon, sensitivity=1.0).add_noise(score) for every score, as "
        "floats; the k largest as a set",
        law="noisy top-k with Laplace noise",
        neighbours="sensitivity 1 of a count",
        calibration="privtopk",
        access="every score",
        arithmetic="doubles: the sum of noise and a score near 2^53 loses fractions of a vote",
        minimal=LOST_NOISE,
    ),
    engine_entry(
        name="privtopk, default engine",
        address="python:privtopk.impl.subjects:automatic",
        call="top_k(source, k, epsilon, delta)",
        access="about 2 sqrt(mk) entries in the mean, from m = 10,000 on",
    ),
    engine_entry(
        name="privtopk, one-shot engine",
        address="python:privtopk.impl.subjects:one_shot",
        call='top_k(source, k, epsilon, delta, engine="one-shot")',
        access="every score, once",
    ),
    example_entry(
        name="privtopk, example in C",
        address="stdio:build/examples/subject",
        call="select_items(question, m, scores, coins, failure), over the wire",
        access="the rounds of the threshold algorithm, about 2 sqrt(mk) entries",
    ),
    example_entry(
        name="privtopk, example in JavaScript",
        address="stdio:node conformance/examples/node/adapter.mjs",
        call="select(m, doors, question), over the wire",
        access="about 2 sqrt(mk) entries in the mean, from m = 10,000 on",
    ),
    own_entry(
        name="privtopk, specification",
        address="python:privtopk.conformance.subjects.reference:spec_selector",
        call="private_threshold(scores, noises, k)",
        calibration="privtopk",
        access="the rounds of the threshold algorithm; its noise list is as long as the domain",
        arithmetic="doubles, as it is run here",
    ),
)

LEFT_OUT: Final = (
    LeftOut(
        "tmlt.core",
        "0.20.0",
        "Installs in an environment of its own. Its Gumbel argmax is part of a quantile and takes "
        "values, not scores of items.",
    ),
    LeftOut(
        "smartnoise-sql",
        "1.0.10",
        "Installs. It answers queries and has no function that selects.",
    ),
    LeftOut(
        "dpmm",
        "0.1.9",
        "Not installed: it requires opendp 0.12.1 and numpy 1.26.4. Its exponential mechanism is a "
        "method of its synthesizers.",
    ),
    LeftOut("mbi", "2.0.0", "Estimates marginals and has no function that selects."),
    LeftOut("autodp", "0.2.3.1", "Accounts for mechanisms and does not run them."),
    LeftOut("dp-accounting", "0.6.0", "Accounts for mechanisms and does not run them."),
)
