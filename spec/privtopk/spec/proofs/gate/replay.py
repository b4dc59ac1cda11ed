"""Replay of a counterexample in plain Python, in a process that never imports CrossHair.

A symbolic executor can be wrong about what Python does. Its counterexample counts only if the
call that it prints meets the preconditions and then returns false or raises. The process runs
`python -m privtopk.spec.proofs.gate.replay MODULE FUNCTION CALL`.
"""

import importlib
import inspect
import json
import os
import subprocess
import sys
from dataclasses import asdict, dataclass

from privtopk.spec.proofs.gate.theorem import Theorem, theorem_of

TIMEOUT = 60.0
"""Seconds; a replay is one call of a small function."""


@dataclass(frozen=True, slots=True)
class Replay:
    """What a printed call does in plain Python."""

    is_refutation: bool

    account: str
    """What happened, for example `returns False`."""


def replay_here(theorem: Theorem, call: str) -> Replay:
    """Evaluate a printed call of the theorem in this process."""
    namespace = dict(theorem.function.__globals__)
    signature = inspect.signature(theorem.function)
    try:
        bound = eval(call, {**namespace, theorem.function.__name__: signature.bind})
    except Exception as error:
        return Replay(False, f"cannot be evaluated: {_describe(error)}")
    if not isinstance(bound, inspect.BoundArguments):
        return Replay(False, "is not a call of the theorem")
    bound.apply_defaults()
    for precondition in theorem.preconditions:
        try:
            is_met = bool(eval(precondition, {**namespace, **bound.arguments}))
        except Exception as error:
            return Replay(False, f"breaks the precondition {precondition}: {_describe(error)}")
        if not is_met:
            return Replay(False, f"does not meet the precondition {precondition}")
    try:
        value = theorem.function(*bound.args, **bound.kwargs)
    except Exception as error:
        return Replay(True, f"raises {_describe(error)}")
    return Replay(not value, f"returns {value}")


def replay(theorem: Theorem, call: str) -> Replay:
    """Evaluate a printed call of the theorem in a fresh process with the same import path."""
    function = theorem.function
    reference = [function.__module__, function.__name__]
    command = [sys.executable, "-P", "-m", __name__, *reference, call]
    try:
        completed = subprocess.run(
            command,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Replay(False, f"does not return within {TIMEOUT:.0f} s")
    if completed.returncode != 0:
        return Replay(False, f"crashes: {completed.stderr.strip()[-200:]}")
    return Replay(**json.loads(completed.stdout.splitlines()[-1]))


def _describe(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def main(module: str, function: str, call: str) -> None:
    """Replay one call and print what happened as JSON."""
    theorem = theorem_of(getattr(importlib.import_module(module), function))
    print(json.dumps(asdict(replay_here(theorem, call))))


if __name__ == "__main__":
    main(*sys.argv[1:])
