"""What brackets and signs are in a line: calls, indices, bodies of quantifiers, comparisons or programs."""

from __future__ import annotations

from enum import Enum

from knower.syntax.lexer import NAME, NUMBER, Tokens
from knower.syntax.operators import CALLS, RESERVED
from knower.syntax.terms import QUANTIFIERS, binds_name

#: Words that no bracket holds on to, as they are no operands.
_WORDS = frozenset(
    {"and", "or", "xor", "mod", "in", "if", "then", "else", "where", "do", "expect", "of", "init", "not"}
    | {"LTL", "LDL", "LTLf", "LDLf", "InitStates", "RedStates", *RESERVED, *CALLS}
)  # fmt: skip


class Role(Enum):
    """What is not to be told by its text alone."""

    CALL = "a parenthesis behind a name"
    INDEX = "a bracket of an index"
    INFIX = "an operator between terms"


class Angles:
    """Walks along a formula and tells the brackets of coalitions and programs from comparisons."""

    def __init__(self, tokens: Tokens, first: int) -> None:
        self.tokens = tokens
        self.first = first
        self._open: list[str] = []
        self._box = -1  # the last `]` of a program, which ends no operand

    @property
    def depth(self) -> int:
        """How many programs or coalitions are open."""
        return sum(kind in "<[" for kind in self._open)

    def meet(self, at: int) -> Role | None:
        """Take the next token."""
        kind = self.tokens.kinds[at]
        behind = at > self.first and self._box != at - 1 and ends_operand(self.tokens, at - 1)
        if (kind in ("<", "[") and not behind) or kind in ("(", "{"):
            self._open.append(kind)
        elif kind == "[":
            self._open.append("index")
            return Role.INDEX
        elif kind in (")", "}"):
            del self._open[-1:]
        elif kind == "]" and self._open:
            if self._open.pop() == "index":
                return Role.INDEX
            self._box = at
        elif kind == ">" and self._open[-1:] == ["<"]:
            self._open.pop()
        elif kind in ("<", ">") or (kind == "*" and behind and self._is_product(at)):
            return Role.INFIX
        return None

    def _is_product(self, at: int) -> bool:
        """Whether `*` stands between terms: not in a program, nor behind `CTL`."""
        return not self.depth and self.tokens.texts[at - 1] not in ("CTL", "CDL", "CDLf")


def ends_operand(tokens: Tokens, at: int) -> bool:
    """Whether a token is the last of an operand."""
    kind = tokens.kinds[at]
    if kind == NAME:
        return tokens.texts[at] not in _WORDS or (at > 0 and tokens.kinds[at - 1] == ".")
    return kind in (NUMBER, ")", "]", "}")


def roles(tokens: Tokens, first: int, last: int, *, is_formula: bool) -> dict[int, Role]:
    """The roles of the tokens of a line, as far as they have one."""
    found: dict[int, Role] = {}
    angles, bodies = Angles(tokens, first), _bodies(tokens, first, last)
    for at in range(first, last):
        role = angles.meet(at) if is_formula else _index(tokens, at)
        if role is not None:
            found[at] = role
        elif tokens.kinds[at] == "(" and at > first and at not in bodies and _is_called(tokens, at - 1):
            found[at] = Role.CALL
    return found


def _index(tokens: Tokens, at: int) -> Role | None:
    return Role.INDEX if tokens.kinds[at] in ("[", "]") else None


def _is_called(tokens: Tokens, at: int) -> bool:
    return tokens.kinds[at] == NAME and tokens.texts[at] not in _WORDS


def _bodies(tokens: Tokens, first: int, last: int) -> set[int]:
    """The parentheses that begin the bodies of quantifiers."""
    found: set[int] = set()
    for at in range(first, last):
        if tokens.texts[at] in QUANTIFIERS and binds_name(tokens, at):
            body = _body(tokens, at + 3, last)
            if body is not None:
                found.add(body)
    return found


def _body(tokens: Tokens, at: int, last: int) -> int | None:
    """The parenthesis behind the names that a quantifier binds: the first that follows a whole operand."""
    while at < last:
        kind = tokens.kinds[at]
        if kind == "(" and ends_operand(tokens, at - 1) and tokens.texts[at - 1] not in ("min", "max", "abs"):
            return at
        at = tokens.closing(at) + 1 if kind in ("(", "{", "[") else at + 1
    return None
