"""Children for the tests of the wire."""

import shlex
import sys
from pathlib import Path

FAULTY = Path(__file__).with_name("faulty_child.py")


def faulty(fault: str) -> str:
    """Return the address of a child that breaks the protocol."""
    return "stdio:" + shlex.join([sys.executable, "-I", str(FAULTY), fault])


def served(address: str) -> str:
    """Return the address of a Python subject behind the wire."""
    path = f"PYTHONPATH={Path(__file__).parents[2]}"
    words = ["env", path, sys.executable, "-m", "privtopk.conformance.wire", address]
    return "stdio:" + shlex.join(words)
