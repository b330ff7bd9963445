"""`E` over path formulas: a fair path through the product of the model and the formula's automaton."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Generic

from knower.checking.automaton import Automaton
from knower.checking.temporal import Paths
from knower.functions.protocol import F
from knower.logic.formula import Formula
from knower.logic.linear import normal
from knower.symbolic.moves import Draft, Move, clustered
from knower.symbolic.relation import Relation


class Product(Generic[F]):
    """The paths of a model, with what they owe to a formula."""

    def __init__(self, paths: Paths[F], path: Formula, labels: Mapping[str, F]) -> None:
        self.paths = paths
        self.model = paths.model
        self.space = paths.model.space
        self.automaton = Automaton(self.space, normal(path), labels)
        self._steps = tuple(clustered(self.space, self.automaton.steps()))

    def some_path(self) -> F:
        """The states with an infinite (fair) path on which the formula holds."""
        automaton, paths = self.automaton, self.paths
        fairness = [*paths.fairness, *([automaton.nothing_watched] if automaton.watched else [])]
        product = Paths(
            self.model,
            paths.universe,
            fairness,
            self._with_debts(paths.relation),
            self._with_debts(self.model.cyclic),
        )
        return self._begun(product.always(paths.universe))

    def some_trace(self) -> F:
        """The states with a finite trace on which the formula holds."""
        paths = self.paths
        product = Paths(self.model, paths.universe, (), self._with_debts(paths.relation))
        return self._begun(product.until(paths.universe, paths.universe & self.automaton.ending()))

    def _begun(self, good: F) -> F:
        """The states from which all goes well if only the formula is owed."""
        bits = self.space.quantified(self.automaton.places)
        return self.space.and_exists(good, self.automaton.start, bits)

    def _with_debts(self, relation: Relation[F]) -> Relation[F]:
        """The same steps, each with what is paid on it."""
        moves = [self._paying(move.draft) for move in relation.moves]
        if relation.looped != self.space.false:
            moves.append(self._paying(Draft((relation.looped,), frozenset(), frozenset())))
        return Relation(self.space, moves)

    def _paying(self, draft: Draft[F]) -> Move[F]:
        moved = draft.moved | self.automaton.places
        return Move(self.space, Draft((*draft.clusters, *self._steps), moved, draft.actions))
