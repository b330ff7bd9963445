"""Path formulas: an automaton whose steps are guarded by sets of states, and its product with a graph.

A node of the automaton is what a path owes: formulas to be paid from here on, and which of them must not be
put off any longer (a breakpoint set: when it is empty, all diamonds that are owed are put into it). The
product is not made: a set of its states is a set of states for each node, one behind the other in one number.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TypeAlias

from knower.bitset.bits import Bits, StateGraph
from knower.bitset.bits import Graph as BitGraph
from knower.logic import formula as f
from knower.logic.fold import fold, unwound
from knower.logic.formula import Formula
from knower.logic.linear import step_inside
from knower.logic.node import Node

Obligations: TypeAlias = frozenset[Formula]
#: Where it can be chosen -> what is owed next.
Term: TypeAlias = tuple[Bits, Obligations]
#: What is owed, and what of it must be paid before anything else counts.
Owed: TypeAlias = tuple[Obligations, Obligations]
_Request: TypeAlias = tuple[Formula, frozenset[Formula]]
_NOTHING: Obligations = frozenset()


class Automaton:
    """Of a formula in normal form (`logic.linear.normal`), whose propositions are `labels`."""

    def __init__(self, path: Formula, labels: Mapping[str, Bits], graph: StateGraph, *, finite: bool) -> None:
        self.graph = graph
        self.labels = labels
        self.finite = finite
        self._derived: dict[Formula, list[Term]] = {}
        start = frozenset([path])
        self.nodes: list[Owed] = [(start, self._urgent(start))]
        #: For each node, by the number of the next one, where a step may lead there.
        self.steps: list[dict[int, Bits]] = []
        number = {self.nodes[0]: 0}
        for owed in self.nodes:  # grows while it is read
            found: dict[int, Bits] = {}
            for guard, after in self._after(owed):
                if after not in number:
                    number[after] = len(self.nodes)
                    self.nodes.append(after)
                found[number[after]] = found.get(number[after], 0) | guard
            self.steps.append(found)

    def _after(self, owed: Owed) -> Iterable[tuple[Bits, Owed]]:
        """What may be owed next, and where: a term for each obligation."""
        pending, urgent = owed
        partial: dict[Owed, Bits] = {(_NOTHING, _NOTHING): self.graph.universe}
        for obligation in pending:
            counts = not urgent or obligation in urgent
            longer: dict[Owed, Bits] = {}
            for (next_pending, next_urgent), where in partial.items():
                for guard, more in self._terms(obligation):
                    self.graph.budget.tick()
                    if both := where & guard:
                        key = next_pending | more, next_urgent | self._urgent(more) if counts else next_urgent
                        longer[key] = longer.get(key, 0) | both
            partial = longer
        return [(where, after) for after, where in partial.items()]

    def _urgent(self, owed: Obligations) -> Obligations:
        """Those that must not be owed for ever; at the end of a finite trace nothing may be owed."""
        return _NOTHING if self.finite else frozenset(each for each in owed if isinstance(each, f.Diamond))

    # -- what an obligation becomes -------------------------------------------------------------------------

    def _terms(self, obligation: Formula) -> list[Term]:
        found = self._derived.get(obligation)
        if found is None:
            found = self._derived[obligation] = self._unfolded(obligation, at_end=False)
        return found

    def ending(self, obligation: Formula) -> Bits:
        """Where a trace may end that owes it."""
        found = 0
        for where, _ in self._unfolded(obligation, at_end=True):
            found |= where
        return found

    def _unfolded(self, obligation: Formula, *, at_end: bool) -> list[Term]:
        request: _Request = obligation, frozenset()
        return unwound(request, lambda wanted: self._unfold(wanted, at_end=at_end))

    def _unfold(self, request: _Request, *, at_end: bool) -> Generator[_Request, list[Term], list[Term]]:
        """One clause per operator. `open_stars`: loops entered at this position; coming back to one
        without a step adds nothing to a diamond and asks nothing of a box."""
        everywhere = self.graph.universe
        formula, open_stars = request
        match formula:
            case _ if not formula.is_path:
                return _where(valued(formula, self.labels, everywhere))
            case f.And(left, right):
                return _both((yield left, open_stars), (yield right, open_stars))
            case f.Or(left, right):
                return _either((yield left, open_stars), (yield right, open_stars))
            case f.Diamond(f.Letter(guard), sub):
                where = 0 if at_end else valued(guard, self.labels, everywhere)
                return [(where, frozenset([sub]))] if where else []
            case f.Box(f.Letter(guard), sub):
                where = 0 if at_end else valued(guard, self.labels, everywhere)
                owing = [(where, frozenset([sub]))] if where else []
                return [*_where(everywhere & ~where), *owing]
            case f.Diamond(f.Star()) | f.Box(f.Star()) if formula in open_stars:
                return [] if isinstance(formula, f.Diamond) else _where(everywhere)
            case f.Diamond(f.Star(program), sub):
                leave = yield sub, open_stars
                return _either(leave, (yield f.Diamond(program, formula), open_stars | {formula}))
            case f.Box(f.Star(program), sub):
                leave = yield sub, open_stars
                return _both(leave, (yield f.Box(program, formula), open_stars | {formula}))
            case f.Diamond() | f.Box():
                return (yield step_inside(formula), open_stars)
            case _:
                raise TypeError(f"not a path formula in normal form: {formula!r}")


def _where(states: Bits) -> list[Term]:
    """Nothing more is owed in these states; in others all is lost."""
    return [(states, _NOTHING)] if states else []


def _either(left: Sequence[Term], right: Sequence[Term]) -> list[Term]:
    return _smallest([*left, *right])


def _both(left: Sequence[Term], right: Sequence[Term]) -> list[Term]:
    return _smallest([(a & b, more | others) for a, more in left for b, others in right if a & b])


def _smallest(terms: Sequence[Term]) -> list[Term]:
    """To owe more is never needed where less will do (docs/traps.md, 1)."""
    if len(terms) < 2:
        return list(terms)
    found: dict[Obligations, Bits] = {}
    for where, owed in terms:
        found[owed] = found.get(owed, 0) | where
    for owed in found:
        for fewer, where in found.items():
            if fewer < owed:
                found[owed] &= ~where
    return [(where, owed) for owed, where in found.items() if where]


def valued(formula: Formula, labels: Mapping[str, Bits], everywhere: Bits) -> Bits:
    """Where a combination of propositions holds."""

    def step(item: Node, below: tuple[Bits, ...]) -> Bits:
        match item:
            case f.Constant(value):
                return everywhere if value else 0
            case f.Atom(name):
                return labels[name] & everywhere
            case f.Not():
                return everywhere & ~below[0]
            case f.And():
                return below[0] & below[1]
            case f.Or():
                return below[0] | below[1]
            case _:
                raise TypeError(f"not a combination of propositions: {item!r}")

    return fold(formula, step)


class Product(BitGraph):
    """The states of a graph, with what paths through them owe: node by node, so many bits each."""

    def __init__(self, automaton: Automaton, size: int, fairness: Sequence[Bits]) -> None:
        graph = automaton.graph
        self.graph = graph
        self.budget = graph.budget
        self.automaton = automaton
        self.size = size
        self._mask = (1 << size) - 1
        self.universe = self.everywhere(graph.universe)
        free = [graph.universe if not urgent else 0 for _, urgent in automaton.nodes]
        #: What an infinite path must meet again and again.
        self.fairness = () if automaton.finite else (self._joined(free), *map(self.everywhere, fairness))

    def everywhere(self, states: Bits) -> Bits:
        """States, whatever is owed there."""
        return self._joined([states] * len(self.automaton.nodes))

    def _joined(self, parts: Sequence[Bits]) -> Bits:
        found = 0
        for part in reversed(parts):
            found = found << self.size | part
        return found

    def _part(self, states: Bits, node: int) -> Bits:
        return states >> node * self.size & self._mask

    def pre(self, states: Bits) -> Bits:
        """What each node needs of the nodes after it; steps of the graph are taken once for each."""
        nodes = range(len(self.automaton.nodes))
        before = [self.graph.pre(self._part(states, node)) for node in nodes]
        found = [0] * len(before)
        for node in nodes:
            for after, guard in self.automaton.steps[node].items():
                found[node] |= guard & before[after]
        return self._joined(found)

    def post(self, states: Bits) -> Bits:
        found = [0] * len(self.automaton.nodes)
        for node, steps in enumerate(self.automaton.steps):
            here = self._part(states, node)
            if here:
                for after, guard in steps.items():
                    found[after] |= self.graph.post(here & guard)
        return self._joined(found)

    @cached_property
    def settled(self) -> Bits:
        """Where nothing more is owed; on finite traces, where one may end."""
        if not self.automaton.finite:
            owed = [self.graph.universe if not pending else 0 for pending, _ in self.automaton.nodes]
            return self._joined(owed)
        return self._joined([self._end(pending) for pending, _ in self.automaton.nodes])

    def _end(self, pending: Obligations) -> Bits:
        found = self.graph.universe
        for obligation in pending:
            found &= self.automaton.ending(obligation)
        return found

    @cached_property
    def winning(self) -> Bits:
        """From where all that is owed can be paid."""
        if self.automaton.finite:
            return self.until(self.universe, self.settled)
        return self.until(self.universe, self.always(self.universe, self.fairness))

    @property
    def begun(self) -> Bits:
        """The states of the graph from where the formula can be paid."""
        return self._part(self.winning, 0)
