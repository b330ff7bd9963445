"""Existential formulas as clauses, for one bound, in one of three encodings.

A modality is shown by a path. `penczek`: any of as many paths as the formula can need may be the one.
`zbrzezny`: each modality has a path of its own, counted off in advance. `huang`: so too, and what is
claimed of a frame is claimed once, by a variable, instead of being written out wherever it is needed:
the size is polynomial in the depth of the formula, where that of the other two is exponential.

Without fairness, a path is what steps lead along. With fairness, every state must have a fair path: a
path ends in a fair loop, unless what is claimed at its end is shown by such a path itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeVar

from knower.logic import formula as f
from knower.logic.formula import Formula
from knower.logic.kinds import is_of_step, is_propositional
from knower.sat.claims import Claim, Entry, Link, Showing, Start
from knower.sat.fragment import DOUBTS, operands, track
from knower.sat.frames import Frame, Frames
from knower.sat.paths import Constraint, Loop, Path, Paths
from knower.sat.solver import TRUE, Lit
from knower.sat.tracks import Along

T = TypeVar("T")


def justifies_fairness(formula: Formula) -> bool:
    """Whether every way to show a formula shows that the state has a fair path."""
    match formula:
        case f.And(left, right):
            return justifies_fairness(left) or justifies_fairness(right)
        case f.Or(left, right):
            return justifies_fairness(left) and justifies_fairness(right)
        case f.EX() | f.EF() | f.EG() | f.EU() | f.ER() | f.EW() | f.E():
            return True
        case f.M() | f.MGK() | f.MGCK() | f.MDK() | f.P():
            return False
        case _ if is_propositional(formula):
            return False
        case _:
            raise TypeError(f"not existential: {formula!r}")


def constraint(formula: Formula, frames: Frames, encoding: str) -> Constraint:
    """A fairness constraint for one path. It is evaluated without fairness."""
    paths = Paths(frames)
    return lambda bound: Translation(paths, bound, encoding).anywhere(formula)


class Translation:
    """Claims about existential formulas with paths of at most `bound` steps.

    A context is the number of the next path that is free. Path 0 is where the question starts.
    """

    def __init__(self, paths: Paths, bound: int, encoding: str) -> None:
        self.paths = paths
        self.frames = paths.frames
        self.clauses = paths.frames.clauses
        self.bound = bound
        self._encoding = encoding
        self._most = 0
        self._needs: dict[Formula, int] = {}
        self._once: dict[tuple[object, ...], object] = {}

    def start(self, formula: Formula) -> Start:
        """The formula at an initial state that has a fair path."""
        self._most = self.needed(formula)
        first = self.paths[0]
        loop = self._fair(first, formula)
        claim = self.claim(formula, first.at(0), 1)
        return Start(claim, loop, (self.frames.initial(first.at(0)), claim.literal, *_closing(loop)))

    def anywhere(self, formula: Formula) -> Callable[[Frame], Lit]:
        """What implies the formula at a frame; all frames share the paths, so that it is shown at one."""
        self._most = self.needed(formula)
        return lambda frame: self.claim(formula, frame, 1).literal

    # -- resources --------------------------------------------------------------------------------------

    def needed(self, formula: Formula) -> int:
        """How many paths showing the formula can take."""
        if formula not in self._needs:
            self._needs[formula] = self._needed(formula)
        return self._needs[formula]

    def _needed(self, formula: Formula) -> int:
        if is_propositional(formula):
            return 0
        below = [self.needed(part) for part in operands(formula)]
        positions = self.bound + 1
        match formula:
            case f.And():
                return sum(below)
            case f.Or():
                return max(below)
            case f.EG():
                return 1 + positions * below[0]
            case f.EU():
                return 1 + positions * below[0] + below[1]
            case f.ER():
                return 1 + positions * below[1] + below[0]
            case f.EW():
                return 1 + positions * max(below) + below[1]
            case f.E():
                return 1 + sum(self._places(formula, part) * self.needed(part) for part in operands(formula))
            case f.MGCK():
                return 2 * self._hops(f.members_of(formula.group)) + below[0]
            case f.EX() | f.EF() | f.M() | f.MGK() | f.MDK() | f.P():
                return 1 + below[0]
            case _:
                raise TypeError(f"not existential: {formula!r}")

    def _places(self, formula: f.E, part: Formula) -> int:
        """At how many positions a part of a path formula may be needed."""
        return self.bound + 1 if part in track(formula.sub).later else 1

    def _hops(self, members: Sequence[str]) -> int:
        """How long a chain of confusions may be; those of one agent make no chain."""
        return self.bound + 1 if len(members) > 1 else 1

    def _witnesses(self, context: int) -> list[tuple[int, int]]:
        """The paths that may show a modality, by number, with the context that is left."""
        if self._encoding == "penczek":
            return [(number, context + 1) for number in range(1, self._most + 1)]
        return [(context, context + 1)]

    def _shared(self, key: tuple[object, ...], make: Callable[[], T]) -> T:
        """Made once, in the encoding that shares."""
        if self._encoding != "huang":
            return make()
        if key not in self._once:
            self._once[key] = make()
        return self._once[key]  # type: ignore[return-value]

    def _fair(self, path: Path, *formulas: Formula) -> Loop | None:
        """The loop by which a state is fair where these formulas hold, if they do not see to it."""
        if not self.paths.fairness or any(map(justifies_fairness, formulas)):
            return None
        return path.loop(self.bound)

    # -- claims -----------------------------------------------------------------------------------------

    def claim(self, formula: Formula, frame: Frame, context: int) -> Claim:
        """The formula holds at the frame."""
        return self._shared((formula, frame, context), lambda: self._claim(formula, frame, context))

    def _claim(self, formula: Formula, frame: Frame, context: int) -> Claim:
        if is_propositional(formula):
            return Claim(formula, frame, self.frames.satisfies(formula, frame))
        match formula:
            case f.And(left, right):
                first = self.claim(left, frame, context)
                second = self.claim(right, frame, context + self.needed(left))
                literal = self.clauses.all_of([first.literal, second.literal])
                return Claim(formula, frame, literal, (first, second))
            case f.Or(left, right):
                options = (self.claim(left, frame, context), self.claim(right, frame, context))
                literal = self.clauses.any_of(option.literal for option in options)
                return Claim(formula, frame, literal, options)
            case f.MGCK(group, sub):
                members = f.members_of(group)
                link = self._link(members, sub, frame, context, self._hops(members))
                return Claim(formula, frame, link.literal, chain=link)
            case _:
                entries = tuple(self._entries(formula, frame, context))
                return Claim(formula, frame, self.clauses.any_of(e.literal for e in entries), entries=entries)

    def _entries(self, formula: Formula, frame: Frame, context: int) -> Iterator[Entry]:
        for number, rest in self._witnesses(context):
            path = self.paths[number]
            if isinstance(formula, f.EX):
                yield self._next(formula, frame, path, rest)
                continue
            make = partial(self._showings, formula, path, rest)
            showings = self._shared(("showings", formula, number, rest), make)
            if isinstance(formula, DOUBTS):
                yield from self._confused(formula, frame, path, showings)
            else:
                here = TRUE if isinstance(formula, f.P) else self.frames.same(frame, path.at(0))
                shown = self.clauses.any_of(showing.literal for showing in showings)
                yield Entry(self.clauses.all_of([here, shown]), showings)

    def _showings(self, formula: Formula, path: Path, context: int) -> tuple[Showing, ...]:
        """All a path can show a formula by, wherever the formula is claimed."""
        match formula:
            case f.EF(sub):
                return self._until(path, context, f.TRUE, sub, 0)
            case f.EU(left, right):
                return self._until(path, context, left, right, 0)
            case f.EG(sub):
                return (self._always(path, context, sub),)
            case f.ER(left, right):
                ends = self._until(path, context, right, left, 1)
                return (*ends, self._always(path, context, right))
            case f.EW(left, right):
                hold = f.Or(left, right)
                ends = self._until(path, context, hold, right, 0)
                return (*ends, self._always(path, context, hold))
            case f.M(_, sub) | f.MGK(_, sub) | f.MDK(_, sub):
                return tuple(self._reached(path, context, sub))
            case f.P(agent, sub):
                return tuple(self._reached(path, context, sub, f.Green(agent)))
            case f.E():
                return (self._tracked(path, context, formula),)
            case _:
                raise TypeError(f"not existential: {formula!r}")

    # -- temporal operators -----------------------------------------------------------------------------

    def _next(self, formula: f.EX, frame: Frame, path: Path, context: int) -> Entry:
        sub = self.claim(formula.sub, path.at(0), context)
        loop = self._fair(path, formula.sub)
        parts = [self.frames.step(frame, path.at(0)), sub.literal, *_closing(loop)]
        literal = self.clauses.all_of(parts)
        return Entry(literal, (Showing(literal, path, 1, loop, ((1, sub),), (frame,)),))

    def _until(
        self, path: Path, context: int, hold: Formula, goal: Formula, last: int
    ) -> tuple[Showing, ...]:
        """The goal at some position, and `hold` before; at that position too if `last` is 1."""
        held = self._along(path, context, hold)
        loop = self._fair(path, goal, *([hold] if last else []))
        after = context + len(held) * self.needed(hold)
        so_far, found = TRUE, list[Showing]()
        for position, claim in enumerate(held):
            before, so_far = so_far, self.clauses.all_of([so_far, claim.literal])
            reached = self.claim(goal, path.at(position), after)
            parts = [path.reaches(position), so_far if last else before, reached.literal, *_closing(loop)]
            claims = (*enumerate(held[: position + last]), (position, reached))
            found.append(Showing(self.clauses.all_of(parts), path, position, loop, claims))
        return tuple(found)

    def _always(self, path: Path, context: int, hold: Formula) -> Showing:
        held = self._along(path, context, hold)
        loop = path.loop(self.bound)
        literal = self.clauses.all_of([loop.closed, *(claim.literal for claim in held)])
        return Showing(literal, path, None, loop, tuple(enumerate(held)))

    def _along(self, path: Path, context: int, formula: Formula, places: int | None = None) -> list[Claim]:
        """The formula at every position (or so many), each with paths of its own."""
        each, places = self.needed(formula), self.bound + 1 if places is None else places
        return [self.claim(formula, path.at(k), context + k * each) for k in range(places)]

    def _tracked(self, path: Path, context: int, formula: f.E) -> Showing:
        """A path formula along a lasso."""
        read, loop = track(formula.sub), path.loop(self.bound)
        parts: dict[tuple[Formula, int], Claim] = {}
        for part in read.parts:
            places = self._places(formula, part)
            parts |= {(part, k): claim for k, claim in enumerate(self._along(path, context, part, places))}
            context += places * self.needed(part)

        def named(name: Formula, place: int) -> Lit:
            if is_of_step(name):
                return self.frames.done(name, path.at(place), path.at(place + 1))
            return parts[read.meaning[name], place].literal

        along = Along(self.clauses, loop, named)
        literal = self.clauses.all_of([loop.closed, along.first(read.body)])
        return Showing(literal, path, None, loop, parts=parts)

    # -- knowledge and permission -----------------------------------------------------------------------

    def _reached(self, path: Path, context: int, sub: Formula, colour: Formula = f.TRUE) -> Iterator[Showing]:
        """A path from the start to a state where the formula holds, by its end."""
        loop = self._fair(path, sub)
        for position in range(self.bound + 1):
            frame = path.at(position)
            claim = self.claim(sub, frame, context)
            begins = [self.frames.initial(path.at(0)), path.reaches(position), *_closing(loop)]
            parts = [*begins, self.frames.satisfies(colour, frame), claim.literal]
            yield Showing(self.clauses.all_of(parts), path, position, loop, ((position, claim),))

    def _confused(
        self, formula: f.M | f.MGK | f.MDK, frame: Frame, path: Path, showings: Sequence[Showing]
    ) -> Iterator[Entry]:
        for position, showing in enumerate(showings):
            alike = self._alike(formula, frame, path.at(position))
            yield Entry(self.clauses.all_of([alike, showing.literal]), (showing,))

    def _alike(self, formula: f.M | f.MGK | f.MDK, one: Frame, other: Frame) -> Lit:
        match formula:
            case f.M(agent):
                return self.frames.alike((agent,), one, other)
            case f.MDK(group):
                return self.frames.alike(f.members_of(group), one, other)
            case f.MGK(group):
                return self._one_confuses(f.members_of(group), one, other)

    def _one_confuses(self, members: Sequence[str], one: Frame, other: Frame) -> Lit:
        return self.clauses.any_of(self.frames.alike((member,), one, other) for member in members)

    def _link(self, members: Sequence[str], sub: Formula, frame: Frame, context: int, hops: int) -> Link:
        """A chain of at most so many confusions from the frame to a state where the formula holds."""
        there, path = self.paths[context + 1].at(0), self.paths[context]
        after = self._shared(
            ("link", members, sub, context, hops),
            lambda: self._landed(members, sub, there, path, context, hops),
        )
        alike = self._one_confuses(members, frame, there)
        literal = self.clauses.all_of([alike, after.literal])
        return Link(literal, path, after.landings, after.loop, after.goal, after.rest)

    def _landed(
        self, members: Sequence[str], sub: Formula, there: Frame, path: Path, context: int, hops: int
    ) -> Link:
        """A state lies on a path from the start; it is the end of the chain, or the chain goes on."""
        clauses, frames = self.clauses, self.frames
        loop = path.loop(self.bound) if self.paths.fairness else None
        landings = tuple(
            clauses.all_of([path.reaches(k), frames.same(there, path.at(k))]) for k in range(self.bound + 1)
        )
        goal = self.claim(sub, there, context + 2 * hops)
        rest = self._link(members, sub, there, context + 2, hops - 1) if hops > 1 else None
        ends = [goal.literal] if rest is None else [goal.literal, rest.literal]
        begins = [frames.initial(path.at(0)), clauses.any_of(landings), *_closing(loop)]
        literal = clauses.all_of([*begins, clauses.any_of(ends)])
        return Link(literal, path, landings, loop, goal, rest)


def _closing(loop: Loop | None) -> list[Lit]:
    return [] if loop is None else [loop.closed]
