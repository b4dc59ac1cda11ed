"""Differentially private top-k selection, specified so that a machine can check it.

Every algorithm is a function of its input and of an explicit tape of randomness; every
law and bound is a function that returns the number. Where the paper is wrong, the claim
says so with a witness; `python -m privtopk.spec` checks every claim.
"""

from privtopk.spec import (
    accounting,
    algorithms,
    claims,
    inputs,
    laws,
    lower_bounds,
    model,
    noise,
    upper_bounds,
)
from privtopk.spec.accounting import *
from privtopk.spec.algorithms import *
from privtopk.spec.claims import *
from privtopk.spec.inputs import *
from privtopk.spec.laws import *
from privtopk.spec.lower_bounds import *
from privtopk.spec.model import *
from privtopk.spec.noise import *
from privtopk.spec.upper_bounds import *

__all__ = [
    *accounting.__all__,
    *algorithms.__all__,
    *claims.__all__,
    *inputs.__all__,
    *laws.__all__,
    *lower_bounds.__all__,
    *model.__all__,
    *noise.__all__,
    *upper_bounds.__all__,
]
