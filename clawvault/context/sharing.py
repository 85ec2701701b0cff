"""Share a budget of bytes among the parts of a context: pure."""

from __future__ import annotations

from collections.abc import Sequence


def share_out(needs: Sequence[int], weights: Sequence[int], budget: int) -> list[int]:
    """Return how many bytes each part may have.

    Each part has a share of the budget by its weight; parts that are not there need nothing and have none. What a part
    does not need of its share goes to those that need more, in order. So nothing is cut as long as all of it fits.

    Args:
        needs: Bytes of each part, 0 when it is not there.
        weights: Of each part, above 0.
        budget: Bytes of all together.

    Returns:
        Bytes of each part, never more than it needs, together never more than the budget.

    Source: IW-76, CS-08, limits L5.
    """
    allowed = [min(need, share) for need, share in zip(needs, shares_of(needs, weights, budget), strict=True)]
    spare = max(0, budget) - sum(allowed)
    for place, need in enumerate(needs):
        more = min(spare, need - allowed[place])
        allowed[place] += more
        spare -= more
    return allowed


def shares_of(needs: Sequence[int], weights: Sequence[int], budget: int) -> list[int]:
    """Return the share of each part that is there, in whole bytes; 0 for the others."""
    total = sum(weight for need, weight in zip(needs, weights, strict=True) if need)
    budget = max(0, budget)
    return [budget * weight // total if need else 0 for need, weight in zip(needs, weights, strict=True)]
