"""Static values: what constants, parameters and bound names stand for, and how it is spelt."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TypeAlias

#: A number, a truth value, or a name: a value of an enumeration.
Value: TypeAlias = int | bool | str
#: What a name may stand for: a constant may be a set.
Constant: TypeAlias = Value | tuple[Value, ...]
#: Names and what they stand for, where something is read.
Environment: TypeAlias = Mapping[str, Constant]
#: A value as it is worked out: quotients are exact.
Number: TypeAlias = int | Fraction


def spelt(value: Constant) -> str:
    """A value as it is written."""
    if isinstance(value, tuple):
        return "{" + ", ".join(map(spelt, value)) + "}"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def called(name: str, arguments: tuple[Value, ...]) -> str:
    """`Child(2)`, `call(1,2)`; without spaces, so that a name stays one word in lists of them."""
    return f"{name}({','.join(map(spelt, arguments))})" if arguments else name


def element(name: str, indices: tuple[Value, ...]) -> str:
    """`mud[2]`, `cell[1,2]`."""
    return f"{name}[{','.join(map(spelt, indices))}]"


def kind(value: object) -> str:
    """In words."""
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, int | Fraction):
        return "a number"
    return "a set" if isinstance(value, tuple) else "a name"


def is_number(value: object) -> bool:
    return isinstance(value, int | Fraction) and not isinstance(value, bool)


ORDERS: Mapping[str, Callable[[object, object], bool]] = {
    "=": operator.eq, "!=": operator.ne,
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,  # type: ignore[dict-item]
}  # fmt: skip
CONNECTIVES: Mapping[str, Callable[[bool, bool], bool]] = {
    "and": lambda a, b: a and b,
    "or": lambda a, b: a or b,
    "xor": operator.ne,
    "->": lambda a, b: not a or b,
    "<->": operator.eq,
    "&": operator.and_,
    "^": operator.xor,
    "|": operator.or_,
}


def arithmetic(word: str, left: Number, right: Number) -> Number | None:
    """The value of an operator on numbers; None where it has none, as `/` and `%` by zero."""
    match word:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/":
            return _whole(Fraction(left) / right) if right else None
        case "%":
            whole = left == int(left) and right == int(right) and right
            return int(left) % int(right) if whole else None
        case "min":
            return min(left, right)
        case "max":
            return max(left, right)
        case _:
            raise ValueError(f"not an operator of arithmetic: {word}")


def _whole(value: Fraction) -> Number:
    return int(value) if value.denominator == 1 else value


def infix(word: str, left: object, right: object) -> object | None:
    """The value of an operator on two static values; None where it has none."""
    if word in ORDERS:
        alike = (is_number(left) and is_number(right)) or type(left) is type(right)
        ordered = word in ("=", "!=") or is_number(left)
        return ORDERS[word](left, right) if alike and ordered else None
    if word in CONNECTIVES:
        both = isinstance(left, bool) and isinstance(right, bool)
        return CONNECTIVES[word](left, right) if both else None  # type: ignore[arg-type]
    if is_number(left) and is_number(right):
        return arithmetic(word, left, right)  # type: ignore[arg-type]
    return None


def prefix(word: str, value: object) -> object | None:
    """The value of a prefix operator; None where it has none."""
    if word in ("!", "~"):
        return not value if isinstance(value, bool) else None
    if not is_number(value):
        return None
    assert isinstance(value, int | Fraction)
    return -value if word == "-" else abs(value)
