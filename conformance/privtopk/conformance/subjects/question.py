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
    """The privacy budget of the whole selection, not of each item."""

    delta: float = 0.0
    noise: NoiseKind = NoiseKind.GUMBEL
    relation: Relation = Relation.ADD_REMOVE

    is_ranked: bool = False
    """Whether to return the items best first. If not, their order must reveal nothing."""


def largest_allowed_rate(question: Question, m: int) -> float:
    """Return the rate 1/scale of the smallest noise whose guarantee stays within the budget."""
    return _cached_rate(question, m)


# A function of its own, because type checkers do not check the arguments of a cached function.
@lru_cache(maxsize=4096)
def _cached_rate(question: Question, m: int) -> float:
    return calibrate(
        question.noise, question.epsilon, question.k, m, question.relation, question.delta
    )


def question_at(
    rate: float, k: int, noise: NoiseKind = NoiseKind.GUMBEL, *, is_ranked: bool = False
) -> Question:
    """Return the add/remove question with epsilon = k rate, which allows noise of scale 1/rate."""
    return Question(k, k * rate, 0.0, noise, Relation.ADD_REMOVE, is_ranked)
