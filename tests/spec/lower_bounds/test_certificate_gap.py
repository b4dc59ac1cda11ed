"""The gap between lower and upper bound, as data and as the table of the documentation.

Tests: ours:hit-certificate, ours:batched-cost.
"""

import math
from pathlib import Path

import pytest

from privtopk.spec.lower_bounds.certificate_gap import (
    as_csv,
    as_markdown,
    certificate_gap,
    certificate_gaps,
    main,
)
from privtopk.spec.lower_bounds.certificate_search import best_certificate

PAGE = Path(__file__).parents[3] / "docs" / "explanation" / "lower-bounds.md"


def test_gap_in_figures() -> None:
    """The gap of a million items is that of the best certificate and 2 sqrt(mk)."""
    gap = certificate_gap(10**6, 4, 1, 0.01, 0.02)
    assert gap.certificate == best_certificate(10**6, 4, 1, 0.01, 0.02).bound
    assert (gap.upper, gap.share) == (4000, gap.certificate / 2000)
    assert gap.factor == pytest.approx(2 / gap.share)


def test_k_items_cost_k_accesses() -> None:
    """If the certificate is below k, the bound is k: any answer takes k accesses."""
    assert certificate_gap(10, 10, 3).certificate == 10


def test_gap_narrows_with_k() -> None:
    """The more items are selected, the larger the share of sqrt(mk) that is certified."""
    shares = [gap.share for gap in certificate_gaps(10**9, (1, 2, 5, 20, 100, 500), 1)]
    assert shares == sorted(shares)


def test_rows_for_plots() -> None:
    """A row of the table for plots has every field, and numbers that read back."""
    header, row = as_csv(certificate_gaps(10**6, [7], 0.5))
    values = dict(zip(header.split(","), map(float, row.split(",")), strict=True))
    assert values["k"] == 7
    assert values["share"] == values["certificate"] / math.sqrt(7 * 10**6)


def test_command_prints_rows(capsys: pytest.CaptureFixture[str]) -> None:
    """With --csv the command prints a header and one row per k."""
    assert main(["--csv", "--items", "5000", "--largest", "3", "--epsilon", "0.1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines == list(as_csv(certificate_gaps(5000, (1, 2, 3), 0.1)))


@pytest.mark.slow
def test_page_shows_the_table() -> None:
    """The page on lower bounds shows what the command prints."""
    assert "\n".join(as_markdown()) in PAGE.read_text("utf-8")
