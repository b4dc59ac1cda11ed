"""Tests of reading citations from docstrings."""

from pathlib import Path

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
    path = Path("noise/law.py")
    assert citations_below(tmp_path) == (
        Citation("thm:one", "Paper", path),
        Citation("thm:two", "Paper", path),
        Citation("thm:three", "Paper", path),
        Citation("erratum:shift", "Deviates", path),
        Citation("ours:density", "Ours", path, "Law.density"),
    )
