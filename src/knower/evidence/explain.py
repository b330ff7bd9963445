"""Explanations: proofs for what an engine has decided, built from the sets of states it found.

A formula is taken apart from the top. Negations are pushed inwards one operator at a time, so that
every set asked for is one the engine has met before. What exists is shown: a path, a state that is
confused with another, a strategy; what holds for all is cited.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce
from operator import or_
from typing import Generic, TypeAlias, assert_never

from knower.errors import Unsupported
from knower.evidence.games import Games, everybody
from knower.evidence.names import vocabulary_of
from knower.evidence.product_search import ProductSearch
from knower.evidence.shape import effort, exposed
from knower.evidence.view import View
from knower.evidence.ways import Clock, TooLong, Ways, too_long
from knower.functions.protocol import F
from knower.logic import formula as f
from knower.logic.fold import subformulas
from knower.logic.formula import Formula, ProgramNode, is_formula
from knower.logic.kinds import is_propositional
from knower.logic.linear import skeleton
from knower.logic.rewrite import NormalForms
from knower.options import AtlReading
from knower.query.setting import Setting
from knower.reasons import NoSingleCause
from knower.records import dataclass
from knower.verdict.evidence import (
    Both,
    Case,
    Cited,
    Either,
    Evidence,
    Fact,
    Hop,
    IndistinguishableProof,
    Instance,
    PathProof,
    Proof,
    Row,
    Run,
    State,
    Strategy,
    UniformModelProof,
)  # fmt: skip
from knower.verdict.verdict import Verdict

#: Formulas one of which must hold at a position of a path.
Need: TypeAlias = tuple[Formula, ...]

_UNIVERSAL = "universal"


@dataclass(frozen=True)
class Limits:
    """How much evidence is wanted: states in a path, rows of a table, proofs beside a path, initial
    states, levels of proofs in proofs, operators of a path formula, and seconds for all of it."""

    states: int = 1_000
    rows: int = 100
    proofs: int = 20
    cases: int = 1
    depth: int = 50
    operators: int = 200
    seconds: float | None = None


class Explainer(Generic[F]):
    """Explains formulas over the states of one view."""

    def __init__(self, view: View[F], atl: AtlReading, limits: Limits) -> None:
        self.view = view
        self.limits = limits
        self.clock = Clock(limits.seconds)
        self.ways = Ways(view, limits.states, self.clock)
        self.tracks = ProductSearch(view, self.ways, limits.states, self.clock)
        self.forms = NormalForms(finite=view.finite)
        self.games = Games(view, atl, limits.rows, self.forms, self.clock)
        self._depth = 0
        self._asked: dict[Formula, Formula] = {}
        self._sets: dict[Formula, F] = {}
        self._proofs: dict[tuple[F, Formula], Proof] = {}

    # -- whole verdicts -----------------------------------------------------------------------------------

    def counterexample(self, asked: Formula) -> Case:
        """The formula is false in some initial state: why, in one where that is soonest seen."""
        refuted = f.Not(asked)
        proof = self._proof(self._failing(refuted), refuted)
        return Case(self.ways.run([proof.state]), proof)

    def witnesses(self, asked: Formula) -> Iterator[Case]:
        """The formula is true in every initial state: why, in some of them."""
        left = self.view.initial
        for _ in range(self.limits.cases):
            if left == self.view.nothing:
                return
            proof = self._proof(left, asked)
            left = left & ~self.view.only(proof.state)
            yield Case(self.ways.run([proof.state]), proof)

    def _failing(self, refuted: Formula) -> F:
        """The initial states to look at. A path to what can be reached begins in one of them: no
        need to ask in which."""
        match exposed(refuted):
            case f.EF(sub) if self._where(sub) != self.view.nothing:
                return self.view.initial
            case f.Or(left, right):
                found = self._failing(left)
                return found if found != self.view.nothing else self._failing(right)
            case _:
                return self.view.initial & self._where(refuted)

    # -- one formula at one of some states ----------------------------------------------------------------

    def _proof(self, states: F, formula: Formula) -> Proof:
        """A proof at one of the states, in some (or for a path, in all) of which the formula holds.

        What is asked for twice is shown by the same proof.
        """
        self.clock.check()
        asked, formula = formula, exposed(formula)
        self._asked[formula] = asked
        found = self._proofs.get((states, formula))
        if found is None:
            found = self._proofs[states, formula] = self._found(states, formula)
            self._proofs[self.view.only(found.state), formula] = found
        return found

    def _found(self, states: F, formula: Formula) -> Proof:
        if is_propositional(formula):
            return Fact(self.view.one(states), self._normal(formula))
        if self._depth >= self.limits.depth:
            return self._cited(states, formula, f"more than {self.limits.depth} levels deep")
        self._depth += 1
        try:
            return self._shown(states, formula)
        except TooLong as limit:
            if self._depth == 1:
                raise
            return self._cited(states & self._where(formula), formula, limit.what)
        finally:
            self._depth -= 1

    def _normal(self, formula: Formula) -> Formula:
        return self.forms.of(formula)

    def _where(self, formula: Formula) -> F:
        """Where a formula holds; asked in the form in which the engine has met it."""
        found = self._sets.get(formula)
        if found is None:
            found = self._sets[formula] = self.view.where(self._asked.get(formula, formula))
        return found

    def _cited(self, states: F, formula: Formula, why: str) -> Cited:
        return Cited(self.view.one(states), self._normal(formula), why)

    def _shown(self, states: F, formula: Formula) -> Proof:
        match formula:
            case f.And(left, right):
                return self._both(states, formula, left, right)
            case f.Or() | f.Implies():
                return self._either(states, formula)
            case f.EX() | f.EF() | f.EU() | f.EG() | f.ER() | f.EW():
                return self._way(states, formula)
            case f.M() | f.MGK() | f.MGCK() | f.MDK():
                return self._doubt(states, formula)
            case f.P(agent, sub):
                return self._instance(states, formula, agent, sub)
            case f.CanX() | f.CanF() | f.CanG() | f.CanU():
                return self.games.strategy(self.view.one(states), formula, self._proof)
            case f.Not(f.CanX() | f.CanF() | f.CanG() | f.CanU() as refused):
                return self._refused(self.view.one(states), refused)
            case f.E():
                return self._track(states, formula)
        if isinstance(formula, f.Universal):
            return self._cited(states, formula, _UNIVERSAL)
        assert not isinstance(formula, f.Propositional | f.Not | f.PathOperator | f.Does), "no state formula"
        assert_never(formula)

    def _both(self, states: F, formula: Formula, left: Formula, right: Formula) -> Proof:
        """The part that has a choice of states first."""
        late = is_propositional(left)
        first = self._proof(states, right if late else left)
        second = self._proof(self.view.only(first.state), left if late else right)
        parts = (second, first) if late else (first, second)
        return Both(first.state, self._normal(formula), *parts)

    def _either(self, states: F, formula: f.Or | f.Implies) -> Proof:
        """The part that is easiest to show, among those that hold in one of the states."""
        first = f.Not(formula.left) if isinstance(formula, f.Implies) else formula.left
        for part in sorted((first, formula.right), key=lambda each: effort(exposed(each))):
            found = states & self._where(part)
            if found != self.view.nothing:
                proof = self._proof(found, part)
                return Either(proof.state, self._normal(formula), proof)
        raise AssertionError("a disjunction that holds has a part that does")

    # -- paths ----------------------------------------------------------------------------------------------

    def _way(self, states: F, formula: f.EX | f.EF | f.EU | f.EG | f.ER | f.EW) -> Proof:
        match formula:
            case f.EX(sub):
                return self._next(states, formula, sub)
            case f.EF(sub):
                return self._until(states, formula, (f.TRUE,), sub)
            case f.EU(left, right):
                return self._until(states, formula, (left,), right)
            case f.EG(sub):
                return self._always(states, formula, (sub,))
            case f.ER():
                return self._release(states, formula)
            case f.EW():
                return self._weak(states, formula)
            case _:
                assert_never(formula)

    def _next(self, states: F, formula: Formula, sub: Formula) -> PathProof:
        view = self.view
        goal = self._where(sub)
        start = view.one(states & view.pre(goal))
        after = view.one(view.post(view.only(start)) & goal)
        return self._along(formula, self.ways.run([start, after]), [(1, (sub,))])

    def _until(self, states: F, formula: Formula, hold: Need, goal: Formula) -> PathProof:
        found = self.ways.shortest(states, self._where_one_of(hold), self._where(goal))
        assert found is not None, "the path was found before"
        end = len(found) - 1
        return self._along(formula, self.ways.run(found), [*((k, hold) for k in range(end)), (end, (goal,))])

    def _always(self, states: F, formula: Formula, hold: Need) -> PathProof:
        inside = self._where(formula)
        run = self.ways.lasso(self.view.one(states & inside), inside)
        return self._along(formula, run, [(k, hold) for k in range(len(run.states))])

    def _release(self, states: F, formula: f.ER) -> PathProof:
        """Until both hold, or for ever."""
        last, hold = f.And(formula.left, formula.right), (formula.right,)
        found = self.ways.shortest(states, self._where(formula.right), self._where(last))
        if found is None:
            return self._always(states, formula, hold)
        end = len(found) - 1
        needs: list[tuple[int, Need]] = [(k, hold) for k in range(end + 1)]
        return self._along(formula, self.ways.run(found), [*needs, (end, (formula.left,))])

    def _weak(self, states: F, formula: f.EW) -> PathProof:
        """An until, or its left side for ever."""
        hold = formula.left, formula.right
        if self.ways.shortest(states, self._where_one_of(hold), self._where(formula.right)) is None:
            return self._always(states, formula, hold)
        return self._until(states, formula, hold, formula.right)

    def _where_one_of(self, formulas: Need) -> F:
        return reduce(or_, map(self._where, formulas), self.view.nothing)

    def _along(self, formula: Formula, run: Run, needs: Sequence[tuple[int, Need]]) -> PathProof:
        """A path, with proofs of what must hold on it and is not seen at once."""
        proofs: list[tuple[int, Proof]] = []
        for place, need in needs:
            here = self.view.only(run.states[place])
            held = (part for part in need if here & self._where(part) != self.view.nothing)
            part = min(held, key=effort)
            if not is_propositional(part):
                proofs.append((place, self._beside(here, part, len(proofs))))
        return PathProof(run.states[0], self._normal(formula), run, tuple(proofs))

    def _beside(self, here: F, formula: Formula, others: int) -> Proof:
        if others >= self.limits.proofs:
            return self._cited(here, formula, f"one of more than {self.limits.proofs} on this path")
        return self._proof(here, formula)

    def _track(self, states: F, formula: f.E) -> PathProof:
        """A path on which a path formula holds, and what shows that it does."""
        parts = subformulas(formula.sub)
        operators = sum(
            isinstance(part, ProgramNode) or (is_formula(part) and part.is_path) for part in parts
        )
        if operators > self.limits.operators:
            raise too_long(f"a path formula of more than {self.limits.operators} operators")
        self._remember_parts(formula.sub)
        shown, starts = self._normal(formula.sub), states & self._where(formula)
        run, account = self.tracks.track(formula.sub, shown, starts, self._holds)
        proofs = [
            (place, self._beside(self.view.only(run.states[place]), part, count))
            for count, (place, part) in enumerate(account.needed)
        ]
        return PathProof(run.states[0], f.E(shown), run, tuple(proofs), account.met)

    def _holds(self, formula: Formula, state: State) -> bool:
        return self.view.only(state) & self._where(formula) != self.view.nothing

    def _remember_parts(self, path: Formula) -> None:
        """The state formulas of a path formula will be asked for as the engine has met them."""
        for part in skeleton(path).states.values():
            for asked in (part, f.Not(part)):
                self._asked.setdefault(self._normal(asked), asked)

    # -- knowledge and obligation ---------------------------------------------------------------------------

    def _doubt(self, states: F, formula: f.M | f.MGK | f.MGCK | f.MDK) -> IndistinguishableProof:
        here = self.view.one(states)
        goal = self._where(formula.sub)
        chain = self._chain(here, formula, goal)
        *between, last = chain
        hops = [Hop(agents, self.ways.run(self.ways.from_start(seen))) for agents, seen in between]
        agents, seen = last
        run = self.ways.run(self.ways.from_start(seen))
        proof = self._proof(self.view.only(run.goal), formula.sub)
        return IndistinguishableProof(here, self._normal(formula), (*hops, Hop(agents, run)), proof)

    def _chain(
        self, here: State, formula: f.M | f.MGK | f.MGCK | f.MDK, goal: F
    ) -> list[tuple[tuple[str, ...], F]]:
        """Who confuses a state with which others, until the goal is among them."""
        start = self.view.only(here)
        match formula:
            case f.M(agent):
                return [((agent,), self.view.indistinguishable_to_all(start, (agent,)) & goal)]
            case f.MDK(group):
                members = f.members_of(group)
                return [(members, self.view.indistinguishable_to_all(start, members) & goal)]
            case f.MGK(group):
                return [self._confusing(start, f.members_of(group), goal)]
            case f.MGCK(group):
                return self._chained(start, f.members_of(group), goal)
            case _:
                assert_never(formula)

    def _confusing(self, start: F, members: tuple[str, ...], goal: F) -> tuple[tuple[str, ...], F]:
        for member in members:
            seen = self.view.indistinguishable_to_all(start, (member,)) & goal
            if seen != self.view.nothing:
                return (member,), seen
        raise AssertionError("some member confuses the states with the goal")

    def _chained(self, start: F, members: tuple[str, ...], goal: F) -> list[tuple[tuple[str, ...], F]]:
        """The shortest chain of confusions, as single states."""
        layers = [start]
        met = start
        while layers[-1] & goal == self.view.nothing or len(layers) == 1:
            if len(layers) > self.limits.states:
                raise too_long(f"a chain of more than {self.limits.states} confusions")
            self.clock.check()
            self.view.step()
            near = self.view.nothing
            for member in members:
                near = near | self.view.indistinguishable_to_all(layers[-1], (member,))
            layers.append(near if len(layers) == 1 else near & ~met)
            met = met | near
        at = self.view.only(self.ways.from_start(layers[-1] & goal)[-1])
        chain: list[tuple[tuple[str, ...], F]] = []
        for layer in reversed(layers[:-1]):
            agents, before = self._confusing(at, members, layer)
            chain.append((agents, at))
            at = self.view.only(self.view.one(before))
        return chain[::-1]

    def _instance(self, states: F, formula: Formula, agent: str, sub: Formula) -> Instance:
        run = self.ways.run(self.ways.from_start(self._where(f.And(f.Green(agent), sub))))
        proof = self._proof(self.view.only(run.goal), sub)
        return Instance(self.view.one(states), self._normal(formula), run, proof)

    # -- strategies -----------------------------------------------------------------------------------------

    def _refused(self, state: State, formula: f.Strategic) -> Proof:
        found = self.games.refusal(state, formula, self.ways, self._proof)
        if found is None and self._depth == 1:
            raise Unsupported(NoSingleCause("strategy"))
        return found or self._cited(self.view.only(state), f.Not(formula), _UNIVERSAL)


def explained(
    view: View[F], setting: Setting, asked: Formula, verdict: Verdict, limits: Limits
) -> Evidence | None:
    """Evidence for a verdict over the states of a view; None where there is no (fair) initial state."""
    explainer = Explainer(view, setting.atl, limits)
    if verdict is Verdict.FALSE:
        return Evidence(
            "counterexample", vocabulary_of(view.explicit.system), (explainer.counterexample(asked),)
        )
    cases = tuple(explainer.witnesses(asked))
    if setting.many_models:
        rows = tuple(everybody(view, setting.players, limits.rows))
        cases = tuple(replace(case, proof=_in_model(case.proof, rows)) for case in cases)
    if not cases:
        return None
    kind = "strategy" if isinstance(cases[0].proof, Strategy | UniformModelProof) else "witness"
    return Evidence(kind, vocabulary_of(view.explicit.system), cases, view.count(view.initial) - len(cases))


def _in_model(proof: Proof, rows: tuple[Row, ...]) -> UniformModelProof:
    return UniformModelProof(proof.state, proof.formula, rows, proof)
