"""The alternating automaton of a path formula, as functions of a model's states and of what is owed.

What a path owes at a position is a set of formulas, its pending obligations, one variable each. An obligation
says which obligations may take its place at the next position: its derivative by the present state. These
automata are weak: obligations that lead back to themselves are all boxes or all diamonds. A box may be owed
for ever, and what it leads to again and again; everything else is discharged at last. Only a diamond that a
box renews must be watched, by a second variable: those in the breakpoint set must be discharged, then all
that are pending are put into it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping
from copy import copy
from functools import cached_property, reduce
from operator import and_
from typing import Any, Generic, TypeAlias

from knower.functions.protocol import F, Space
from knower.logic import formula as f
from knower.logic.fold import fold, unwound
from knower.logic.formula import Formula
from knower.logic.linear import step_inside
from knower.logic.node import Node
from knower.symbolic.obligations import ObligationVariable, ObligationVariables

_Request: TypeAlias = tuple[Formula, frozenset[Formula]]


class Automaton(Generic[F]):
    """Of a formula in normal form (`logic.linear.normal`), whose propositions are `labels`.

    `taken`: where, in terms of states and choices of actions, an agent takes an action.
    """

    def __init__(
        self,
        bits: ObligationVariables[F],
        formula: Formula,
        labels: Mapping[str, F],
        taken: Callable[[str, str], F],
    ) -> None:
        self.space = bits.space
        self.labels = labels
        self._taken = taken
        self.root = formula
        self._bits = bits
        self.pending: dict[Formula, ObligationVariable[F]] = {formula: bits[0]}
        self.derivatives: dict[Formula, F] = {}
        self._leads_to: dict[Formula, set[Formula]] = {formula: set()}
        self._todo = [formula]
        for obligation in self._todo:  # grows while it is read
            self.derivatives[obligation] = self._derived(obligation, at_end=False)
        recurring = [obligation for obligation in self._candidates() if self._comes_back(obligation)]
        #: The obligations that may be owed for ever, or renewed for ever.
        self.recurrent = self._reached(
            obligation for obligation in recurring if isinstance(obligation, f.Box)
        )
        diamonds = [
            obligation
            for obligation in recurring
            if isinstance(obligation, f.Diamond) and obligation in self.recurrent
        ]
        first = len(self.pending)
        self.in_breakpoint = {obligation: bits[first + k] for k, obligation in enumerate(diamonds)}

    def under(self, taken: Callable[[str, str], F]) -> Automaton[F]:
        """The same, where other functions tell who does what."""
        made = copy(self)
        made._taken = taken
        made.derivatives = {
            obligation: made._derived(obligation, at_end=False) for obligation in self.pending
        }
        return made

    # -- as a relation --------------------------------------------------------------------------------------

    def payments(self) -> list[F]:
        """What a step has to respect, in conjuncts over the state and the bits now and next."""
        return [~self.pending[obligation].now | pays for obligation, pays in self.derivatives.items()]

    def breakpoints(self) -> list[F]:
        """What a step has to respect beside, so that nothing is put off for ever."""
        found: list[F] = []
        pairs = {
            self.pending[obligation].place_after: bit.place_after
            for obligation, bit in self.in_breakpoint.items()
        }
        exchange = self.space.renaming(pairs)
        free = self.breakpoint_empty
        for obligation, bit in self.in_breakpoint.items():
            breakpoint_pays = self.space.rename(self.derivatives[obligation], exchange)
            found.append(~bit.now | breakpoint_pays)
            found.append(~bit.after | self.pending[obligation].after)
            found.append(~free | ~self.pending[obligation].after | bit.after)
        return found

    @property
    def breakpoint_empty(self) -> F:
        return reduce(and_, (~bit.now for bit in self.in_breakpoint.values()), self.space.true)

    @property
    def start(self) -> F:
        """Only the formula itself is pending."""
        bits = ((bit, obligation == self.root) for obligation, bit in self.pending.items())
        return reduce(and_, (bit.now if owed else ~bit.now for bit, owed in bits), self.space.true)

    @property
    def nothing_pending(self) -> F:
        return reduce(and_, (~bit.now for bit in self.pending.values()), self.space.true)

    @cached_property
    def accepting(self) -> F:
        """Nothing is pending but what may be owed for ever."""
        passing = (bit for obligation, bit in self.pending.items() if obligation not in self.recurrent)
        return reduce(and_, (~bit.now for bit in passing), self.space.true)

    def ending(self) -> F:
        """Where a finite trace may end: every obligation is paid without another step."""
        paid = (~bit.now | self._derived(obligation, at_end=True) for obligation, bit in self.pending.items())
        return reduce(and_, paid, self.space.true)

    # -- what leads to what ---------------------------------------------------------------------------------

    def _candidates(self) -> set[Formula]:
        """Obligations that may lead back to themselves: what is left without those that lead nowhere."""
        leads_to = {obligation: set(after) for obligation, after in self._leads_to.items()}
        comes_from: dict[Formula, list[Formula]] = {obligation: [] for obligation in leads_to}
        for obligation, after in leads_to.items():
            for item in after:
                comes_from[item].append(obligation)
        todo = [obligation for obligation, after in leads_to.items() if not after]
        while todo:
            obligation = todo.pop()
            del leads_to[obligation]
            for before in comes_from[obligation]:
                leads_to[before].discard(obligation)
                if not leads_to[before]:
                    todo.append(before)
        return set(leads_to)

    def _comes_back(self, obligation: Formula) -> bool:
        return obligation in self._reached(self._leads_to[obligation])

    def _reached(self, start: Iterable[Formula]) -> set[Formula]:
        """The obligations, and all they lead to."""
        todo = list(start)
        seen = set(todo)
        while todo:
            fresh = self._leads_to[todo.pop()] - seen
            seen |= fresh
            todo += fresh
        return seen

    # -- derivatives ----------------------------------------------------------------------------------------

    def _owed_next(self, origin: Formula, obligation: Formula) -> F:
        if obligation not in self.pending:
            self.pending[obligation] = self._bits[len(self.pending)]
            self._leads_to[obligation] = set()
            self._todo.append(obligation)
        self._leads_to[origin].add(obligation)
        return self.pending[obligation].after

    def _derived(self, obligation: Formula, *, at_end: bool) -> F:
        request: _Request = obligation, frozenset()
        return unwound(request, lambda wanted: self._unfold(obligation, wanted, at_end=at_end))

    def _unfold(self, obligation: Formula, request: _Request, *, at_end: bool) -> Generator[_Request, F, F]:
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
                return no if at_end else self._reads(guard) & self._owed_next(obligation, sub)
            case f.Box(f.Letter(guard), sub):
                return yes if at_end else ~self._reads(guard) | self._owed_next(obligation, sub)
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
        return valued(self.space, guard, self.labels, self._taken)


def _by_nobody(agent: str, action: str) -> Any:
    raise TypeError("a state does not tell who does what")


def valued(
    space: Space[F],
    formula: Formula,
    labels: Mapping[str, F],
    taken: Callable[[str, str], F] = _by_nobody,
) -> F:
    """A combination of propositions, and of who does what, as a function of the state and of actions."""

    def step(item: Node, below: tuple[F, ...]) -> F:
        match item:
            case f.Constant(value):
                return space.true if value else space.false
            case f.Atom(name):
                return labels[name]
            case f.Does(agent, action):
                return taken(agent, action)
            case f.Not():
                return ~below[0]
            case f.And():
                return below[0] & below[1]
            case f.Or():
                return below[0] | below[1]
            case _:
                raise TypeError(f"not a combination of propositions: {item!r}")

    return fold(formula, step)
