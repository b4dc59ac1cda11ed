"""Facts about versions: what was published stays, or is listed as retired."""

import json
import re
from collections.abc import Collection, Iterator, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from privtopk.conformance.requirements.registry import REQUIREMENTS
from privtopk.conformance.vectors.files import FORMAT
from privtopk.conformance.wire.messages import PROTOCOL, schema

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "reference" / "versioning.md"
SNAPSHOTS = Path(__file__).with_name("snapshots")
RETIRED = re.compile(r"^\| `([a-z.-]+)` \| \d", re.MULTILINE)
CURRENT = {requirement.id for requirement in REQUIREMENTS}


def published_ids(protocol: int) -> set[str]:
    """Return the ids that a protocol was published with."""
    return set((SNAPSHOTS / f"requirements-protocol-{protocol}.txt").read_text().split())


def breaches(
    published: Collection[str], current: Collection[str], retired: Collection[str]
) -> Iterator[str]:
    """Yield each published id that is lost, and each retired id that is used again."""
    for one in sorted({*published} - {*current} - {*retired}):
        yield f"{one} is gone: keep it, or list it as retired in docs/reference/versioning.md"
    for one in sorted({*retired} & {*current}):
        yield f"{one} was retired, and an id is not given again"


def broken_promises(
    published: Mapping[str, Any], definitions: Mapping[str, Any]
) -> Iterator[tuple[str, str]]:
    """Yield each message and field of a schema that breaks what adapters rely on."""
    for name, message in published.items():
        now = definitions.get(name, {"required": [], "properties": {}})
        required, before = set(now["required"]), set(message["required"])
        changed = required - before if message["from"] == "child" else before - required
        for field in sorted(changed | (set(message["fields"]) - now["properties"].keys())):
            yield name, field


@pytest.mark.parametrize("protocol", range(1, PROTOCOL + 1))
def test_no_id_is_dropped_silently(protocol: int) -> None:
    """Every id that was ever published is still there, or is listed as retired."""
    retired = RETIRED.findall(PAGE.read_text())
    assert list(breaches(published_ids(protocol), CURRENT, retired)) == []


def test_every_id_is_in_the_snapshot() -> None:
    """Every id is in the snapshot in tests/snapshots, so that it stays."""
    assert sorted(CURRENT - published_ids(PROTOCOL)) == []


def test_a_dropped_id_and_one_that_is_back_are_found() -> None:
    """The check finds a lost id and a retired id in use; it accepts a listed retirement."""
    page = "| `source.order` | 0.3 | tested by `source.pages` |"
    retired = RETIRED.findall(page)
    assert list(breaches({"source.order", "source.pages"}, {"source.pages"}, retired)) == []
    assert list(breaches({"source.order"}, {"source.order"}, retired)) == [
        "source.order was retired, and an id is not given again"
    ]
    assert list(breaches({"source.order"}, {}, ())) == [
        "source.order is gone: keep it, or list it as retired in docs/reference/versioning.md"
    ]


def test_the_schema_keeps_what_adapters_rely_on() -> None:
    """No message is removed, no field becomes required of a child or optional for the harness."""
    text = (SNAPSHOTS / f"messages-protocol-{PROTOCOL}.json").read_text()
    assert list(broken_promises(json.loads(text), schema()["$defs"])) == []


@pytest.mark.parametrize(
    ("definition", "broken"),
    [
        ({"required": ["seq"], "properties": {"seq": {}, "m": {}}}, []),
        ({"required": ["m", "seq"], "properties": {"seq": {}, "m": {}, "n": {}}}, ["child"]),
        ({"required": [], "properties": {"seq": {}, "m": {}}}, ["harness"]),
        ({"required": ["seq"], "properties": {"seq": {}}}, ["child", "harness"]),
    ],
)
def test_a_broken_promise_is_found(definition: dict[str, Any], broken: list[str]) -> None:
    """The check finds a new required field of a child, a field made optional, and a lost one."""
    published = {
        side: {"from": side, "required": ["seq"], "fields": ["m", "seq"]}
        for side in ("child", "harness")
    }
    found = broken_promises(published, dict.fromkeys(published, definition))
    assert [name for name, _ in found] == broken


def test_the_schema_is_named_after_its_protocol() -> None:
    """The identifier and the title of the schema have the number of the protocol."""
    assert schema()["$id"] == f"urn:privtopk:wire:{PROTOCOL}"
    assert schema()["title"] == f"privtopk wire protocol {PROTOCOL}"


def test_the_page_names_the_versions_there_are() -> None:
    """The table on the page has the versions of this release."""
    page = PAGE.read_text()
    for row in (
        f"| package | {version('privtopk')} |",
        f"| wire protocol | {PROTOCOL} |",
        f"| requirement ids | those of protocol {PROTOCOL} |",
        f"| test vectors | `{FORMAT}` |",
    ):
        assert row in page
    assert f"but the harness (privtopk {version('privtopk')}) speaks protocol {PROTOCOL}" in page
