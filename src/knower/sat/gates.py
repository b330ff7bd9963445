"""Circuits as clauses, gate by gate and both ways: a literal is true just where its circuit is.

A `Stamp` only implies what it stands for; where a circuit is asked about in both polarities, or an
assignment of its inputs is to tell its value, gates are needed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from knower.functions.circuit import Circuits, Literal
from knower.sat.solver import FALSE, Clauses, Lit


class Gates:
    """Literals of circuits in one solver; `variable` tells what stands for the inputs."""

    def __init__(self, circuits: Circuits, clauses: Clauses, variable: Callable[[int], Lit]) -> None:
        self._circuits = circuits
        self._clauses = clauses
        self._variable = variable
        self._made: dict[int, Lit] = {0: FALSE}

    def literal(self, literal: Literal) -> Lit:
        """The literal of a circuit."""
        place = literal >> 1
        if place not in self._made:
            self._build(place)
        found = self._made[place]
        return -found if literal & 1 else found

    def _build(self, root: int) -> None:
        """Operands first, with an explicit stack: circuits are deep."""
        todo, made = [root], self._made
        while todo:
            place = todo[-1]
            kind, operands = self._circuits.gate(place)
            if place in made or kind == "input":
                todo.pop()
                if place not in made:
                    made[place] = self._variable(operands[0])
                continue
            parts = self._circuits.conjuncts(place) if kind == "and" else operands
            missing = [part >> 1 for part in parts if part >> 1 not in made]
            if missing:
                todo += missing
                continue
            todo.pop()
            made[place] = self._gate(kind, [self.literal(part) for part in parts])

    def _gate(self, kind: str, parts: Sequence[Lit]) -> Lit:
        here = self._clauses.fresh()
        match kind, parts:
            case "and", _:
                self._clauses.add_all([(-here, part) for part in parts])
                self._clauses.add((here, *(-part for part in parts)))
            case "xor", (a, b):
                self._clauses.add_all([(-here, a, b), (-here, -a, -b), (here, -a, b), (here, a, -b)])
            case "ite", (c, a, b):
                choice = [(-here, -c, a), (-here, c, b), (here, -c, -a), (here, c, -b)]
                self._clauses.add_all([*choice, (-here, a, b), (here, -a, -b)])
            case _:
                raise TypeError(f"no gate: {kind}")
        return here
