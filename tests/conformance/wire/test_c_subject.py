"""The subject in C passes the oracle over the wire, and one changed line is enough to fail."""

import json
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from privtopk.conformance.evidence.decision import CaseVerdict
from privtopk.conformance.running.runner import Run, RunPlan, run
from privtopk.conformance.running.workers import GuardedExecutor
from privtopk.conformance.subjects.kinds import Kind

FOLDER = Path(__file__).parents[3] / "conformance" / "examples" / "c"
FLAGS = "-std=c17 -O2 -Wall -Wextra -Wpedantic -Werror"
ALARM = 1e-9
"""The probability that a run fails the right subject."""

LARGE = 2**60
QUESTION = {
    "k": 2,
    "epsilon": 1.0,
    "delta": 0.0,
    "noise": "gumbel",
    "relation": "add-remove",
    "ranked": False,
}


def compiler() -> str:
    """Return the C compiler, or skip the test."""
    found = shutil.which("cc")
    if found is None:
        pytest.skip("no C compiler: there is no command cc")
    return found


def compile_program(sources: Path, program: Path) -> Path:
    """Compile the sources in a folder as the README says."""
    files = sorted(map(str, sources.glob("*.c")))
    command = [compiler(), *FLAGS.split(), "-o", str(program), *files, "-lm"]
    subprocess.run(command, check=True, capture_output=True)
    return program


def address_of(program: Path) -> str:
    """Return the address of a program."""
    return f"stdio:{shlex.quote(str(program))}"


@pytest.fixture(scope="module")
def subject(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program, built once."""
    return compile_program(FOLDER, tmp_path_factory.mktemp("c") / "subject")


@pytest.fixture(scope="module")
def workers() -> Iterator[GuardedExecutor]:
    """One process for all runs."""
    with GuardedExecutor(1, 120.0, 2048) as executor:
        yield executor


def complaints(finished: Run) -> list[tuple[str, str]]:
    """Return the requirements that did not pass, with their messages."""
    return [(c.requirement.id, c.message) for c in finished.cases if c.verdict != CaseVerdict.PASS]


@pytest.mark.slow
@pytest.mark.parametrize("kind", [Kind.SELECTOR, Kind.NOISE_ORACLE])
def test_it_conforms(kind: Kind, subject: Path, workers: GuardedExecutor) -> None:
    """On a tenth of the trials the subject passes every requirement, and skips none."""
    plan = RunPlan(budget=0.1, alarm=ALARM)
    finished = run(address_of(subject), plan, kind=kind, executor=workers)
    assert complaints(finished) == []
    assert finished.is_conforming


def test_the_readme_builds_it_as_it_is_tested() -> None:
    """The README and the tests compile with the same flags."""
    assert f"cc {FLAGS} -o subject" in (FOLDER / "README.md").read_text()


@dataclass(frozen=True, slots=True)
class Mutant:
    """A bug of one line, and the requirement that must find it."""

    name: str
    file: str
    line: str
    changed: str
    killer: str

    @property
    def kind(self) -> Kind:
        """The kind of subject that has the bug."""
        return Kind(self.killer.partition(".")[0])


MUTANTS = (
    Mutant(
        "the budget is spent on each item",
        "selection.c",
        "    *rate = question->epsilon / (question->k * range);",
        "    *rate = question->epsilon / range;",
        "selector.privacy-budget",
    ),
    Mutant(
        "clients that change count as clients that come or go",
        "selection.c",
        "    double range = question->relation == ADD_REMOVE ? 1 : 2;",
        "    double range = 1;",
        "selector.privacy-exact",
    ),
    Mutant(
        "a tie with the threshold does not stop",
        "selection.c",
        "        && lead(run->rate, run->best[run->k - 1], threshold) >= 0;",
        "        && lead(run->rate, run->best[run->k - 1], threshold) > 0;",
        "selector.replay-stop",
    ),
    Mutant(
        "the first k items seen are good enough",
        "selection.c",
        "        && lead(run->rate, run->best[run->k - 1], threshold) >= 0;",
        "        && lead(run->rate, run->best[run->k - 1], threshold) >= -1e300;",
        "selector.set-law",
    ),
    Mutant(
        "scores are compared as floats",
        "selection.c",
        "    return rate * (first.score - second.score) + (first.noise - second.noise);",
        "    return rate * ((float)first.score - (float)second.score)"
        " + (first.noise - second.noise);",
        "selector.degenerate",
    ),
    Mutant(
        "scores may rise",
        "selection.c",
        "    if (entry.value > run->last_score)",
        "    if (entry.value > LARGEST_SCORE)",
        "selector.faulty-source",
    ),
    Mutant(
        "an item looked up may beat those delivered",
        "noise_list.c",
        "        double level = noises->frontier + exponential;",
        "        double level = exponential;",
        "noise-oracle.joint-law",
    ),
    Mutant(
        "the frontier stays at the top",
        "noise_list.c",
        "    noises->frontier = level;",
        "    noises->frontier = fmin(noises->frontier, level);",
        "noise-oracle.joint-law",
    ),
    Mutant(
        "the lower tail of the noise is cut off",
        "coins.c",
        "    *exponential = tails * LOG_2 - log1p(-below_half);",
        "    *exponential = fmin(1, tails * LOG_2 - log1p(-below_half));",
        "noise-oracle.joint-law",
    ),
    Mutant(
        "the noise is as coarse as a float",
        "coins.c",
        "    *exponential = tails * LOG_2 - log1p(-below_half);",
        "    *exponential = (float)(tails * LOG_2 - log1p(-below_half));",
        "noise-oracle.representation",
    ),
    Mutant(
        "an item is drawn with 32 coins",
        "coins.c",
        "    *integer = 1 + (int64_t)(word % count);",
        "    *integer = 1 + (int64_t)((uint32_t)word % count);",
        "noise-oracle.items",
    ),
)


@pytest.mark.slow
@pytest.mark.parametrize(
    "mutant",
    [*MUTANTS[:3], *(pytest.param(mutant, marks=pytest.mark.heavy) for mutant in MUTANTS[3:])],
    ids=lambda mutant: mutant.name,
)
def test_one_changed_line_is_found(
    mutant: Mutant, tmp_path: Path, workers: GuardedExecutor
) -> None:
    """The requirement fails the mutant, with four times the usual trials."""
    shutil.copytree(FOLDER, tmp_path / "sources")
    file = tmp_path / "sources" / mutant.file
    lines = file.read_text().split("\n")
    assert lines.count(mutant.line) == 1
    lines[lines.index(mutant.line)] = mutant.changed
    file.write_text("\n".join(lines))
    program = compile_program(file.parent, tmp_path / "mutant")
    plan = RunPlan(budget=4.0, only=(mutant.killer,))
    finished = run(address_of(program), plan, kind=mutant.kind, executor=workers)
    verdicts = [(case.requirement.id, case.verdict) for case in finished.cases]
    assert verdicts == [(mutant.killer, CaseVerdict.FAIL)]


@dataclass(frozen=True, slots=True)
class Ended:
    """A conversation with a child that has ended."""

    answers: list[dict[str, Any]]
    exit_code: int
    last_words: str


def converse(program: Path, *lines: str | dict[str, Any]) -> Ended:
    """Send lines to a child, numbered from 1, and return the ended conversation."""
    numbered = (
        line if isinstance(line, str) else json.dumps({"seq": seq, **line})
        for seq, line in enumerate(lines, start=1)
    )
    sent = "".join(f"{line}\n" for line in numbered)
    ended = subprocess.run([program], input=sent, capture_output=True, encoding="utf-8")
    answers = [json.loads(line) for line in ended.stdout.splitlines()]
    return Ended(answers, ended.returncode, ended.stderr)


def run_message(profile: str = "own-randomness", m: int = 5, **changes: Any) -> dict[str, Any]:
    """Return a message that asks for a selection."""
    question = {**QUESTION, **changes}
    return {"type": "run", "profile": profile, "m": m, "question": question}


def entries(*pairs: tuple[int, float | str]) -> dict[str, Any]:
    """Return an answer to sorted access."""
    return {"type": "entries", "entries": pairs}


def values(*found: object) -> dict[str, Any]:
    """Return an answer to random access."""
    return {"type": "values", "values": found}


@pytest.mark.parametrize(
    ("changes", "reason", "message"),
    [
        ({"k": 7}, "k-out-of-range", "k must be a whole number between 1 and m=5, got 7"),
        ({"k": 0}, "k-out-of-range", "k must be a whole number between 1 and m=5, got 0"),
        ({"k": 1.5}, "k-out-of-range", "k must be a whole number between 1 and m=5, got 1.5"),
        (
            {"epsilon": "NaN"},
            "epsilon-out-of-range",
            "epsilon must be positive and finite, got nan",
        ),
        (
            {"epsilon": "Infinity"},
            "epsilon-out-of-range",
            "epsilon must be positive and finite, got inf",
        ),
        (
            {"epsilon": 5e-324},
            "epsilon-out-of-range",
            "epsilon=4.9406564584124654e-324 is too small to be shared by k=2 items",
        ),
        ({"delta": 1}, "delta-out-of-range", "delta must be at least 0 and below 1, got 1"),
        (
            {"noise": "laplace", "ranked": True},
            "ranked-laplace",
            "a ranked list needs gumbel noise: laplace noise covers the set only",
        ),
    ],
)
def test_a_bad_question_is_refused_before_any_access(
    changes: dict[str, Any], reason: str, message: str, subject: Path
) -> None:
    """An invalid question is answered by an error before any access."""
    ended = converse(subject, run_message(**changes))
    assert ended.answers == [{"type": "error", "seq": 1, "reason": reason, "message": message}]


def test_an_empty_domain_is_refused(subject: Path) -> None:
    """A domain without items is refused."""
    assert converse(subject, run_message(m=0)).answers == [
        {
            "type": "error",
            "seq": 1,
            "reason": "empty-domain",
            "message": "m must be at least 1, got 0",
        }
    ]


def test_the_budget_is_shared_by_the_items(subject: Path) -> None:
    """Under swap an item costs twice the rate, so the rate is 1 / (2 * 2)."""
    message = {"type": "rate", "m": 5, "question": {**QUESTION, "relation": "swap"}}
    assert converse(subject, message).answers == [{"type": "declared", "seq": 1, "rate": 0.25}]


def test_unknown_fields_are_ignored(subject: Path) -> None:
    """A message may have unknown fields of any type at any place."""
    strange = {'é\\"\n\x01😀': [None, True, [[]], {"question": 1e-5}], "k": [{}]}
    message = {"x": strange, "type": "rate", "m": 5, "question": {"x": strange, **QUESTION}}
    assert converse(subject, message).answers == [{"type": "declared", "seq": 1, "rate": 0.5}]


@pytest.mark.parametrize("is_ascii", [True, False])
def test_text_survives_both_ways(is_ascii: bool, subject: Path) -> None:
    """A text with or without escapes and surrogate pairs is read as the same text."""
    reason = 'a "word" \\ with\ttabs\x01, é, € and 😀/'
    refused = {"type": "refused", "seq": 2, "reason": reason, "message": "no"}
    ended = converse(subject, run_message(), json.dumps(refused, ensure_ascii=is_ascii))
    assert ended.answers[-1] == {
        "type": "error",
        "seq": 2,
        "reason": reason,
        "message": "the harness refused entries",
    }


@pytest.mark.parametrize(
    ("served", "message"),
    [
        ([entries()], "the list of scores ended too early"),
        ([entries((0, 3))], "sorted access left the domain of the items"),
        ([entries((6, 3))], "sorted access left the domain of the items"),
        ([entries((1, 2.5))], "a score is not a whole number from 0 to 2^53"),
        ([entries((1, -1))], "a score is not a whole number from 0 to 2^53"),
        ([entries((1, "NaN"))], "a score is not a whole number from 0 to 2^53"),
        (
            [entries((1, 3)), values(0), entries((2, 9)), values()],
            "the list of scores lacks an item",
        ),
        (
            [entries((1, 3)), values(0), entries((2, 9)), values(4)],
            "sorted access passed over an item",
        ),
        (
            [entries((1, 3)), values(0), entries((1, 0)), entries((2, 4))],
            "the scores of sorted access rise",
        ),
        (
            [entries((1, 3)), values(0), entries((1, 0)), entries((1, 3))],
            "sorted access delivered an item twice",
        ),
        (
            [entries((1, 9)), values(0), entries((2, 9)), values(3), entries((2, 2))],
            "the two doors disagree on a score",
        ),
    ],
)
def test_a_faulty_list_ends_the_selection(
    served: list[dict[str, Any]], message: str, subject: Path
) -> None:
    """The error about a faulty list says what is wrong, without a score."""
    ended = converse(subject, run_message("noise-served"), *served)
    assert ended.answers[-1] == {
        "type": "error",
        "seq": len(served) + 1,
        "reason": "faulty-source",
        "message": message,
    }


def test_items_beyond_the_doubles_are_kept(subject: Path) -> None:
    """Item 2^60 - 1, which is not a double, comes back unchanged."""
    item = LARGE - 1
    served = (entries((item, 3)), values(0.5), entries((item, 0.5)))
    ended = converse(subject, run_message("noise-served", LARGE, k=1), *served)
    assert ended.answers == [
        {"type": "sorted", "seq": 1, "list": "scores", "count": 1},
        {"type": "random", "seq": 2, "list": "noises", "items": [item]},
        {"type": "sorted", "seq": 3, "list": "noises", "count": 1},
        {"type": "items", "seq": 4, "items": [item]},
    ]


def test_two_served_uniforms_make_a_word(subject: Path) -> None:
    """The first 32 bits of two uniforms make a word; here it is the item with the largest noise."""

    def uniforms(high: int, low: int) -> dict[str, Any]:
        return {"type": "uniforms", "uniforms": [(high + 0.5) / 2**32, (low + 0.5) / 2**32]}

    heads, half = uniforms(0, 1), uniforms(2**31, 0)
    drawn = uniforms(0x4CCCCCCC, 0x12345678)
    served = (entries((1, 0)), heads, half, heads, half, drawn)
    ended = converse(subject, run_message("uniforms-served", LARGE, k=1), *served)
    item = 0x0CCCCCCC12345678 + 1
    assert [answer["type"] for answer in ended.answers[:-1]] == ["sorted", *["draw"] * 5]
    assert ended.answers[-1] == {"type": "random", "seq": 7, "list": "scores", "items": [item]}


def test_noise_lists_are_independent(subject: Path) -> None:
    """Each list has its own noise; a dropped list no longer exists."""

    def put(number: int, *steps: list[object], **more: object) -> dict[str, Any]:
        return {
            "type": "oracle",
            "kind": "noise-oracle",
            "object": number,
            "steps": steps,
            **more,
        }

    made = {"m": 1, "rate": 0.5, "noise": "laplace"}
    ended = converse(
        subject,
        put(1, ["random", 1], make=made),
        put(2, ["random", 1], make=made),
        put(1, ["sorted"], ["sorted"], ["random", 2], ["jump", 1]),
        put(1, ["sorted"], drop=[1]),
    )
    first, second, third = (message["answers"] for message in ended.answers)
    assert third == [
        [1, first[0]],
        {
            "error": {
                "reason": "list-exhausted",
                "message": "all m=1 items have been delivered",
            }
        },
        {
            "error": {
                "reason": "unknown-item",
                "message": "item must be between 1 and m=1, got 2",
            }
        },
        {
            "error": {
                "reason": "unknown-step",
                "message": "a noise list takes sorted, or random and an item",
            }
        },
    ]
    assert first != second
    assert ended.exit_code == 1
    assert ended.last_words.startswith("adapter: the harness asked for an object that was not made")


def test_what_is_not_offered_is_declined(subject: Path) -> None:
    """The child answers messages and parts that it does not offer with skip."""
    parts = {"type": "oracle", "kind": "source", "object": 1, "make": {}, "steps": []}
    assert converse(subject, {"type": "sample"}, parts).answers == [
        {"type": "skip", "seq": 1, "reason": "a message of this type is not taken"},
        {"type": "skip", "seq": 2, "reason": "of the parts, only the noise oracle is offered"},
    ]


@pytest.mark.parametrize(
    "line",
    [
        "",
        "{",
        '{"type":"stop","seq":1}x',
        '{"type":"stop","seq":01}',
        '{"type":"stop","seq":1,}',
        '{"type":"sto\tp","seq":1}',
        '{"type":"stop\\q","seq":1}',
        '{"type":"stop\\u12g4","seq":1}',
        "[" * 300 + "]" * 300,
    ],
)
def test_a_line_that_is_not_json_ends_the_child(line: str, subject: Path) -> None:
    """A child ends on a line that is not JSON, and repeats it on standard error."""
    words = f"adapter: the harness sent a line that is not JSON: {line}\n\n"
    assert converse(subject, line) == Ended([], 1, words)


def test_the_child_ends_with_its_input(subject: Path) -> None:
    """A child ends with its input, even during a selection."""
    assert converse(subject).exit_code == 0
    assert converse(subject, run_message()).exit_code == 0
