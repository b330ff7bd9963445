"""What explanations ask of an engine, answered state by state."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import product

from knower.logic import formula as f
from knower.logic.formula import Formula, Strategic, is_formula
from knower.logic.goal import Goal, goal_of
from knower.reference.explicit_product import ExplicitProductView
from knower.reference.explicit_states import ExplicitStates
from knower.reference.strategic import force, opponents_pre, winning
from knower.reference.subset import Subset
from knower.system.expressions import JointAction, State


class ExplicitView(ExplicitStates):
    """The states of some evaluator, with all that explanations ask (an `evidence.view.View`)."""

    def tracks(self, path: Formula, starts: Subset) -> ExplicitProductView:
        return ExplicitProductView(self, path, starts)

    def indistinguishable_to_all(self, states: Subset, members: tuple[str, ...]) -> Subset:
        classes = self.evaluator.confusion.classes(members)
        return self._set(frozenset().union(*(classes[number] for number in states.members())))

    # -- what coalitions can do -----------------------------------------------------------------------------

    def choices(self, state: State, members: tuple[str, ...]) -> Iterable[JointAction]:
        options = self.space.options(state)
        return product(*(options[self.explicit.seat[name]] for name in members)) if all(options) else ()

    def outcomes(self, state: State, members: tuple[str, ...], choice: JointAction) -> Subset:
        table = self.evaluator.games.choices(members, self.space.number[state])
        return self._set(table.get(choice, frozenset()))

    def choice_into(
        self, state: State, members: tuple[str, ...], inside: Subset, *, may_stop: bool
    ) -> JointAction | None:
        for choice in self.choices(state, members):
            outcomes = self.outcomes(state, members, choice)
            if outcomes & ~inside == self.nothing and (may_stop or outcomes != self.nothing):
                return choice
        return None

    def layers(self, members: tuple[str, ...], goal: Goal[Subset]) -> list[Subset]:
        layers = [goal.hold | goal.end if goal.weak else goal.end]
        while True:
            self.step()
            more = goal.end | (goal.hold & self.force(members, layers[-1]))
            if more == layers[-1]:
                return layers
            layers.append(more)

    def force(self, members: tuple[str, ...], states: Subset) -> Subset:
        return self._set(force(self.evaluator.games, members, states.members()))

    def opponents_pre(self, members: tuple[str, ...], states: Subset) -> Subset:
        return self._set(opponents_pre(self.evaluator.games, members, states.members()))

    def tactic(self, state: State, formula: Strategic) -> Callable[[str, State], str | None]:
        members = f.members_of(formula.group)
        start = self.evaluator.confusion.somebody(members, self.space.number[state])
        strategy = winning(self.evaluator.games, members, start, self._goal(formula))
        assert strategy is not None, "a strategy was found before"

        def action(member: str, at: State) -> str | None:
            enabled = self.explicit.enabled(member, at)
            return strategy.get((member, self.explicit.sees(member, at)), next(iter(enabled), None))

        return action

    def lost_paths(self, state: State, formula: Strategic) -> None:
        """They are looked for by who asks."""

    def _goal(self, formula: Strategic) -> Goal[frozenset[int]]:
        sets = [self.where(part).members() for part in formula.children if is_formula(part)]
        return goal_of(formula, sets, true=self.evaluator.universe, false=frozenset())
