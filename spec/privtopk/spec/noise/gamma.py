"""Gamma variables of whole shape, from a tape.

Marsaglia and Tsang's rejection method: the expected number of uniforms has one bound for all
shapes, so the sampler of Lemma 4.5 takes constant time apart from its index. The accepted
variable has exactly the Gamma law, up to the rounding of doubles.

Paper: def:beta, lem:sampling-zj.
"""

import math

from privtopk.spec.model.parameters import require_between
from privtopk.spec.model.tape import Tape


def normal_variable(tape: Tape) -> float:
    """Return a standard normal variable from two uniforms (Box and Muller)."""
    radius = math.sqrt(-2 * math.log(tape.uniform()))
    return radius * math.cos(2 * math.pi * float(tape.uniform()))


def gamma_variable(shape: int, tape: Tape) -> float:
    """Return a Gamma(shape) variable for a whole shape >= 1."""
    d = require_between("shape", shape, 1, 2**60) - 1 / 3
    c = 1 / math.sqrt(9 * d)
    while True:
        x = normal_variable(tape)
        v = (1 + c * x) ** 3
        if v > 0 and math.log(tape.uniform()) < x * x / 2 + d * (1 - v + math.log(v)):
            return d * v
