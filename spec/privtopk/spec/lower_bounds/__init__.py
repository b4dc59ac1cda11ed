"""What every private and accurate selection must cost at least, and the inputs that show it."""

from privtopk.spec.lower_bounds.certificate import Certificate, certificate, certificate_exact
from privtopk.spec.lower_bounds.certificate_search import (
    HitCertificate,
    best_certificate,
    hit_certificate,
)
from privtopk.spec.lower_bounds.hard_families import (
    HardInstance,
    draw_both_access,
    draw_printed_both_access,
    draw_printed_random_access,
    draw_printed_sorted_access,
    draw_random_access,
    draw_sorted_access,
    hard_instance,
)
from privtopk.spec.lower_bounds.hit_certificate import (
    hit_certificate_exact,
    one_hit_price_bound,
    seventh_bound,
)
from privtopk.spec.lower_bounds.theorems import (
    both_access_bound,
    random_access_bound,
    sorted_access_bound,
    unequal_price_lower_bound,
)

__all__ = [
    "Certificate",
    "HardInstance",
    "HitCertificate",
    "best_certificate",
    "both_access_bound",
    "certificate",
    "certificate_exact",
    "draw_both_access",
    "draw_printed_both_access",
    "draw_printed_random_access",
    "draw_printed_sorted_access",
    "draw_random_access",
    "draw_sorted_access",
    "hard_instance",
    "hit_certificate",
    "hit_certificate_exact",
    "one_hit_price_bound",
    "random_access_bound",
    "seventh_bound",
    "sorted_access_bound",
    "unequal_price_lower_bound",
]
