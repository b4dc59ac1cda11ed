"""Tests of reading citations from docstrings."""

from pathlib import Path

import pytest

from privtopk.spec.proofs.gate.citations import Citation, citations_below, cited_keys

MODULE = '''"""Order statistics.

Paper:    thm:one, thm:two (with F(x) >= u),
          thm:three.
Deviates: erratum:shift.
"""

class Law:
    """A law without citations; see thm:four."""

    def density(self) -> float:
        """Return the density.

        Ours: ours:density.
        """
        return 1.0
'''


def test_keys_are_read_with_their_tags() -> None:
    """A line may be continued, and its keys may have remarks."""
    docstring = "Laws.\n\nPaper: thm:one (as is: f(x)),\n       thm:two.\nOurs:  ours:law-1."
    assert list(cited_keys(docstring)) == [
        ("Paper", "thm:one"),
        ("Paper", "thm:two"),
        ("Ours", "ours:law-1"),
    ]


def test_a_key_in_a_sentence_is_no_citation() -> None:
    """Only lines that start with a tag cite."""
    assert list(cited_keys("The law of thm:one.\n\nSee Paper: thm:two.")) == []


def test_modules_classes_and_functions_cite(tmp_path: Path) -> None:
    """Each citation has its module, and the function or class if it is not the module's own."""
    (tmp_path / "noise").mkdir()
    (tmp_path / "noise/law.py").write_text(MODULE)
    assert citations_below(tmp_path) == (
        Citation("thm:one", "Paper", "noise.law"),
        Citation("thm:two", "Paper", "noise.law"),
        Citation("thm:three", "Paper", "noise.law"),
        Citation("erratum:shift", "Deviates", "noise.law"),
        Citation("ours:density", "Ours", "noise.law", "Law.density"),
    )


@pytest.mark.parametrize(
    ("module", "expected"),
    [("noise.law", True), ("claims.errata", False), ("proofs.checks.noise.law", False)],
)
def test_lists_and_proofs_do_not_state(module: str, expected: bool) -> None:
    """A claim is stated where the specification proper cites it."""
    assert Citation("thm:one", "Paper", module).is_in_specification is expected
