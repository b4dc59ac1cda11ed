"""Facts about the public function: what it refuses, guarantees and returns."""

import math
import sys
from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privtopk.impl.engines.choice import ENGINES, Engine
from privtopk.impl.engines.exact import balls
from privtopk.impl.randomness.generators import Integers
from privtopk.impl.scores.memory import IndexedScores, SparseScores
from privtopk.impl.scores.named import NamedScores
from privtopk.impl.scores.protocols import Page
from privtopk.impl.selection import Audit, Selection
from privtopk.impl.top_k import top_k
from privtopk.spec.accounting.assumptions import Arithmetic, DomainAssumption, NoiseSource
from privtopk.spec.accounting.guarantee import calibrate, guarantee
from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.neighbours import Relation
from privtopk.spec.model.values import Number
from privtopk.spec.noise.distributions import NoiseKind
from support import refusal

VOTES = {"fig": 300, "pear": 900, "plum": 600, "kiwi": 0}
ENGINE_NAMES = "auto, one-shot, threshold, online, rank-free, batched, exact"

engines = pytest.mark.parametrize("engine", ENGINES)
kinds = pytest.mark.parametrize("kind", NoiseKind)


class Unread:
    """A source whose size is public and that must not be read."""

    size = 5

    def top(self, start: int, count: int) -> Page:
        """Fail."""
        raise AssertionError("read")

    def scores(self, items: Integers) -> Integers:
        """Fail."""
        raise AssertionError("read")

    def name(self, item: int) -> object:
        """Fail."""
        raise AssertionError("read")


class Counted:
    """A source that counts the entries that it delivers."""

    def __init__(self, scores: list[int]) -> None:
        self._inner = IndexedScores(scores)
        self.size = len(scores)
        self.sorted_accesses = 0
        self.random_accesses = 0
        self.questions = 0

    def top(self, start: int, count: int) -> Page:
        """Return a page."""
        page = self._inner.top(start, count)
        self.questions += 1
        for _ in page.items:
            self.sorted_accesses += 1
        return page

    def scores(self, items: Integers) -> Integers:
        """Return scores."""
        self.questions += 1
        for _ in items:
            self.random_accesses += 1
        return self._inner.scores(items)

    def name(self, item: int) -> object:
        """Return a name."""
        return f"item {item}"


def from_votes(k: int, **options: Any) -> Selection:
    """Select from the votes; their items are declared."""
    return top_k(VOTES, k, domain=list(VOTES), **options)


@pytest.mark.parametrize(
    ("wrong", "reason", "message"),
    [
        ({"k": 0}, Reason.K_OUT_OF_RANGE, "k must be between 1 and m=5, got 0"),
        ({"k": 6}, Reason.K_OUT_OF_RANGE, "k must be between 1 and m=5, got 6"),
        ({"k": 2.0}, Reason.WRONG_TYPE, "k must be an integer, got 2.0"),
        ({"k": True}, Reason.WRONG_TYPE, "k must be an integer, got True"),
        (
            {"epsilon": 0},
            Reason.EPSILON_OUT_OF_RANGE,
            "epsilon must be positive and finite, got 0",
        ),
        (
            {"epsilon": -1.5},
            Reason.EPSILON_OUT_OF_RANGE,
            "epsilon must be positive and finite, got -1.5",
        ),
        (
            {"epsilon": math.inf},
            Reason.EPSILON_OUT_OF_RANGE,
            "epsilon must be positive and finite, got inf",
        ),
        ({"epsilon": math.nan}, Reason.NOT_A_NUMBER, "epsilon must be a number, got nan"),
        ({"epsilon": "1"}, Reason.WRONG_TYPE, "epsilon must be a number, got '1'"),
        (
            {"epsilon": 5e-324},
            Reason.EPSILON_OUT_OF_RANGE,
            "total_epsilon=5e-324 is too small to be shared by k=2 items",
        ),
        (
            {"delta": 1},
            Reason.DELTA_OUT_OF_RANGE,
            "delta must be at least 0 and below 1, got 1",
        ),
        (
            {"delta": -0.1},
            Reason.DELTA_OUT_OF_RANGE,
            "delta must be at least 0 and below 1, got -0.1",
        ),
        ({"delta": None}, Reason.WRONG_TYPE, "delta must be a number, got None"),
        (
            {"noise": "gauss"},
            Reason.WRONG_TYPE,
            "noise must be one of gumbel, laplace, got 'gauss'",
        ),
        (
            {"noise": Relation.SWAP},
            Reason.WRONG_TYPE,
            "noise must be one of gumbel, laplace, got <Relation.SWAP: 'swap'>",
        ),
        (
            {"neighbours": "far"},
            Reason.WRONG_TYPE,
            "neighbours must be one of add-remove, swap, l-infinity, got 'far'",
        ),
        (
            {"engine": None},
            Reason.WRONG_TYPE,
            f"engine must be one of {ENGINE_NAMES}, got None",
        ),
        (
            {"costs": 3},
            Reason.WRONG_TYPE,
            "costs must be a pair (sorted, random), got 3",
        ),
        (
            {"costs": (1, 2, 3)},
            Reason.WRONG_TYPE,
            "costs must be a pair (sorted, random), got (1, 2, 3)",
        ),
        (
            {"costs": (0, 1)},
            Reason.COST_OUT_OF_RANGE,
            "sorted_cost must be positive and finite, got 0",
        ),
        (
            {"costs": (1, math.inf)},
            Reason.COST_OUT_OF_RANGE,
            "random_cost must be positive and finite, got inf",
        ),
        ({"ranked": 1}, Reason.WRONG_TYPE, "ranked must be a boolean or None, got 1"),
        (
            {"ranked": True, "noise": "laplace"},
            Reason.RANKED_LAPLACE,
            "a ranked list needs Gumbel noise: the guarantee of Laplace noise covers the set of "
            "items and not their order",
        ),
        (
            {"rng": "seed"},
            Reason.WRONG_TYPE,
            "rng must be None, a seed or a numpy Generator, got 'seed'",
        ),
    ],
)
def test_a_wrong_parameter_is_refused_before_anything_is_read(
    wrong: dict[str, Any], reason: Reason, message: str
) -> None:
    """Every parameter has its own error, which depends on no score."""
    arguments: dict[str, Any] = {"k": 2, "epsilon": 1, **wrong}
    k = arguments.pop("k")
    assert refusal(lambda: top_k(Unread(), k, **arguments)) == (reason, message)


def test_a_wrong_k_is_refused_before_scores_are_read() -> None:
    """For an array too, k is checked first, before any error of the scores."""
    assert refusal(lambda: top_k([-1, 0.5], 3, epsilon=1)) == (
        Reason.K_OUT_OF_RANGE,
        "k must be between 1 and m=2, got 3",
    )


@pytest.mark.parametrize(
    ("scores", "reason", "message"),
    [
        ([], Reason.EMPTY_DOMAIN, "m must be at least 1, got 0"),
        ([1, -1], Reason.NEGATIVE_SCORE, "no score may be negative"),
        ([1, 0.5], Reason.WRONG_TYPE, "every score must be a whole number"),
        ([1, math.nan], Reason.WRONG_TYPE, "every score must be a whole number"),
        (
            [1, 2**53 + 1],
            Reason.SCORE_OUT_OF_RANGE,
            "no score may exceed 2^53 = 9007199254740992",
        ),
    ],
)
def test_wrong_scores_are_refused(scores: list[int], reason: Reason, message: str) -> None:
    """Scores that are not counts are refused, and the message shows none of them."""
    assert refusal(lambda: top_k(scores, 1, epsilon=1)) == (reason, message)


@pytest.mark.parametrize("engine", Engine)
@kinds
@pytest.mark.parametrize("relation", Relation)
def test_choices_by_member_and_by_name(engine: Engine, kind: NoiseKind, relation: Relation) -> None:
    """A choice may be a member of its enumeration or its value."""
    by_member = from_votes(2, epsilon=1, noise=kind, neighbours=relation, engine=engine, rng=1)
    by_name = from_votes(
        2,
        epsilon=1,
        noise=str(kind),
        neighbours=str(relation),
        engine=str(engine),
        rng=1,
    )
    assert (by_member.items, by_member.guarantee) == (by_name.items, by_name.guarantee)


@pytest.mark.parametrize("delta", [0, 1e-6])
@pytest.mark.parametrize("relation", Relation)
@kinds
def test_the_guarantee_is_the_specified_one(
    kind: NoiseKind, relation: Relation, delta: float
) -> None:
    """The guarantee is that of the specification for the calibrated noise."""
    epsilon = calibrate(kind, 0.7, 3, 4, relation, delta)
    chosen = from_votes(3, epsilon=0.7, delta=delta, noise=kind, neighbours=relation)
    assert chosen.guarantee == guarantee(kind, epsilon, 3, 4, relation, delta)
    assert chosen.guarantee.epsilon <= 0.7


def test_an_exact_budget() -> None:
    """A budget may be a fraction."""
    chosen = from_votes(2, epsilon=Fraction(1, 3), rng=1)
    assert chosen.guarantee == from_votes(2, epsilon=1 / 3, rng=1).guarantee


@engines
def test_gumbel_items_come_best_first(engine: Engine) -> None:
    """With Gumbel noise the items are ranked, by the caller's own names."""
    chosen = from_votes(3, epsilon=3, engine=engine, rng=1)
    assert (chosen.items, chosen.is_ranked) == (("pear", "plum", "fig"), True)


@engines
def test_laplace_items_come_by_name(engine: Engine) -> None:
    """With Laplace noise the items are a set, sorted by name."""
    chosen = from_votes(3, epsilon=3, noise="laplace", engine=engine, rng=1)
    assert (chosen.items, chosen.is_ranked) == (("fig", "pear", "plum"), False)


@pytest.mark.parametrize("noise", NoiseKind)
def test_a_set_is_never_ordered_by_noise(noise: NoiseKind) -> None:
    """A set is sorted by name, also with Gumbel noise."""
    source = IndexedScores(np.zeros(20, dtype=np.int64))
    listed = [
        top_k(source, 4, epsilon=1, noise=noise, ranked=False, rng=seed).items for seed in range(30)
    ]
    assert [list(items) for items in listed] == [sorted(items) for items in listed]  # type: ignore[type-var]


BALLOTS = ["fig"] * 5 + ["pear"] * 5


@pytest.mark.parametrize("noise", NoiseKind)
@pytest.mark.parametrize("client", [[], ["fig"], ["pear"]])
def test_the_order_of_a_set_does_not_reveal_a_client(noise: NoiseKind, client: list[str]) -> None:
    """One client decides the order of `most_common`, and not the order of the published set."""
    counted = dict(Counter(BALLOTS + client).most_common())
    chosen = top_k(counted, 2, epsilon=0.01, domain="public", noise=noise, ranked=False)
    assert chosen.items == ("fig", "pear")


@pytest.mark.parametrize("client", [[], ["fig"], ["pear"]])
def test_the_order_of_value_counts_is_not_published(client: list[str]) -> None:
    """A column of pandas that is sorted by its counts is published by name."""
    pandas = pytest.importorskip("pandas")
    counted = pandas.Series(BALLOTS + client).value_counts()
    chosen = top_k(counted, 2, epsilon=0.01, domain="public", noise="laplace")
    assert chosen.items == ("fig", "pear")


def test_a_set_and_a_ranked_list_hold_the_same_items() -> None:
    """Without a ranking the items and the guarantee are the same."""
    ranked = from_votes(3, epsilon=0.01, ranked=True, rng=5)
    plain = from_votes(3, epsilon=0.01, ranked=False, rng=5)
    assert (set(ranked.items), ranked.guarantee) == (set(plain.items), plain.guarantee)


def test_array_items_are_indices() -> None:
    """The items of an array are its indices from 0, as Python integers."""
    items = top_k(np.array([0, 900, 500]), 2, epsilon=5, rng=1).items
    assert (items, {type(item) for item in items}) == ((1, 2), {int})


@engines
def test_repeated_selections_draw_fresh_noise(engine: Engine) -> None:
    """Two selections from one source differ; they are equal with probability 10^-9."""
    source = IndexedScores(np.zeros(1000, dtype=np.int64))
    first, second = (top_k(source, 3, epsilon=1, engine=engine).items for _ in range(2))
    assert first != second


@engines
def test_a_generator_moves_on(engine: Engine) -> None:
    """Two selections with one generator differ: no noise is used twice."""
    source, rng = IndexedScores(np.zeros(1000, dtype=np.int64)), np.random.default_rng(1)
    first, second = (top_k(source, 3, epsilon=1, engine=engine, rng=rng).items for _ in range(2))
    assert first != second


@engines
def test_a_seed_repeats(engine: Engine) -> None:
    """Two selections with one seed are equal."""
    source = IndexedScores(np.zeros(1000, dtype=np.int64))
    first, second = (top_k(source, 3, epsilon=1, engine=engine, rng=7).items for _ in range(2))
    assert first == second


@pytest.mark.parametrize("kind", NoiseKind)
@engines
def test_the_audit_counts_what_the_source_counts(engine: Engine, kind: NoiseKind) -> None:
    """Accesses and round trips agree with the source's own counts."""
    source = Counted([3, 1, 4, 1, 5, 9, 2, 6] * 20)
    audit = top_k(source, 4, epsilon=1, noise=kind, engine=engine, rng=2).audit
    is_exact = engine is Engine.EXACT
    assert audit == Audit(
        engine=str(engine),
        reason="asked for; a scan is faster below m=10000" if is_exact else "asked for",
        sorted_accesses=source.sorted_accesses,
        random_accesses=source.random_accesses,
        round_trips=source.questions,
        noise_draws=audit.noise_draws,
        seconds=audit.seconds,
    )
    assert audit.accesses == source.sorted_accesses + source.random_accesses > 0


def test_the_audit_quotes_the_engine() -> None:
    """If the batched engine chooses a scan because it is cheaper, the audit says so."""
    audit = top_k(
        IndexedScores([5, 0, 0]), 1, epsilon=1, engine="batched", costs=(50, 1), rng=1
    ).audit
    assert (audit.engine, audit.reason) == (
        "batched",
        "asked for; sorted access is so expensive that a scan is cheaper",
    )


@engines
def test_an_item_of_zero_votes_can_be_selected(engine: Engine) -> None:
    """An item of a sparse domain without votes can be selected."""
    source = SparseScores(50, {3: 1})
    found = {
        item
        for seed in range(60)
        for item in top_k(source, 3, epsilon=0.1, engine=engine, rng=seed).items
    }
    assert len(found) > 25


@engines
def test_a_failing_source_leaves_no_selection(engine: Engine) -> None:
    """Whatever an engine reads first from a source that fails, its exception is the cause."""
    with pytest.raises(SelectionError, match=r"^the source raised AssertionError$") as caught:
        top_k(Unread(), 2, epsilon=1, engine=engine)
    assert (caught.value.reason, repr(caught.value.__cause__)) == (
        Reason.FAULTY_SOURCE,
        "AssertionError('read')",
    )


@engines
def test_a_source_without_names_leaves_no_selection(engine: Engine) -> None:
    """A source that fails at the last step, at a name, returns nothing."""

    class Nameless(Counted):
        def name(self, item: int) -> object:
            raise KeyError(item)

    assert refusal(lambda: top_k(Nameless([1, 2, 3]), 1, epsilon=1, engine=engine)) == (
        Reason.FAULTY_SOURCE,
        "the source raised KeyError",
    )


@pytest.mark.parametrize("engine", ["threshold", "online", "rank-free", "batched"])
def test_an_item_delivered_twice_is_refused(engine: str) -> None:
    """A source that delivers one item instead of another is refused."""

    class Repeating(Counted):
        def top(self, start: int, count: int) -> Page:
            page = super().top(start, count)
            return Page(np.zeros(count, dtype=np.int64), page.scores)

    source = Repeating([4, 4, 4, 4])
    assert refusal(lambda: top_k(source, 4, epsilon=1, engine=engine, rng=1)) == (
        Reason.FAULTY_SOURCE,
        "the source delivered an item twice",
    )


def test_a_size_that_can_not_be_read_is_refused() -> None:
    """A source whose size raises is refused."""

    class Sizeless(Unread):
        @property
        def size(self) -> int:  # type: ignore[override]
            raise OSError("no file")

    with pytest.raises(SelectionError, match=r"^the source raised OSError$") as caught:
        top_k(Sizeless(), 2, epsilon=1)
    assert repr(caught.value.__cause__) == "OSError('no file')"


@pytest.mark.parametrize("engine", Engine)
def test_the_guarantee_says_whether_the_noise_is_exact(engine: Engine) -> None:
    """Only the exact engine's guarantee holds on a real computer; the others round their noise."""
    promise = from_votes(2, epsilon=1, engine=engine, rng=1).guarantee
    exact = engine is Engine.EXACT
    assert promise.arithmetic is (Arithmetic.EXACT if exact else Arithmetic.FLOATING_POINT)


@engines
@pytest.mark.parametrize(
    ("rng", "source"),
    [
        (None, NoiseSource.CRYPTOGRAPHIC),
        (1, NoiseSource.SEEDED),
        (np.random.default_rng(1), NoiseSource.SEEDED),
    ],
)
def test_the_guarantee_says_whether_the_noise_was_seeded(
    engine: Engine, rng: Any, source: NoiseSource
) -> None:
    """A selection with a seed or a generator does not look like one that may be published."""
    chosen = from_votes(2, epsilon=1, engine=engine, rng=rng)
    assert chosen.guarantee.noise_source is source


@pytest.mark.parametrize(
    ("source", "options", "assumption"),
    [
        ([3, 5], {}, DomainAssumption.DECLARED),
        (IndexedScores([3, 5]), {}, DomainAssumption.DECLARED),
        (VOTES, {"domain": list(VOTES)}, DomainAssumption.DECLARED),
        (VOTES, {"domain": "public"}, DomainAssumption.PUBLIC),
        (NamedScores(VOTES, domain=list(VOTES)), {}, DomainAssumption.DECLARED),
        (NamedScores(VOTES, domain="public"), {}, DomainAssumption.PUBLIC),
    ],
)
def test_the_guarantee_repeats_the_assumption_on_the_domain(
    source: Any, options: Any, assumption: DomainAssumption
) -> None:
    """If the items come from the votes, the guarantee says that this is assumed to be harmless."""
    assert top_k(source, 1, epsilon=1, **options).guarantee.domain is assumption


@pytest.mark.parametrize("engine", Engine)
@kinds
def test_the_selection_says_what_the_noise_was(engine: Engine, kind: NoiseKind) -> None:
    """Kind and scale of the noise are published: k votes per epsilon without delta."""
    chosen = from_votes(2, epsilon=0.5, noise=kind, engine=engine)
    assert (chosen.noise, chosen.noise_scale) == (kind, 4.0)


def test_a_scale_may_exceed_doubles() -> None:
    """The exact engine takes budgets whose noise scale is beyond the largest double."""
    assert from_votes(1, epsilon=5e-324, engine="exact").noise_scale == math.inf


@pytest.mark.parametrize("engine", Engine)
def test_a_new_item_cannot_enter_by_one_vote(engine: Engine) -> None:
    """The items that can be selected are those of the domain, whoever votes for another one."""
    declared = ["fig", "pear"]
    assert set(top_k({"fig": 1}, 2, epsilon=1, domain=declared, engine=engine).items) == {*declared}
    assert refusal(
        lambda: top_k({"fig": 1, "kiwi": 1}, 2, epsilon=1, domain=declared, engine=engine)
    ) == (Reason.UNKNOWN_ITEM, "there is an item outside the declared domain")


@pytest.mark.parametrize("scores", [VOTES, Counter(VOTES)])
def test_a_mapping_needs_a_domain(scores: Any) -> None:
    """A mapping takes its items from the votes, and the error says what to write."""
    reason, message = refusal(lambda: top_k(scores, 1, epsilon=1))
    assert reason is Reason.UNDECLARED_DOMAIN
    assert "pass domain=[...] with all items that can be selected, or domain='public'" in message


@pytest.mark.parametrize("k", [0, 5, -1])
@pytest.mark.parametrize("source", [VOTES, {"fig": -1, "pear": "many"}])
def test_the_size_of_a_public_domain_is_not_told(source: Any, k: int) -> None:
    """The refusal of k says nothing about the number of items that come from the votes."""
    assert refusal(lambda: top_k(source, k, epsilon=1, domain="public")) == (
        Reason.K_OUT_OF_RANGE,
        f"k must be between 1 and the number of items, got {k}",
    )


def test_the_size_of_a_declared_domain_is_told() -> None:
    """A wrong k is compared with the declared domain, before any score is looked at."""
    bad = {"fig": -1, "pear": "many"}
    assert refusal(lambda: top_k(bad, 4, epsilon=1, domain=["fig", "pear", "kiwi"])) == (  # type: ignore[arg-type]
        Reason.K_OUT_OF_RANGE,
        "k must be between 1 and m=3, got 4",
    )


SHUFFLED = st.permutations([("pear", 9), ("fig", 7), ("kiwi", 7), ("plum", 0), (3, 5), ((1, 2), 1)])


@pytest.mark.parametrize("engine", ENGINES)
@given(rows=SHUFFLED, k=st.integers(1, 6), seed=st.integers(0, 9))
def test_the_arrangement_of_a_source_decides_no_order(
    engine: Engine, rows: list[tuple[Any, int]], k: int, seed: int
) -> None:
    """However the rows are arranged, a set of items is listed in one order."""
    chosen = top_k(dict(rows), k, epsilon=1, domain="public", ranked=False, engine=engine, rng=seed)
    listed = (3, "fig", "kiwi", "pear", "plum", (1, 2))
    assert chosen.items == tuple(item for item in listed if item in chosen.items)


@pytest.mark.parametrize("epsilon", [1, 0.1, Fraction(1, 10)])
def test_the_exact_engine_promises_the_very_budget(epsilon: Number) -> None:
    """A pure budget is spent exactly: the guarantee equals the request."""
    promise = from_votes(3, epsilon=epsilon, engine="exact", neighbours="swap", rng=1).guarantee
    assert (promise.epsilon, type(promise.epsilon)) == (epsilon, type(epsilon))
    assert (promise.delta, promise.is_proved) == (0, True)


def test_the_exact_engine_is_reproducible_in_tests() -> None:
    """The same seed gives the same items, another seed gives others."""
    flat = IndexedScores([0] * 20_000)
    runs = [top_k(flat, 5, epsilon=1, engine="exact", rng=seed).items for seed in (1, 1, 2)]
    assert runs[0] == runs[1] != runs[2]


@pytest.mark.parametrize("epsilon", [5e-324, 1e-300, 1e300])
def test_the_exact_engine_takes_extreme_budgets(epsilon: float) -> None:
    """With a tiny budget the items are random, with a huge one they are the best.

    Null: with a tiny budget each of four items is first with probability 1/4; 40 draws
    all miss one of them with a probability of 4e-5, and the seed is fixed.
    """
    first = {from_votes(1, epsilon=epsilon, engine="exact", rng=n).items[0] for n in range(40)}
    assert first == ({"pear"} if epsilon > 1 else set(VOTES))


def test_a_missing_extra_is_named_before_anything_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without python-flint the exact engine is refused, and the source is not read."""
    balls.flint.cache_clear()
    monkeypatch.setitem(sys.modules, "flint", None)
    assert refusal(lambda: top_k(Unread(), 1, epsilon=1, engine="exact")) == (
        Reason.MISSING_PACKAGE,
        "flint is not installed; pip install 'privtopk[exact]'",
    )
