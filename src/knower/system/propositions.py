"""What is seen by looking at a state: the values of propositional formulas."""

from __future__ import annotations

from knower.logic import formula as f
from knower.logic.fold import fold
from knower.logic.formula import Formula
from knower.system.explicit import Explicit
from knower.system.expressions import State


def holds_in(formula: Formula, explicit: Explicit, state: State) -> bool:
    """Whether a propositional formula holds in a state."""

    def meaning(item: Formula, below: tuple[bool, ...]) -> bool:
        match item:
            case f.Atom(name):
                return explicit.holds(name, state)
            case f.Constant(value):
                return value
            case f.Red(agent) | f.Green(agent):
                return explicit.is_red(agent, state) is isinstance(item, f.Red)
            case f.Not():
                return not below[0]
            case f.And():
                return all(below)
            case f.Or():
                return any(below)
            case f.Implies():
                return not below[0] or below[1]
            case _:
                raise AssertionError("not propositional")

    return fold(formula, meaning)
