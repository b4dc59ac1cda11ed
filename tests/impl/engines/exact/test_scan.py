"""Facts about the exact scan: it reads everything once, in blocks, and ranks by the bits."""

from fractions import Fraction

import numpy as np
import pytest

from privtopk.impl.engines.exact import scan as module
from privtopk.impl.engines.exact.quantile import certified_noise
from privtopk.impl.engines.exact.scan import scan
from privtopk.impl.scores.memory import ArrayScores
from privtopk.impl.scores.reader import Reader
from privtopk.spec.noise.distributions import NoiseKind
from support_exact import Instance, ServedField, random_table


@pytest.mark.parametrize("kind", NoiseKind)
@pytest.mark.parametrize("block", [1, 7, 1000])
def test_blocks_change_nothing(
    kind: NoiseKind, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long blocks are, the scan returns what Arb returns, and reads every item once."""
    monkeypatch.setattr(module, "FIRST_BLOCK", block)
    monkeypatch.setattr(module, "BLOCK", 2 * block)
    generator = np.random.default_rng(block)
    for k in (1, 5, 60):
        scores = generator.integers(0, 6, size=60).tolist()
        instance = Instance(scores, random_table(generator, 60), k, Fraction(2, 3), kind)
        reader, field = Reader(ArrayScores(scores)), ServedField(instance.words)
        run = scan(reader, k, instance.rate, certified_noise(kind), field)
        assert run.items == instance.selected()
        assert (reader.sorted_accesses, reader.random_accesses, run.noise_draws) == (0, 60, 60)


def test_most_items_show_one_word() -> None:
    """Of 20,000 tied items fewer than one in ten shows a second word."""
    m = 20_000
    field = ServedField(random_table(np.random.default_rng(1), m))
    scan(Reader(ArrayScores([0] * m)), 3, Fraction(1), certified_noise(NoiseKind.GUMBEL), field)
    assert sum(number == 1 for _, number in field.told) < m / 10
