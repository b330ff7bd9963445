"""Guards taken apart, so that those which can hold in a state are found by its values.

A guard holds in one of its cases, the disjuncts of its outermost disjunction. A case asks for values of
variables and for actions (`s = 3 and Action = a`), and may have other conjuncts, which have to be tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from knower.logic.node import Node
from knower.records import dataclass
from knower.system.domains import Value
from knower.system.evaluation import Evaluator
from knower.system.expressions import (
    ActionOf,
    Compare,
    Condition,
    Conj,
    Disj,
    JointAction,
    Literal,
    Negation,
    Places,
    State,
    Var,
    actors,
    chained,
)  # fmt: skip

#: How conditions become functions.
Compile: TypeAlias = Callable[[Node], Evaluator]

_NO_ACTION: JointAction = ()
#: So few cases are tried one by one. With 1 and with 32 a game of 3,496 lines takes the same time as with 8.
_FEW = 8
#: The cases are not parted by a variable that leaves more than this share of them together.
_TOO_MANY = 0.875
#: Nor more often than this: a case may ask for values of a thousand variables.
_DEEPEST = 16


class Case(NamedTuple):
    """A conjunction. `guard` is the number of the guard it belongs to."""

    guard: int
    #: The values it allows a variable to have, by its place in a state.
    values: Mapping[int, frozenset[Value]]
    #: What else it says of the state alone.
    tests: Sequence[Evaluator]
    #: The actions it allows an agent to take, by its seat in a joint action.
    actions: Mapping[int, frozenset[Value]]
    #: What it says of the action of one agent, and of the state.
    of_one: Sequence[tuple[int, Evaluator]]
    #: What it says of several agents' actions.
    of_many: Sequence[Evaluator]
    #: The seats of all agents whose actions have to be known to say whether it holds.
    hears: frozenset[int]
    #: Those of them whose actions are read by `of_many`, or by what its guard is a guard of.
    remembers: frozenset[int]

    def may_hold(self, state: State) -> bool:
        """Whether it holds for some actions, as far as it says something of the state alone."""
        for place, allowed in self.values.items():
            if state[place] not in allowed:
                return False
        return all(test(state, _NO_ACTION) for test in self.tests)


@dataclass(frozen=True, slots=True)
class GuardReader:
    """Takes guards apart."""

    places: Places
    compile: Compile

    def cases(self, guard: int, condition: Condition) -> Iterator[Case]:
        """The cases of a guard with this number."""
        for part in chained(condition) if isinstance(condition, Disj) else (condition,):
            yield self._case(guard, chained(part) if isinstance(part, Conj) else (part,))

    def _case(self, guard: int, conjuncts: Iterable[Node]) -> Case:
        values: dict[int, frozenset[Value]] = {}
        actions: dict[int, frozenset[Value]] = {}
        rest: list[Node] = []
        for item in conjuncts:
            asked = _asked(item)
            if asked is None:
                rest.append(item)
            elif isinstance(asked[0], Var):
                _narrow(values, self.places.variable[asked[0].owner, asked[0].name], asked[1])
            else:
                _narrow(actions, self.places.agent[asked[0].agent], asked[1])
        case = Case(guard, values, (), actions, (), (), frozenset(actions), frozenset())
        return self._with(case, rest) if rest else case

    def _with(self, case: Case, rest: Iterable[Node]) -> Case:
        """A case with conjuncts that have to be tried."""
        tests: list[Evaluator] = []
        of_one: list[tuple[int, Evaluator]] = []
        of_many: list[Evaluator] = []
        hears, remembers = set(case.hears), set[int]()
        for item in rest:
            seats = [self.places.agent[name] for name in actors(item)]
            hears.update(seats)
            match seats:
                case []:
                    tests.append(self.test(item))
                case [seat]:
                    of_one.append((seat, self.compile(item)))
                case _:
                    of_many.append(self.compile(item))
                    remembers.update(seats)
        case = case._replace(tests=tests, of_one=of_one, of_many=of_many)
        return case._replace(hears=frozenset(hears), remembers=frozenset(remembers))

    def test(self, condition: Node) -> Evaluator:
        """A condition on states as a function.

        `Other` is the complement of all lines before it: they are found by the state's values too.
        """
        if isinstance(condition, Negation) and isinstance(condition.operand, Disj):
            index = GuardIndex(list(self.cases(0, condition.operand)))
            return lambda state, _: not any(True for _ in index.possible(state))
        return self.compile(condition)


def _narrow(allowed: dict[int, frozenset[Value]], where: int, values: frozenset[Value]) -> None:
    allowed[where] = allowed[where] & values if where in allowed else values


def _asked(item: Node) -> tuple[Var | ActionOf, frozenset[Value]] | None:
    """What must have which values: of `x = 3`, and of `x = 3 or x = 5`."""
    if isinstance(item, Disj):
        return _asked_by_all(chained(item))
    if not isinstance(item, Compare) or item.operator != "=":
        return None
    for unknown, value in (item.left, item.right), (item.right, item.left):
        if isinstance(value, Literal) and isinstance(unknown, Var | ActionOf):
            return unknown, frozenset((value.value,))
    return None


def _asked_by_all(items: Sequence[Node]) -> tuple[Var | ActionOf, frozenset[Value]] | None:
    """The same for a disjunction: all of its parts must ask for the same."""
    found = _asked(items[0])
    if found is None:
        return None
    unknown, values = found
    for item in items[1:]:
        match _asked(item):
            case other, more if other == unknown:
                values |= more
            case _:
                return None
    return unknown, values


class GuardIndex:
    """Cases by the values they ask for.

    They are parted by the variable that leaves the fewest together: those that ask for a value of it, by
    that value, and those that do not.
    """

    def __init__(self, cases: Sequence[Case], depth: int = 0) -> None:
        self._few: Sequence[Case] = cases
        self._place: int | None = None
        self._by_value: dict[Value, GuardIndex] = {}
        self._others: GuardIndex | None = None
        if len(cases) > _FEW and depth < _DEEPEST:
            self._part(cases, depth)

    def _part(self, cases: Sequence[Case], depth: int) -> None:
        place = _best_place(cases)
        if place is None:
            return
        groups: dict[Value, list[Case]] = {}
        for case in cases:
            for value in case.values.get(place, ()):
                groups.setdefault(value, []).append(case)
        self._place, self._few = place, ()
        self._by_value = {value: GuardIndex(group, depth + 1) for value, group in groups.items()}
        self._others = GuardIndex([case for case in cases if place not in case.values], depth + 1)

    def possible(self, state: State) -> Iterator[Case]:
        """The cases that may hold in a state, in no order."""
        index: GuardIndex | None = self
        while index is not None:
            if index._place is None:
                yield from [case for case in index._few if case.may_hold(state)]
            elif (found := index._by_value.get(state[index._place])) is not None:
                yield from found.possible(state)
            index = index._others


def _best_place(cases: Sequence[Case]) -> int | None:
    """The variable whose values part the cases best, if one does."""
    asking: dict[int, int] = {}
    counts: dict[int, dict[Value, int]] = {}
    for case in cases:
        for place, allowed in case.values.items():
            asking[place] = asking.get(place, 0) + 1
            count = counts.setdefault(place, {})
            for value in allowed:
                count[value] = count.get(value, 0) + 1
    together = {
        place: len(cases) - asking[place] + max(counts[place].values(), default=0) for place in asking
    }
    best = min(together, key=lambda place: together[place], default=None)
    return None if best is None or together[best] > _TOO_MANY * len(cases) else best
