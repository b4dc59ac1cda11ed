"""The kinds of implementation that can be tested, and how each is called.

A subject is an object. Its methods say what it can do, and a few attributes say what it
promises. It needs no import from here: the protocols are for readers and type checkers.
Items, positions and ranks count from 1.

| kind | is called as | optional |
|---|---|---|
| selector | `select(scores, question)`, or the subject itself if it is a function | below |
| noise-oracle | `subject(m, rate, noise)`: a fresh list with both doors | |
| order-statistics | `subject(m, rate, noise)`: a fresh list with `value(position)` | |
| noise-sampler | `subject(rate, noise, n)`: n fresh values | |
| predecessor-index | `subject(universe)`: an empty index | `Extra` |
| source | `subject(histogram)`: a list with both doors in batches | `Extra` |

A selector that must be shown the whole histogram has `sample(histogram, question, trials)` in
place of `select`; it returns one selection per trial. A selector may also have:

- `select_with_noise(scores, noises, question)`: the harness serves the noise list too;
- `select_with_uniforms(scores, uniform, question)`: the harness serves the coins;
- `rate(question, m)`: the rate 1/scale of its noise, if that is not the largest rate that the
  budget allows;
- the attributes of `Abilities`.

A subject raises `NotImplementedError` to decline a question: that is neither a failure nor a
pass.
"""

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final, Protocol

from privtopk.conformance.subjects.doors import Doors
from privtopk.conformance.subjects.question import Question
from privtopk.spec.model.neighbours import Relation
from privtopk.spec.noise.distributions import NoiseKind

SCANNED: Final = 10_000
"""The largest domain that a subject must handle if it does not declare `largest`."""


class Kind(StrEnum):
    """What a subject is."""

    SELECTOR = "selector"
    NOISE_ORACLE = "noise-oracle"
    ORDER_STATISTICS = "order-statistics"
    NOISE_SAMPLER = "noise-sampler"
    PREDECESSOR_INDEX = "predecessor-index"
    SOURCE = "source"


class Profile(StrEnum):
    """Where the randomness comes from; the weakest assumption is the last."""

    NOISE_SERVED = "noise-served"
    """The harness serves the noise list: the selection is a function of both lists."""

    UNIFORMS_SERVED = "uniforms-served"
    """The harness serves a tape of uniforms: the selection is a function of the tape."""

    OWN_RANDOMNESS = "own-randomness"
    """The subject draws its own coins: only the law of what it returns can be tested."""


class Extra(StrEnum):
    """What a source may offer beyond its doors, or an index beyond its searches."""

    CLOSE = "close"
    """`source.close()` ends its use. It may raise, to invalidate everything that was read."""

    NAME = "name"
    """`source.name(item)` returns the owner's name of an item: a text or a whole number."""

    NAMED = "named"
    """`subject.named(names, histogram)` makes a source whose items have these names."""

    REWRITE = "rewrite"
    """`source.rewrite(histogram)` stores other scores of the same items, as another writer would.

    It returns False if the source keeps other writers out while it is open.
    """

    MINIMUM = "minimum"
    """`index.minimum()` returns the smallest member, or None."""

    MAXIMUM = "maximum"
    """`index.maximum()` returns the largest member, or None."""

    CHECK = "check"
    """`index.check()` raises if the index has broken an invariant of its own."""


EXTRAS: Final[Mapping["Kind", tuple[Extra, ...]]] = {
    Kind.SOURCE: (Extra.CLOSE, Extra.NAME, Extra.NAMED, Extra.REWRITE),
    Kind.PREDECESSOR_INDEX: (Extra.MINIMUM, Extra.MAXIMUM, Extra.CHECK),
}
"""The extras of each kind that has any."""


class Mechanism(StrEnum):
    """Which law a selector claims for what it returns."""

    NOISY_TOP_K = "noisy-top-k"
    """The k largest scores plus noise; under Gumbel noise k peels of the exponential mechanism."""

    PERMUTE_AND_FLIP = "permute-and-flip"
    """k choices by permute-and-flip, each among the items that are left."""


class Cost(StrEnum):
    """Which access cost a selector promises."""

    THRESHOLD = "threshold"
    """Rounds of one sorted access to each list, as in Algorithm 3; two accesses per round."""

    BATCHED = "batched"
    """On average at most 2.002 sqrt(mk) accesses, for m >= 10,000 and k <= m/64."""

    SCAN = "scan"
    """None: it may read everything."""


class Selector(Protocol):
    """Selects k items, reading scores through the doors only."""

    def select(self, scores: Doors, question: Question) -> Sequence[int]:
        """Return k different items, best first if the question asks for a ranking."""


class NoiseList(Protocol):
    """A list of m i.i.d. noises behind two doors, generated on demand."""

    def sorted_access(self) -> tuple[int, float]:
        """Return the next item by descending noise, with its noise."""

    def random_access(self, item: int) -> float:
        """Return the noise of an item."""


class OrderedNoise(Protocol):
    """The order statistics of m i.i.d. noises, generated on demand."""

    def value(self, position: int) -> float:
        """Return the noise at a position: position 1 is the largest."""


class Index(Protocol):
    """A growing set of integers in 0, ..., universe - 1."""

    def insert(self, key: int) -> None:
        """Add a key."""

    def __contains__(self, key: int) -> bool: ...

    def predecessor(self, key: int) -> int | None:
        """Return the largest member strictly below, or None."""

    def successor(self, key: int) -> int | None:
        """Return the smallest member strictly above, or None."""


class BatchSource(Protocol):
    """A score list of a database, as an engine reads it."""

    @property
    def size(self) -> int:
        """The number m of items."""

    def top(self, start: int, count: int) -> Sequence[tuple[int, int]]:
        """Return the entries (item, score) at the ranks start, ..., start + count - 1, from 1."""

    def scores(self, items: Sequence[int]) -> Sequence[int]:
        """Return the scores of the items, in their order."""


def close(source: object) -> None:
    """Close a source that can be closed."""
    method = getattr(source, Extra.CLOSE, None)
    if callable(method):
        method()


def plain_name(name: Any) -> str | int:
    """Return the name of an item as a plain text or whole number; raise if it is neither."""
    if isinstance(name, str):
        return str(name)
    if isinstance(name, bool):
        raise TypeError("a name must be a text or a whole number, got a truth value")
    return operator.index(name)


class Sampler(Protocol):
    """Selects from a histogram that it is shown, several times per call."""

    def sample(
        self, histogram: Sequence[int], question: Question, trials: int
    ) -> Sequence[Sequence[int]]:
        """Return one independent selection per trial."""


@dataclass(frozen=True, slots=True)
class Abilities:
    """What a subject declares about itself; what it does not declare has the default given here."""

    kind: Kind = Kind.SELECTOR
    mechanism: Mechanism = Mechanism.NOISY_TOP_K
    noises: tuple[NoiseKind, ...] = (NoiseKind.GUMBEL,)

    relations: tuple[Relation, ...] = tuple(Relation)
    """The neighbour relations that it supports."""

    approximate: bool = True
    """Whether it accepts a delta above 0."""

    ranked: bool = False
    """Whether it can return a ranked list."""

    cost: Cost = Cost.SCAN

    largest: int = SCANNED
    """The largest domain from which it selects in milliseconds when few items stand out."""

    profiles: tuple[Profile, ...] = (Profile.OWN_RANDOMNESS,)

    is_sampler: bool = False
    """Whether it must be shown the whole histogram, and has `sample` in place of `select`."""

    extras: tuple[Extra, ...] = ()
    """What its sources or its indexes offer beyond what they must."""

    def offers(self, question: Question) -> bool:
        """Return whether the subject declares that it can answer a question."""
        return (
            question.noise in self.noises
            and question.relation in self.relations
            and (self.approximate or question.delta == 0)
            and (self.ranked or not question.is_ranked)
        )

    def accounting_question(self, question: Question) -> Question:
        """Return the question about noisy scores that has the same accounting.

        One choice by permute-and-flip costs the rate, or twice the rate, like one choice under
        Gumbel noise. For k choices with a delta, nothing better is known.
        """
        if self.mechanism is Mechanism.NOISY_TOP_K:
            return question
        return replace(question, noise=NoiseKind.GUMBEL, delta=0.0)

    def law_name(self, noise: NoiseKind) -> str:
        """Return the name of the claimed law: the noise, or the mechanism if it has none."""
        return str(noise if self.mechanism is Mechanism.NOISY_TOP_K else self.mechanism)


DECLARABLE: Final[dict[str, Callable[[Any], Any]]] = {
    "kind": Kind,
    "mechanism": Mechanism,
    "noises": lambda names: tuple(map(NoiseKind, names)),
    "relations": lambda names: tuple(map(Relation, names)),
    "approximate": bool,
    "ranked": bool,
    "cost": Cost,
    "largest": int,
    "extras": lambda names: tuple(map(Extra, names)),
}
"""What a subject may declare, and how each declared value is converted."""


def abilities_from(
    declared: Mapping[str, Any], profiles: Iterable[Profile], *, is_sampler: bool
) -> Abilities:
    """Return the abilities that were declared, by texts or values; the rest have defaults."""
    known = {
        name: convert(declared[name]) for name, convert in DECLARABLE.items() if name in declared
    }
    return Abilities(**known, profiles=tuple(profiles), is_sampler=is_sampler)


def abilities_of(subject: object, kind: Kind | None = None) -> Abilities:
    """Return what a subject declares by its attributes and methods."""
    declared = {name: getattr(subject, name) for name in DECLARABLE if hasattr(subject, name)}
    if kind is not None:
        declared["kind"] = kind
    declared.setdefault("extras", methods_of(subject, declared.get("kind")))
    profiles = [Profile.NOISE_SERVED] if hasattr(subject, "select_with_noise") else []
    if hasattr(subject, "select_with_uniforms"):
        profiles.append(Profile.UNIFORMS_SERVED)
    is_sampler = hasattr(subject, "sample") and not hasattr(subject, "select")
    if is_sampler or hasattr(subject, "select") or callable(subject):
        profiles.append(Profile.OWN_RANDOMNESS)
    return abilities_from(declared, profiles, is_sampler=is_sampler)


def methods_of(subject: object, kind: object) -> tuple[Extra, ...]:
    """Return the extras that a class has as methods; anything else must declare them."""
    if not isinstance(subject, type):
        return ()
    known = [extra for one, extras in EXTRAS.items() if one == kind for extra in extras]
    return tuple(extra for extra in known if callable(getattr(subject, extra, None)))
