"""Circuits as clauses with holes, stamped into a solver once per frame of time.

A `Stamp` is compiled once, by polarity (Plaisted and Greenbaum): its literal implies the circuits it
was made of. Time is a renaming: a frame fills the holes of the inputs with variables of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import TypeAlias

from knower.functions.circuit import FALSE, TRUE, Circuits, Literal
from knower.sat.solver import TRUE as ALWAYS
from knower.sat.solver import Clauses, Lit

#: Within a stamp: the number of a place, negative where it is negated. Place 1 is the stamp's own.
_Local: TypeAlias = int
_OWN = 1


class Stamp:
    """Clauses by which a literal implies that circuits are all true."""

    def __init__(self, circuits: Circuits, roots: Sequence[Literal]) -> None:
        self.inputs: dict[int, _Local] = {}
        self.clauses: list[tuple[_Local, ...]] = []
        self._circuits = circuits
        self._places: dict[int, _Local] = {}
        self._size = _OWN
        self._todo: list[Literal] = []
        self._asked: set[Literal] = set()
        self._compile(roots)

    def _compile(self, roots: Sequence[Literal]) -> None:
        """One clause per conjunct of the roots, then the gates below, once for each polarity."""
        for literal in self._conjuncts(roots):
            if literal == FALSE:
                self.clauses.append((-_OWN,))
            elif literal != TRUE:
                self.clauses.append((-_OWN, *self._disjuncts(literal)))
        while self._todo:
            self._define(self._todo.pop())

    # -- gates ------------------------------------------------------------------------------------------

    def _conjuncts(self, roots: Sequence[Literal]) -> Iterator[Literal]:
        """The conjunction taken apart, down to what is no conjunction."""
        seen: set[Literal] = set()
        todo = list(reversed(roots))
        while todo:
            literal = todo.pop()
            if literal in seen:
                continue
            seen.add(literal)
            kind, operands = self._circuits.gate(literal >> 1)
            if literal & 1 == 0 and kind == "and":
                todo += reversed(operands)
            else:
                yield literal

    def _disjuncts(self, literal: Literal) -> list[_Local]:
        """What a negated conjunction offers; a single literal otherwise."""
        kind, operands = self._circuits.gate(literal >> 1)
        if literal & 1 == 0 or kind != "and":
            return [self._local(literal)]
        parts = self._conjuncts(operands)
        return [self._local(part ^ 1) for part in parts]

    def _local(self, literal: Literal) -> _Local:
        """The place of a literal that must imply its gate; the gate is asked for in that polarity."""
        place = literal >> 1
        if place not in self._places:
            self._size += 1
            self._places[place] = self._size
            kind, operands = self._circuits.gate(place)
            if kind == "input":
                assert operands, "constants are folded"
                self.inputs[operands[0]] = self._size
        if literal not in self._asked:
            self._asked.add(literal)
            self._todo.append(literal)
        found = self._places[place]
        return -found if literal & 1 else found

    def _define(self, literal: Literal) -> None:
        kind, operands = self._circuits.gate(literal >> 1)
        here, negated = -self._local(literal), literal & 1
        match kind:
            case "and" if negated:
                self.clauses.append((here, *self._disjuncts(literal)))
            case "and":
                parts = self._conjuncts(operands)
                self.clauses += [(here, *self._disjuncts(part)) for part in parts]
            case "xor":
                self._define_xor(here, operands[0], operands[1] ^ negated)
            case "ite":
                self._define_ite(here, *(operands[0], operands[1] ^ negated, operands[2] ^ negated))

    def _define_xor(self, here: _Local, a: Literal, b: Literal) -> None:
        self.clauses.append((here, self._local(a), self._local(b)))
        self.clauses.append((here, self._local(a ^ 1), self._local(b ^ 1)))

    def _define_ite(self, here: _Local, condition: Literal, then: Literal, otherwise: Literal) -> None:
        self.clauses.append((here, self._local(condition ^ 1), self._local(then)))
        self.clauses.append((here, self._local(condition), self._local(otherwise)))

    # -- frames -----------------------------------------------------------------------------------------

    @cached_property
    def _inner(self) -> list[_Local]:
        outer = set(self.inputs.values())
        return [place for place in range(_OWN, self._size + 1) if place not in outer]

    def stamped(self, clauses: Clauses, variable: Callable[[int], Lit]) -> Lit:
        """The literal of a copy; `variable` tells what stands for the inputs."""
        if not self.clauses:
            return ALWAYS
        table = [0] * (2 * self._size + 1)  # a negative place counts from the end
        fresh = clauses.several(len(self._inner))
        for place, value in zip(self._inner, fresh, strict=True):
            table[place], table[-place] = value, -value
        for number, place in self.inputs.items():
            value = variable(number)
            table[place], table[-place] = value, -value
        clauses.add_all([[table[place] for place in clause] for clause in self.clauses])
        return table[_OWN]
