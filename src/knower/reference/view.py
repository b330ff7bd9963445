"""What explanations ask of an engine, answered state by state."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from knower.logic import formula as f
from knower.logic.formula import Formula, Strategic
from knower.logic.language import Specification
from knower.reference.evaluate import Worlds
from knower.reference.space import StateSpace
from knower.reference.strategic import Game, Goal, force, resist, winning
from knower.reference.subset import Subset
from knower.reference.tracks import ExplicitTracks
from knower.system.expressions import JointAction, State


class ExplicitView:
    """The states of some worlds (an `evidence.view.View`)."""

    def __init__(self, worlds: Worlds) -> None:
        self.worlds = worlds
        self.space: StateSpace = worlds.space
        self.explicit = worlds.space.explicit
        self.nothing = self._set(frozenset())
        self.universe = self._set(worlds.universe)
        self.reachable = self._set(frozenset(range(len(worlds.space))))
        self.initial = self._set(frozenset(worlds.space.initial) & worlds.universe)
        self.fairness: tuple[Subset, ...] = tuple(self._set(c & worlds.universe) for c in worlds.fairness)
        self.looped = self._set(frozenset(worlds.space.looped) & worlds.universe)
        self.finite = worlds.finite
        self.endless = self._set(worlds.graph.always(worlds.universe))
        self._known: dict[Formula, Subset] = {}

    def _set(self, numbers: frozenset[int]) -> Subset:
        return Subset(self.worlds.universe, numbers)

    def where(self, formula: Formula) -> Subset:
        if formula not in self._known:
            self._known[formula] = self._set(self.worlds.states(Specification(formula)))
        return self._known[formula]

    def step(self) -> None:
        self.worlds.budget.tick()

    def one(self, states: Subset) -> State:
        return self.space.states[min(states.members())]

    def only(self, state: State) -> Subset:
        return self._set(frozenset([self.space.number[state]]))

    def count(self, states: Subset) -> int:
        return len(states.members())

    # -- steps --------------------------------------------------------------------------------------------

    def pre(self, states: Subset) -> Subset:
        return self._set(self.worlds.graph.pre(states.members()))

    def post(self, states: Subset) -> Subset:
        found = {after for number in states.members() for after in self.space.successors[number]}
        return self._set(frozenset(found) & self.worlds.universe)

    def joint(self, before: State, after: State, fixed: Mapping[str, str | None]) -> JointAction:
        if self.space.number[before] in self.space.looped:
            return ()
        seats = {self.explicit.seat[name]: action for name, action in fixed.items()}
        for joint in self.space.choices(before):
            chosen = all(joint[seat] == action for seat, action in seats.items())
            if chosen and after in self.explicit.successors(before, joint):
                return joint
        raise AssertionError("the step was found before")

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
        members = self.explicit.system.members(formula.group)
        number, confusion = self.space.number[state], self.worlds.confusion
        start = frozenset().union(*(confusion.classes((name,))[number] for name in members))
        strategy = winning(self.worlds.games, members, start, self._wins(formula))
        assert strategy is not None, "a strategy was found before"

        def action(member: str, at: State) -> str | None:
            enabled = self.explicit.enabled(member, at)
            return strategy.get((member, self.explicit.sees(member, at)), next(iter(enabled), None))

        return action

    def _wins(self, formula: Strategic) -> Callable[[Game], bool | None]:
        sets = [self.where(part).members() for part in formula.children if isinstance(part, Formula)]
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
