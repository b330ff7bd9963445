"""Strategies as tables, and the others' answers where there is none.

Both are followed from the state in question, and mention only what is met on the way.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, cached_property, reduce
from typing import Generic

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
from knower.evidence.plays import AT_ONCE, Choose, Play, Prover
from knower.evidence.view import Members, View
from knower.evidence.ways import Clock, TooLong, Ways, too_long
from knower.functions.protocol import F
from knower.logic import formula as f
from knower.logic.formula import Formula, Strategic
from knower.logic.kinds import is_propositional
from knower.logic.rewrite import NormalForms
from knower.options import AtlReading
from knower.verdict.decisions import DecisionTable
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
    UniformRefutation,
)  # fmt: skip


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
        play = Play(table, goal, self.most, self.clock)
        play.follow(starts, choose)
        proofs = tuple(play.proofs(prove))
        by_observation = self.atl is AtlReading.UNIFORM
        play, tables = self._in_few_rows(play, starts, by_observation=by_observation)
        return Strategy(
            state,
            self.forms.of(formula),
            members,
            tuple(starts),
            play.by_observation() if by_observation else play.by_state(),
            by_observation,
            proofs,
            tables,
        )

    def _in_few_rows(
        self, play: Play[F], starts: list[State], *, by_observation: bool
    ) -> tuple[Play[F], tuple[DecisionTable, ...]]:
        """The strategy as few rows tell it; as it is, without them, where there is no time for that."""
        from knower.evidence.decisions import Decisions

        decisions = Decisions(play.table, play.goal, play.choices, play.open, by_observation=by_observation)
        try:
            tables = decisions.tables(self.clock.check)
        except TooLong:
            return play, ()
        told = Play(play.table, play.goal, self.most, self.clock)
        told.follow(starts, lambda at: decisions.choice(at, tables))
        return told, tables

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
        return self._defeated(state, formula, ways, prove)

    def _defeated(self, state: State, formula: Strategic, ways: Ways[F], prove: Prover[F]) -> Proof | None:
        """Every strategy allows a play that is lost; None if the plays are not known."""
        from knower.evidence.defeats import Defeats

        paths = self.view.lost_paths(state, formula)
        if paths is None:
            return None
        fair, goal, table = (
            bool(self.view.fairness),
            goal_of(self.view, formula),
            Table(self.view, self._members(formula)),
        )
        counter = self._counter(formula, fair=fair)
        defeats = Defeats(table, goal, self._hopeless(table.members, goal, counter), self.most, self.clock)
        answer = cache(lambda at: self._answered(at, formula, counter, prove, fair=fair))
        plays = defeats.plays(paths, answer, prove)
        hops = tuple(defeats.hops(state, plays, ways))
        return UniformRefutation(state, self.forms.of_negation(formula), table.members, hops, plays)

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
        most = AT_ONCE * self.games.most
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
