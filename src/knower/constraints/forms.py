"""Conditions as the lints' search reads them: memberships, linear bounds, trials, and/or.

A form is made of a condition and the truth it is to have, the first time the search meets it.
Chains of a connective are kept flat and forms are remembered, so a condition is read once.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import lcm
from typing import NamedTuple, TypeAlias

from knower.constraints.values import Key, Values, values_of
from knower.logic.fold import subformulas
from knower.logic.node import Node, node
from knower.records import dataclass
from knower.system.domains import RangeDomain, Value
from knower.system.evaluation import compiled
from knower.system.expressions import (
    ActionOf,
    Arithmetic,
    Compare,
    Condition,
    Conj,
    Disj,
    Expression,
    Iff,
    Literal,
    Minus,
    Negation,
    NoValue,
    Places,
    Truth,
    Var,
)  # fmt: skip
from knower.system.system import InterpretedSystem

Number: TypeAlias = int | Fraction
Test: TypeAlias = Callable[[tuple[Value, ...]], bool]


@node
class Fractional(Condition):
    """The value is defined and no whole number; only the lints ask for it."""

    value: Expression


@node
class Valueless(Condition):
    """There is no value; only the lints ask for it."""

    value: Expression


Question: TypeAlias = Compare | Fractional | Valueless


class Wanted(NamedTuple):
    """A condition that is to have a truth value."""

    condition: Condition
    truth: bool


@dataclass(frozen=True, slots=True)
class Member:
    """The unknown is one of the allowed values."""

    key: Key
    allowed: Values


@dataclass(frozen=True, slots=True)
class Bound:
    """`sum of coefficient * unknown + constant <= 0`; with `equal`, it is 0."""

    terms: tuple[tuple[Key, int], ...]
    constant: int
    equal: bool = False


@dataclass(frozen=True, slots=True)
class Trial:
    """Anything else: true or false of values given in the order of the keys."""

    keys: tuple[Key, ...]
    test: Test


@dataclass(frozen=True, slots=True)
class All:
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Any:
    parts: tuple[Part, ...]


Atom: TypeAlias = Member | Bound | Trial
Form: TypeAlias = Atom | All | Any | bool
Part: TypeAlias = Wanted | Atom


def key_of(unknown: Var | ActionOf) -> Key:
    return (unknown.agent, "Action") if isinstance(unknown, ActionOf) else (unknown.owner, unknown.name)


def unknown_at(key: Key) -> Var | ActionOf:
    return ActionOf(key[0]) if key[1] == "Action" else Var(*key)


def keys_of(*roots: Node) -> dict[Key, None]:
    """The unknowns mentioned, in the order they are written."""
    found = (item for root in roots for item in subformulas(root) if isinstance(item, Var | ActionOf))
    return dict.fromkeys(map(key_of, found))


class Forms:
    """The forms of a system's conditions."""

    def __init__(self, system: InterpretedSystem) -> None:
        self.domains: dict[Key, Values] = {key: values_of(domain) for key, domain in system.domains.items()}
        self.domains |= {(agent.name, "Action"): frozenset(agent.actions) for agent in system.agents}
        self._numbers = {key for key, domain in system.domains.items() if isinstance(domain, RangeDomain)}
        #: By the identity of the condition, which is kept so that no other can take its place.
        self._made: dict[tuple[int, bool], tuple[Condition, Form]] = {}

    def of(self, part: Part) -> Form:
        if not isinstance(part, Wanted):
            return part
        condition, truth = part
        while isinstance(condition, Negation):
            condition, truth = condition.operand, not truth
        place = id(condition), truth
        if place not in self._made:
            self._made[place] = condition, self._form(condition, truth)
        return self._made[place][1]

    def _form(self, condition: Condition, truth: bool) -> Form:
        match condition:
            case Truth(value):
                return value is truth
            case Conj() | Disj():
                parts = _parts(condition, truth)
                return All(parts) if isinstance(condition, Conj) is truth else self._any(parts)
            case Iff(left, right):
                return self._iff(left, right, truth)
            case Compare() | Fractional() | Valueless():
                return self._atom(condition, truth)
            case _:
                raise TypeError(f"not a condition: {condition!r}")

    def _iff(self, left: Condition, right: Condition, truth: bool) -> Form:
        """Both have the same truth value, or, if that is not to be, each the opposite of the other's."""
        both, neither = Conj(left, right), Conj(Negation(left), Negation(right))
        if not truth:
            both, neither = Conj(left, Negation(right)), Conj(Negation(left), right)
        return Any((Wanted(both, True), Wanted(neither, True)))

    def _any(self, parts: tuple[Part, ...]) -> Form:
        """At least one part; memberships of one unknown become one: `x = a or x = b`."""
        members: dict[Key, frozenset[Value]] = {}
        rest: list[Part] = []
        for part in parts:
            simple = isinstance(part, Wanted) and isinstance(part.condition, Compare)
            form = self.of(part) if simple else None
            if isinstance(form, Member) and isinstance(form.allowed, frozenset):
                members[form.key] = members.get(form.key, frozenset()) | form.allowed
            else:
                rest.append(part)
        joined = [Member(key, allowed) for key, allowed in members.items()]
        return joined[0] if len(joined) == 1 and not rest else Any((*joined, *rest))

    # -- comparisons ------------------------------------------------------------------------------

    def _atom(self, condition: Question, truth: bool) -> Form:
        plain = self._plain(condition, truth)
        if plain is not None:
            return plain
        keys = tuple(keys_of(condition))
        test = _test(condition, truth, keys)
        if not keys:
            return test(())
        if len(keys) == 1 and isinstance(known := self.domains[keys[0]], frozenset):
            return Member(keys[0], frozenset(value for value in known if test((value,))))
        if isinstance(condition, Compare) and (sides := self._linear(condition)) is not None:
            return _bound(_OPERATOR[condition.operator, truth], *sides)
        return Trial(keys, test)

    def _plain(self, condition: Question, truth: bool) -> Member | None:
        """`x = value` and `x != value`, most of all comparisons, without much ado."""
        match condition:
            case Compare("=" | "!=" as operator, Var() | ActionOf() as unknown, Literal(value)):
                known = self.domains[key_of(unknown)]
                if isinstance(known, frozenset):
                    allowed = known & {value} if (operator == "=") is truth else known - {value}
                    return Member(key_of(unknown), allowed)
        return None

    def _linear(self, condition: Compare) -> tuple[dict[Key, Number], Number] | None:
        """The coefficients and the constant of `left - right`, if it is linear in numbers."""
        terms: dict[Key, Number] = {}
        constant: Number = 0
        todo: list[tuple[Expression, Number]] = [(condition.left, 1), (condition.right, -1)]
        while todo:
            item, factor = todo.pop()
            if isinstance(item, Var) and key_of(item) in self._numbers:
                terms[key_of(item)] = terms.get(key_of(item), 0) + factor
                continue
            number = _number(item)
            inner = _summands(item, factor) if number is None else []
            if inner is None:
                return None
            todo += inner
            constant += factor * (number or 0)
        return {key: factor for key, factor in terms.items() if factor}, constant


def _parts(condition: Condition, truth: bool) -> tuple[Part, ...]:
    """The operands of a chain of one connective, in the order they are written."""
    kind, parts, todo = type(condition), [], [condition]
    while todo:
        item = todo.pop()
        if isinstance(item, Conj | Disj) and type(item) is kind:
            todo += [item.right, item.left]
        else:
            parts.append(Wanted(item, truth))
    return tuple(parts)


def _test(condition: Question, truth: bool, keys: tuple[Key, ...]) -> Test:
    place = {key: k for k, key in enumerate(keys)}
    places = Places(place, {agent: k for (agent, name), k in place.items() if name == "Action"})
    root = condition if isinstance(condition, Compare) else condition.value
    call = compiled(root, places)

    def whether(values: tuple[Value, ...]) -> bool:
        return bool(call(values, values)) is truth  # type: ignore[arg-type]

    def fractional(values: tuple[Value, ...]) -> bool:
        try:
            return (call(values, values).denominator != 1) is truth  # type: ignore[arg-type]
        except NoValue:
            return not truth

    def valueless(values: tuple[Value, ...]) -> bool:
        try:
            call(values, values)  # type: ignore[arg-type]
        except NoValue:
            return truth
        return not truth

    match condition:
        case Fractional():
            return fractional
        case Valueless():
            return valueless
        case Compare():
            return whether


def keys_in(atom: Atom) -> tuple[Key, ...]:
    """The unknowns an atom speaks of."""
    match atom:
        case Member(key):
            return (key,)
        case Bound(terms):
            return tuple(key for key, _ in terms)
        case Trial(keys):
            return keys


# -- linear bounds --------------------------------------------------------------------------------

#: What a comparison says when it is true and when it is not.
_OPPOSITE = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_OPERATOR = {(op, True): op for op in _OPPOSITE} | {(op, False): other for op, other in _OPPOSITE.items()}


def _number(item: Expression) -> int | None:
    """The value of a literal, if it is a number."""
    value = item.value if isinstance(item, Literal) else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _summands(item: Expression, factor: Number) -> list[tuple[Expression, Number]] | None:
    """What `factor * item` is the sum of; None where it is no sum of multiples."""
    match item:
        case Minus(operand):
            return [(operand, -factor)]
        case Arithmetic("+", left, right):
            return [(left, factor), (right, factor)]
        case Arithmetic("-", left, right):
            return [(left, factor), (right, -factor)]
        case Arithmetic("*", left, right):
            for scale, other in ((_number(left), right), (_number(right), left)):
                if scale is not None:
                    return [(other, factor * scale)]
            return None
        case Arithmetic("/", left, right):
            scale = _number(right)
            return [(left, Fraction(factor) / scale)] if scale else None
        case _:
            return None


def _bound(operator: str, terms: dict[Key, Number], constant: Number) -> Form:
    """The form of `terms + constant operator 0`."""
    scale = lcm(constant.denominator, *(factor.denominator for factor in terms.values()))
    whole = {key: int(factor * scale) for key, factor in sorted(terms.items())}
    rest = int(constant * scale)
    if operator == "=":
        return Bound(tuple(whole.items()), rest, equal=True)
    below = Bound(tuple(whole.items()), rest + (operator in ("<", "!=")))
    above = Bound(tuple((key, -factor) for key, factor in whole.items()), (operator in (">", "!=")) - rest)
    if operator == "!=":
        return Any((below, above))
    return below if operator in ("<", "<=") else above
