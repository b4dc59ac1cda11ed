"""`python tests/fuzz [TARGET...]`: fuzzes all targets or some; `make fuzz` calls it.

If an input violates a property, the exit code is 1 and the input is kept in build/fuzz. Make it
smaller with `python tests/fuzz/engine.py TARGET -minimize_crash=1 -runs=10000 FILE`, and add it to
the corpus of its target with the repair.
"""

import argparse
import sys
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from fuzz.running import fuzz, table_of
from fuzz.targets import TARGETS
from privtopk.impl.measurement.progress import ShowProgress, progress_bar


def main() -> int:
    """Fuzz, print the figures, and return 1 if a property was violated."""
    parser = argparse.ArgumentParser(prog="python tests/fuzz", description=__doc__)
    parser.add_argument("targets", nargs="*", choices=[[], *TARGETS], metavar="TARGET")
    parser.add_argument("--share", type=float, default=1.0, help="factor of the number of cases")
    options = parser.parse_args()
    chosen = [TARGETS[name] for name in options.targets or TARGETS]
    cases = {target: max(1, round(options.share * target.cases)) for target in chosen}
    total, done, figures = sum(cases.values()), 0, []
    with progress_bar("fuzz") as progress:
        for target, number in cases.items():
            show = partial(show_case, progress, done, total, target.name)
            figures.append(fuzz(target, number, show))
            done += number
    print(table_of(figures))
    failed = [each for each in figures if each.failure]
    for each in failed:
        print(f"\n{each.target} violates a property:\n{each.failure}", file=sys.stderr)
    return 1 if failed else 0


def show_case(progress: ShowProgress, before: int, total: int, name: str, number: int) -> None:
    """Show the number of a case of a target, after those of earlier targets."""
    progress(before + number, total, name)


if __name__ == "__main__":
    sys.exit(main())
