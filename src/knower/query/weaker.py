"""Questions with a part replaced by what makes them hold least."""

from __future__ import annotations

from dataclasses import replace

from knower.logic.formula import is_formula
from knower.logic.occurrences import Occurrence, Parts, rank
from knower.query.closing import closed
from knower.query.query import Query
from knower.syntax.printing import print_formula
from knower.system.system import InterpretedSystem
from knower.verdict.vacuity import Idle


def weaker(query: Query, parts: Parts, item: Occurrence, system: InterpretedSystem) -> Query:
    """The question with a part replaced, in the same reading."""
    read = replace(query.read, body=parts.weakened(item))
    return replace(query, formula=closed(read, system))


def idle_part(query: Query, item: Occurrence, taken: frozenset[str]) -> Idle:
    """A part that was found not to matter, as it is told."""
    assert is_formula(item.part)
    number, among = rank(query.read.body, item.part, item.places[0])
    text = print_formula(item.part, query.read.language, taken)
    return Idle(item.part, text, item.weakest.value, number, among, item.places)
