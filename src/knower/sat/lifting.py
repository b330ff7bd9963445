"""States lifted to cubes of states that all have the same step, or are all of one kind.

The assignment of a state and of inputs decides a circuit; which bits of the state are needed for that, the
core of a question tells that has no answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from knower.functions.circuit import Literal
from knower.sat.gates import Gates
from knower.sat.machine import Machine
from knower.sat.solver import FALSE, TRUE, Clauses, Lit

#: Values of some bits, by the numbers of their inputs: all states that have them.
Cube: TypeAlias = dict[int, bool]

#: After so many questions a solver is made anew: each leaves a clause behind that says nothing any more.
_STALE = 2_000


class Lifting:
    """Cubes of a machine, or of circuits over several copies of its state."""

    def __init__(self, machine: Machine, clauses: Callable[[], Clauses]) -> None:
        self.machine = machine
        self._new = clauses
        self._asked = 0
        self._begin()

    def _begin(self) -> None:
        self._clauses = self._new()
        self._variables: dict[int, Lit] = {}
        self._gates = Gates(self.machine.circuits, self._clauses, self._variable)
        self._next = dict(zip(self.machine.bits, self.machine.nexts, strict=True))

    def _variable(self, number: int) -> Lit:
        if number not in self._variables:
            self._variables[number] = self._clauses.fresh()
        return self._variables[number]

    def to_step(self, bits: Cube, inputs: Cube, target: Cube, *also: Literal) -> Cube:
        """The states that by these inputs all step into a cube, and satisfy some circuits."""
        wanted = [self._next[number] ^ (not value) for number, value in target.items()]
        return self.to(bits, inputs, [self.machine.allowed, *wanted, *also])

    def to(self, bits: Cube, inputs: Cube, circuits: Iterable[Literal]) -> Cube:
        """The states (a part of `bits`) in which, by these inputs, all the circuits are true."""
        self._asked += 1
        if self._asked % _STALE == 0:
            self._clauses.forget()
            self._begin()
        wanted = dict.fromkeys(map(self._gates.literal, circuits))
        wanted.pop(TRUE, None)
        assert FALSE not in wanted, "what is lifted is so"
        denied = self._clauses.fresh()
        self._clauses.add((-denied, *(-literal for literal in wanted)))
        given = {self._variable(n) if value else -self._variable(n): n for n, value in bits.items()}
        fixed = [self._variable(n) if value else -self._variable(n) for n, value in inputs.items()]
        found = self._clauses.solve([denied, *fixed, *given])
        assert found is False, "what is lifted is so"
        needed = self._clauses.core()
        self._clauses.add((-denied,))
        return {n: bits[n] for literal, n in given.items() if literal in needed}
