"""Bugs of the noise, its order statistics and the oracles that serve it."""

from privtopk.spec.proofs.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="beta-form-lacks-its-shift",
        module="order_statistic",
        original="return u_r + (u_l - u_r) * x",
        mutated="return (u_l - u_r) * x",
        killers=("order_statistics.beta_form_has_the_density",),
    ),
    SeededBug(
        name="beta-shape-is-swapped",
        module="order_statistic",
        original="return r - j, j - ell",
        mutated="return j - ell, r - j",
        killers=("order_statistics.chain_rule_over_every_query_order",),
    ),
    SeededBug(
        name="right-end-is-the-last-position",
        module="order_statistic",
        original="default=Position(m + 1)",
        mutated="default=Position(m)",
        killers=("order_statistics.chain_rule_over_every_query_order",),
    ),
    SeededBug(
        name="e-space-step-swaps-its-gammas",
        module="order_statistic",
        original="(math.exp(-gap) * gamma_left + gamma_right)",
        mutated="(math.exp(-gap) * gamma_right + gamma_left)",
        killers=("order_statistics.e_space_step_is_the_beta_form",),
    ),
    SeededBug(
        name="gumbel-scale-is-inverted",
        module="noise",
        original="return -math.log(e) / float(self.epsilon)",
        mutated="return -math.log(e) * float(self.epsilon)",
        killers=("noise.quantiles_invert",),
    ),
    SeededBug(
        name="laplace-median-is-off",
        module="noise",
        original="return math.log(2) - float(self.epsilon) * z",
        mutated="return -float(self.epsilon) * z",
        killers=("noise.doubles_agree_with_balls",),
    ),
    SeededBug(
        name="survival-cancels-in-the-tail",
        module="noise",
        original="return -math.expm1(-self.to_exponential(z))",
        mutated="return 1 - self.cdf(z)",
        killers=("noise.doubles_agree_with_balls",),
    ),
    SeededBug(
        name="rank-free-delivers-pending-items-first",
        module="rank_free",
        original="if known is not None and self._levels[known] < fresh:",
        mutated="if known is not None:",
        killers=("oracles.rank_free_code_makes_these_transitions",),
    ),
    SeededBug(
        name="rank-free-forgets-the-number-of-unseen",
        module="rank_free",
        original="exponential(self._tape) / unseen if unseen",
        mutated="exponential(self._tape) if unseen",
        killers=("oracles.rank_free_code_makes_these_transitions",),
    ),
    SeededBug(
        name="rank-free-ignores-the-frontier",
        module="rank_free",
        original="self._see(known, self._frontier + exponential(self._tape))",
        mutated="self._see(known, exponential(self._tape))",
        killers=("oracles.both_doors_show_one_list",),
    ),
    SeededBug(
        name="online-oracle-ignores-its-successor",
        module="online_oracle",
        original="right = self._index.successor(j) or self._size + 1",
        mutated="right = self._size + 1",
        killers=("oracles.both_doors_show_one_list",),
    ),
    SeededBug(
        name="lazy-permutation-draws-a-seen-item",
        module="permutation",
        original="self._tape.below(self.size - self._revealed)",
        mutated="self._tape.below(self.size - self._revealed) // 2 * 2",
        killers=("oracles.lazy_permutation_is_uniform",),
    ),
    SeededBug(
        name="lazy-noise-forgets-the-frontier",
        module="noise_field",
        original="level = self._frontier_level() + exponential(self._tape)",
        mutated="level = exponential(self._tape)",
        killers=("oracles.lazy_noise_makes_these_transitions",),
    ),
    SeededBug(
        name="enumeration-forgets-a-branch",
        module="tape",
        original="for other, weight in enumerate(branching)\n",
        mutated="for other, weight in enumerate(branching[:2])\n",
        killers=("oracles.lazy_permutation_is_uniform",),
    ),
)
