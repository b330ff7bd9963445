"""Expressions and conditions as circuits: one clause per kind, like `system.expressions.compiled`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from knower.functions.circuit import FALSE, TRUE, Circuits
from knower.functions.circuit import Literal as Bit
from knower.logic.fold import fold, fold_more
from knower.logic.node import Node, children_of
from knower.records import dataclass
from knower.symbolic.bits import Arithmetic as Calculator
from knower.symbolic.bits import Vector, constant, number_of, unsigned
from knower.symbolic.layout import Field, Key, Layout
from knower.system.domains import BoolDomain, EnumDomain, RangeDomain, Value
from knower.system.expressions import (
    ActionOf,
    Arithmetic,
    BitNot,
    Bits,
    Compare,
    Condition,
    Conj,
    Disj,
    Expression,
    Literal,
    Minus,
    Negation,
    Truth,
    Var,
    chained,
    divides,
)  # fmt: skip


@dataclass(frozen=True)
class Number:
    """A fraction: a numerator and, unless it is 1, a denominator. `undefined` after division by zero."""

    top: Vector
    bottom: Vector | None = None
    undefined: Bit = FALSE


@dataclass(frozen=True)
class Symbol:
    """A value out of a few, each with the condition for it: an enumeration, an action, a name."""

    cases: tuple[tuple[Value, Bit], ...]


@dataclass(frozen=True)
class Flag:
    """A truth value."""

    bit: Bit


Encoded: TypeAlias = Number | Symbol | Flag


@dataclass(frozen=True)
class Assigned:
    """What a variable becomes: the bits of its code, and where the value lies outside the domain."""

    code: tuple[Bit, ...]
    overflow: Bit


#: Ranks of the terms of a sum are smaller than two to this power.
_HIGHEST = 40


def _rank(term: Vector) -> int:
    return term[0]


def _operands(item: Node) -> Sequence[Node]:
    """The children of a node; of a sum, a conjunction or a disjunction, all its parts."""
    if not isinstance(item, Arithmetic):
        return chained(item)
    if item.operator != "+":
        return children_of(item)
    parts: list[Node] = []
    todo: list[Node] = [item]
    while todo:
        part = todo.pop()
        if isinstance(part, Arithmetic) and part.operator == "+":
            todo += reversed(children_of(part))
        else:
            parts.append(part)
    return parts


class Conditions:
    """Conditions of a system over the bits of its layout.

    An action that an agent may take is an input of its own (`action_input`), numbered after the
    Boolean variables: what stands for it is decided when functions are built.
    """

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.circuits = Circuits()
        self.numbers = Calculator(self.circuits)
        self._actions: dict[tuple[str, str], int] = {}
        for agent in layout.system.agents:
            for action in agent.actions:
                self._actions[agent.name, action] = layout.variables + len(self._actions)
        self.action_of_input = {number: key for key, number in self._actions.items()}
        self._symbols: dict[str, Symbol] = {}
        self._read: dict[Key, Encoded] = {}
        self._done: dict[int, Encoded | Bit] = {}  # by the id of nodes, which `_roots` keeps
        self._roots: list[Node] = []
        self._assigned: dict[tuple[int, int], Assigned] = {}

    def condition(self, condition: Condition) -> Bit:
        found = self._fold(condition)
        assert isinstance(found, int)
        return found

    def zero_division(self, *roots: Node) -> Bit:
        """Where some comparison below divides by zero."""
        found: list[Bit] = []
        for root in filter(divides, roots):
            fold(root, lambda item, below: self._noted(item, below, found), _operands)
        return self.circuits.any(found)

    def assigned(self, field: Field, value: Expression) -> Assigned:
        """The value as a code of the field."""
        key = id(field), id(value)  # the layout keeps the one, `_roots` the other
        found = self._assigned.get(key)
        if found is None:
            found = self._assigned[key] = self._coded(field, value)
        return found

    def _coded(self, field: Field, value: Expression) -> Assigned:
        if isinstance(field.domain, RangeDomain) and isinstance(value, Literal):
            self._roots.append(value)
            return self._fixed(field, value.value)
        encoded = self._fold(value)
        match encoded, field.domain:
            case Flag(bit), BoolDomain():
                return Assigned((bit,), FALSE)
            case Symbol(cases), EnumDomain(values):
                known = [(field.code(value), bit) for value, bit in cases if value in values]
                outside = [bit for value, bit in cases if value not in values]
                return Assigned(self._selected(known, len(field.bits)), self.circuits.any(outside))
            case Number(), RangeDomain(low, high):
                return self._in_range(encoded, low, high, field)
            case _:
                raise TypeError(f"a value of another type than {field.domain}: {value!r}")

    def _selected(self, cases: Sequence[tuple[tuple[bool, ...], Bit]], width: int) -> tuple[Bit, ...]:
        """The code of the case that holds."""
        return tuple(self.circuits.any(bit for code, bit in cases if code[place]) for place in range(width))

    def _fixed(self, field: Field, value: Value) -> Assigned:
        """A fixed number; a selector is given no others."""
        if value not in field.domain:
            return Assigned((FALSE,) * len(field.bits), TRUE)
        return Assigned(tuple(TRUE if bit else FALSE for bit in field.code(value)), FALSE)

    def _in_range(self, number: Number, low: int, high: int, field: Field) -> Assigned:
        whole, wrong = number.top, number.undefined
        if number.bottom is not None:
            whole, exact = self.numbers.divide(number.top, number.bottom)
            wrong = self.circuits.disj(wrong, exact ^ 1)
        below = self.numbers.less(whole, constant(low))
        above = self.numbers.less(constant(high), whole)
        code = self.numbers.subtract(whole, constant(field.offset)) if field.offset else whole
        padded = code + (code[-1],) * len(field.bits)
        bits = tuple(padded[place] for place in reversed(range(len(field.bits))))
        return Assigned(bits, self.circuits.any((wrong, below, above)))

    # -- the one match over expressions -------------------------------------------------------------

    def _fold(self, root: Node) -> Encoded | Bit:
        self._roots.append(root)
        return fold_more(root, self._encoded, _operands, self._done)

    def _encoded(self, item: Node, below: tuple[Encoded | Bit, ...]) -> Encoded | Bit:
        match item:
            case Truth(value):
                return TRUE if value else FALSE
            case Negation():
                return self._bit(below[0]) ^ 1
            case Conj():
                return self.circuits.all(map(self._bit, below))
            case Disj():
                return self.circuits.any(map(self._bit, below))
            case Compare(operator):
                return self._compared(operator, below[0], below[1])
            case Literal(value):
                return self._literal(value)
            case Var(owner, name):
                if (owner, name) not in self._read:
                    self._read[owner, name] = self.read(self.layout.fields[owner, name])
                return self._read[owner, name]
            case ActionOf(agent):
                return self._action(agent)
            case Minus():
                number = self._number(below[0])
                return Number(self.numbers.negate(number.top), number.bottom, number.undefined)
            case Arithmetic("+"):
                return self._total([self._number(part) for part in below])
            case Arithmetic(operator):
                return self._calculated(operator, self._number(below[0]), self._number(below[1]))
            case BitNot():
                return Flag(self._flag(below[0]) ^ 1)
            case Bits(operator):
                return Flag(self._gate(operator)(self._flag(below[0]), self._flag(below[1])))
            case _:
                raise TypeError(f"not an expression: {item!r}")

    def read(self, field: Field) -> Encoded:
        """The present value of a variable."""
        bits = tuple(self.circuits.input(variable) for variable in field.now)
        if field.selects:
            return Symbol(tuple(zip(field.domain.values, bits, strict=True)))
        match field.domain:
            case BoolDomain():
                return Flag(bits[0])
            case EnumDomain(values):
                return Symbol(tuple((value, self._spells(bits, field.code(value))) for value in values))
            case RangeDomain():
                number = unsigned(bits[::-1])
                return Number(self.numbers.add(number, constant(field.offset)) if field.offset else number)

    def _spells(self, bits: Sequence[Bit], code: tuple[bool, ...]) -> Bit:
        """Whether bits are those of a code."""
        return self.circuits.all(bit ^ (not set_) for bit, set_ in zip(bits, code, strict=True))

    def valid(self, field: Field) -> Bit:
        """Whether the bits now spell a value of the domain."""
        bits = tuple(self.circuits.input(variable) for variable in field.now)
        if field.selects:
            return self._exactly_one(bits)
        if isinstance(field.domain, RangeDomain):
            number = unsigned(bits[::-1])
            first, last = field.domain.low - field.offset, field.domain.high - field.offset
            low = self.numbers.less(number, constant(first)) ^ 1
            return self.circuits.conj(low, self.numbers.less(constant(last), number) ^ 1)
        last = len(field.domain.values) - 1
        return self.numbers.less(constant(last), unsigned(bits[::-1])) ^ 1

    def _exactly_one(self, bits: Sequence[Bit]) -> Bit:
        none, one = TRUE, FALSE
        for bit in bits:
            one = self.circuits.ite(bit, none, one)
            none = self.circuits.conj(none, bit ^ 1)
        return one

    def _action(self, agent: str) -> Symbol:
        if agent not in self._symbols:
            actions = self.layout.system.agent_named[agent].actions
            self._symbols[agent] = Symbol(tuple((a, self.action_input(agent, a)) for a in actions))
        return self._symbols[agent]

    def action_input(self, agent: str, action: str) -> Bit:
        return self.circuits.input(self._actions[agent, action])

    def _literal(self, value: Value) -> Encoded:
        if isinstance(value, bool):
            return Flag(TRUE if value else FALSE)
        if isinstance(value, int):
            return Number(constant(value))
        return Symbol(((value, TRUE),))

    # -- arithmetic -----------------------------------------------------------------------------------

    def _calculated(self, operator: str, a: Number, b: Number) -> Number:
        undefined = self.circuits.disj(a.undefined, b.undefined)
        multiply = self.numbers.multiply
        if operator == "*":
            return Number(multiply(a.top, b.top), self._product(a.bottom, b.bottom), undefined)
        if operator == "/":
            zero = self.numbers.equal(b.top, (FALSE,))
            top = a.top if b.bottom is None else multiply(a.top, b.bottom)
            return Number(top, self._product(a.bottom, b.top), self.circuits.disj(undefined, zero))
        combine = self.numbers.add if operator == "+" else self.numbers.subtract
        left = a.top if b.bottom is None else multiply(a.top, b.bottom)
        right = b.top if a.bottom is None else multiply(b.top, a.bottom)
        return Number(combine(left, right), self._product(a.bottom, b.bottom), undefined)

    def _total(self, terms: list[Number]) -> Number:
        """A sum, added up in an order that sums of nearly the same terms share."""
        if len(terms) == 2:
            return self._calculated("+", *terms)
        whole = [term for term in terms if term.bottom is None and term.undefined == FALSE]
        total = Number(self._added(sorted((term.top for term in whole), key=_rank), _HIGHEST))
        for term in terms:
            if term.bottom is not None or term.undefined != FALSE:
                total = self._calculated("+", total, term)
        return total

    def _added(self, terms: list[Vector], bit: int) -> Vector:
        """The terms whose ranks have the bit, and the others, added up apart."""
        if len(terms) <= 1 or bit < 0:
            total = constant(0)
            for term in terms:
                total = self.numbers.add(total, term)
            return total
        low = [term for term in terms if not _rank(term) >> bit & 1]
        high = [term for term in terms if _rank(term) >> bit & 1]
        if not low or not high:
            return self._added(terms, bit - 1)
        return self.numbers.add(self._added(low, bit - 1), self._added(high, bit - 1))

    def _product(self, a: Vector | None, b: Vector | None) -> Vector | None:
        if a is None or b is None:
            return b if a is None else a
        return self.numbers.multiply(a, b)

    # -- comparisons ----------------------------------------------------------------------------------

    def _compared(self, operator: str, a: Encoded | Bit, b: Encoded | Bit) -> Bit:
        if isinstance(a, Number) and isinstance(b, Number):
            defined = self.circuits.disj(a.undefined, b.undefined) ^ 1
            return self.circuits.conj(defined, self._ordered(operator, a, b))
        same = self._same(a, b)
        return same if operator == "=" else same ^ 1

    def _same(self, a: Encoded | Bit, b: Encoded | Bit) -> Bit:
        if isinstance(a, Flag) and isinstance(b, Flag):
            return self.circuits.same(a.bit, b.bit)
        if isinstance(b, Symbol) and isinstance(a, Number):
            a, b = b, a
        assert isinstance(a, Symbol), "elaboration checks types"
        if isinstance(b, Number):  # a selector of numbers
            b = Symbol(((number_of(b.top), TRUE),))
        assert isinstance(b, Symbol), "elaboration checks types"
        other = dict(b.cases)
        return self.circuits.any(self.circuits.conj(bit, other[v]) for v, bit in a.cases if v in other)

    def _ordered(self, operator: str, a: Number, b: Number) -> Bit:
        left, right = self._cross(a, b)
        match operator:
            case "=":
                return self.numbers.equal(left, right)
            case "!=":
                return self.numbers.equal(left, right) ^ 1
            case "<":
                return self.numbers.less(left, right)
            case ">":
                return self.numbers.less(right, left)
            case "<=":
                return self.numbers.less(right, left) ^ 1
            case ">=":
                return self.numbers.less(left, right) ^ 1
            case _:
                raise TypeError(f"not a comparison: {operator}")

    def _cross(self, a: Number, b: Number) -> tuple[Vector, Vector]:
        """Two fractions over one positive denominator: what is left to compare."""
        left = a.top if b.bottom is None else self.numbers.multiply(a.top, b.bottom)
        right = b.top if a.bottom is None else self.numbers.multiply(b.top, a.bottom)
        for bottom in (a.bottom, b.bottom):
            if bottom is not None:
                left = self.numbers.choose(bottom[-1], self.numbers.negate(left), left)
                right = self.numbers.choose(bottom[-1], self.numbers.negate(right), right)
        return left, right

    def _noted(self, item: Node, below: tuple[Encoded | Bit, ...], found: list[Bit]) -> Encoded | Bit:
        if isinstance(item, Compare):
            found += [side.undefined for side in below if isinstance(side, Number)]
        return self._encoded(item, below)

    # -- what an operand must be ------------------------------------------------------------------------

    def _gate(self, operator: str) -> Callable[[Bit, Bit], Bit]:
        gates = {"&": self.circuits.conj, "|": self.circuits.disj, "^": self.circuits.xor}
        return gates[operator]

    @staticmethod
    def _bit(part: Encoded | Bit) -> Bit:
        assert isinstance(part, int)
        return part

    @staticmethod
    def _flag(part: Encoded | Bit) -> Bit:
        assert isinstance(part, Flag)
        return part.bit

    @staticmethod
    def _number(part: Encoded | Bit) -> Number:
        assert isinstance(part, Number)
        return part
