"""Facts about generated votes."""

import csv
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from privtopk.impl.scores.domain import listed_in
from privtopk.impl.sources.sample_votes import draw_items, draw_votes, title_of, write_votes
from privtopk.impl.sources.votes import DuckdbVotes
from privtopk.spec.model.errors import Reason
from support import refusal


@pytest.fixture(scope="module")
def votes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of 20,000 votes of 3,000 clients for 2,000 items."""
    path = tmp_path_factory.mktemp("votes") / "votes.csv"
    assert write_votes(path, 20_000, 3_000, 2_000, seed=1) == path.with_name("votes-items.txt")
    return path


def rows(path: Path) -> list[list[str]]:
    """Return the rows of a file, its header first."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def test_the_files_have_what_was_asked_for(votes: Path) -> None:
    """The numbers of votes and items are as requested; all votes are for items of the domain."""
    header, *voted = rows(votes)
    items = votes.with_name("votes-items.txt").read_text().splitlines()
    assert (header, len(voted)) == (["client", "item"], 20_000)
    assert (len(items), len(set(items))) == (2_000, 2_000)
    assert {item for _, item in voted} < set(items)
    assert len({client for client, _ in voted}) <= 3_000


def test_they_look_real(votes: Path) -> None:
    """A few items lead, most have few votes, and some clients vote far more than others."""
    _, *voted = rows(votes)
    scores = sorted(Counter(item for _, item in voted).values(), reverse=True)
    assert scores[0] > 5 * scores[10] > 25 * scores[200]
    clients = Counter(client for client, _ in voted)
    assert clients.most_common(1)[0][1] > 10 * 20_000 / 3_000


def test_they_can_be_counted(votes: Path) -> None:
    """The written domain can be declared, and each client counts once."""
    _, *voted = rows(votes)
    counted = DuckdbVotes(votes, domain=listed_in(votes.with_name("votes-items.txt")))
    once = Counter(item for _, item in {(client, item) for client, item in voted})
    page = counted.top(0, len(once))
    names = [counted.name(item) for item in page.items.tolist()]
    assert dict(zip(names, page.scores.tolist(), strict=True)) == once


def test_a_seed_writes_the_same_files(tmp_path: Path) -> None:
    """The same seed writes the same files, another seed writes others."""
    written = []
    for name, seed in (("a.csv", 1), ("b.csv", 1), ("c.csv", 2)):
        domain = write_votes(str(tmp_path / name), 100, 10, 50, seed)
        written.append((domain.read_text(), (tmp_path / name).read_text()))
    assert written[0] == written[1]
    assert written[0][1] != written[2][1]


def test_the_least_of_everything(tmp_path: Path) -> None:
    """One client may vote once for one item."""
    write_votes(tmp_path / "votes.csv", 1, 1, 1, seed=1)
    assert rows(tmp_path / "votes.csv")[1:] == [["client-0", "amber arrival 1"]]


@pytest.mark.parametrize("name", ["votes", "clients", "items"])
def test_there_must_be_something_to_write(tmp_path: Path, name: str) -> None:
    """No votes, no clients or no items are refused, and nothing is written."""
    sizes = {"votes": 5, "clients": 5, "items": 5, name: 0}
    assert refusal(lambda: write_votes(tmp_path / "votes.csv", **sizes, seed=1)) == (
        Reason.SIZE_OUT_OF_RANGE,
        f"{name} must be between 1 and 1000000000, got 0",
    )
    assert list(tmp_path.iterdir()) == []


def test_a_negative_seed_is_refused(tmp_path: Path) -> None:
    """A seed must be at least 0, and nothing is written otherwise."""
    assert refusal(lambda: write_votes(tmp_path / "votes.csv", 5, 5, 5, seed=-1)) == (
        Reason.SIZE_OUT_OF_RANGE,
        "seed must be at least 0, got -1",
    )
    assert list(tmp_path.iterdir()) == []


def test_titles_differ() -> None:
    """Each number has a title of its own."""
    titles = [title_of(number) for number in range(5000)]
    assert len(set(titles)) == 5000
    assert titles[0] == "amber arrival 1"


def test_some_votes_are_cast_twice() -> None:
    """Three in a hundred votes are repeated, all over the file."""
    voters, chosen = draw_votes(1000, 10**9, 10**5, np.random.default_rng(1))
    pairs = list(zip(voters.tolist(), chosen.tolist(), strict=True))
    assert len(set(pairs)) == 970
    repeated = [place for place, pair in enumerate(pairs) if pair in pairs[:place]]
    assert min(repeated) < 500 < max(repeated)


def test_some_items_get_no_votes() -> None:
    """The last tenth of the items gets no votes."""
    assert draw_items(100, np.array([0.0, 1 - 2**-53])).tolist() == [0, 89]


def test_popularity() -> None:
    """The popularity of the r-th item is proportional to 1/r."""
    uniforms = (np.arange(1100) + 0.5) / 1100
    assert np.bincount(draw_items(3, uniforms)).tolist() == [600, 300, 200]
