"""Facts about names of classes, functions, booleans, modules and folders."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
ROOTS = ("spec", "impl", "conformance")
LARGEST_FOLDER = 15

PARTICIPLE = re.compile(
    r"[a-z]+ed|begun|bound|broken|brought|built|chosen|drawn|driven|found|given|grown|held|hidden|"
    r"kept|known|laid|left|lent|lost|made|met|paid|seen|sent|shown|sold|spent|"
    r"sought|taken|taught|thought|thrown|told|torn|undone|won|worn|written"
)
EXEMPT = {"bound", "seed", "named"}
"""Nouns that look like participles, and the constructor of subjects with names."""

STATEMENT = re.compile(
    r"(^|_)(is|are|was|were|has|have|had|can|could|may|must|will|would|does|do|should|needs|fits|"
    r"holds|accepts|allows|agrees|answers|covers|declares|keeps|knows|matches|meets|offers|plays|"
    r"reaches|stems|uses)(_|$)"
)
PUBLISHED = {
    "ranked",
    "approximate",
    "rewrite",
    "store_as_other_writer",
    "wait",
    "cancel_futures",
    "condition",
    "evaluate",
}
"""Published options, functions that act and return whether they did, and other packages' names."""


def modules() -> Iterator[tuple[Path, ast.Module]]:
    """Yield every shipped module with its syntax tree."""
    for root in ROOTS:
        for path in sorted((ROOT / root / "privtopk").rglob("*.py")):
            yield path.relative_to(ROOT), ast.parse(path.read_text())


MODULES = list(modules())


def functions() -> Iterator[tuple[Path, ast.FunctionDef, set[str]]]:
    """Yield every function and method, with the names of its decorators."""
    for path, tree in MODULES:
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                decorators = {ast.unparse(one).partition("(")[0] for one in node.decorator_list}
                yield path, node, decorators


def is_boolean(annotation: ast.expr | None) -> bool:
    """Return whether an annotation is that of a boolean."""
    return annotation is not None and ast.unparse(annotation) == "bool"


def test_a_public_class_has_one_home() -> None:
    """No two modules define a public class of the same name."""
    homes = defaultdict(list)
    for path, tree in MODULES:
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes[node.name].append(path.as_posix())
    assert {name: where for name, where in homes.items() if len(where) > 1} == {}


def test_no_function_is_a_bare_participle() -> None:
    """No function is a bare participle; a property may be one."""
    found = [
        f"{path}:{node.lineno} {node.name}"
        for path, node, decorators in functions()
        if not decorators & {"property", "cached_property", "overload"}
        and PARTICIPLE.fullmatch(node.name.strip("_"))
        and node.name.strip("_") not in EXEMPT
    ]
    assert found == []


def test_a_boolean_reads_as_a_statement() -> None:
    """Functions that return a boolean, and boolean fields and parameters, are statements."""
    found = []
    for path, tree in MODULES:
        if "theorems" in path.parts:  # their names are the statements that they prove
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and is_boolean(node.returns):
                name = node.name
            elif isinstance(node, ast.arg) and is_boolean(node.annotation):
                name = node.arg
            elif isinstance(node, ast.AnnAssign) and is_boolean(node.annotation):
                name = ast.unparse(node.target).removeprefix("self.")
            else:
                continue
            is_exempt = name.startswith("__") or name in PUBLISHED
            if not is_exempt and not STATEMENT.search(name.strip("_")):
                found.append(f"{path}:{node.lineno} {name}")
    assert found == []


def test_no_folder_has_more_modules_than_a_reader_takes_in() -> None:
    """At most fifteen modules lie side by side."""
    count = defaultdict(list)
    for path, _ in MODULES:
        if path.name != "__init__.py":
            count[path.parent.as_posix()].append(path.name)
    assert {folder: names for folder, names in count.items() if len(names) > LARGEST_FOLDER} == {}


def test_no_module_is_the_singular_of_a_folder() -> None:
    """No folder has both the singular and the plural of a name."""
    names = {path.parent / path.stem for path, _ in MODULES}
    folders = {path.parent for path, _ in MODULES}
    every = names | folders
    twins = [one.as_posix() for one in every if one.with_name(f"{one.name}s") in every]
    assert twins == []
