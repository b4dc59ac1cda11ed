"""Facts about the schema of the vectors: what it accepts and what it refuses."""

import json
from collections.abc import Callable
from typing import Any

import jsonschema_rs
import pytest

from privtopk.conformance.vectors import NAMES, vectors
from privtopk.conformance.vectors.files import generate_files, schema

VALIDATOR = jsonschema_rs.Draft202012Validator(json.loads(schema()))
DOCUMENTS = {name: text for name, text in generate_files().items() if name != "vectors.schema.json"}


def document(name: str) -> Any:
    """Return a fresh copy of a file."""
    return json.loads(DOCUMENTS[f"{name}.json"])


@pytest.mark.parametrize("name", NAMES)
def test_every_file_is_valid(name: str) -> None:
    """The schema accepts every shipped file."""
    assert [str(error) for error in VALIDATOR.iter_errors(document(name))] == []


def test_the_schema_is_one() -> None:
    """The schema is a valid JSON Schema, draft 2020-12."""
    jsonschema_rs.meta.validate(json.loads(schema()))


def rename_input(test: Any) -> None:
    """Give an input a name that the operation does not know."""
    test["input"]["scale"] = test["input"].pop("k")


def bare_double(test: Any) -> None:
    """Write a double as a JSON number."""
    test["tolerance"]["relative"] = 0.5


def large_integer(test: Any) -> None:
    """Write a whole number that no double represents as a JSON number."""
    test["input"]["scores"] = [2**53]


def drop_intermediates(test: Any) -> None:
    """Leave out the intermediates."""
    del test["intermediates"]


def unknown_operation(test: Any) -> None:
    """Ask for an operation of another group."""
    test["operation"] = "permutation"


def extra_answer(test: Any) -> None:
    """Expect one member more."""
    test["expected"]["level"] = "0x1.0p+0"


def shouting_id(test: Any) -> None:
    """Write an id in capitals."""
    test["id"] = test["id"].upper()


def item_zero(test: Any) -> None:
    """Count items from 0."""
    test["expected"]["ranked"] = [0]


def no_claim(test: Any) -> None:
    """Cite nothing."""
    test["claims"] = []


@pytest.mark.parametrize(
    "spoil",
    [
        rename_input,
        bare_double,
        large_integer,
        drop_intermediates,
        unknown_operation,
        extra_answer,
        shouting_id,
        item_zero,
        no_claim,
    ],
)
def test_a_spoilt_test_is_refused(spoil: Callable[[Any], None]) -> None:
    """The schema refuses a file with one wrong member in one test."""
    spoilt = document("threshold-traces")
    spoil(spoilt["tests"][3])
    assert not VALIDATOR.is_valid(spoilt)


@pytest.mark.parametrize("word", [-1, 2**52, "5"])
def test_wrong_uniforms_are_refused(word: object) -> None:
    """The schema refuses a uniform that is not a number below 2^52."""
    spoilt = document("permutations")
    spoilt["tests"][0]["input"]["uniforms"][0] = word
    assert not VALIDATOR.is_valid(spoilt)


def test_every_field_is_used() -> None:
    """Every field that the schema describes occurs in a vector."""
    used = {
        name
        for vector in vectors()
        for part in (vector.input, vector.intermediates, vector.expected)
        for name in part
    }
    assert set(json.loads(schema())["$defs"]["fields"]["properties"]) == used
