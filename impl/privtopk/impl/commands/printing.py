"""Prints a selection as a table, as JSON or as CSV, and its costs to the error stream."""

import csv
import json
import sys
from typing import Final

from privtopk.impl.selection import Audit, Selection

WARNING: Final = "NOT PRIVATE: what follows depends on the votes, do not publish it"


def print_table(selection: Selection) -> None:
    """Print the items and the guarantee for people."""
    promise = selection.guarantee
    for place, item in enumerate(selection.items, start=1):
        print(f"{place:>4}  {item}" if selection.is_ranked else f"   -  {item}")
    order = "best first" if selection.is_ranked else "in no order"
    approximate = f", delta {promise.delta:.3g}" if promise.delta else ""
    print(
        f"{len(selection.items)} items, {order}; epsilon {float(promise.epsilon):.6g}"
        f"{approximate}, {promise.relation.value} neighbours ({promise.theorem})"
    )


def print_json(selection: Selection) -> None:
    """Print the items and the guarantee for machines."""
    promise = selection.guarantee
    published = {
        "items": list(selection.items),
        "is_ranked": selection.is_ranked,
        "guarantee": {
            "epsilon": float(promise.epsilon),
            "delta": promise.delta,
            "relation": promise.relation.value,
            "theorem": promise.theorem,
            "rho": promise.rho,
            "is_proved": promise.is_proved,
        },
    }
    print(json.dumps(published, indent=2, ensure_ascii=False))


def print_csv(selection: Selection) -> None:
    """Print one item per row, with its rank if the items are ranked."""
    rows = csv.writer(sys.stdout, lineterminator="\n")
    if selection.is_ranked:
        rows.writerow(["rank", "item"])
        rows.writerows(enumerate(selection.items, start=1))
    else:
        rows.writerow(["item"])
        rows.writerows([item] for item in selection.items)


PRINTERS: Final = {"table": print_table, "json": print_json, "csv": print_csv}


def print_audit(audit: Audit) -> None:
    """Print the costs of the selection to the error stream, after a warning."""
    lines = (
        ("engine", f"{audit.engine} ({audit.reason})"),
        ("sorted accesses", f"{audit.sorted_accesses:,}"),
        ("random accesses", f"{audit.random_accesses:,}"),
        ("round trips", f"{audit.round_trips:,}"),
        ("noise draws", f"{audit.noise_draws:,}"),
        ("seconds", f"{audit.seconds:.4g}"),
    )
    print(WARNING, file=sys.stderr)
    for name, value in lines:
        print(f"{name:<16} {value}", file=sys.stderr)
