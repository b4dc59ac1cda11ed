"""Write the pages and pictures that are made from the code: `python docs/generate FOLDER`."""

import sys
from pathlib import Path

import commands
from architecture_picture import architecture
from engine_pictures import order_statistics, stages
from model_pictures import threshold, two_doors


def generate_files() -> dict[str, str]:
    """Return the text of each file by its place in the documentation."""
    return {
        "reference/cli.md": commands.page(),
        "images/two-doors.svg": two_doors().svg(),
        "images/threshold.svg": threshold().svg(),
        "images/order-statistics.svg": order_statistics().svg(),
        "images/stages.svg": stages().svg(),
        "images/architecture.svg": architecture().svg(),
    }


if __name__ == "__main__":
    for name, text in generate_files().items():
        path = Path(sys.argv[1]) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
