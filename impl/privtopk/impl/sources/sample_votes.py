"""Generated votes for films, for the tutorial and for tests.

The popularity of the r-th film is about 1/r. Some clients vote far more often than others, some
votes are cast twice, and a tenth of the films gets no vote. The same seed writes the same files.
"""

import csv
from pathlib import Path
from typing import Final

import numpy as np

from privtopk.impl.randomness.generators import Floats, Integers
from privtopk.spec.model.parameters import require_at_least, require_between

ADJECTIVES: Final = str.split(
    "amber blue bright broken calm distant early empty frozen gentle golden green grey hidden "
    "hollow last late little lonely long lost narrow northern old pale quiet red restless second "
    "secret silent silver slow small southern strange tall white wild winter"
)
NOUNS: Final = str.split(
    "arrival bakery bridge canal castle clock coast corner door ferry forest garden harbour hill "
    "hotel island journey lake lantern letter library lighthouse market meadow mirror mountain "
    "night orchard river road room sea shore song station street summer tower train valley "
    "village voyage wind window"
)

UNVOTED: Final = 0.1
"""The share of items that nobody votes for."""

REPEATED: Final = 0.03
"""The share of votes that repeat an earlier one."""

LARGEST_COUNT: Final = 10**9


def write_votes(path: Path | str, votes: int, clients: int, items: int, seed: int) -> Path:
    """Write a CSV file of votes and a file of the domain, one item per line.

    Returns the path of the domain file: for votes.csv it is votes-items.txt.
    """
    require_between("votes", votes, 1, LARGEST_COUNT)
    require_between("clients", clients, 1, LARGEST_COUNT)
    require_between("items", items, 1, LARGEST_COUNT)
    rng = np.random.default_rng(require_at_least("seed", seed, 0))
    titles = [title_of(number) for number in rng.permutation(items).tolist()]
    path = Path(path)
    domain = path.with_name(f"{path.name.partition('.')[0]}-items.txt")
    domain.write_text("".join(f"{title}\n" for title in sorted(titles)), encoding="utf-8")
    voters, chosen = draw_votes(votes, clients, items, rng)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("client", "item"))
        writer.writerows(
            (f"client-{voter}", titles[item])
            for voter, item in zip(voters.tolist(), chosen.tolist(), strict=True)
        )
    return domain


def title_of(number: int) -> str:
    """Return a title such as "blue harbour 17", unique for each number."""
    rest, adjective = divmod(number, len(ADJECTIVES))
    volume, noun = divmod(rest, len(NOUNS))
    return f"{ADJECTIVES[adjective]} {NOUNS[noun]} {volume + 1}"


def draw_votes(
    votes: int, clients: int, items: int, rng: np.random.Generator
) -> tuple[Integers, Integers]:
    """Return the client and the item of each vote; items are numbered by popularity."""
    repeats = int(votes * REPEATED)
    # Squares of uniforms favour low numbers: these clients vote most.
    voters = (clients * rng.random(votes - repeats) ** 2).astype(np.int64)
    chosen = draw_items(items, rng.random(votes - repeats))
    earlier = ((votes - repeats) * rng.random(repeats)).astype(np.int64)
    order = rng.permutation(votes)
    return np.append(voters, voters[earlier])[order], np.append(chosen, chosen[earlier])[order]


def draw_items(items: int, uniforms: Floats) -> Integers:
    """Return one item per uniform; the probability of the r-th is proportional to 1/r."""
    voted = max(1, round(items * (1 - UNVOTED)))
    shares = np.cumsum(1 / np.arange(1, voted + 1))
    return np.searchsorted(shares / shares[-1], uniforms)
