"""Conditions and expressions by operator precedence, with an explicit stack.

Tightest first: unary `- ~`, then `* /`, `+ -`, `&`, `^`, `|`, comparisons, `!`, `and`, `or`.
One grammar serves conditions, integer and bit expressions; which is which is a matter of types.
"""

from __future__ import annotations

from typing import TypeAlias

from knower.errors import Diagnostic, InputError
from knower.syntax.foreign_syntax import foreign_condition
from knower.syntax.lexer import NAME, NUMBER, Tokens
from knower.syntax.tree import Expr, Infix, Name, Number, Phrase, Prefix

INFIX = {
    "or": 1, "||": 1, "and": 2, "&&": 2,
    "=": 4, "!=": 4, "<>": 4, "<": 4, "<=": 4, ">": 4, ">=": 4,
    "|": 5, "^": 6, "&": 7, "+": 8, "-": 8, "*": 9, "/": 9,
}  # fmt: skip
#: Their levels are those of no infix operator.
PREFIX = {"!": 3, "-": 10, "~": 10}
COMPARISON = 4
_PREFIX_LEVELS = frozenset(PREFIX.values())
_BRACKET = -1
_OPENING = {"(": _BRACKET, **PREFIX}
_MOST_DIGITS = 100
_SPELLING = {"||": "or", "&&": "and", "<>": "!="}
_KEYWORDS = frozenset({"and", "or", "if", "end", "Other"})

#: A parenthesis or an operator that waits for its (right) operand: its level, its text, its token.
_Open: TypeAlias = tuple[int, str, int]


def parse_expression(tokens: Tokens, at: int) -> tuple[Phrase, int]:
    """The longest expression from token `at` on, and the token after it."""
    return ExpressionParser(tokens).parse(at)


class ExpressionParser:
    """Reads the expressions of one text.

    Equal pieces of equal spelling are one node, and what is made of them later is made once: texts that
    programs print say the same over and over. Nodes are known by the `id`s of their operands, which live
    as long as the parser.
    """

    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens
        self._leaves: dict[str, Expr] = {}
        self._qualified: dict[tuple[str, str], Expr] = {}
        self._compound: dict[tuple[str, int, int], Expr] = {}

    def parse(self, at: int, above: int = 0) -> tuple[Phrase, int]:
        """The longest expression from token `at` on, and the token after it.

        Infix operators at or below level `above` end it: the right-hand side of an assignment stops at
        `and`. The loop is long because most of a model is read in it: operands need no call of their own.
        """
        kinds, texts, leaves = self.tokens.kinds, self.tokens.texts, self._leaves
        operands: list[Expr] = []
        waiting: list[_Open] = []
        first, brackets = at, 0
        while True:
            while kinds[at] in _OPENING:
                waiting.append((_OPENING[kinds[at]], kinds[at], at))
                brackets += kinds[at] == "("
                at += 1
            operand = leaves.get(texts[at])
            if operand is None:
                operand = self._leaf(at)
            at += 1
            if kinds[at] == "." and kinds[at + 1] == NAME and type(operand) is Name:
                operand = self._qualified.get((texts[at - 1], texts[at + 1])) or self._of_agent(at)
                at += 2
            operands.append(operand)
            while brackets and kinds[at] == ")":
                self._reduce(operands, waiting, 1)
                waiting.pop()
                brackets, at = brackets - 1, at + 1
            level = INFIX.get(texts[at], 0)
            if level <= above and not (brackets and level):
                break
            if waiting and waiting[-1][0] >= level:
                self._reduce(operands, waiting, level)
            waiting.append((level, texts[at], at))
            at += 1
        if brackets:
            raise self._unclosed(waiting, at)
        if waiting:
            self._reduce(operands, waiting, 1)
        return Phrase(operands[0], (self.tokens, first, at - 1)), at

    def _leaf(self, at: int) -> Expr:
        """A name or a number that is met for the first time."""
        kind, text = self.tokens.kinds[at], self.tokens.texts[at]
        if kind == NUMBER:
            made: Expr = Number(integer(self.tokens, at))
        elif kind == NAME and text not in _KEYWORDS:
            made = Name(text)
        else:
            raise expected(self.tokens, at, "a variable, a value or `(`")
        self._leaves[text] = made
        return made

    def _of_agent(self, at: int) -> Expr:
        """`Agent.x`, by the token of its dot."""
        owner, name = self.tokens.texts[at - 1], self.tokens.texts[at + 1]
        made = self._qualified[owner, name] = Name(name, owner)
        return made

    def _reduce(self, operands: list[Expr], waiting: list[_Open], level: int) -> None:
        """Apply the waiting operators that bind at least as tightly as `level`."""
        compound = self._compound
        while waiting and waiting[-1][0] >= level:
            tightness, text, token = waiting.pop()
            right = operands.pop()
            if tightness in _PREFIX_LEVELS:
                key = text, 0, id(right)
                operands.append(compound.get(key) or self._made(key, Prefix(text, right)))
                continue
            if tightness == level == COMPARISON:
                raise self._chained(token)
            key = text, id(operands[-1]), id(right)
            known = compound.get(key)
            if known is None:
                known = self._made(key, Infix(_SPELLING.get(text, text), operands[-1], right))
            operands[-1] = known

    def _made(self, key: tuple[str, int, int], made: Expr) -> Expr:
        self._compound[key] = made
        return made

    def _chained(self, token: int) -> InputError:
        message, cure = "comparisons cannot be chained", "write `a < b and b < c`"
        return InputError([Diagnostic("E105", message, self.tokens.source, self.tokens.span(token), cure)])

    def _unclosed(self, waiting: list[_Open], at: int) -> InputError:
        opened = next(token for level, _, token in reversed(waiting) if level == _BRACKET)
        line = self.tokens.source.position(self.tokens.starts[opened]).line
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
