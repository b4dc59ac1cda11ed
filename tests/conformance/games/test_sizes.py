"""Facts about the sizes with which S3 is played."""

from privtopk.conformance.games.sizes import best_sizes, nearby_sizes
from privtopk.spec.lower_bounds.certificate import Certificate, certificate
from privtopk.spec.lower_bounds.certificate_search import best_certificate
from privtopk.spec.lower_bounds.hard_families import both_access_sizes


def test_the_search_beats_the_stated_sizes() -> None:
    """At every size it finds at least the certificate of S3's sizes, and mostly a larger one."""
    for m, k in ((100, 1), (2500, 4), (10_000, 4)):
        stated = certificate(m, k, *both_access_sizes(m, k), 0.1, 0.0, 0.01)
        assert best_sizes(m, k, 0.1, 0.0, 0.01).bound > 1.1 * stated.bound


def test_what_is_found_is_certified() -> None:
    """The bound is that of the specification for the sizes that are returned."""
    found = best_sizes(2500, 4, 0.1, 0.0, 0.01)
    assert found == certificate(2500, 4, found.size, found.low_size, 0.1, 0.0, 0.01)


def test_counting_hits_certifies_more_of_the_plain_mean() -> None:
    """The specification's best certificate is larger; it bounds no counted cost."""
    assert (
        best_certificate(10_000, 4, 0.1, 0, 0.01).bound > best_sizes(10_000, 4, 0.1, 0, 0.01).bound
    )


def test_sizes_stay_within_their_limits() -> None:
    """k <= s <= m and 1 <= a <= s, at every zoom."""
    looked = list(nearby_sizes(20, 3, Certificate(4, 2, 0.0), 64.0))
    assert all(3 <= s <= 20 and 1 <= a <= s for s, a in looked)
    assert {(3, 1), (20, 1)} <= set(looked)
