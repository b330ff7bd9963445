"""Finite directed graphs and the three fixpoints everything else is made of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet

from knower.limits import Budget


class Digraph:
    """Nodes `0 … n-1` with their successors; `nodes` may leave some out."""

    def __init__(
        self,
        successors: Sequence[Iterable[int]],
        nodes: AbstractSet[int] | None = None,
        budget: Budget | None = None,
    ) -> None:
        self.nodes = frozenset(range(len(successors))) if nodes is None else frozenset(nodes)
        self.budget = budget or Budget()
        self.next: dict[int, tuple[int, ...]] = {
            node: tuple(dict.fromkeys(n for n in successors[node] if n in self.nodes)) for node in self.nodes
        }
        self._previous: dict[int, list[int]] = {node: [] for node in self.nodes}
        for node, following in self.next.items():
            for after in following:
                self._previous[after].append(node)

    def pre(self, goal: AbstractSet[int]) -> frozenset[int]:
        """`EX`: the nodes with a successor in `goal`."""
        return frozenset(before for node in goal for before in self._previous[node])

    def until(self, hold: AbstractSet[int], goal: AbstractSet[int]) -> frozenset[int]:
        """`E(hold U goal)`: the least Z with Z = goal or (hold and EX Z)."""
        reached, todo = set(goal), list(goal)
        while todo:
            self.budget.tick()
            for before in self._previous[todo.pop()]:
                if before in hold and before not in reached:
                    reached.add(before)
                    todo.append(before)
        return frozenset(reached)

    def always(self, hold: AbstractSet[int], fairness: Sequence[AbstractSet[int]] = ()) -> frozenset[int]:
        """`EG hold`: an infinite path inside `hold` that meets each fairness set infinitely often.

        The greatest Z with Z = hold and, for each constraint c, EX E(hold U (Z and c)).
        """
        kept = frozenset(hold & self.nodes)
        while True:
            after = self._unending(kept)
            for constraint in fairness:
                again = self.until(after, after & constraint)
                after = after & self.pre(again)
            if after == kept:
                return kept
            kept = after

    def _unending(self, hold: AbstractSet[int]) -> frozenset[int]:
        """The greatest Z with Z = hold and EX Z, by removing nodes that have run out of successors."""
        left = {node: sum(after in hold for after in self.next[node]) for node in hold}
        dead = [node for node, count in left.items() if count == 0]
        for node in dead:
            del left[node]
        while dead:
            self.budget.tick()
            for before in self._previous[dead.pop()]:
                if before in left:
                    left[before] -= 1
                    if left[before] == 0:
                        del left[before]
                        dead.append(before)
        return frozenset(left)
