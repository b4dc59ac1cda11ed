"""What every private and accurate selection must cost at least, and the inputs that show it."""

from privtopk.spec.lower_bounds.certificate import (
    Certificate,
    certificate,
    certificate_exact,
    report_probability,
)
from privtopk.spec.lower_bounds.certificate_search import (
    HitCertificate,
    best_certificate,
    hit_certificate,
)
from privtopk.spec.lower_bounds.hard_families import (
    HardInstance,
    both_access_sizes,
    draw_both_access,
    draw_instance,
    draw_printed_both_access,
    draw_printed_random_access,
    draw_printed_sorted_access,
    draw_random_access,
    draw_sorted_access,
    hard_instance,
    printed_both_sizes,
    printed_sorted_sizes,
)
from privtopk.spec.lower_bounds.hit_certificate import (
    hit_certificate_exact,
    one_hit_price_bound,
    seventh_bound,
)
from privtopk.spec.lower_bounds.printed_certificates import (
    printed_random_sum,
    printed_sorted_product,
)
from privtopk.spec.lower_bounds.theorems import (
    both_access_bound,
    random_access_bound,
    random_access_sum,
    sorted_access_bound,
    sorted_access_product,
    sorted_low_size,
    unequal_price_lower_bound,
)

__all__ = [
    "Certificate",
    "HardInstance",
    "HitCertificate",
    "best_certificate",
    "both_access_bound",
    "both_access_sizes",
    "certificate",
    "certificate_exact",
    "draw_both_access",
    "draw_instance",
    "draw_printed_both_access",
    "draw_printed_random_access",
    "draw_printed_sorted_access",
    "draw_random_access",
    "draw_sorted_access",
    "hard_instance",
    "hit_certificate",
    "hit_certificate_exact",
    "one_hit_price_bound",
    "printed_both_sizes",
    "printed_random_sum",
    "printed_sorted_product",
    "printed_sorted_sizes",
    "random_access_bound",
    "random_access_sum",
    "report_probability",
    "seventh_bound",
    "sorted_access_bound",
    "sorted_access_product",
    "sorted_low_size",
    "unequal_price_lower_bound",
]
