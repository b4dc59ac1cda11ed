"""Structures at the child's end of the wire: made, asked step by step, and their errors.

Each answer is made plain before it is sent. What cannot be made plain is an error of the answer,
and not one of the implementation.
"""

from collections.abc import Callable
from typing import Any, Final

from privtopk.conformance.subjects.answers import (
    plain_entry,
    plain_key,
    plain_label,
    plain_noises,
    plain_number,
    plain_page,
    plain_wholes,
)
from privtopk.conformance.subjects.calls import (
    LONGEST_TEXT,
    AnswerError,
    error_text,
    is_missing_package,
    missing_package,
)
from privtopk.conformance.subjects.kinds import Kind, close
from privtopk.conformance.wire.conversation import Fault
from privtopk.conformance.wire.messages import (
    Message,
    decode_number,
    encode_number,
    encode_numbers,
)
from privtopk.spec.noise.distributions import NoiseKind


def make_structure(thing: Any, kind: Kind, make: Message) -> Any:
    """Return the structure that a message asks for."""
    match kind:
        case Kind.NOISE_SAMPLER:
            return lambda n: thing(decode_number(make["rate"]), NoiseKind(make["noise"]), n)
        case Kind.PREDECESSOR_INDEX:
            return thing(make["universe"])
        case Kind.SOURCE:
            if "names" in make:
                return thing.named(make["names"], make["histogram"])
            return thing(make["histogram"])
    return thing(decode_number(make["m"]), decode_number(make["rate"]), NoiseKind(make["noise"]))


def step_answer(structure: Any, method: str, *arguments: Any) -> Any:
    """Return the answer to one step, or the fields of its error."""
    try:
        return STEPS[method](structure, *arguments)
    except Exception as error:
        return {"error": error_fields(error)}


STEPS: Final[dict[str, Callable[..., Any]]] = {
    "sorted": lambda noises: sent_entry(*plain_entry(noises.sorted_access())),
    "random": lambda noises, item: encode_number(plain_number(noises.random_access(item))),
    "value": lambda noises, position: encode_number(plain_number(noises.value(position))),
    "draw": lambda draw, n: encode_numbers(plain_noises(draw(n), n)),
    "insert": lambda index, key: index.insert(key) and None,
    "contains": lambda index, key: bool(key in index),
    "predecessor": lambda index, key: plain_key(index.predecessor(key)),
    "successor": lambda index, key: plain_key(index.successor(key)),
    "minimum": lambda index: plain_key(index.minimum()),
    "maximum": lambda index: plain_key(index.maximum()),
    "check": lambda index: index.check() and None,
    "size": lambda source: plain_wholes([source.size])[0],
    "top": lambda source, start, count: plain_page(source.top(start, count)),
    "scores": lambda source, items: plain_wholes(source.scores(items)),
    "name": lambda source, item: {"name": plain_label(source.name(item))},
    "rewrite": lambda source, histogram: source.rewrite(histogram) is not False,
    "close": close,
}
"""How each step is called."""


def sent_entry(item: int, value: float) -> list[float | str]:
    """Return an entry of a noise list as it is sent."""
    return [item, encode_number(value)]


def error_fields(error: Exception) -> Message:
    """Return the fields of an error message."""
    text = error_text(error)
    if isinstance(error, AnswerError):
        return {"reason": "malformed-answer", "message": text, "fault": Fault.ANSWER}
    if is_missing_package(error):
        text = missing_package(error)
        return {"reason": "missing-package", "message": text, "fault": Fault.ADAPTER}
    return {"reason": reason_of(error), "message": text}


def reason_of(error: Exception) -> str:
    """Return the reason that an error carries, or the name of its type."""
    try:
        return str(getattr(error, "reason", type(error).__name__))[:LONGEST_TEXT]
    except Exception:
        return type(error).__name__
