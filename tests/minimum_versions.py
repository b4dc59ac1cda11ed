"""Prints the smallest version of every package that pyproject.toml declares, as constraints of pip.

`make test-minimum` installs them. A package without a lower bound is not constrained.
"""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).parents[1] / "pyproject.toml"
TABLES = ("pandas", "polars", "pyarrow")
"""Packages of developers whose tables the engines take: a user may have them at this version."""

BOUND = re.compile(r"([A-Za-z0-9._-]+)(?:\[[^\]]*\])?(?:>=|==)([0-9.]+)")


def minimum_versions(project: dict[str, Any]) -> dict[str, str]:
    """Return the smallest version of each package that a user's environment may have."""
    declared = project["project"]
    extras = declared["optional-dependencies"].values()
    users = [*declared["dependencies"], *(line for extra in extras for line in extra)]
    tables = [one for one in project["dependency-groups"]["dev"] if one.startswith(TABLES)]
    return {name: version for line in (*users, *tables) for name, version in bounds(line)}


def bounds(requirement: str) -> Iterator[tuple[str, str]]:
    """Yield the package and its lower bound, if it has one."""
    found = BOUND.match(requirement)
    if found is not None:
        yield found[1], found[2]


if __name__ == "__main__":
    for name, version in sorted(minimum_versions(tomllib.loads(PROJECT.read_text())).items()):
        print(f"{name}=={version}")
