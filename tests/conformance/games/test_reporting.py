"""Facts about the outcomes of games as text and as JSON."""

import io
import json
from dataclasses import replace
from typing import Any

import pytest
from rich.console import Console

from privtopk.conformance.evidence.confidence import Interval
from privtopk.conformance.games.game import Promise
from privtopk.conformance.games.outcome import HYPOTHESES, GameEvidence, GameOutcome, Rate, Standing
from privtopk.conformance.games.reporting import (
    exit_code,
    games_json,
    print_games,
    verdict_sentence,
)

SEEN = GameEvidence(
    cost=Interval(4.0, 3.5, 4.5),
    counted=Interval(4.0, 3.25, 23.75),
    errors=Rate(0, 192, 0.0, 0.1),
    base_hits=Rate(79, 96, 0.5, 1.0),
    neighbour_hits=Rate(0, 96, 0.0, 0.2),
    epsilon=1.05,
    unread=0,
    tolerances={"errors": "a mean of 0.1 where 0.01 is allowed"},
)
REFUTED = GameOutcome(
    game="S3",
    title="both doors: a title",
    address="python:some.module:cheap",
    subject="cheap",
    doors=("sorted", "random"),
    m=10_000,
    k=4,
    epsilon=0.1,
    delta=0.0,
    beta=0.01,
    alpha=582,
    n=584,
    certificate=52.24,
    horizon=114,
    upper_bound=None,
    verdict=Standing.REFUTED,
    broken=(Promise.PRIVACY,),
    is_too_cheap=True,
    is_forced=False,
    message="",
    seen=SEEN,
    trials=96,
    seconds=1.25,
    level=1e-7,
    claims=("ours:lower-random",),
    hypotheses=HYPOTHESES,
    seed=0,
    again="privtopk-conformance play python:some.module:cheap --game S3 --seed 0",
    version="1.0",
    date="2026-01-02T03:04:05+00:00",
)
WITHIN = replace(
    REFUTED,
    verdict=Standing.WITHIN,
    broken=(),
    is_too_cheap=False,
    upper_bound=400.4,
    trials=192,
    seen=replace(SEEN, cost=Interval(206.5, 200.0, 213.0), counted=Interval(114.0, 108.0, 114.0)),
)
DECLINED = replace(
    REFUTED,
    game="S1",
    doors=("random",),
    m=1000,
    certificate=790.81,
    verdict=Standing.DECLINED,
    broken=(),
    is_too_cheap=False,
    message="it needs sorted access",
    seen=None,
    seconds=0.0,
)
UNDECIDED = replace(
    WITHIN,
    verdict=Standing.UNDECIDED,
    message="shown neither",
    seen=replace(SEEN, cost=Interval(60.0, 50.0, 70.0), counted=Interval(55.0, 45.0, 65.0)),
)
HOLDS = (
    "The bounds hold if no item has more than n votes; ties come in the order of the items, "
    "whatever the votes are; every returned item was read; if not, the cost of reading it is "
    "added."
)
CLAIM = (
    "  claim     Theorem S1 (ours:lower-random): Random access only, accuracy n - 1 with "
    "probability 1 - beta: the mean cost is at least m (1 - beta)^2 / 2. The algorithm returns "
    "only items that it has read, and the mean is over a random input."
)
PROMISED = (
    "  promised  epsilon=0.1 and delta=0; no item more than 582 votes behind the k-th best, "
    "with probability 0.99"
)
AGAIN = "  again     privtopk-conformance play python:some.module:cheap --game S3 --seed 0"


def printed_lines(*outcomes: GameOutcome) -> list[str]:
    """Return the lines printed on a terminal of 80 columns."""
    stream = io.StringIO()
    print_games(outcomes, Console(file=stream, width=80))
    return [line.rstrip() for line in stream.getvalue().splitlines()]


def test_the_whole_report() -> None:
    """One row per game; then declined games, and the details of a refuted one."""
    assert printed_lines(DECLINED, REFUTED) == [
        "python:some.module:cheap",
        "game  open         m  k  plays  cost  at least  at most  verdict",
        "S1    random   1,000  4      –     –     790.8        –  declined",
        "S3    both    10,000  4     96   4.0      52.2        –  refuted: privacy",
        "",
        "declined  S1: it needs sorted access",
        "",
        "refuted  S3: both doors: a title",
        PROMISED,
        "  cost      4.0 accesses on average; with at most 114 counted per play, between 3.2 and "
        "23.8: too cheap, keeping the promises costs at least 52.2",
        "  accuracy  not seen to be broken: 0 of 192 answers are inaccurate; a rate of 0.01 is "
        "promised",
        "  privacy   broken: a low item is returned in 79 of 96 plays on the base and in 0 of 96 "
        "on its neighbour, which shows an epsilon above 1.05; 0.1 is promised",
        CLAIM,
        AGAIN,
        "",
        HOLDS,
        "cheap is refuted by S3 (privacy); 1 declined, 1.25 s.",
    ]


def test_the_report_on_a_right_selector() -> None:
    """The table has its lower and upper bound, and there is nothing to explain."""
    assert printed_lines(WITHIN) == [
        "python:some.module:cheap",
        "game  open       m  k  plays   cost  at least  at most  verdict",
        "S3    both  10,000  4    192  206.5      52.2    400.4  within bounds",
        "",
        "",
        HOLDS,
        "cheap plays within its bounds: S3; 0 declined, 1.25 s.",
    ]


def line_about(outcome: GameOutcome, name: str) -> str:
    """Return the text of one line of the paragraph on a game."""
    (line,) = (line for line in printed_lines(outcome) if line.startswith(f"  {name:<10}"))
    return line[12:]


def test_what_only_the_theorem_says() -> None:
    """The report says that only the theorem shows the breach, with both numbers."""
    forced = replace(REFUTED, broken=(Promise.PRIVACY, Promise.ACCURACY), is_forced=True)
    assert line_about(forced, "therefore") == (
        "by the theorem privacy or accuracy is broken, although 96 plays do not show it: 23.8 is "
        "less than 52.2"
    )
    assert line_about(forced, "privacy") == (
        "not seen to be broken: a low item is returned in 79 of 96 plays on the base and in 0 of "
        "96 on its neighbour"
    )
    assert printed_lines(forced)[-1] == (
        "cheap is refuted by S3 (privacy or accuracy); 0 declined, 1.25 s."
    )


def test_broken_accuracy() -> None:
    """The report has the rate that the errors show."""
    seen = replace(SEEN, errors=Rate(190, 192, 0.9, 1.0))
    wrong = replace(REFUTED, broken=(Promise.ACCURACY,), seen=seen)
    assert line_about(wrong, "accuracy") == (
        "broken: 190 of 192 answers are inaccurate, which shows a rate above 0.9; 0.01 is promised"
    )


def test_a_broken_upper_bound() -> None:
    """The report has the promised cost and the measured one."""
    costly = replace(WITHIN, verdict=Standing.REFUTED, broken=(Promise.COST,))
    assert line_about(costly, "cost") == (
        "broken: 206.5 accesses on average; with at most 114 counted per play, between 108.0 and "
        "114.0, but it promises at most 400.4"
    )


def test_undecided() -> None:
    """The report says that the plays decide nothing."""
    assert line_about(UNDECIDED, "happened") == "shown neither"
    assert line_about(UNDECIDED, "cost") == (
        "60.0 accesses on average; with at most 114 counted per play, between 45.0 and 65.0; "
        "keeping the promises costs at least 52.2"
    )


def test_unread_items_are_reported() -> None:
    """The report has the number of unread items."""
    unread = replace(REFUTED, seen=replace(SEEN, unread=8))
    assert line_about(unread, "unread") == "8 items were returned but not read"


def test_a_breach_of_the_rules() -> None:
    """A selector without an answer has no numbers."""
    foul = replace(REFUTED, broken=(Promise.RULES,), message="it raised", seen=None)
    assert printed_lines(foul)[4:8] == [
        "",
        "refuted  S3: both doors: a title",
        PROMISED,
        "  happened  it raised",
    ]


@pytest.mark.parametrize(
    ("outcomes", "code", "text"),
    [
        ((WITHIN,), 0, "cheap plays within its bounds: S3; 0 declined, 1.25 s."),
        ((WITHIN, DECLINED), 0, "cheap plays within its bounds: S3; 1 declined, 1.25 s."),
        ((WITHIN, REFUTED), 1, "cheap is refuted by S3 (privacy); 0 declined, 2.50 s."),
        ((UNDECIDED, REFUTED), 1, "cheap is refuted by S3 (privacy); 0 declined, 2.50 s."),
        ((UNDECIDED, WITHIN), 2, "cheap: undecided in S3; 0 declined, 2.50 s."),
        ((DECLINED,), 2, "cheap plays no game; 1 declined, 0.00 s."),
    ],
)
def test_the_verdict_on_a_subject(outcomes: tuple[GameOutcome, ...], code: int, text: str) -> None:
    """A refuted game counts first, then an undecided one; to decline all games proves nothing."""
    assert (exit_code(outcomes), verdict_sentence(outcomes)) == (code, text)


def test_json() -> None:
    """One object per game has everything that a plot needs; an infinite limit is a text."""
    single = replace(SEEN, cost=Interval(4.0, float("-inf"), float("inf")))
    lines = games_json([replace(REFUTED, seen=single), DECLINED]).splitlines()
    refuted, declined = map(json.loads, lines)
    wanted: dict[str, Any] = {
        "game": "S3",
        "subject": "cheap",
        "m": 10_000,
        "k": 4,
        "epsilon": 0.1,
        "certificate": 52.24,
        "upper_bound": None,
        "verdict": "refuted",
        "broken": ["privacy"],
    }
    assert {name: refuted[name] for name in wanted} == wanted
    assert refuted["seen"]["cost"] == {"mean": 4.0, "low": "-Infinity", "high": "Infinity"}
    assert refuted["seen"]["counted"] == {"mean": 4.0, "low": 3.25, "high": 23.75}
    assert refuted["seen"]["base_hits"] == {"count": 79, "of": 96, "low": 0.5, "high": 1.0}
    assert (declined["verdict"], declined["seen"], list(declined)) == (
        "declined",
        None,
        list(refuted),
    )
