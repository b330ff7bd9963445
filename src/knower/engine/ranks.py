"""How well engines suit a question: the least rank is the best."""

from __future__ import annotations

from math import prod

from knower.logic.fold import subformulas
from knower.logic.formula import PathOperator
from knower.logic.fragment import speaks_of_paths
from knower.query.query import Query
from knower.system.domains import size
from knower.system.system import InterpretedSystem

#: So many values of all variables together, times the joint actions, are few for sure. Measured at the worst,
#: agents that act independently of each other: with 32 states and 32 joint actions 20 ms where diagrams take
#: 9, with 64 and 64 already 80 where they take 13. To load the diagrams takes 200.
_FEW_MOVES = 1 << 11
#: Automata of long path formulas are larger than their diagrams: `G F p` for six p took 45 ms instead of 19.
_FEW_OPERATORS = 8


def first(query: Query, system: InterpretedSystem) -> int:
    """Wherever it is here."""
    return 0


def last(query: Query, system: InterpretedSystem) -> int:
    """Where nothing else is."""
    return 100


def if_small(query: Query, system: InterpretedSystem) -> int:
    """Before all others where there can be few states only, and short path formulas; otherwise after all."""
    states = prod(size(variable.domain) for variable in system.variables)
    moves = states * prod(len(agent.actions) or 1 for agent in system.agents)
    return -1 if moves <= _FEW_MOVES and _is_short(query) else 1000


def _is_short(query: Query) -> bool:
    if not speaks_of_paths(query.read):
        return True
    return sum(isinstance(item, PathOperator) for item in subformulas(query.formula)) <= _FEW_OPERATORS
