"""The command of the soak: `python -m privtopk.impl.measurement.soak --seconds 600`."""

import argparse
import sys
from typing import Final

from privtopk.impl.measurement.progress import progress_bar
from privtopk.impl.measurement.soak.conducting import PROCESSES, THREADS, SoakResult, soak

COLUMNS: Final = ("selections", "refusals", "kills", "restarts")


def main() -> int:
    """Run the soak and print its counts; return 0 if nothing was wrong and nothing was left."""
    parser = argparse.ArgumentParser(prog="python -m privtopk.impl.measurement.soak")
    parser.add_argument("--seconds", type=float, default=600.0, help="how long to select")
    options = parser.parse_args()
    with progress_bar("soak") as show:
        result = soak(options.seconds, show)
    print(f"{options.seconds:g} s, {PROCESSES * THREADS} threads in {PROCESSES} processes")
    print("\n".join(lines_of(result)))
    return 0 if result.is_clean else 1


def lines_of(result: SoakResult) -> list[str]:
    """Return a table of counts per database, and what was wrong or left."""
    table = [f"{'':<12}" + "".join(f"{name:>12}" for name in COLUMNS)]
    for database in sorted({name for name, _ in result.tally}):
        counts = "".join(f"{result.tally[database, name]:>12,}" for name in COLUMNS)
        table.append(f"{database:<12}{counts}")
    wrong = [
        f"{database} {outcome}: {count}"
        for (database, outcome), count in result.tally.items()
        if outcome.startswith("wrong")
    ]
    left = f"descriptors left: {result.descriptors}, connections left: {result.connections}"
    return [*table, *wrong, f"wrong: {result.wrong}, {left}"]


if __name__ == "__main__":
    sys.exit(main())
