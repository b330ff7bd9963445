"""Hash-consed circuits: the neutral form between a model and any engine.

A literal is a number: twice a gate's place, plus one when it is negated. Gate 0 is the constant,
so `FALSE` is 0 and `TRUE` is 1. Equal gates are made once, and constants are folded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import TypeAlias

from knower.functions.protocol import F, Space

Literal: TypeAlias = int
FALSE, TRUE = 0, 1

_INPUT, _AND, _XOR, _ITE = "input", "and", "xor", "ite"
Gate: TypeAlias = tuple[str, tuple[int, ...]]


class Circuits:
    """A growing set of gates over numbered inputs."""

    def __init__(self) -> None:
        self._gates: list[Gate] = [(_INPUT, ())]  # the constant, never looked at
        self._places: dict[Gate, int] = {}
        self._uses: list[int] = []  # by how many gates a gate is used, as far as they are counted

    def __len__(self) -> int:
        return len(self._gates)

    def _made(self, kind: str, operands: tuple[int, ...]) -> Literal:
        gate = kind, operands
        place = self._places.get(gate)
        if place is None:
            place = self._places[gate] = len(self._gates)
            self._gates.append(gate)
        return 2 * place

    def gate(self, place: int) -> Gate:
        """The kind of a gate and its operands."""
        return self._gates[place]

    def input(self, number: int) -> Literal:
        return self._made(_INPUT, (number,))

    def conj(self, a: Literal, b: Literal) -> Literal:
        if a > b:
            a, b = b, a
        if a == FALSE or a ^ 1 == b:
            return FALSE
        if a in (TRUE, b):
            return b
        return self._made(_AND, (a, b))

    def disj(self, a: Literal, b: Literal) -> Literal:
        return self.conj(a ^ 1, b ^ 1) ^ 1

    def xor(self, a: Literal, b: Literal) -> Literal:
        negated = (a ^ b) & 1
        a, b = sorted((a & ~1, b & ~1))
        if a == b:
            return FALSE ^ negated
        if a == FALSE:
            return b ^ negated
        return self._made(_XOR, (a, b)) ^ negated

    def same(self, a: Literal, b: Literal) -> Literal:
        return self.xor(a, b) ^ 1

    def ite(self, condition: Literal, then: Literal, otherwise: Literal) -> Literal:
        if condition & 1:
            condition, then, otherwise = condition ^ 1, otherwise, then
        if condition == FALSE or then == otherwise:
            return otherwise
        if then in (FALSE, TRUE) or otherwise in (FALSE, TRUE) or then == otherwise ^ 1:
            return self.disj(self.conj(condition, then), self.conj(condition ^ 1, otherwise))
        return self._made(_ITE, (condition, then, otherwise))

    def all(self, literals: Iterable[Literal]) -> Literal:
        """The conjunction, as a balanced tree in the order given."""
        items, join = list(literals), self.conj
        while len(items) > 1:
            pairs = [join(items[k], items[k + 1]) for k in range(0, len(items) - 1, 2)]
            items = pairs + items[len(items) & ~1 :]
        return items[0] if items else TRUE

    def any(self, literals: Iterable[Literal]) -> Literal:
        """The disjunction, as a balanced tree in the order given."""
        return self.all([literal ^ 1 for literal in literals]) ^ 1

    def below(self, place: int) -> tuple[int, ...]:
        """The gates that a gate uses."""
        kind, operands = self._gates[place]
        return () if kind is _INPUT else tuple(operand >> 1 for operand in operands)

    def conjuncts(self, place: int) -> list[Literal]:
        """What a conjunction consists of; what others use too is not taken apart."""
        self._count_uses()
        gates, uses = self._gates, self._uses
        found: dict[Literal, None] = {}
        todo = list(gates[place][1])
        while todo:
            literal = todo.pop()
            if literal & 1 or uses[literal >> 1] > 1 or gates[literal >> 1][0] is not _AND:
                found[literal] = None
            else:
                todo += gates[literal >> 1][1]
        return list(found)

    def _count_uses(self) -> None:
        """Uses by the gates that were made since they were counted."""
        uses, known = self._uses, len(self._uses)
        if known == len(self._gates):
            return
        uses += [0] * (len(self._gates) - known)
        for kind, operands in islice(self._gates, known, None):
            if kind is not _INPUT:
                for operand in operands:
                    uses[operand >> 1] += 1

    def support(self, literal: Literal) -> set[int]:
        """The inputs below a literal."""
        found: set[int] = set()
        seen: set[int] = set()
        todo = [literal >> 1]
        while todo:
            place = todo.pop()
            if place in seen or place == 0:
                continue
            seen.add(place)
            kind, operands = self._gates[place]
            if kind is _INPUT:
                found.add(operands[0])
            else:
                todo += [operand >> 1 for operand in operands]
        return found


#: A conjunction of literals, by functions for them that are there already.
Conjoined: TypeAlias = Callable[[Sequence[Literal], Callable[[Literal], F]], F]


class Built(dict[int, F]):
    """Circuits as functions of a space: each gate is built once, when it is first asked for.

    `conjoined`: how conjunctions of more than two literals are made; else in pairs, as they are written.
    """

    def __init__(
        self,
        circuits: Circuits,
        space: Space[F],
        inputs: Callable[[int], F],
        conjoined: Conjoined[F] | None = None,
    ) -> None:
        super().__init__({0: space.false})
        self._circuits = circuits
        self._space = space
        self._inputs = inputs
        self._conjoined = conjoined

    def function(self, literal: Literal) -> F:
        place = literal >> 1
        if place not in self:
            self._build(place)
        found = self[place]
        return ~found if literal & 1 else found

    def forget(self) -> None:
        """Let go of all that was built: it is built again when it is asked for."""
        self.clear()
        self[0] = self._space.false

    def functions(self, literals: Sequence[Literal]) -> list[F]:
        return [self.function(literal) for literal in literals]

    def _build(self, root: int) -> None:
        """Operands first, with an explicit stack: circuits are deep."""
        todo = [root]
        taken_apart: dict[int, Sequence[Literal]] = {}
        while todo:
            place = todo[-1]
            if place in self:
                todo.pop()
                continue
            kind, operands = self._circuits.gate(place)
            if kind is _INPUT:
                self[place] = self._inputs(operands[0])
                continue
            literals: Sequence[Literal] = operands
            if kind is _AND and self._conjoined:
                literals = taken_apart.pop(place, ()) or self._circuits.conjuncts(place)
            missing = [literal >> 1 for literal in literals if literal >> 1 not in self]
            if missing:
                taken_apart[place] = literals
                todo += missing
                continue
            self[place] = self._gate(kind, literals)

    def _gate(self, kind: str, literals: Sequence[Literal]) -> F:
        if len(literals) > 2 and kind is _AND and self._conjoined:
            return self._conjoined(literals, self.function)
        operands = self.functions(literals)
        if kind is _AND:
            return operands[0] & operands[1]
        if kind is _XOR:
            return self._space.xor(*operands)
        return self._space.ite(*operands)
