"""What explanations ask of an engine, answered by decision diagrams."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import reduce
from itertools import product
from operator import and_
from typing import Generic

from knower.checking.arena import Goal, Members, goal_of
from knower.checking.automaton import Bits
from knower.checking.evaluate import Worlds
from knower.checking.tracks import SymbolicTracks
from knower.checking.uniform import Uniform
from knower.functions.protocol import F
from knower.logic import formula as f
from knower.logic.formula import Formula, Strategic
from knower.symbolic.decode import Decoder
from knower.system.expressions import JointAction, State


class SymbolicView(Generic[F]):
    """The states of some worlds (an `evidence.view.View`)."""

    def __init__(self, worlds: Worlds[F]) -> None:
        self.worlds = worlds
        self.model = worlds.model
        self.space = worlds.model.space
        self.decoder = Decoder(worlds.model)
        self.explicit = self.decoder.explicit
        self.nothing: F = self.space.false
        self.universe: F = worlds.universe
        self.reachable: F = worlds.model.reachable
        self.initial: F = worlds.initial
        self.fairness: tuple[F, ...] = tuple(c & worlds.universe for c in worlds.paths.fairness)
        self.looped: F = worlds.model.relation.looped & worlds.universe
        self.finite = worlds.finite
        self._bits = Bits(self.space)
        self._codes: dict[State, F] = {}

    def where(self, formula: Formula) -> F:
        return self.worlds.states(formula)

    def step(self) -> None:
        self.model.step()

    def one(self, states: F) -> State:
        return self.decoder.state(states)

    def only(self, state: State) -> F:
        if state not in self._codes:
            self._codes[state] = self.decoder.code(state)
        return self._codes[state]

    def count(self, states: F) -> int:
        return self.model.count(states)

    # -- steps --------------------------------------------------------------------------------------------

    def pre(self, states: F) -> F:
        return self.model.relation.pre(states) & self.universe

    def post(self, states: F) -> F:
        return self.model.relation.post(states) & self.universe

    def joint(self, before: State, after: State, fixed: Mapping[str, str | None]) -> JointAction:
        if self.only(before) & self.looped != self.nothing:
            return ()
        return self.decoder.joint(before, after, self._choice(fixed))

    def tracks(self, path: Formula, starts: F) -> SymbolicTracks[F]:
        return SymbolicTracks(self, path, starts, self._bits)

    @property
    def endless(self) -> F:
        return self.worlds.paths.endless

    def _choice(self, fixed: Mapping[str, str | None]) -> F:
        """Where these agents take these actions; of those without a choice nothing is said."""
        chosen = self.space.true
        for name, action in fixed.items():
            if name in self.model.steps.players:
                number = self.explicit.system.agent_named[name].actions.index(str(action))
                chosen = chosen & self.model.steps.action(name, number)
        return chosen

    def alike(self, states: F, members: Members) -> F:
        return self.model.alike(states, members) & self.universe

    # -- what coalitions can do -----------------------------------------------------------------------------

    def choices(self, state: State, members: Members) -> Iterator[JointAction]:
        agents = self.explicit.agents
        if not all(agent.choices(state) for agent in agents):
            return
        for choice in product(*(agents[self.explicit.seat[name]].choices(state) for name in members)):
            if self._is_allowed(state, members, choice):
                yield choice

    def _is_allowed(self, state: State, members: Members, choice: JointAction) -> bool:
        """Whether the choice keeps to what the model is restricted to, if it is."""
        if not self.model.restrictions:
            return True
        taken = self.only(state) & self._choice(dict(zip(members, choice, strict=True)))
        return reduce(and_, self.model.relations.guards, taken) != self.nothing

    def outcomes(self, state: State, members: Members, choice: JointAction) -> F:
        here = self.only(state)
        if here & self.looped != self.nothing:
            return here
        chosen = self._choice(dict(zip(members, choice, strict=True)))
        after = self.model.coalition(members).post(here & chosen)
        return self.space.exists(after, self.worlds.strategies.arena(members).own) & self.universe

    def force(self, members: Members, states: F) -> F:
        return self.worlds.strategies.arena(members).force(states)

    def resist(self, members: Members, states: F) -> F:
        return self.worlds.strategies.arena(members).resist(states)

    def tactic(self, state: State, formula: Strategic) -> Callable[[str, State], str | None]:
        members = self.explicit.system.members(formula.group)
        strategy = self._search(members, formula).strategy(self.only(state))
        assert strategy is not None, "a strategy was found before"
        return _Tactic(self, strategy).action

    def _search(self, members: Members, formula: Strategic) -> Uniform[F]:
        sets = [self.where(part) for part in formula.children if isinstance(part, Formula)]
        strategies = self.worlds.strategies
        if isinstance(formula, f.CanX):
            return strategies.uniform(members, Goal(self.nothing, sets[0]), next_only=True)
        return strategies.uniform(members, goal_of(formula, sets, self.worlds.paths))


class _Tactic(Generic[F]):
    """A strategy as a function of state and actions, read for single states."""

    def __init__(self, view: SymbolicView[F], strategy: F) -> None:
        self._view = view
        self._strategy = strategy

    def action(self, member: str, state: State) -> str | None:
        view, steps = self._view, self._view.model.steps
        enabled = view.explicit.enabled(member, state)
        if member not in steps.players or len(enabled) < 2:
            return next(iter(enabled), None)
        actions = view.explicit.system.agent_named[member].actions
        here = view.only(state) & self._strategy
        return next(a for a in enabled if here & steps.action(member, actions.index(a)) != view.nothing)
