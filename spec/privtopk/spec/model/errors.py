"""The one error of the project, and the reasons it may carry.

Programs test the reason. The text is for people: it says what was given and what is
required. Errors about parameters never depend on scores. A refusal of bad data, such as a
negative score, does depend on the data: a single vote can cause or prevent it, so it is
shown to people who may see the data and is not published.
"""

from enum import StrEnum


class Reason(StrEnum):
    """Why a call was refused."""

    WRONG_TYPE = "wrong-type"
    EMPTY_DOMAIN = "empty-domain"
    K_OUT_OF_RANGE = "k-out-of-range"
    SIZE_OUT_OF_RANGE = "size-out-of-range"
    EPSILON_OUT_OF_RANGE = "epsilon-out-of-range"
    DELTA_OUT_OF_RANGE = "delta-out-of-range"
    PROBABILITY_OUT_OF_RANGE = "probability-out-of-range"
    COST_OUT_OF_RANGE = "cost-out-of-range"
    ORDER_OUT_OF_RANGE = "order-out-of-range"
    ACCURACY_OUT_OF_RANGE = "accuracy-out-of-range"
    WEIGHT_OUT_OF_RANGE = "weight-out-of-range"
    NOT_A_NUMBER = "not-a-number"
    NEGATIVE_SCORE = "negative-score"
    SCORE_OUT_OF_RANGE = "score-out-of-range"
    UNKNOWN_ITEM = "unknown-item"
    DUPLICATE_ITEM = "duplicate-item"
    NOT_A_SUBSET = "not-a-subset"
    DIFFERENT_DOMAINS = "different-domains"
    NOT_A_LAW = "not-a-law"
    NOT_AN_INTERVAL = "not-an-interval"
    NOT_A_VOTE = "not-a-vote"
    RANKED_LAPLACE = "ranked-laplace"
    LIST_EXHAUSTED = "list-exhausted"
    DOOR_CLOSED = "door-closed"
    TAPE_EXHAUSTED = "tape-exhausted"
    INFEASIBLE_POSITIONS = "infeasible-positions"
    FAULTY_SOURCE = "faulty-source"
    MISSING_SCORE = "missing-score"
    UNREACHABLE_SOURCE = "unreachable-source"
    CHANGED_SOURCE = "changed-source"
    UNKNOWN_COLUMN = "unknown-column"
    UNDECLARED_DOMAIN = "undeclared-domain"
    MISSING_PACKAGE = "missing-package"
    NO_ENTROPY = "no-entropy"


class SelectionError(ValueError):
    """A call that was refused; nothing was selected."""

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(message)
        self.reason = reason


def exhausted_error(m: int) -> SelectionError:
    """Return the error for a sorted access after the last of m items."""
    return SelectionError(Reason.LIST_EXHAUSTED, f"all m={m} items have been delivered")
