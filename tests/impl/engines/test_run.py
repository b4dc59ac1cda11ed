"""Facts about what an engine hands back."""

from privtopk.impl.engines.run import EngineRun


def test_a_note_is_optional() -> None:
    """An engine that has nothing to say leaves the note empty."""
    assert EngineRun(items=(1, 0), noise_draws=4) == EngineRun((1, 0), 4, "")
