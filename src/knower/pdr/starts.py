"""The initial states of a machine, in a solver of their own."""

from __future__ import annotations

from collections.abc import Callable

from knower.pdr.cubes import Bit, Cube
from knower.sat.gates import Gates
from knower.sat.machine import Machine
from knower.sat.solver import Clauses, Lit


class Starts:
    """Which cubes have initial states."""

    def __init__(self, machine: Machine, clauses: Callable[[], Clauses]) -> None:
        self._clauses = clauses()
        self._bits = machine.bits
        self._variables = dict(zip(machine.bits, self._clauses.several(len(machine.bits)), strict=True))
        gates = Gates(machine.circuits, self._clauses, self._variable)
        self._clauses.add((gates.literal(machine.initial),))

    def _variable(self, number: int) -> Lit:
        if number not in self._variables:
            self._variables[number] = self._clauses.fresh()
        return self._variables[number]

    def _literal(self, bit: Bit) -> Lit:
        variable = self._variables[bit >> 1]
        return -variable if bit & 1 else variable

    def meets(self, cube: Cube) -> bool:
        """Whether some state of the cube is initial."""
        return bool(self._clauses.solve([*map(self._literal, cube)]))

    def leave_out(self, cube: Cube) -> None:
        """From now on the states of a cube do not count."""
        self._clauses.add([-literal for literal in map(self._literal, cube)])

    def state(self, cube: Cube) -> dict[int, bool]:
        """An initial state of a cube that has one."""
        assert self.meets(cube), "there is one"
        return {number: self._clauses.holds(self._variables[number]) for number in self._bits}

    def beside(self, part: Cube, cube: Cube) -> Cube:
        """A part of a cube without initial states, with as much more of it as is needed to have none."""
        if not self.meets(part):
            return part
        assert not self.meets(cube), "the whole cube has none"
        core = self._clauses.core()
        return part | {bit for bit in cube if self._literal(bit) in core}
