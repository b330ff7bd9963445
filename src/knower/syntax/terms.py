"""What expressions have beyond plain ISPL: references, sets and ranges, bound names, quantifiers, `if`.

No word is reserved: one begins a term only where what follows fits no plain text.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from knower.syntax.expected import expected
from knower.syntax.lexer import NAME, Tokens
from knower.syntax.template import (
    Apply,
    Bind,
    Binds,
    Collection,
    Conditional,
    Interval,
    NamedSet,
    Quantified,
    Range,
    Reference,
    SetOf,
)  # fmt: skip
from knower.syntax.tree import Expr, Identifier, Name, Phrase, Place

T = TypeVar("T")

QUANTIFIERS = frozenset({"forall", "exists", "sum", "count", "min", "max"})
FUNCTIONS = frozenset({"min", "max", "abs"})
NEW_WORDS = QUANTIFIERS | FUNCTIONS | {"if"}
#: The level of comparisons, which bounds and members stop at.
_COMPARISON = 7
#: The level of `|`, which in a set ends what is listed.
_BITS = 8


def binds_name(tokens: Tokens, at: int) -> bool:
    """Whether a word, at a token, is followed by `NAME :`."""
    return tokens.kinds[at + 1] == NAME and tokens.kinds[at + 2] == ":"


class Expressions(Protocol):
    """The parser of expressions, which terms are parts of."""

    tokens: Tokens

    def parse(self, at: int, above: int = 0, *, calls: bool = True) -> tuple[Phrase, int]: ...


class TermParser:
    """Reads terms for the parser of expressions; `used` once there was one."""

    def __init__(self, expressions: Expressions) -> None:
        self.tokens = expressions.tokens
        self.used = False
        self._expressions = expressions

    # -- operands ----------------------------------------------------------------------------------

    def word(self, at: int, above: int, *, whole: bool) -> tuple[Expr, int] | None:
        """The term that a word begins, and the token after it; None if the word is a name."""
        tokens = self.tokens
        text = tokens.texts[at]
        if text in QUANTIFIERS and binds_name(tokens, at):
            return self._quantified(at)
        if text in FUNCTIONS and tokens.kinds[at + 1] == "(":
            return self._apply(at)
        if text == "if":
            return self._conditional(at, above, whole=whole)
        return None

    def reference(self, at: int) -> tuple[Expr, int]:
        """`a(i)`, `x[e]`, `A(i).x`, `A(i).x[e]`, `A.x[e]`."""
        kinds, texts, first = self.tokens.kinds, self.tokens.texts, at
        arguments: tuple[Phrase, ...] = ()
        indices: tuple[Phrase, ...] = ()
        member: str | None = None
        at += 1
        if kinds[at] == "(":
            arguments, at = self.listed(at + 1, ")", self.argument)
        if kinds[at] == "." and kinds[at + 1] == NAME:
            member, at = texts[at + 1], at + 2
        if kinds[at] == "[":
            indices, at = self.listed(at + 1, "]", self._expressions.parse)
        if not (arguments or indices):
            raise expected(self.tokens, at, "a name")
        return Reference(texts[first], arguments, member, indices, self._place(first, at)), at

    def _quantified(self, at: int) -> tuple[Expr, int]:
        first = at
        binds, at = self.binds(at + 1)
        self._require("(", at)
        body, at = self._expressions.parse(at + 1)
        self._require(")", at)
        word = self.tokens.texts[first]
        return Quantified(word, binds, body, self._place(first, at + 1)), at + 1

    def _apply(self, at: int) -> tuple[Expr, int]:
        first = at
        operands, at = self.listed(at + 2, ")", self._expressions.parse)
        word = self.tokens.texts[first]
        if word == "abs" and len(operands) > 1:
            raise expected(self.tokens, first, "one operand", "`abs` takes one operand")
        return Apply(word, operands, self._place(first, at)), at

    def _conditional(self, at: int, above: int, *, whole: bool) -> tuple[Expr, int]:
        """`if c then a else b`; at the end of a right-hand side, what ends that ends `b`."""
        first = at
        if not whole:
            cure = "put parentheses around `if … then … else …`"
            raise expected(self.tokens, at, "a variable, a value or `(`", cure)
        condition, at = self._expressions.parse(at + 1)
        self._require("then", at)
        then, at = self._expressions.parse(at + 1)
        self._require("else", at)
        inside = self.tokens.kinds[first - 1] == "(" and first
        otherwise, at = self._expressions.parse(at + 1, 0 if inside else above)
        return Conditional(condition, then, otherwise, self._place(first, at)), at

    # -- sets, ranges and names --------------------------------------------------------------------

    def collection(self, at: int) -> tuple[Expr, int]:
        """What stands behind `in`."""
        first = at
        found, at = self.range(at)
        return Collection(found, self._place(first, at)), at

    def range(self, at: int, *, calls: bool = False) -> tuple[Range, int]:
        """`{…}`, `low..high` or the name of a constant set."""
        kinds, first = self.tokens.kinds, at
        if kinds[at] == "{":
            return self.set(at)
        low, at = self._expressions.parse(at, _COMPARISON, calls=calls)
        if kinds[at] == "..":
            high, at = self._expressions.parse(at + 1, _COMPARISON, calls=calls)
            return Interval(low, high, self._place(first, at)), at
        if not isinstance(low.expr, Name) or low.expr.owner is not None:
            raise expected(self.tokens, at, "`..`", "a range is `low..high`, `{…}` or a constant set")
        return NamedSet(low.expr.name, self._place(first, at)), at

    def set(self, at: int) -> tuple[SetOf, int]:
        """`{items}` or `{items | names}`."""
        kinds, first = self.tokens.kinds, at
        items: list[Phrase] = []
        binds: Binds | None = None
        self._require("{", at)
        at += 1
        while kinds[at] not in ("}", "|"):
            item, at = self.item(at)
            items.append(item)
            if kinds[at] not in ("}", "|"):
                self._require(",", at)
                at += 1
        if kinds[at] == "|" and items:
            binds, at = self.binds(at + 1)
        self._require("}", at)
        return SetOf(tuple(items), binds, self._place(first, at + 1)), at + 1

    def item(self, at: int) -> tuple[Phrase, int]:
        """What a set lists: `|` ends it."""
        return self._expressions.parse(at, _BITS)

    def argument(self, at: int) -> tuple[Phrase, int]:
        return self._expressions.parse(at)

    def binds(self, at: int) -> tuple[Binds, int]:
        """`i : R, j : S where c`."""
        first, binds = at, []
        while True:
            bind, at = self.bind(at)
            binds.append(bind)
            if self.tokens.kinds[at] != ",":
                break
            at += 1
        where: Phrase | None = None
        if self.tokens.texts[at] == "where":
            where, at = self._expressions.parse(at + 1, calls=False)
        return Binds(tuple(binds), where, self._place(first, at)), at

    def bind(self, at: int) -> tuple[Bind, int]:
        first = at
        if self.tokens.kinds[at] != NAME:
            raise expected(self.tokens, at, "a name", "names are bound as in `i : 1..n`")
        name = Identifier(self.tokens.texts[at], (self.tokens, at, at))
        self._require(":", at + 1)
        values, at = self.range(at + 2)
        return Bind(name, values, self._place(first, at)), at

    # -- in general --------------------------------------------------------------------------------

    def listed(self, at: int, end: str, item: Callable[[int], tuple[T, int]]) -> tuple[tuple[T, ...], int]:
        """One or more with commas between, up to a bracket or word; the token after that."""
        found: list[T] = []
        while True:
            made, at = item(at)
            found.append(made)
            if self.tokens.texts[at] == end:
                return tuple(found), at + 1
            self._require(",", at)
            at += 1

    def _require(self, text: str, at: int) -> None:
        if self.tokens.texts[at] != text:
            raise expected(self.tokens, at, f"`{text}`")

    def _place(self, first: int, behind: int) -> Place:
        """The place of a term, which there was, then."""
        self.used = True
        return self.tokens, first, behind - 1
