"""The lower bound of all pictures."""

from privtopk.impl.evaluation.lower_bound import BETA, least_accesses, least_price
from privtopk.spec.certificate import best_certificate
from privtopk.spec.lower_bounds import unequal_price_lower_bound


def test_the_certificate_of_the_specification() -> None:
    """The bound is the best certificate, and k where that says less."""
    assert least_accesses(10**6, 10, 1.0) == best_certificate(10**6, 10, 1, 0, BETA).bound
    assert least_accesses(100, 50, 1.0) == 50


def test_the_price_is_the_larger_of_two_bounds() -> None:
    """Near 1:1 the certified accesses at the cheaper price say more than the other bound."""
    assert least_price(10**6, 10, 1.0, (3, 5)) == 3 * least_accesses(10**6, 10, 1.0)
    shaped = unequal_price_lower_bound(10**6, 10, 1, 10**9, 1, 0, BETA)
    assert least_price(10**6, 10, 1.0, (1, 10**9)) == max(shaped, least_accesses(10**6, 10, 1.0))
