"""Where a state formula holds: one clause per operator of docs/logics.md."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property
from typing import TypeAlias, assert_never

from knower.limits import Budget
from knower.logic import formula as f
from knower.logic.fold import fold
from knower.logic.formula import Formula, Part, ProgramNode, is_formula
from knower.logic.goal import Goal, goal_of
from knower.logic.linear import fresh_name
from knower.logic.node import Node, children_of
from knower.options import AtlReading
from knower.reference.digraph import Digraph
from knower.reference.knowledge import Confusion
from knower.reference.paths import Doing, Walks, some_path, some_trace
from knower.reference.space import StateSpace
from knower.reference.strategic import Games, fair_outcomes, objective, objective_fair, uniform

States: TypeAlias = frozenset[int]
#: A state formula becomes the set where it holds; a path formula or program stays a formula over
#: propositions that stand for such sets.
Meaning: TypeAlias = "States | Node"


class Evaluator:
    """The states `S` a formula is read over, with everything its operators need.

    With fairness `S` is the fair reachable states, and paths are fair paths.
    """

    def __init__(
        self,
        space: StateSpace,
        budget: Budget,
        atl: AtlReading = AtlReading.OBJECTIVE,
        fairness: Sequence[States] = (),
        *,
        finite: bool = False,
    ) -> None:
        everything = Digraph(space.successors, budget=budget)
        self.space = space
        self.budget = budget
        self.atl = atl
        self.fairness = tuple(fairness)
        self.finite = finite
        self.universe = everything.always(everything.nodes, fairness) if fairness else everything.nodes
        self.graph = Digraph(space.successors, self.universe, budget) if fairness else everything
        self.initial: States = self.universe.intersection(space.initial)
        self.confusion = Confusion(space, self.universe)
        self.games = Games(self.confusion, self.fairness, budget)
        self._labels: dict[str, States] = {}
        self._known: dict[Node, States] = {}

    def states(self, formula: Formula) -> States:
        """The states of `S` where a state formula holds."""
        found = fold(formula, self._meaning, self._operands)
        assert isinstance(found, frozenset)
        return found

    def _operands(self, item: Node) -> Sequence[Node]:
        return () if item in self._known else children_of(item)

    def _meaning(self, item: Part, below: tuple[Meaning, ...]) -> Meaning:
        """What is known of state formulas stays known: questions share their parts."""
        known = self._known.get(item)
        if known is not None:
            return known
        self.budget.check()
        found = self._computed(item, below)
        if isinstance(found, frozenset):
            self._known[item] = found
        return found

    # -- the one match over formulas ----------------------------------------------------------------

    def _computed(self, item: Part, below: tuple[Meaning, ...]) -> Meaning:
        if isinstance(item, ProgramNode | f.PathOperator) or item.is_path:
            return item.with_children(tuple(self._named(part) for part in below))
        if isinstance(item, f.E):
            return self._some(self._path(below[0]))
        if isinstance(item, f.A):
            return self.universe - self._some(f.Not(self._path(below[0])))
        assert not isinstance(item, f.Does), "it speaks of a path"
        sets = [part for part in below if isinstance(part, frozenset)]
        assert len(sets) == len(below), "path formulas stand under a quantifier"
        if isinstance(item, f.Strategic):
            return self._enforced(item, sets)
        if isinstance(item, f.Epistemic | f.Deontic):
            return self._mental(item, sets[0])
        return self._temporal(item, sets)

    def _temporal(self, item: f.Propositional | f.Boolean | f.Temporal, sets: list[States]) -> States:
        everywhere, graph = self.universe, self.graph
        match item:
            case f.Constant(value):
                return everywhere if value else frozenset()
            case f.Atom(name):
                return frozenset(
                    s for s in everywhere if self.space.explicit.holds(name, self.space.states[s])
                )
            case f.Red(agent):
                return self._red(agent)
            case f.Green(agent):
                return everywhere - self._red(agent)
            case f.Not():
                return everywhere - sets[0]
            case f.And():
                return sets[0] & sets[1]
            case f.Or():
                return sets[0] | sets[1]
            case f.Implies():
                return everywhere - sets[0] | sets[1]
            case f.EX():
                return graph.pre(sets[0])
            case f.AX():
                return everywhere - graph.pre(everywhere - sets[0])
            case f.EF():
                return graph.until(everywhere, sets[0])
            case f.AG():
                return everywhere - graph.until(everywhere, everywhere - sets[0])
            case f.EG():
                return graph.always(sets[0], self.fairness)
            case f.AF():
                return everywhere - graph.always(everywhere - sets[0], self.fairness)
            case f.EU():
                return graph.until(sets[0], sets[1])
            case f.AU():
                return self._all_until(sets[0], sets[1])
            case f.ER():
                return everywhere - self._all_until(everywhere - sets[0], everywhere - sets[1])
            case f.AR():
                return everywhere - graph.until(everywhere - sets[0], everywhere - sets[1])
            case f.EW():
                either = sets[0] | sets[1]
                return everywhere - self._all_until(everywhere - sets[1], everywhere - either)
            case f.AW():
                either = sets[0] | sets[1]
                return everywhere - graph.until(everywhere - sets[1], everywhere - either)
            case _:
                assert_never(item)

    def _all_until(self, hold: States, goal: States) -> States:
        """`A(f U g) = !(E(!g U (!f and !g)) or EG !g)`."""
        missed = self.universe - goal
        broken = self.graph.until(missed, missed - hold)
        return self.universe - broken - self.graph.always(missed, self.fairness)

    def _red(self, agent: str) -> States:
        explicit, states = self.space.explicit, self.space.states
        return frozenset(s for s in self.universe if explicit.is_red(agent, states[s]))

    def _mental(self, item: f.Epistemic | f.Deontic, fact: States) -> States:
        everywhere, confusion = self.universe, self.confusion
        other = everywhere - fact
        match item:
            case f.K(agent):
                return confusion.knows(agent, fact)
            case f.M(agent):
                return everywhere - confusion.knows(agent, other)
            case f.GK(group):
                return confusion.everybody(f.members_of(group), fact)
            case f.MGK(group):
                return everywhere - confusion.everybody(f.members_of(group), other)
            case f.GCK(group):
                return confusion.common(f.members_of(group), fact)
            case f.MGCK(group):
                return everywhere - confusion.common(f.members_of(group), other)
            case f.DK(group):
                return confusion.distributed(f.members_of(group), fact)
            case f.MDK(group):
                return everywhere - confusion.distributed(f.members_of(group), other)
            case f.O(agent):
                return everywhere if everywhere - self._red(agent) <= fact else frozenset()
            case f.P(agent):
                return frozenset() if everywhere - self._red(agent) <= other else everywhere

    # -- strategies -----------------------------------------------------------------------------------

    def _enforced(self, item: f.Strategic, sets: list[States]) -> States:
        members = f.members_of(item.group)
        goal = goal_of(item, sets, true=self.universe, false=frozenset())
        match self.atl:
            case AtlReading.OBJECTIVE | AtlReading.UNIFORM_MODELS:
                return objective(self.games, members, goal)
            case AtlReading.OBJECTIVE_FAIR:
                return objective_fair(self.games, members, goal)
            case AtlReading.UNIFORM:
                return uniform(self.games, members, goal)

    def is_vacuous(self, members: tuple[str, ...]) -> bool:
        """Whether a coalition can prevent every fair outcome from some state, and so win what it wants."""
        match self.atl:
            case AtlReading.OBJECTIVE | AtlReading.UNIFORM_MODELS:
                return False
            case AtlReading.OBJECTIVE_FAIR:
                return not self.universe <= fair_outcomes(self.games, members)
            case AtlReading.UNIFORM:
                never: Goal[States] = Goal(frozenset(), frozenset(), soon=True)
                return bool(uniform(self.games, members, never))

    # -- paths ------------------------------------------------------------------------------------------

    def _some(self, path: Formula) -> States:
        """`E path`."""
        if self.finite:
            return some_trace(path, self._labels, self.walks, self.budget)
        return some_path(path, self._labels, self.walks, self.fairness, self.budget)

    @cached_property
    def walks(self) -> Walks:
        return Walks(self.graph, cache(self._steps_by))

    def _steps_by(self, state: int, asked: Doing) -> dict[Doing, States]:
        """The steps inside `S`."""
        found = self.space.steps_by(state, asked)
        inside = {doing: self.universe.intersection(after) for doing, after in found.items()}
        return {doing: after for doing, after in inside.items() if after}

    def _path(self, part: Meaning) -> Formula:
        named = self._named(part)
        assert is_formula(named)
        return named

    def _named(self, part: Meaning) -> Node:
        """A set of states as a proposition of its own; other parts as they are."""
        if not isinstance(part, frozenset):
            return part
        name = fresh_name(self._labels)
        self._labels[name] = part
        return f.Atom(name)
