"""The prose of the page of the study."""

from typing import Final

HOW: Final = """\
## How it is measured

Every number comes from a *cell*: a named measurement with a seed of its own. Counts (accesses,
prices, noise draws, round trips, failures) depend on the seed and the versions only and come out
the same on every machine. Times depend on the machine, so only ratios of times taken in turns in
one run are shown.

The inputs are the six families of the specification, six shapes of votes
(`privtopk.spec.inputs.vote_shapes`: Zipf with three exponents, log-normal, a power law with a
cutoff, and ballots with long ties at small counts; generated, seeded, with exact totals), and
`worst`, on which the bounds are met: as many tied items far above the others as the engine reads
at most.
epsilon is the total budget of a selection; one vote more or less moves a score by 1, and the
noise of an item is k/epsilon votes wide.

An access is one entry that a source delivers, through either door. The bounds in the pictures:

- *exact law*: twice the mean of the round T in which both lists have shown k common items, by its
  exact law P(T > r) = P(Hyp(m, r, r) <= k - 1); for the engines with stages the longest prefix
  and the candidates of the negative hypergeometric law, with the noise that is opened early and
  the delivered items that are read again. Both hold for every input.
- *Theorem U*, 1 + sqrt(4mk + 1), and *the paper's bound*, 2 (sqrt(mk) + sqrt(m/2)), for the
  threshold algorithm; *2 sqrt(mk)* for two phases.
- *certificate*: what every private and accurate algorithm must pay on some input, at a failure
  probability of 0.05. It is computed for the total epsilon and never below k."""

STATISTICS: Final = """\
A mean fails its check if it lies so far above the mean of the law that this has a probability
below the level of the check. The probability is bounded by Chernoff's inequality from the moments
of the law itself: nothing is estimated and nothing taken for normal. Theorem U, the paper's bound
and 2 sqrt(mk), to which the stages add up to 1/512 of their prefix, are not below the means of
those laws (a check too), so a mean that exceeded one of them beyond the same band would fail.
Shares of failures are checked by exact binomial tails, accuracy in both directions; their limit
is the largest share that passes."""

LIMITS: Final = """\
## Limits

- The engines are our own. Other libraries are measured by `make bench` and judged by the oracle.
- The lower bound lies below what is measured: the gap is in the last figure. It is for *some*
  input, so an engine may well read less on a given one.
- Single selections vary: the standard deviation of a cost is about its mean over sqrt(k). The
  tables have means, their standard errors and the largest cost seen.
- Sizes stop at m = 10,000,000, at 1,000,000 where an engine takes one access at a time.
- Databases run on the machine of the study, without a network between; round trips cost more
  elsewhere.
- Times are the best of a few rounds. While other work takes the processors, ratios move by a
  factor of two or more; counts do not.
- The engine with stages reads delivered items again where to look them up would take longer: up to
  k random accesses more than the two-phase algorithm needs. Where random accesses are dear, or k
  is a large share of m, that is a tenth of the price and more.
- The intervals in the figures are 95 % and approximate; the checks do not use them."""
