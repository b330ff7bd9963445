"""Expressions and conditions as circuits: one clause per kind, like `system.evaluation.compiled`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from knower.functions.circuit import FALSE, TRUE, Circuits
from knower.functions.circuit import Literal as Bit
from knower.logic.fold import fold, fold_more
from knower.logic.node import Node
from knower.records import dataclass
from knower.symbolic.bits import constant, unsigned
from knower.symbolic.layout import Field, Key, Layout
from knower.symbolic.values import Encoded, Flag, Missing, Number, Symbol, Values
from knower.system.domains import BoolDomain, EnumDomain, RangeDomain, Value
from knower.system.expressions import (
    Abs,
    ActionOf,
    Arithmetic,
    BitNot,
    Bits,
    Compare,
    Condition,
    Conj,
    Disj,
    Expression,
    IfElse,
    Iff,
    Literal,
    Minus,
    Negation,
    Truth,
    TruthOf,
    Undefined,
    Var,
    chained,
    is_partial,
)  # fmt: skip


@dataclass(frozen=True)
class Assigned:
    """What a variable becomes: the bits of its code, and where the value lies outside the domain."""

    code: tuple[Bit, ...]
    overflow: Bit


#: The circuits of a node, and where something without a value is reached below it.
_Reached: TypeAlias = tuple[Encoded | Bit, Bit]


class Conditions:
    """Conditions of a system over the bits of its layout.

    An action that an agent may take is an input of its own (`action_input`), numbered after the
    Boolean variables: what stands for it is decided when functions are built.
    """

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.circuits = Circuits()
        self.values = Values(self.circuits)
        self.numbers = self.values.numbers
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

    def fault(self, *roots: Node) -> Bit:
        """Where some comparison in conditions or values is reached, from left to right, and has nothing to
        compare."""
        found = [fold(root, self._reached, chained)[1] for root in roots if is_partial(root)]
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
            case Missing(), _:
                return Assigned((FALSE,) * len(field.bits), TRUE)
            case Flag(bit, undefined), BoolDomain():
                return Assigned((bit,), undefined)
            case Symbol(cases, undefined), EnumDomain(values):
                known = [(field.code(value), bit) for value, bit in cases if value in values]
                outside = [undefined, *(bit for value, bit in cases if value not in values)]
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
        number = self.values.whole(number)
        whole, wrong = number.top, number.undefined
        below = self.numbers.less(whole, constant(low))
        above = self.numbers.less(constant(high), whole)
        code = self.numbers.subtract(whole, constant(field.offset)) if field.offset else whole
        padded = code + (code[-1],) * len(field.bits)
        bits = tuple(padded[place] for place in reversed(range(len(field.bits))))
        return Assigned(bits, self.circuits.any((wrong, below, above)))

    # -- the one match over expressions -------------------------------------------------------------

    def _fold(self, root: Node) -> Encoded | Bit:
        self._roots.append(root)
        return fold_more(root, self._encoded, chained, self._done)

    def _encoded(self, item: Node, below: tuple[Any, ...]) -> Encoded | Bit:
        """The circuits of a node, from those of its operands: a bit of a condition, else `Encoded`."""
        match item:
            case Truth(value):
                return TRUE if value else FALSE
            case Negation():
                return below[0] ^ 1  # type: ignore[no-any-return]
            case Conj():
                return self.circuits.all(below)
            case Disj():
                return self.circuits.any(below)
            case Iff():
                return self.circuits.same(*below)
            case Compare(operator):
                return self.values.compared(operator, *below)
            case _:
                return self._expression(item, below)

    def _expression(self, item: Node, below: tuple[Any, ...]) -> Encoded:
        match item:
            case Literal(value):
                return self.values.literal(value)
            case Var(owner, name):
                if (owner, name) not in self._read:
                    self._read[owner, name] = self.read(self.layout.fields[owner, name])
                return self._read[owner, name]
            case ActionOf(agent):
                return self._action(agent)
            case Minus():
                return self.values.negated(*below)
            case Abs():
                return self.values.absolute(*below)
            case Arithmetic(operator):
                return self.values.calculated(operator, below)
            case BitNot():
                return self.values.opposite(*below)
            case Bits(operator):
                return self.values.gate(operator, *below)
            case IfElse():
                return self._chosen(below)
            case TruthOf():
                return Flag(*below)
            case Undefined():
                return Missing()
            case _:
                raise TypeError(f"not an expression: {item!r}")

    def _chosen(self, parts: tuple[Any, ...]) -> Encoded:
        """Of conditions and values by turns, the first value whose condition holds; else the last."""
        found: Encoded = parts[-1]
        for condition, value in zip(parts[-3::-2], parts[-2::-2], strict=True):
            found = self.values.chosen(condition, value, found)
        return found

    def _reached(self, item: Node, below: tuple[_Reached, ...]) -> _Reached:
        """The circuits of a node, and where something is reached below it that has nothing to compare."""
        encoded = self._encoded(item, tuple([part for part, _ in below]))
        faults, circuits = [fault for _, fault in below], self.circuits
        match item:
            case Compare():
                return encoded, circuits.any([*faults, *(side.undefined for side, _ in below)])  # type: ignore[union-attr]
            case Conj() | Disj():
                found = FALSE
                for part, fault in reversed(below):  # the rest is looked at only where that decides nothing
                    goes_on = part if isinstance(item, Conj) else part ^ 1  # type: ignore[operator]
                    found = circuits.disj(fault, circuits.conj(goes_on, found))  # type: ignore[arg-type]
                return encoded, found
            case IfElse():
                found = faults[-1]
                for place in reversed(range(0, len(below) - 1, 2)):
                    taken = circuits.ite(below[place][0], faults[place + 1], found)  # type: ignore[arg-type]
                    found = circuits.disj(faults[place], taken)
                return encoded, found
            case _:
                return encoded, circuits.any(faults)

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
        return self.circuits.input(self.number_of_action(agent, action))

    def number_of_action(self, agent: str, action: str) -> int:
        """The input that says that an agent takes an action."""
        return self._actions[agent, action]
