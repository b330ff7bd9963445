"""One path from the initial states that grows step by step, in one solver that all questions share.

What is asked of a path is assumed, never asserted: a state may lack successors, and asserting three steps
would hide what goes wrong after one. Only where every state has a successor, steps are asserted: what follows
from them is then found once, not for each question again.
"""

from __future__ import annotations

from functools import partial

from knower.functions.circuit import TRUE as ALWAYS
from knower.functions.circuit import Literal
from knower.records import dataclass
from knower.sat.gates import Gates
from knower.sat.machine import Machine
from knower.sat.solver import TRUE, Clauses, Lit


@dataclass(frozen=True)
class Moment:
    """A state of a path as it was found: its bits, and the inputs that were taken there, by their numbers."""

    bits: dict[int, bool]
    inputs: dict[int, bool]


class Unfolding:
    """The frames of one path of a machine. Each is made once, of the one before.

    `total`: every state, reachable or not, has a successor.
    """

    def __init__(self, machine: Machine, clauses: Clauses, *, total: bool = False) -> None:
        self.machine = machine
        self.clauses = clauses
        self._total = total
        first = dict(zip(machine.bits, clauses.several(len(machine.bits)), strict=True))
        self._bits: list[dict[int, Lit]] = [first]
        self._inputs: list[dict[int, Lit]] = [{}]
        self._gates = [self._made(0)]
        self._reached = [TRUE]
        clauses.add((self.at(0, machine.initial),))
        self._so_far: dict[Literal, list[Lit]] = {}

    def at(self, place: int, circuit: Literal) -> Lit:
        """What says that a circuit is true after so many steps."""
        self._grow(place)
        return self._gates[place].literal(circuit)

    def reaches(self, steps: int) -> Lit:
        """What says that the path is one, for so many steps from the start."""
        self._grow(steps)
        while len(self._reached) <= steps:
            allowed = self._gates[len(self._reached) - 1].literal(self.machine.allowed)
            self._reached.append(self._stepped(self._reached[-1], allowed))
        return self._reached[steps]

    def _stepped(self, before: Lit, allowed: Lit) -> Lit:
        if self._total:
            self.clauses.add((allowed,))
            return before
        return self.clauses.all_of([before, allowed])

    def so_far(self, circuit: Literal, steps: int) -> Lit:
        """What says that a circuit is true in the first so many states."""
        if circuit == ALWAYS:
            return TRUE
        held = self._so_far.setdefault(circuit, [TRUE])
        while len(held) <= steps:
            held.append(self.clauses.all_of([held[-1], self.at(len(held) - 1, circuit)]))
        return held[steps]

    def code(self, place: int, bits: dict[int, bool]) -> list[Lit]:
        """What says that the path is in a state, or in a cube of them."""
        self._grow(place)
        frame = self._bits[place]
        return [frame[number] if value else -frame[number] for number, value in bits.items()]

    def found(self, steps: int) -> list[Moment]:
        """The path in the assignment found last."""
        return [self._moment(place) for place in range(steps + 1)]

    def _moment(self, place: int) -> Moment:
        return Moment(self._values(self._bits[place]), self._values(self._inputs[place]))

    def _values(self, literals: dict[int, Lit]) -> dict[int, bool]:
        holds = self.clauses.holds
        return {number: holds(literal) for number, literal in literals.items()}

    # -- frames -----------------------------------------------------------------------------------------

    def _grow(self, place: int) -> None:
        while len(self._bits) <= place:
            last = self._gates[-1]
            bits = zip(self.machine.bits, map(last.literal, self.machine.nexts), strict=True)
            self._bits.append(dict(bits))
            self._inputs.append({})
            self._gates.append(self._made(len(self._gates)))

    def _made(self, place: int) -> Gates:
        return Gates(self.machine.circuits, self.clauses, partial(self._variable, place))

    def _variable(self, place: int, number: int) -> Lit:
        bits, inputs = self._bits[place], self._inputs[place]
        if number in bits:
            return bits[number]
        if number not in inputs:
            inputs[number] = self.clauses.fresh()
        return inputs[number]
