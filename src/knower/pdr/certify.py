"""Invariants, checked at once by a solver of another make: nothing is proved that does not check."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from knower.pdr.cubes import Bit, Cube
from knower.pdr.reduction import Problem
from knower.sat.gates import Gates
from knower.sat.machine import COPY, Spelling
from knower.sat.solver import Clauses, Lit
from knower.verdict.certificate import Invariant


def mistake(problem: Problem, cubes: Sequence[Cube], clauses: Callable[[], Clauses]) -> str | None:
    """What is wrong with an invariant that excludes cubes; None if it proves that nothing bad is reached."""
    solver = clauses()
    try:
        return next(_mistakes(_Check(problem, cubes, solver)), None)
    finally:
        solver.forget()


class _Check:
    """The machine, the invariant of each copy of the state, and what is bad."""

    def __init__(self, problem: Problem, cubes: Sequence[Cube], clauses: Clauses) -> None:
        self.clauses = clauses
        self.cubes = cubes
        self._variables: dict[int, Lit] = {}
        machine = problem.machine
        gates = Gates(machine.circuits, clauses, self._variable)
        self.initial = gates.literal(machine.initial)
        self.allowed = gates.literal(machine.allowed)
        self.bad = gates.literal(problem.bad)
        self._next = dict(zip(machine.bits, map(gates.literal, machine.nexts), strict=True))
        self.kept = clauses.fresh()
        for copy in range(problem.copies):
            clauses.add_all([(-self.kept, *(-self.now(bit, copy) for bit in cube)) for cube in cubes])

    def _variable(self, number: int) -> Lit:
        if number not in self._variables:
            self._variables[number] = self.clauses.fresh()
        return self._variables[number]

    def now(self, bit: Bit, copy: int = 0) -> Lit:
        variable = self._variable((bit >> 1) + copy * COPY)
        return -variable if bit & 1 else variable

    def then(self, bit: Bit) -> Lit:
        literal = self._next[bit >> 1]
        return -literal if bit & 1 else literal


def _mistakes(check: _Check) -> Iterator[str]:
    """Initiation, consecution, safety."""
    solve = check.clauses.solve
    for cube in check.cubes:
        if solve([check.initial, *map(check.now, cube)]):
            yield "an initial state is excluded"
        if solve([check.kept, check.allowed, *map(check.then, cube)]):
            yield "a step leads out of the invariant"
    if solve([check.kept, check.bad]):
        yield "the invariant has bad states"


def invariant(cubes: Sequence[Cube], spelling: Spelling, excludes: str) -> Invariant:
    """The invariant that excludes cubes, by the names of bits."""

    def named(bit: Bit) -> str:
        number = bit >> 1
        name = spelling.names.get(number, f"phase[{number}]")
        return name if bit & 1 else f"!{name}"

    clauses = sorted(tuple(sorted(map(named, cube))) for cube in cubes)
    return Invariant(excludes, tuple(clauses))
