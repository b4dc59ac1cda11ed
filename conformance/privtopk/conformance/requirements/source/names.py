"""The names of a data source distinguish its items.

A selection publishes names. So two items must not share a name, and the name of an item must not
change. A source that takes names from its owner must keep them exactly. Stores fold case, trim,
normalise, cut, escape, or compare names as numbers or patterns; then one item has the votes of
another.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from privtopk.conformance.evidence.requirement import Requirement
from privtopk.conformance.evidence.trial import Experiment, Observation, Trial, ViolationError
from privtopk.conformance.requirements.source.opening import missing_extra, open_source
from privtopk.conformance.requirements.source.reading import LONG, page_of, whole
from privtopk.conformance.subjects.kinds import Abilities, Extra, Kind, plain_name
from privtopk.conformance.subjects.subject import Subject

SIZES: Final = {"one item": 1, "few items": 7, "many items": LONG}

GIVEN: Final[dict[str, tuple[str | int, ...]]] = {
    "plain words": ("apple", "pear", "plum"),
    "whole numbers": (0, 1, -1, 7, 10, 2**31, -(2**31) - 1, 2**53, 2**53 + 1, 2**62, -(2**62)),
    "capitals and spaces": ("a", "A", "a ", " a", "ab", "aB", "a b", "a  b", " ", "  ", ""),
    "digits and words for nothing": (
        *("1", "01", "1.0", "1e0", "+1", "-1", "--1", "0x1", "1_0", "10", "0", "-0", "00", "1,0"),
        *("NULL", "null", "None", "none", "nan", "NaN", "true", "True", "false", "[]", "{}"),
    ),
    "quotes and patterns": (
        *("'", "''", '"', '""', "`", "a'b", "a''b", 'a"b', ";", "'; DROP TABLE votes; --", "--"),
        *("%", "_", "a%", "a_", "ab", "*", "?", "[a]", ".*", "^a$"),
        *("\\", "\\\\", "\\'", "\\n", "n"),
        *("%s", "$1", ":name", "?1", "{0}", "{a}", "${a}", "#", "/*", "a,b", "a:b", "a|b", "\\x41"),
    ),
    "beyond ASCII": (
        *("\u00e9", "e\u0301", "e", "\u00df", "ss", "\u1e9e", "\u0130", "I", "\u0131", "i"),
        *("\u212a", "K", "\u03c3", "\u03c2", "\ufb01", "fi", "\uff11", "1", "\u00b2", "2"),
        *("\u65e5\u672c", "\u05d0", "\U0001f4a7", "\U0001f4a7\ufe0f"),
        *("a\u200b", "a", "\u00a0", " "),
    ),
    "line ends and controls": (
        *("a", "a\n", "a\r\n", "a\r", "\n", "\r", "\t", "a\nb", "a b", "a\tb", "\x01", "\x1b[0m"),
        *("\x7f", "\u0085", "\u2028", "\ufeffa", "\x1f", "\x0b"),
    ),
    "characters of code 0": ("a", "\0", "a\0", "a\0b", "a\0c", "\0a"),
    "very long": ("a" * 255, "a" * 256, "a" * 1000, "a" * 999 + "b", "\u00e9" * 600),
}
"""Names that stores confuse, or do not return as they were given."""


class Names(Requirement):
    """Every item has a name of its own."""

    id = "source.names"
    kind = Kind.SOURCE
    is_exhaustive = True
    statement = (
        "Every item has a name of its own, a text or a whole number, which is the same at any time."
    )
    claims = ("model:votes",)
    bug = (
        "names depend on the place on a page, are cut to too few digits, or have a driver's own "
        "type"
    )

    def reason_to_skip(self, abilities: Abilities) -> str | None:
        """Skip a subject whose items have no names."""
        return super().reason_to_skip(abilities) or missing_extra(abilities, Extra.NAME)

    def experiments(self, subject: Subject) -> tuple[Experiment, ...]:
        """Return one experiment per size of the domain."""
        return tuple(Experiment(name, 1, m) for name, m in SIZES.items())

    def observe(self, trial: Trial) -> Observation:
        """Ask for all names, read through both doors, and ask again in the opposite order."""
        m = trial.experiment.setting
        with open_source(
            trial.call, trial.subject.thing, tuple((7 * item) % 5 for item in range(m))
        ) as source:
            names = [name_of(trial, source, item) for item in range(1, m + 1)]
            require_different(names)
            for start in range(1, m + 1, 1 + m // 3):
                items = [item for item, _ in page_of(trial, source, start, 1 + m // 3)]
                require_names(f"after the page at rank {start}", names, trial, source, items[:5])
                trial.call(lambda asked=items: source.scores(asked))
                require_names("after a lookup", names, trial, source, (1, m))
            require_names("asked in another order", names, trial, source, range(m, 0, -1))
        return Observation()


class GivenNames(Requirement):
    """Names are returned as they were given, with their own votes."""

    id = "source.given-names"
    kind = Kind.SOURCE
    is_exhaustive = True
    statement = (
        "Items have exactly the names that they are given, and each has its own score, however "
        "similar two names are."
    )
    claims = ("model:votes", "model:random-access")
    bug = "names are folded, trimmed, cut, escaped, or compared as numbers or patterns"

    def reason_to_skip(self, abilities: Abilities) -> str | None:
        """Skip a subject that takes no names."""
        return super().reason_to_skip(abilities) or missing_extra(
            abilities, Extra.NAMED, Extra.NAME
        )

    def experiments(self, subject: Subject) -> tuple[Experiment, ...]:
        """Return one experiment per kind of names; a subject may decline a kind."""
        return tuple(Experiment(name, 1, name) for name in GIVEN)

    def observe(self, trial: Trial) -> Observation:
        """Give names to items, with votes for all of them and for some."""
        names = GIVEN[trial.experiment.setting]
        for histogram in splits(len(names)):
            with open_source(
                trial.call, lambda h: trial.subject.thing.named(names, h), histogram
            ) as source:
                require_given(trial, source, names, histogram)
        return Observation()


def splits(m: int) -> Iterator[tuple[int, ...]]:
    """Yield votes for all items, then for some: of any two items, each is once without votes."""
    items = range(1, m + 1)
    yield tuple(items)
    for bit in range(m.bit_length()):
        for side in (1, 0):
            yield tuple(item if (item >> bit) % 2 == side else 0 for item in items)


def require_given(
    trial: Trial, source: Any, names: Sequence[str | int], histogram: Sequence[int]
) -> None:
    """Compare names, and the scores from both doors, with what was given."""
    items = range(1, len(names) + 1)
    require_names("as it was given", names, trial, source, items)
    together = trial.call(lambda: [whole(score) for score in source.scores([*items])])
    listed = dict(page_of(trial, source, 1, len(names)))
    for item, name, right in zip(items, names, histogram, strict=True):
        alone = trial.call(lambda one=item: [whole(score) for score in source.scores([one])])
        found = {"alone": alone, "together": together[item - 1 :][:1], "listed": [listed.get(item)]}
        for how, scores in found.items():
            if scores != [right]:
                raise ViolationError(
                    f"item {name!r:.60} must have score {right}, {how} it has {scores}"
                )


def require_different(names: Sequence[str | int]) -> None:
    """Demand different names for different items."""
    items: dict[str | int, int] = {}
    for item, name in enumerate(names, start=1):
        if items.setdefault(name, item) != item:
            raise ViolationError(f"items {items[name]} and {item} are both called {name!r:.60}")


def require_names(
    when: str, names: Sequence[str | int], trial: Trial, source: Any, items: Iterable[int]
) -> None:
    """Demand that items still have their names."""
    for item in items:
        name, right = name_of(trial, source, item), names[item - 1]
        if name != right:
            raise ViolationError(f"item {item} must be {right!r:.60} {when}, got {name!r:.60}")


def name_of(trial: Trial, source: Any, item: int) -> str | int:
    """Return the name of an item; raise if it is neither a text nor a whole number."""
    name = trial.call(lambda: source.name(item))
    try:
        return plain_name(name)
    except TypeError:
        raise ViolationError(
            f"a name must be a text or a whole number, item {item} has {name!r:.60}"
        ) from None


REQUIREMENTS: Final = (Names(), GivenNames())
