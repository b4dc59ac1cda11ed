"""Facts about the sizes and trials of requirements on noisy scores."""

from privtopk.conformance.requirements.instruments.noisy_scores import affordable_trials, sizes_for
from privtopk.conformance.subjects.kinds import Abilities, Cost
from privtopk.spec.noise.distributions import NoiseKind


def test_sizes_are_cut_at_the_largest_domain() -> None:
    """No size exceeds what the subject accepts, and the largest it accepts is tried."""
    rounds = Abilities(cost=Cost.THRESHOLD, largest=5000)
    assert sizes_for(rounds, NoiseKind.GUMBEL) == (100, 5000)
    assert sizes_for(Abilities(largest=5000), NoiseKind.GUMBEL) == (100, 2000)


def test_laplace_noise_is_not_tried_where_a_right_selector_may_run_for_hours() -> None:
    """The largest domain under Laplace noise is 2^30."""
    assert sizes_for(Abilities(cost=Cost.BATCHED, largest=2**60), NoiseKind.LAPLACE)[-1] == 2**30


def test_a_scan_makes_fewer_trials_of_large_domains() -> None:
    """A subject that reads everything gets fewer trials on larger domains."""
    scan, lazy = Abilities(cost=Cost.SCAN), Abilities(cost=Cost.BATCHED)
    assert [affordable_trials(scan, m, 256) for m in (100, 2_000, 10**6)] == [256, 50, 32]
    assert affordable_trials(lazy, 2**60, 256) == 256
