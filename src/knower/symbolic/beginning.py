"""Initial states that a search one by one does not find in time: numbered and listed from a diagram.

They come in the order in which a search would meet them: by the values of the variables as InitStates names
them, then of those it leaves out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Generic, TypeAlias

from knower.functions.protocol import F, Variable
from knower.functions.registry import available
from knower.limits import Budget
from knower.logic.fold import subformulas
from knower.options import Tuning
from knower.symbolic.encode import Encoding
from knower.symbolic.layout import Key
from knower.symbolic.order_search import OrderSearch
from knower.symbolic.transition_parts import TransitionParts
from knower.system.explicit import Explicit
from knower.system.expressions import State, Var
from knower.system.system import InterpretedSystem

#: A set of states, and the values of the bits it was narrowed to.
_Case: TypeAlias = tuple[F, tuple[bool, ...]]


def initial_states(
    system: InterpretedSystem, skipped: int, count: int | None, budget: Budget
) -> tuple[State, ...]:
    """So many initial states (None: all others) after so many that are skipped."""
    if not available():
        found = islice(Explicit(system).initial_states(budget), skipped, None)
        return tuple(islice(found, count))
    search = OrderSearch(Encoding(_only_beginning(system)), Tuning())
    return search.made(lambda steps, _: _Beginning(steps, budget).listed(skipped, count))


def _only_beginning(system: InterpretedSystem) -> InterpretedSystem:
    """The same variables and initial states, and nothing that happens."""
    agents = [replace(agent, actions=(), protocol=(), evolution=()) for agent in system.agents]
    return replace(system, agents=tuple(agents), propositions={}, groups={}, fairness=(), formulae=())


class _Beginning(Generic[F]):
    """The initial states in a space."""

    def __init__(self, steps: TransitionParts[F], budget: Budget) -> None:
        fields = steps.layout.fields
        self._steps = steps
        self._budget = budget
        #: The bits by which states are told apart, and the value of each that comes first: that of a number's
        #: bit is 0, that of a selector's 1.
        self._bits: list[tuple[Variable, bool]] = [
            (bit, fields[key].selects) for key in _as_named(steps.encoding.system) for bit in fields[key].now
        ]

    def listed(self, skipped: int, count: int | None) -> tuple[State, ...]:
        whole = self._steps.function(self._steps.encoding.initial)
        return tuple(islice(self._found(whole, skipped), count))

    def _found(self, whole: F, skipped: int) -> Iterator[State]:
        """Depth first; what is skipped is counted as a whole and not entered."""
        space, now = self._steps.space, self._steps.layout.now
        stack: list[_Case[F]] = [(whole, ())]
        while stack:
            self._budget.step()
            states, values = stack.pop()
            if states == space.false:
                continue
            if skipped and (size := space.count(states, now)) <= skipped:
                skipped -= size
            elif len(values) == len(self._bits):
                yield self._decoded(values)
            else:
                stack += self._split(states, values)

    def _split(self, states: F, values: tuple[bool, ...]) -> list[_Case[F]]:
        """By the next bit; what comes first is on top of the stack."""
        bit, first = self._bits[len(values)]
        held = self._steps.space.var(bit)
        sides = {True: states & held, False: states & ~held}
        return [(sides[value], (*values, value)) for value in (not first, first)]

    def _decoded(self, values: tuple[bool, ...]) -> State:
        chosen = {bit: value for (bit, _), value in zip(self._bits, values, strict=True)}
        fields = self._steps.layout.fields.values()
        return tuple(field.value([chosen[bit] for bit in field.now]) for field in fields)


def _as_named(system: InterpretedSystem) -> list[Key]:
    """The variables as InitStates names them, then the others as they are declared."""
    named = [(item.owner, item.name) for item in subformulas(system.initial) if isinstance(item, Var)]
    return list(dict.fromkeys([*named, *(variable.key for variable in system.variables)]))
