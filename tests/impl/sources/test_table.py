"""Facts about what all SQL databases share."""

from typing import Any

import pytest

from privtopk.impl.sources.table import require_declared
from privtopk.spec.model.errors import Reason
from support import refusal


@pytest.mark.parametrize("domain", [None, "private"])
def test_a_domain_must_be_declared(domain: Any) -> None:
    """The rows become the domain only if the caller says that their items are public."""
    assert refusal(lambda: require_declared(domain))[0] is Reason.UNDECLARED_DOMAIN
    assert require_declared("public") == "public"
