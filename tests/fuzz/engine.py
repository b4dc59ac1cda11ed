"""Fuzzes one target in this process with Atheris: `engine.py TARGET [OPTION...] [FOLDER...]`.

The options are those of libFuzzer. Half of the changes are its own, half keep the structure.
"""

import sys
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1]))

import atheris

with atheris.instrument_imports(include=["privtopk.impl", "privtopk.conformance", "privtopk.spec"]):
    from fuzz.targets import TARGETS


def main() -> None:
    """Fuzz the target; the process ends with the exit code of libFuzzer."""
    name, *options = sys.argv[1:]
    target = TARGETS[name]

    def mutate(data: bytes, longest: int, seed: int) -> bytes:
        random = Random(seed)
        if random.random() < 0.5:
            return bytes(atheris.Mutate(data, longest))
        return target.mutate(data, random)[:longest]

    atheris.Setup([sys.argv[0], *options], target.check, custom_mutator=mutate)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
