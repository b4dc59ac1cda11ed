"""Facts about what all SQL databases share."""

from datetime import date
from typing import Any

import numpy as np
import pytest

from privtopk.impl.scores.domain import ItemList, ListedDomain, RangeDomain
from privtopk.impl.sources.table import require_declared
from privtopk.spec.model.errors import Reason
from support import refusal


def test_a_domain_must_be_declared() -> None:
    """The rows become the domain only if the caller says that their items are public."""
    assert refusal(lambda: require_declared(None))[0] is Reason.UNDECLARED_DOMAIN
    assert require_declared("public") == "public"


@pytest.mark.parametrize("word", ["private", "unknown"])
def test_other_words_are_refused(word: Any) -> None:
    """The error lists what is allowed."""
    assert refusal(lambda: require_declared(word)) == (
        Reason.WRONG_TYPE,
        f"domain must be a list, a set or a range of items, a domain, or 'public'; got {word!r}",
    )


@pytest.mark.parametrize(
    ("domain", "kind", "items"),
    [
        (["pear", "fig"], ListedDomain, ["pear", "fig"]),
        ({"pear", "fig"}, ListedDomain, ["fig", "pear"]),
        (ItemList(["pear", "fig"]), ListedDomain, ["pear", "fig"]),
        (range(3, 5), RangeDomain, [3, 4]),
    ],
)
def test_domains_are_declared_as_in_memory(domain: Any, kind: type, items: list[object]) -> None:
    """A collection of texts or of whole numbers is a domain for a database."""
    declared = require_declared(domain)
    assert isinstance(declared, ListedDomain | RangeDomain)
    assert (type(declared), declared.names(np.arange(2))) == (kind, items)


@pytest.mark.parametrize("items", [[date(2024, 1, 1)], ItemList([2.5]), [True]])
def test_databases_hold_texts_and_whole_numbers(items: Any) -> None:
    """Other items, which scores in memory may have, are refused."""
    reason, message = refusal(lambda: require_declared(items))
    assert reason is Reason.WRONG_TYPE
    assert message.startswith("the items of a domain must be all texts or all whole numbers, got")
