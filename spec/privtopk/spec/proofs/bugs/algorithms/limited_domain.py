"""Bugs of `privtopk.spec.algorithms.limited_domain`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="stop-token-lacks-its-unit",
        original="rational ** (border + 1)",
        mutated="rational**border",
        killers=("algorithms.relatives.limited_domain_is_private",),
    ),
    SeededBug(
        name="limited-domain-takes-a-border-item-for-the-token",
        original="border = sorted(scores, reverse=True)[k_bar]",
        mutated="border = sorted(scores, reverse=True)[k_bar - 1]",
        killers=("algorithms.relatives.limited_domain_may_return_fewer",),
    ),
    SeededBug(
        name="noise-decides-who-enters",
        original="entering = top_items(scores, k_bar)",
        mutated="entering = top_items(noisy, k_bar)",
        killers=("algorithms.limited_domain.thm_only_the_true_top_enters",),
    ),
    SeededBug(
        name="the-token-has-no-noise",
        original="> threshold + stop_noise)",
        mutated="> threshold)",
        killers=("algorithms.limited_domain.thm_what_is_returned_beats_the_token",),
    ),
    SeededBug(
        name="a-tie-with-the-token-is-returned",
        original="noisy[item - 1] > threshold + stop_noise)",
        mutated="noisy[item - 1] >= threshold + stop_noise)",
        killers=("algorithms.limited_domain.thm_what_is_returned_beats_the_token",),
    ),
    SeededBug(
        name="the-border-is-as-wide-as-k-bar",
        original='return min(require_between("k_bar", k_bar, 1, m), m - k_bar)',
        mutated='return require_between("k_bar", k_bar, 1, m)',
        killers=("algorithms.limited_domain.thm_the_border_is_no_wider_than_either_side",),
    ),
)
