"""The layers of every package, from the contracts that import-linter holds.

`python docs/generate/layers.py` prints them, highest first: a folder may import those on lines
below its own, and folders on one line do not know each other.
"""

import tomllib
from pathlib import Path

PROJECT = Path(__file__).parents[2] / "pyproject.toml"


def package_layers() -> dict[str, list[list[str]]]:
    """Return the layers of each package, highest first, each with its folders and modules."""
    linter = tomllib.loads(PROJECT.read_text())["tool"]["importlinter"]
    return {
        package: [layer.split(" | ") for layer in contract["layers"]]
        for contract in linter["contracts"]
        if contract["type"] == "layers"
        for package in contract["containers"]
    }


def listing() -> str:
    """Return all layers as text, a paragraph per package."""
    return "\n\n".join(
        "\n".join((package, *(f"  {'  '.join(layer)}" for layer in layers)))
        for package, layers in package_layers().items()
    )


if __name__ == "__main__":
    print(listing())
