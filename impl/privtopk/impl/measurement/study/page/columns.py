"""The columns of the tables on the page, with their headings."""

from typing import Final

CHECK_COLUMNS: Final = {
    "check": "measurement",
    "bound": "bound",
    "observed": "observed",
    "proven": "proven",
    "limit": "limit of the check",
    "log10_chance": "log10 of its probability, at most",
}
ACCURACY_COLUMNS: Final = {
    "engine": "engine",
    "noise": "noise",
    "m": "m",
    "k": "k",
    "beta": "beta",
    "runs": "selections",
    "failures": "failures",
    "share": "share",
    "quantile_scales": "quantile, noise scales",
    "closed_bound_scales": "closed bound, noise scales",
}
PRICE_COLUMNS: Final = {
    "family": "input",
    "sorted_cost": "sorted",
    "random_cost": "random",
    "mean": "mean price",
    "standard_error": "standard error",
    "optimum": "optimum of two phases",
    "lower_bound": "lower bound",
}
EXACT_COLUMNS: Final = {
    "family": "input",
    "times_slower": "time, exact / default",
    "exact_accesses": "accesses, exact",
    "default_accesses": "accesses, default",
    "exact_draws": "draws, exact",
    "default_draws": "draws, default",
}
SOURCE_COLUMNS: Final = {
    "database": "database",
    "family": "input",
    "times_faster": "everything / selection",
    "rows_moved": "rows moved",
    "m": "of",
    "round_trips": "round trips",
    "engine": "engine",
}
PLAN_COLUMNS: Final = {
    "family": "input",
    "m": "m",
    "k": "k",
    "prices": "prices",
    "runs": "selections",
    "predicted": "planned accesses",
    "measured": "measured",
    "predicted_price": "planned price",
    "measured_price": "measured price",
    "error": "error of the price",
    "above": "above the 99 % accesses",
    "missed": "above the 95 % error",
}
CERTIFICATE_COLUMNS: Final = {
    "epsilon": "epsilon",
    "k": "k",
    "certificate": "certificate",
    "two_roots": "2 sqrt(mk)",
    "gap": "gap",
}
