"""The reachable states of a model and all steps between them, as a value to draw or to process."""

from __future__ import annotations

from collections.abc import Iterable

from knower.errors import KnowerError, NoInitialState
from knower.simulation.views import View, members
from knower.system.compiled_steps import CompiledSteps
from knower.system.explicit import Explicit
from knower.system.expressions import JointAction, State
from knower.system.system import InterpretedSystem
from knower.verdict.graph import Edge, Node, StateGraph

#: The number of states a graph has at most unless more are asked for: more cannot be looked at.
MOST_STATES = 1000
#: And for each of them so many steps.
_STEPS_PER_STATE = 100


class GraphTooLarge(KnowerError):
    """There are more states or steps than were asked for; the message says how many at least."""


def state_graph(
    system: InterpretedSystem,
    name: str = "",
    *,
    max_states: int = MOST_STATES,
    show: Iterable[str] | None = None,
) -> StateGraph:
    """The whole graph, or `GraphTooLarge`. `show`: only variables and actions of these agents."""
    agents = members(system, system.agent_named if show is None else show)
    view = View.owned(system, agents)
    search = _Search(Explicit(system), max_states)
    search.run()
    nodes = tuple(
        Node(number, view(state), number < search.initial, _true_in(search.explicit, state))
        for number, state in enumerate(search.states)
    )
    edges = tuple(
        Edge(a, b, {k: v for k, v in search.explicit.named_action(joint).items() if k in agents})
        for a, joint, b in search.steps
    )
    confused = {agent.name: _classes(search, agent.name) for agent in system.agents}
    return StateGraph(name, nodes, edges, confused)


def _true_in(explicit: Explicit, state: State) -> tuple[str, ...]:
    return tuple(name for name in explicit.system.declared if explicit.holds(name, state))


def _classes(search: _Search, agent: str) -> tuple[tuple[int, ...], ...]:
    """The states by what the agent sees."""
    alike: dict[State, list[int]] = {}
    for number, state in enumerate(search.states):
        alike.setdefault(search.explicit.sees(agent, state), []).append(number)
    return tuple(map(tuple, alike.values()))


class _Search:
    """Breadth first, until a limit: the states in the order they are met, and every step."""

    def __init__(self, explicit: Explicit, most: int) -> None:
        self.explicit = explicit
        self.compiled = CompiledSteps(explicit)
        self.most = most
        self.states: dict[State, int] = {}
        self.steps: list[tuple[int, JointAction, int]] = []
        self.initial = 0

    def run(self) -> None:
        todo: list[State] = []
        for state in self.explicit.initial_states():
            self._number(state, todo)
        self.initial = len(self.states)
        if not self.states:
            raise NoInitialState("no state satisfies InitStates")
        for state in todo:  # grows on the way
            self._expand(state, todo)

    def _expand(self, state: State, todo: list[State]) -> None:
        here = self.states[state]
        for joint in self.compiled.joint_actions(state):
            for after in self.compiled.successors(state, joint):
                self.steps.append((here, joint, self._number(after, todo)))
                if len(self.steps) > _STEPS_PER_STATE * self.most:
                    raise GraphTooLarge(f"more than {_STEPS_PER_STATE * self.most} steps between states")

    def _number(self, state: State, todo: list[State]) -> int:
        number = self.states.setdefault(state, len(self.states))
        if number == len(todo):
            todo.append(state)
            if number >= self.most:
                raise GraphTooLarge(f"more than {self.most} reachable states")
        return number
