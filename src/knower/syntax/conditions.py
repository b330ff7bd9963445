"""Conditions and expressions by operator precedence, with an explicit stack.

Tightest first: unary `- ~`, then `* /`, `+ -`, `&`, `^`, `|`, comparisons, `!`, `and`, `or`.
One grammar serves conditions, integer and bit expressions; which is which is a matter of types.
"""

from __future__ import annotations

from typing import NamedTuple

from knower.errors import Diagnostic, InputError
from knower.source import Span
from knower.syntax.foreign_syntax import foreign_condition
from knower.syntax.lexer import NAME, NUMBER, Tokens
from knower.syntax.tree import Expr, Infix, Name, Number, Prefix

INFIX = {
    "or": 1, "||": 1, "and": 2, "&&": 2,
    "=": 4, "!=": 4, "<>": 4, "<": 4, "<=": 4, ">": 4, ">=": 4,
    "|": 5, "^": 6, "&": 7, "+": 8, "-": 8, "*": 9, "/": 9,
}  # fmt: skip
PREFIX = {"!": 3, "-": 10, "~": 10}
COMPARISON = 4
_MOST_DIGITS = 100
_SPELLING = {"||": "or", "&&": "and", "<>": "!="}
_KEYWORDS = frozenset({"and", "or", "if", "end", "Other"})


class _Open(NamedTuple):
    """A parenthesis or a prefix or infix operator that waits for its (right) operand."""

    text: str
    level: int
    token: int
    prefix: bool


def parse_expression(tokens: Tokens, at: int, *, above: int = 0) -> tuple[Expr, int]:
    """The longest expression from token `at` on, and the token after it.

    Infix operators at or below level `above` end it: the right-hand side of an assignment
    stops at `and`.
    """
    return _ExpressionParser(tokens, above).parse(at)


class _ExpressionParser:
    def __init__(self, tokens: Tokens, above: int) -> None:
        self.tokens = tokens
        self.above = above
        self.operands: list[Expr] = []
        self.waiting: list[_Open] = []
        self.parentheses = 0

    def parse(self, at: int) -> tuple[Expr, int]:
        tokens = self.tokens
        kinds, texts = tokens.kinds, tokens.texts
        while True:
            at = self._operand(at)
            while kinds[at] == ")" and self.parentheses:
                self._close(at)
                at += 1
            operator = texts[at] if kinds[at] != NUMBER else ""
            level = INFIX.get(operator)
            if level is None or (level <= self.above and not self.parentheses):
                break
            if self.waiting and self.waiting[-1].level >= level:
                self._reduce(level)
            self.waiting.append(_Open(operator, level, at, False))
            at += 1
        if self.parentheses:
            raise self._unclosed(at)
        self._reduce(0)
        return self.operands.pop(), at

    def _operand(self, at: int) -> int:
        """Push one operand and the prefixes before it; the token after it."""
        tokens = self.tokens
        kinds, texts = tokens.kinds, tokens.texts
        while True:
            kind = kinds[at]
            if kind == "(":
                self.parentheses += 1
                self.waiting.append(_Open("(", -1, at, False))
            elif kind in PREFIX:
                self.waiting.append(_Open(kind, PREFIX[kind], at, True))
            else:
                break
            at += 1
        if kind == NUMBER:
            self.operands.append(Number(tokens.span(at), integer(tokens, at)))
            return at + 1
        if kind == NAME and texts[at] not in _KEYWORDS:
            if kinds[at + 1] == "." and kinds[at + 2] == NAME:
                self.operands.append(Name(tokens.span(at, at + 2), texts[at + 2], texts[at]))
                return at + 3
            start, text = tokens.starts[at], texts[at]
            self.operands.append(Name(Span(start, start + len(text)), text))
            return at + 1
        raise expected(tokens, at, "a variable, a value or `(`")

    def _close(self, at: int) -> None:
        self._reduce(0)
        self.waiting.pop()
        self.parentheses -= 1

    def _reduce(self, level: int) -> None:
        """Apply the waiting operators that bind at least as tightly as `level`."""
        waiting, operands, least = self.waiting, self.operands, max(level, 1)
        while waiting and waiting[-1].level >= least:
            op = waiting.pop()
            right = operands.pop()
            end = right.span.end
            text = _SPELLING.get(op.text, op.text)
            if op.prefix:
                operands.append(Prefix(Span(self.tokens.starts[op.token], end), text, right))
                continue
            left = operands.pop()
            if op.level == COMPARISON and level == COMPARISON:
                raise InputError([Diagnostic(
                    "E105", "comparisons cannot be chained", self.tokens.source,
                    self.tokens.span(op.token), "write `a < b and b < c`",
                )])  # fmt: skip
            operands.append(Infix(Span(left.span.start, end), text, left, right))

    def _unclosed(self, at: int) -> InputError:
        opened = next(op for op in reversed(self.waiting) if op.text == "(")
        line = self.tokens.source.position(self.tokens.starts[opened.token]).line
        return expected(self.tokens, at, f"`)` to close the `(` of line {line}")


def integer(tokens: Tokens, at: int) -> int:
    """The value of a number token."""
    if len(tokens.texts[at]) > _MOST_DIGITS:
        message = f"a number of {len(tokens.texts[at])} digits is too long"
        raise InputError([Diagnostic("E104", message, tokens.source, tokens.span(at))])
    return int(tokens.texts[at])


def expected(tokens: Tokens, at: int, what: str, cure: str | None = None) -> InputError:
    """A syntax error at a token: what should have stood there."""
    cure = cure or foreign_condition(tokens, at)
    found = f"`{tokens.texts[at]}`" if tokens.texts[at] else tokens.kinds[at]
    message = f"expected {what}, found {found}"
    return InputError([Diagnostic("E103", message, tokens.source, tokens.span(at), cure)])
