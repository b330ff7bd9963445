"""Walking through a model step by step, without ever enumerating it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from itertools import islice, product
from math import prod
from random import Random
from typing import TypeVar

from knower.errors import LimitReached, NoInitialState, UsageError, did_you_mean
from knower.limits import Budget
from knower.logic.formula import Formula
from knower.logic.language import Specification
from knower.reasons import TooLarge
from knower.simulation.questions import Oracle, Questions
from knower.simulation.views import View, members
from knower.system.domains import Value
from knower.system.evaluation import compiled
from knower.system.explicit import Explicit
from knower.system.expressions import JointAction, State
from knower.system.resolve_text import beginning_where
from knower.system.system import InterpretedSystem
from knower.verdict.moves import Move
from knower.verdict.shown import shown
from knower.verdict.trace import GlobalState, NamedAction, Path

T = TypeVar("T")

#: How many initial states a random walk chooses from, and how often it tries for a move that leads on.
_MANY_STATES, _TRIES = 1000, 1000
#: For so many steps initial states are searched one by one: with ten variables, less than a second. A search
#: that finds the thousand a random walk chooses from takes two or three steps for each.
_MOST_STEPS = 3000
_NO_ACTION: JointAction = ()


class Simulation:
    """A path through a model, from an initial state to where it stands now.

    A simulation never changes: `begin`, `step`, `back` and `random` each give a new one. Nothing is
    listed that is not asked for, so the size of the model does not matter.

    >>> walk = Simulation(load("examples/tian_ji.ispl").interpreted).begin()
    >>> walk.step({"TianJi": "run_slow"}).here["Environment"]
    {'score': -1}
    """

    def __init__(self, system: InterpretedSystem, oracle: Oracle | None = None) -> None:
        self.system = system
        self.oracle = oracle
        self.explicit = Explicit(system)
        self.states: tuple[State, ...] = ()
        self.joints: tuple[JointAction, ...] = ()

    def _along(self, states: tuple[State, ...], joints: tuple[JointAction, ...]) -> Simulation:
        other = copy(self)
        other.states, other.joints = states, joints
        return other

    # -- where it is ----------------------------------------------------------------------------------

    @property
    def state(self) -> State:
        """The values of all variables now, in the order of `system.variables`."""
        if not self.states:
            raise UsageError(
                "E622", "no initial state is chosen yet", "choose one: `initial 1`, in Python `begin()`"
            )
        return self.states[-1]

    @property
    def here(self) -> GlobalState:
        """The state now, by name."""
        return self.explicit.named_state(self.state)

    @property
    def steps(self) -> int:
        """How many steps were taken."""
        return len(self.joints)

    @property
    def path(self) -> Path:
        """All states so far, with the actions between them, by name."""
        named = self.explicit
        return Path(tuple(map(named.named_state, self.states)), tuple(map(named.named_action, self.joints)))

    @property
    def propositions(self) -> tuple[str, ...]:
        """Those of Evaluation that are true now."""
        return tuple(name for name in self.system.declared if self.explicit.holds(name, self.state))

    def seen_by(self, *names: str) -> GlobalState:
        """What these agents, or members of groups, see now."""
        return View.of(self.system, names)(self.state)

    # -- what is known ------------------------------------------------------------------------------------

    def holds(self, formula: str | Formula | Specification) -> bool:
        """Whether a formula of any logic holds now; raises `CannotTell` where that is not found out."""
        asked = self._questions
        return asked.holds(asked.read(formula), self.state)

    def knows(self, agent: str, formula: str | Formula | Specification) -> bool:
        """Whether an agent knows now that a formula holds."""
        (name,) = members(self.system, [agent])
        return self._questions.knows(name, self._questions.read(formula), self.state)

    def possible(self, *names: str, most: int = 100) -> tuple[GlobalState, ...]:
        """The states these agents together cannot rule out now: all, or some where there are more."""
        found = self._questions.possible(members(self.system, names), self.state, most)
        return tuple(map(self.explicit.named_state, found.states))

    @property
    def _questions(self) -> Questions:
        if self.oracle is None:
            cure = "begin with `simulate()` of a model that was loaded"
            raise UsageError("E634", "nobody is there who knows the reachable states", cure)
        return Questions(self.system, self.oracle)

    # -- the start ------------------------------------------------------------------------------------

    def initial_states(
        self, limit: int | None = None, where: str = "", budget: Budget | None = None
    ) -> tuple[State, ...]:
        """The first initial states, up to the limit; `where`: only those that satisfy a condition."""
        return self._initial_states(0, limit, where, budget)

    def _initial_states(
        self, skipped: int, count: int | None, where: str, budget: Budget | None
    ) -> tuple[State, ...]:
        """So many after the first ones. Where they are not soon found one by one, the oracle knows them."""
        explicit = Explicit(beginning_where(self.system, where)) if where else self.explicit
        if self.oracle is None:
            return _some(explicit.initial_states(budget), skipped, count)
        try:
            return _some(explicit.initial_states(budget, _MOST_STEPS), skipped, count)
        except LimitReached as stop:
            if not isinstance(stop.reason, TooLarge):
                raise
        return self.oracle.initial(where, skipped, count)

    def begin(self, choice: State | int = 1, where: str = "", budget: Budget | None = None) -> Simulation:
        """At an initial state, or at the one of this number (of those that satisfy a condition)."""
        state = self._numbered(choice, where, budget) if isinstance(choice, int) else choice
        if not self.is_initial(state):
            raise UsageError("E623", "this is no initial state of the model")
        return self._along((state,), ())

    def is_initial(self, state: State) -> bool:
        """Whether a state satisfies InitStates."""
        return bool(compiled(self.system.initial, self.system.places)(state, _NO_ACTION))

    def _numbered(self, number: int, where: str, budget: Budget | None) -> State:
        found = self._initial_states(number - 1, 1, where, budget) if number > 0 else ()
        if found:
            return found[0]
        if not where and not self._initial_states(0, 1, "", budget):
            raise NoInitialState("no state satisfies InitStates")
        which = f"no initial state {number}" + (f" with {where}" if where else "")
        raise UsageError("E623", which, "`initial` lists them, from 1")

    # -- what can be done -------------------------------------------------------------------------------

    @property
    def choices(self) -> tuple[tuple[str | None, ...], ...]:
        """What each agent may do now; an agent without actions has the one choice None."""
        return tuple(agent.choices(self.state) for agent in self.explicit.agents)

    @property
    def ways(self) -> int:
        """The number of enabled joint actions."""
        return prod(map(len, self.choices))

    def moves(self, only: Mapping[str, str] | None = None) -> Iterator[Move]:
        """The enabled joint actions, one by one; `only`: those where these agents do this."""
        chosen = self._chosen(only or {})
        for picks in product(*(range(len(options)) if k is None else (k,) for options, k in chosen)):
            yield self._move(picks)

    def move(self, number: int) -> Move:
        """The enabled joint action of a number."""
        if not 0 < number <= self.ways:
            raise UsageError("E623", f"no joint action {number}", self._range_of_actions())
        picks: list[int] = []
        rest = number - 1
        for options in reversed(self.choices):
            rest, pick = divmod(rest, len(options))
            picks.append(pick)
        return self._move(picks[::-1])

    def _range_of_actions(self) -> str:
        return f"they are numbered from 1 to {self.ways}" if self.ways else "the state is a deadlock"

    def _chosen(self, only: Mapping[str, str]) -> list[tuple[tuple[str | None, ...], int | None]]:
        """For each agent what it may do, and the place of what it is asked to do."""
        for agent, action in only.items():
            self._require(agent, action)
        agents = zip(self.system.agents, self.choices, strict=True)
        return [(has, has.index(only[agent.name]) if agent.name in only else None) for agent, has in agents]

    def _require(self, agent: str, action: str) -> None:
        agents = self.system.agent_named
        if agent not in agents:
            raise UsageError("E624", f"unknown agent `{agent}`", did_you_mean(agent, agents))
        declared = agents[agent].actions
        if action not in declared:
            raise UsageError(
                "E624", f"unknown action `{action}` of agent {agent}", did_you_mean(action, declared)
            )
        enabled = self.explicit.enabled(agent, self.state)
        if action not in enabled:
            cure = f"{agent} can do: {', '.join(enabled) or 'nothing'}"
            raise UsageError("E624", f"{agent} cannot do {action} in this state", cure)

    def _move(self, picks: Sequence[int]) -> Move:
        number = 0
        for pick, options in zip(picks, self.choices, strict=True):
            number = number * len(options) + pick
        joint = tuple(options[pick] for pick, options in zip(picks, self.choices, strict=True))
        overflow = next(self.explicit.overflows(self.state, joint), None)
        trouble = None if overflow is None else str(overflow)
        action = self.explicit.named_action(joint)
        return Move(number + 1, action, prod(map(len, self._outcomes(joint))), trouble)

    def _outcomes(self, joint: JointAction) -> list[tuple[tuple[Value, ...], ...]]:
        """What each agent may become: the successors are all combinations."""
        return [agent.outcomes(self.state, joint).states for agent in self.explicit.agents]

    def successors(self, move: Move, limit: int | None = None) -> tuple[State, ...]:
        """The states a move can lead to, up to the limit."""
        return tuple(islice(self.explicit.successors(self.state, self._joint(move.action)), limit))

    def _joint(self, action: NamedAction) -> JointAction:
        return tuple(action.get(agent.name) for agent in self.system.agents)

    # -- taking steps -----------------------------------------------------------------------------------

    def step(self, move: Move | int | Mapping[str, str], successor: int | None = None) -> Simulation:
        """After one step: by a move, its number, or the actions of so many agents that no other fits.

        `successor` counts from 1; it is needed where the move can lead to several states.
        """
        taken = self._the_only(move) if isinstance(move, Mapping) else move
        taken = self.move(taken) if isinstance(taken, int) else taken
        joint = self._joint(taken.action)
        if not taken.successors:
            raise UsageError("E626", f"this joint action leads nowhere: {taken.trouble or 'no successor'}")
        if successor is None and taken.successors > 1:
            raise UsageError(
                "E625", f"this joint action leads to one of {taken.successors} states",
                f"say which: `step {taken.number} 1`; `actions {taken.number}` lists them",
            )  # fmt: skip
        return self.after(joint, self._combined(joint, successor or 1))

    def _the_only(self, only: Mapping[str, str]) -> Move:
        found = list(islice(self.moves(only), 2))
        if not found:
            raise UsageError("E626", "no joint action is enabled", "the state is a deadlock: `back`")
        if len(found) > 1:
            open_to = [a.name for a, has in zip(self.system.agents, self.choices, strict=True)
                       if a.name not in only and len(has) > 1]  # fmt: skip
            cure = f"say also what {', '.join(open_to)} {'does' if len(open_to) == 1 else 'do'}"
            raise UsageError("E625", "several joint actions fit", cure)
        return found[0]

    def _combined(self, joint: JointAction, number: int) -> State:
        """The successor of a number, as `Explicit.successors` orders them, without listing the others."""
        outcomes = self._outcomes(joint)
        count = prod(map(len, outcomes))
        if not 0 < number <= count:
            raise UsageError("E623", f"no successor {number}", f"they are numbered from 1 to {count}")
        parts: list[tuple[Value, ...]] = []
        rest = number - 1
        for options in reversed(outcomes):
            rest, pick = divmod(rest, len(options))
            parts.append(options[pick])
        return tuple(value for part in reversed(parts) for value in part)

    def after(self, joint: JointAction, state: State) -> Simulation:
        """After the step that this joint action takes to this state."""
        possible = all(action in has for action, has in zip(joint, self.choices, strict=True))
        if not possible or not self._leads_to(joint, state):
            raise UsageError("E626", "this joint action does not lead to this state")
        return self._along((*self.states, state), (*self.joints, joint))

    def _leads_to(self, joint: JointAction, state: State) -> bool:
        at = 0
        for agent, outcomes in zip(self.system.agents, self._outcomes(joint), strict=True):
            if state[at : at + len(agent.variables)] not in outcomes:
                return False
            at += len(agent.variables)
        return True

    def back(self, steps: int = 1) -> Simulation:
        """As it was some steps ago."""
        if not 0 <= steps <= self.steps:
            taken = "1 step was" if self.steps == 1 else f"{self.steps} steps were"
            raise UsageError(
                "E627", f"cannot go back {steps}: {taken} taken", "`start` goes back to the start"
            )
        kept = self.steps - steps
        return self._along(self.states[: kept + 1], self.joints[:kept])

    def start(self) -> Simulation:
        """Back at the initial state."""
        return self.back(self.steps)

    # -- a random walk ------------------------------------------------------------------------------------

    def random(self, steps: int = 1, seed: int = 0, budget: Budget | None = None) -> Simulation:
        """After some random steps, fewer if no way on is found; the same seed walks the same way.

        Before the start one of the first thousand initial states is chosen.
        """
        dice = Random(seed)
        walk = self if self.states else self.begin(_pick(dice, self._some_initial_states(budget)))
        states, joints = list(walk.states), list(walk.joints)
        for _ in range(steps):
            found = walk._any_step(dice)
            if found is None:
                break
            joints.append(found[0])
            states.append(found[1])
            walk = self._along((found[1],), ())
        return self._along(tuple(states), tuple(joints))

    def _some_initial_states(self, budget: Budget | None) -> tuple[State, ...]:
        found = self.initial_states(_MANY_STATES, budget=budget)
        if not found:
            raise NoInitialState("no state satisfies InitStates")
        return found

    def _any_step(self, dice: Random) -> tuple[JointAction, State] | None:
        """A joint action that leads on, all being equally likely, and one of its successors."""
        choices = self.choices
        if not all(choices):
            return None
        for _ in range(_TRIES):
            joint = tuple(_pick(dice, options) for options in choices)
            outcomes = self._outcomes(joint)
            if all(outcomes):
                return joint, tuple(value for options in outcomes for value in _pick(dice, options))
        return self._first_step()

    def _first_step(self) -> tuple[JointAction, State] | None:
        for joint in islice(self.explicit.joint_actions(self.state), _TRIES):
            for state in self.explicit.successors(self.state, joint):
                return joint, state
        return None

    def _repr_html_(self) -> str:
        told = {"propositions": self.propositions, "ways": self.ways} if self.states else {}
        return str(shown("notebook_walk:walk_html", self.path, **told))

    def __repr__(self) -> str:
        steps = "1 step" if self.steps == 1 else f"{self.steps} steps"
        where = f"after {steps}" if self.states else "before the start"
        return f"<Simulation {where}>"


def _some(states: Iterator[State], skipped: int, count: int | None) -> tuple[State, ...]:
    return tuple(islice(islice(states, skipped, None), count))


def _pick(dice: Random, options: Sequence[T]) -> T:
    # Of all methods of `Random`, `random` alone gives the same numbers in every version of Python.
    return options[int(dice.random() * len(options))]
