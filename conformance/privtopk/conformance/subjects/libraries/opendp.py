"""OpenDP's noisy top-k in its two forms, and its deprecated noisy max.

The privacy measure decides the mechanism: the exponential mechanism for zero-concentrated
divergence, permute-and-flip for max divergence, each peeled k times. The metric is the neighbour
relation: one client more or less is a monotonic l-infinity distance of 1.

The scale is the smallest that OpenDP's privacy map allows, found by its `binary_search_param`.
With a delta the map goes through zCDP; a pure budget takes the map of max divergence. The zCDP
form claims no pure guarantee, but k choices of the exponential mechanism have the same one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from privtopk.conformance.subjects.extras import import_extra
from privtopk.conformance.subjects.kinds import Mechanism
from privtopk.conformance.subjects.libraries.peeling import (
    PeeledChoice,
    in_order_asked,
    refuse_delta,
)
from privtopk.conformance.subjects.question import Question
from privtopk.spec.model.neighbours import Relation

SCORES: Final = "i64"
"""Votes are whole numbers."""


@dataclass(frozen=True, slots=True)
class NoisyTopK:
    """`make_noisy_top_k` under one privacy measure."""

    mechanism: Mechanism
    approximate: bool
    ranked: bool = True
    largest: int = 10_000

    def sample(
        self, histogram: Sequence[int], question: Question, trials: int
    ) -> list[Sequence[int]]:
        """Return one independent selection per trial."""
        if not self.approximate:
            refuse_delta(question)
        library = prelude()
        domain = library.vector_domain(library.atom_domain(T=SCORES), size=len(histogram))
        measurement = library.m.make_noisy_top_k(
            domain,
            metric(question.relation),
            self._measure(),
            k=question.k,
            scale=smallest_scale(question),
        )
        scores = list(histogram)
        return [
            in_order_asked([place + 1 for place in measurement(scores)], question)
            for _ in range(trials)
        ]

    def rate(self, question: Question, m: int) -> float:
        """Return 1/scale."""
        return 1 / smallest_scale(question)

    def _measure(self) -> Any:
        if self.mechanism is Mechanism.PERMUTE_AND_FLIP:
            return prelude().max_divergence()
        return prelude().zero_concentrated_divergence()


class ReportNoisyMax(PeeledChoice):
    """`make_report_noisy_max_gumbel`, peeled; its documentation cites permute-and-flip."""

    mechanism = Mechanism.PERMUTE_AND_FLIP

    def choose(self, scores: list[int], epsilon: float, relation: Relation) -> int:
        """Return the place of the item that OpenDP reports."""
        one = Question(1, epsilon, relation=relation)
        library = prelude()
        measurement = library.m.make_report_noisy_max_gumbel(
            library.vector_domain(library.atom_domain(T=SCORES)),
            metric(relation),
            scale=smallest_scale(one),
        )
        return int(measurement(scores))


@lru_cache(maxsize=1)
def prelude() -> Any:
    """Return the library, with the features enabled that it calls contributed."""
    library = import_extra("opendp.prelude", "libraries")
    library.enable_features("contrib")
    return library


def metric(relation: Relation) -> Any:
    """Return the distance in which neighbours are 1 apart."""
    return prelude().linf_distance(T=SCORES, monotonic=relation is Relation.ADD_REMOVE)


@lru_cache(maxsize=4096)
def smallest_scale(question: Question) -> float:
    """Return the smallest scale that OpenDP's own accounting allows."""
    library = prelude()
    domain = library.vector_domain(library.atom_domain(T=SCORES))
    distance, k = metric(question.relation), question.k

    def pure(scale: float) -> Any:
        return library.m.make_noisy_top_k(
            domain, distance, library.max_divergence(), k=k, scale=scale
        )

    def approximate(scale: float) -> Any:
        concentrated = library.m.make_noisy_top_k(
            domain, distance, library.zero_concentrated_divergence(), k=k, scale=scale
        )
        converted = library.c.make_zCDP_to_approxDP(concentrated)
        return library.c.make_fix_delta(converted, delta=question.delta)

    if question.delta == 0:
        scale = library.binary_search_param(pure, d_in=1, d_out=question.epsilon, T=float)
    else:
        budget = (question.epsilon, question.delta)
        scale = library.binary_search_param(approximate, d_in=1, d_out=budget, T=float)
    return float(scale)


exponential: Final = NoisyTopK(Mechanism.NOISY_TOP_K, approximate=True)
permute_and_flip: Final = NoisyTopK(Mechanism.PERMUTE_AND_FLIP, approximate=False)
report_noisy_max: Final = ReportNoisyMax()
