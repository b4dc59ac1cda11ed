"""Fast private top-k selection: the engines, the sources in memory and the public function.

>>> from privtopk.impl import top_k
>>> votes = {"ann": 300, "bob": 5, "cat": 290}
>>> selection = top_k(votes, 2, epsilon=8, domain=["ann", "bob", "cat", "dan"], rng=1)
>>> selection.items
('ann', 'cat')

`rng` is for tests and examples; without it the noise is cryptographic.
"""

from privtopk.impl.engines.choice import Engine
from privtopk.impl.mechanisms import exponential_mechanism, one_shot_mechanism
from privtopk.impl.plan import Plan, plan
from privtopk.impl.scores.declaration import DomainLike
from privtopk.impl.scores.inputs import Scores
from privtopk.impl.scores.memory import ArrayScores, IndexedScores, SparseScores
from privtopk.impl.scores.named import NamedScores
from privtopk.impl.scores.protocols import Page, Source
from privtopk.impl.selection import Audit, Selection
from privtopk.impl.top_k import top_k

__all__ = [
    "ArrayScores",
    "Audit",
    "DomainLike",
    "Engine",
    "IndexedScores",
    "NamedScores",
    "Page",
    "Plan",
    "Scores",
    "Selection",
    "Source",
    "SparseScores",
    "exponential_mechanism",
    "one_shot_mechanism",
    "plan",
    "top_k",
]
