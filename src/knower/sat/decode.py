"""Proofs from the assignment a solver has found: the claims that are true, with their paths."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice, pairwise
from typing import TypeVar

from knower.evidence.words import accounted_for
from knower.logic import formula as f
from knower.logic.formula import Formula
from knower.logic.kinds import is_of_step, is_propositional
from knower.sat.claims import Claim, Entry, Link, Showing
from knower.sat.frames import Frame, Frames
from knower.sat.paths import Loop, Path
from knower.sat.solver import Lit
from knower.system.system import InterpretedSystem
from knower.verdict.evidence import (
    Both,
    Case,
    Either,
    Fact,
    Hop,
    IndistinguishableProof,
    Instance,
    PathProof,
    Proof,
    Run,
    State,
)

_Option = TypeVar("_Option", Claim, Entry, Showing)


class Decoder:
    """Reads the assignment found last; `fair`: every path must go on fairly."""

    def __init__(self, frames: Frames, *, fair: bool) -> None:
        self.frames = frames
        self.clauses = frames.clauses
        self.system: InterpretedSystem = frames.layout.system
        self.fair = fair
        self._proofs: dict[int, Proof] = {}

    def case(self, claim: Claim, path: Path, loop: Loop | None) -> Case:
        """The claim about the first state of a path, as a case; by the loop it is fair, if it has one."""
        proof = self.proof(claim)
        return Case(self._run((), path, loop, 0, [proof]), proof)

    def proof(self, claim: Claim) -> Proof:
        if id(claim) not in self._proofs:
            self._proofs[id(claim)] = self._proof(claim)
        return self._proofs[id(claim)]

    def _proof(self, claim: Claim) -> Proof:
        state, formula = self.frames.state(claim.frame), claim.formula
        if is_propositional(formula):
            return Fact(state, formula)
        match formula:
            case f.And():
                left, right = map(self.proof, claim.operands)
                return Both(state, formula, left, right)
            case f.Or():
                return Either(state, formula, self.proof(_true(self.clauses.holds, claim.operands)))
            case f.MGCK(group):
                return self._chained(state, claim, f.members_of(group))
            case f.M() | f.MGK() | f.MDK() | f.P():
                return self._elsewhere(state, formula, self._showing(claim))
            case f.E():
                return self._tracked(state, formula, self._showing(claim))
            case f.EX() | f.EF() | f.EG() | f.EU() | f.ER() | f.EW():
                return self._way(state, formula, self._showing(claim))
            case _:
                raise TypeError(f"not existential: {formula!r}")

    def _showing(self, claim: Claim) -> Showing:
        """The path by which a claim is true; of several that end, one that ends first."""
        entry: Entry = _true(self.clauses.holds, claim.entries)
        return _true(self.clauses.holds, entry.showings)

    # -- paths ------------------------------------------------------------------------------------------

    def _way(self, state: State, formula: Formula, showing: Showing) -> PathProof:
        proofs = [(place, self.proof(claim)) for place, claim in showing.claims]
        last = [proof for place, proof in proofs if place == showing.end]
        run = self._run(showing.lead, showing.path, showing.loop, showing.end, last)
        shown = tuple((place, proof) for place, proof in proofs if not isinstance(proof, Fact))
        return PathProof(state, formula, run, shown)

    def _tracked(self, state: State, formula: f.E, showing: Showing) -> PathProof:
        """A lasso, with proofs of the state formulas that the path formula rests on there."""
        run = self._run((), showing.path, showing.loop, None, [])

        def holds(part: Formula, place: int) -> bool:
            if is_of_step(part):
                frames = showing.path.at(place), showing.path.at(place + 1)
                return self.clauses.holds(self.frames.done(part, *frames))
            if is_propositional(part):
                return self.frames.stamps.look(part, run.states[place])
            claim = showing.parts.get((part, place))
            return claim is not None and self.clauses.holds(claim.literal)

        account = accounted_for(formula.sub, len(run.states), run.loop, holds)
        assert account is not None, "the path formula holds on the path that was found for it"
        proofs = tuple((place, self.proof(showing.parts[part, place])) for place, part in account.needed)
        return PathProof(state, formula, run, proofs, account.met)

    def _run(
        self, lead: tuple[Frame, ...], path: Path, loop: Loop | None, end: int | None, last: Sequence[Proof]
    ) -> Run:
        """The path to its end; with fairness, with its loop or as one of the proofs at its end goes on."""
        if loop is not None:
            start = loop.start(self.clauses)
            frames = [*lead, *(path.at(place) for place in range(loop.last + 2))]
            joints = tuple(self._joints(frames))
            return Run(self._states(frames[:-1]), joints, start + len(lead), end)
        assert end is not None
        frames = [*lead, *(path.at(place) for place in range(end + 1 - len(lead)))]
        run = Run(self._states(frames), tuple(self._joints(frames)), None, end)
        return _going_on(run, last) if self.fair else run

    def _states(self, frames: Sequence[Frame]) -> tuple[State, ...]:
        return tuple(map(self.frames.state, frames))

    def _joints(self, frames: Sequence[Frame]) -> Iterator[tuple[str | None, ...]]:
        return (self.frames.joint(*pair) for pair in pairwise(frames))

    # -- knowledge and permission -----------------------------------------------------------------------

    def _elsewhere(self, state: State, formula: Formula, showing: Showing) -> Proof:
        """A path from the start, to a state that is confused with this one or green."""
        ((place, claim),) = showing.claims
        proof = self.proof(claim)
        run = self._run((), showing.path, showing.loop, place, [proof])
        match formula:
            case f.P():
                return Instance(state, formula, run, proof)
            case f.M(agent):
                agents: tuple[str, ...] = (agent,)
            case f.MDK(group):
                agents = f.members_of(group)
            case f.MGK(group):
                agents = self._confusing(f.members_of(group), state, run.goal)
        return IndistinguishableProof(state, formula, (Hop(agents, run),), proof)

    def _confusing(self, members: Sequence[str], one: State, other: State) -> tuple[str, ...]:
        """A member who confuses the two states; nobody, if none does."""
        sees = self.frames.stamps.explicit.sees
        return tuple(islice((who for who in members if sees(who, one) == sees(who, other)), 1))

    def _chained(self, state: State, claim: Claim, members: Sequence[str]) -> IndistinguishableProof:
        runs: list[Run] = []
        link = claim.chain
        while link is not None:
            runs.append(self._landing(link))
            if self.clauses.holds(link.goal.literal):
                hops = tuple(self._hops(members, state, runs))
                return IndistinguishableProof(state, claim.formula, hops, self.proof(link.goal))
            link = link.rest
        raise AssertionError("a chain of confusions ends where the formula holds")

    def _hops(self, members: Sequence[str], here: State, runs: Sequence[Run]) -> Iterator[Hop]:
        """From one state to the last that is confused with it, and so on."""
        while runs:
            last = max(k for k, run in enumerate(runs) if self._confusing(members, here, run.goal))
            yield Hop(self._confusing(members, here, runs[last].goal), runs[last])
            here, runs = runs[last].goal, runs[last + 1 :]

    def _landing(self, link: Link) -> Run:
        place = next(k for k, literal in enumerate(link.landings) if self.clauses.holds(literal))
        return self._run((), link.path, link.loop, place, [])


def _true(holds: Callable[[Lit], bool], options: Sequence[_Option]) -> _Option:
    return next(option for option in options if holds(option.literal))


def _going_on(run: Run, last: Sequence[Proof]) -> Run:
    """The path, continued as a proof at its end says that it can be."""
    tail = next(found for found in map(_tail, last) if found is not None)
    assert run.end is not None
    assert tail.loop is not None
    states, actions = (*run.states, *tail.states[1:]), (*run.actions, *tail.actions)
    return Run(states, actions, run.end + tail.loop, run.end)


def _tail(proof: Proof) -> Run | None:
    """A fair path from the state of a proof, if it shows one."""
    match proof:
        case PathProof():
            return proof.run
        case Both():
            return _tail(proof.left) or _tail(proof.right)
        case Either():
            return _tail(proof.part)
        case _:
            return None
