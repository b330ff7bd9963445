"""Strategies as tables, and the others' answers where there is none.

Both are followed from the state in question, and mention only what is met on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property, reduce
from typing import Generic, TypeAlias

from knower.evidence.goals import ProofGoal, Table, goal_of
from knower.evidence.plans import (
    BROKEN,
    FIRST,
    OPEN,
    Counter,
    FairPlans,
    Memory,
    Plan,
    SureCounter,
    SurePlan,
)  # fmt: skip
from knower.evidence.view import Members, View
from knower.evidence.ways import Clock, TooLong, Ways, too_long
from knower.functions.protocol import F
from knower.logic import formula as f
from knower.logic.formula import Formula, Strategic, is_propositional
from knower.logic.rewrite import NormalForms
from knower.options import AtlReading
from knower.verdict.evidence import (
    Hop,
    ImperfectInformationRefutation,
    Joint,
    Proof,
    Refusal,
    Reply,
    Row,
    State,
    Strategy,
    Turn,
)  # fmt: skip

#: Shows that a formula holds at one of some states.
Prover: TypeAlias = Callable[[F, Formula], Proof]
#: The coalition's choice in a state; None where it has none.
Choose: TypeAlias = Callable[[State], Joint | None]

#: A step may lead to so many states, and a turn have so many replies, for each row that a table may have.
_AT_ONCE = 10


class Games(Generic[F]):
    """Explains what coalitions can and cannot enforce, with tables of at most so many rows."""

    def __init__(self, view: View[F], atl: AtlReading, most: int, forms: NormalForms, clock: Clock) -> None:
        self.view = view
        self.clock = clock
        self.forms = forms
        self.atl = atl
        self.most = most

    def strategy(self, state: State, formula: Strategic, prove: Prover[F]) -> Strategy:
        """What the coalition does, from a state where it can enforce the formula."""
        view, members = self.view, self._members(formula)
        table, goal = Table(view, members), goal_of(view, formula)
        starts, choose = self._method(state, formula, table, goal)
        play = Play(self, table, goal)
        play.follow(starts, choose)
        by_observation = self.atl is AtlReading.UNIFORM
        rows = play.by_observation() if by_observation else play.by_state()
        shown = self.forms.of(formula)
        return Strategy(state, shown, members, tuple(starts), rows, by_observation, tuple(play.proofs(prove)))

    def _method(
        self, state: State, formula: Strategic, table: Table[F], goal: ProofGoal[F]
    ) -> tuple[list[State], Choose]:
        """Where the strategy begins, and what it chooses."""
        if self.atl is AtlReading.UNIFORM:
            tactic = self.view.tactic(state, formula)
            alike = self.view.only(state)
            for member in table.members:
                alike = alike | self.view.indistinguishable_to_all(self.view.only(state), (member,))
            return self._few(table, alike), lambda at: tuple(tactic(member, at) for member in table.members)
        plan = self._plan(table.members, goal)
        return [state], lambda at: table.choice(at, plan.inside(at), may_stop=plan.may_stop)

    def _few(self, table: Table[F], states: F) -> list[State]:
        if self.view.count(states) > self.most:
            raise too_long(f"a strategy from more than {self.most} look-alikes")
        return list(table.states(states))

    def _plan(self, members: Members, goal: ProofGoal[F]) -> Plan[F]:
        if self.atl is AtlReading.OBJECTIVE_FAIR:
            return FairPlans(self.view, members, goal, self.step)
        return SurePlan(self.view, self._layers(members, goal), goal)

    def _layers(self, members: Members, goal: ProofGoal[F]) -> list[F]:
        return [goal.end] if goal.soon else self.view.layers(members, goal.sets)

    def step(self) -> None:
        """Before each operation that may take long."""
        self.clock.check()
        self.view.step()

    def _members(self, formula: Strategic) -> Members:
        return f.members_of(formula.group)

    # -- where there is no strategy -------------------------------------------------------------------------

    def refusal(self, state: State, formula: Strategic, ways: Ways[F], prove: Prover[F]) -> Proof | None:
        """Why the coalition cannot enforce the formula; None if the others have no answer of their own."""
        uniform = self.atl is AtlReading.UNIFORM
        if uniform and self._members(formula):
            return self._blind(state, formula, ways, prove)
        fair = self.atl is AtlReading.OBJECTIVE_FAIR or (uniform and bool(self.view.fairness))
        return self._answered(state, formula, self._counter(formula, fair=fair), prove, fair=fair)

    def _counter(self, formula: Strategic, *, fair: bool) -> Counter[F]:
        members, goal = self._members(formula), goal_of(self.view, formula)
        if fair:
            return FairPlans(self.view, members, goal, self.step)
        return SureCounter(self.view, self._layers(members, goal), goal)

    def _blind(self, state: State, formula: Strategic, ways: Ways[F], prove: Prover[F]) -> Proof | None:
        """In a look-alike, not even full knowledge (and any memory) would help."""
        view, fair = self.view, bool(self.view.fairness)
        members, goal = self._members(formula), goal_of(self.view, formula)
        counter = self._counter(formula, fair=fair)
        hopeless = self._hopeless(members, goal, counter)
        for member in members:
            seen = view.indistinguishable_to_all(view.only(state), (member,)) & hopeless
            if seen != view.nothing:
                run = ways.run(ways.from_start(seen))
                answer = self._answered(run.goal, formula, counter, prove, fair=fair)
                return ImperfectInformationRefutation(
                    state,
                    self.forms.of_negation(formula),
                    Hop((member,), run),
                    answer,
                )
        return None

    def _hopeless(self, members: Members, goal: ProofGoal[F], counter: Counter[F]) -> F:
        view = self.view
        if isinstance(counter, FairPlans):
            game: FairPlans[F] = counter
            if goal.soon:
                return view.opponents_pre(members, game.broken)
            return game.spoilt[-1] if goal.weak else game.open.region
        won = view.force(members, goal.end) if goal.soon else self._layers(members, goal)[-1]
        return view.universe & ~won

    def _answered(
        self, state: State, formula: Strategic, counter: Counter[F], prove: Prover[F], *, fair: bool
    ) -> Refusal:
        table = Table(self.view, self._members(formula))
        answer = Answer(self, table, goal_of(self.view, formula), counter, prove, fair=fair)
        turns = tuple(answer.turns(state))
        return Refusal(state, self.forms.of_negation(formula), table.members, turns)


class Play(Generic[F]):
    """A strategy as it is followed: what is done in each state met, and what holds there."""

    def __init__(self, games: Games[F], table: Table[F], goal: ProofGoal[F]) -> None:
        self.games = games
        self.view = games.view
        self.table = table
        self.goal = goal
        self.choices: dict[State, Joint] = {}
        self._shown: dict[State, Formula] = {}
        #: The states met so far, by how the goal stands there.
        self._met = dict.fromkeys((FIRST, OPEN, BROKEN), self.view.nothing)

    def follow(self, starts: list[State], choose: Choose) -> None:
        """All positions (a state and how the goal stands) that are met from the starts."""
        todo = [(state, FIRST if self.goal.soon else OPEN) for state in starts]
        for state, phase in todo:
            self._met[phase] = self._met[phase] | self.view.only(state)
        for state, phase in todo:  # grows while it is read
            self.games.clock.check()
            if not self._is_over(state, phase):
                then = self._next_phase(state, phase)
                todo += [(after, then) for after in self._fresh(self._after(state, choose), then)]
            if len(self.choices) > self.games.most:
                raise self._too_long()

    def _fresh(self, after: F, phase: str) -> Iterator[State]:
        """The states that are met for the first time; without those where the goal is seen to be reached."""
        if phase == OPEN and (self.goal.ending is None or is_propositional(self.goal.ending)):
            after = after & ~self.goal.end
        fresh = after & ~self._met[phase]
        self._met[phase] = self._met[phase] | fresh
        if self.view.count(fresh) > _AT_ONCE * self.games.most:
            raise self._too_long()
        return self.table.states(fresh)

    def _too_long(self) -> TooLong:
        return too_long(f"a strategy of more than {self.games.most} rows")

    def _is_over(self, state: State, phase: str) -> bool:
        """Whether the goal is reached; notes what is to be shown here."""
        if phase != OPEN:
            return False
        if self._is_in(state, self.goal.end):
            self._note(state, self.goal.ending)
            return True
        if self._is_in(state, self.goal.hold):
            self._note(state, self.goal.holding)
        return False

    def _next_phase(self, state: State, phase: str) -> str:
        if phase == FIRST:
            return OPEN
        kept = phase == OPEN and not self.goal.soon and self._is_in(state, self.goal.hold)
        return OPEN if kept else BROKEN

    def _after(self, state: State, choose: Choose) -> F:
        if self._is_in(state, self.view.looped):
            return self.view.only(state)
        choice = choose(state)
        if choice is None:
            return self.view.nothing
        self.choices[state] = choice
        return self.table.outcomes(state, choice)

    def _is_in(self, state: State, states: F) -> bool:
        return self.view.only(state) & states != self.view.nothing

    def _note(self, state: State, formula: Formula | None) -> None:
        if formula is not None and not is_propositional(formula):
            self._shown[state] = formula

    # -- as tables ------------------------------------------------------------------------------------------

    def by_state(self) -> tuple[Row, ...]:
        return tuple(
            Row(self.table.members, state, choice)
            for state, choice in self.choices.items()
            if any(action is not None for action in choice)
        )

    def by_observation(self) -> tuple[Row, ...]:
        explicit = self.view.explicit
        found = {
            (member, explicit.sees(member, state)): action
            for state, choice in self.choices.items()
            for member, action in zip(self.table.members, choice, strict=True)
            if action is not None
        }
        return tuple(Row((member,), seen, (action,)) for (member, seen), action in found.items())

    def proofs(self, prove: Prover[F]) -> Iterator[tuple[State, Proof]]:
        for state, formula in self._shown.items():
            yield state, prove(self.view.only(state), formula)


class Answer(Generic[F]):
    """The others' answer as it is given, turn by turn."""

    def __init__(
        self,
        games: Games[F],
        table: Table[F],
        goal: ProofGoal[F],
        counter: Counter[F],
        prove: Prover[F],
        *,
        fair: bool,
    ) -> None:
        self.games = games
        self.prove = prove
        self.view = games.view
        self.table = table
        self.goal = goal
        self.counter = counter
        self.fair = fair
        self._numbers: dict[tuple[State, Memory], int] = {}
        self._todo: list[tuple[State, Memory]] = []

    def turns(self, start: State) -> Iterator[Turn]:
        self._number(start, (FIRST if self.goal.soon else OPEN, 0))
        for state, memory in self._todo:
            yield self._turn(state, memory)

    def _number(self, state: State, memory: Memory) -> int:
        if (state, memory) not in self._numbers:
            if len(self._todo) >= self.games.most:
                raise too_long(f"an answer of more than {self.games.most} turns")
            self._numbers[state, memory] = len(self._todo)
            self._todo.append((state, memory))
        return self._numbers[state, memory]

    def _turn(self, state: State, memory: Memory) -> Turn:
        phase, _ = memory
        over = phase == BROKEN or (phase == OPEN and self._is_spoilt(state))
        replies = () if over and not self.fair else tuple(self._replies(state, memory))
        return Turn(state, replies, over, self._proof(state, over=over) if phase == OPEN else None)

    def _is_spoilt(self, state: State) -> bool:
        kept = self.goal.hold | self.goal.end
        return self.goal.soon or self.view.only(state) & kept == self.view.nothing

    def _proof(self, state: State, *, over: bool) -> Proof | None:
        """Of what spoils the goal here, unless it is seen at once."""
        wanted = self._broken_and_missing if over else self._missing
        return None if wanted is None else self.prove(self.view.only(state), wanted)

    @cached_property
    def _missing(self) -> Formula | None:
        return _all_denied(self.goal.ending)

    @cached_property
    def _broken_and_missing(self) -> Formula | None:
        return _all_denied(self.goal.holding, self.goal.ending)

    def _bear(self, choices: int) -> None:
        self.games.clock.check()
        most = _AT_ONCE * self.games.most
        if choices >= most:
            raise too_long(f"an answer to more than {most} choices")

    def _any_choice(self) -> Joint:
        agents = self.view.explicit.system.agent_named
        return tuple(next(iter(agents[name].actions), None) for name in self.table.members)

    def _replies(self, state: State, memory: Memory) -> Iterator[Reply]:
        target, then = self.counter.target(state, memory)
        if self.view.only(state) & self.view.looped != self.view.nothing:
            yield Reply(self._any_choice(), (), self._number(state, then))
            return
        for number, choice in enumerate(self.table.choices(state)):
            self._bear(number)
            outcomes = self.table.outcomes(state, choice)
            if outcomes == self.view.nothing:
                yield Reply(choice, None, None)
                continue
            after = self.view.one(outcomes & target)
            fixed = dict(zip(self.table.members, choice, strict=True))
            yield Reply(choice, self.view.joint(state, after, fixed), self._number(after, then))


def _all_denied(*formulas: Formula | None) -> Formula | None:
    """That none of them holds, unless it is seen at once."""
    parts: list[Formula] = [f.Not(formula) for formula in formulas if formula is not None]
    return None if all(map(is_propositional, parts)) else reduce(f.And, parts)


def everybody(view: View[F], names: tuple[str, ...], most: int) -> Iterator[Row]:
    """What they do in the states of a model in which they have no choice."""
    if view.count(view.reachable) > most:
        raise too_long(f"a model of more than {most} states")
    table: dict[tuple[str, State], Joint] = {}
    idle: dict[tuple[str, State], Joint] = {}  # where nobody can move, any action will do
    for state in Table(view, ()).states(view.reachable):
        for name in names:
            enabled = view.explicit.enabled(name, state)
            if len(enabled) > 1:
                key = name, view.explicit.sees(name, state)
                idle[key] = enabled[:1]
                table.update((key, choice) for choice in view.choices(state, (name,)))
    for (name, sight), choice in (idle | table).items():
        yield Row((name,), sight, choice)
