"""Whether states that are bad together can be reached: each of them, by a path of its own.

Knowledge is by observation, not by clock, so several copies of a system reach just what each of them
reaches. Frames are therefore of one copy: a tuple of cubes whose whole product is bad is excluded when one
of its cubes is, and is a counterexample when all of them are reached.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from knower.functions.circuit import Literal
from knower.pdr.consecution import ALWAYS
from knower.pdr.cubes import Cube, cube_of
from knower.pdr.trail import Moment, Trail
from knower.records import dataclass
from knower.sat.gates import Gates
from knower.sat.machine import COPY
from knower.sat.solver import Clauses, Lit


@dataclass(frozen=True, slots=True)
class Unsafe:
    """A reachable state for each copy, which are bad together; by these inputs, if it takes some."""

    moments: tuple[Moment, ...]
    inputs: dict[int, bool]


@dataclass(frozen=True, slots=True)
class Safe:
    """Cubes that are never reached: all others together are an inductive invariant."""

    cubes: tuple[Cube, ...]


Outcome: TypeAlias = Unsafe | Safe


class Prover:
    """One question about a trail: `bad` is a circuit over so many copies of the state."""

    def __init__(self, trail: Trail, bad: Literal, copies: int, clauses: Callable[[], Clauses]) -> None:
        self.trail = trail
        self.bad = bad
        self._copies = copies
        self._clauses = clauses()
        self._variables: dict[int, Lit] = {}
        machine = trail.machine
        gates = Gates(machine.circuits, self._clauses, self._variable)
        for copy in range(copies):
            for number in machine.bits:
                self._variable(number + copy * COPY)
        self._bad = gates.literal(bad)
        self._starts = [self._initial(copy) for copy in range(copies)]
        self._levels: list[Lit] = []
        for cube, level in trail.blocked:
            self._block(cube, level)

    def _initial(self, copy: int) -> Lit:
        machine, variable = self.trail.machine, self._variable
        gates = Gates(machine.circuits, self._clauses, lambda number: variable(number + copy * COPY))
        return gates.literal(machine.initial)

    def _variable(self, number: int) -> Lit:
        if number not in self._variables:
            self._variables[number] = self._clauses.fresh()
        return self._variables[number]

    def _block(self, cube: Cube, level: int) -> None:
        guard = () if level == ALWAYS else (-self._level(level),)
        for copy in range(self._copies):
            self._clauses.add((*guard, *(-self._literal(bit, copy) for bit in cube)))

    def _level(self, number: int) -> Lit:
        while len(self._levels) <= number:
            self._levels.append(self._clauses.fresh())
        return self._levels[number]

    def _literal(self, bit: int, copy: int) -> Lit:
        variable = self._variables[(bit >> 1) + copy * COPY]
        return -variable if bit & 1 else variable

    # -- the search -------------------------------------------------------------------------------------

    def outcome(self, progress: Callable[[int], None] = lambda frames: None) -> Outcome:
        """Frames are added until nothing bad is left in them for ever, or something bad is reached."""
        trail = self.trail
        trail.listeners.append(self._block)
        try:
            while True:
                progress(trail.top)
                found = self._cleared()
                if found is not None:
                    return found
                if trail.grow():
                    return Safe(tuple(trail.proved))
        finally:
            trail.listeners.remove(self._block)

    def _cleared(self) -> Unsafe | None:
        """Exclude what is bad from the top frame; what is bad and reached, if there is something."""
        while True:
            found = self._tuple()
            if found is None:
                return None
            cubes, inputs = found
            moments = self._reached(cubes)
            if moments is not None:
                return Unsafe(moments, inputs)

    def _reached(self, cubes: tuple[Cube, ...]) -> tuple[Moment, ...] | None:
        """A reachable state of each cube; None if one of them has none."""
        moments: list[Moment] = []
        for cube in cubes:
            moment = self.trail.reached(cube)
            if moment is None:
                return None
            moments.append(moment)
        return tuple(moments)

    def _tuple(self) -> tuple[tuple[Cube, ...], dict[int, bool]] | None:
        """Cubes whose product is bad, with a state of the top frame in each."""
        top = self.trail.top
        frame = self._starts if top == 0 else [self._level(top)]
        if not self._clauses.solve([self._bad, *frame]):
            return None
        values = {number: self._clauses.holds(literal) for number, literal in self._variables.items()}
        numbers = [number + copy * COPY for copy in range(self._copies) for number in self.trail.machine.bits]
        bits = {number: values.pop(number) for number in numbers}
        lifted = self.trail.lifting.to(bits, values, [self.bad])
        return tuple(self._part(lifted, copy) for copy in range(self._copies)), values

    def _part(self, lifted: dict[int, bool], copy: int) -> Cube:
        """What is said of one copy."""
        low, high = copy * COPY, (copy + 1) * COPY
        return cube_of({number - low: value for number, value in lifted.items() if low <= number < high})

    def close(self) -> None:
        self._clauses.forget()
