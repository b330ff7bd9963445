"""Questions one after the other, so that a hard one does not use up the time of the others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from knower.errors import LimitReached, Undecided
from knower.limits import Budget
from knower.query.query import Query
from knower.reasons import OutOfMemory, Searched, TimeShare, TooDeep
from knower.verdict.verdict import Answer, unknown


def in_turns(
    queries: Sequence[Query], budget: Budget, answer: Callable[[Query], Answer]
) -> Iterator[tuple[Query, Answer]]:
    """Each question with its answer. One that uses up its share of the time has another turn later."""
    waiting = list(dict.fromkeys(queries))
    place = {query: number for number, query in enumerate(waiting, start=1)}
    budget.share_among(waiting)
    while waiting:
        query = waiting.pop(0)
        budget.phase, budget.count = f"formula {place[query]} of {len(place)}", 0
        found = attempted(query, budget, answer)
        if is_cut_short(found) and waiting and budget.gets_another_turn(query):
            waiting.append(query)
            continue
        budget.is_done_with(query)
        yield query, found


def is_cut_short(found: Answer) -> bool:
    """Whether more time might have helped, and others are to have it first."""
    reason = found.reason.reason if isinstance(found.reason, Searched) else found.reason
    return isinstance(reason, TimeShare)


def attempted(query: Query, budget: Budget, answer: Callable[[Query], Answer]) -> Answer:
    """The answer, or why this question has none; what ends all work is not stopped here."""
    try:
        with budget.turn(query):
            return answer(query)
    except LimitReached as limit:
        if limit.final:
            raise
        return unknown(limit.reason)
    except Undecided as reason:
        return unknown(reason.reason)
    except MemoryError:
        if budget.relief is not None and budget.relief():  # others have made room
            return attempted(query, budget, answer)
        return unknown(OutOfMemory())
    except RecursionError:
        return unknown(TooDeep())
