"""The prose on the page of the study."""

from typing import Final

HOW: Final = """\
## How it is measured

Every number comes from a *cell*: a named measurement with its own seed. Counts (accesses, prices,
noise draws, round trips, failures) depend only on the seed and the versions, and are the same on
every machine. Times depend on the machine. So only ratios are shown, of times taken in turns in one
run.

The inputs are the six families of the specification, six shapes of votes
(`privtopk.spec.inputs.vote_shapes`: Zipf with three exponents, log-normal, a power law with a
cutoff, and ballots with long ties at small counts; generated, seeded, with exact totals), and
`worst`, on which the bounds are reached: its number of tied items far above the others is the
largest number that the engine reads.
epsilon is the total budget of a selection. One vote more or less changes a score by 1, and the
noise of an item has a scale of k/epsilon votes.

An access is one entry that a source delivers, through either door. The bounds in the figures:

- *exact law*: twice the mean of the round T in which both lists have delivered k common items, by
  its exact law P(T > r) = P(Hyp(m, r, r) <= k - 1). For the engines with stages it is the longest
  prefix and the candidates of the negative hypergeometric law, with the noise that is opened early
  and the delivered items that are read again. Both hold for every input.
- *Theorem U*, 1 + sqrt(4mk + 1), and *the paper's bound*, 2 (sqrt(mk) + sqrt(m/2)), for the
  threshold algorithm; *2 sqrt(mk)* for two phases.
- *certificate*: the least cost of every private and accurate algorithm on some input, at a failure
  probability of 0.05. It is computed for the total epsilon and is never below k."""

STATISTICS: Final = """\
A mean fails its check if the probability of such a mean, or of a larger one, is below the level of
the check. Chernoff's inequality bounds this probability by the moments of the law itself: nothing
is estimated, and no normal law is assumed. Theorem U, the paper's bound and 2 sqrt(mk), to which
the stages add up to 1/512 of their prefix, are not below the means of those laws. This is checked
too, so a mean that exceeded one of them by the same margin would fail. Shares of failures are
checked by exact binomial tails, accuracy in both directions. Their limit is the largest share that
passes."""

LIMITS: Final = """\
## Limits

- The engines are our own. Other libraries are measured by `make bench` and judged by the oracle.
- The lower bound is below what is measured: the last figure shows the gap. It holds for *some*
  input, so an engine may read less on a given one.
- Single selections vary: the standard deviation of a cost is about its mean over sqrt(k). The
  tables have means, their standard errors and the largest cost.
- The largest m is 10,000,000, and 1,000,000 for engines that make one access at a time.
- Databases run on the machine of the study, without a network. Elsewhere round trips cost more.
- Times are the best of a few turns. While other work uses the processors, ratios change by a factor
  of two or more; counts do not.
- The engine with stages reads delivered items again where looking them up would take longer: up to
  k random accesses more than the two-phase algorithm needs. Where random accesses are expensive, or
  k is a large share of m, that is a tenth of the price or more.
- The intervals in the figures are approximate, at 95 %; the checks do not use them."""
