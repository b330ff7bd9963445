"""One step of a machine in a solver, with the cubes that are blocked: what follows from the frames before."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from knower.pdr.cubes import Bit, Cube
from knower.sat.gates import Gates
from knower.sat.machine import Machine
from knower.sat.solver import FALSE, Clauses, Lit

#: After so many questions with a clause of their own a solver is made anew.
_STALE = 3_000
#: The level of what is blocked for ever.
ALWAYS = 0


class Consecution:
    """Clauses of the frames are there by level: frame `i` is what the levels from `i` on exclude."""

    def __init__(self, machine: Machine, clauses: Callable[[], Clauses]) -> None:
        self.machine = machine
        self._new = clauses
        self._begin()

    def _begin(self) -> None:
        self.clauses = self._new()
        self._variables: dict[int, Lit] = {}
        gates = Gates(self.machine.circuits, self.clauses, self._variable)
        for number in self.machine.bits:
            self._variable(number)
        self._next = dict(zip(self.machine.bits, map(gates.literal, self.machine.nexts), strict=True))
        self._allowed = gates.literal(self.machine.allowed)
        self._initial = gates.literal(self.machine.initial)
        self._levels: list[Lit] = []
        self._questions = 0

    def _variable(self, number: int) -> Lit:
        if number not in self._variables:
            self._variables[number] = self.clauses.fresh()
        return self._variables[number]

    def renewed(self, blocked: Iterable[tuple[Cube, int]]) -> None:
        """Begin anew with what is blocked, if the solver is full of clauses of earlier questions."""
        if self._questions > _STALE:
            self.clauses.forget()
            self._begin()
            for cube, level in blocked:
                self.block(cube, level)

    def block(self, cube: Cube, level: int) -> None:
        """Exclude a cube from the frames up to a level."""
        guard = () if level == ALWAYS else (-self._level(level),)
        self.clauses.add((*guard, *(-self._now(bit) for bit in cube)))

    def _level(self, number: int) -> Lit:
        while len(self._levels) <= number:
            self._levels.append(self.clauses.fresh())
        return self._levels[number]

    def _now(self, bit: Bit) -> Lit:
        variable = self._variables[bit >> 1]
        return -variable if bit & 1 else variable

    def _then(self, bit: Bit) -> Lit:
        literal = self._next[bit >> 1]
        return -literal if bit & 1 else literal

    # -- questions --------------------------------------------------------------------------------------

    def excluded(self, cube: Cube, frame: int, top: int, *, apart: bool = True) -> Cube | None:
        """A part of the cube that no state of a frame steps into; None: a state does.

        `apart`: no state of the frame that is outside of the cube.
        """
        after = {self._then(bit): bit for bit in cube}
        if FALSE in after:
            return frozenset([after[FALSE]])
        mine = [self._outside(cube)] if apart else []
        start = [self._initial] if frame == 0 else []
        levels = map(self._level, range(max(frame, 1), top + 1))
        found = self.clauses.solve([self._allowed, *mine, *start, *levels, *after])
        if found:
            return None
        core = self.clauses.core()
        for literal in mine:
            self.clauses.add((-literal,))
        return frozenset(bit for literal, bit in after.items() if literal in core)

    def _outside(self, cube: Cube) -> Lit:
        self._questions += 1
        mine = self.clauses.fresh()
        self.clauses.add((-mine, *(-self._now(bit) for bit in cube)))
        return mine

    def found(self) -> tuple[dict[int, bool], dict[int, bool]]:
        """The state that steps into the cube, and the inputs by which it does."""
        values = {number: self.clauses.holds(literal) for number, literal in self._variables.items()}
        bits = {number: values.pop(number) for number in self.machine.bits}
        return bits, values

    def successor(self, bits: Cube, inputs: Sequence[Bit]) -> dict[int, bool]:
        """What a state becomes by inputs."""
        fixed = [*map(self._now, bits), *(self._now(bit) for bit in inputs)]
        assert self.clauses.solve([self._allowed, *fixed]), "the step is there"
        return {number: self.clauses.holds(literal) for number, literal in self._next.items()}
