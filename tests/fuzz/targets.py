"""All fuzz targets: a function that takes any bytes and raises if a property is violated."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

from fuzz import argument_targets, input_targets, wire_targets
from fuzz.mutators import mutate_bytes, mutate_lines, mutate_words

CORPUS: Final = Path(__file__).with_name("corpus")


@dataclass(frozen=True, slots=True)
class Target:
    """A function under test, how its inputs are changed, and the number of cases of `make fuzz`."""

    check: Callable[[bytes], None]
    mutate: Callable[[bytes, Random], bytes]
    cases: int

    @property
    def name(self) -> str:
        """The name of the function, and of the folder of its corpus."""
        return self.check.__name__

    @property
    def corpus(self) -> Path:
        """The folder of its kept inputs."""
        return CORPUS / self.name


TARGETS: Final = {
    target.name: target
    for target in (
        Target(wire_targets.wire_message, mutate_lines, 440_000),
        Target(wire_targets.wire_session, mutate_lines, 150_000),
        Target(wire_targets.wire_adapter, mutate_lines, 150_000),
        Target(input_targets.domain_file, mutate_bytes, 150_000),
        Target(input_targets.domain_text, mutate_bytes, 80_000),
        Target(input_targets.csv_scores, mutate_bytes, 1_000),
        Target(input_targets.csv_votes, mutate_bytes, 1_000),
        Target(argument_targets.select_arguments, mutate_words, 5_000),
        Target(argument_targets.plan_arguments, mutate_words, 8_000),
        Target(argument_targets.sample_arguments, mutate_words, 5_000),
        Target(argument_targets.oracle_arguments, mutate_words, 10_000),
    )
}


def kept_inputs() -> Iterator[tuple[Target, Path]]:
    """Yield every input of the corpus with its target."""
    for target in TARGETS.values():
        for path in sorted(target.corpus.iterdir()):
            yield target, path
