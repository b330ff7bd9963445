"""Why a path formula holds on a word, and where its parts are fulfilled.

A word is a lasso or a finite trace. An operator is unfolded, position by position, into alternatives:
`f U g` asks for `g` here, or for `f` here and for itself at the next position. Of the alternatives
that hold the account follows one, and notes the state formulas it comes to.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, cached_property
from itertools import product
from typing import NamedTuple, TypeAlias, assert_never

from knower.logic import formula as f
from knower.logic.fold import fold
from knower.logic.formula import Formula, is_formula
from knower.logic.kinds import is_of_step, is_propositional
from knower.logic.node import Node
from knower.logic.rewrite import negation_normal_form
from knower.records import dataclass

Oracle: TypeAlias = Callable[[Formula, int], bool]
#: By position: a formula and a position where it counts.
Places: TypeAlias = tuple[tuple[int, Formula], ...]


@dataclass(frozen=True)
class Account:
    """How a path formula comes true at the first position of a word.

    `needed`: the state formulas it rests on that are not propositional, where they are needed.
    `met`: its eventualities (and `R`, `W` that are released), where their operand is reached.
    """

    needed: Places
    met: Places


def accounted_for(path: Formula, size: int, loop: int | None, holds: Oracle) -> Account | None:
    """An account of a path formula in negation normal form; None if it does not hold.

    After the last of `size` positions comes `loop`; None: the word ends there, a finite trace.
    `holds` tells exactly whether a state formula holds at a position. What can be seen by looking at
    propositions only is accounted for so; the alternative taken is the nearest, then the leftmost.
    """
    word = _Word(size, loop)
    visible, known = cache(_is_visible), cache(holds)
    exact = _Reading(word, path, known)
    if not exact.accepts(_Claim(path, path, 0)):
        return None
    plain = _Reading(word, path, lambda formula, position: visible(formula) and known(formula, position))
    return _followed(path, plain, exact)


def _is_visible(formula: Formula) -> bool:
    """Whether it is seen by looking at a state, or at who does what there."""
    return is_propositional(formula) or is_of_step(formula)


def _is_unfolded(formula: Formula) -> bool:
    return formula.is_path and not is_of_step(formula)


# -- operators unfolded ------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Part:
    """What an alternative asks for: a formula here or, `later`, at the next position.

    `inner`: it is not an operand of the operator that is unfolded, but what is left of itself.
    """

    formula: Formula
    later: bool = False
    inner: bool = False


#: Parts that must hold together.
_Alternative: TypeAlias = tuple[_Part, ...]


@dataclass(frozen=True)
class _Operator:
    """An operator, and all it unfolds to before its operands are reached."""

    whole: Formula
    unfolded: dict[Formula, tuple[_Alternative, ...]]

    @property
    def weak(self) -> bool:
        """It may go on for ever, or up to the end of the trace."""
        return isinstance(self.whole, f.WX | f.G | f.R | f.W | f.Box)

    @property
    def operands(self) -> Iterator[Formula]:
        for alternatives in self.unfolded.values():
            yield from (part.formula for parts in alternatives for part in parts if not part.inner)

    @cached_property
    def askers(self) -> dict[Formula, list[tuple[Formula, bool]]]:
        """What asks for a formula that is left, and whether it asks for it later."""
        found: dict[Formula, list[tuple[Formula, bool]]] = {}
        for formula, alternatives in self.unfolded.items():
            for part in (part for parts in alternatives for part in parts if part.inner):
                found.setdefault(part.formula, []).append((formula, part.later))
        return found


def _operator(whole: Formula, finite: bool) -> _Operator:
    unfolded: dict[Formula, tuple[_Alternative, ...]] = {}
    todo = [whole]
    while todo:
        formula = todo.pop()
        if formula not in unfolded:
            unfolded[formula] = tuple(_alternatives(whole, formula, finite))
            todo += [part.formula for parts in unfolded[formula] for part in parts if part.inner]
    return _Operator(whole, unfolded)


def _alternatives(whole: Formula, formula: Formula, finite: bool) -> Iterator[_Alternative]:
    """What the operator asks for when `formula` is left of it; the one that fulfils it comes first."""
    again = _Part(whole, later=True, inner=True)
    match formula:
        case f.And(left, right):
            yield _Part(left), _Part(right)
        case f.Or(left, right):
            yield (_Part(left),)
            yield (_Part(right),)
        case f.X(sub) | f.WX(sub):
            yield (_Part(sub, later=True),)
        case f.F(sub):
            yield (_Part(sub),)
            yield (again,)
        case f.G(sub):
            yield _Part(sub), again
        case f.U(left, right) | f.W(left, right):
            yield (_Part(right),)
            yield _Part(left), again
        case f.R(left, right):
            yield _Part(right), _Part(left)
            yield _Part(right), again
        case f.Diamond():
            assert isinstance(whole, f.Diamond)
            yield from _some_execution(whole, formula)
        case f.Box():
            assert isinstance(whole, f.Box)
            yield from _every_execution(whole, formula, finite)
        case _:
            raise TypeError(f"not a path formula in negation normal form: {formula!r}")


def _some_execution(whole: f.Diamond, formula: f.Diamond) -> Iterator[_Alternative]:
    sub = formula.sub
    match formula.program:
        case f.Letter(guard):
            yield _Part(guard), _rest(whole, sub, later=True)
        case f.Test(guard):
            yield _Part(guard), _rest(whole, sub)
        case f.Choice(left, right):
            yield (_rest(whole, f.Diamond(left, sub)),)
            yield (_rest(whole, f.Diamond(right, sub)),)
        case f.Seq(left, right):
            yield (_rest(whole, f.Diamond(left, f.Diamond(right, sub))),)
        case f.Star(program):
            yield (_rest(whole, sub),)
            yield (_rest(whole, f.Diamond(program, formula)),)
        case _:
            assert_never(formula.program)


def _every_execution(whole: f.Box, formula: f.Box, finite: bool) -> Iterator[_Alternative]:
    sub = formula.sub
    match formula.program:
        case f.Letter(guard) | f.Test(guard):
            yield (_Part(negation_normal_form(f.Not(guard), finite=finite)),)
            yield (_rest(whole, sub, later=isinstance(formula.program, f.Letter)),)
        case f.Choice(left, right):
            yield _rest(whole, f.Box(left, sub)), _rest(whole, f.Box(right, sub))
        case f.Seq(left, right):
            yield (_rest(whole, f.Box(left, f.Box(right, sub))),)
        case f.Star(program):
            yield _rest(whole, sub), _rest(whole, f.Box(program, formula))
        case _:
            assert_never(formula.program)


def _rest(whole: f.Diamond | f.Box, formula: Formula, *, later: bool = False) -> _Part:
    """What is left when a piece of the program is done: the operand, when all of it is."""
    return _Part(formula, later, inner=formula is not whole.sub)


# -- operators on a word -----------------------------------------------------------------------------


@dataclass(frozen=True)
class _Word:
    """A lasso that returns to `loop`, or a finite trace; with the operators that are read on it."""

    size: int
    loop: int | None

    @cached_property
    def operator(self) -> Callable[[Formula], _Operator]:
        return cache(lambda whole: _operator(whole, finite=self.loop is None))

    def place(self, part: _Part, position: int) -> int | None:
        """Where a part is to hold that is asked for at a position; None if the trace ends before."""
        if not part.later:
            return position
        return position + 1 if position + 1 < self.size else self.loop

    def before(self, position: int) -> tuple[int, ...]:
        """The positions this one comes after."""
        previous = (position - 1,) if position else ()
        return (*previous, self.size - 1) if position == self.loop else previous


class _Claim(NamedTuple):
    """At a position, of an operator `whole` there is `formula` left."""

    whole: Formula
    formula: Formula
    position: int


#: How far a claim is from being fulfilled: in positions, then in unfoldings.
_Rank: TypeAlias = tuple[float, int]
_NOW: _Rank = (0, 0)
_NEVER: _Rank = (math.inf, 0)


class _Reading:
    """Which claims hold when the oracle is believed, and how far they are from being fulfilled."""

    def __init__(self, word: _Word, path: Formula, holds: Oracle) -> None:
        self.word = word
        self._holds = holds
        self._ranks: dict[tuple[Formula, Formula], list[_Rank]] = {}
        fold(path, self._solve, self._operands)

    def accepts(self, claim: _Claim) -> bool:
        return self._rank(claim) != _NEVER

    def choice(self, claim: _Claim) -> _Alternative:
        """The alternative by which a claim that is accepted is fulfilled soonest.

        Ranks get smaller from claim to claim, so what must be fulfilled one day will be.
        """
        operator = self.word.operator(claim.whole)
        alternatives = operator.unfolded[claim.formula]
        return min(alternatives, key=lambda parts: self._cost(operator, parts, claim.position))

    def claims(self, claim: _Claim, parts: _Alternative) -> Iterator[_Claim]:
        """What an alternative of a claim asks for; at the end of a trace nothing of what is later."""
        for part in parts:
            position = self.word.place(part, claim.position)
            if position is not None:
                yield _Claim(claim.whole if part.inner else part.formula, part.formula, position)

    def _rank(self, claim: _Claim) -> _Rank:
        return self._ranks[claim.whole, claim.formula][claim.position]

    def _operands(self, whole: Node) -> Sequence[Node]:
        assert is_formula(whole)
        return tuple(self.word.operator(whole).operands) if _is_unfolded(whole) else ()

    def _solve(self, whole: Formula, _: tuple[None, ...]) -> None:
        """The ranks of a formula, from those of its operands."""
        if (whole, whole) in self._ranks:
            return
        if _is_unfolded(whole):
            self._settle(self.word.operator(whole))
        else:
            found = [self._holds(whole, position) for position in range(self.word.size)]
            self._ranks[whole, whole] = [_NOW if yes else _NEVER for yes in found]

    def _settle(self, operator: _Operator) -> None:
        """The greatest fixpoint of the claims about a weak operator, the least one of any other."""
        whole, size = operator.whole, self.word.size
        for formula in operator.unfolded:
            self._ranks[whole, formula] = [_NOW if operator.weak else _NEVER] * size
        # Backwards, as most claims ask for what follows.
        backwards = product(reversed(operator.unfolded), reversed(range(size)))
        todo = deque(_Claim(whole, formula, position) for formula, position in backwards)
        while todo:
            claim = todo.popleft()
            if self._changed(operator, claim):
                todo += self._askers(operator, claim)

    def _changed(self, operator: _Operator, claim: _Claim) -> bool:
        """Whether the rank of a claim is another now, by those of the claims it asks for."""
        ranks = self._ranks[claim.whole, claim.formula]
        costs = [self._cost(operator, parts, claim.position) for parts in operator.unfolded[claim.formula]]
        before, ranks[claim.position] = ranks[claim.position], min(costs)
        return ranks[claim.position] != before

    def _askers(self, operator: _Operator, claim: _Claim) -> Iterator[_Claim]:
        """The claims about the same operator that ask for this one."""
        for formula, later in operator.askers.get(claim.formula, ()):
            for position in self.word.before(claim.position) if later else (claim.position,):
                yield _Claim(claim.whole, formula, position)

    def _cost(self, operator: _Operator, parts: _Alternative, position: int) -> _Rank:
        """The rank an alternative gives; where an operator may go on for ever, distance is no matter."""
        steps, unfoldings = _NOW
        for part in parts:
            place = self.word.place(part, position)
            if place is None and operator.weak:
                continue
            key = operator.whole if part.inner else part.formula, part.formula
            rank = _NEVER if place is None else self._ranks[key][place]
            if rank == _NEVER:
                return _NEVER
            if not operator.weak:
                steps += part.later + (rank[0] if part.inner else 0)
                unfoldings += rank[1] + 1 if part.inner else 0
        return steps, unfoldings


# -- the account -------------------------------------------------------------------------------------


def _followed(path: Formula, plain: _Reading, exact: _Reading) -> Account:
    """All a formula rests on: each claim by propositions alone where that is enough."""
    needed: dict[tuple[int, Formula], None] = {}
    met: dict[tuple[int, Formula], None] = {}
    todo = [_Claim(path, path, 0)]
    seen = set(todo)
    while todo:
        claim = todo.pop()
        reading = plain if plain.accepts(claim) else exact
        if not _is_unfolded(claim.whole):
            if reading is exact:
                needed[claim.position, claim.whole] = None
            continue
        parts = reading.choice(claim)
        following = list(reading.claims(claim, parts))
        if _fulfils(claim.whole, parts):
            met[following[-1].position, claim.whole] = None
        todo += reversed([after for after in following if after not in seen])
        seen.update(following)
    return Account(_by_position(needed), _by_position(met))


def _fulfils(whole: Formula, parts: _Alternative) -> bool:
    """Whether the alternative is the end of something waited for."""
    waits = isinstance(whole, f.X | f.F | f.U | f.R | f.W | f.Diamond)
    return waits and not any(part.inner for part in parts)


def _by_position(places: Iterable[tuple[int, Formula]]) -> Places:
    return tuple(sorted(places, key=lambda place: place[0]))
