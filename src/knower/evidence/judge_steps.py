"""What the judge sees for itself, state by state: steps, observations and propositions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import pairwise, product
from typing import TypeAlias

from knower.errors import LimitReached
from knower.limits import Budget
from knower.logic import formula as f
from knower.logic.fold import fold, subformulas
from knower.logic.formula import Formula
from knower.logic.group import GroupRef
from knower.logic.node import Node
from knower.options import DeadlockPolicy
from knower.reasons import TooLarge
from knower.records import dataclass
from knower.system.domains import shown
from knower.system.explicit import Explicit
from knower.system.expressions import variables
from knower.system.system import InterpretedSystem
from knower.verdict.evidence import Joint, Row, State

Action: TypeAlias = str | None
#: What an agent does on seeing something: an observation, or a whole state.
Table: TypeAlias = Mapping[tuple[str, State], Action]

#: How many steps from one state are tried before it counts as too many to follow.
_MOST_STEPS = 1_000_000
#: Of a state with more variables only those are named that matter, or so many.
_NAMED = 12


class Mistake(Exception):
    """What is wrong with a piece of evidence."""


def require(fine: bool, what: str | Callable[[], str]) -> None:
    """Words that take long are made when they are needed."""
    if not fine:
        raise Mistake(what if isinstance(what, str) else what())


def members_of(group: GroupRef) -> tuple[str, ...]:
    """The members of a group that a proof speaks of; a name alone says nothing."""
    if not isinstance(group, f.Group):
        raise Mistake(f"it is not said who is in {group}")
    return group.members


def table_of(rows: tuple[Row, ...]) -> Table:
    """What each agent does, by what it sees; nobody may be told twice."""
    table: dict[tuple[str, State], Action] = {}
    for row in rows:
        for agent, action in zip(row.agents, row.actions, strict=True):
            require((agent, row.sees) not in table, f"two rows say what {agent} does on the same sight")
            table[agent, row.sees] = action
    return table


def spoken_of(formula: Formula, system: InterpretedSystem) -> frozenset[tuple[str, str]]:
    """The variables that the propositions of a formula depend on."""
    conditions: list[Node] = []
    for part in subformulas(formula):
        match part:
            case f.Atom(name):
                conditions.append(system.propositions[name])
            case f.Red(name) | f.Green(name):
                conditions.append(system.agent_named[name].red)
    return frozenset(key for condition in conditions for key in variables(condition))


@dataclass(frozen=True, slots=True)
class Bounds:
    """What the judge may do for one ruling: visit so many states (0: it does not look for all of them), and
    where a strategy is followed, try so many joint actions: of more, some are drawn by lot."""

    states: int = 100_000
    joint: int = 100_000


class Steps:
    """The steps of a system, in which `players`, if any, follow a table by observation."""

    def __init__(
        self,
        system: InterpretedSystem,
        on_deadlock: DeadlockPolicy,
        budget: Budget,
        players: Collection[str] = (),
        table: Table | None = None,
        bounds: Bounds | None = None,
        explicit: Explicit | None = None,
    ) -> None:
        self.system = system
        self.budget = budget
        self.bounds = bounds or Bounds()
        self.on_deadlock = on_deadlock
        self.explicit = explicit or Explicit(system)
        self.names = tuple(agent.name for agent in system.agents)
        self._players = frozenset(players)
        self._table = table or {}
        ends = [0]
        for agent in system.agents:
            ends.append(ends[-1] + len(agent.variables))
        self.local = [slice(*pair) for pair in pairwise(ends)]

    def is_initial(self, state: State) -> bool:
        return self.explicit.is_initial(state)

    @property
    def are_restricted(self) -> bool:
        """Whether somebody has to follow a table."""
        return bool(self._players)

    def options(self, agent: str, state: State) -> tuple[Action, ...]:
        """What an agent may do; an agent without actions does nothing, everywhere."""
        if not self.system.agent_named[agent].actions:
            return (None,)
        enabled = self.explicit.enabled(agent, state)
        if agent not in self._players or len(enabled) <= 1:
            return enabled
        sight = agent, self.explicit.sees(agent, state)
        told = sight in self._table
        require(told, lambda: f"the table does not say what {agent} does at {self.text(state)}")
        able = self._table[sight] in enabled
        require(able, lambda: f"{agent} cannot follow the table at {self.text(state)}")
        return (self._table[sight],)

    def all_options(self, state: State) -> list[tuple[Action, ...]]:
        """What each agent may do."""
        return [self.options(name, state) for name in self.names]

    def joint_actions(self, state: State) -> Iterator[Joint]:
        return product(*self.all_options(state))

    def stays(self, state: State) -> bool:
        """Whether this is a deadlock that has been given a self-loop."""
        return self.on_deadlock is DeadlockPolicy.LOOP and not any(True for _ in self._following(state, {}))

    def is_step(self, state: State, joint: Joint, after: State) -> bool:
        if not joint:
            return after == state and self.stays(state)
        choices = list(zip(self.names, joint, strict=True))
        if after == state and self.stays(state):  # under every joint action
            return all(action in self.actions_of(name) for name, action in choices)
        return all(action in self.options(name, state) for name, action in choices) and all(
            after[place] in agent.outcomes(state, joint).states
            for place, agent in zip(self.local, self.explicit.agents, strict=True)
        )

    def actions_of(self, agent: str) -> tuple[Action, ...]:
        """All an agent knows to do; nothing, for one without actions."""
        return self.system.agent_named[agent].actions or (None,)

    def outcomes(self, state: State, chosen: Mapping[str, tuple[Action, ...]]) -> set[State]:
        """Where the others may lead when some choose among these actions."""
        return {state} if self.stays(state) else set(self._following(state, chosen))

    def _following(self, state: State, chosen: Mapping[str, tuple[Action, ...]]) -> Iterator[State]:
        tried = product(*(chosen.get(name) or self.options(name, state) for name in self.names))
        for steps, joint in enumerate(tried):
            self._bear(steps)
            for more, after in enumerate(self.explicit.successors(state, joint)):
                self._bear(steps + more)
                yield after

    def _bear(self, steps: int) -> None:
        self.budget.tick()
        if steps > _MOST_STEPS:
            raise LimitReached(TooLarge("too many steps to follow"))

    def indistinguishable_to_all(self, agents: Collection[str], left: State, right: State) -> bool:
        """Whether all of the agents confuse the two states."""
        sees = self.explicit.sees
        return all(sees(agent, left) == sees(agent, right) for agent in agents)

    def holds(self, formula: Formula, state: State) -> bool:
        """The value of a propositional formula."""

        def step(item: Node, below: tuple[bool, ...]) -> bool:
            match item:
                case f.Constant(value):
                    return value
                case f.Atom(name):
                    return self.explicit.holds(name, state)
                case f.Red(agent):
                    return self.explicit.is_red(agent, state)
                case f.Green(agent):
                    return not self.explicit.is_red(agent, state)
                case f.Not():
                    return not below[0]
                case f.And():
                    return below[0] and below[1]
                case f.Or():
                    return below[0] or below[1]
                case f.Implies():
                    return not below[0] or below[1]
                case _:
                    raise TypeError(f"{item} is not propositional")

        return fold(formula, step)

    def text(self, state: State, about: Formula | None = None) -> str:
        """A state by the values of its variables; of many, by those that a formula is about."""
        pairs = list(zip(self.system.variables, state, strict=True))
        named = pairs
        if len(pairs) > _NAMED:
            spoken = frozenset() if about is None else spoken_of(about, self.system)
            named = ([pair for pair in pairs if pair[0].key in spoken] or pairs)[:_NAMED]
        more = f", and {len(pairs) - len(named)} more" if len(named) < len(pairs) else ""
        return "(" + ", ".join(f"{variable}={shown(value)}" for variable, value in named) + more + ")"
