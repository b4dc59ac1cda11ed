"""Facts about bytes of true entropy."""

import ssl

import pytest

from privtopk.impl.randomness import generators
from privtopk.impl.randomness.entropy import entropy_of
from privtopk.impl.top_k import top_k
from privtopk.spec.model.errors import Reason
from support import refusal


def failing_openssl(count: int) -> bytes:
    """Fail as Python's binding does if OpenSSL has no entropy."""
    raise ssl.SSLError(0, None)


def test_openssl_without_entropy_is_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    """A selection is refused if the generator of OpenSSL fails."""
    monkeypatch.setattr(generators, "secure_bytes", failing_openssl)
    assert refusal(lambda: top_k([3, 1, 2], 1, epsilon=1)) == (
        Reason.NO_ENTROPY,
        "the operating system gives no entropy: SSLError",
    )


def test_too_few_bytes_are_a_refusal() -> None:
    """A generator that returns fewer bytes than it was asked for is not used."""
    assert refusal(lambda: entropy_of(lambda count: bytes(count - 1), 8)) == (
        Reason.NO_ENTROPY,
        "the operating system must give 8 bytes, got 7",
    )
