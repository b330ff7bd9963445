"""What explanations ask of an engine, answered by decision diagrams."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, reduce
from itertools import product
from operator import and_
from typing import Generic

from knower.checking.arena import Members
from knower.checking.symbolic_product import SymbolicProductView
from knower.checking.symbolic_states import SymbolicStates
from knower.checking.synthesis import Defeat
from knower.checking.uniform import Uniform
from knower.functions.protocol import F
from knower.logic import formula as f
from knower.logic.formula import Formula, Strategic, is_formula
from knower.logic.goal import Goal, goal_of
from knower.system.expressions import JointAction, State
from knower.verdict.lost_path import Choice, LostPath


class SymbolicView(SymbolicStates[F]):
    """The states of some evaluator, with all that explanations ask (an `evidence.view.View`)."""

    def tracks(self, path: Formula, starts: F) -> SymbolicProductView[F]:
        return SymbolicProductView(self, path, starts)

    def indistinguishable_to_all(self, states: F, members: Members) -> F:
        return self.model.system.indistinguishable_to_all(states, members) & self.universe

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
        if not self.model.system.restrictions:
            return True
        taken = self.only(state) & self.choice(dict(zip(members, choice, strict=True)))
        return reduce(and_, self.model.system.relations.guards, taken) != self.nothing

    def outcomes(self, state: State, members: Members, choice: JointAction) -> F:
        here = self.only(state)
        if here & self.looped != self.nothing:
            return here
        chosen = self.choice(dict(zip(members, choice, strict=True)))
        after = self.model.system.coalition(members).post(here & chosen)
        return self.space.exists(after, self.evaluator.strategies.arena(members).own) & self.universe

    def choice_into(self, state: State, members: Members, inside: F, *, may_stop: bool) -> JointAction | None:
        after = self.model.system.coalition(members).post(self.only(state)) & self.universe
        values = self.space.quantified(self.model.layout.now)
        good = ~self.space.exists(after & ~inside, values)
        if not may_stop:
            good = good & self.space.exists(after, values)
        allowed = reduce(and_, self.model.system.relations.guards, self.only(state) & good)
        if allowed == self.nothing:
            return None
        joint = self.decoder.joint(state, None, good)
        return tuple(joint[self.explicit.seat[name]] for name in members)

    def layers(self, members: Members, goal: Goal[F]) -> list[F]:
        return self.evaluator.strategies.arena(members).layers(goal)

    def force(self, members: Members, states: F) -> F:
        return self.evaluator.strategies.arena(members).force(states)

    def opponents_pre(self, members: Members, states: F) -> F:
        return self.evaluator.strategies.arena(members).opponents_pre(states)

    def tactic(self, state: State, formula: Strategic) -> Callable[[str, State], str | None]:
        members = f.members_of(formula.group)
        strategy = self._search(members, formula).strategy(self.only(state))
        assert strategy is not None, "a strategy was found before"
        return _Tactic(self, strategy).action

    def lost_paths(self, state: State, formula: Strategic) -> Iterator[LostPath] | None:
        members = f.members_of(formula.group)
        defeat = self._search(members, formula).defeat(self.only(state))
        return None if defeat is None else self._decoded(defeat)

    def _decoded(self, defeat: Defeat[F]) -> Iterator[LostPath]:
        agents, sees = self.explicit.system.agent_named, self.explicit.sees

        @cache
        def read(literal: int) -> Choice:
            choice = defeat.choices[literal]
            there = self.one(choice.states & self.reachable)
            return choice.player, sees(choice.player, there), agents[choice.player].actions[choice.number]

        for play in defeat.plays:
            states = tuple(self.one(state) for state in play.states)
            yield LostPath(states, frozenset(map(read, play.choices)), play.loop)

    def _search(self, members: Members, formula: Strategic) -> Uniform[F]:
        sets = [self.where(part) for part in formula.children if is_formula(part)]
        strategies = self.evaluator.strategies
        return strategies.uniform(members, goal_of(formula, sets, true=self.universe, false=self.nothing))


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
