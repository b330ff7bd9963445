"""When to look for a counterexample while states are still being collected."""

from __future__ import annotations

import time

from knower.records import dataclass

#: The share of the time that `share` and `adaptive` spend on looking.
_SHARE = 0.15
#: Seconds that nobody notices: `adaptive` spends them whatever their share is.
_FREE = 0.02
#: `growth` looks when there are so many times as many nodes as the last time.
_GROWTH = 2.0


@dataclass
class Looks:
    """How long the search has taken, with the making of the model, and the looks for one question in it."""

    started: float
    spent: float = 0.0
    last: float = 0.0  # how long the last look took
    last_depth: int = -1
    last_nodes: int = 0

    def took(self, seconds: float, depth: int, nodes: int) -> None:
        """One more."""
        self.last, self.last_depth, self.last_nodes = seconds, depth, nodes
        self.spent += seconds

    @property
    def elapsed(self) -> float:
        return time.process_time() - self.started


@dataclass(frozen=True)
class Heuristic:
    """A name, and perhaps a number behind it: `every:5`, `one-shot:20`."""

    name: str
    number: int = 1

    def wants(self, looks: Looks, depth: int, nodes: int, among: int = 1) -> bool:
        """Whether to look at this depth, with diagrams of so many nodes; time is shared among questions."""
        share = _SHARE * looks.elapsed / among
        match self.name:
            case "every":
                return depth % self.number == 0
            case "one-shot":
                return depth == self.number
            case "growth":
                return looks.last_depth < 0 or nodes >= _GROWTH * looks.last_nodes
            case "share":
                return looks.spent <= share
            case _:
                growth = nodes / looks.last_nodes if looks.last_nodes else 1.0
                return looks.spent + growth * looks.last <= _FREE + share


def heuristic(text: str) -> Heuristic:
    """The heuristic of that name, one of `options.HEURISTICS`."""
    name, _, number = text.partition(":")
    return Heuristic(name, int(number or 1))
