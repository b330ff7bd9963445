"""Why every uniform strategy fails: a few lost plays, such that each strategy makes all choices of one.

An engine tells the plays it has met. Each is made whole here: how it is lost is shown for every choice that
its members have left open in its last state, and what does not matter for it is left out. Then only so many
plays are kept as are needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Generic, NamedTuple, TypeAlias

from knower.evidence.covers import needed
from knower.evidence.goals import ProofGoal, Table
from knower.evidence.view import View
from knower.evidence.ways import Clock, Ways, too_long
from knower.functions.protocol import F
from knower.logic import formula as f
from knower.logic.formula import Formula
from knower.logic.kinds import is_propositional
from knower.verdict.evidence import Hop, Joint, LostPlay, Proof, Row, Run, State
from knower.verdict.lost_path import Choice, LostPath

#: What members do in a state, as far as a play relies on it.
Fixed: TypeAlias = Mapping[str, str | None]
#: Shows that a formula holds at one of some states.
Prover: TypeAlias = Callable[[F, Formula], Proof]
#: Shows that from a state not even full knowledge would help.
Answer: TypeAlias = Callable[[State], Proof]


class _Lost(NamedTuple):
    """A play with all it relies on; `refused`: it ends where full knowledge would not help."""

    path: LostPath
    stops: bool = False
    refused: bool = False


class Defeats(Generic[F]):
    """One goal of one coalition, whose every strategy fails although full knowledge would do."""

    def __init__(self, table: Table[F], goal: ProofGoal[F], hopeless: F, most: int, clock: Clock) -> None:
        """`hopeless`: where full knowledge would not do."""
        self.view: View[F] = table.view
        self.table = table
        self.goal = goal
        self.hopeless = hopeless
        self.most = most
        self.clock = clock
        self.players = [name for name in table.members if self.view.explicit.system.agent_named[name].actions]

    def plays(self, paths: Iterable[LostPath], answer: Answer, prove: Prover[F]) -> tuple[LostPlay, ...]:
        found = list(dict.fromkeys(lost for path in paths for lost in self._whole(path)))
        menu: dict[tuple[str, State], tuple[str, ...]] = {}
        for lost in found:
            menu.update(self._menu(lost.path))
        places = needed(
            [lost.path.choices for lost in found], menu, [_effort(lost) for lost in found], self.clock
        )
        if len(places) > self.most:
            raise too_long(f"more than {self.most} lost plays")
        return tuple(self._play(found[place], answer, prove) for place in places)

    def hops(self, state: State, plays: Iterable[LostPlay], ways: Ways[F]) -> Iterator[Hop]:
        """How the states come about, other than this one, in which plays begin."""
        sees = self.view.explicit.sees
        for start in dict.fromkeys(play.run.states[0] for play in plays):
            if start != state:
                member = next(name for name in self.table.members if sees(name, start) == sees(name, state))
                yield Hop((member,), ways.run(ways.from_start(self.view.only(start))))

    # -- how a play is lost ---------------------------------------------------------------------------------

    def _whole(self, path: LostPath) -> Iterator[_Lost]:
        """The plays that a path stands for: one for each choice that is left open at its end."""
        self.clock.check()
        if path.loop is not None:
            yield _Lost(path)
            return
        fixed, count = self._fixed(path, path.states[-1]), 0
        for choice in self.table.choices(path.states[-1]):
            if self._keeps_to(fixed, choice):
                count += 1
                self._bear(count)
                yield self._ended(path, choice)
        if not count:
            yield _Lost(self._relying(path, {}), stops=True)

    def _keeps_to(self, fixed: Fixed, choice: Joint) -> bool:
        return all(fixed.get(name, act) == act for name, act in zip(self.table.members, choice, strict=True))

    def _ended(self, path: LostPath, choice: Joint) -> _Lost:
        """The play in which the members choose so in the end."""
        last, nothing = path.states[-1], self.view.nothing
        outcomes = self.table.outcomes(last, choice)
        made = dict(zip(self.table.members, choice, strict=True))
        if outcomes == nothing:
            made = self._reduced(last, made, lambda after: after == nothing)
            return _Lost(self._relying(path, made), stops=True)
        there, refused = self._lost_in(outcomes)
        longer = self._relying(path, self._reduced(last, made, self._leading_to(there)))
        return _Lost(longer._replace(states=(*path.states, there)), refused=refused)

    def _lost_in(self, outcomes: F) -> tuple[State, bool]:
        """A state where the play is lost, and whether that has to be shown."""
        goal, view = self.goal, self.view
        if goal.soon:
            return view.one(outcomes & ~goal.end), False
        lost = outcomes & self.hopeless
        broken = lost & ~goal.hold & ~goal.end
        is_seen = broken != view.nothing and not view.fairness
        return view.one(broken if is_seen else lost), not is_seen

    def _relying(self, path: LostPath, made: Fixed) -> LostPath:
        """The play, with what it relies on: what leads along it, and what is chosen in its last state."""
        view, found = self.view, list(self._choices(path.states[-1], made))
        for before, after in pairwise(path.states):
            if view.only(before) & view.looped == view.nothing:
                fixed = self._reduced(before, self._fixed(path, before), self._leading_to(after))
                found += self._choices(before, fixed)
        return path._replace(choices=frozenset(found))

    def _leading_to(self, after: State) -> Callable[[F], bool]:
        here, nothing = self.view.only(after), self.view.nothing
        return lambda outcomes: outcomes & here != nothing

    def _choices(self, state: State, made: Fixed) -> Iterator[Choice]:
        for name, action in made.items():
            if action is not None:
                yield name, self.view.explicit.sees(name, state), action

    def _reduced(self, state: State, made: Fixed, same: Callable[[F], bool]) -> dict[str, str | None]:
        """The choices without which something else might come about."""
        left = {name: action for name, action in made.items() if name in self.players}
        for name in list(left):
            without = {other: action for other, action in left.items() if other != name}
            if all(same(outcomes) for outcomes in self._outcomes(state, without)):
                left = without
        return left

    def _outcomes(self, state: State, fixed: Fixed) -> Iterator[F]:
        for count, choice in enumerate(self.table.choices(state)):
            self._bear(count)
            if self._keeps_to(fixed, choice):
                yield self.table.outcomes(state, choice)

    def _bear(self, count: int) -> None:
        self.clock.check()
        if count > 10 * self.most:
            raise too_long(f"plays with more than {10 * self.most} choices in one state")

    def _fixed(self, path: LostPath, state: State) -> dict[str, str]:
        sees = self.view.explicit.sees
        made = {(name, seen): action for name, seen, action in path.choices}
        sights = {name: (name, sees(name, state)) for name in self.players}
        return {name: made[sight] for name, sight in sights.items() if sight in made}

    def _menu(self, path: LostPath) -> Iterator[tuple[tuple[str, State], tuple[str, ...]]]:
        """What there is to choose from, where the play relies on a choice."""
        explicit = self.view.explicit
        sights = {(name, seen) for name, seen, _ in path.choices}
        for state in path.states:
            for name in self.players:
                sight = name, explicit.sees(name, state)
                if sight in sights:
                    yield sight, tuple(explicit.enabled(name, state))

    # -- as evidence ----------------------------------------------------------------------------------------

    def _play(self, lost: _Lost, answer: Answer, prove: Prover[F]) -> LostPlay:
        path, view = lost.path, self.view
        ends = [] if path.loop is None else [path.states[path.loop]]
        actions = tuple(
            view.joint(before, after, self._fixed(path, before))
            for before, after in pairwise([*path.states, *ends])
        )
        run = Run(path.states, actions, path.loop, len(path.states) - 1 if path.loop is None else None)
        rows = tuple(Row((name,), seen, (action,)) for name, seen, action in self._in_order(path))
        proofs = list(self._proofs(lost, prove))
        if lost.refused:
            proofs.append((len(path.states) - 1, answer(path.states[-1])))
        return LostPlay(run, rows, lost.stops, tuple(proofs))

    def _in_order(self, path: LostPath) -> Iterator[Choice]:
        """The choices as the play comes to them."""
        for (name, seen), action in dict.fromkeys(
            ((name, self.view.explicit.sees(name, state)), action)
            for state in path.states
            for name, action in self._fixed(path, state).items()
        ):
            yield name, seen, action

    def _proofs(self, lost: _Lost, prove: Prover[F]) -> Iterator[tuple[int, Proof]]:
        """Of what is not seen at once: that the goal is missed, and at last broken, or held before a stop."""
        for place, state in enumerate(lost.path.states):
            wanted = self._wanted(lost, place)
            if wanted is not None and not is_propositional(wanted):
                yield place, prove(self.view.only(state), wanted)

    def _wanted(self, lost: _Lost, place: int) -> Formula | None:
        """What is to be shown at a position, if anything."""
        goal, here, last = self.goal, self.view.only(lost.path.states[place]), len(lost.path.states) - 1
        missed = None if goal.ending is None else f.Not(goal.ending)
        if goal.soon:
            second = 1 if last else lost.path.loop
            return missed if place == second and not lost.stops else None
        if lost.refused and place == last:
            return None
        if goal.holding is not None and here & goal.hold == self.view.nothing:
            broken = f.Not(goal.holding)
            return broken if missed is None else f.And(missed, broken)
        if lost.stops and self.view.fairness and goal.holding is not None:
            return goal.holding if missed is None else f.And(missed, goal.holding)
        return missed


def _effort(lost: _Lost) -> tuple[int, int, int]:
    """Plays are better that are seen to be lost, rely on little and are short."""
    return int(lost.refused), len(lost.path.choices), len(lost.path.states)
