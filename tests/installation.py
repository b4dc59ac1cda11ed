"""The built package in an environment of its own, without access to the source."""

import os
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
SIGNS_OF_THE_SOURCE = ("PYTHONPATH", "MYPYPATH", "PYTHONHOME", "VIRTUAL_ENV")


@dataclass(frozen=True, slots=True)
class Installation:
    """A wheel, installed into an environment of its own."""

    wheel: Path

    folder: Path
    """An empty folder outside the source, where commands run."""

    python: Path

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run the environment's Python."""
        return execute([str(self.python), *arguments], self.folder)

    def command(self, name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a command that the wheel installed."""
        return execute([str(self.python.with_name(name)), *arguments], self.folder)

    def type_check(self, program: Path) -> subprocess.CompletedProcess[str]:
        """Run mypy --strict on a program, with nothing but the environment's packages."""
        options = ["--strict", "--config-file=", f"--cache-dir={self.folder / 'cache'}"]
        command = [sys.executable, "-m", "mypy", *options, "--python-executable", str(self.python)]
        return execute([*command, program.name], program.parent)


def execute(command: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder, with no variable that could lead back to the source."""
    environment = {k: v for k, v in os.environ.items() if k not in SIGNS_OF_THE_SOURCE}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def output_of(command: Sequence[str], folder: Path) -> str:
    """Run a command that must succeed, and return what it prints."""
    ran = execute(command, folder)
    assert ran.returncode == 0, f"{ran.stdout}\n{ran.stderr}"
    return ran.stdout


def build_wheel(folder: Path) -> Path:
    """Build the wheel without network."""
    build = ["-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    output_of([sys.executable, *build], ROOT)
    (wheel,) = folder.glob("*.whl")
    return wheel


def create_environment(folder: Path) -> Path:
    """Make an empty environment, and return its Python."""
    venv.create(folder, with_pip=False, symlinks=True)
    return folder / "bin" / "python"


def install_wheel(folder: Path, *options: str, extras: str = "") -> Installation:
    """Build the wheel and install it into an empty environment."""
    wheel, python = build_wheel(folder), create_environment(folder / "environment")
    install = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        str(python),
        "install",
        "--quiet",
        "--no-compile",
    ]
    output_of([*install, "--disable-pip-version-check", *options, f"{wheel}{extras}"], folder)
    return Installation(wheel, folder, python)


def lend_packages(installation: Installation) -> None:
    """Let an environment use the packages of this one, without what is installed as editable.

    Python reads .pth files in its own package folder, but not in a folder that one of them names.
    """
    (packages,) = installation.folder.glob("environment/lib/*/site-packages")
    (packages / "lent.pth").write_text(sysconfig.get_paths()["purelib"] + "\n")
