"""The terms in the proof of Lemma B.1 for late rounds: 2r >= m + 2.

After n = r - 1 rounds q = m - n <= m/2 rows and as many columns of the square are not yet in the
box. Let V count the points that lie in such a row and in such a column; it has the law
Hyp(m, q, q), and the box has m - 2q + V points. So T >= r says that V stays below
v = k - m + 2q. Let x = r^2/(mk).

- *Far* rounds, x >= (m+1)/(m-1): Chernoff's bound, where only V is random.
- *Near* rounds, 1 < x < (m+1)/(m-1): the bound of the lemma is within theta^2/(2k) of 1, with
  theta = k(x-1), and P(V >= v) is larger than that. V(V-v+1) is at most 0 for 0 <= V < v and at
  most q(q-v+1) for V <= q, so two factorial moments give a lower bound.

Paper: lem:cost-tail-large.
"""

from fractions import Fraction

from privtopk.spec.laws.hypergeometric import hypergeometric_cdf
from privtopk.spec.model.parameters import require_between, require_k, require_size


def hidden_rows(m: int, r: int) -> int:
    """Return q, the number of rows outside the box after r - 1 rounds, for 2r >= m + 2."""
    require_size(m)
    return m + 1 - require_between("r", r, (m + 3) // 2, m)


def hidden_goal(m: int, k: int, r: int) -> int:
    """Return v: the box has k points after r - 1 rounds exactly if V >= v."""
    require_k(k, require_size(m))
    return k - m + 2 * hidden_rows(m, r)


def excess(m: int, k: int, r: int) -> Fraction:
    """Return theta = r^2/m - k."""
    require_k(k, require_size(m))
    return Fraction(r * r, m) - k


def is_far(m: int, k: int, r: int) -> bool:
    """Decide whether r^2/(mk) is at least (m+1)/(m-1)."""
    require_k(k, require_size(m))
    return r * r * (m - 1) >= m * k * (m + 1)


def first_moment(m: int, q: int) -> Fraction:
    """Return E[V] = q^2/m."""
    return Fraction(q * q, m)


def second_moment(m: int, q: int) -> Fraction:
    """Return E[V(V-1)] = q^2 (q-1)^2 / (m(m-1)), for m >= 2."""
    return Fraction(q * q * (q - 1) * (q - 1), m * (m - 1))


def largest_product(q: int, v: int) -> int:
    """Return the largest V(V-v+1) for 0 <= V <= q."""
    return q * (q - v + 1)


def near_chance(m: int, k: int, r: int) -> Fraction:
    """Return a lower bound of P(V >= v) for a near round, from its moments.

    Paper: lem:cost-tail-large.
    """
    q, v = hidden_rows(m, r), hidden_goal(m, k, r)
    if v == 1:
        return Fraction(q, m)
    return (second_moment(m, q) - (v - 2) * first_moment(m, q)) / largest_product(q, v)


def late_tail(m: int, k: int, r: int) -> Fraction:
    """Return P(T >= r) = P(V < v)."""
    q = hidden_rows(m, r)
    return hypergeometric_cdf(m, q, q, hidden_goal(m, k, r) - 1)
