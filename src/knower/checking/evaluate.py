"""Where a state formula holds: one clause per operator of docs/logics.md, over any engine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, assert_never

from knower.checking.knowledge import Knowledge
from knower.checking.linear import Linear
from knower.checking.strategic import Strategies
from knower.checking.temporal import Paths
from knower.functions.protocol import F
from knower.logic import formula as f
from knower.logic.fold import fold
from knower.logic.formula import Formula
from knower.logic.goal import goal_of
from knower.logic.linear import invariant, skeleton
from knower.logic.node import Node, children_of
from knower.options import AtlReading
from knower.symbolic.model import SymbolicModel

#: A set of so few nodes is not looked at for a smaller one: among many states that takes longer than anything
#: that is done with it.
_SHORT = 20
#: What is in the mind of agents is worked out among the states of `S`: nothing else is in it.
_EXACT = (f.Epistemic, f.Deontic)


class Evaluator(Generic[F]):
    """The states `S` a formula is read over, with everything its operators need.

    With fairness `S` is the fair reachable states, and paths are fair paths; `finite`: paths are
    finite traces. What is known of a subformula is kept for all later formulas: where in `S` it holds, and
    whatever makes that a small diagram where nobody comes.
    """

    def __init__(
        self,
        model: SymbolicModel[F],
        atl: AtlReading = AtlReading.OBJECTIVE,
        fairness: Sequence[F] = (),
        *,
        finite: bool = False,
    ) -> None:
        self.model = model
        self.finite = finite
        paths = Paths(model, model.reachable, fairness)
        self.universe: F = paths.fair() & model.reachable if fairness else model.reachable
        self.initial: F = model.initial & self.universe
        self.paths = paths.inside(self.universe) if fairness else paths
        self.linear = Linear(self.paths, finite=finite)
        self.knowledge = Knowledge(model, self.universe)
        self.strategies = Strategies(self.paths, self.knowledge, atl)
        self._known: dict[Node, F] = {}
        self._exact: dict[Node, F] = {}
        self._verdicts: dict[Node, bool] = {}
        self._one_initial: bool | None = None

    # -- satisfaction -----------------------------------------------------------------------------------

    def holds(self, root: Node) -> bool:
        """Whether a state formula holds in every (fair) initial state."""
        if root not in self._verdicts:
            self._verdicts[root] = self._decided(root)
        return self._verdicts[root]

    def _decided(self, root: Node) -> bool:
        """The same, found out: every state of `S` is reached from an initial one, which answers `AG` at once,
        and its negation where that is false.
        """
        match root:
            case f.And(left, right):
                return self.holds(left) and self.holds(right)
            case f.AG(body):
                return self._holds_in(self.universe, body)
            case f.A(path) if (always := invariant(path)) is not None:
                return self._on_every_path(self.universe & ~self.states(always))
            case f.EF(body) if self._has_one_initial_state():
                return self.states(body) != self.model.space.false
            case f.Not(f.Not(body)):
                return self.holds(body)
            case f.Not(body) if self._has_one_initial_state():
                return not self.holds(body)
            case f.Not(f.AG() as body) if self.holds(body):
                return self.initial == self.model.space.false
            case _:
                return self._holds_in(self.initial, root)

    def _holds_in(self, states: F, root: Node) -> bool:
        """Whether a state formula holds in all of these: what coalitions can do is asked there only."""
        match root:
            case f.And(left, right):
                return self._holds_in(states, left) and self._holds_in(states, right)
            case f.Implies(left, right):
                return self._holds_in(states & self.states(left), right)
            case f.CanX() | f.CanF() | f.CanG() | f.CanU() if root not in self._known:
                operands = tuple(self.states(part) for part in children_of(root))
                return states & ~self._enforced(root, operands, states) == self.model.space.false
            case _:
                return states & ~self.states(root) == self.model.space.false

    def _on_every_path(self, wrong: F) -> bool:
        """Whether no path meets a wrong state; where paths go on for ever is asked only if there is one."""
        return wrong == self.model.space.false or self.linear.universe & wrong == self.model.space.false

    def _has_one_initial_state(self) -> bool:
        if self._one_initial is None:
            self._one_initial = self.model.system.count(self.initial) == 1
        return self._one_initial

    def states(self, root: Node) -> F:
        """The states of `S` where a state formula holds."""
        if root not in self._exact:
            found = self.known(root)
            self._exact[root] = found if isinstance(root, _EXACT) else self.universe & found
        return self._exact[root]

    def known(self, root: Node) -> F:
        """The same, and perhaps states that nobody reaches."""
        return fold(root, self._meaning, self._operands)

    def _operands(self, item: Node) -> Sequence[Node]:
        if item in self._known:
            return ()
        if isinstance(item, f.A | f.E):
            return tuple(skeleton(item.sub).states.values())
        return children_of(item)

    # -- the one match over formulas --------------------------------------------------------------------

    def _meaning(self, item: Formula, below: tuple[F, ...]) -> F:
        found = self._known.get(item)
        if found is None:
            self.model.budget.check()
            found = self._computed(item, below)
            if not isinstance(item, _EXACT) and self.model.space.size(found) > _SHORT:
                found = self.model.simplified(found)
            self._known[item] = found
        return found

    def _computed(self, item: Formula, below: tuple[F, ...]) -> F:
        assert not isinstance(item, f.PathOperator | f.Does), "path formulas stand under a quantifier"
        if isinstance(item, f.Strategic):
            return self._enforced(item, below)
        if isinstance(item, f.Epistemic | f.Deontic):
            return self._mental(item, below[0])
        if isinstance(item, f.A | f.E):
            return self._quantified(item, below)
        return self._temporal(item, below)

    def _temporal(self, item: f.Propositional | f.Boolean | f.Temporal, sets: tuple[F, ...]) -> F:
        everywhere, paths = self.paths.everywhere, self.paths
        match item:
            case f.Constant(value):
                return everywhere if value else self.model.space.false
            case f.Atom(name):
                return everywhere & self.model.system.label(name)
            case f.Red(agent):
                return everywhere & self.model.system.red(agent)
            case f.Green(agent):
                return everywhere & ~self.model.system.red(agent)
            case f.Not():
                return everywhere & ~sets[0]
            case f.And():
                return sets[0] & sets[1]
            case f.Or():
                return sets[0] | sets[1]
            case f.Implies():
                return everywhere & ~sets[0] | sets[1]
            case f.EX():
                return paths.pre(sets[0])
            case f.AX():
                return everywhere & ~paths.pre(everywhere & ~sets[0])
            case f.EF():
                return paths.until(everywhere, sets[0])
            case f.AG():
                return everywhere & ~paths.until(everywhere, everywhere & ~sets[0])
            case f.EG():
                return paths.always(sets[0])
            case f.AF():
                return everywhere & ~paths.always(everywhere & ~sets[0])
            case f.EU():
                return paths.until(sets[0], sets[1])
            case f.AU():
                return self._all_until(sets[0], sets[1])
            case f.ER():
                return everywhere & ~self._all_until(everywhere & ~sets[0], everywhere & ~sets[1])
            case f.AR():
                return everywhere & ~paths.until(everywhere & ~sets[0], everywhere & ~sets[1])
            case f.EW():
                either = sets[0] | sets[1]
                return everywhere & ~self._all_until(everywhere & ~sets[1], everywhere & ~either)
            case f.AW():
                either = sets[0] | sets[1]
                return everywhere & ~paths.until(everywhere & ~sets[1], everywhere & ~either)
            case _:
                assert_never(item)

    def _quantified(self, item: f.A | f.E, below: tuple[F, ...]) -> F:
        """Over paths; the state formulas inside are known by the sets where they hold."""
        split = skeleton(item.sub)
        labels, path = dict(zip(split.states, below, strict=True)), split.body
        if isinstance(item, f.E):
            return self.linear.some(path, labels)
        return self.paths.everywhere & ~self.linear.some(f.Not(path), labels)

    def _all_until(self, hold: F, goal: F) -> F:
        """`A(f U g) = !(E(!g U (!f and !g)) or EG !g)`."""
        everywhere = self.paths.everywhere
        missed = everywhere & ~goal
        broken = self.paths.until(missed, missed & ~hold)
        return everywhere & ~broken & ~self.paths.always(missed)

    def _mental(self, item: f.Epistemic | f.Deontic, fact: F) -> F:
        everywhere, known = self.universe, self.knowledge
        other = everywhere & ~fact
        match item:
            case f.K(agent):
                return known.distributed((agent,), fact)
            case f.M(agent):
                return everywhere & ~known.distributed((agent,), other)
            case f.GK(group):
                return known.everybody(f.members_of(group), fact)
            case f.MGK(group):
                return everywhere & ~known.everybody(f.members_of(group), other)
            case f.GCK(group):
                return known.common(f.members_of(group), fact)
            case f.MGCK(group):
                return everywhere & ~known.common(f.members_of(group), other)
            case f.DK(group):
                return known.distributed(f.members_of(group), fact)
            case f.MDK(group):
                return everywhere & ~known.distributed(f.members_of(group), other)
            case f.O(agent):
                return self._everywhere_if(self._green(agent) & ~fact == self.model.space.false)
            case f.P(agent):
                return self._everywhere_if(self._green(agent) & fact != self.model.space.false)

    def _green(self, agent: str) -> F:
        return self.universe & ~self.model.system.red(agent)

    def _everywhere_if(self, condition: bool) -> F:
        return self.universe if condition else self.model.space.false

    def _enforced(self, item: f.Strategic, sets: tuple[F, ...], among: F | None = None) -> F:
        """Where of `among` at least, if that is all that matters."""
        members = f.members_of(item.group)
        exact = tuple(self.universe & states for states in sets)
        goal = goal_of(item, exact, true=self.universe, false=self.model.space.false)
        return self.strategies.enforce(members, goal, self.universe if among is None else among)
