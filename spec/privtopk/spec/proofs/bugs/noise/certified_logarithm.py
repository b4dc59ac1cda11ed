"""Bugs of `privtopk.spec.noise.certified_logarithm`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="logarithm-series-is-too-short",
        original="for odd in range(3, 21, 2))",
        mutated="for odd in range(3, 17, 2))",
        killers=(
            "noise.exact_noise.roundings_stay_below_the_errors",
            "noise.exact_noise.every_exponent_keeps_to_the_error",
        ),
    ),
    SeededBug(
        name="logarithm-level-takes-the-rounded-complement",
        original="-v if exponent == 0 else f - 1.0",
        mutated="f - 1.0",
        killers=("noise.exact_noise.levels_bear_errors_of_their_arguments",),
    ),
    SeededBug(
        name="logarithm-2-is-off-by-one-place",
        original="LOG_2: Final = 0.6931471805599453",
        mutated="LOG_2: Final = 0.6931471805599483",
        killers=(
            "noise.exact_noise.constants_are_what_the_proof_says",
            "noise.exact_noise.every_exponent_keeps_to_the_error",
        ),
    ),
)
