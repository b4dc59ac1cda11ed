"""Every block of code in the documentation runs, and prints what stands below it."""

import contextlib
import io
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from pages import EXAMPLES, PAGES, ROOT, Way, blocks, is_session, name_of, play

NOT_RUN = {
    "README.md": 1,
    "docs/explanation/gate.md": 1,
    "docs/how-to/conformance.md": 3,
    "docs/how-to/sources.md": 6,
    "docs/reference/bench.md": 1,
    "docs/reference/robustness.md": 4,
    "docs/reference/wire.md": 1,
}
"""The number of blocks per page that cannot run; a new one needs a decision."""

QUICK = ("README.md", "docs/how-to/select.md", "docs/tutorials/votes.md")
"""Pages that take seconds; `make test-all` runs the others."""


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_python_prints_what_the_page_says(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every Python block, run in order in an empty folder, prints the block below it."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    found = blocks(page)
    for block, output in pairwise(found):
        if block.way is Way.COMPARED:
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(block.text, names)
            assert printed.getvalue() == output.text


def session(page: Path) -> object:
    """Return a page as a parameter, with the marks that its run time needs."""
    heavy = [] if name_of(page) in QUICK else [pytest.mark.heavy]
    return pytest.param(page, id=name_of(page), marks=[pytest.mark.slow, *heavy])


@pytest.mark.parametrize("page", [session(page) for page in PAGES if is_session(page)])
def test_commands_do_what_the_page_says(page: Path, tmp_path: Path) -> None:
    """Files saved and commands run one after the other print the lines of the page."""
    play(page, tmp_path)


def test_every_block_is_run_or_has_a_reason() -> None:
    """Every block has a way to run; only these are left out, each with a reason."""
    ways = {name_of(page): Counter(block.way for block in blocks(page)) for page in PAGES}
    unknown = {page: count[Way.UNKNOWN] for page, count in ways.items() if count[Way.UNKNOWN]}
    left_out = {page: count[Way.NOT_RUN] for page, count in ways.items() if count[Way.NOT_RUN]}
    assert (unknown, left_out) == ({}, NOT_RUN)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_fence_is_a_block(page: Path) -> None:
    """No page has a fence without a language or in a list, which these tests would miss."""
    fences = re.findall(r"(?m)^ *```(?!\{)(\S*)", page.read_text("utf-8"))
    directives = page.read_text("utf-8").count("```{")
    assert len(fences) == 2 * len(blocks(page)) + directives


def test_tests_that_run_a_block_exist() -> None:
    """A block that is run elsewhere names a test that exists."""
    named = {block.note for page in PAGES for block in blocks(page) if block.way is Way.ELSEWHERE}
    missing = []
    for note in named:
        path, _, test = note.partition("::")
        if not (ROOT / path).is_file() or f"def {test}(" not in (ROOT / path).read_text():
            missing.append(note)
    assert missing == []


def test_the_examples_have_pages() -> None:
    """The READMEs of the examples are pages too."""
    assert len([page for page in PAGES if page.is_relative_to(EXAMPLES)]) == 2


PAGE = """<!-- a page -->
# Title

Save it as `a.py`:

```python
print("a")
```

```sh
python a.py
```

```text
a
```

<!-- not run: it is expensive -->
```sh
make everything
```

<!-- run by tests/test_pages.py::test_blocks_are_classified -->
```sql
SELECT 1;
```

```python
print(1)
```

```text
1
```

```python
print(2)
```
"""


def test_blocks_are_classified(tmp_path: Path) -> None:
    """Languages, neighbours and marks decide how a block is run; Python must print."""
    page = tmp_path / "page.md"
    page.write_text(PAGE)
    assert [(block.way, block.note) for block in blocks(page)] == [
        (Way.SAVED, "a.py"),
        (Way.SESSION, ""),
        (Way.OUTPUT, ""),
        (Way.NOT_RUN, "it is expensive"),
        (Way.ELSEWHERE, "tests/test_pages.py::test_blocks_are_classified"),
        (Way.COMPARED, ""),
        (Way.OUTPUT, ""),
        (Way.UNKNOWN, ""),
    ]


def test_a_page_is_played(tmp_path: Path) -> None:
    """Files are saved where the commands look for them."""
    (tmp_path / "page.md").write_text(PAGE)
    (tmp_path / "folder").mkdir()
    play(tmp_path / "page.md", tmp_path / "folder")
    assert (tmp_path / "folder" / "a.py").read_text() == 'print("a")\n'


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        ("```sh\necho a\n```\n\n```text\nb\n```\n", "not printed: b\na\n"),
        ("```sh\necho a; false\n```\n", "a\n"),
        ("```py\nprint('a b')\n```\n\n```text\na...c\n```\n", "not printed: a...c\na b\n"),
    ],
)
def test_what_is_wrong_on_a_page_is_noticed(wrong: str, complaint: str, tmp_path: Path) -> None:
    """A missing line and a failed command are errors that show what was printed."""
    page = tmp_path / "page.md"
    page.write_text(f"# Title\n\nText.\n\n{wrong}")
    with pytest.raises(AssertionError) as error:
        play(page, tmp_path)
    assert str(error.value).startswith(complaint)
