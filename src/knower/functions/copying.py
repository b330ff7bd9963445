"""Functions carried from one space to another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Generic, TypeVar

from knower.functions.protocol import Function, Space, Variable

S = TypeVar("S", bound=Function)
T = TypeVar("T", bound=Function)


class Copier(Generic[S, T]):
    """Carries functions over, each variable under another number. What it has carried it remembers."""

    def __init__(self, source: Space[S], target: Space[T], numbers: Mapping[Variable, Variable]) -> None:
        self._source = source
        self._target = target
        self._numbers = numbers
        self._done: dict[S, T] = {source.true: target.true, source.false: target.false}

    def __call__(self, function: S) -> T:
        """The function over there, built from its branches."""
        todo = [function]
        while todo:
            item = todo[-1]
            if item in self._done:
                todo.pop()
                continue
            variable, low, high = self._source.branches(item)
            waiting = [part for part in (low, high) if part not in self._done]
            todo += waiting
            if not waiting:
                bit = self._target.var(self._numbers[variable])
                self._done[item] = self._target.ite(bit, self._done[high], self._done[low])
        return self._done[function]
