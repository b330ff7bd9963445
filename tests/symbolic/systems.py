"""Small systems for tests of the symbolic engine, and circuits at single points."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any

from hypothesis import strategies as st

from knower.functions.circuit import Built, Literal
from knower.functions.protocol import Space
from knower.functions.registry import available, new_space
from knower.functions.table import Table, TableSpace
from knower.source import Source
from knower.symbolic.encode import Encoding
from knower.symbolic.layout import Layout
from knower.symbolic.order import arranged
from knower.symbolic.selectors import compared_with_fixed_values
from knower.symbolic.transition_parts import TransitionParts
from knower.syntax.ispl import parse_ispl
from knower.system.elaborate import elaborate
from knower.system.explicit import Explicit
from knower.system.expressions import JointAction, State
from knower.system.system import InterpretedSystem
from strategies import modules

#: From how many values on a variable has one bit per value: many variables, some, none.
SELECTORS = (2, 3, 100)
LIBRARIES = available()


def system_of(text: str) -> InterpretedSystem:
    source = Source("test.ispl", text)
    return elaborate(parse_ispl(source), source)


def agent(name: str, variables: str, evolution: str = "", actions: str = "a", sections: str = "") -> str:
    """One agent; without more sections all its actions are enabled."""
    lines = [
        f"Agent {name}",
        f"Vars: {variables} end Vars" if variables else "",
        f"Actions = {{{actions}}};",
        sections,
        f"Evolution: {evolution} end Evolution" if evolution else "",
        "end Agent",
    ]
    return "\n".join(filter(None, lines))


def model(
    *agents: str, initial: str = "", evaluation: str = "", semantics: str = "MultiAssignment"
) -> InterpretedSystem:
    sections = [
        f"Semantics = {semantics};",
        *agents,
        f"Evaluation {evaluation} end Evaluation",
        f"InitStates {initial}; end InitStates" if initial else "",
    ]
    return system_of("\n".join(sections))


@st.composite
def systems(draw: st.DrawFn, max_states: int = 24) -> InterpretedSystem:
    """Random systems."""
    return elaborate(draw(modules(max_states=max_states)), Source("<random>", ""))


def encoding_of(system: InterpretedSystem, least: int) -> Encoding:
    """With one bit per value for the variables that can have it and have so many values."""
    return Encoding(system, compared_with_fixed_values(system, least))


# -- all there is ----------------------------------------------------------------------------------------


def all_states(system: InterpretedSystem) -> list[State]:
    """Reachable or not."""
    return list(product(*(variable.domain.values for variable in system.variables)))


def all_joints(system: InterpretedSystem) -> list[JointAction]:
    """Enabled or not."""
    return list(product(*(agent.actions or (None,) for agent in system.agents)))


def successors(explicit: Explicit, state: State) -> set[State]:
    joints = explicit.joint_actions(state)
    return {following for joint in joints for following in explicit.successors(state, joint)}


# -- circuits at one point -------------------------------------------------------------------------------

_POINT = TableSpace([])


class Point:
    """The values of circuits in one state, and for one joint action if there is one."""

    def __init__(self, encoding: Encoding, state: State, joint: JointAction = ()) -> None:
        self._set = {bit for bit, value in bits_of(encoding.layout, state) if value}
        self._variables = encoding.layout.variables
        seats = encoding.system.places.agent
        self._taken = {name: joint[seat] for name, seat in seats.items()} if joint else {}
        self._action_of = encoding.conditions.action_of_input
        self._built = Built(encoding.circuits, _POINT, self._input)

    def _input(self, number: int) -> Table:
        if number < self._variables:
            value = number in self._set
        else:
            name, action = self._action_of[number]
            value = self._taken[name] == action
        return _POINT.true if value else _POINT.false

    def holds(self, literal: Literal) -> bool:
        return self._built.function(literal) == _POINT.true

    def spelled(self, literals: tuple[Literal, ...]) -> tuple[bool, ...]:
        return tuple(map(self.holds, literals))


def bits_of(layout: Layout, state: State) -> Iterator[tuple[int, bool]]:
    """The variables of a state now, with their values."""
    for field, value in zip(layout.fields.values(), state, strict=True):
        yield from zip(field.now, field.code(value), strict=True)


# -- functions -------------------------------------------------------------------------------------------


def space_for(
    encoding: Encoding, library: str, order: str = "replicas", max_nodes: int = 1 << 16
) -> Space[Any]:
    return new_space(library, arranged(order, encoding), max_nodes)


class Sets:
    """Sets of states as functions."""

    def __init__(self, steps: TransitionParts[Any]) -> None:
        self.steps = steps
        self._codes: dict[State, Any] = {}

    def of(self, states: Iterable[State]) -> Any:
        found = self.steps.space.false
        for state in states:
            found = found | self.one(state)
        return found

    def one(self, state: State) -> Any:
        if state not in self._codes:
            bits = list(bits_of(self.steps.layout, state))
            self._codes[state] = self.steps.cube([bit for bit, _ in bits], [value for _, value in bits])
        return self._codes[state]
