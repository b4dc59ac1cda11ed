"""Children for the tests of the wire."""

import shlex
import sys
from pathlib import Path

ROOTS = [Path(__file__).parents[3] / name for name in ("spec", "impl", "conformance", "tests")]
FAULTY = Path(__file__).with_name("faulty_child.py")


def faulty_address(fault: str) -> str:
    """Return the address of a child that breaks the protocol."""
    return "stdio:" + shlex.join([sys.executable, "-I", str(FAULTY), fault])


def served_address(address: str) -> str:
    """Return the address of a Python subject behind the wire."""
    words = [
        "env",
        f"PYTHONPATH={':'.join(map(str, ROOTS))}",
        sys.executable,
        "-m",
        "privtopk.conformance.wire",
        address,
    ]
    return "stdio:" + shlex.join(words)
