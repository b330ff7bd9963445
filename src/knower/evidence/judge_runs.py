"""Paths, and what they prove: `EX EF EG EU ER EW`, doubts and permissions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from knower.errors import KnowerError
from knower.evidence.judge_claims import Judge
from knower.evidence.judge_steps import Mistake, members_of, require
from knower.evidence.judge_words import positions_where
from knower.logic import formula as f
from knower.logic.formula import Formula, is_formula
from knower.logic.kinds import is_propositional
from knower.logic.node import Node
from knower.logic.rewrite import negation_normal_form
from knower.verdict.evidence import Hop, IndistinguishableProof, Instance, PathProof, Run, State

#: What can be met at a position of a path.
_MET = f.X | f.F | f.U | f.R | f.W | f.Diamond


def follow(judge: Judge, run: Run) -> None:
    """Whether a path is one, and goes on as it must: fairly, or for ever if it has no end."""
    by_steps(judge, run)
    if judge.fairness:
        fairly(judge, run)
    elif run.end is None:
        require(run.loop is not None, "the path has neither an end nor a loop")
    else:
        _to_its_end(run)


def by_steps(judge: Judge, run: Run) -> None:
    afters = run.states[1:] if run.loop is None else (*run.states[1:], run.states[run.loop])
    for before, joint, after in zip(run.states, run.actions, afters, strict=False):
        if not judge.steps.is_step(before, joint, after):
            text = judge.steps.text
            raise Mistake(f"{joint} does not lead from {text(before)} to {text(after)}")


def _to_its_end(run: Run) -> None:
    require(run.end == len(run.states) - 1 and run.loop is None, "the path goes on after its end")


def fairly(judge: Judge, run: Run) -> None:
    require(run.loop is not None, "the path has no loop, so it is not fair")
    again = run.states[run.loop :]
    for place, constraint in enumerate(judge.fairness):
        text = judge.text(constraint.formula)
        try:
            met = any(judge.meets(place, state) for state in again)
        except KnowerError as limit:
            judge.findings.left_open(f"{text} holds in the loop of a path", limit)
        else:
            require(met, f"the loop of the path misses the fairness constraint {text}")


def from_start(judge: Judge, run: Run) -> None:
    """Whether a path begins in an initial state."""
    first = run.states[0]
    begins = judge.steps.is_initial(first)
    require(begins, lambda: f"the path begins in {judge.steps.text(first)}, not an initial state")
    follow(judge, run)


# -- ways -------------------------------------------------------------------------------------------


def way(judge: Judge, proof: PathProof) -> None:
    """A path from the state, and what is shown along it."""
    run = proof.run
    require(run.states[0] == proof.state, "the path begins in another state")
    is_track = isinstance(proof.formula, f.E)
    (_to_the_end_of_time if is_track else follow)(judge, run)
    for place, part in proof.proofs:
        require(part.state == run.states[place], f"the proof at position {place} is about another state")
    if is_track:
        _track(judge, proof)
    else:
        require(not proof.met, "only parts of a path formula are met along a path")
        _Along(judge, proof).judge()


def _to_the_end_of_time(judge: Judge, run: Run) -> None:
    """Whether a path is infinite (and fair) or, where traces are finite, ends."""
    by_steps(judge, run)
    if judge.finite:
        _to_its_end(run)
    else:
        require(run.loop is not None, "the path does not go on for ever")
        fairly(judge, run)


def _track(judge: Judge, proof: PathProof) -> None:
    """Whether a path formula holds on a path, and its parts are met where it is said."""
    run, (path,) = proof.run, proof.formula.children
    assert is_formula(path)
    along, size, loop = _Along(judge, proof), len(run.states), run.loop
    if loop is not None and run.end is not None:  # what comes after the end is anything, for ever
        size, loop = run.end + 2, run.end + 1

    def shown(formula: Formula, place: int) -> bool:
        if isinstance(formula, f.Constant):
            return formula.value
        return (run.end is None or place <= run.end) and along.shown(formula, place)

    def where(formula: Formula) -> frozenset[int]:
        return positions_where(formula, size, loop, shown)

    require(0 in where(path), "the path formula is not shown to hold on the path")
    parts = set(_parts(path, finite=judge.finite)) if proof.met else set()
    for place, part in proof.met:
        known = isinstance(part, _MET) and part in parts
        require(known, f"{judge.text(part)} is no part that can be met")
        operand = part.left if isinstance(part, f.R) else part.children[-1]
        assert is_formula(operand)
        require(place in where(operand), f"{judge.text(part)} is not shown to be met at position {place}")


def _parts(path: Formula, *, finite: bool) -> Iterator[Node]:
    """All parts of a path formula, and of the negations of its tests: in a box these count."""
    todo: list[Node] = [path]
    seen: set[Node] = set()
    while todo:
        item = todo.pop()
        if item not in seen:
            seen.add(item)
            yield item
            todo += item.children
            if isinstance(item, f.Test):
                todo.append(negation_normal_form(f.Not(item.guard), finite=finite))


class _Along:
    """What a path shows at its positions."""

    def __init__(self, judge: Judge, proof: PathProof) -> None:
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
        return lambda place: any(self.shown(formula, place) for formula in formulas)

    def shown(self, formula: Formula, place: int) -> bool:
        match formula:
            case f.Does(agent, action):
                return set(self._does(agent, place)) == {action}
            case f.Not(f.Does(agent, action)):
                return action not in self._does(agent, place)
        if is_propositional(formula):
            return self.steps.holds(formula, self.run.states[place])
        return (place, formula) in self.proved

    def _does(self, agent: str, place: int) -> Collection[str | None]:
        """What an agent may be doing in the step from a position: nothing where the path ends, and anything
        in the self-loop of a deadlock that names no actions."""
        if place >= len(self.run.actions):
            return ()
        joint = self.run.actions[place]
        return {joint[self.steps.names.index(agent)]} if joint else self.steps.actions_of(agent)

    def _require(self, shown: Callable[[int], bool], first: int, last: int) -> None:
        for place in range(first, last + 1):
            require(shown(place), f"what must hold at position {place} of the path is not shown")


# -- knowledge and obligation -----------------------------------------------------------------------


def doubt(judge: Judge, proof: IndistinguishableProof) -> None:
    """Hops from state to confused state, to one where the operand holds."""
    formula = proof.formula
    if not isinstance(formula, f.M | f.MGK | f.MGCK | f.MDK):
        raise Mistake("hops do not prove such a formula")
    require(len(proof.hops) == 1 or isinstance(formula, f.MGCK), "more than one hop")
    here = proof.state
    for one in proof.hops:
        _by_the_right_agents(formula, one)
        here = hop(judge, here, one)
    require(proof.proof.state == here, "the operand is proved at another state")
    require(proof.proof.formula == formula.sub, "another operand is proved")


def hop(judge: Judge, here: State, one: Hop) -> State:
    """The state hopped to, found to be reachable and confused with this one."""
    from_start(judge, one.run)
    names, there = " and ".join(one.agents), one.run.goal
    alike = judge.steps.indistinguishable_to_all(one.agents, here, there)
    text = judge.steps.text
    require(alike, lambda: f"{names} can tell {text(there)} from {text(here)}")
    return there


def _by_the_right_agents(formula: f.OfAgent | f.OfGroup, one: Hop) -> None:
    if isinstance(formula, f.OfAgent):
        fine = one.agents == (formula.agent,)
    elif isinstance(formula, f.MDK):
        fine = set(one.agents) == set(members_of(formula.group))
    else:
        fine = len(one.agents) == 1 and one.agents[0] in members_of(formula.group)
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
