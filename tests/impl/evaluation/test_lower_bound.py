"""The lower bound of all pictures."""

from privtopk.impl.evaluation.lower_bound import BETA, least_accesses
from privtopk.spec.certificate import best_certificate


def test_the_certificate_of_the_specification() -> None:
    """The bound is the best certificate, and k where that says less."""
    assert least_accesses(10**6, 10, 1.0) == best_certificate(10**6, 10, 1, 0, BETA).bound
    assert least_accesses(100, 50, 1.0) == 50
