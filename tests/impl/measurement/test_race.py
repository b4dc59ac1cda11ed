"""How times are measured and compared, on a clock that the tests control."""

import gc

import pytest

from privtopk.impl.measurement.race import Race, race


class Clock:
    """A clock that contenders advance; it starts at 100, so that no reading is 0."""

    def __init__(self) -> None:
        self.now = 100.0
        self.calls: list[str] = []

    def perf_counter(self) -> float:
        """Return the time."""
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Replace the clock of the measurements."""
    turned = Clock()
    monkeypatch.setattr("privtopk.impl.measurement.race.time.perf_counter", turned.perf_counter)
    return turned


def test_contenders_take_turns(clock: Clock) -> None:
    """Every turn calls the slow contender once and the fast one several times."""

    def advance_clock(name: str, seconds: float) -> None:
        clock.calls.append(name)
        clock.now += seconds

    times = race(
        {
            "slow": lambda: advance_clock("slow", 1.0),
            "fast": lambda: advance_clock("fast", 1 / 256),
        },
        2,
    )
    assert clock.calls == ["slow", "fast", "fast", *(["slow"] + ["fast"] * 5) * 2]
    assert (times.ratio("slow", "fast"), times.best("fast")) == (256, 1 / 256)
    assert gc.isenabled()


def test_a_slow_one_may_be_called_more_often(clock: Clock) -> None:
    """The minimum number of calls applies to a slow contender too, and its time is the mean."""

    def advance_clock(seconds: float) -> None:
        clock.now += seconds

    costs = iter([1.0, 3.0, 5.0, 2.0, 2.0])
    times = race({"random": lambda: advance_clock(next(costs))}, 2, {"random": 2})
    assert times.seconds == {"random": (4.0, 2.0)}


def test_the_fastest_turn_counts() -> None:
    """A slow turn counts on neither side of a ratio."""
    times = Race({"a": (3.0, 2.0, 9.0), "b": (1.0, 0.5, 0.5)})
    assert times.ratio("a", "b") == 4.0
