"""Facts about the progress bar of long measurements."""

import pytest

from privtopk.impl.measurement.progress import progress_bar


def test_nothing_is_shown_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a terminal there is no bar, on either stream."""
    with progress_bar("bench") as progress:
        progress(1, 2, "speed")
    assert capsys.readouterr() == ("", "")


def test_a_terminal_shows_how_much_is_done(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bar has the title, the count and the current piece, on the error stream only."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    with progress_bar("bench") as progress:
        progress(1, 2, "speed")
    printed = capsys.readouterr()
    assert printed.out == ""
    assert all(part in printed.err for part in ("bench", "1/2", "speed"))
