"""The judge: what it sees step by step, what it must visit all states for, and what it has found."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import field
from functools import cached_property

from knower.errors import KnowerError, LimitReached, Undecided
from knower.evidence.judge_asked import Asked, Terms
from knower.evidence.judge_steps import Mistake, Steps, require
from knower.limits import Budget
from knower.logic.formula import Formula
from knower.logic.kinds import is_propositional
from knower.logic.rewrite import NormalForms
from knower.options import AtlReading
from knower.reasons import TooLarge
from knower.records import dataclass
from knower.reference.evaluate import Evaluator, States
from knower.reference.space import StateSpace, explore
from knower.syntax.printing import print_formula
from knower.verdict.evidence import Proof, State, Unreplayed

#: So many states are kept for the next judgement.
FEW = 2_000


@dataclass
class Findings:
    """What is wrong, and what could not be checked and why; each said once."""

    mistakes: dict[str, None] = field(default_factory=dict)
    unreplayed: dict[Unreplayed, None] = field(default_factory=dict)

    def wrong(self, what: str) -> None:
        self.mistakes[what] = None

    def left_open(self, what: str, why: KnowerError | str) -> None:
        reason = why.reason if isinstance(why, Undecided) else str(why)
        self.unreplayed[Unreplayed(what, reason)] = None

    def claim(self, what: str | Callable[[], str], test: Callable[[], bool]) -> None:
        """Something that takes all states to decide: checked, or listed if that is too much."""

        def words() -> str:
            return what if isinstance(what, str) else what()

        try:
            true = test()
        except KnowerError as limit:
            self.left_open(words(), limit)
        else:
            require(true, lambda: f"it is not true that {words()}")


class Claims:
    """What takes all states to decide. They are visited when first asked for, and only once.

    Everything here raises `LimitReached` if they are too many.
    """

    def __init__(self, steps: Steps, terms: Terms, space: StateSpace | None = None) -> None:
        self.steps = steps
        self.terms = terms
        self._given = space
        self._failed: KnowerError | Mistake | None = None
        self._answers: dict[Formula, States] = {}

    @cached_property
    def budget(self) -> Budget:
        """Half of the time that is left when first asked: the rest is for the steps."""
        whole = self.steps.budget
        seconds = None if whole.seconds is None else max(0.0, whole.seconds - whole.elapsed) / 2
        return Budget(seconds, states=self.steps.bounds.states)

    def holds(self, formula: Formula, state: State) -> bool:
        if formula not in self._answers:
            self._answers[formula] = self.evaluator.states(formula)
        return self._among(state, self._answers[formula])

    def is_fair(self, state: State) -> bool:
        """Whether a state is reachable and has a fair path."""
        return self._among(state, self.evaluator.universe)

    def meets(self, place: int, state: State) -> bool:
        """Whether a fairness constraint holds, evaluated without fairness."""
        return self._among(state, self._constraints[place])

    def states(self, numbers: Iterable[int]) -> set[State]:
        return {self._space.states[number] for number in numbers}

    def _among(self, state: State, numbers: States) -> bool:
        return self._space.number.get(state) in numbers

    @cached_property
    def evaluator(self) -> Evaluator:
        return Evaluator(
            self._space, self.budget, self.terms.atl, self._constraints, finite=self.terms.finite
        )

    @cached_property
    def _constraints(self) -> list[States]:
        return [self._constraint(each) for each in self.terms.fairness]

    def _constraint(self, asked: Asked) -> States:
        """Where a fairness constraint holds, evaluated without fairness."""
        plain = Evaluator(self._space, self.budget, self.terms.atl, finite=asked.finite)
        return plain.states(asked.formula)

    @property
    def _space(self) -> StateSpace:
        """All reachable states; a failure to visit them is remembered too."""
        if self._failed is not None:
            raise self._failed
        try:
            return self._explored
        except (KnowerError, Mistake) as failure:
            self._failed = failure
            raise

    @cached_property
    def _explored(self) -> StateSpace:
        steps = self.steps
        if self._given is not None:
            return self._given
        if self.budget.states == 0:
            raise LimitReached(TooLarge("there are too many states to visit all"))
        if steps.are_restricted:
            return explore(steps.explicit, self.budget, steps.on_deadlock, options=steps.all_options)
        return self._visited_once()

    def _visited_once(self) -> StateSpace:
        """All reachable states, for this judgement and others that go by the same steps, if they are few."""
        explicit, key = self.steps.explicit, ("judged", self.steps.on_deadlock)
        found: StateSpace | None = explicit.remembered.get(key)
        if found is None:
            found = explore(explicit, self.budget, self.steps.on_deadlock)
            if len(found) <= FEW:
                explicit.remembered[key] = found
        self.budget.check_states(len(found))
        return found


class Judge:
    """One model to judge proofs in, under one reading."""

    def __init__(self, steps: Steps, terms: Terms, findings: Findings) -> None:
        self.steps = steps
        self.system = steps.system
        self.terms = terms
        self.finite = terms.finite
        self.findings = findings
        self.claims = Claims(steps, terms)
        self.fairness = terms.fairness
        #: Whether it had to take states as fair without knowing.
        self.trusts_fairness = False
        self._forms = NormalForms(finite=terms.finite)

    @property
    def plays_fairly(self) -> bool:
        """Whether a coalition need only care for fair outcomes."""
        atl = self.terms.atl
        return atl is AtlReading.OBJECTIVE_FAIR or (atl is AtlReading.UNIFORM and bool(self.fairness))

    def meets(self, place: int, state: State) -> bool:
        """Whether a fairness constraint holds at a state."""
        formula = self.fairness[place].formula
        if is_propositional(formula):
            return self.steps.holds(formula, state)
        return self.claims.meets(place, state)

    def fair_ones(self, states: set[State]) -> set[State]:
        """Those with a fair path; all of them, and said so, if that cannot be found out."""
        if not self.fairness or not states:
            return states
        try:
            return {state for state in states if self.claims.is_fair(state)}
        except LimitReached as limit:
            self.trusts_fairness = True
            self.findings.left_open("which states have a fair path", limit)
            return states

    def normal(self, formula: Formula) -> Formula:
        return self._forms.of(formula)

    def negated(self, formula: Formula) -> Formula:
        return self._forms.of_negation(formula)

    def text(self, formula: Formula) -> str:
        return print_formula(formula, taken=frozenset(self.system.propositions))

    def place(self, proof: Proof) -> str:
        return f"{self.text(proof.formula)} at {self.steps.text(proof.state, proof.formula)}"
