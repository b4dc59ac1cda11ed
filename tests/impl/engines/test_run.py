"""Facts about what an engine returns."""

from privtopk.impl.engines.run import EngineRun


def test_a_note_is_optional() -> None:
    """The note of a run is empty by default."""
    assert EngineRun(items=(1, 0), noise_draws=4) == EngineRun((1, 0), 4, "")
