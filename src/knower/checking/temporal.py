"""Fixpoints over the steps of a model: reachability backwards, infinite (fair) paths."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Generic

from knower.functions.protocol import F
from knower.symbolic.closure import DEEP, by_squaring
from knower.symbolic.model import SymbolicModel
from knower.symbolic.relation import Relation

#: After so many steps back, the steps are joined with the states: that takes as long as ten of them.
_FAR = 8


class Paths(Generic[F]):
    """The paths of a model inside a set of states: all reachable ones, or the fair ones.

    Another relation than the model's can be given, with the steps its cycles can consist of. Of unreachable
    states, the sets that are taken and given tell nothing (`SymbolicModel.simplified`).
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
        self._is_whole = universe == model.reachable and not model.is_part
        #: The universe, with any unreachable states.
        self.everywhere: F = model.space.true if self._is_whole else universe

    def pre(self, states: F) -> F:
        """`EX`."""
        return self.model.simplified(self.relation.pre(states) & self.everywhere)

    def until(self, hold: F, goal: F) -> F:
        """`E(hold U goal)`."""
        return self._until(self.relation, hold, goal)

    def always(self, hold: F) -> F:
        """`EG hold` over infinite (fair) paths.

        Such a path comes to a cycle at last, and on a cycle nothing changes that can only grow or
        only shrink: what remains of the relation is small, and decides.
        """
        return self._until(self.relation, hold, self.cycles(hold))

    @cached_property
    def endless(self) -> F:
        """The states of the universe where an infinite (fair) path begins."""
        if self._is_whole and not self.fairness and self.model.stuck == self.model.space.false:
            return self.everywhere
        return self.always(self.everywhere)

    def fair(self) -> F:
        """The states of the universe with a fair path. What is on fair cycles is kept: more never is."""
        self._fair_cycles = self.cycles(self.universe)
        return self._until(self.relation, self.universe, self._fair_cycles)

    def shut_in(self, hold: F) -> Paths[F]:
        """The (fair) paths that never leave a set."""
        paths = Paths(self.model, self.everywhere & hold, self.fairness, self.relation, self._cyclic)
        paths._fair_cycles = self._fair_cycles
        return paths

    def inside(self, universe: F) -> Paths[F]:
        """The same, where one is known to go on for ever from each of the states."""
        paths = self.shut_in(universe)
        paths.endless = universe
        return paths

    def where_cycles_are(self, states: F) -> F:
        """The states, without some that are known to be on no (fair) cycle."""
        return states if self._fair_cycles is None else states & self._fair_cycles

    def cycles(self, hold: F) -> F:
        """States of `hold` from which steps of cycles lead through it for ever, fairly.

        The greatest Z inside `hold` such that from all of Z, for each constraint, one or more steps
        inside Z lead to a state of the constraint (Emerson and Lei, each constraint at once).
        """
        relation, model = self._cyclic or self.model.cyclic, self.model
        now, before, rounds = self.where_cycles_are(hold), None, 0
        while before is None or not model.agree(now, before):
            before, rounds = now, rounds + 1
            if rounds == DEEP and (squared := self._cycles_by_squaring(relation, now)) is not None:
                return squared
            if not self.fairness:
                model.step()
                now = model.simplified(now & relation.pre(now))
            for constraint in self.fairness:
                model.step()
                reach = self._until(relation, now, now & constraint)
                now = model.simplified(now & relation.pre(reach))
        return now

    def _cycles_by_squaring(self, relation: Relation[F], hold: F) -> F | None:
        return by_squaring(relation, hold, lambda steps: steps.cycles(self.fairness))

    def _until(self, relation: Relation[F], hold: F, goal: F) -> F:
        """The least Z with goal ⊆ Z and hold ∩ pre(Z) ⊆ Z."""
        if len(relation.partitions) > 1:
            return self._until_chained(relation, hold, goal)
        found, fresh, steps = goal, goal, 0
        nothing = self.model.space.false
        while fresh != nothing:
            self.model.step()
            fresh = self.model.simplified(relation.pre(fresh) & hold & ~found)
            found, steps = found | fresh, steps + 1
            if steps == _FAR and relation is self.model.relation:
                relation = self.model.joined
            if steps == DEEP and (squared := _squared(relation, hold, found)) is not None:
                return squared
        return found

    def _until_chained(self, relation: Relation[F], hold: F, goal: F) -> F:
        """Partition by move, each from what the moves before have found."""
        found, before, rounds = goal, None, 0
        while before is None or not self.model.agree(found, before):
            before, rounds = found, rounds + 1
            if rounds == DEEP and (squared := _squared(relation, hold, found)) is not None:
                return squared
            for partition in relation.partitions:
                self.model.step()
                found = found | (partition.pre(found) & hold)
            found = self.model.simplified(found)
        return found


def _squared(relation: Relation[F], hold: F, goal: F) -> F | None:
    """The rest of a deep fixpoint at once, if that is possible."""
    return by_squaring(relation, hold, lambda steps: steps.leading_to(goal))
