"""Coq theorems: proofs for all parameters, compiled by `coqc` and searched for axioms.

The files are in `proofs/coq`. The comment before each `Theorem` has the sentence that it states,
and a line `Claim:` with the keys of its claims. Lemmas are steps on the way and are not listed. A
theorem counts as proved if its file and all files that it requires compile, none of them admits
anything, and `Print Assumptions` finds no axiom.
"""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from privtopk.spec.proofs.gate.registry import Method, RegistryError, Role, require_known

FOLDER = Path(__file__).parents[1] / "coq"
"""The folder of the Coq files."""

LIBRARY = "privtopk"
"""The name under which the files require each other."""

PLACE = "proofs.coq"
"""The same folder as a place in the specification, for seeded bugs."""

COMPILER = "coqc"
NEEDED = ("mathcomp/algebra", "mathcomp/fingroup", "mathcomp/ssreflect", "mathcomp/zify")
"""The libraries that the files use."""

TIMEOUT = 100.0
"""Seconds that one file may take."""

_COMMENT = re.compile(r"\(\*.*?\*\)", re.DOTALL)
_THEOREM = re.compile(
    r"^(?:\(\*\*(?P<comment>(?:(?!\*\)).)*)\*\)\n)?Theorem (?P<name>\w+)", re.DOTALL | re.MULTILINE
)
_CLAIM = re.compile(r"\s+Claim: (.+)\.\s*$", re.DOTALL)
_REQUIRE = re.compile(rf"^From {LIBRARY} Require (?:Import |Export )?([\w ]+)\.", re.MULTILINE)
_ADMISSION = re.compile(
    r"\b(Admitted|admit|give_up|Axioms?|Parameters?|Conjectures?|bypass_check|"
    r"(?:Guard|Positivity|Universe) Checking)\b"
)
_CLOSED = "Closed under the global context"
_AXIOM = re.compile(r"^([\w.']+)\s+:", re.MULTILINE)
_PLACE = re.compile(r'File "\./(\w+\.v)", line (\d+), characters (\d+)-')
_MISWRITTEN = ("Syntax error", "was not found in the current environment")
"""Messages of `coqc` that say nothing about a theorem."""


class CoqFinding(StrEnum):
    """What `coqc` found for the theorems of a file."""

    PROVED = "proved"
    """The proofs are complete and rest on no axiom."""

    ASSUMING = "assuming"
    """A proof rests on axioms."""

    REJECTED = "rejected"
    """Coq does not accept a proof."""

    FAILED = "failed"
    """No verdict: a statement is not well formed, something is admitted, or it takes too long."""

    NOT_RUN = "not run"
    """`coqc` or a library is not installed."""


@dataclass(frozen=True, slots=True)
class CoqVerdict:
    """A finding with its evidence, or with what `coqc` says."""

    finding: CoqFinding
    evidence: str
    axioms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CoqTheorem:
    """A theorem of a Coq file, with the claims that it proves or is the core of."""

    file: Path
    theorem: str
    keys: tuple[str, ...]
    sentence: str

    @property
    def name(self) -> str:
        """Folder, file and theorem, for example `coq.threshold.stopping_rule_is_sound`."""
        return f"coq.{self.file.stem}.{self.theorem}"

    @property
    def method(self) -> Method:
        """Coq, for every theorem."""
        return Method.COQ

    @property
    def role(self) -> Role:
        """A theorem that is proved supports its claims."""
        return Role.SUPPORTS


def all_coq_theorems(claims: Collection[str], folder: Path = FOLDER) -> tuple[CoqTheorem, ...]:
    """Return every theorem of the files in a folder, by name; each must name known claims."""
    theorems = [each for file in sorted(folder.glob("*.v")) for each in _theorems_of(file)]
    if not theorems:
        raise RegistryError(f"no Coq theorem found in {folder}")
    for theorem in theorems:
        require_known(theorem, claims)
    return tuple(sorted(theorems, key=lambda theorem: theorem.name))


def _theorems_of(file: Path) -> Iterator[CoqTheorem]:
    """Yield the theorems of one file."""
    for match in _THEOREM.finditer(file.read_text("utf-8")):
        comment = match["comment"] or ""
        claim = _CLAIM.search(comment)
        sentence = " ".join(comment[: claim.start()].split()) if claim else ""
        if not claim or not sentence:
            raise RegistryError(
                f"{file.name}: the comment before {match['name']} needs a sentence, then `Claim:`"
            )
        yield CoqTheorem(file, match["name"], tuple(re.split(r",\s*", claim[1])), sentence)


def missing_compiler(compiler: str = COMPILER) -> str:
    """Return why nothing can be compiled here; empty if it can."""
    if not shutil.which(compiler):
        return f"not run: {compiler} not found"
    asked = subprocess.run([compiler, "-where"], capture_output=True, text=True, check=False)
    installed = Path(asked.stdout.strip()) / "user-contrib"
    absent = [name for name in NEEDED if not (installed / name).is_dir()]
    return f"not run: {compiler} finds no {', '.join(absent)}" if absent else ""


def judge_coq(theorems: Sequence[CoqTheorem], compiler: str = COMPILER) -> CoqVerdict:
    """Compile the one file of some theorems and all that it requires, and look for axioms."""
    if missing := missing_compiler(compiler):
        return CoqVerdict(CoqFinding.NOT_RUN, missing)
    files = required_files(theorems[0].file)
    if admission := next(_admissions(files), None):
        return CoqVerdict(CoqFinding.FAILED, admission)
    with tempfile.TemporaryDirectory(prefix="privtopk-coq-") as folder:
        output = ""
        for name in _lay_out(theorems, files, Path(folder)):
            try:
                ran = _compile(compiler, name, Path(folder))
            except subprocess.TimeoutExpired:
                return CoqVerdict(CoqFinding.FAILED, f"{name}: no end within {TIMEOUT:.0f} s")
            if ran.returncode != 0:
                return _refusal(ran.stderr, Path(folder))
            output = ran.stdout
    return _verdict(output, len(theorems))


def _admissions(files: Iterable[Path]) -> Iterator[str]:
    """Yield what the files leave unproved or assume, outside comments."""
    for file in files:
        for word in _ADMISSION.findall(_COMMENT.sub("", file.read_text("utf-8"))):
            yield f"{file.name} has `{word}`"


def _lay_out(theorems: Iterable[CoqTheorem], files: Iterable[Path], folder: Path) -> list[str]:
    """Copy the files into a folder, with one more that prints axioms; return what to compile."""
    for file in files:
        shutil.copy(file, folder)
    names = [f"{each.file.stem}.{each.theorem}" for each in theorems]
    stems = dict.fromkeys(name.partition(".")[0] for name in names)
    lines = [
        *(f"From {LIBRARY} Require {stem}." for stem in stems),
        *(f"Print Assumptions {name}." for name in names),
    ]
    audit = folder / "print_assumptions.v"
    audit.write_text("\n".join((*lines, "")), "utf-8")
    return [*(file.name for file in files), audit.name]


def required_files(file: Path) -> tuple[Path, ...]:
    """Return the files of the library that a file needs, each after those that it needs itself."""
    order: dict[Path, None] = {}
    for names in _REQUIRE.findall(file.read_text("utf-8")):
        for name in names.split():
            order.update(dict.fromkeys(required_files(file.with_name(f"{name}.v"))))
    return (*order, file)


def _compile(compiler: str, name: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Compile one file in its folder; nothing but the installed libraries is found from there."""
    return subprocess.run(
        [compiler, "-q", "-w", "-all", "-Q", ".", LIBRARY, name],
        cwd=folder,
        env={key: value for key, value in os.environ.items() if not key.startswith("COQ")},
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )


def _refusal(message: str, folder: Path) -> CoqVerdict:
    """Return the verdict on a file that does not compile: an error in a proof rejects it."""
    is_miswritten = any(fault in message for fault in _MISWRITTEN)
    is_rejection = not is_miswritten and _is_in_proof(message, folder)
    finding = CoqFinding.REJECTED if is_rejection else CoqFinding.FAILED
    return CoqVerdict(finding, " ".join(message.split()))


def _is_in_proof(message: str, folder: Path) -> bool:
    """Return whether the place that a message names is between `Proof.` and `Qed.`."""
    if not (place := _PLACE.search(message)):
        return False
    lines = (folder / place[1]).read_text("utf-8").splitlines(keepends=True)
    above = "".join(lines[: int(place[2]) - 1]) + lines[int(place[2]) - 1][: int(place[3])]
    return above.rfind("Proof.") > above.rfind("Qed.")


def _verdict(printed: str, theorems: int) -> CoqVerdict:
    """Return the verdict for what `Print Assumptions` printed for some theorems."""
    if printed.splitlines() == [_CLOSED] * theorems:
        return CoqVerdict(CoqFinding.PROVED, "for all parameters, from no axiom")
    axioms = tuple(dict.fromkeys(_AXIOM.findall(printed))) or ("not named",)
    return CoqVerdict(CoqFinding.ASSUMING, f"rests on axioms: {', '.join(axioms)}", axioms)
