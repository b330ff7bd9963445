"""Paths that go on for ever and meet something again and again, as what can be reached.

`rounds`: all of it was met so many times over; if that is never so, no path goes on so (Claessen, Sorensson,
A liveness checking algorithm that counts, FMCAD 2012). `returning`: a state is remembered, and is there again
after all of it was met (Biere, Artho, Schuppan, Liveness checking as safety checking, FMICS 2002): if there
is such a path, this tells of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from knower.functions.circuit import TRUE, Circuits, Literal
from knower.pdr.cone import kept_for
from knower.pdr.reduction import Problem
from knower.pdr.trail import Moment
from knower.records import dataclass
from knower.sat.machine import Machine

#: The inputs of flags, of a counter, of what is to be remembered and of what is have numbers from here on.
_FLAGS, _COUNTER, _SAVING, _SAVED = 1 << 35, 1 << 36, 1 << 37, 1 << 38


@dataclass(frozen=True)
class Lasting:
    """A machine that follows a path, what it must meet for ever, and all that it looks at."""

    machine: Machine
    hits: tuple[Literal, ...]
    looks: tuple[Literal, ...]

    @property
    def _circuits(self) -> Circuits:
        return self.machine.circuits

    @property
    def in_cone(self) -> Lasting | None:
        """The same with the bits that matter only, which has more paths; None if most of them do."""
        small = kept_for(self.machine, (*self.hits, *self.looks))
        return None if small is None else replace(self, machine=small)

    def rounds(self, most: int) -> Problem:
        """Bad is to have met everything so many times over."""
        circuits, flags = self._circuits, self._flags
        met = [circuits.disj(*pair) for pair in zip(flags, self.hits, strict=True)]
        whole = circuits.all(met)
        count = [circuits.input(_COUNTER + 2 * k) for k in range(most)]
        becomes = {flag: circuits.conj(each, whole ^ 1) for flag, each in zip(flags, met, strict=True)}
        for now, earlier in zip(count, [TRUE, *count[:-1]], strict=True):
            becomes[now] = circuits.disj(now, circuits.conj(whole, earlier))
        return Problem(self._with(becomes), count[-1])

    def returning(self) -> Problem:
        """Bad is to be in the state that was remembered, after everything was met."""
        circuits, flags = self._circuits, self._flags
        saving, saved = circuits.input(_SAVING), circuits.input(_SAVING + 2)
        here = {number: circuits.input(number) for number in self.machine.bits}
        there = {number: circuits.input(number + _SAVED) for number in self.machine.bits}
        since, now = circuits.disj(saved, saving), circuits.conj(saving, saved ^ 1)
        becomes = {saved: since}
        for flag, hit in zip(flags, self.hits, strict=True):
            becomes[flag] = circuits.conj(since, circuits.disj(flag, hit))
        for number, kept in there.items():
            becomes[kept] = circuits.ite(now, here[number], kept)
        same = (circuits.same(here[number], kept) for number, kept in there.items())
        return Problem(self._with(becomes), circuits.all([saved, *flags, *same]))

    @property
    def _flags(self) -> list[Literal]:
        return [self._circuits.input(_FLAGS + 2 * k) for k in range(len(self.hits))]

    def _with(self, becomes: Mapping[Literal, Literal]) -> Machine:
        """The machine with more bits, all of which begin with false."""
        machine, circuits = self.machine, self._circuits
        numbers = (circuits.gate(bit >> 1)[1][0] for bit in becomes)
        begun = circuits.all([machine.initial, *(bit ^ 1 for bit in becomes)])
        bits, nexts = (*machine.bits, *numbers), (*machine.nexts, *becomes.values())
        return Machine(circuits, bits, nexts, machine.allowed, begun)


def came_back(path: list[Moment]) -> int:
    """The position of the state that was remembered, on a path that came back to it."""
    return next(place for place, after in enumerate(path[1:]) if after.bits[_SAVING + 2])
