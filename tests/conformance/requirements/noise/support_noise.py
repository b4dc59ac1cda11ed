"""Classes of noise lists as subjects, for the tests of their requirements."""

from collections.abc import Callable

from privtopk.spec.noise.distributions import NoiseKind


class ListSubject:
    """A class of lists as a subject; a test gives the kind and the largest size."""

    kind: str
    noises = tuple(NoiseKind)
    largest: int

    def __init__(
        self, make: Callable[[int, float, NoiseKind], object], largest: int | None = None
    ) -> None:
        """Take the class of lists, and another largest size if there is one."""
        self._make = make
        self.largest = largest or self.largest

    def __call__(self, m: int, rate: float, noise: NoiseKind) -> object:
        """Return a fresh list."""
        return self._make(m, rate, noise)
