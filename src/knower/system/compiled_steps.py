"""The step function of a system, compiled: few lines are looked at, and few joint actions.

It means what `explicit` says, and differs in what it looks at. Lines of protocols and evolutions are found
by the values their guards ask for. What an agent becomes is a decision tree over the actions it hears: the
next one asked for is that of the first agent, in their order, that a line still possible reads. So joint
actions are told apart only where somebody hears the difference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import product
from operator import itemgetter
from typing import Any, TypeAlias

from knower.logic.node import Node
from knower.system.evaluation import Evaluator, compiled
from knower.system.explicit import Explicit, ExplicitAgent, ExplicitLine, Move, Options, Outcomes
from knower.system.expressions import JointAction, Literal, State, actors, variables
from knower.system.guards import Case, GuardIndex, GuardReader
from knower.system.system import InterpretedSystem

#: What a state is remembered by: the values of some variables in it.
Key: TypeAlias = Callable[[State], Any]


class CompiledSteps:
    """What agents can do in a state and what becomes of it, as `explicit` has it."""

    def __init__(self, explicit: Explicit) -> None:
        system, done = explicit.system, dict[int, Evaluator]()
        reader = GuardReader(system.places, lambda root: compiled(root, system.places, done))
        self._agents = [_CompiledAgent(agent, system, reader) for agent in explicit.agents]

    def options(self, state: State) -> Options:
        """The enabled actions of each agent; an agent without actions imposes no choice."""
        return [agent.choices(state) for agent in self._agents]

    def joint_actions(self, state: State) -> Iterator[JointAction]:
        """One enabled action per agent."""
        return product(*self.options(state))

    def successors(self, state: State, joint: JointAction) -> Iterator[State]:
        """The states a joint action can lead to."""
        for move in self.moves(state, [(action,) for action in joint]):
            yield from move.successors()

    def moves(self, state: State, options: Options) -> Iterator[Move]:
        """The joint actions of these options, together those that nobody tells apart.

        They come in the order of the first joint action of each: agents are asked in their order, and who is
        not asked may as well take its first action.
        """
        if not all(options):
            return
        found = [_without_asking(agent.at(state), options) for agent in self._agents]
        todo = [(options, found, [k for k, each in enumerate(found) if type(each) is _Listener])]
        while todo:
            left, found, waiting = todo.pop()
            if waiting:
                todo += reversed(_branches(left, found, waiting))
            else:
                yield Move(left, found)  # type: ignore[arg-type]  # nobody is waiting


#: What is left to choose from, what becomes of each agent, and which of them have to hear more.
_Partial: TypeAlias = tuple[Options, "list[Outcomes | _Listener]", list[int]]


def _branches(left: Options, found: list[Any], waiting: list[int]) -> list[_Partial]:
    """What follows from the actions of the first agent that has to be heard; alike for some of them."""
    seat = min([found[k].seat for k in waiting])
    asking = [k for k in waiting if found[k].seat == seat]
    silent = [k for k in waiting if found[k].seat != seat]
    alike: dict[tuple[int, ...], list[str | None]] = {}
    for action in left[seat]:
        alike.setdefault(tuple([id(found[k].after(action)) for k in asking]), []).append(action)
    branches: list[_Partial] = []
    for actions in alike.values():
        options, after, more = list(left), list(found), list(silent)
        options[seat] = tuple(actions)
        for k in asking:
            after[k] = heard = _without_asking(found[k].after(actions[0]), left)
            if type(heard) is _Listener:
                more.append(k)
        branches.append((options, after, more))
    return branches


def _without_asking(found: Outcomes | _Listener, options: Options) -> Outcomes | _Listener:
    """What becomes of an agent as far as those it has to hear have no choice."""
    while type(found) is _Listener and len(options[found.seat]) == 1:
        found = found.after(options[found.seat][0])
    return found


class _CompiledAgent:
    """One agent's protocol and evolution, remembered by the variables that they read."""

    def __init__(self, agent: ExplicitAgent, system: InterpretedSystem, reader: GuardReader) -> None:
        self.agent = agent
        self._system = system
        self._reader = reader
        self._enabled: dict[Any, tuple[str | None, ...]] = {}
        self._found: dict[Any, Outcomes | _Listener] = {}

    # -- protocol -----------------------------------------------------------------------------------------

    def choices(self, state: State) -> tuple[str | None, ...]:
        key = self._protocol_key(state)
        found = self._enabled.get(key)
        if found is None:
            found = self._enabled[key] = self._choices(state)
        return found

    def _choices(self, state: State) -> tuple[str | None, ...]:
        """The union over the lines whose condition holds."""
        agent = self.agent.agent
        if not agent.actions:
            return (None,)
        lines = [agent.protocol[case.guard] for case in self._protocol.possible(state)]
        return self.agent.in_order({action for line in lines for action in line.actions})

    @cached_property
    def _protocol(self) -> GuardIndex:
        lines = enumerate(self.agent.agent.protocol)
        return GuardIndex([case for k, line in lines for case in self._reader.cases(k, line.condition)])

    @cached_property
    def _protocol_key(self) -> Key:
        return self._values_of(variables(*(line.condition for line in self.agent.agent.protocol)))

    # -- evolution ----------------------------------------------------------------------------------------

    def at(self, state: State) -> Outcomes | _Listener:
        """What becomes of the agent, or whose action that depends on."""
        key = self._evolution_key(state)
        found = self._found.get(key)
        if found is None:
            possible = [case for index in self._evolution for case in index.possible(state)]
            cases = [self._narrowed(case, state) if case.of_one else case for case in possible]
            found = self._found[key] = self.having_heard(self._nobody, cases, state, -1)
        return found

    def having_heard(
        self, joint: JointAction, cases: Sequence[Case], state: State, last: int
    ) -> Outcomes | _Listener:
        """The same, given the actions that are heard of all agents up to the one in the last seat."""
        heard = self.always_heard.union(*[case.hears for case in cases])
        seat = min([seat for seat in heard if seat > last], default=None)
        if seat is not None:
            return _Listener(self, joint, cases, state, seat)
        holding = {case.guard for case in cases if all(test(state, joint) for test in case.of_many)}
        enabled: list[list[ExplicitLine]] = [[] for _ in self.agent.blocks]
        for number in sorted(holding):
            block, line = self._lines[number]
            enabled[block].append(line)
        return self.agent.outcomes_of(enabled, state, joint)

    def _narrowed(self, case: Case, state: State) -> Case:
        """A case that lists the actions it allows an agent in a state, where it has a condition on them."""
        allowed = dict(case.actions)
        for seat, test in case.of_one:
            joints = {a: (*self._nobody[:seat], a, *self._nobody[seat + 1 :]) for a in self._actions[seat]}
            able = frozenset(action for action, joint in joints.items() if test(state, joint))
            allowed[seat] = allowed.get(seat, able) & able
        return case._replace(actions=allowed, of_one=())

    @cached_property
    def _lines(self) -> list[tuple[int, ExplicitLine]]:
        """All lines with the blocks they are in; their places here are the numbers of their guards."""
        return [(k, line) for k, block in enumerate(self.agent.blocks) for line in block]

    @cached_property
    def _evolution(self) -> list[GuardIndex]:
        """The lines of each block by their guards."""
        cases: list[list[Case]] = [[] for _ in self.agent.blocks]
        for number, (block, line) in enumerate(self._lines):
            read = [value for _, value in line.line.assignments if type(value) is not Literal]
            heard = self._seats(read) if read else frozenset()
            for case in self._reader.cases(number, line.line.condition):
                both = case.hears | heard, case.remembers | heard
                cases[block].append(case._replace(hears=both[0], remembers=both[1]) if heard else case)
        return [GuardIndex(group) for group in cases]

    @cached_property
    def always_heard(self) -> frozenset[int]:
        """Whose actions are read by conditions that may come to no value: of lines not enabled too."""
        return self._seats([line.line.condition for lines in self.agent.partial for line in lines])

    @cached_property
    def _evolution_key(self) -> Key:
        own = frozenset(variable.key for variable in self.agent.agent.variables)
        if own.issuperset(self.agent.agent.observes):
            return self._values_of(own)
        lines = [line.line for _, line in self._lines]
        values = [value for line in lines for _, value in line.assignments]
        return self._values_of(own | variables(*(line.condition for line in lines), *values))

    # -- places -------------------------------------------------------------------------------------------

    @cached_property
    def _nobody(self) -> JointAction:
        """A joint action of which nothing is known."""
        return (None,) * len(self._system.agents)

    @cached_property
    def _actions(self) -> list[tuple[str, ...]]:
        return [agent.actions for agent in self._system.agents]

    def _seats(self, roots: Iterable[Node]) -> frozenset[int]:
        return frozenset(self._system.places.agent[name] for name in actors(*roots))

    def _values_of(self, keys: Iterable[tuple[str, str]]) -> Key:
        places = sorted(self._system.places.variable[key] for key in keys)
        return itemgetter(*places) if places else lambda state: ()


class _Listener:
    """An agent in some state that has to hear the action of the agent in a seat."""

    __slots__ = ("_after", "_agent", "_alike", "_cases", "_joint", "_remembers", "_state", "seat")

    def __init__(
        self, agent: _CompiledAgent, joint: JointAction, cases: Sequence[Case], state: State, seat: int
    ) -> None:
        self.seat = seat
        self._agent, self._joint, self._cases, self._state = agent, joint, cases, state
        self._remembers = seat in agent.always_heard or any(seat in case.remembers for case in cases)
        self._after: dict[str | None, Outcomes | _Listener] = {}
        self._alike: dict[tuple[str | int | None, ...], Outcomes | _Listener] = {}

    def after(self, action: str | None) -> Outcomes | _Listener:
        """What becomes of the agent once it has heard an action, or whom it has to hear next."""
        found = self._after.get(action)
        if found is None:
            found = self._after[action] = self._having_heard(action)
        return found

    def _having_heard(self, action: str | None) -> Outcomes | _Listener:
        """One and the same for actions that leave the same cases, unless more than that is made of them."""
        seat = self.seat
        cases = [case for case in self._cases if seat not in case.actions or action in case.actions[seat]]
        alike = (action if self._remembers else None, *map(id, cases))
        if alike not in self._alike:
            joint = (*self._joint[:seat], action, *self._joint[seat + 1 :])
            self._alike[alike] = self._agent.having_heard(joint, cases, self._state, seat)
        return self._alike[alike]
