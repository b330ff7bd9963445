"""Many lines at once: which of them holds is found by what they test, one test after the other.

Programs print a line for each state and joint action. As a tree of tests (first the variable, then each
agent's action), what such lines have in common is made once, and no diagram of a single line is ever made:
a game of 5,000 states and 40,000 lines takes a few thousand choices between two halves for each bit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple, TypeAlias

from knower.functions.circuit import FALSE, TRUE, Circuits, Literal
from knower.logic.node import Node
from knower.records import dataclass
from knower.symbolic.conditions import Conditions
from knower.symbolic.layout import Key
from knower.system.expressions import ActionOf, Compare, Condition, Conj, Disj, Var, chained
from knower.system.expressions import Literal as Value

#: A conjunction of literals: tests first, and one literal for the rest.
Product: TypeAlias = tuple[Literal, ...]

#: A condition is taken apart into so many products at most, by so many changes of `and` and `or`; what is
#: more is a literal like any other. So many tests of a product are told apart.
_MOST_PRODUCTS, _DEEPEST, _LONGEST = 256, 3, 40
#: So few lines are looked at one by one: nobody prints them by program, and their conditions may be long.
_FEW_LINES = 12


class Test(NamedTuple):
    """That a variable has a value, or that an agent takes an action: a subject does not pass two.

    `bits` spell `code` where a variable passes; of actions there is no code.
    """

    subject: Key | str
    code: tuple[bool, ...] | str
    bits: tuple[Literal, ...] = ()


class Products:
    """Conditions as disjunctions of conjunctions, and the tests among their literals.

    A disjunction is taken apart where that leaves nothing but tests.
    """

    def __init__(self, conditions: Conditions) -> None:
        self.tests: dict[Literal, Test] = {}
        self.conditions = conditions
        self._literals: dict[int, Literal] = {}  # by the `id` of nodes, which the system keeps
        self._rank: dict[Literal, int] = {}
        self._subjects = {
            subject: k
            for k, subject in enumerate([*conditions.layout.fields, *conditions.layout.action_bits])
        }

    def of(self, condition: Condition) -> tuple[Product, ...]:
        """The products of a condition, of which at least one holds where it does."""
        return tuple([self._sorted(product) for product in self._products(condition, _DEEPEST)])

    def _products(self, condition: Node, depth: int) -> list[Product]:
        found: list[Product] = [()]
        for part in chained(condition) if type(condition) is Conj else (condition,):
            if type(part) is Disj and depth:
                options = [product for each in chained(part) for product in self._products(each, depth - 1)]
                plain = all(literal in self.tests for product in options for literal in product)
                if plain and len(found) * len(options) <= _MOST_PRODUCTS:
                    found = [one + other for one in found for other in options]
                    continue
            literal = self._literals.get(id(part))
            if literal is None:
                literal = self._read(part)
            found = [(*product, literal) for product in found]
        return found

    def _sorted(self, product: Product) -> Product:
        """The tests, in the same order everywhere so that products begin alike; then the rest."""
        rank = self._rank
        tests = sorted([literal for literal in product if literal in rank], key=rank.__getitem__)
        if len(tests) == len(product) <= _LONGEST:
            return tuple(tests)
        others = [literal for literal in product if literal not in rank]
        return *tests[:_LONGEST], self.conditions.circuits.all([*tests[_LONGEST:], *others])

    def _read(self, part: Node) -> Literal:
        """The literal of a condition that is not taken apart."""
        assert isinstance(part, Condition)
        literal = self._literals[id(part)] = self.conditions.condition(part)
        test = self._test(part) if literal not in (TRUE, FALSE) else None
        if test is not None:
            self.tests[literal] = test
            self._rank[literal] = self._subjects[test.subject]
        return literal

    def _test(self, part: Condition) -> Test | None:
        match part:
            case Compare("=", Var(owner, name), Value(value)) | Compare("=", Value(value), Var(owner, name)):
                field = self.conditions.layout.fields[owner, name]
                if field.selects or value not in field.domain:
                    return None
                bits = tuple(self.conditions.circuits.input(bit) for bit in field.now)
                return Test((owner, name), field.code(value), bits)
            case Compare("=", ActionOf(agent), Value(str(value))):
                return Test(agent, value)
            case _:
                return None


class _Branch(NamedTuple):
    """Lines that hold here, and what holds where a literal does too: a branch, or just one line."""

    lines: tuple[int, ...]
    literals: Product
    below: tuple[_Branch | int, ...]


@dataclass(frozen=True, eq=False)
class Cases:
    """Lines, by their conditions: where some of them hold."""

    lines: Sequence[Condition]
    _products: Products

    @cached_property
    def products(self) -> list[tuple[Product, ...]]:
        """Those of each line."""
        return [self._products.of(line) for line in self.lines]

    def some(self, wanted: Iterable[Literal]) -> Literal:
        """Where a line holds, and with it what is wanted of that line."""
        if len(self.lines) > _FEW_LINES:
            return self._some(self._tree, list(wanted), {})
        guards = map(self._products.conditions.condition, self.lines)
        return self._circuits.any(map(self._circuits.conj, guards, wanted))

    @property
    def _circuits(self) -> Circuits:
        return self._products.conditions.circuits

    @cached_property
    def exclusive(self) -> bool:
        """Whether the tests alone tell all lines apart; actions are, in valid states."""
        return self._exclusive(self._tree)

    @cached_property
    def _tree(self) -> _Branch:
        return _tree([(product, k) for k, line in enumerate(self.products) for product in line], 0)

    def _some(self, tree: _Branch, wanted: list[Literal], done: dict[tuple[object, ...], Literal]) -> Literal:
        here = tuple([wanted[k] for k in tree.lines])
        below = tuple([wanted[b] if type(b) is int else self._some(b, wanted, done) for b in tree.below])  # type: ignore[arg-type]
        key = tree.literals, below, here
        found = done.get(key)
        if found is None:
            found = done[key] = self._circuits.any([*here, *self._parts(tree.literals, below)])
        return found

    def _parts(self, literals: Product, below: Sequence[Literal]) -> Iterator[Literal]:
        """For each subject, what follows by the value it has."""
        chosen: dict[tuple[Literal, ...], dict[tuple[bool, ...], Literal]] = {}
        for literal, rest in zip(literals, below, strict=True):
            test = self._products.tests.get(literal)
            if rest == FALSE:
                continue
            if test is None or not test.bits:
                yield self._circuits.conj(literal, rest)
            else:
                chosen.setdefault(test.bits, {})[test.code] = rest  # type: ignore[index]
        for bits, rests in chosen.items():
            yield self._choice(bits, list(rests.items()), 0)

    def _choice(
        self, bits: tuple[Literal, ...], rests: list[tuple[tuple[bool, ...], Literal]], at: int
    ) -> Literal:
        """By one bit after the other, what follows a code; nothing follows one that is missing."""
        if not rests or at == len(bits):
            return rests[0][1] if rests else FALSE
        high = self._choice(bits, [rest for rest in rests if rest[0][at]], at + 1)
        low = self._choice(bits, [rest for rest in rests if not rest[0][at]], at + 1)
        return self._circuits.ite(bits[at], high, low)

    def _exclusive(self, tree: _Branch) -> bool:
        tests = [self._products.tests.get(literal) for literal in tree.literals]
        subjects = {test and test.subject for test in tests}
        codes = {test and test.code for test in tests}
        apart = len(subjects) <= 1 and None not in subjects and len(codes) == len(tests)
        lines = len(set(tree.lines)) <= 1 and not (tree.lines and tests)
        return apart and lines and all(self._exclusive(b) for b in tree.below if not isinstance(b, int))


def _tree(products: list[tuple[Product, int]], depth: int) -> _Branch:
    lines: list[int] = []
    groups: dict[Literal, list[tuple[Product, int]]] = {}
    for product in products:
        if depth == len(product[0]):
            lines.append(product[1])
        else:
            groups.setdefault(product[0][depth], []).append(product)
    below = [_tree(each, depth + 1) for each in groups.values()]
    plain = [b.lines[0] if len(b.lines) == 1 and not b.literals else b for b in below]
    return _Branch(tuple(lines), tuple(groups), tuple(plain))
