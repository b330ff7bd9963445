"""The judge's reading of path formulas: where on one word a formula is established.

A word is a lasso or a finite trace; what is known of its states is asked from outside. Each operator
is read by its own definition in docs/logics.md: those of LTL as fixpoints over the positions, programs
as relations R(r) between positions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias, assert_never

from knower.logic import formula as f
from knower.logic.fold import fold, subprograms
from knower.logic.formula import Formula, FormulaNode, Program, ProgramNode
from knower.logic.node import Node, node
from knower.logic.rewrite import negation_normal_form

#: A set of positions: bit k is set iff k is a member. Words may be long, and all operations are cheap.
_Set: TypeAlias = int
#: The positions an execution of a program may end in, by the position it begins in.
_Relation: TypeAlias = tuple[_Set, ...]


def positions_where(
    path: Formula, size: int, loop: int | None, holds: Callable[[Formula, int], bool]
) -> frozenset[int]:
    """The positions of a word where a path formula in negation normal form is established.

    After the last of `size` positions comes `loop`; None: the word ends there, a finite trace.
    `holds` tells whether a state formula, or who does what, is established at a position; if it is not, that
    does not establish its negation.
    """
    return frozenset(_members(_Word(size, loop, holds).where(path)))


@node
class _Unless(ProgramNode):
    """A test in a box: no step, unless the formula is established (the negation of what is tested)."""

    guard: Formula


@node
class _StepUnless(ProgramNode):
    """A letter in a box: a step, unless the formula is established (the negation of the letter)."""

    guard: Formula


_AnyProgram: TypeAlias = Program | _Unless | _StepUnless


class _Word:
    """The positions of a word, and the sets and relations formulas and programs denote on them."""

    def __init__(self, size: int, loop: int | None, holds: Callable[[Formula, int], bool]) -> None:
        self.positions = range(size)
        self.loop = loop
        self.holds = holds
        self.everywhere: _Set = (1 << size) - 1
        self.last: _Set = 1 << (size - 1)
        self._boxed: dict[Program, _AnyProgram] = {}

    def where(self, path: Formula) -> _Set:
        found = fold(path, self._denoted, self._operands)
        assert isinstance(found, int)
        return found

    def _operands(self, item: Node) -> Sequence[Node]:
        match item:
            case FormulaNode() if not item.is_path or _is_of_step(item):
                return ()
            case f.Box(program, sub):
                return self._in_a_box(program), sub
            case _:
                return item.children

    def _in_a_box(self, program: Program) -> _AnyProgram:
        """The program with its tests negated.

        Equal programs give the same object, else boxes in tests in boxes would be read ever so often.
        """

        def step(item: Node, below: tuple[Node, ...]) -> Node:
            if isinstance(item, f.Test | f.Letter):
                kind = _Unless if isinstance(item, f.Test) else _StepUnless
                return kind(negation_normal_form(f.Not(item.guard), finite=self.loop is None))
            return item.with_children(below) if below else item

        if program not in self._boxed:
            boxed = fold(program, step, subprograms)
            assert isinstance(boxed, _AnyProgram)
            self._boxed[program] = boxed
        return self._boxed[program]

    def _denoted(self, item: Formula | _AnyProgram, below: tuple[Any, ...]) -> _Set | _Relation:
        match item:
            case ProgramNode():
                return self._relation(item, *below)
            case f.Diamond():
                return self._before(*below)
            case f.Box():
                return self._not_before(*below)
            case _ if item.is_path and not _is_of_step(item):
                return self._path(item, *below)
            case _:
                return sum(1 << k for k in self.positions if self.holds(item, k))

    # -- formulas ----------------------------------------------------------------------------------

    def _path(self, formula: Formula, a: _Set, b: _Set = 0) -> _Set:
        """Where a formula is established, from where its operands are."""
        match formula:
            case f.And():
                return a & b
            case f.Or():
                return a | b
            case f.X():
                return self._next(a)
            case f.WX():
                return self._weak_next(a)
            case f.F():
                return self._least(lambda z: a | self._next(z))
            case f.G():
                return self._greatest(lambda z: a & self._weak_next(z))
            case f.U():
                return self._least(lambda z: b | a & self._next(z))
            case f.W():
                return self._greatest(lambda z: b | a & self._weak_next(z))
            case f.R():
                return self._greatest(lambda z: b & (a | self._weak_next(z)))
            case _:
                raise TypeError(f"not a path formula in negation normal form: {formula!r}")

    def _next(self, goal: _Set) -> _Set:
        """Where there is a next position, and it is in the goal."""
        around = self.loop is not None and goal >> self.loop & 1
        return goal >> 1 | (self.last if around else 0)

    def _weak_next(self, goal: _Set) -> _Set:
        """Where the next position, if there is one, is in the goal."""
        return self._next(goal) | (self.last if self.loop is None else 0)

    def _least(self, step: Callable[[_Set], _Set]) -> _Set:
        return _stable(0, step)

    def _greatest(self, step: Callable[[_Set], _Set]) -> _Set:
        return _stable(self.everywhere, step)

    def _before(self, relation: _Relation, goal: _Set) -> _Set:
        """Where an execution begins that ends in the goal."""
        return sum(1 << k for k in self.positions if relation[k] & goal)

    def _not_before(self, relation: _Relation, goal: _Set) -> _Set:
        """Where no execution begins that ends outside the goal."""
        return self.everywhere & ~self._before(relation, self.everywhere & ~goal)

    # -- programs ----------------------------------------------------------------------------------

    def _relation(self, program: _AnyProgram, a: Any, b: Any = None) -> _Relation:
        match program:
            case f.Letter():
                return tuple(self._after(k) if a >> k & 1 else 0 for k in self.positions)
            case f.Test():
                return tuple(1 << k if a >> k & 1 else 0 for k in self.positions)
            case _StepUnless():
                return tuple(0 if a >> k & 1 else self._after(k) for k in self.positions)
            case _Unless():
                return tuple(0 if a >> k & 1 else 1 << k for k in self.positions)
            case f.Choice():
                return tuple(one | other for one, other in zip(a, b, strict=True))
            case f.Seq():
                return tuple(_union(b[k] for k in _members(ends)) for ends in a)
            case f.Star():
                return _closed(a)
            case _:
                assert_never(program)

    def _after(self, position: int) -> _Set:
        if position + 1 < len(self.positions):
            return 1 << (position + 1)
        return 0 if self.loop is None else 1 << self.loop


def _is_of_step(item: Node) -> bool:
    """`Agent.Action = a`, or its negation."""
    return isinstance(item, f.Does) or (isinstance(item, f.Not) and isinstance(item.sub, f.Does))


def _stable(start: _Set, step: Callable[[_Set], _Set]) -> _Set:
    """Where a monotone step leads to from the empty set or the full one: a fixpoint."""
    while (after := step(start)) != start:
        start = after
    return start


def _closed(relation: _Relation) -> _Relation:
    """The reflexive-transitive closure: by way of ever more positions (Warshall's algorithm)."""
    ends = [row | 1 << k for k, row in enumerate(relation)]
    for way in range(len(ends)):
        ends = [row | ends[way] if row >> way & 1 else row for row in ends]
    return tuple(ends)


def _union(sets: Iterator[_Set]) -> _Set:
    whole = 0
    for some in sets:
        whole |= some
    return whole


def _members(some: _Set) -> Iterator[int]:
    while some:
        lowest = some & -some
        yield lowest.bit_length() - 1
        some ^= lowest
