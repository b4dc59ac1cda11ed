"""The outcomes of games as a table and paragraphs for people, and as JSON for programs."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from privtopk.conformance.games.game import Promise
from privtopk.conformance.games.outcome import GameEvidence, GameOutcome, Rate, Standing
from privtopk.conformance.report.json_lines import encode_line
from privtopk.conformance.report.numbers import NONE, seconds
from privtopk.conformance.report.terminal import LABEL, print_plain
from privtopk.spec.claims.table import claim_of

COLOURS: Final = {
    Standing.WITHIN: "green",
    Standing.REFUTED: "bold red",
    Standing.DECLINED: "dim",
    Standing.UNDECIDED: "bold yellow",
}


def print_games(outcomes: Sequence[GameOutcome], console: Console | None = None) -> None:
    """Print the outcomes of the games of one subject; the last line has the verdict."""
    terminal = console or Console()
    terminal.print(games_table(outcomes), "")
    for outcome in outcomes:
        if outcome.verdict is not Standing.WITHIN:
            print_plain(terminal, game_paragraph(outcome))
    print_plain(terminal, f"\nThe bounds hold if {'; '.join(outcomes[0].hypotheses)}.")
    is_good = exit_code(outcomes) == 0
    terminal.print(
        Text(verdict_sentence(outcomes), "green" if is_good else "bold red"), soft_wrap=True
    )


def games_table(outcomes: Sequence[GameOutcome]) -> Table:
    """Return the games as a table, with the mean cost and its lower and upper bound."""
    title = Text(outcomes[0].address, "bold")
    table = Table(box=None, title=title, title_justify="left", padding=(0, 2, 0, 0), pad_edge=False)
    for name in ("game", "open"):
        table.add_column(name, no_wrap=True)
    for name in ("m", "k", "plays", "cost", "at least", "at most"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    for outcome in outcomes:
        table.add_row(*game_row(outcome))
    return table


def game_row(outcome: GameOutcome) -> tuple[Text | str, ...]:
    """Return one game as a row."""
    seen = outcome.seen
    return (
        outcome.game,
        " ".join(outcome.doors) if len(outcome.doors) == 1 else "both",
        f"{outcome.m:,}",
        f"{outcome.k}",
        f"{outcome.trials}" if seen else NONE,
        f"{seen.cost.mean:,.1f}" if seen else NONE,
        f"{outcome.certificate:,.1f}",
        f"{outcome.upper_bound:,.1f}" if outcome.upper_bound is not None else NONE,
        Text(outcome.summary, COLOURS[outcome.verdict]),
    )


def game_paragraph(outcome: GameOutcome) -> str:
    """Return why a game was declined, or all details of a game outside its bounds."""
    if outcome.verdict is Standing.DECLINED:
        return f"declined  {outcome.game}: {outcome.message}"
    lines = [f"\n{outcome.verdict}  {outcome.game}: {outcome.title}"]
    lines += [f"  {name:<{LABEL}}{text}" for name, text in _parts(outcome)]
    return "\n".join(lines)


def _parts(outcome: GameOutcome) -> Iterator[tuple[str, str]]:
    if outcome.alpha is not None:
        yield "promised", promise_text(outcome)
    if outcome.message:
        yield "happened", outcome.message
    if outcome.seen is not None:
        yield from _evidence(outcome, outcome.seen)
    for key in outcome.claims:
        claim = claim_of(key)
        yield "claim", f"{claim.number} ({key}): {claim.correction or claim.statement}"
    yield "again", outcome.again


def promise_text(outcome: GameOutcome) -> str:
    """Return what a selector promises in a game."""
    return (
        f"epsilon={outcome.epsilon:g} and delta={outcome.delta:g}; no item more than "
        f"{outcome.alpha} votes behind the k-th best, with probability {1 - outcome.beta:g}"
    )


def _evidence(outcome: GameOutcome, seen: GameEvidence) -> Iterator[tuple[str, str]]:
    yield "cost", cost_text(outcome, seen)
    if seen.errors is not None:
        yield "accuracy", accuracy_text(outcome, seen.errors)
    if seen.base_hits is not None and seen.neighbour_hits is not None:
        yield "privacy", privacy_text(outcome, seen, seen.base_hits, seen.neighbour_hits)
    if seen.unread:
        yield "unread", f"{seen.unread} items were returned but not read"
    if outcome.is_forced:
        yield "therefore", theorem_text(outcome)


def cost_text(outcome: GameOutcome, seen: GameEvidence) -> str:
    """Return the cost, and the cost of keeping the promises."""
    text = (
        f"{seen.cost.mean:.1f} accesses on average; "
        f"with at most {outcome.horizon} counted per play, "
        f"between {seen.counted.low:.1f} and {seen.counted.high:.1f}"
    )
    if outcome.is_too_cheap:
        return f"{text}: too cheap, keeping the promises costs at least {outcome.certificate:.1f}"
    if Promise.COST in outcome.broken and outcome.upper_bound is not None:
        return f"broken: {text}, but it promises at most {outcome.upper_bound:.1f}"
    return f"{text}; keeping the promises costs at least {outcome.certificate:.1f}"


def accuracy_text(outcome: GameOutcome, errors: Rate) -> str:
    """Return the number of inaccurate answers, and the rate that they show."""
    seen = f"{errors.count} of {errors.of} answers are inaccurate"
    if Promise.ACCURACY in outcome.broken and not outcome.is_forced:
        return (
            f"broken: {seen}, which shows a rate above {errors.low:.2g}; "
            f"{outcome.beta:g} is promised"
        )
    return f"not seen to be broken: {seen}; a rate of {outcome.beta:g} is promised"


def privacy_text(outcome: GameOutcome, seen: GameEvidence, base: Rate, neighbour: Rate) -> str:
    """Return how often low items were returned, and the epsilon that this shows."""
    rates = (
        f"a low item is returned in {base.count} of {base.of} plays on the base and in "
        f"{neighbour.count} of {neighbour.of} on its neighbour"
    )
    if Promise.PRIVACY in outcome.broken and not outcome.is_forced:
        return (
            f"broken: {rates}, which shows an epsilon above {seen.epsilon or 0.0:.2f}; "
            f"{outcome.epsilon:g} is promised"
        )
    return f"not seen to be broken: {rates}"


def theorem_text(outcome: GameOutcome) -> str:
    """Return what only the theorem shows."""
    assert outcome.seen is not None
    return (
        f"by the theorem {outcome.broken_text} is broken, although {outcome.trials} plays do not "
        f"show it: {outcome.seen.counted.high:.1f} is less than {outcome.certificate:.1f}"
    )


def verdict_sentence(outcomes: Sequence[GameOutcome]) -> str:
    """Return the verdict on a subject in one sentence."""
    subject = outcomes[0].subject
    groups = {
        standing: [outcome for outcome in outcomes if outcome.verdict is standing]
        for standing in Standing
    }
    refuted = groups[Standing.REFUTED]
    if refuted:
        names = ", ".join(f"{one.game} ({one.broken_text})" for one in refuted)
        text = f"{subject} is refuted by {names}"
    elif groups[Standing.UNDECIDED]:
        text = f"{subject}: undecided in {_game_names(groups[Standing.UNDECIDED])}"
    elif groups[Standing.WITHIN]:
        text = f"{subject} plays within its bounds: {_game_names(groups[Standing.WITHIN])}"
    else:
        text = f"{subject} plays no game"
    declined = len(groups[Standing.DECLINED])
    return f"{text}; {declined} declined, {seconds(sum(one.seconds for one in outcomes))}."


def _game_names(outcomes: Sequence[GameOutcome]) -> str:
    return ", ".join(outcome.game for outcome in outcomes)


def exit_code(outcomes: Sequence[GameOutcome]) -> int:
    """Return 1 if a game refutes the selector, 0 if all games are within bounds, 2 otherwise."""
    standings = {outcome.verdict for outcome in outcomes}
    if Standing.REFUTED in standings:
        return 1
    is_good = Standing.WITHIN in standings and Standing.UNDECIDED not in standings
    return 0 if is_good else 2


def games_json(outcomes: Sequence[GameOutcome]) -> str:
    """Return one line of JSON per game: an object with keys in a fixed order."""
    return "".join(f"{encode_line(asdict(outcome))}\n" for outcome in outcomes)
