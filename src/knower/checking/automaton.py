"""The alternating automaton of a path formula, as functions of a model's states and of what is owed.

What a path owes at a position is a set of formulas, one bit each. A debt that is due says which debts
may take its place at the next position: its derivative by the present state. A debt that is a diamond
must not be owed for ever; those that could be are watched by a second bit (a breakpoint): the watched
ones must be paid, then all that are due are watched.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from functools import reduce
from operator import and_
from typing import Generic, TypeAlias

from knower.functions.protocol import F, Space, Variable
from knower.logic import formula as f
from knower.logic.formula import Formula
from knower.logic.linear import step_inside

_Request: TypeAlias = tuple[Formula, frozenset[Formula]]


class Bit(Generic[F]):
    """A variable of the automaton, now and at the next position."""

    def __init__(self, space: Space[F]) -> None:
        self.place, self.place_after = space.extend(2)
        self.now = space.var(self.place)
        self.after = space.var(self.place_after)


class Automaton(Generic[F]):
    """Of a formula in normal form (`logic.linear.normal`), whose propositions are `labels`."""

    def __init__(self, space: Space[F], formula: Formula, labels: Mapping[str, F]) -> None:
        self.space = space
        self.labels = labels
        self.root = formula
        self.due: dict[Formula, Bit[F]] = {formula: Bit(space)}
        self.derivatives: dict[Formula, F] = {}
        self._leads_to: dict[Formula, set[Formula]] = {}
        self._todo = [formula]
        for debt in self._todo:  # grows while it is read
            self.derivatives[debt] = self._derived(debt, at_end=False)
        self.watched: dict[Formula, Bit[F]] = {debt: Bit(space) for debt in self._recurring()}

    # -- as a relation --------------------------------------------------------------------------------------

    @property
    def bits(self) -> list[Bit[F]]:
        return [*self.due.values(), *self.watched.values()]

    @property
    def places(self) -> frozenset[Variable]:
        return frozenset(bit.place for bit in self.bits)

    def steps(self) -> list[F]:
        """What a step has to respect, in conjuncts over the state and the bits now and next."""
        found = [~self.due[debt].now | pays for debt, pays in self.derivatives.items()]
        pairs = {self.due[debt].place_after: bit.place_after for debt, bit in self.watched.items()}
        exchange = self.space.renaming(pairs)
        free = self.nothing_watched
        for debt, bit in self.watched.items():
            watched_pays = self.space.rename(self.derivatives[debt], exchange)
            found.append(~bit.now | watched_pays)
            found.append(~bit.after | self.due[debt].after)
            found.append(~free | ~self.due[debt].after | bit.after)
        return found

    @property
    def nothing_watched(self) -> F:
        return reduce(and_, (~bit.now for bit in self.watched.values()), self.space.true)

    @property
    def start(self) -> F:
        """Only the formula itself is due, and watched if it must be."""
        bits = [(bit, debt == self.root) for debt, bit in (*self.due.items(), *self.watched.items())]
        return reduce(and_, (bit.now if owed else ~bit.now for bit, owed in bits), self.space.true)

    def ending(self) -> F:
        """Where a finite trace may end: every debt is paid without another step."""
        paid = (~bit.now | self._derived(debt, at_end=True) for debt, bit in self.due.items())
        return reduce(and_, paid, self.space.true)

    # -- derivatives ----------------------------------------------------------------------------------------

    def _recurring(self) -> list[Formula]:
        """The diamonds that could be owed for ever: those that lead back to themselves."""
        return [debt for debt in self.due if isinstance(debt, f.Diamond) and self._comes_back(debt)]

    def _comes_back(self, debt: Formula) -> bool:
        seen: set[Formula] = set()
        todo = list(self._leads_to[debt])
        while todo:
            item = todo.pop()
            if item not in seen and isinstance(item, f.Diamond):
                seen.add(item)
                todo += self._leads_to[item]
        return debt in seen

    def _owed_next(self, origin: Formula, debt: Formula) -> F:
        if debt not in self.due:
            self.due[debt] = Bit(self.space)
            self._todo.append(debt)
        self._leads_to.setdefault(origin, set()).add(debt)
        return self.due[debt].after

    def _derived(self, debt: Formula, *, at_end: bool) -> F:
        """Drives `_unfold` with a stack of its own, so that depth costs nothing."""
        self._leads_to.setdefault(debt, set())
        stack = [self._unfold(debt, debt, frozenset(), at_end=at_end)]
        answer: F | None = None
        while stack:
            try:
                wanted, open_stars = stack[-1].send(answer)  # type: ignore[arg-type]
            except StopIteration as done:
                stack.pop()
                answer = done.value
            else:
                stack.append(self._unfold(debt, wanted, open_stars, at_end=at_end))
                answer = None
        assert answer is not None
        return answer

    def _unfold(
        self, debt: Formula, formula: Formula, open_stars: frozenset[Formula], *, at_end: bool
    ) -> Generator[_Request, F, F]:
        """One clause per operator. `open_stars`: loops entered at this position; coming back to one
        without a step adds nothing to a diamond and asks nothing of a box."""
        yes, no = self.space.true, self.space.false
        match formula:
            case f.Constant(value):
                return yes if value else no
            case f.Atom(name):
                return self.labels[name]
            case f.Not(f.Atom(name)):
                return ~self.labels[name]
            case f.And(left, right):
                return (yield left, open_stars) & (yield right, open_stars)
            case f.Or(left, right):
                return (yield left, open_stars) | (yield right, open_stars)
            case f.Diamond(f.Letter(guard), sub):
                return no if at_end else self._reads(guard) & self._owed_next(debt, sub)
            case f.Box(f.Letter(guard), sub):
                return yes if at_end else ~self._reads(guard) | self._owed_next(debt, sub)
            case f.Diamond(f.Star()) | f.Box(f.Star()) if formula in open_stars:
                return no if isinstance(formula, f.Diamond) else yes
            case f.Diamond(f.Star(program), sub):
                leave = yield sub, open_stars
                return leave | (yield f.Diamond(program, formula), open_stars | {formula})
            case f.Box(f.Star(program), sub):
                leave = yield sub, open_stars
                return leave & (yield f.Box(program, formula), open_stars | {formula})
            case f.Diamond() | f.Box():
                return (yield step_inside(formula), open_stars)
            case _:
                raise TypeError(f"not a path formula in normal form: {formula!r}")

    def _reads(self, guard: Formula) -> F:
        """Where a letter can be consumed: guards have become propositions."""
        match guard:
            case f.Constant(value):
                return self.space.true if value else self.space.false
            case f.Atom(name):
                return self.labels[name]
            case _:
                raise TypeError(f"not a letter: {guard!r}")
