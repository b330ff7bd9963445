"""Whether conditions can hold together over the domains, and where: the lints' own search.

`search.solutions` lists all solutions, one value at a time; the lints want one solution or the
certainty that there is none, soon, also where a variable has a million values. So this search works
on boxes, an allowed set of values per unknown: it narrows the box by what must hold, splits on
the shortest disjunction, then halves what is still open. Work is counted in steps; a question that
takes too many stays undecided, and undecided questions yield no finding.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field
from itertools import product
from math import prod
from typing import NamedTuple

from knower.constraints.forms import All, Any, Atom, Bound, Form, Forms, Member, Part, Trial, Wanted, keys_in
from knower.constraints.values import Box, Key, Values, count, ends, halves, hull, meet, multiples, only
from knower.records import dataclass
from knower.system.expressions import Condition
from knower.system.system import InterpretedSystem

#: Steps for one question, and for all questions of a search; a step takes two microseconds or so.
_EACH, _TOTAL = 20_000, 300_000
#: A question may take this share of what is left, so that none takes it all.
_SHARE = 16
#: How many combinations of values a `Trial` may look at, to narrow the box or just to judge.
_NARROWING, _JUDGING = 1024, 64
#: How deep the status of a disjunct is looked into; deeper ones are taken to be open.
_DEPTH = 2


class _TooLarge(Exception):
    """The question takes more steps than it may."""


class _Clause(NamedTuple):
    """The disjuncts not yet refuted, and the unknowns they speak of."""

    parts: tuple[Part, ...]
    keys: frozenset[Key]


@dataclass(slots=True)
class _Branch:
    """A box, what is still to be looked at, and what was looked at but is not decided."""

    box: Box
    goals: list[Part]
    atoms: list[Atom] = field(default_factory=list)
    clauses: list[_Clause] = field(default_factory=list)

    def copy(self, without: _Clause | None = None) -> _Branch:
        """The same, with nothing to look at."""
        clauses = [clause for clause in self.clauses if clause is not without]
        return _Branch(self.box.copy(), [], list(self.atoms), clauses)


class Search:
    """Answers questions about one system's conditions, within a number of steps for all of them."""

    def __init__(self, system: InterpretedSystem, *, each: int = _EACH, total: int = _TOTAL) -> None:
        self.forms = Forms(system)
        #: By the identity of the disjunction, which the forms keep.
        self._watches: dict[int, frozenset[Key]] = {}
        self._each = each
        self._left = total
        self._limit = 0

    def allow(self, steps: int) -> None:
        """From now on, so many steps."""
        self._left = steps

    @property
    def is_exhausted(self) -> bool:
        """Whether no steps are left, and every question stays undecided."""
        return self._left < _SHARE

    def never(self, *conditions: Condition) -> bool:
        """Whether the conditions surely cannot hold together."""
        return self._answer(conditions) is False

    def example(self, *conditions: Condition) -> Box | None:
        """Where the conditions hold together, if that was found."""
        found = self._answer(conditions)
        return found if isinstance(found, Box) else None

    def room(self, condition: Condition) -> Box | None:
        """A box that holds every solution, if a look without search finds one; None if there is none."""
        branch = _Branch(Box(self.forms.domains), [Wanted(condition, True)])
        self._limit = self._left - min(self._each, self._left // _SHARE)
        try:
            return branch.box if self._settled(branch) else None
        except (_TooLarge, RecursionError):
            return Box(self.forms.domains)

    def _answer(self, conditions: Iterable[Condition]) -> Box | bool | None:
        """A box of solutions, False for certainly none, None for undecided."""
        start = _Branch(Box(self.forms.domains), [Wanted(condition, True) for condition in conditions])
        self._limit = self._left - min(self._each, self._left // _SHARE)
        try:
            return self._solution([iter([start])]) or False
        except (_TooLarge, RecursionError):
            return None

    def _spend(self, steps: int) -> None:
        self._left -= steps
        if self._left < self._limit:
            raise _TooLarge

    # -- the search -------------------------------------------------------------------------------

    def _solution(self, stack: list[Iterator[_Branch]]) -> Box | None:
        while stack:
            branch = next(stack[-1], None)
            if branch is None:
                stack.pop()
                continue
            if not self._settled(branch):
                continue
            found = None if branch.clauses else self._corner(branch)
            if found is not None:
                return found
            stack.append(self._options(branch) if branch.clauses else self._halves(branch))
        return None

    def _settled(self, branch: _Branch) -> bool:
        """Narrows until nothing moves; whether there may still be a solution."""
        while branch.goals or branch.box.moved:
            if not self._goals_taken(branch):
                return False
            moved, branch.box.moved = branch.box.moved, set()
            if not self._revisited(branch, moved):
                return False
        return not _opposed(branch.atoms)

    def _goals_taken(self, branch: _Branch) -> bool:
        while branch.goals:
            self._spend(1)
            form = self.forms.of(branch.goals.pop())
            if isinstance(form, All):
                branch.goals += reversed(form.parts)
            elif not self._kept(form, branch):
                return False
        return True

    def _kept(self, form: Atom | Any | bool, branch: _Branch) -> bool:
        """Whether the form leaves room in the box; while that is open, it will be looked at again."""
        if isinstance(form, bool):
            return form
        if isinstance(form, Any):
            return self._clause_kept(_Clause(form.parts, self._watched(form)), branch)
        verdict = self._narrowed(form, branch.box)
        if verdict is None:
            branch.atoms.append(form)
        return verdict is not False

    def _clause_kept(self, clause: _Clause, branch: _Branch) -> bool:
        live = self._live(clause.parts, branch.box)
        if live is not None and len(live) == 1:
            branch.goals += live
        elif live is not None:
            branch.clauses.append(_Clause(live, clause.keys))
        return live != ()

    def _revisited(self, branch: _Branch, moved: set[Key]) -> bool:
        """Looks again at the undecided whose unknowns have moved."""
        atoms, branch.atoms = branch.atoms, []
        clauses, branch.clauses = branch.clauses, []
        for atom in atoms:
            if moved.isdisjoint(keys_in(atom)):
                branch.atoms.append(atom)
            elif not self._kept(atom, branch):
                return False
        for clause in clauses:
            if moved.isdisjoint(clause.keys):
                branch.clauses.append(clause)
            elif not self._clause_kept(clause, branch):
                return False
        return True

    def _live(self, parts: tuple[Part, ...], box: Box) -> tuple[Part, ...] | None:
        """The disjuncts that are not refuted; None if one holds all over the box."""
        live: list[Part] = []
        for part in parts:
            status = self._status(self.forms.of(part), box)
            if status is True:
                return None
            if status is None:
                live.append(part)
        return tuple(live)

    def _options(self, branch: _Branch) -> Iterator[_Branch]:
        """One branch per disjunct of the shortest clause; simple ones tried before are excluded."""
        clause = min(branch.clauses, key=lambda clause: len(clause.parts))
        excluded: list[Part] = []
        for part in clause.parts:
            option = branch.copy(without=clause)
            option.goals = [part, *excluded]
            yield option
            excluded += self._denials(part)

    def _denials(self, part: Part) -> list[Part]:
        """What to add where a disjunct is excluded; nothing for those that are not simple."""
        if isinstance(part, Wanted):
            simple = not isinstance(self.forms.of(part), All | Any)
            return [Wanted(part.condition, not part.truth)] if simple else []
        if isinstance(part, Member) and isinstance(part.allowed, frozenset):
            return [Member(part.key, frozenset(self.forms.domains[part.key]) - part.allowed)]
        return []

    def _halves(self, branch: _Branch) -> Iterator[_Branch]:
        """Two branches, on the least open unknown of an undecided comparison."""
        keys = [key for key in keys_in(branch.atoms[0]) if count(branch.box[key]) > 1]
        key = min(keys, key=lambda key: count(branch.box[key]))
        for half in halves(branch.box[key]):
            option = branch.copy()
            option.box.narrow(key, half)
            yield option

    def _corner(self, branch: _Branch) -> Box | None:
        """The box if nothing is undecided, else its corner that suits the undecided, if there is one."""
        if not branch.atoms:
            return branch.box
        box = branch.box.copy()
        chosen: set[Key] = set()
        for atom in branch.atoms:
            for key, high in _wishes(atom):
                if key not in chosen:
                    chosen.add(key)
                    box.narrow(key, only(box[key], high))
        return box if all(self._narrowed(atom, box) for atom in branch.atoms) else None

    def _watched(self, clause: Any) -> frozenset[Key]:
        """The unknowns that the status of a disjunct depends on, as deep as that looks."""
        found = self._watches.get(id(clause))
        if found is None:
            keys = (key for part in clause.parts for key in self._watched_in(part, _DEPTH))
            found = self._watches[id(clause)] = frozenset(keys)
        return found

    def _watched_in(self, part: Part, depth: int) -> Iterator[Key]:
        self._spend(1)
        form = self.forms.of(part)
        if isinstance(form, Member | Bound | Trial):
            yield from keys_in(form)
        elif isinstance(form, All | Any) and depth > 0:
            for below in form.parts:
                yield from self._watched_in(below, depth - 1)

    # -- forms in a box ---------------------------------------------------------------------------

    def _status(self, form: Form, box: Box, depth: int = _DEPTH) -> bool | None:
        """Whether the form holds all over the box, or nowhere, or neither as far as we look."""
        self._spend(1)
        if isinstance(form, Member):
            before = box[form.key]
            after = meet(before, form.allowed)
            return (True if after == before else None) if after else False
        if isinstance(form, bool):
            return form
        if isinstance(form, Bound):
            return self._bound_status(form, box)
        if isinstance(form, Trial):
            return self._trial_status(form, box)
        return self._joint_status(form, box, depth - 1) if depth > 0 else None

    def _joint_status(self, form: All | Any, box: Box, depth: int) -> bool | None:
        every = isinstance(form, All)
        found: bool | None = every
        for part in form.parts:
            status = self._status(self.forms.of(part), box, depth)
            if status is not None and status is not every:
                return status
            if status is None:
                found = None
        return found

    def _narrowed(self, atom: Atom, box: Box) -> bool | None:
        """The status of an atom in a box, after what it excludes has been taken from the box."""
        match atom:
            case Member(key, allowed):
                return box.narrow(key, allowed)
            case Bound():
                kept = self._bounded(atom, box)
                return self._bound_status(atom, box) if kept else False
            case Trial():
                return self._tried(atom, box)

    def _bound_status(self, bound: Bound, box: Box) -> bool | None:
        low, high = self._extent(bound, box)
        if low > 0 or (bound.equal and high < 0):
            return False
        return True if high <= 0 and (low == 0 or not bound.equal) else None

    def _extent(self, bound: Bound, box: Box) -> tuple[int, int]:
        """The least and the greatest value of the sum."""
        self._spend(len(bound.terms))
        low = high = bound.constant
        for key, factor in bound.terms:
            least, most = _scaled(box[key], factor)
            low += least
            high += most
        return low, high

    def _bounded(self, bound: Bound, box: Box) -> bool:
        """Narrows each unknown to what the extent of the others leaves it."""
        low, high = self._extent(bound, box)
        self._spend(2 * len(bound.terms))
        for key, factor in bound.terms:
            least, most = _scaled(box[key], factor)
            floor = most - high if bound.equal else None
            if not box.narrow(key, multiples(box[key], factor, floor, least - low)):
                return False
        return True

    def _trial_status(self, trial: Trial, box: Box) -> bool | None:
        sets = [box[key] for key in trial.keys]
        tries = prod(map(count, sets))
        if tries > _JUDGING:
            return None
        self._spend(tries)
        found = {trial.test(values) for values in product(*sets)}
        return None if len(found) == 2 else found.pop()

    def _tried(self, trial: Trial, box: Box) -> bool | None:
        """Narrows each unknown to the values that some combination works with."""
        sets = [box[key] for key in trial.keys]
        tries = prod(map(count, sets))
        if tries > _NARROWING:
            return None
        self._spend(tries)
        fine = [values for values in product(*sets) if trial.test(values)]
        for place, key in enumerate(trial.keys):
            if not box.narrow(key, hull({values[place] for values in fine}, box[key])):
                return False
        return True if len(fine) == tries else None


# -- atoms ----------------------------------------------------------------------------------------


def _scaled(values: Values, factor: int) -> tuple[int, int]:
    """The least and the greatest `factor * value`."""
    low, high = ends(values)
    return (factor * low, factor * high) if factor >= 0 else (factor * high, factor * low)


def _wishes(atom: Atom) -> list[tuple[Key, bool]]:
    """Which end of its values the atom would like each unknown at: True for the greatest."""
    if isinstance(atom, Bound):
        return [(key, factor < 0) for key, factor in atom.terms]
    return [(key, False) for key in keys_in(atom)]


def _opposed(atoms: Iterable[Atom]) -> bool:
    """Whether two bounds on the same sum exclude each other: `x < y` and `x >= y`."""
    bounds = [atom for atom in atoms if isinstance(atom, Bound)]
    limits: dict[tuple[tuple[Key, int], ...], int] = {}
    for bound in bounds if len(bounds) > 1 else ():
        turned = tuple((key, -factor) for key, factor in bound.terms)
        sides = [(bound.terms, turned, bound.constant), (turned, bound.terms, -bound.constant)]
        for terms, other, constant in sides[: 1 + bound.equal]:
            limits[terms] = max(constant, limits.get(terms, constant))
            if limits[terms] + limits.get(other, -limits[terms]) > 0:
                return True
    return False
