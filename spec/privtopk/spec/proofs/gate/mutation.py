"""Seeding a bug: change one line in a copy of the specification, and run the killers on it.

Each killer runs in a process of its own that imports the changed copy, and must refute it. A check
does so by raising `CheckFailed`, or any error that passes through the changed module; a theorem by
a counterexample that replays; a Coq theorem if Coq rejects a proof of the changed file. If the
change is in a check itself, only `CheckFailed` kills. A crash, a hang, an import error or a syntax
error kills nothing.
"""

import importlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import traceback
from dataclasses import asdict, dataclass
from pathlib import Path

from privtopk.spec.claims.table import CLAIMS
from privtopk.spec.proofs.gate.coq import CoqFinding, all_coq_theorems, judge_coq
from privtopk.spec.proofs.gate.registry import Check, CheckFailed, RegistryError
from privtopk.spec.proofs.gate.seeded_bugs import (
    SPECIFICATION,
    SeededBug,
    apply_bug,
    evidence_reference,
    specification_root,
)
from privtopk.spec.proofs.gate.theorem import Policy, policy_of, theorem_of

TIMEOUT = 150.0
"""Seconds that a killer may take. A bug that makes its killer hang is not killed."""


@dataclass(frozen=True, slots=True)
class Kill:
    """Whether a seeded bug was killed, and what its killers found."""

    is_killed: bool
    account: str


def seed(bug: SeededBug, root: Path | None = None, timeout: float = TIMEOUT) -> Kill:
    """Return whether every killer refutes a copy of the specification with the bug in it."""
    with tempfile.TemporaryDirectory(prefix="privtopk-") as folder:
        try:
            _copy_with(bug, root or specification_root(), Path(folder))
        except RegistryError as error:
            return Kill(False, str(error))
        accounts = []
        for killer in bug.killers:
            kill = _run(bug, killer, Path(folder), timeout)
            if not kill.is_killed:
                return Kill(False, f"{killer}: {kill.account}")
            accounts.append(kill.account)
    return Kill(True, "; ".join(accounts))


def _copy_with(bug: SeededBug, root: Path, folder: Path) -> None:
    """Copy the specification into a folder and make the one change."""
    relative = Path(*SPECIFICATION.split("."))
    stale = f"{bug.module.rpartition('.')[2]}.*.pyc"
    shutil.copytree(root / relative, folder / relative, ignore=shutil.ignore_patterns(stale))
    path = folder / relative / bug.source
    if not path.is_file():
        raise RegistryError(f"{bug.name}: there is no module {bug.module}")
    path.write_text(apply_bug(bug, path.read_text("utf-8")), "utf-8")


def _run(bug: SeededBug, killer: str, folder: Path, timeout: float) -> Kill:
    """Run one killer on the copy and return its verdict."""
    command = [sys.executable, "-P", "-m", __name__, str(bug.source), killer]
    try:
        completed = subprocess.run(
            command,
            env=environment_for(folder),
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Kill(False, f"no verdict within {timeout:.0f} s")
    if completed.returncode != 0:
        return Kill(False, f"the harness failed: {completed.stderr.strip()[-300:]}")
    answer = json.loads(completed.stdout.splitlines()[-1])
    if not Path(answer.pop("path")).is_relative_to(folder.resolve()):
        return Kill(False, "the unchanged specification was imported")
    return Kill(**answer)


def environment_for(folder: Path) -> dict[str, str]:
    """Return an environment in which the copy in a folder is imported before any other."""
    return {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}


def verdict_here(source: str, killer: str) -> Kill:
    """Return the verdict of one killer on the specification that this process imports."""
    changed = _changed_file(source)
    if changed.suffix == ".v":
        return _verdict_of_coq(killer)
    topic, function = evidence_reference(killer)
    target = getattr(importlib.import_module(topic), function)
    if isinstance(target, Check):
        return _verdict_of_check(target, str(changed))
    return _verdict_of_theorem(function, target)


def _changed_file(source: str) -> Path:
    """Return the file of the imported specification that has the bug; import it if it can be."""
    path = Path(source)
    if path.suffix == ".v":
        return specification_root() / Path(*SPECIFICATION.split(".")) / path
    module = importlib.import_module(".".join((SPECIFICATION, *path.with_suffix("").parts)))
    return Path(str(module.__file__))


def _verdict_of_coq(killer: str) -> Kill:
    """Compile the file of a Coq theorem; only a proof that Coq rejects kills."""
    theorems = all_coq_theorems([claim.key for claim in CLAIMS])
    (theorem,) = (each for each in theorems if each.name == killer)
    verdict = judge_coq([theorem])
    return Kill(verdict.finding is CoqFinding.REJECTED, verdict.evidence)


def _verdict_of_check(check: Check, changed: str) -> Kill:
    """Run a check; a failure kills, and so does an error that passes through the changed module.

    Every error passes through the check and what it was built from, so none kills a change there.
    """
    try:
        return Kill(False, f"survived: {check()}")
    except CheckFailed as failure:
        return Kill(True, str(failure))
    except Exception as error:
        files = {frame.filename for frame in traceback.extract_tb(error.__traceback__)}
        is_judged = "proofs" not in Path(changed).parts
        return Kill(is_judged and changed in files, f"raised {type(error).__name__}: {error}")


def _verdict_of_theorem(name: str, function: object) -> Kill:
    """Judge a theorem; only a refutation kills."""
    from privtopk.spec.proofs.gate.crosshair import Finding, judge

    if not callable(function) or policy_of(name) in (None, Policy.REFUTE):
        return Kill(False, "only a check, a thm_ or a search_ can kill")
    verdict = judge(theorem_of(function))
    if verdict.finding is Finding.REFUTED:
        return Kill(True, verdict.evidence)
    return Kill(False, f"{verdict.finding.value}: {verdict.evidence}")


def main(source: str, killer: str) -> None:
    """Print the verdict of one killer as JSON, with the file that has the bug."""
    kill = verdict_here(source, killer)
    print(json.dumps({**asdict(kill), "path": str(_changed_file(source).resolve())}))


if __name__ == "__main__":
    main(*sys.argv[1:])
