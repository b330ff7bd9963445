"""When a bounded search looks at the part of the states it knows, and when it ends."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from knower.checking.heuristics import Looks, heuristic
from knower.options import NUMBERED_HEURISTICS, Search


class Looking:
    """A heuristic and a bound, with the looks so far."""

    def __init__(self, bounds: Search) -> None:
        self._bound = bounds.bound
        self._heuristic = heuristic(bounds.heuristic)
        self._looks = Looks(time.process_time())

    @staticmethod
    def counts_steps(bounds: Search) -> bool:
        """Whether somebody has said how many steps to go."""
        return bounds.bound is not None or heuristic(bounds.heuristic).name in NUMBERED_HEURISTICS

    def wants(self, depth: int, nodes: int, *, hinted: bool = False) -> bool:
        """Whether to look at this depth, with diagrams of so many nodes; after a hint always."""
        wanted = hinted or depth == self._bound or self._heuristic.wants(self._looks, depth, nodes)
        if wanted:
            self._looks.begin(depth, nodes)
        return wanted

    @contextmanager
    def look(self) -> Iterator[None]:
        """Look, and remember how long it takes."""
        began = time.process_time()
        try:
            yield
        finally:
            self._looks.took(time.process_time() - began)

    def is_over(self, depth: int) -> bool:
        """Whether nobody wants to go further."""
        one_shot = self._heuristic.name == "one-shot" and depth >= self._heuristic.number
        return one_shot or (self._bound is not None and depth >= self._bound)
