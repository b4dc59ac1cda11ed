"""What a selector is asked: how many items, under which budget, with which noise."""

from dataclasses import dataclass
from functools import lru_cache

from privtopk.spec.accounting.guarantee import calibrate
from privtopk.spec.model.neighbours import Relation
from privtopk.spec.noise.distributions import NoiseKind


@dataclass(frozen=True, slots=True)
class Question:
    """The parameters of one selection; a subject must check them before it reads a score."""

    k: int

    epsilon: float
    """What the whole selection may spend, and not what each item may."""

    delta: float = 0.0
    noise: NoiseKind = NoiseKind.GUMBEL
    relation: Relation = Relation.ADD_REMOVE

    is_ranked: bool = False
    """Whether the items are wanted best first; if not, their order must say nothing."""


def smallest_allowed_noise(question: Question, m: int) -> float:
    """Return the rate 1/scale of the least noise whose guarantee stays within the budget."""
    return _cached_rate(question, m)


# Apart, because type checkers do not look at what a cached function is given.
@lru_cache(maxsize=4096)
def _cached_rate(question: Question, m: int) -> float:
    return calibrate(
        question.noise, question.epsilon, question.k, m, question.relation, question.delta
    )


def question_at(
    rate: float, k: int, noise: NoiseKind = NoiseKind.GUMBEL, *, is_ranked: bool = False
) -> Question:
    """Return the question whose budget pays for noise of scale 1/rate: k rate, one client."""
    return Question(k, k * rate, 0.0, noise, Relation.ADD_REMOVE, is_ranked)
