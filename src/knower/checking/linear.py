"""`E` over path formulas: piece by piece where the pieces tell, and else by an automaton.

`E X f = EX E f`, `E (a U f) = E(a U E f)`, `E (f or g) = E f or E g`: formulas that never ask two things
of one path need no automaton, nor do those that are formulas of CTL in disguise. `E (G p and f)` is `E f`
where p holds all the way. The others are asked of the product of the model and their automaton: is there a
fair path through it?
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from functools import reduce
from operator import and_
from typing import Generic

from knower.checking.automaton import valued
from knower.checking.product import ProductAutomaton
from knower.checking.temporal import Paths
from knower.functions.protocol import F
from knower.logic import formula as f
from knower.logic.fold import atoms, unwound
from knower.logic.formula import Formula
from knower.logic.linear import asks_of_paths, conjuncts, fresh_name, invariant, normal, step_inside
from knower.logic.simplify import simplified


class Linear(Generic[F]):
    """Path formulas over the paths of a model. `finite`: over finite traces."""

    def __init__(self, paths: Paths[F], *, finite: bool) -> None:
        self.paths = paths
        self.finite = finite
        self._last: tuple[tuple[Formula, dict[str, F]], ProductAutomaton[F]] | None = None

    def some(self, path: Formula, labels: Mapping[str, F]) -> F:
        """The states with a path on which a formula of propositions `labels` holds.

        Of unreachable states neither the labels nor this tell anything.
        """
        return PathDecomposition(self, labels).some(simplified(normal(path), finite=self.finite))

    @property
    def universe(self) -> F:
        """The states where some path begins."""
        return self.paths.everywhere if self.finite else self.paths.endless

    def shut_in(self, hold: F) -> Linear[F]:
        """Path formulas over the paths that never leave a set."""
        return Linear(self.paths.shut_in(hold), finite=self.finite)

    def by_automaton(self, path: Formula, labels: Mapping[str, F]) -> F:
        product = self.product(path, labels)
        return product.some_trace() if self.finite else product.some_path()

    def product(self, path: Formula, labels: Mapping[str, F]) -> ProductAutomaton[F]:
        """The product with the automaton of a formula in normal form.

        The one that was made last is kept: who has decided something is asked next how it comes about.
        """
        key = path, {name: labels[name] for name in atoms(path)}
        if self._last is None or self._last[0] != key:
            self._last = key, ProductAutomaton(self.paths, path, labels)
        return self._last[1]


class PathDecomposition(Generic[F]):
    """One formula, taken apart. What its parts mean is kept."""

    def __init__(self, linear: Linear[F], labels: Mapping[str, F]) -> None:
        self.linear = linear
        self.paths = linear.paths
        self._labels = dict(labels)
        self._known: dict[Formula, F] = {}

    def some(self, path: Formula) -> F:
        return unwound(path, self._some)

    def _some(self, path: Formula) -> Generator[Formula, F, F]:
        if path not in self._known:
            self.paths.model.budget.check()
            self._known[path] = yield from self._taken_apart(path)
        return self._known[path]

    def _taken_apart(self, path: Formula) -> Generator[Formula, F, F]:
        """One clause per shape that tells; from whatever is returned a path goes on."""
        match path:
            case _ if not path.is_path:
                return self._where(path) & self.linear.universe
            case f.Or(left, right):
                return (yield left) | (yield right)
            case f.And():
                return (yield from self._all_of(path))
            case f.Diamond(f.Letter(guard), sub) if not guard.is_path:
                return self._where(guard) & self.paths.pre((yield sub))
            case f.Diamond(f.Star(f.Letter(guard)), sub) if not guard.is_path:
                return self.paths.until(self._where(guard), (yield sub))
            case f.Diamond(f.Star(program), sub) if sub.is_path and not asks_of_paths(program):
                return (yield f.Diamond(f.Star(program), self._named((yield sub))))
            case f.Diamond(f.Letter()):  # it says who does what
                return self._by_automaton(path)
            case f.Box() if self.linear.finite or path.sub.is_path:
                return self._by_automaton(path)
            case f.Box(f.Star(f.Letter(guard)), sub) if not guard.is_path:
                return self._as_long(self._where(guard), self._where(sub))
            case f.Diamond(f.Star()) | f.Box():
                return self._by_automaton(path)
            case f.Diamond():
                return (yield step_inside(path))
            case _:
                raise TypeError(f"not a path formula in normal form: {path!r}")

    def _all_of(self, path: f.And) -> Generator[Formula, F, F]:
        """`E (p and f) = p and E f` for a proposition p, `G p` shuts in, `X f and X g = X (f and g)`."""
        parts = conjuncts(path)
        here = reduce(and_, (self._where(part) for part in parts if not part.is_path), self.paths.everywhere)
        asked = [part for part in parts if part.is_path]
        if len(asked) == 1:
            return here & (yield asked[0])
        kept = [hold for part in asked if (hold := invariant(part)) is not None]
        if kept:
            others = [part for part in asked if invariant(part) is None]
            return here & self._shut_in(reduce(and_, map(self._where, kept)), others)
        steps = [step for part in asked if (step := _next_step(part)) is not None]
        if len(steps) < len(asked):
            return here & self._by_automaton(reduce(f.And, asked))
        here = reduce(and_, (self._where(guard) for guard, _ in steps), here)
        return here & self.paths.pre((yield reduce(f.And, (sub for _, sub in steps))))

    def _shut_in(self, hold: F, asked: Sequence[Formula]) -> F:
        """`E (G p and f)`: `E f` over the paths that never leave where p holds; nothing else is looked at."""
        linear = self.linear.shut_in(hold)
        return (
            PathDecomposition(linear, self._labels).some(reduce(f.And, asked)) if asked else linear.universe
        )

    def _as_long(self, guard: F, hold: F) -> F:
        """`E [g*]f` is `E (f W (f and !g))`."""
        released = hold & ~guard
        if released == self.paths.model.space.false:  # where paths go on at all need not be known
            return self.paths.always(hold)
        return self.paths.until(hold, released & self.linear.universe) | self.paths.always(hold)

    def _by_automaton(self, path: Formula) -> F:
        return self.linear.by_automaton(path, self._labels)

    def _where(self, formula: Formula) -> F:
        model = self.paths.model
        return model.simplified(self.paths.everywhere & valued(model.space, formula, self._labels))

    def _named(self, states: F) -> f.Atom:
        """A proposition for a set of states."""
        name = fresh_name(self._labels)
        self._labels[name] = states
        return f.Atom(name)


def _next_step(part: Formula) -> tuple[Formula, Formula] | None:
    """What `<g>f` asks here, and at the next position."""
    match part:
        case f.Diamond(f.Letter(guard), sub) if not guard.is_path:
            return guard, sub
        case _:
            return None
