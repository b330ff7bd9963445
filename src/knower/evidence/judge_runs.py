"""Paths, and what they prove: `EX EF EG EU ER EW`, doubts and permissions."""

from __future__ import annotations

from collections.abc import Callable

from knower.errors import KnowerError
from knower.evidence.judge_claims import Judge
from knower.evidence.judge_steps import Mistake, require
from knower.logic import formula as f
from knower.logic.formula import Formula, is_propositional
from knower.verdict.evidence import Doubt, Hop, Instance, Run, State, Way


def follow(judge: Judge, run: Run) -> None:
    """Whether a path is one, and goes on as it must: fairly, or for ever if it has no end."""
    afters = run.states[1:] if run.loop is None else (*run.states[1:], run.states[run.loop])
    for before, joint, after in zip(run.states, run.actions, afters, strict=False):
        if not judge.steps.is_step(before, joint, after):
            text = judge.steps.text
            raise Mistake(f"{joint} does not lead from {text(before)} to {text(after)}")
    if judge.fairness:
        _fairly(judge, run)
    elif run.end is None:
        require(run.loop is not None, "the path has neither an end nor a loop")
    else:
        require(run.end == len(run.states) - 1 and run.loop is None, "the path goes on after its end")


def _fairly(judge: Judge, run: Run) -> None:
    require(run.loop is not None, "the path has no loop, so it is not fair")
    again = run.states[run.loop :]
    for place, constraint in enumerate(judge.fairness):
        text = judge.text(constraint.body)
        try:
            met = any(judge.meets(place, state) for state in again)
        except KnowerError as limit:
            judge.findings.left_open(f"{text} holds in the loop of a path", limit)
        else:
            require(met, f"the loop of the path misses the fairness constraint {text}")


def from_start(judge: Judge, run: Run) -> None:
    """Whether a path begins in an initial state."""
    first = run.states[0]
    require(
        judge.steps.is_initial(first), f"the path begins in {judge.steps.text(first)}, not an initial state"
    )
    follow(judge, run)


# -- ways -------------------------------------------------------------------------------------------


def way(judge: Judge, proof: Way) -> None:
    """A path from the state, and what is shown along it."""
    run = proof.run
    require(run.states[0] == proof.state, "the path begins in another state")
    follow(judge, run)
    for place, part in proof.proofs:
        require(part.state == run.states[place], f"the proof at position {place} is about another state")
    _Along(judge, proof).judge()


class _Along:
    """What a path shows at its positions."""

    def __init__(self, judge: Judge, proof: Way) -> None:
        self.steps = judge.steps
        self.text = judge.text
        self.run = proof.run
        self.formula = proof.formula
        self.proved = {(place, part.formula) for place, part in proof.proofs}

    def judge(self) -> None:
        """One clause per operator; `R` and `W` have two shapes."""
        end, last = self.run.end, len(self.run.states) - 1
        match self.formula:
            case f.EX(sub):
                require(end == 1, "the path does not end after one step")
                self._require(self._shows(sub), 1, 1)
            case f.EF(sub):
                self._require(self._shows(sub), self._end, self._end)
            case f.EU(left, right):
                self._require(self._shows(left), 0, self._end - 1)
                self._require(self._shows(right), self._end, self._end)
            case f.EG(sub):
                require(end is None, "the path is shown only up to an end")
                self._require(self._shows(sub), 0, last)
            case f.ER(left, right):
                self._require(self._shows(right), 0, last if end is None else end)
                if end is not None:
                    self._require(self._shows(left), end, end)
            case f.EW(left, right):
                both = f.Or(left, right)
                self._require(self._shows(left, right, both), 0, last if end is None else end - 1)
                if end is not None:
                    self._require(self._shows(right), end, end)
            case _:
                raise Mistake("a path does not prove such a formula")

    @property
    def _end(self) -> int:
        if self.run.end is None:
            raise Mistake("the path has no end")
        return self.run.end

    def _shows(self, *formulas: Formula) -> Callable[[int], bool]:
        """Whether one of the formulas is shown at a position."""
        return lambda place: any(self._shown(formula, place) for formula in formulas)

    def _shown(self, formula: Formula, place: int) -> bool:
        if is_propositional(formula):
            return self.steps.holds(formula, self.run.states[place])
        return (place, formula) in self.proved

    def _require(self, shown: Callable[[int], bool], first: int, last: int) -> None:
        for place in range(first, last + 1):
            require(shown(place), f"what must hold at position {place} of the path is not shown")


# -- knowledge and obligation -----------------------------------------------------------------------


def doubt(judge: Judge, proof: Doubt) -> None:
    """Hops from state to confused state, to one where the operand holds."""
    formula = proof.formula
    if not isinstance(formula, f.M | f.MGK | f.MGCK | f.MDK):
        raise Mistake("hops do not prove such a formula")
    require(len(proof.hops) == 1 or isinstance(formula, f.MGCK), "more than one hop")
    here = proof.state
    for one in proof.hops:
        _by_the_right_agents(judge, formula, one)
        here = hop(judge, here, one)
    require(proof.proof.state == here, "the operand is proved at another state")
    require(proof.proof.formula == formula.sub, "another operand is proved")


def hop(judge: Judge, here: State, one: Hop) -> State:
    """The state hopped to, found to be reachable and confused with this one."""
    from_start(judge, one.run)
    names, there = " and ".join(one.agents), one.run.goal
    alike = judge.steps.alike(one.agents, here, there)
    require(alike, f"{names} can tell {judge.steps.text(there)} from {judge.steps.text(here)}")
    return there


def _by_the_right_agents(judge: Judge, formula: f.OfAgent | f.OfGroup, one: Hop) -> None:
    if isinstance(formula, f.OfAgent):
        fine = one.agents == (formula.agent,)
    elif isinstance(formula, f.MDK):
        fine = set(one.agents) == set(judge.system.members(formula.group))
    else:
        fine = len(one.agents) == 1 and one.agents[0] in judge.system.members(formula.group)
    require(fine, f"{' and '.join(one.agents)} are not whose doubt counts")


def instance(judge: Judge, proof: Instance) -> None:
    """A path to a green state where the operand holds."""
    formula, goal = proof.formula, proof.run.goal
    if not isinstance(formula, f.P):
        raise Mistake("a green state does not prove such a formula")
    from_start(judge, proof.run)
    require(proof.run.end is not None, "the path has no end")
    red = judge.steps.explicit.is_red(formula.agent, goal)
    require(not red, f"{judge.steps.text(goal)} is red for {formula.agent}")
    require(proof.proof.state == goal, "the operand is proved at another state")
    require(proof.proof.formula == formula.sub, "another operand is proved")
