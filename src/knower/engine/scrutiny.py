"""What true formulas do not say, asked of the engine that has found them true.

A part of a formula is *idle* if the formula stays true with the constant in its place that makes it hold
least: false where it counts for the formula, true where it counts against it (`logic.occurrences`). By
monotonicity it then stays true with anything in its place. Parts of an idle part are idle; the largest are
told.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from knower.engine.protocol import Engine
from knower.logic import formula as f
from knower.logic.occurrences import Occurrence, Parts
from knower.query.antecedents import Presupposition, presuppositions
from knower.query.query import Query
from knower.query.weaker import idle_part, weaker
from knower.system.system import InterpretedSystem
from knower.verdict.vacuity import Vacuity
from knower.verdict.verdict import Verdict

#: So many questions are asked about one formula: a formula of some pages has as many parts.
_MOST = 1000


def empty_antecedents(engine: Engine, true: Sequence[Query]) -> Iterator[tuple[Query, Presupposition]]:
    """The antecedents in formulas that are true, with their formulas, that never hold."""
    found = [(query, each) for query in true for each in presuppositions(query)]
    verdicts = _verdicts(engine, [each.never for _, each in found])
    return ((query, each) for query, each in found if verdicts[each.never] is Verdict.TRUE)


def vacuity(engine: Engine, query: Query, system: InterpretedSystem) -> Vacuity:
    """The largest idle parts of a formula that is true, from the root down."""
    parts = Parts(query.read.body, query.read.copies)
    taken = frozenset(system.propositions)
    idle: list[Occurrence] = []
    layer, asked, undecided = parts.largest(), 0, 0
    while layer:
        layer = [each for each in layer if not isinstance(each.part, f.Constant)]
        now, later = layer[: _MOST - asked], layer[_MOST - asked :]
        asked, undecided = asked + len(now), undecided + len(later)
        questions = [weaker(query, parts, each, system) for each in now]
        verdicts = _verdicts(engine, questions)
        found = [(each, verdicts[question]) for each, question in zip(now, questions, strict=True)]
        idle += [each for each, verdict in found if verdict is Verdict.TRUE]
        undecided += sum(verdict is Verdict.UNKNOWN for _, verdict in found)
        layer = [
            below for each, verdict in found if verdict is Verdict.FALSE for below in parts.operands(each)
        ]
    told = sorted(idle, key=lambda each: each.places)
    return Vacuity(tuple(idle_part(query, each, taken) for each in told), undecided)


def _verdicts(engine: Engine, queries: Sequence[Query]) -> dict[Query, Verdict]:
    """What each question is answered; nothing is asked twice."""
    distinct = list(dict.fromkeys(queries))
    return {query: answer.verdict for query, answer in engine.decide(distinct)} if distinct else {}
