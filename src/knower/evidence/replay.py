"""The judge of evidence: every step is taken again, by the semantics and by nothing else.

It shares no code with the engines that find evidence. What it can see at a state or a step it looks
at; what takes all states to decide it asks of the reference engine, if they are few enough, and
otherwise lists as not replayed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import assert_never

from knower.errors import KnowerError
from knower.evidence.judge_asked import Terms, terms
from knower.evidence.judge_claims import FEW, Claims, Findings, Judge
from knower.evidence.judge_form import malformed
from knower.evidence.judge_refusals import blind, refusal
from knower.evidence.judge_runs import doubt, follow, instance, way
from knower.evidence.judge_steps import Bounds, Mistake, Steps, require, table_of
from knower.evidence.judge_strategies import strategy
from knower.limits import Budget
from knower.logic.formula import And, Formula, Or
from knower.logic.kinds import is_propositional
from knower.logic.language import Specification
from knower.options import DeadlockPolicy, Reading
from knower.reference.uniform_models import uniform_spaces
from knower.system.explicit import Explicit
from knower.system.system import InterpretedSystem
from knower.verdict.evidence import (
    Both,
    Case,
    Cited,
    Either,
    Evidence,
    Fact,
    ImperfectInformationRefutation,
    IndistinguishableProof,
    Instance,
    PathProof,
    Proof,
    Refusal,
    Replay,
    Row,
    State,
    Strategy,
    UniformModelProof,
    UniformRefutation,
    everything,
)
from knower.verdict.verdict import Verdict

#: What the judge does for a ruling, and how long it may take in all.
BOUNDS, SECONDS = Bounds(), 10.0

_INITIAL = "initial states"
_KINDS = {Verdict.TRUE: ("witness", "strategy"), Verdict.FALSE: ("counterexample",), Verdict.UNKNOWN: ()}


def replay(
    evidence: Evidence,
    spec: Specification,
    verdict: Verdict,
    system: InterpretedSystem,
    reading: Reading,
    *,
    bounds: Bounds = BOUNDS,
    seconds: float | None = SECONDS,
    explicit: Explicit | None = None,
) -> Replay:
    """Whether evidence proves the verdict, as far as that can be found out within the limits.

    `explicit`: the steps of the system, where somebody has them ready.
    `evidence.followed` is a remark, not a reason, and is not judged.
    """
    faults = malformed(evidence, system)
    if faults:
        return Replay(mistakes=faults)
    findings = Findings()
    budget = Budget(seconds, states=bounds.states or BOUNDS.states)
    hearing = _Hearing(evidence, verdict, budget, bounds, findings)
    hearing.judge(system, terms(spec, reading, system), explicit)
    return Replay(tuple(findings.unreplayed), tuple(findings.mistakes))


class _Hearing:
    """One piece of evidence before the judge."""

    def __init__(
        self,
        evidence: Evidence,
        verdict: Verdict,
        budget: Budget,
        bounds: Bounds,
        findings: Findings,
    ) -> None:
        self.evidence = evidence
        self.verdict = verdict
        self.budget = budget
        self.bounds = bounds
        self.findings = findings

    def judge(self, system: InterpretedSystem, held_to: Terms, explicit: Explicit | None) -> None:
        asked = held_to.asked.formula
        steps = Steps(system, held_to.on_deadlock, self.budget, (), None, self.bounds, explicit)
        judge = Judge(steps, held_to, self.findings)
        self._attempt(lambda: judge.text(asked), self._outline)
        if self.verdict is Verdict.FALSE:
            self._refuted(judge, judge.negated(asked))
        elif self.verdict is Verdict.TRUE:
            self._confirmed(judge, judge.normal(asked))

    def _outline(self) -> None:
        """The kind and the number of cases fit the verdict."""
        kind, cases = self.evidence.kind, self.evidence.cases
        require(kind in _KINDS[self.verdict], f"a {kind} is no evidence for `{self.verdict.value}`")
        if self.verdict is Verdict.FALSE:
            require(len(cases) == 1, f"a counterexample has one case, not {len(cases)}")
            require(self.evidence.others == 0, "a counterexample leaves no initial state out")
        require(self.evidence.others >= 0, "a negative number of other initial states")
        distinct = {case.proof.state for case in cases}
        require(len(distinct) == len(cases), "two cases for the same initial state")

    def _refuted(self, judge: Judge, denied: Formula) -> None:
        for case in self.evidence.cases:
            self._case(judge, case, denied)
        if judge.terms.in_one_model:
            text = f"{judge.text(denied)} holds in every uniform model"
            self._verdict_claim(judge, text)

    def _confirmed(self, judge: Judge, asked: Formula) -> None:
        if judge.terms.in_one_model:
            if not self.evidence.cases:
                self._verdict_claim(judge, f"{judge.text(asked)} holds in some uniform model")
                return
            played = self._played(judge)
            if played is None:
                return
            judge = played
        for case in self.evidence.cases:
            self._case(judge, case, asked)
        self._attempt(lambda: judge.text(asked), lambda: self._all_cases(judge, asked))

    # -- cases ----------------------------------------------------------------------------------------

    def _case(self, judge: Judge, case: Case, formula: Formula) -> None:
        proof = case.proof
        self._attempt(partial(judge.place, proof), lambda: _case_begins(judge, case, formula))
        for part in everything(proof):
            self._attempt(partial(judge.place, part), partial(_rule, judge, part, part is proof))

    def _attempt(self, place: Callable[[], str], ruling: Callable[[], None]) -> None:
        """One ruling: what it finds wrong, or why it could not be made, is noted with the place."""
        try:
            ruling()
        except Mistake as mistake:
            self.findings.wrong(f"{place()}: {mistake}")
        except KnowerError as limit:
            self.findings.left_open(place(), limit)

    def _all_cases(self, judge: Judge, asked: Formula) -> None:
        """The initial states without a case are as many as said, and satisfy the formula."""
        shown = {case.proof.state for case in self.evidence.cases}
        others = self.evidence.others
        if others:
            text = f"{judge.text(asked)} holds in {others} other initial state{'s' * (others > 1)}"
            self.findings.claim(text, lambda: _count_others(judge, shown, asked) == others)
            return
        text = "every initial state has a case"
        if judge.fairness:
            text = "every fair initial state has a case"
        self.findings.claim(text, lambda: _none_left_out(judge, shown))

    # -- uniform models -------------------------------------------------------------------------------

    def _played(self, judge: Judge) -> Judge | None:
        """The judge of the model that the cases play in, if they agree on one."""
        found: list[Judge] = []
        self._attempt(lambda: "the uniform model", lambda: found.append(self._restricted(judge)))
        return found[0] if found else None

    def _restricted(self, judge: Judge) -> Judge:
        tables: list[tuple[Row, ...]] = []
        for case in self.evidence.cases:
            if not isinstance(case.proof, UniformModelProof):
                raise Mistake("a case does not say what everybody does")
            tables.append(case.proof.rows)
        require(all(rows == tables[0] for rows in tables), "the cases play in different models")
        players = judge.terms.players
        strangers = [row.agents[0] for row in tables[0] if row.agents[0] not in players]
        require(not strangers, f"{', '.join(strangers)} need not play uniformly")
        table = table_of(tables[0])
        steps = Steps(judge.system, judge.steps.on_deadlock, self.budget, players, table, self.bounds)
        return Judge(steps, judge.terms, self.findings)

    def _verdict_claim(self, judge: Judge, text: str) -> None:
        """All uniform models, one by one."""

        def agrees() -> bool:
            return _holds_in_some_uniform_model(judge) is (self.verdict is Verdict.TRUE)

        self._attempt(lambda: "all uniform models", lambda: self.findings.claim(text, agrees))


def _holds_in_some_uniform_model(judge: Judge) -> bool:
    """In one in which the players act by observation; where deadlocks are refused, in one without."""
    held_to, explicit = judge.terms, judge.steps.explicit
    policy = held_to.on_deadlock
    for space in uniform_spaces(explicit, judge.steps.budget, policy, held_to.players):
        steps = Steps(judge.system, policy, judge.steps.budget, bounds=judge.steps.bounds)
        evaluator = Claims(steps, held_to, space).evaluator
        is_refused = policy is DeadlockPolicy.FAIL and space.deadlock is not None
        if not is_refused and evaluator.initial <= evaluator.states(held_to.asked.formula):
            return True
    return False


def _case_begins(judge: Judge, case: Case, formula: Formula) -> None:
    run, proof = case.run, case.proof
    require(proof.formula == formula, lambda: f"what is to be proved is {judge.text(formula)}")
    require(judge.steps.is_initial(proof.state), "not an initial state")
    require(run.states[0] == proof.state, "the case begins in another state")
    require(run.end == 0, "the path of a case is shown for its first state")
    follow(judge, run)


def _count_others(judge: Judge, shown: set[State], asked: Formula) -> int:
    """The fair initial states without a case, found to satisfy the formula."""
    evaluator = judge.claims.evaluator
    rest = judge.claims.states(evaluator.initial) - shown
    for state in rest:
        if not judge.claims.holds(asked, state):
            raise Mistake(f"the formula fails at {judge.steps.text(state)}")
    return len(rest)


def _none_left_out(judge: Judge, shown: set[State]) -> bool:
    """Whether no other initial state is found, or only such as have no fair path."""
    others = (state for state in _initial_states(judge) if state not in shown)
    if not judge.fairness:
        return next(others, None) is None
    return not any(judge.claims.is_fair(state) for state in others)


def _initial_states(judge: Judge) -> Iterator[State]:
    """All of them; if they are few, they are found for this judgement and others by the same steps."""
    explicit = judge.steps.explicit
    known: tuple[State, ...] | None = explicit.remembered.get(_INITIAL)
    if known is not None:
        yield from known
        return
    met = []
    for state in explicit.initial_states(judge.steps.budget):
        met.append(state)
        yield state
    if len(met) <= FEW:
        explicit.remembered[_INITIAL] = tuple(met)


# -- one ruling per kind of proof -------------------------------------------------------------------


def _rule(judge: Judge, proof: Proof, is_top: bool) -> None:
    """Whether a proof proves its formula, if the proofs below it prove theirs."""
    match proof:
        case Fact():
            _fact(judge, proof)
        case Cited():
            _cited(judge, proof)
        case Both():
            _both(proof)
        case Either():
            _either(proof)
        case PathProof():
            way(judge, proof)
        case IndistinguishableProof():
            doubt(judge, proof)
        case Instance():
            instance(judge, proof)
        case Strategy():
            strategy(judge, proof)
        case Refusal():
            refusal(judge, proof)
        case ImperfectInformationRefutation():
            blind(judge, proof)
        case UniformRefutation():
            from knower.evidence.judge_defeats import defeats

            defeats(judge, proof)
        case UniformModelProof():
            _play(judge, proof, is_top)
        case _:
            assert_never(proof)


def _fact(judge: Judge, proof: Fact) -> None:
    require(is_propositional(proof.formula), "not to be seen by looking at the state")
    require(judge.steps.holds(proof.formula, proof.state), "false")


def _cited(judge: Judge, proof: Cited) -> None:
    formula, state = proof.formula, proof.state
    if is_propositional(formula):
        require(judge.steps.holds(formula, state), "false")
    else:
        judge.findings.claim(
            lambda: f"{judge.text(formula)} holds at {judge.steps.text(state, formula)}",
            lambda: judge.claims.holds(formula, state),
        )


def _both(proof: Both) -> None:
    parts = (proof.left, proof.right)
    require(isinstance(proof.formula, And), "not a conjunction")
    require(tuple(part.formula for part in parts) == proof.formula.children, "other operands are proved")
    require(all(part.state == proof.state for part in parts), "an operand is proved at another state")


def _either(proof: Either) -> None:
    require(isinstance(proof.formula, Or), "not a disjunction")
    require(proof.part.formula in proof.formula.children, "another operand is proved")
    require(proof.part.state == proof.state, "the operand is proved at another state")


def _play(judge: Judge, proof: UniformModelProof, is_top: bool) -> None:
    require(
        judge.terms.in_one_model and is_top, "a model of its own is for a whole case under `uniform-models`"
    )
    require(proof.proof.formula == proof.formula, "another formula is proved in the model")
    require(proof.proof.state == proof.state, "the formula is proved at another state of the model")
