"""Facts about compact lists of items: every item has its place, whatever the hashes are."""

import os
import pickle
import subprocess
import sys
import tracemalloc
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privtopk.impl.scores import item_list
from privtopk.impl.scores.domain import ListedDomain, listed_in
from privtopk.impl.scores.item_list import (
    CHUNK,
    NumberList,
    TextList,
    chunks_of,
    line_starts,
    text_list,
)
from privtopk.spec.model.errors import Reason
from support import refusal

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=5)
"""Texts with newlines, zero characters and halves of surrogate pairs."""


@given(texts=st.lists(ANY_TEXT, min_size=1, unique=True), stranger=ANY_TEXT)
def test_texts_and_places_are_inverse(texts: list[str], stranger: str) -> None:
    """Each text is found at its place, and a text that is not listed is not found."""
    listed = text_list(texts)
    everything = np.arange(len(texts))
    assert listed.names(everything) == texts
    found = listed.find(texts[::-1])
    assert found is not None
    assert found.tolist() == everything[::-1].tolist()
    if stranger not in texts:
        assert listed.find([texts[0], stranger]) is None


@given(texts=st.lists(st.text("ab\n", max_size=2), min_size=1))
def test_repeated_texts_are_counted(texts: list[str]) -> None:
    """The number of different texts is that of a set."""
    assert text_list(texts).different == len(set(texts))


@given(texts=st.lists(st.text("ab\n", max_size=2), min_size=1))
def test_texts_with_one_hash_are_told_apart(texts: list[str]) -> None:
    """If all hashes are equal, each text is still found, and repeated ones are counted."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(item_list, "hashes_of", lambda texts: np.zeros(len(texts), dtype=np.uint64))
        distinct = list(dict.fromkeys(texts))
        found = text_list(distinct).find(distinct)
        assert found is not None
        assert found.tolist() == list(range(len(distinct)))
        assert text_list(distinct).find(["c"]) is None
        assert text_list(texts).different == len(distinct)


@pytest.mark.parametrize("name", [None, 7, 7.5, b"fig", ("fig",)])
def test_only_texts_are_found_among_texts(name: object) -> None:
    """What is not a text is not in a list of texts."""
    assert text_list(["fig", "7", "None"]).find(["fig", name]) is None


def test_nothing_is_found_by_no_text() -> None:
    """An empty request has an empty answer."""
    found = text_list(["fig"]).find([])
    assert found is not None
    assert (found.tolist(), found.dtype.name) == ([], "int64")


NUMBERS = st.lists(st.integers(-(2**62), 2**62), min_size=1)


@given(numbers=NUMBERS, stranger=st.integers(-(2**62), 2**62))
def test_numbers_and_places_are_inverse(numbers: list[int], stranger: int) -> None:
    """Each number is found at its place, sorted or not, and repeated ones are counted."""
    distinct = list(dict.fromkeys(numbers))
    for given_order in (distinct, sorted(distinct)):
        listed = NumberList(np.array(given_order))
        found = listed.find(np.array(given_order))
        assert found is not None
        assert listed.names(found) == given_order
        assert listed.names(np.arange(len(distinct))) == given_order
        assert (listed.find(np.array([stranger])) is None) is (stranger not in distinct)
    assert NumberList(np.array(numbers)).different == len(distinct)


@given(lines=st.lists(st.binary().map(lambda line: line.replace(b"\n", b"")), min_size=1))
def test_lines_start_after_newlines(lines: list[bytes]) -> None:
    """The starts of lines are those that Python finds; a last newline adds no line."""
    content = b"ab" + b"".join(line + b"\n" for line in lines)
    starts = line_starts(content, 2).tolist()
    assert [content[first : last - 1] for first, last in pairwise(starts)] == lines
    if lines[-1]:
        assert line_starts(content[:-1], 2).tolist() == starts


def test_a_list_longer_than_a_chunk() -> None:
    """Places beyond the first chunk are right, in texts, lines and numbers."""
    texts = [f"item {number}" for number in range(2 * CHUNK + 3)]
    content = "\n".join(texts).encode()
    for listed in (text_list(texts), TextList(content, line_starts(content, 0))):
        found = listed.find([texts[-1], texts[CHUNK], texts[0]])
        assert found is not None
        assert found.tolist() == [2 * CHUNK + 2, CHUNK, 0]
        assert listed.different == len(texts)
    assert text_list([*texts, texts[CHUNK]]).different == len(texts)
    assert ListedDomain(map(str, range(CHUNK + 5))).of_kind(int).names(np.array([CHUNK + 4])) == [
        CHUNK + 4
    ]


@given(items=st.lists(st.integers()))
def test_chunks_have_all_items(items: list[int]) -> None:
    """Chunks are the items in their order."""
    assert [item for chunk in chunks_of(items) for item in chunk] == items


CHILD = """
import pickle, sys
import numpy as np
domain = pickle.load(sys.stdin.buffer)
print(domain.numbers(["pear", "fig"]).tolist(), domain.names(np.arange(3)))
"""


def test_a_list_can_be_sent_to_another_process() -> None:
    """A process with other hashes finds the same places."""
    child = subprocess.run(
        [sys.executable, "-c", CHILD],
        input=pickle.dumps(ListedDomain(["fig", "pear", "plum"])),
        env={**os.environ, "PYTHONHASHSEED": "7", "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        check=True,
    )
    assert child.stdout == b"[1, 0] ['fig', 'pear', 'plum']\n"


def test_a_long_file_takes_little_memory(tmp_path: Path) -> None:
    """Reading a million lines takes less than three times the size of the file."""
    path = tmp_path / "domain.txt"
    path.write_text("".join(f"item-{number:08d}\n" for number in range(10**6)))
    tracemalloc.start()
    try:
        domain = listed_in(path)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert domain.names(np.array([0, 10**6 - 1])) == ["item-00000000", "item-00999999"]
    assert peak < 3 * path.stat().st_size


def test_a_repeated_line_of_a_long_file(tmp_path: Path) -> None:
    """A line that occurs twice, far apart, is counted exactly."""
    path = tmp_path / "domain.txt"
    path.write_text("".join(f"{number}\n" for number in [*range(CHUNK), 5, 7, 5]))
    assert refusal(lambda: listed_in(path)) == (
        Reason.DUPLICATE_ITEM,
        f"items must be distinct, got {CHUNK + 3} items of which {CHUNK} differ",
    )
