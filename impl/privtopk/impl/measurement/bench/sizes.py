"""The sizes of the benchmark: the default and the full ones; tests use smaller ones."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sizes:
    """Domain sizes and repetitions of every part."""

    k: int = 10

    m: int = 10**7
    """The domain on which the default engine races the scans."""

    rounds: int = 7
    """The turns of the contenders in a race."""

    larger_m: int | None = None
    """A larger domain for the same race, in the full benchmark only."""

    peers_m: int = 10**5
    """The domain on which other libraries run: they take seconds."""

    exact_m: int = 10**6
    """The domain on which the exact engine races the default one."""

    access_m: int = 10**6
    """The domain on which accesses are counted."""

    access_runs: int = 60
    """Selections per engine and family, for the mean number of accesses."""

    index_n: int = 10_000
    """The keys that are put into an index, and the rounds of an oracle: sqrt(mk)."""

    growth_k: int = 64
    """Items to select while m varies: the cost of many items varies less between selections."""

    batched_m: tuple[int, ...] = tuple(2**e for e in range(28, 37, 2))
    batched_k: tuple[int, ...] = tuple(2**e for e in range(4, 13, 2))
    online_m: tuple[int, ...] = tuple(2**e for e in range(12, 21, 2))
    online_k: tuple[int, ...] = tuple(2**e for e in range(5, 11))
    """The sizes to which exponents are fitted: there, accesses and not single calls take the time.

    The wider the range, the less the price of an access at one end matters. On plat1 the threshold
    algorithm stops after sqrt(mk) (1 - 0.4/sqrt(k)) rounds on average. For small k this alone adds
    0.02 to an exponent in k.
    """

    batched_fixed_m: int = 2**28
    online_fixed_m: int = 2**16
    """The domains on which k varies."""

    growth_runs: int = 16
    """Turns of all sizes, for the exponents; each size has at least one selection per turn."""

    sparse_m: int = 2**40
    """A domain that does not fit into memory."""


DEFAULT = Sizes()
FULL = Sizes(rounds=11, larger_m=10**8, access_runs=400, growth_runs=60)
