"""The whole benchmark on tiny sizes, and its messages about missing packages."""

import builtins
import json
from typing import Any

import pytest

from privtopk.impl.commands import bench as command
from privtopk.impl.commands.cli import main
from privtopk.impl.measurement.bench import peers
from privtopk.impl.measurement.bench.sizes import DEFAULT, FULL, Sizes

TINY = Sizes(
    k=2,
    m=20_000,
    rounds=1,
    larger_m=30_000,
    peers_m=50,
    exact_m=20_000,
    access_m=500,
    access_runs=3,
    index_n=20,
    growth_k=2,
    batched_m=(2**10, 2**11, 2**12),
    batched_k=(1, 2, 4),
    online_m=(2**6, 2**7, 2**8),
    online_k=(1, 2, 4),
    batched_fixed_m=2**12,
    online_fixed_m=2**8,
    growth_runs=2,
    sparse_m=2**24,
)

IDS = [
    "speed-worst",
    "speed-easy",
    "gather-distinct",
    "gather-ties",
    "memory",
    "speed-larger",
    "exact-float",
    "exact-scan",
    "rank-free",
    "veb-growth",
    "index-speed",
    "accesses-threshold",
    "accesses-batched",
    *(
        f"exponent-{quantity}-{letter}-{engine}"
        for engine in ("batched", "rank-free", "online")
        for letter in "mk"
        for quantity in ("accesses", "noise-draws", "time")
    ),
    "sparse-memory-worst",
    "sparse-memory-easy",
]


@pytest.fixture
def no_peers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide the other libraries, installed or not."""
    genuine = builtins.__import__

    def import_without_peers(name: str, *args: Any, **kwargs: Any) -> Any:
        if name.partition(".")[0] in ("opendp", "diffprivlib"):
            raise ImportError(f"No module named {name!r}")
        return genuine(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", import_without_peers)


@pytest.mark.slow
@pytest.mark.heavy
@pytest.mark.usefixtures("no_peers")
def test_the_data_have_every_target(capsys: pytest.CaptureFixture[str]) -> None:
    """The data have every target with its value, and the peers that were skipped."""
    code = command.bench(TINY, is_json=True)
    printed = json.loads(capsys.readouterr().out)
    assert [target["id"] for target in printed["targets"]] == IDS
    assert all({"id", "value", "target", "met"} <= set(target) for target in printed["targets"])
    assert code == (0 if all(target["met"] for target in printed["targets"]) else 1)
    assert len({row["topic"] for row in printed["rows"]}) == 10
    assert [note for note in printed["notes"] if "imported" in note] == [
        "opendp cannot be imported (No module named 'opendp')",
        "diffprivlib cannot be imported (No module named 'diffprivlib.mechanisms')",
    ]


def test_an_installed_peer_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """A peer has one row per family, and OpenDP one target for each of two engines."""
    peer = peers.Peer("OpenDP, as it were", lambda scores, k, epsilon: lambda: sorted(scores))
    monkeypatch.setattr(peers, "installed_peers", lambda: iter([peer]))
    findings = peers.measure_peers(TINY)
    assert [target.id for target in findings.targets] == ["opendp", "exact-opendp"]
    assert [row["family"] for row in findings.rows if row["contender"] == peer.name] == [
        "zero",
        "zipf",
    ]


@pytest.mark.parametrize(("arguments", "sizes"), [([], DEFAULT), (["--full"], FULL)])
def test_the_command_line(
    arguments: list[str], sizes: Sizes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`privtopk bench` runs the default size, and `--full` the full one."""
    calls: list[tuple[Sizes, bool]] = []

    def record_call(chosen: Sizes, is_json: bool) -> int:
        calls.append((chosen, is_json))
        return 1

    monkeypatch.setattr(command, "bench", record_call)
    assert main(["bench", "--json", *arguments]) == 1
    assert calls == [(sizes, True)]


def test_a_missing_extra(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without the extra the command says what to install."""
    monkeypatch.setitem(__import__("sys").modules, "privtopk.impl.commands.bench", None)
    assert main(["bench"]) == 2
    assert "pip install 'privtopk[bench]'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "only"),
    [(["--sources"], []), (["--sources", "--only", "redis"], ["redis"]), (["--only", "x"], ["x"])],
)
def test_databases_are_measured_on_request(
    monkeypatch: pytest.MonkeyPatch, arguments: list[str], only: list[str]
) -> None:
    """`--sources` measures all databases, `--only` those that it names."""
    calls: list[tuple[bool, list[str]]] = []

    def record_call(is_json: bool, only: list[str]) -> int:
        calls.append((is_json, only))
        return 0

    monkeypatch.setattr(command, "bench_sources", record_call)
    assert main(["bench", *arguments]) == 0
    assert calls == [(False, only)]
