"""Path formulas along a lasso: a literal for each formula and position.

What must come true one day does so after finitely many rounds of the loop: each round has literals of
its own, and there are as many as the program has states. What may go on for ever refers back to
itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from knower.logic import formula as f
from knower.logic.formula import Formula, Program
from knower.sat.paths import Loop
from knower.sat.programs import Option, options, refuted, states_of
from knower.sat.solver import FALSE, TRUE, Clauses, Lit

#: A literal for each position.
Row: TypeAlias = Sequence[Lit]
#: By what is left of a program, at one position.
_Column: TypeAlias = dict[Program, Lit]


class Along:
    """Reads path formulas in normal form; `names` tells of state formulas, and of steps, at a position."""

    def __init__(self, clauses: Clauses, loop: Loop, names: Callable[[Formula, int], Lit]) -> None:
        self.clauses = clauses
        self.loop = loop
        self.positions = range(loop.last + 1)
        self._names = names
        self._rows: dict[Formula, Row] = {}

    def first(self, formula: Formula) -> Lit:
        """A literal that implies the formula at the first position."""
        match formula:
            case f.And(left, right):
                return self.clauses.all_of([self.first(left), self.first(right)])
            case f.Or(left, right):
                return self.clauses.any_of([self.first(left), self.first(right)])
            case f.Atom() | f.Not():
                return self._names(formula, 0)
            case _:
                return self.row(formula)[0]

    def row(self, formula: Formula) -> Row:
        """Literals that imply the formula, position by position."""
        if formula not in self._rows:
            self._rows[formula] = self._row(formula)
        return self._rows[formula]

    def _row(self, formula: Formula) -> Row:
        match formula:
            case f.Constant(value):
                return [TRUE if value else FALSE] * len(self.positions)
            case f.Atom() | f.Not() | f.Does():
                return [self._names(formula, position) for position in self.positions]
            case f.And(left, right):
                return [
                    self.clauses.all_of(pair) for pair in zip(self.row(left), self.row(right), strict=True)
                ]
            case f.Or(left, right):
                return [
                    self.clauses.any_of(pair) for pair in zip(self.row(left), self.row(right), strict=True)
                ]
            case f.Diamond(program, sub):
                return [column[program] for column in self._some(program, self.row(sub))]
            case f.Box(program, sub):
                return [column[program] for column in self._every(program, self.row(sub))]
            case _:
                raise TypeError(f"not a path formula in normal form: {formula!r}")

    # -- some execution: rounds, from the last to the first ---------------------------------------------

    def _some(self, program: Program, goal: Row) -> list[_Column]:
        states = states_of(program)
        never = dict.fromkeys(states, FALSE)
        found = self._round(states, goal, never)
        for _ in states:
            found = self._round(states, goal, self._returned(found, states))
        return found

    def _round(self, states: Sequence[Program], goal: Row, after: _Column) -> list[_Column]:
        columns: list[_Column] = []
        for position in reversed(self.positions):
            here = {state: self._done(state, position, goal, after) for state in states}
            columns.append(here)
            after = here
        return columns[::-1]

    def _done(self, state: Program, position: int, goal: Row, after: _Column) -> Lit:
        """One of the things the program can do next is done."""
        return self.clauses.any_of(
            self.clauses.all_of([*self._guards(option, position), _rest(option, position, goal, after)])
            for option in options(state)
        )

    def _guards(self, option: Option, position: int) -> Iterator[Lit]:
        yield from (self.row(test)[position] for test in option.tests)
        if option.guard is not None:
            yield self.row(option.guard)[position]

    # -- every execution --------------------------------------------------------------------------------

    def _every(self, program: Program, goal: Row) -> list[_Column]:
        states = states_of(program)
        columns: list[_Column] = [{state: self.clauses.fresh() for state in states} for _ in self.positions]
        following = [*columns[1:], self._returned(columns, states)]
        for position in self.positions:
            for state in states:
                bound = self._bound(state, position, goal, following[position])
                self.clauses.add((-columns[position][state], bound))
        return columns

    def _bound(self, state: Program, position: int, goal: Row, after: _Column) -> Lit:
        """Whatever the program can do next cannot be done, or leads to what is asked."""
        return self.clauses.all_of(
            self.clauses.any_of([*self._misses(option, position), _rest(option, position, goal, after)])
            for option in options(state)
        )

    def _misses(self, option: Option, position: int) -> Iterator[Lit]:
        yield from (self.row(refuted(test))[position] for test in option.tests)
        if option.guard is not None:
            yield self.row(refuted(option.guard))[position]

    # -- from the last position on ----------------------------------------------------------------------

    def _returned(self, columns: Sequence[_Column], states: Sequence[Program]) -> _Column:
        """What holds where the loop returns to."""
        return {state: self._back(column[state] for column in columns) for state in states}

    def _back(self, row: Iterator[Lit]) -> Lit:
        there = self.clauses.fresh()
        for returns, literal in zip(self.loop.back, row, strict=True):
            self.clauses.add((-there, -returns, literal))
        return there


def _rest(option: Option, position: int, goal: Row, after: _Column) -> Lit:
    """What is left: the goal here if the program is done, else the rest of it at the next position."""
    return goal[position] if option.rest is None else after[option.rest]
