"""What explanations ask of an engine, answered state by state."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from knower.logic import formula as f
from knower.logic.formula import Formula, Strategic, is_formula
from knower.reference.states import ExplicitStates
from knower.reference.strategic import Game, Goal, force, resist, winning
from knower.reference.subset import Subset
from knower.reference.tracks import ExplicitTracks
from knower.system.expressions import JointAction, State


class ExplicitView(ExplicitStates):
    """The states of some worlds, with all that explanations ask (an `evidence.view.View`)."""

    def tracks(self, path: Formula, starts: Subset) -> ExplicitTracks:
        return ExplicitTracks(self, path, starts)

    def alike(self, states: Subset, members: tuple[str, ...]) -> Subset:
        classes = self.worlds.confusion.classes(members)
        return self._set(frozenset().union(*(classes[number] for number in states.members())))

    # -- what coalitions can do -----------------------------------------------------------------------------

    def choices(self, state: State, members: tuple[str, ...]) -> Iterable[JointAction]:
        seats = [self.explicit.seat[name] for name in members]
        return dict.fromkeys(tuple(joint[seat] for seat in seats) for joint in self.space.choices(state))

    def outcomes(self, state: State, members: tuple[str, ...], choice: JointAction) -> Subset:
        table = self.worlds.games.choices(members, self.space.number[state])
        return self._set(table.get(choice, frozenset()))

    def force(self, members: tuple[str, ...], states: Subset) -> Subset:
        return self._set(force(self.worlds.games, members, states.members()))

    def resist(self, members: tuple[str, ...], states: Subset) -> Subset:
        return self._set(resist(self.worlds.games, members, states.members()))

    def tactic(self, state: State, formula: Strategic) -> Callable[[str, State], str | None]:
        members = f.members_of(formula.group)
        start = self.worlds.confusion.somebody(members, self.space.number[state])
        strategy = winning(self.worlds.games, members, start, self._wins(formula))
        assert strategy is not None, "a strategy was found before"

        def action(member: str, at: State) -> str | None:
            enabled = self.explicit.enabled(member, at)
            return strategy.get((member, self.explicit.sees(member, at)), next(iter(enabled), None))

        return action

    def _wins(self, formula: Strategic) -> Callable[[Game], bool | None]:
        sets = [self.where(part).members() for part in formula.children if is_formula(part)]
        match formula:
            case f.CanX():
                return lambda game: game.enters(sets[0])
            case f.CanF():
                goal = Goal(self.worlds.universe, sets[0])
            case f.CanG():
                goal = Goal(sets[0], frozenset(), weak=True)
            case f.CanU():
                goal = Goal(sets[0], sets[1])
        return lambda game: game.reaches(goal)
