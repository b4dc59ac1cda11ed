"""Facts about the lower bounds in the figures."""

import pytest

from privtopk.impl.measurement.study.lower_bound import BETA, least_accesses, least_price
from privtopk.spec.lower_bounds.certificate_search import best_certificate


def test_accesses_are_certified() -> None:
    """The bound is the maximum of the certificate and k."""
    assert least_accesses(10**6, 10, 1.0) == best_certificate(10**6, 10, 1, 0, BETA).bound
    assert least_accesses(100, 50, 1.0) == 50


@pytest.mark.parametrize("prices", [(3, 5), (1, 1000), (1000, 1)])
def test_prices_are_certified(prices: tuple[int, int]) -> None:
    """The bound depends on the prices of both doors, and includes k accesses at the lower one."""
    certified = best_certificate(10**6, 10, 1, 0, BETA, prices).bound
    assert least_price(10**6, 10, 1.0, prices) == certified
    assert least_price(100, 50, 1.0, prices) >= 50 * min(prices)
