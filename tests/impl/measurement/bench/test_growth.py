"""Facts about exponents of power laws and their intervals, also if the machine is slow at times."""

import pytest

from privtopk.impl.engines.choice import Engine
from privtopk.impl.measurement.bench.growth import (
    Sweep,
    Visit,
    fit_exponent,
    mean_exponent,
    median_interval,
    time_exponent,
    visit,
)
from privtopk.impl.selection import Selection
from privtopk.impl.top_k import top_k

SIZES = [2**e for e in range(4, 12)]


def test_an_exponent_is_found() -> None:
    """The exponent of a power law is found, with a narrow interval around it."""
    sizes = [float(2**e) for e in range(4, 12)]
    noisy = [7 * size**0.5 * (1.01 if place % 2 else 0.99) for place, size in enumerate(sizes)]
    exponent = fit_exponent(sizes, noisy)
    assert exponent.slope == pytest.approx(0.5, abs=0.005)
    assert exponent.low < 0.5 < exponent.high
    assert exponent.high - exponent.low < 0.03


def visits(seconds_per_access: list[list[float]]) -> dict[int, list[Visit]]:
    """Return turns over all sizes; accesses grow as 4 sqrt(m), and each takes a given time."""
    accesses = {m: round(4 * m**0.5) for m in (16, 256, 4096)}
    return {
        m: [Visit(2, 2 * n, 6 * n, 2 * n * turn[place]) for turn in seconds_per_access]
        for place, (m, n) in enumerate(accesses.items())
    }


def test_means_are_per_selection() -> None:
    """A size with twice as many calls in a turn does not look twice as expensive."""
    seen = visits([[1.0, 1.0, 1.0]])
    seen[16] += seen[16]
    for quantity in ("accesses", "noise_draws"):
        assert mean_exponent(seen, quantity).slope == pytest.approx(0.5)


def test_time_grows_with_accesses_where_one_costs_the_same() -> None:
    """If all accesses take the same time, the exponent of the time is that of the accesses."""
    exponent = time_exponent(visits([[2.0, 2.0, 2.0], [3.0, 3.0, 3.0], [2.0, 2.0, 2.0]]))
    assert (exponent.slope, exponent.low, exponent.high) == pytest.approx((0.5, 0.5, 0.5))


def test_a_slow_moment_of_the_machine_does_not_count() -> None:
    """One size of one turn that takes ten times as long moves the interval and not the median."""
    exponent = time_exponent(visits([[1.0, 1.0, 1.0], [1.0, 1.0, 10.0], [1.0, 1.0, 1.0]]))
    assert (exponent.slope, exponent.low) == pytest.approx((0.5, 0.5))
    assert exponent.high > 0.8


def test_a_slower_access_counts() -> None:
    """If the time per access grows as the fourth root, 1/4 is added to the exponent."""
    exponent = time_exponent(visits([[2.0, 4.0, 8.0]] * 4))
    assert (exponent.slope, exponent.low, exponent.high) == pytest.approx((0.75, 0.75, 0.75))


@pytest.mark.parametrize(
    ("count", "expected"), [(1, (0, 0)), (5, (0, 4)), (6, (0, 5)), (12, (2, 9)), (20, (5, 14))]
)
def test_the_interval_of_a_median_has_its_places(count: int, expected: tuple[int, int]) -> None:
    """Of 12 values the third and the tenth are the ends; of fewer than six, the extremes."""
    assert median_interval([float(value) for value in range(count)]) == expected


def test_a_visit_adds_up_its_selections(monkeypatch: pytest.MonkeyPatch) -> None:
    """A visit makes the given number of selections, and its numbers are their sums."""
    clock = iter([10.0, 15.0])
    monkeypatch.setattr(
        "privtopk.impl.measurement.bench.growth.time.process_time", lambda: next(clock)
    )
    found: list[Selection] = []

    def select() -> Selection:
        found.append(top_k([3, 2, 1], 1, epsilon=1.0, rng=len(found)))
        return found[-1]

    seen = visit(select, 3)
    accesses = sum(selection.audit.accesses for selection in found)
    draws = sum(selection.audit.noise_draws for selection in found)
    assert (len(found), seen) == (3, Visit(3, accesses, draws, 5.0))


def test_small_sizes_are_visited_more_often() -> None:
    """The largest size has one selection per turn, a size with a sixteenth of its accesses four."""
    sweep = Sweep(Engine.ONLINE, "m", ((2**12, 64), (2**16, 64), (2**20, 64)))
    assert [sweep.calls(m, k) for m, k in sweep.settings] == [4, 2, 1]
