"""The bits that something depends on, by any number of steps; the others are left to chance.

More paths than there are: where nothing bad is reached by them, nothing is. What is reached by them is
looked for again on the whole, where another agent may stand in the way.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from knower.functions.circuit import Literal
from knower.sat.machine import COPY, Machine

#: Fewer bits are worth an attempt if they are at most this part of all.
_SHARE = 0.8


def kept_for(machine: Machine, roots: Iterable[Literal]) -> Machine | None:
    """The machine with the bits that matter to circuits only; None if most of them do."""
    nexts = dict(zip(machine.bits, machine.nexts, strict=True))
    todo = [number % COPY for root in roots for number in machine.circuits.support(root)]
    kept: set[int] = set()
    while todo:
        number = todo.pop()
        if number in nexts and number not in kept:
            kept.add(number)
            todo += machine.circuits.support(nexts[number])
    if len(kept) > _SHARE * len(machine.bits):
        return None
    bits = tuple(number for number in machine.bits if number in kept)
    return replace(machine, bits=bits, nexts=tuple(nexts[number] for number in bits))
