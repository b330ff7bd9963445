"""The alternating automaton of a path formula, as functions of a model's states and of what is owed.

What a path owes at a position is a set of formulas, one bit each. A debt that is due says which debts
may take its place at the next position: its derivative by the present state. These automata are weak:
debts that lead back to themselves are all boxes or all diamonds. A box may be owed for ever, and what
it leads to again and again; everything else is paid at last. Only a diamond that a box renews must be
watched, by a second bit (a breakpoint): the watched ones must be paid, then all that are due are watched.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from functools import cached_property, reduce
from operator import and_
from typing import Generic, TypeAlias

from knower.functions.protocol import F, Space
from knower.logic import formula as f
from knower.logic.fold import fold, unwound
from knower.logic.formula import Formula
from knower.logic.linear import step_inside
from knower.logic.node import Node
from knower.symbolic.obligations import ObligationVariable, ObligationVariables

_Request: TypeAlias = tuple[Formula, frozenset[Formula]]


class Automaton(Generic[F]):
    """Of a formula in normal form (`logic.linear.normal`), whose propositions are `labels`."""

    def __init__(self, bits: ObligationVariables[F], formula: Formula, labels: Mapping[str, F]) -> None:
        self.space = bits.space
        self.labels = labels
        self.root = formula
        self._bits = bits
        self.due: dict[Formula, ObligationVariable[F]] = {formula: bits[0]}
        self.derivatives: dict[Formula, F] = {}
        self._leads_to: dict[Formula, set[Formula]] = {formula: set()}
        self._todo = [formula]
        for debt in self._todo:  # grows while it is read
            self.derivatives[debt] = self._derived(debt, at_end=False)
        recurring = [debt for debt in self._candidates() if self._comes_back(debt)]
        #: The debts that may be owed for ever, or renewed for ever.
        self.lasting = self._reached(debt for debt in recurring if isinstance(debt, f.Box))
        diamonds = [debt for debt in recurring if isinstance(debt, f.Diamond) and debt in self.lasting]
        first = len(self.due)
        self.watched = {debt: bits[first + k] for k, debt in enumerate(diamonds)}

    # -- as a relation --------------------------------------------------------------------------------------

    def payments(self) -> list[F]:
        """What a step has to respect, in conjuncts over the state and the bits now and next."""
        return [~self.due[debt].now | pays for debt, pays in self.derivatives.items()]

    def watches(self) -> list[F]:
        """What a step has to respect beside, so that nothing is put off for ever."""
        found: list[F] = []
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
        """Only the formula itself is due."""
        bits = ((bit, debt == self.root) for debt, bit in self.due.items())
        return reduce(and_, (bit.now if owed else ~bit.now for bit, owed in bits), self.space.true)

    @property
    def nothing_due(self) -> F:
        return reduce(and_, (~bit.now for bit in self.due.values()), self.space.true)

    @cached_property
    def settled(self) -> F:
        """Nothing is due but what may be owed for ever."""
        passing = (bit for debt, bit in self.due.items() if debt not in self.lasting)
        return reduce(and_, (~bit.now for bit in passing), self.space.true)

    def ending(self) -> F:
        """Where a finite trace may end: every debt is paid without another step."""
        paid = (~bit.now | self._derived(debt, at_end=True) for debt, bit in self.due.items())
        return reduce(and_, paid, self.space.true)

    # -- what leads to what ---------------------------------------------------------------------------------

    def _candidates(self) -> set[Formula]:
        """Debts that may lead back to themselves: what is left without those that lead nowhere."""
        leads_to = {debt: set(after) for debt, after in self._leads_to.items()}
        comes_from: dict[Formula, list[Formula]] = {debt: [] for debt in leads_to}
        for debt, after in leads_to.items():
            for item in after:
                comes_from[item].append(debt)
        todo = [debt for debt, after in leads_to.items() if not after]
        while todo:
            debt = todo.pop()
            del leads_to[debt]
            for before in comes_from[debt]:
                leads_to[before].discard(debt)
                if not leads_to[before]:
                    todo.append(before)
        return set(leads_to)

    def _comes_back(self, debt: Formula) -> bool:
        return debt in self._reached(self._leads_to[debt])

    def _reached(self, start: Iterable[Formula]) -> set[Formula]:
        """The debts, and all they lead to."""
        todo = list(start)
        seen = set(todo)
        while todo:
            fresh = self._leads_to[todo.pop()] - seen
            seen |= fresh
            todo += fresh
        return seen

    # -- derivatives ----------------------------------------------------------------------------------------

    def _owed_next(self, origin: Formula, debt: Formula) -> F:
        if debt not in self.due:
            self.due[debt] = self._bits[len(self.due)]
            self._leads_to[debt] = set()
            self._todo.append(debt)
        self._leads_to[origin].add(debt)
        return self.due[debt].after

    def _derived(self, debt: Formula, *, at_end: bool) -> F:
        request: _Request = debt, frozenset()
        return unwound(request, lambda wanted: self._unfold(debt, wanted, at_end=at_end))

    def _unfold(self, debt: Formula, request: _Request, *, at_end: bool) -> Generator[_Request, F, F]:
        """One clause per operator. `open_stars`: loops entered at this position; coming back to one
        without a step adds nothing to a diamond and asks nothing of a box."""
        yes, no = self.space.true, self.space.false
        formula, open_stars = request
        match formula:
            case _ if not formula.is_path:
                return valued(self.space, formula, self.labels)
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
        """Where a letter can be consumed."""
        return valued(self.space, guard, self.labels)


def valued(space: Space[F], formula: Formula, labels: Mapping[str, F]) -> F:
    """A combination of propositions as a function of the state."""

    def step(item: Node, below: tuple[F, ...]) -> F:
        match item:
            case f.Constant(value):
                return space.true if value else space.false
            case f.Atom(name):
                return labels[name]
            case f.Not():
                return ~below[0]
            case f.And():
                return below[0] & below[1]
            case f.Or():
                return below[0] | below[1]
            case _:
                raise TypeError(f"not a combination of propositions: {item!r}")

    return fold(formula, step)
