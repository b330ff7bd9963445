"""Makes plain expressions: equal ones are one node, or each is its own and has a place.

What is known already is worked out on the way: `true and c` is `c`, `2 + 1` is `3`.
"""

from __future__ import annotations

from fractions import Fraction

from knower.errors import Diagnostic, InputError
from knower.source import NOWHERE, Source, Span
from knower.syntax.tree import Expr, If, Infix, Name, Number, Prefix, Undefined
from knower.templates import values
from knower.templates.values import Value, is_number, spelt

#: So many nodes are the most that a model may have.
MOST_NODES = 10_000_000


class Nodes:
    """Equal nodes are one: what is made of them later is made once. They are known by their operands."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.at: Span = NOWHERE
        #: What Defines are: by agent, name, and whose variables they are said to read.
        self.defined: dict[tuple[str, str, str | None], Expr] = {}
        self._known: dict[object, Expr] = {}
        self._values: dict[int, Value] = {}
        #: Parts that folding left out, and in which all names are known.
        self.resolved: set[tuple[int, str]] = set()

    def keep(self, key: object, made: Expr) -> Expr:
        """A node that was made, or the equal one that was made before."""
        if len(self._known) >= MOST_NODES:
            message = f"the model has more than {MOST_NODES:,} parts when it is written out"
            raise InputError([Diagnostic("E415", message, self.source, self.at, "choose smaller constants")])
        return self._known.setdefault(key, made)

    def remember(self, key: tuple[str, str, str | None], made: Expr) -> Expr:
        self.defined[key] = made
        return made

    def span_of(self, item: Expr) -> Span:
        """Where a node stands, as far as that is known."""
        return self.at

    def value_of(self, item: Expr) -> Value | None:
        """What an expression is known to be before there is a state: a number, a truth value or a name."""
        return self._values.get(id(item))

    # -- leaves ------------------------------------------------------------------------------------

    def static(self, value: Value | Fraction) -> Expr:
        if isinstance(value, bool | str):
            return self._valued(("value", value), Name(spelt(value)), value)
        if isinstance(value, Fraction):
            top, bottom = self.static(value.numerator), self.static(value.denominator)
            return self.keep(("/", id(top), id(bottom)), Infix("/", top, bottom))
        if value < 0:
            positive = self.keep(("value", -value), Number(-value))
            self._values[id(positive)] = -value
            return self._valued(("value", value), Prefix("-", positive), value)
        return self._valued(("value", value), Number(value), value)

    def _valued(self, key: object, made: Expr, value: Value) -> Expr:
        kept = self.keep((key, type(value)), made)
        self._values[id(kept)] = value
        return kept

    def name(self, name: str, owner: str | None) -> Expr:
        """A variable or an action."""
        return self.keep(("name", name, owner), Name(name, owner))

    def undefined(self) -> Expr:
        return self.keep("undefined", Undefined())

    # -- operators ---------------------------------------------------------------------------------

    def prefix(self, word: str, operand: Expr) -> Expr:
        value = self.value_of(operand)
        known = None if value is None else values.prefix(word, value)
        if known is not None:
            return self.static(known)  # type: ignore[arg-type]
        return self.keep((word, id(operand)), Prefix(word, operand))

    def infix(self, word: str, left: Expr, right: Expr) -> Expr:
        one, other = self.value_of(left), self.value_of(right)
        if one is not None and other is not None:
            known = values.infix(word, one, other)
            if known is not None and not isinstance(known, Fraction):
                return self.static(known)  # type: ignore[arg-type]
        elif one is not None or other is not None:
            shorter = _shorter(word, left, one, right, other)
            if shorter is not None:
                return shorter if isinstance(shorter, Expr) else self.static(shorter)
        return self.keep((word, id(left), id(right)), Infix(word, left, right))

    def conditional(self, condition: Expr, then: Expr, otherwise: Expr) -> Expr:
        known = self.value_of(condition)
        if isinstance(known, bool):
            return then if known else otherwise
        return self.keep(("if", id(condition), id(then), id(otherwise)), If(condition, then, otherwise))


def _shorter(word: str, left: Expr, one: object, right: Expr, other: object) -> Expr | bool | None:
    """What an operator makes of one known and one unknown operand, if it does not need the operator."""
    known, rest, is_left = (other, left, False) if one is None else (one, right, True)
    match word, known:
        case ("and", True) | ("or", False):
            return rest
        case ("and", False) | ("or", True):
            return bool(known)
        case ("->", True):
            return rest if is_left else True
        case ("->", False):
            return True if is_left else None
        case ("+", 0) if is_number(known):
            return rest
        case _:
            return None


class PlacedNodes(Nodes):
    """Every node is its own, and stands where the template said so that it is made."""

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self.spans: dict[int, Span] = {}
        self._kept: list[Expr] = []

    def keep(self, key: object, made: Expr) -> Expr:
        self.spans[id(made)] = self.at
        self._kept.append(made)
        return made

    def remember(self, key: tuple[str, str, str | None], made: Expr) -> Expr:
        return made  # the next one is another

    def span_of(self, item: Expr) -> Span:
        return self.spans.get(id(item), self.at)
