"""Conditions and expressions by operator precedence, with an explicit stack.

Tightest first: unary `- ~`, then `* / %`, `+ -`, `&`, `^`, `|`, comparisons and `in`, `!`, `and`, `xor`,
`or`, `->` (to the right), `<->`. One grammar serves conditions, integer and bit expressions; which is which
is a matter of types.
"""

from __future__ import annotations

from typing import TypeAlias

from knower.errors import Diagnostic, InputError
from knower.syntax.expected import expected as expected
from knower.syntax.expected import integer
from knower.syntax.lexer import NAME, NUMBER, Tokens
from knower.syntax.terms import NEW_WORDS, TermParser
from knower.syntax.tree import Expr, Infix, Name, Number, Phrase, Prefix

INFIX = {
    "<->": 1, "->": 2, "or": 3, "||": 3, "xor": 4, "and": 5, "&&": 5,
    "=": 7, "!=": 7, "<>": 7, "<": 7, "<=": 7, ">": 7, ">=": 7, "in": 7,
    "|": 8, "^": 9, "&": 10, "+": 11, "-": 11, "*": 12, "/": 12, "%": 12, "mod": 12,
}  # fmt: skip
#: Their levels are those of no infix operator.
PREFIX = {"!": 6, "-": 13, "~": 13}
COMPARISON = INFIX["="]
_EQUIVALENCE, _IMPLICATION = INFIX["<->"], INFIX["->"]
_NOT, _TIGHT = PREFIX["!"], PREFIX["-"]
_PREFIX_LEVELS = frozenset(PREFIX.values())
_BRACKET = -1
_OPENING = {"(": _BRACKET, **PREFIX}
#: What may follow a name that is not all of its operand.
_FURTHER = frozenset({".", "(", "["})
_SPELLING = {"||": "or", "&&": "and", "<>": "!=", "mod": "%"}
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
    as long as the parser. What plain ISPL has not is read by `terms`.
    """

    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens
        self.terms = TermParser(self)
        self._leaves: dict[str, Expr] = {}
        self._words: dict[str, Expr] = {}
        self._qualified: dict[tuple[str, str], Expr] = {}
        self._compound: dict[tuple[str, int, int], Expr] = {}

    def parse(self, at: int, above: int = 0, *, calls: bool = True) -> tuple[Phrase, int]:
        """The longest expression from token `at` on, and the token after it.

        Infix operators at or below level `above` end it: the right-hand side of an assignment stops at
        `and`. Without `calls`, a parenthesis behind a name does, too: then it begins the body of something.
        The loop is long because most of a model is read in it: operands need no call of their own.
        """
        kinds, texts, leaves = self.tokens.kinds, self.tokens.texts, self._leaves
        operands: list[Expr] = []
        waiting: list[_Open] = []
        operand: Expr | None = None
        first, brackets = at, 0
        while True:
            if operand is None:
                while kinds[at] in _OPENING:
                    tight = kinds[at] == "!" and waiting and waiting[-1][0] >= COMPARISON
                    waiting.append((_TIGHT if tight else _OPENING[kinds[at]], kinds[at], at))
                    brackets += kinds[at] == "("
                    at += 1
                operand = leaves.get(texts[at])
                if operand is not None:
                    at += 1
                else:
                    operand, at = self._operand(at, first, above)
                if kinds[at] in _FURTHER and type(operand) is Name:
                    if kinds[at] == "." and kinds[at + 1] == NAME and kinds[at + 2] != "[":
                        operand = self._qualified.get((texts[at - 1], texts[at + 1])) or self._of_agent(at)
                        at += 2
                    elif kinds[at] != "(" or calls:
                        operand, at = self.terms.reference(at - 1)
            operands.append(operand)
            operand = None
            while brackets and kinds[at] == ")":
                self._reduce(operands, waiting, 0)
                waiting.pop()
                brackets, at = brackets - 1, at + 1
            text = texts[at]
            level = INFIX.get(text, 0)
            if level <= above and not (brackets and level):
                break
            if waiting and waiting[-1][0] >= level:
                self._reduce(operands, waiting, level)
            waiting.append((level, text, at))
            at += 1
            if text == "in":
                operand, at = self.terms.collection(at)
        if brackets:
            raise self._unclosed(waiting, at)
        if waiting:
            self._reduce(operands, waiting, 0)
        return Phrase(operands[0], (self.tokens, first, at - 1)), at

    def _operand(self, at: int, first: int, above: int) -> tuple[Expr, int]:
        """A name or a number that is met for the first time, or what may be more than that."""
        kind, text = self.tokens.kinds[at], self.tokens.texts[at]
        if text in NEW_WORDS:
            return self._word(at, first, above)
        if kind == NUMBER:
            made: Expr = Number(integer(self.tokens, at))
        elif kind == NAME and text not in _KEYWORDS:
            made = Name(text)
        else:
            raise expected(self.tokens, at, "a variable, a value or `(`")
        self._leaves[text] = made
        return made, at + 1

    def _word(self, at: int, first: int, above: int) -> tuple[Expr, int]:
        """A word that begins a term, if something follows that tells, and else is a name like any other."""
        tokens = self.tokens
        text = tokens.texts[at]
        term = self.terms.word(at, above, whole=at == first or tokens.kinds[at - 1] == "(")
        if term is not None:
            return term
        if text in _KEYWORDS:
            raise expected(tokens, at, "a variable, a value or `(`")
        return self._words.setdefault(text, Name(text)), at + 1

    def _of_agent(self, at: int) -> Expr:
        """`Agent.x`, by the token of its dot."""
        owner, name = self.tokens.texts[at - 1], self.tokens.texts[at + 1]
        made = self._qualified[owner, name] = Name(name, owner)
        return made

    def _reduce(self, operands: list[Expr], waiting: list[_Open], level: int) -> None:
        """Apply the waiting operators that bind at least as tightly as `level`."""
        compound = self._compound
        while waiting and waiting[-1][0] >= level:
            tightness, text, token = waiting[-1]
            if tightness == level and level <= COMPARISON:
                if level == _IMPLICATION:
                    return
                if level in (COMPARISON, _EQUIVALENCE):
                    raise self._chained(token)
            waiting.pop()
            right = operands.pop()
            if tightness in _PREFIX_LEVELS:
                key = text, 0, id(right)
                operands.append(compound.get(key) or self._made(key, Prefix(text, right)))
                continue
            key = text, id(operands[-1]), id(right)
            known = compound.get(key)
            if known is None:
                known = self._made(key, Infix(_SPELLING.get(text, text), operands[-1], right))
            operands[-1] = known

    def joined(self, operator: str, left: Expr, right: Expr) -> Expr:
        """Two operands with an operator between them, as they are written."""
        return Infix(_SPELLING.get(operator, operator), left, right)

    def _made(self, key: tuple[str, int, int], made: Expr) -> Expr:
        self._compound[key] = made
        return made

    def _chained(self, token: int) -> InputError:
        message, cure = "comparisons cannot be chained", "write `a < b and b < c`"
        bit = next((text for text in self._since(token) if text in ("&", "|")), None)
        if bit is not None:
            message = f"`{bit}` joins bits, and binds tighter than comparisons"
            cure = f"conditions are joined with `{'and' if bit == '&' else 'or'}`"
        if self.tokens.texts[token] == "<->":
            message, cure = "`<->` cannot be chained", "write `(a <-> b) and (b <-> c)`, or parentheses"
        return InputError([Diagnostic("E105", message, self.tokens.source, self.tokens.span(token), cure)])

    def _since(self, token: int) -> list[str]:
        """What stands behind a comparison, as far as the next one."""
        texts, behind = self.tokens.texts, token + 1
        while behind < len(texts) and INFIX.get(texts[behind]) != COMPARISON and texts[behind] != ";":
            behind += 1
        return texts[token + 1 : behind]

    def _unclosed(self, waiting: list[_Open], at: int) -> InputError:
        opened = next(token for level, _, token in reversed(waiting) if level == _BRACKET)
        line = self.tokens.source.position(self.tokens.starts[opened]).line
        return expected(self.tokens, at, f"`)` to close the `(` of line {line}")
