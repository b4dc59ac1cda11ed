"""Bits on demand: a selection that reveals only the random digits that decide it.

Every item has a uniform V. Its word is the first digits of V to some base, here a number below
W; a small word means a large noise. A selection is a function of scores and words, so a program
may reveal words as it needs them: first those of the items with the best scores, then all words
below a threshold. No unseen item with a word at or above the threshold could pass the bar.

Invariant: there is a frontier f such that, given everything revealed, the words of the hidden
items are independent and uniform on f, ..., W - 1.

Digits that follow the word decide ties. They are independent of everything, so one of them is
enough here.

Ours: ours:deferred-revelation, ours:exact-gaps.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Final, TypeAlias

from privtopk.spec.model.parameters import require_k, require_size
from privtopk.spec.model.tape import Tape
from privtopk.spec.model.values import Item, items_of

Quantile: TypeAlias = Callable[[int], Fraction]
"""The noise of a word; it falls as the word grows."""

Rival: TypeAlias = tuple[Fraction, int, int]
"""Noisy score, further digit and the item with a minus sign: the larger rival wins."""

FURTHER: Final = 2
"""The base of the digit that decides ties."""


class HiddenWords:
    """The words of m items, revealed on demand."""

    def __init__(self, words: int, tape: Tape) -> None:
        self._words = words
        self._tape = tape
        self.frontier = 0

    def draw_word(self) -> int:
        """Return the word of one hidden item, which is revealed from now on."""
        return self.frontier + self._tape.below(self._words - self.frontier)

    def open_below(self, hidden: Sequence[Item], threshold: int) -> dict[Item, int]:
        """Return every hidden item with a word below a threshold, and move the frontier there."""
        reached = min(threshold, self._words)
        width = reached - self.frontier
        if width <= 0:
            return {}
        chance = Fraction(width, self._words - self.frontier)
        places = self._tape.subset(len(hidden), chance)
        opened = {hidden[place]: self.frontier + self._tape.below(width) for place in places}
        self.frontier = reached
        return opened


def select_all(
    scores: Sequence[int], k: int, words: int, quantile: Quantile, tape: Tape
) -> tuple[Item, ...]:
    """Return the k best after revealing every word: the one-shot mechanism."""
    field = HiddenWords(words, tape)
    rivals = [
        _rival(item, scores[item - 1], field.draw_word(), quantile, tape)
        for item in items_of(require_size(len(scores)))
    ]
    return _best(rivals, require_k(k, len(scores)))


def select_deferred(
    scores: Sequence[int],
    k: int,
    words: int,
    quantile: Quantile,
    stages: Sequence[tuple[int, int]],
    tape: Tape,
) -> tuple[Item, ...]:
    """Return k items with the same law, selected in stages.

    A stage (prefix, threshold) reveals the words of the first `prefix` items by score, then
    every word below the threshold. After the last stage, every unseen item that could still
    pass the bar is opened.

    Ours: ours:deferred-revelation.
    """
    order = sorted(items_of(require_size(len(scores))), key=lambda item: -scores[item - 1])
    count = require_k(k, len(scores))
    field = HiddenWords(words, tape)
    rivals: dict[Item, Rival] = {}

    def meet(item: Item, word: int) -> None:
        rivals[item] = _rival(item, scores[item - 1], word, quantile, tape)

    def open_to(threshold: int) -> None:
        hidden = [item for item in order if item not in rivals]
        for item, word in field.open_below(hidden, threshold).items():
            meet(item, word)

    for prefix, threshold in [*stages, (count, 0)]:
        for item in order[:prefix]:
            if item not in rivals:
                meet(item, field.draw_word())
        open_to(threshold)
    longest = max(prefix for prefix, _ in [*stages, (count, 0)])
    last = scores[order[min(longest, len(order)) - 1] - 1]
    open_to(threshold_of(sorted(rivals.values())[-count][0], last, words, quantile))
    return _best(list(rivals.values()), count)


def threshold_of(bar: Fraction, last: int, words: int, quantile: Quantile) -> int:
    """Return the smallest word with which an item of score `last` stays below the bar."""
    return next((word for word in range(words) if last + quantile(word) < bar), words)


def gap_law(chance: Fraction, gap: int) -> Fraction:
    """Return P(floor(log(1 - V)/log(1 - p)) = gap) for a uniform V and p = chance.

    The quotient is at least g exactly when 1 - V is at most (1 - p)^g.
    """
    return (1 - chance) ** gap - (1 - chance) ** (gap + 1)


def subset_law(chance: Fraction, members: Sequence[int], m: int) -> Fraction:
    """Return the probability that the gaps lead to exactly these members of 0, ..., m - 1.

    Ours: ours:exact-gaps.
    """
    probability = Fraction(1)
    position = -1
    for member in members:
        probability *= gap_law(chance, member - position - 1)
        position = member
    # The last gap leads past the end: it is at least m - position - 1.
    return probability * (1 - chance) ** (m - position - 1)


def _rival(item: Item, score: int, word: int, quantile: Quantile, tape: Tape) -> Rival:
    return score + quantile(word), tape.below(FURTHER), -item


def _best(rivals: Sequence[Rival], k: int) -> tuple[Item, ...]:
    return tuple(Item(-rival[2]) for rival in sorted(rivals, reverse=True)[:k])
