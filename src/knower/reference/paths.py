"""Path formulas by their definition, unfolded one position at a time.

What a path owes at a position is a set of formulas. `Unfolding` says what it then owes at the next
one: the derivative of an LDL formula by the present state. `some_path` searches the product of
states and obligations for an infinite path on which no diamond is owed for ever (the alternating
automaton of the formula, made non-deterministic by a breakpoint set); `some_trace` for a finite
one that owes nothing when it ends.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import field
from itertools import product
from typing import TypeAlias, TypeVar

from knower.limits import Budget
from knower.logic import formula as f
from knower.logic.fold import fold, subformulas, unwound
from knower.logic.formula import Formula
from knower.logic.linear import normal, step_inside
from knower.records import dataclass
from knower.reference.digraph import Digraph

States: TypeAlias = frozenset[int]
#: What must hold from the next position on.
Obligations: TypeAlias = frozenset[Formula]
#: Who does what in a step: those statements that are true of it.
Doing: TypeAlias = frozenset[f.Does]
#: Alternatives: one of these sets must be paid.
Alternatives: TypeAlias = frozenset[Obligations]

_PAID: Alternatives = frozenset([frozenset()])
_LOST: Alternatives = frozenset()

T = TypeVar("T")
_Request: TypeAlias = tuple[Formula, frozenset[Formula]]


def _by_nobody(state: int, asked: Doing) -> Mapping[Doing, Iterable[int]]:
    raise TypeError("nobody does anything in this graph")


@dataclass(frozen=True)
class Walks:
    """The paths through a graph: from each state, the steps by what is done in them, and where they lead.

    `steps` groups the successors of a state by which of some statements who does what come true.
    """

    graph: Digraph
    steps: Callable[[int, Doing], Mapping[Doing, Iterable[int]]] = _by_nobody

    def following(self, state: int, asked: Doing) -> Iterable[tuple[Doing, Iterable[int]]]:
        """The steps from a state; nobody asks who does what in most formulas."""
        return self.steps(state, asked).items() if asked else ((asked, self.graph.next[state]),)


def some_path(
    formula: Formula, labels: Mapping[str, States], walks: Walks, fairness: Sequence[States], budget: Budget
) -> States:
    """`E formula`: the states with a fair infinite path that satisfies it.

    The formula speaks of `labels` only, and of who does what: state formulas have become propositions.
    """
    found = owing_on_paths(formula, labels, walks, fairness, walks.graph.nodes, budget)
    return frozenset(found.states[k] for k in found.roots & found.winning)


@dataclass(frozen=True)
class Owing:
    """States (`states[k]` is that of node k) with what is owed in them, from some states on.

    `fairness`: what a path must meet again and again to pay; `ends`: where nothing more is owed;
    `winning`: from where all can be paid; `asked`: what the formula says of steps, and `doing`: what of it is
    true of the step between two nodes.
    """

    states: tuple[int, ...]
    graph: Digraph
    roots: States
    fairness: tuple[States, ...]
    ends: States
    winning: States
    asked: Doing = frozenset()
    doing: Mapping[tuple[int, int], Doing] = field(default_factory=dict)


def owing_on_paths(
    formula: Formula,
    labels: Mapping[str, States],
    walks: Walks,
    fairness: Sequence[States],
    starts: Iterable[int],
    budget: Budget,
) -> Owing:
    """What infinite paths owe; a diamond that is owed is urgent until it has been paid."""
    unfolding = Unfolding(labels, at_end=False, budget=budget)
    start, asked = frozenset([normal(formula)]), said_of_steps(formula)
    root = [(state, start, _diamonds(start)) for state in sorted(starts)]

    def steps(item: _Urgent) -> Iterable[tuple[Doing, _Urgent]]:
        state, obligations, urgent = item
        for doing, afters in walks.following(state, asked):
            for paid in unfolding.payments(obligations, state, doing):
                pending = frozenset().union(*paid.values())
                later = frozenset().union(*(paid[owed] for owed in urgent)) if urgent else pending
                for after in afters:
                    yield doing, (after, pending, _diamonds(later))

    items, edges, done = _reachable(root, steps, budget)
    debt_free = frozenset(k for k, (_, _, urgent) in enumerate(items) if not urgent)
    fair = [frozenset(k for k, (state, *_) in enumerate(items) if state in c) for c in fairness]
    owing = Digraph(edges, budget=budget)
    winning = owing.until(owing.nodes, owing.always(owing.nodes, [debt_free, *fair]))
    ends = frozenset(k for k, (_, obligations, _) in enumerate(items) if not obligations)
    states, roots = tuple(state for state, _, _ in items), frozenset(range(len(root)))
    return Owing(states, owing, roots, (debt_free, *fair), ends, winning, asked, done)


_Urgent: TypeAlias = tuple[int, Obligations, Obligations]


def some_trace(formula: Formula, labels: Mapping[str, States], walks: Walks, budget: Budget) -> States:
    """`E formula` on finite traces: the states where one starts that satisfies it."""
    found = owing_on_traces(formula, labels, walks, walks.graph.nodes, budget)
    return frozenset(found.states[k] for k in found.roots & found.winning)


def owing_on_traces(
    formula: Formula, labels: Mapping[str, States], walks: Walks, starts: Iterable[int], budget: Budget
) -> Owing:
    """What finite traces owe."""
    unfolding = Unfolding(labels, at_end=False, budget=budget)
    ending = Unfolding(labels, at_end=True, budget=budget)
    start, asked = frozenset([normal(formula)]), said_of_steps(formula)
    root = [(state, start) for state in sorted(starts)]

    def steps(item: tuple[int, Obligations]) -> Iterable[tuple[Doing, tuple[int, Obligations]]]:
        state, obligations = item
        for doing, afters in walks.following(state, asked):
            for paid in unfolding.payments(obligations, state, doing):
                pending = frozenset().union(*paid.values())
                for after in afters:
                    yield doing, (after, pending)

    items, edges, done = _reachable(root, steps, budget)
    ends = frozenset(
        k
        for k, (state, obligations) in enumerate(items)
        if all(ending.alternatives(obligation, state) for obligation in obligations)
    )
    owing = Digraph(edges, budget=budget)
    winning = owing.until(owing.nodes, ends)
    states, roots = tuple(state for state, _ in items), frozenset(range(len(root)))
    return Owing(states, owing, roots, (), ends, winning, asked, done)


def said_of_steps(formula: Formula) -> Doing:
    """What a path formula says of who does what."""
    return frozenset(item for item in subformulas(formula) if isinstance(item, f.Does))


def _diamonds(obligations: Obligations) -> Obligations:
    """Those that must not be owed for ever."""
    return frozenset(obligation for obligation in obligations if isinstance(obligation, f.Diamond))


def _reachable(
    root: Iterable[T], steps: Callable[[T], Iterable[tuple[Doing, T]]], budget: Budget
) -> tuple[list[T], list[tuple[int, ...]], dict[tuple[int, int], Doing]]:
    """What is reached, the edges, and what is done along an edge (the first of several ways)."""
    items, done = list(root), dict[tuple[int, int], Doing]()
    number = {item: k for k, item in enumerate(items)}
    edges: list[tuple[int, ...]] = []
    for at, item in enumerate(items):  # grows while it is read
        after: dict[int, None] = {}
        for doing, following in steps(item):
            budget.tick()
            if following not in number:
                number[following] = len(items)
                items.append(following)
            after[number[following]] = None
            done.setdefault((at, number[following]), doing)
        edges.append(tuple(after))
    return items, edges, done


class Unfolding:
    """What a formula that holds here owes at the next position.

    `at_end`: there is no next position (the trace ends here), so no letter can be consumed.
    """

    def __init__(self, labels: Mapping[str, States], *, at_end: bool, budget: Budget) -> None:
        self.labels = labels
        self.at_end = at_end
        self.budget = budget
        self._known: dict[tuple[Formula, int, Doing], Alternatives] = {}

    def alternatives(self, formula: Formula, state: int, doing: Doing = frozenset()) -> Alternatives:
        """The smallest sets of obligations any of which, if paid, makes the formula true here.

        `doing`: who does what in the step from here.
        """
        key = formula, state, doing
        if key not in self._known:
            self._known[key] = self._run(formula, state, doing)
        return self._known[key]

    def payments(
        self, obligations: Obligations, state: int, doing: Doing
    ) -> Iterable[dict[Formula, Obligations]]:
        """Every way to choose one alternative for each obligation."""
        ordered = list(obligations)
        for picked in product(*(self.alternatives(obligation, state, doing) for obligation in ordered)):
            self.budget.tick()
            yield dict(zip(ordered, picked, strict=True))

    def _run(self, formula: Formula, state: int, doing: Doing) -> Alternatives:
        request: _Request = formula, frozenset()
        return unwound(request, lambda wanted: self._unfold(wanted, state, doing))

    def _unfold(
        self, request: _Request, state: int, doing: Doing
    ) -> Generator[_Request, Alternatives, Alternatives]:
        """One clause per operator. `open_stars`: loops entered at this position; coming back to
        one without having consumed a step adds nothing to a diamond and asks nothing of a box."""
        self.budget.tick()
        formula, open_stars = request
        match formula:
            case f.Constant(value):
                return _PAID if value else _LOST
            case f.Atom(name):
                return _PAID if state in self.labels[name] else _LOST
            case f.Not(f.Atom(name)):
                return _LOST if state in self.labels[name] else _PAID
            case f.And(left, right):
                return _both((yield left, open_stars), (yield right, open_stars))
            case f.Or(left, right):
                return _either((yield left, open_stars), (yield right, open_stars))
            case f.Diamond(f.Letter(guard), sub):
                if self.at_end or not self._reads(guard, state, doing):
                    return _LOST
                return frozenset([frozenset([sub])])
            case f.Box(f.Letter(guard), sub):
                if self.at_end or not self._reads(guard, state, doing):
                    return _PAID
                return frozenset([frozenset([sub])])
            case f.Diamond(f.Star()) | f.Box(f.Star()) if formula in open_stars:
                return _LOST if isinstance(formula, f.Diamond) else _PAID
            case f.Diamond(f.Star(program), sub):
                leave = yield sub, open_stars
                again = yield f.Diamond(program, formula), open_stars | {formula}
                return _either(leave, again)
            case f.Box(f.Star(program), sub):
                leave = yield sub, open_stars
                again = yield f.Box(program, formula), open_stars | {formula}
                return _both(leave, again)
            case f.Diamond() | f.Box():
                return (yield step_inside(formula), open_stars)
            case _:
                raise TypeError(f"not a path formula in normal form: {formula!r}")

    def _reads(self, guard: Formula, state: int, doing: Doing) -> bool:
        """Whether the letter can be consumed in a step: its state formulas have become propositions."""

        def meaning(item: Formula, below: tuple[bool, ...]) -> bool:
            match item:
                case f.Constant(value):
                    return value
                case f.Atom(name):
                    return state in self.labels[name]
                case f.Does():
                    return item in doing
                case f.Not():
                    return not below[0]
                case f.And():
                    return all(below)
                case f.Or():
                    return any(below)
                case _:
                    raise TypeError(f"not a letter: {item!r}")

        return fold(guard, meaning)


def _either(left: Alternatives, right: Alternatives) -> Alternatives:
    return _smallest(left | right)


def _both(left: Alternatives, right: Alternatives) -> Alternatives:
    return _smallest(frozenset(a | b for a in left for b in right))


def _smallest(sets: Alternatives) -> Alternatives:
    """Without sets that contain another: to pay more is never needed (docs/traps.md, 1)."""
    if len(sets) < 2:
        return sets
    return frozenset(s for s in sets if not any(other < s for other in sets))
