"""Plain conditions and expressions as text: nothing is left to precedence but `and` before `or`."""

from __future__ import annotations

from typing import Any, NamedTuple

from knower.expansion.naming import Vocabulary
from knower.logic.fold import fold_more
from knower.logic.node import Node
from knower.system.domains import BoolDomain, Domain, EnumDomain, RangeDomain, Value
from knower.system.expressions import (
    ActionOf,
    Arithmetic,
    BitNot,
    Bits,
    Compare,
    Conj,
    Disj,
    Literal,
    Minus,
    Negation,
    Truth,
    Var,
    chained,
)  # fmt: skip

#: A text of more bytes is refused.
LARGEST = 20_000_000


class TooLarge(Exception):
    """The text is larger than anybody takes."""


#: How tightly a text holds together.
_JOINED, _COMPARED, _CALCULATED, _CLOSED = range(4)


class _Piece(NamedTuple):
    text: str
    level: int = _CLOSED

    def at(self, level: int) -> str:
        """In parentheses, unless it holds together that tightly."""
        return self.text if self.level >= level else f"({self.text})"


class Printer:
    """Writes what an agent reads; with no agent, every variable has its owner's name before it."""

    def __init__(self, names: Vocabulary, reader: str | None, anything: Var | None) -> None:
        self.names = names
        self.reader = reader
        self._anything = anything
        self._done: dict[int, Any] = {}
        self._kept: list[Node] = []

    def text(self, root: Node) -> str:
        """A condition or an expression; raises `TooLarge`."""
        self._kept.append(root)
        found: _Piece = fold_more(root, self._step, chained, self._done)
        return found.text

    def _step(self, item: Any, below: tuple[_Piece, ...]) -> _Piece:
        made = self._piece(item, below)
        if len(made.text) > LARGEST:
            raise TooLarge
        return made

    def _piece(self, item: Any, below: tuple[_Piece, ...]) -> _Piece:
        match item:
            case Conj():
                return _Piece(" and ".join(each.at(_COMPARED) for each in below), _JOINED)
            case Disj():
                return _Piece(" or ".join(each.at(_COMPARED) for each in below), _JOINED)
            case Negation():
                return _Piece(f"!({below[0].text})")
            case Truth(value):
                return self._constant(value)
            case Compare(operator):
                sign = "<>" if operator == "!=" else operator
                return _Piece(f"{below[0].at(_CALCULATED)} {sign} {below[1].at(_CALCULATED)}", _COMPARED)
            case Literal(value):
                text = self.value(value)
                return _Piece(text, _CALCULATED if text.startswith("-") else _CLOSED)
            case Var(owner, name):
                own = self.names.variable(name)
                return _Piece(own if owner == self.reader else f"{self.names.outer(owner)}.{own}")
            case ActionOf(agent):
                return _Piece("Action" if agent == self.reader else f"{self.names.outer(agent)}.Action")
            case Minus():
                return _Piece(f"-{below[0].at(_CLOSED)}", _CALCULATED)
            case BitNot():
                return _Piece(f"~{below[0].at(_CLOSED)}", _JOINED)
            case Arithmetic(operator):
                return _Piece(f" {operator} ".join(each.at(_CLOSED) for each in below), _CALCULATED)
            case Bits(operator):
                return _Piece(f" {operator} ".join(each.at(_CLOSED) for each in below), _JOINED)
            case _:
                raise TypeError(f"not plain: {item!r}")

    def _constant(self, value: bool) -> _Piece:
        """MCMAS has no constants among conditions: something is equal to itself, or not."""
        if self._anything is None:
            return _Piece("true" if value else "false")
        same = Compare("=", self._anything, self._anything)
        text = self._piece(same, (self._piece(self._anything, ()),) * 2).text
        return _Piece(text, _COMPARED) if value else _Piece(f"!({text})")

    def value(self, value: Value) -> str:
        if isinstance(value, bool):
            return "true" if value else "false"
        return self.names.value(value) if isinstance(value, str) else str(value)

    def domain(self, domain: Domain) -> str:
        match domain:
            case BoolDomain():
                return "boolean"
            case EnumDomain(values):
                return "{" + ", ".join(map(self.names.value, values)) + "}"
            case RangeDomain(low, high):
                return f"{low}..{high}"
