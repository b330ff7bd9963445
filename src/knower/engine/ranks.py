"""How well engines suit a question: the least rank is the best."""

from __future__ import annotations

from knower.query.query import Query
from knower.system.system import InterpretedSystem


def first(query: Query, system: InterpretedSystem) -> int:
    """Wherever it is here."""
    return 0


def last(query: Query, system: InterpretedSystem) -> int:
    """Where nothing else is."""
    return 100
