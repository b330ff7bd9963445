"""Where a state formula holds, as a set of numbered states: one clause per operator of docs/logics.md."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import assert_never

from knower.bitset.automaton import Automaton, Product
from knower.bitset.bits import Bits, StateGraph
from knower.bitset.games import Game
from knower.bitset.knowledge import Observations
from knower.bitset.space import Members, NumberedStates
from knower.errors import unsupported
from knower.limits import Budget
from knower.logic import formula as f
from knower.logic.fold import fold
from knower.logic.formula import Formula
from knower.logic.goal import goal_of
from knower.logic.linear import normal, skeleton
from knower.logic.node import Node, children_of
from knower.logic.simplify import simplified
from knower.options import AtlReading


class Evaluator:
    """The states `S` a formula is read over, with everything its operators need.

    With fairness `S` is the fair reachable states, and paths are fair paths; `finite`: paths are finite
    traces. What is known of a subformula is kept for all later formulas.
    """

    def __init__(
        self,
        space: NumberedStates,
        budget: Budget,
        atl: AtlReading = AtlReading.OBJECTIVE,
        fairness: Sequence[Bits] = (),
        *,
        finite: bool = False,
    ) -> None:
        self.space = space
        self.budget = budget
        self.atl = atl
        self.finite = finite
        everything = StateGraph(space.successors, space.all, budget)
        self.universe = everything.always(space.all, fairness) if fairness else space.all
        self.graph = StateGraph(space.successors, self.universe, budget) if fairness else everything
        self.fairness = tuple(each & self.universe for each in fairness)
        self.initial: Bits = space.initial & self.universe
        self.observations = Observations(space, self.universe)
        self._games: dict[Members, Game] = {}
        self._known: dict[Node, Bits] = {}

    def holds(self, formula: Formula) -> bool:
        """Whether a state formula holds in every (fair) initial state."""
        return not self.initial & ~self.states(formula)

    def states(self, formula: Formula) -> Bits:
        """The states of `S` where a state formula holds."""
        found = self._known.get(formula)
        return fold(formula, self._meaning, self._operands) if found is None else found

    def _operands(self, item: Node) -> Sequence[Node]:
        if item in self._known:
            return ()
        if isinstance(item, f.A | f.E):
            return tuple(skeleton(item.sub).states.values())
        return children_of(item)

    # -- the one match over formulas ------------------------------------------------------------------------

    def _meaning(self, item: Formula, below: tuple[Bits, ...]) -> Bits:
        found = self._known.get(item)
        if found is None:
            self.budget.tick()
            found = self._known[item] = self._computed(item, below)
        return found

    def _computed(self, item: Formula, below: tuple[Bits, ...]) -> Bits:
        assert not isinstance(item, f.PathOperator | f.Does), "path formulas stand under a quantifier"
        if isinstance(item, f.Strategic):
            return self._enforced(item, below)
        if isinstance(item, f.Epistemic | f.Deontic):
            return self._mental(item, below[0])
        if isinstance(item, f.A | f.E):
            return self._quantified(item, below)
        return self._temporal(item, below)

    def _temporal(self, item: f.Propositional | f.Boolean | f.Temporal, sets: tuple[Bits, ...]) -> Bits:
        everywhere, graph = self.universe, self.graph
        match item:
            case f.Constant(value):
                return everywhere if value else 0
            case f.Atom(name):
                return self._labelled(name)
            case f.Red(agent):
                return self._red(agent)
            case f.Green(agent):
                return everywhere & ~self._red(agent)
            case f.Not():
                return everywhere & ~sets[0]
            case f.And():
                return sets[0] & sets[1]
            case f.Or():
                return sets[0] | sets[1]
            case f.Implies():
                return everywhere & ~sets[0] | sets[1]
            case f.EX():
                return graph.pre(sets[0])
            case f.AX():
                return everywhere & ~graph.pre(everywhere & ~sets[0])
            case f.EF():
                return graph.until(everywhere, sets[0])
            case f.AG():
                return everywhere & ~graph.until(everywhere, everywhere & ~sets[0])
            case f.EG():
                return graph.always(sets[0], self.fairness)
            case f.AF():
                return everywhere & ~graph.always(everywhere & ~sets[0], self.fairness)
            case f.EU():
                return graph.until(sets[0], sets[1])
            case f.AU():
                return self._all_until(sets[0], sets[1])
            case f.ER():
                return everywhere & ~self._all_until(everywhere & ~sets[0], everywhere & ~sets[1])
            case f.AR():
                return everywhere & ~graph.until(everywhere & ~sets[0], everywhere & ~sets[1])
            case f.EW():
                either = sets[0] | sets[1]
                return everywhere & ~self._all_until(everywhere & ~sets[1], everywhere & ~either)
            case f.AW():
                either = sets[0] | sets[1]
                return everywhere & ~graph.until(everywhere & ~sets[1], everywhere & ~either)
            case _:
                assert_never(item)

    def _all_until(self, hold: Bits, goal: Bits) -> Bits:
        """`A(f U g) = !(E(!g U (!f and !g)) or EG !g)`."""
        missed = self.universe & ~goal
        broken = self.graph.until(missed, missed & ~hold)
        return self.universe & ~broken & ~self.graph.always(missed, self.fairness)

    def _labelled(self, name: str) -> Bits:
        holds, found = self.space.explicit.holds, 0
        for number, state in enumerate(self.space.states):
            if holds(name, state):
                found |= 1 << number
        return found & self.universe

    def _red(self, agent: str) -> Bits:
        is_red, states = self.space.explicit.is_red, self.space.states
        return sum(1 << n for n, state in enumerate(states) if is_red(agent, state)) & self.universe

    def _mental(self, item: f.Epistemic | f.Deontic, fact: Bits) -> Bits:
        everywhere, seen = self.universe, self.observations
        other = everywhere & ~fact
        match item:
            case f.K(agent):
                return seen.distributed((agent,), fact)
            case f.M(agent):
                return everywhere & ~seen.distributed((agent,), other)
            case f.GK(group):
                return seen.everybody(f.members_of(group), fact)
            case f.MGK(group):
                return everywhere & ~seen.everybody(f.members_of(group), other)
            case f.GCK(group):
                return seen.common(f.members_of(group), fact)
            case f.MGCK(group):
                return everywhere & ~seen.common(f.members_of(group), other)
            case f.DK(group):
                return seen.distributed(f.members_of(group), fact)
            case f.MDK(group):
                return everywhere & ~seen.distributed(f.members_of(group), other)
            case f.O(agent):
                return 0 if other & ~self._red(agent) else everywhere
            case f.P(agent):
                return everywhere if fact & ~self._red(agent) else 0

    # -- strategies -----------------------------------------------------------------------------------------

    def game(self, coalition: Members) -> Game:
        """What a coalition can do, found out once."""
        found = self._games.get(coalition)
        if found is None:
            found = self._games[coalition] = Game(self.space, self.graph, self.fairness, coalition)
        return found

    def _enforced(self, item: f.Strategic, sets: Sequence[Bits]) -> Bits:
        game = self.game(f.members_of(item.group))
        goal = goal_of(item, sets, true=self.universe, false=0)
        match self.atl:
            case AtlReading.OBJECTIVE:
                return game.objective(goal)
            case AtlReading.OBJECTIVE_FAIR:
                return game.objective_fair(goal)
            case AtlReading.UNIFORM | AtlReading.UNIFORM_MODELS:
                raise unsupported("this engine does not look for uniform strategies")

    def is_vacuous(self, coalition: Members) -> bool:
        """Whether a coalition can prevent every fair outcome from some state, and so, where only those count,
        win what it wants."""
        return bool(self.universe & ~self.game(coalition).fair_outcomes)

    # -- paths ----------------------------------------------------------------------------------------------

    def _quantified(self, item: f.A | f.E, below: tuple[Bits, ...]) -> Bits:
        """Over paths; the state formulas inside are known by the sets where they hold."""
        split = skeleton(item.sub)
        labels = dict(zip(split.states, below, strict=True))
        if isinstance(item, f.E):
            return self._owing(split.body, labels).begun
        return self.universe & ~self._owing(f.Not(split.body), labels).begun

    def product(self, path: Formula) -> Product:
        """The states with what a path through them owes to a path formula."""
        split = skeleton(path)
        return self._owing(split.body, {name: self.states(part) for name, part in split.states.items()})

    def _owing(self, path: Formula, labels: dict[str, Bits]) -> Product:
        owed = simplified(normal(path), finite=self.finite)
        automaton = Automaton(owed, labels, self.graph, finite=self.finite)
        return Product(automaton, len(self.space), self.fairness)

    @cached_property
    def endless(self) -> Bits:
        """The states where an infinite (fair) path begins."""
        return self.graph.always(self.universe, self.fairness)
