"""Problems in the AIGER format, for model checkers of others.

A latch begins with 0 there, so the first step chooses: as long as a latch has not `begun`, inputs stand for
the state, which must be initial. A run that does what is not allowed is dead from then on. Copies of the
state run beside each other, and each may wait: they reach together what each of them reaches.
"""

from __future__ import annotations

from knower.functions.circuit import FALSE, TRUE, Circuits, Literal
from knower.pdr.reduction import Problem
from knower.records import dataclass
from knower.sat.machine import COPY
from knower.sat.relation import substituted

#: Inputs that are made here have numbers from here on, out of the way of all others.
_NEW = 1 << 50


def aiger(problem: Problem) -> bytes:
    """The problem as a file in the binary format, with one output: something bad is reached."""
    return _file(*_sequential(problem))


@dataclass(frozen=True)
class _Latch:
    """A bit that begins with 0, by the number of its input, and what it becomes."""

    number: int
    becomes: Literal


def _sequential(problem: Problem) -> tuple[Circuits, list[_Latch], Literal]:
    circuits = problem.machine.circuits
    latches, alive, here = list[_Latch](), list[Literal](), dict[int, Literal]()
    for copy in range(problem.copies):
        made = _Copy(problem, copy)
        latches += made.latches
        alive.append(made.alive)
        here |= made.here
    bad = circuits.all([*alive, substituted(circuits, problem.bad, here)])
    return circuits, latches, bad


class _Copy:
    """One copy of the machine: its bits as they are, and the latches that keep them."""

    def __init__(self, problem: Problem, copy: int) -> None:
        machine, circuits, first = problem.machine, problem.machine.circuits, _NEW + copy * COPY
        begun, dead, waits = (circuits.input(first + k) for k in range(3))
        self.here: dict[int, Literal] = {}
        kept: dict[int, int] = {}
        for place, number in enumerate(machine.bits):
            kept[number] = first + 4 + 2 * place
            chosen = circuits.input(kept[number] + 1)
            self.here[number + copy * COPY] = circuits.ite(begun, circuits.input(kept[number]), chosen)

        def at(root: Literal) -> Literal:
            moved = {n: circuits.input(n + copy * COPY) for n in circuits.support(root)}
            return substituted(circuits, substituted(circuits, root, moved), self.here)

        starts = circuits.disj(begun, at(machine.initial))
        self.alive = circuits.conj(dead ^ 1, starts)
        goes_on = circuits.conj(self.alive, circuits.disj(waits, at(machine.allowed)))
        self.latches = [_Latch(first, TRUE), _Latch(first + 1, goes_on ^ 1)]
        for number, becomes in zip(machine.bits, machine.nexts, strict=True):
            now = self.here[number + copy * COPY]
            self.latches.append(_Latch(kept[number], circuits.ite(waits, now, at(becomes))))


# -- the file -------------------------------------------------------------------------------------------


def _file(circuits: Circuits, latches: list[_Latch], bad: Literal) -> bytes:
    roots = [*(latch.becomes for latch in latches), bad]
    kept = {latch.number for latch in latches}
    inputs = sorted(set().union(*map(circuits.support, roots)) - kept)
    numbering = _Numbering(circuits, [*inputs, *(latch.number for latch in latches)])
    codes = [numbering.code(root) for root in roots]
    gates = numbering.gates
    most = len(inputs) + len(latches) + len(gates)
    head = f"aig {most} {len(inputs)} {len(latches)} 1 {len(gates)}\n"
    body = "".join(f"{code}\n" for code in codes)
    return head.encode() + body.encode() + b"".join(_delta(*gate) for gate in gates)


def _delta(here: int, left: int, right: int) -> bytes:
    return _packed(here - left) + _packed(left - right)


def _packed(number: int) -> bytes:
    found = bytearray()
    while number >= 128:
        found.append(number & 127 | 128)
        number >>= 7
    return bytes([*found, number])


class _Numbering:
    """Gates as conjunctions of two, numbered from the inputs up."""

    def __init__(self, circuits: Circuits, inputs: list[int]) -> None:
        self._circuits = circuits
        self._codes = {0: 0}
        self._shared: dict[tuple[int, int], int] = {}
        self._next = 1
        self.gates: list[tuple[int, int, int]] = []
        for number in inputs:
            self._codes[circuits.input(number) >> 1] = 2 * self._next
            self._next += 1

    def code(self, root: Literal) -> int:
        todo = [root >> 1]
        while todo:
            place = todo[-1]
            missing = [below for below in self._circuits.below(place) if below not in self._codes]
            if place in self._codes or not missing:
                todo.pop()
                if place not in self._codes:
                    self._codes[place] = self._gate(*self._circuits.gate(place))
            else:
                todo += missing
        return self._of(root)

    def _of(self, literal: Literal) -> int:
        return self._codes[literal >> 1] ^ (literal & 1)

    def _gate(self, kind: str, operands: tuple[Literal, ...]) -> int:
        parts = [self._of(operand) for operand in operands]
        match kind:
            case "and":
                return self._both(*parts)
            case "xor":
                a, b = parts
                return self._both(self._both(a, b) ^ 1, self._both(a ^ 1, b ^ 1) ^ 1)
            case "ite":
                c, a, b = parts
                return self._both(self._both(c, a) ^ 1, self._both(c ^ 1, b) ^ 1) ^ 1
            case _:
                raise TypeError(f"no gate: {kind}")

    def _both(self, a: int, b: int) -> int:
        if FALSE in (a, b) or a == b ^ 1:
            return 0
        if 1 in (a, b) or a == b:
            return min(a, b) if a == b else a + b - 1
        pair = max(a, b), min(a, b)
        if pair not in self._shared:
            self._shared[pair] = 2 * self._next
            self.gates.append((2 * self._next, *pair))
            self._next += 1
        return self._shared[pair]
