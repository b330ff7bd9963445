"""When a bounded search looks at the part of the states it knows, and when it ends."""

from __future__ import annotations

import time
from collections.abc import Hashable, Iterator
from contextlib import contextmanager

from knower.checking.heuristics import Looks, heuristic
from knower.options import NUMBERED_HEURISTICS, Search


class Looking:
    """A heuristic and a bound, with the looks so far: for each question its own, or a dear one would keep
    those from being asked that take no time."""

    def __init__(self, bounds: Search) -> None:
        self._bound = bounds.bound
        self._heuristic = heuristic(bounds.heuristic)
        self._began = time.process_time()
        self._looks: dict[Hashable, Looks] = {}

    @staticmethod
    def counts_steps(bounds: Search) -> bool:
        """Whether somebody has said how many steps to go."""
        return bounds.bound is not None or heuristic(bounds.heuristic).name in NUMBERED_HEURISTICS

    @staticmethod
    def strategy(bounds: Search) -> str:
        """How to explore: steps that are counted are taken one by one."""
        return "frontier" if Looking.counts_steps(bounds) else "auto"

    def wants(self, question: Hashable, depth: int, nodes: int, among: int = 1) -> bool:
        """Whether to ask a question, one of so many, at this depth, with diagrams of so many nodes."""
        return depth == self._bound or self._heuristic.wants(self._of(question), depth, nodes, among)

    @contextmanager
    def look(self, question: Hashable, depth: int, nodes: int) -> Iterator[None]:
        """Ask it, and remember how long that takes."""
        began = time.process_time()
        try:
            yield
        finally:
            self._of(question).took(time.process_time() - began, depth, nodes)

    def _of(self, question: Hashable) -> Looks:
        return self._looks.setdefault(question, Looks(self._began))

    def is_over(self, depth: int) -> bool:
        """Whether nobody wants to go further."""
        one_shot = self._heuristic.name == "one-shot" and depth >= self._heuristic.number
        return one_shot or (self._bound is not None and depth >= self._bound)
