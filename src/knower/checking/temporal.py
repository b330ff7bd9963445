"""Fixpoints over the steps of a model: reachability backwards, infinite (fair) paths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic

from knower.functions.protocol import F
from knower.symbolic.model import SymbolicModel
from knower.symbolic.relation import Relation


class Paths(Generic[F]):
    """The paths of a model inside a set of states: all reachable ones, or the fair ones.

    Another relation than the model's can be given, with the steps its cycles can consist of.
    """

    def __init__(
        self,
        model: SymbolicModel[F],
        universe: F,
        fairness: Sequence[F] = (),
        relation: Relation[F] | None = None,
        cyclic: Relation[F] | None = None,
    ) -> None:
        self.model = model
        self.universe = universe
        self.fairness = tuple(fairness)
        self.relation = relation or model.relation
        self._cyclic = cyclic
        self._fair_cycles: F | None = None

    def pre(self, states: F) -> F:
        """`EX`."""
        return self.relation.pre(states) & self.universe

    def until(self, hold: F, goal: F) -> F:
        """`E(hold U goal)`."""
        return self._until(self.relation, hold, goal)

    def always(self, hold: F) -> F:
        """`EG hold` over infinite (fair) paths.

        Such a path comes to a cycle at last, and on a cycle nothing changes that can only grow or
        only shrink: what remains of the relation is small, and decides.
        """
        return self._until(self.relation, hold, self._cycles(hold))

    def fair(self) -> F:
        """The states of the universe with a fair path. What is on fair cycles is kept: more never is."""
        self._fair_cycles = self._cycles(self.universe)
        return self._until(self.relation, self.universe, self._fair_cycles)

    def inside(self, universe: F) -> Paths[F]:
        """The fair paths of a smaller universe, which holds all of them."""
        paths = Paths(self.model, universe, self.fairness, self.relation, self._cyclic)
        paths._fair_cycles = self._fair_cycles
        return paths

    def _cycles(self, hold: F) -> F:
        """States of `hold` from which steps of cycles lead through it for ever, fairly.

        The greatest Z inside `hold` such that from all of Z, for each constraint, one or more steps
        inside Z lead to a state of the constraint (Emerson and Lei, each constraint at once).
        """
        relation, model = self._cyclic or self.model.cyclic, self.model
        now, before = hold if self._fair_cycles is None else hold & self._fair_cycles, None
        while now != before:
            before = now
            if not self.fairness:
                model.step()
                now = now & relation.pre(now)
            for constraint in self.fairness:
                model.step()
                reach = self._until(relation, now, now & constraint)
                now = now & relation.pre(reach)
        return now

    def _until(self, relation: Relation[F], hold: F, goal: F) -> F:
        """The least Z with goal ⊆ Z and hold ∩ pre(Z) ⊆ Z."""
        if len(relation.moves) > 1:
            return self._until_chained(relation, hold, goal)
        found, fresh = goal, goal
        nothing = self.model.space.false
        while fresh != nothing:
            self.model.step()
            fresh = relation.pre(fresh) & hold & ~found
            found = found | fresh
        return found

    def _until_chained(self, relation: Relation[F], hold: F, goal: F) -> F:
        """Move by move, each from what the moves before have found."""
        found, before = goal, None
        while found != before:
            before = found
            for move in relation.moves:
                self.model.step()
                found = found | (move.pre(found) & hold)
        return found
