"""Formulas decided by invariants: what denies them is never reached, or is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from typing import Protocol

from knower.errors import Undecided, Unsupported, unsupported
from knower.functions.circuit import Literal
from knower.logic import formula as f
from knower.logic.formula import Formula
from knower.logic.kinds import is_propositional
from knower.logic.rewrite import negation_normal_form
from knower.pdr.certify import invariant, mistake
from knower.pdr.cone import kept_for
from knower.pdr.cubes import cube_of
from knower.pdr.lasting import Lasting, came_back
from knower.pdr.prover import Outcome, Prover, Safe, Unsafe
from knower.pdr.reduction import Chain, Phases, Problem, at_start, chains, phases_of
from knower.pdr.retrace import Retrace
from knower.pdr.starts import Starts
from knower.pdr.trail import Moment, Trail
from knower.reasons import WrongProof
from knower.records import dataclass
from knower.sat.fragment import is_existential, refusal
from knower.sat.frames import Stamps
from knower.sat.lifting import Cube, Lifting
from knower.sat.machine import Machine, Spelling, value
from knower.sat.solver import Clauses
from knower.verdict.certificate import Invariant
from knower.verdict.evidence import Case, Either, Joint, Run, State

#: How often all marks are met before it is given up to show that they are not met for ever.
_ROUNDS = (1, 2, 4, 8, 16)
#: Before that, paths of so many steps are looked at: most of what is false is found so.
#: Where a path leads to what is denied, paths of so many steps more.
_GLANCE, _BEYOND = 8, 2
#: Witnesses of an existential formula, each for a cube of initial states; evidence for so many of them,
#: where the initial states can be counted.
_MOST_WITNESSES, _MOST_CASES, _MOST_INITIAL = 1_000, 32, 1_000


@dataclass(frozen=True)
class Found:
    """A formula is true or false: by invariants, or by cases of it or of its negation."""

    holds: bool
    invariants: tuple[Invariant, ...] = ()
    cases: tuple[Case, ...] = ()
    others: int = 0


class Bounded(Protocol):
    """What bounded checking tells of the formula that is asked."""

    def has_fair_start(self) -> bool:
        """Whether some initial state is found to have a fair path."""

    def refutation(self, steps: int) -> tuple[Case, ...] | None:
        """How paths of so many steps refute it; None if they do not."""


class Proofs:
    """The proofs of one system. Frames are kept for the next question about the same machine."""

    def __init__(
        self, stamps: Stamps, clauses: Callable[[], Clauses], second: Callable[[], Clauses], *, loops: bool
    ) -> None:
        self.stamps = stamps
        self.machine = stamps.machine(loops=loops)
        self.own = stamps.machine(loops=False)
        self.spelling = Spelling(stamps.encoding)
        self.frames = self.kept = 0
        self._clauses = clauses
        self._second = second
        self._loops = loops
        self._trails: dict[tuple[tuple[int, ...], Literal, Literal], Trail] = {}

    # -- machines ---------------------------------------------------------------------------------------

    def trail(self, machine: Machine) -> Trail:
        """The frames of a machine."""
        key = machine.bits, machine.allowed, machine.initial
        if key not in self._trails:
            self._trails[key] = Trail(machine, self._clauses)
        return self._trails[key]

    def outcome(self, problem: Problem, trail: Trail | None = None) -> Outcome:
        """Whether something bad is reached; what is proved has been checked."""
        if trail is None:
            small = kept_for(problem.machine, [problem.bad])
            if small is not None:
                found = self._decided(replace(problem, machine=small), problem)
                if isinstance(found, Safe):
                    return found
        return self._decided(problem, problem, trail)

    def _decided(self, problem: Problem, whole: Problem, trail: Trail | None = None) -> Outcome:
        """The same; a problem with fewer bits than the whole is one with more paths."""
        trail = trail or (
            self.trail(problem.machine) if problem.plain else Trail(problem.machine, self._clauses)
        )
        prover = Prover(trail, problem.bad, problem.copies, self._clauses)
        try:
            found = prover.outcome(self._progress)
        finally:
            prover.close()
        if isinstance(found, Safe):
            wrong = mistake(whole, found.cubes, self._second)
            if wrong is not None:
                raise Undecided(WrongProof(wrong))
            self.kept = len(found.cubes)
        return found

    def returning(self, lasting: Lasting) -> Outcome:
        """Whether a path comes back to a state after all that it must meet for ever."""
        small = lasting.in_cone
        if small is not None:
            found = self._decided(small.returning(), lasting.returning())
            if isinstance(found, Safe):
                return found
        return self.outcome(lasting.returning())

    @cached_property
    def goes_on(self) -> bool:
        """Whether every reachable state has a successor."""
        if self._loops:
            return True
        try:
            return isinstance(self.stopping, Safe)
        except Unsupported:
            return False

    @cached_property
    def stopping(self) -> Outcome:
        """Whether a state without successor is reached, by the steps the system has of its own."""
        return self.outcome(Problem(self.own, self.stamps.relation.stuck, plain=True))

    def _progress(self, frames: int) -> None:
        self.frames = frames

    def proof(self, found: Safe, what: str) -> Invariant:
        return invariant(found.cubes, self.spelling, what)

    # -- formulas ---------------------------------------------------------------------------------------

    def decided(self, formula: Formula, fairness: tuple[Formula, ...], bounded: Bounded) -> Found | None:
        """What is found about a formula; None if that takes something else than invariants."""
        asked, denied = negation_normal_form(formula), negation_normal_form(f.Not(formula))
        return _Decision(self, fairness, bounded, denied).of(asked, denied)

    def run(self, moment: Moment) -> Run:
        """The path to a state that was reached."""
        path = moment.path
        states, joints = self._told(path)
        return Run(states, joints, None, len(path) - 1)

    def lasso(self, moment: Moment) -> Run:
        """The path to a state that was remembered, and back to it."""
        path = moment.path
        states, joints = self._told(path)
        return Run(states[:-1], joints, came_back(path))

    def _told(self, path: list[Moment]) -> tuple[tuple[State, ...], tuple[Joint, ...]]:
        states = tuple(self.spelling.state(each.bits) for each in path)
        return states, tuple(self._joint(*pair) for pair in pairwise(path))

    def _joint(self, before: Moment, after: Moment) -> Joint:
        """What was done; nothing, where a deadlock has a step to itself."""
        if self._loops and value(self.machine.circuits, self.stamps.relation.stuck, before.bits):
            return ()
        return self.spelling.joint(number for number, taken in (after.inputs or {}).items() if taken)

    def retrace(self, runs: tuple[Run, ...], *, fair: bool = False) -> Retrace:
        return Retrace(runs, self.stamps.look, self.stamps.explicit.sees, fair)

    # -- initial states ---------------------------------------------------------------------------------

    def witnesses(self, problem: Problem) -> Iterator[tuple[Moment, Cube] | Safe]:
        """For an existential formula: paths with the initial states that have them, or none."""
        circuits, machine = problem.machine.circuits, problem.machine
        for _ in range(_MOST_WITNESSES):
            if not Starts(machine, self._clauses).meets(frozenset()):
                return
            found = self.outcome(replace(problem, machine=machine), Trail(machine, self._clauses))
            if isinstance(found, Safe):
                yield found
                return
            (moment,) = found.moments
            cube = self._lifted(machine, problem.bad, moment, found)
            yield moment, cube
            bits = [circuits.input(number) ^ (not held) for number, held in cube.items()]
            machine = replace(machine, initial=circuits.conj(machine.initial, circuits.all(bits) ^ 1))
        raise unsupported(f"more than {_MOST_WITNESSES} witnesses would be needed")

    def _lifted(self, machine: Machine, bad: Literal, moment: Moment, found: Unsafe) -> Cube:
        """The states that all have the steps of a path, enabled and without overflow."""
        lifting, path = Lifting(machine, self._clauses), moment.path
        cube = lifting.to(path[-1].bits, found.inputs, [bad])
        for before, after in zip(path[-2::-1], path[:0:-1], strict=True):
            cube = lifting.to_step(before.bits, after.inputs or {}, cube)
        return cube

    def count_initial(self) -> int | None:
        """How many initial states there are, if they are few."""
        starts, machine, found = Starts(self.machine, self._clauses), self.machine, 0
        while starts.meets(frozenset()):
            found += 1
            if found > _MOST_INITIAL:
                return None
            starts.leave_out(cube_of({n: starts.state(frozenset())[n] for n in machine.bits}))
        return found


@dataclass(frozen=True)
class _Decision:
    """One formula under fairness constraints; `whole`: what denies all of it, not an operand only."""

    proofs: Proofs
    fairness: tuple[Formula, ...]
    bounded: Bounded
    whole: Formula

    def of(self, asked: Formula, denied: Formula) -> Found | None:
        if asked == f.TRUE:
            return Found(holds=True)
        if is_existential(denied):
            return self._universal(denied)
        if is_existential(asked):
            return self._existential(asked)
        match asked, denied:
            case f.And(a, b), f.Or(c, d):
                return self._both(denied, [self._attempt(a, c), self._attempt(b, d)])
            case f.Or(a, b), f.And(c, d):
                return self._either(asked, [self._attempt(a, c), self._attempt(b, d)])
            case _:
                raise refusal(asked, "pdr")

    def _attempt(self, asked: Formula, denied: Formula) -> Found | None:
        try:
            return self.of(asked, denied)
        except Unsupported:
            return None

    def _both(self, denied: Formula, found: list[Found | None]) -> Found | None:
        """One that is false is enough."""
        for each in found:
            if each is not None and not each.holds:
                return Found(holds=False, invariants=each.invariants, cases=_as_one(denied, each.cases))
        if all(each is not None for each in found):
            return Found(holds=True, invariants=tuple(i for each in found if each for i in each.invariants))
        return None

    def _either(self, asked: Formula, found: list[Found | None]) -> Found | None:
        """One that is true everywhere is enough."""
        for each in found:
            if each is not None and each.holds:
                return Found(True, each.invariants, _as_one(asked, each.cases), each.others)
        return None

    # -- universal formulas -----------------------------------------------------------------------------

    def _universal(self, denied: Formula) -> Found | None:
        """Nothing denies it, or a path does; without fairness, whose paths are fewer."""
        try:
            links = chains(denied)
        except Unsupported:
            match denied:
                case f.And(left, right):  # one of the two that never is so, is enough
                    return self._excluded(left) or self._excluded(right)
                case _:
                    raise
        found = list[Invariant]()
        for link in links:
            shown = self._chain(link, denied)
            if shown is None or not shown.holds:
                return shown
            found += shown.invariants
        return Found(holds=True, invariants=tuple(found))

    def _excluded(self, denied: Formula) -> Found | None:
        try:
            found = self._universal(denied)
        except Unsupported:
            return None
        return found if found is not None and found.holds else None

    def _chain(self, link: Chain, denied: Formula) -> Found | None:
        """Invariants that exclude a path, or the path as a case of what denies the formula."""
        stamps, machine = self.proofs.stamps, self.proofs.machine
        if link.ends and not link.path.is_path:
            start = at_start(stamps, machine, link.path)
            found = self.proofs.outcome(start)
            return self._excludes(found) if isinstance(found, Safe) else self._reaches(found, link, denied)
        phases = phases_of(stamps, machine, link.path)
        found = self.proofs.outcome(phases.ending())
        if isinstance(found, Unsafe):
            return self._reaches(found, link, denied) or self._goes_on(phases, found, link, denied)
        if link.ends or phases.is_finite:
            return self._excludes(found)
        lasting = self._lasting(phases, link, denied, _GLANCE)
        if lasting is None or not lasting.holds:
            return lasting
        return Found(True, (*self._excludes(found).invariants, *lasting.invariants))

    def _excludes(self, found: Safe) -> Found:
        return Found(holds=True, invariants=(self.proofs.proof(found, "what denies the formula"),))

    def _reaches(self, found: Unsafe, link: Chain, denied: Formula) -> Found | None:
        """The states that were reached, as a proof, if it need not be shown how they go on."""
        if self.fairness or not (link.ends and link.exact):
            return None
        runs = tuple(map(self.proofs.run, found.moments))
        return _refuted(self.proofs.retrace(runs).case(denied, runs[0]))

    def _goes_on(self, phases: Phases, found: Unsafe, link: Chain, denied: Formula) -> Found | None:
        """Whether a path goes on for ever, fairly, from where nothing is owed any more."""
        if not (link.exact and phases.is_propositional and denied == self.whole):
            return None
        return self._lasting(phases.for_ever, link, denied, len(found.moments[0].path) + _BEYOND)

    def _lasting(self, phases: Phases, link: Chain, denied: Formula, glance: int) -> Found | None:
        """That no path goes on for ever as is denied, or one that does; first, one of few steps."""
        glanced = self.bounded.refutation(glance)
        if glanced is not None:
            return Found(holds=False, cases=glanced) if denied == self.whole else None
        proofs = self.proofs
        fair = [proofs.stamps.circuit(each) for each in self.fairness if is_propositional(each)]
        lasting = Lasting(phases.followed(), (phases.marks, *fair), phases.guards)
        for rounds in _ROUNDS:
            found = proofs.outcome(lasting.rounds(rounds))
            if isinstance(found, Safe):
                return Found(True, (proofs.proof(found, f"meeting all marks {rounds} times"),))
        found = proofs.returning(lasting)
        if isinstance(found, Safe):
            return Found(True, (proofs.proof(found, "coming back to a state after meeting all marks"),))
        if not link.exact or len(fair) < len(self.fairness):
            return None
        run = proofs.lasso(found.moments[0])
        return _refuted(proofs.retrace((), fair=bool(self.fairness)).case(denied, run))

    # -- existential formulas ---------------------------------------------------------------------------

    def _existential(self, asked: Formula) -> Found | None:
        """Shown at all initial states, or impossible at one.

        With fairness, what is impossible stays so, if some initial state is fair at all.
        """
        links = chains(asked)
        problem = self._of_one(links[0]) if len(links) == 1 and not self.fairness else None
        if problem is not None:
            return self._witnessed(asked, problem)
        found = self._excluded(asked)
        if found is None or (self.fairness and not self.bounded.has_fair_start()):
            return None
        return Found(holds=False, invariants=found.invariants)

    def _of_one(self, link: Chain) -> Problem | None:
        """What is looked for by a path that ends, or goes on anyhow, if it speaks of single states only."""
        if not (link.exact and link.path.is_path):
            return None
        phases = phases_of(self.proofs.stamps, self.proofs.machine, link.path)
        if not phases.is_propositional:
            return None
        return phases.ending() if link.ends or (phases.is_finite and self.proofs.goes_on) else None

    def _witnessed(self, asked: Formula, problem: Problem) -> Found:
        proofs, cases = self.proofs, list[Case]()
        for shown in proofs.witnesses(problem):
            if isinstance(shown, Safe):
                return Found(holds=False, invariants=(proofs.proof(shown, "what the formula asks for"),))
            if len(cases) < _MOST_CASES:
                run = proofs.run(shown[0])
                cases += [case for case in [proofs.retrace((run,)).case(asked, run)] if case is not None]
        count = proofs.count_initial()
        return Found(True, (), tuple(cases), count - len(cases)) if count is not None else Found(holds=True)


def _refuted(case: Case | None) -> Found | None:
    return None if case is None else Found(holds=False, cases=(case,))


def _as_one(whole: Formula, cases: tuple[Case, ...]) -> tuple[Case, ...]:
    """Cases of an operand as cases of a disjunction."""
    return tuple(Case(case.run, Either(case.proof.state, whole, case.proof)) for case in cases)
