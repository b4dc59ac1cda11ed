"""Theorems about the hard inputs of the lower bounds: their sizes, their votes, their draws.

Paper:    thm:lower-sorted, thm:lower-both.
Deviates: erratum:low-set-size, erratum:nine-eta, erratum:three-eightieths,
          erratum:client-count.
Ours:     ours:lower-both.
"""

from privtopk.spec.lower_bounds.hard_families import (
    corrected_low_size,
    draw_subset,
    hard_instance,
    printed_low_size,
)
from privtopk.spec.model.neighbours import is_add_remove_neighbour
from privtopk.spec.model.values import items_of
from privtopk.spec.proofs.instruments.premises import is_between, marked_items
from privtopk.spec.proofs.instruments.served import ServedTape

Marks = tuple[bool, bool, bool]


def is_part_of(low: Marks, chosen: Marks) -> bool:
    """Decide whether every low item is chosen."""
    return all(not is_low or is_chosen for is_low, is_chosen in zip(low, chosen, strict=True))


def are_draws(draws: tuple[int, int]) -> bool:
    """Decide whether a tape may answer `below(3)` and then `below(4)` with these numbers."""
    return 0 <= draws[0] < 3 and 0 <= draws[1] < 4


def lines_of_the_proof(m: int, k: int, eta: int) -> tuple[bool, bool]:
    """Return both sides of the equivalence in the proof of Lemma 5.5, for tau = 20 eta.

    Multiplied out: tau/k <= 3/4 (m - (k-1) tau/k - eta), and
    tau (3/4 + 1/(4k) + 3/40) <= 3m/4.
    """
    tau = 20 * eta
    low = printed_low_size(tau, k)
    return 4 * low <= 3 * (m - (tau - low) - eta), 30 * tau + 10 * low + 3 * tau <= 30 * m


def thm_one_client_lifts_the_high_items_to_n(chosen: Marks, low: Marks, n: int) -> bool:
    """One client more lifts S_H from n - 1 to n, and leaves S_L at n - 1 and the rest at 0.

    Claim: erratum:client-count, ours:lower-both
    Seconds: 40
    pre: n >= 1
    pre: is_part_of(low, chosen)
    post: _
    """
    instance = hard_instance(3, marked_items(chosen), marked_items(low), n)
    marks = list(zip(low, chosen, strict=True))
    return (
        is_add_remove_neighbour(instance.base, instance.neighbour)
        and instance.base == tuple(n - 1 if is_chosen else 0 for _, is_chosen in marks)
        and instance.neighbour
        == tuple((n - 1 if is_low else n) if is_chosen else 0 for is_low, is_chosen in marks)
    )


def thm_corrected_sizes_leave_a_high_item(s: int, k: int) -> bool:
    """With |S_L| = ceil(|S|/2k) there is a low item, and a high one as soon as |S| > 1.

    Claim: erratum:low-set-size, erratum:integrality
    pre: is_between(k, 1, 3)
    pre: s >= k
    post: _
    """
    low = corrected_low_size(s, k)
    return 1 <= low <= s and (s == 1 or low < s) and 2 * k * (low - 1) < s <= 2 * k * low


def thm_drawn_sets_have_their_size(draws: tuple[int, int]) -> bool:
    """Two draws always give two different items of four.

    Claim: ours:lower-both
    Seconds: 40
    pre: are_draws(draws)
    post: _
    """
    drawn = draw_subset(items_of(4), 2, ServedTape(draws))
    return len(drawn) == 2 and drawn <= set(items_of(4))


def thm_the_printed_line_is_sufficient(m: int, k: int, eta: int) -> bool:
    """The line with 3/40 implies the one it is said to be equivalent to.

    Claim: erratum:three-eightieths
    pre: is_between(k, 1, 2)
    pre: eta >= 1
    post: _
    """
    first, second = lines_of_the_proof(m, k, eta)
    return first or not second


def refuted_the_printed_line_is_equivalent(m: int, k: int, eta: int) -> bool:
    """The line with 3/40 is equivalent to the one before it.

    Claim: erratum:three-eightieths
    Seconds: 40
    pre: is_between(k, 1, 2)
    pre: eta >= 1
    post: _
    """
    first, second = lines_of_the_proof(m, k, eta)
    return first == second


def refuted_printed_sizes_leave_a_high_item(s: int, k: int) -> bool:
    """With |S_L| = |S|/k there is a high item as soon as |S| > 1.

    Claim: erratum:low-set-size
    Seconds: 40
    pre: is_between(k, 1, 3)
    pre: s > k and s % k == 0
    post: _
    """
    return printed_low_size(s, k) < s


def refuted_nine_eta_accesses_obtain_the_high_set(eta: int, k: int) -> bool:
    """9 eta sorted accesses deliver all of S_H, where |S| = 20 eta and |S_L| = |S|/k.

    Claim: erratum:nine-eta
    Seconds: 40
    pre: eta >= 1
    pre: is_between(k, 2, 5)
    pre: 20 % k == 0
    post: _
    """
    return 20 * eta - printed_low_size(20 * eta, k) <= 9 * eta
