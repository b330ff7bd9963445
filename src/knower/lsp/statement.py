"""A word and what stands around it in its statement."""

from __future__ import annotations

from knower.lsp.declarations import behind_bracket
from knower.lsp.symbols import Symbol
from knower.lsp.words import FORMULA_WORDS, OPERATORS, is_name
from knower.records import dataclass
from knower.source import Span
from knower.syntax.operators import CALLS

_BEFORE_OPERANDS = OPERATORS | FORMULA_WORDS | {"Formulae", "Fairness"}
_COMPARISONS = ("=", "!=", "<>", "in")
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")


@dataclass(frozen=True, slots=True)
class Line:
    """The pieces of a statement, from one `;` (or the start of the section) to the next; what they bind."""

    extent: Span
    texts: list[str]
    starts: list[int]
    bound: dict[str, Symbol]


@dataclass(frozen=True, slots=True)
class Statement:
    """A word among the pieces of its statement."""

    line: Line
    at: int

    @property
    def texts(self) -> list[str]:
        return self.line.texts

    def text(self, offset: int) -> str:
        """The piece so many places from the word; empty outside."""
        place = self.at + offset
        return self.texts[place] if 0 <= place < len(self.texts) else ""


def is_of_agents(statement: Statement) -> bool:
    """Whether a word stands where a formula names agents or groups: `K(i, …`, `GK({i, …`, `<i, …`."""
    texts, at = statement.texts, statement.at - 1
    while at >= 0 and (texts[at] in (",", "{", ")") or is_name(texts[at]) or texts[at].isdigit()):
        if texts[at] == ")":
            opened = _opening(texts, at)
            if opened is None:
                return False
            at = opened - 1
            continue
        if is_name(texts[at]) and at and texts[at - 1] not in (",", "{", "(", "<"):
            return False
        at -= 1
    if at < 0:
        return False
    if texts[at] == "<":
        return True
    if texts[at] != "(" or at < 1 or texts[at - 1] not in CALLS:
        return False
    return "," not in texts[at : statement.at] or "{" in texts[at : statement.at]


def is_followed_by_dot(statement: Statement) -> bool:
    """`A.x`, `A(i).x`."""
    after = statement.at + 1
    if statement.text(1) == "(":
        after = behind_bracket(statement.texts, after)
    return statement.texts[after : after + 1] == ["."]


def is_in_actions(statement: Statement) -> bool:
    """Whether a word stands behind the colon of a protocol line, inside the braces."""
    opened = _opening(statement.texts, statement.at - 1)
    return opened is not None and opened > 0 and statement.texts[opened - 1] == ":"


def is_compared(texts: list[str], at: int) -> bool:
    """Whether what follows a piece is compared with something: `x < 3`."""
    text = texts[at] if at >= 0 else ""
    return text in (")", "]") or (text[:1].isalnum() and text not in _BEFORE_OPERANDS)


def owner_before(statement: Statement) -> str:
    """The agent before the dot before a word."""
    return _owner_at(statement.texts, statement.at - 2)


def compared_with(statement: Statement, agent: str) -> tuple[str, str] | None:
    """The variable (owner, name) on the other side of the comparison, or before the set, of a word."""
    texts, at = statement.texts, statement.at - 1
    if at >= 0 and statement.text(-1) in ("{", ","):
        opened = _opening(texts, at)
        at = opened - 1 if opened is not None and opened and texts[opened - 1] == "in" else -1
    if at >= 1 and texts[at] in _COMPARISONS:
        return _reference_to(texts, at - 1, agent)
    if statement.text(1) in _COMPARISONS[:3]:
        return _reference_from(texts, statement.at + 2, agent)
    return None


def _reference_to(texts: list[str], last: int, agent: str) -> tuple[str, str] | None:
    """`x`, `x[e]`, `A.x`, `A(i).x[e]` that ends at a piece."""
    if texts[last] == "]":
        opened = _opening(texts, last)
        last = -1 if opened is None else opened - 1
    if last < 0 or not is_name(texts[last]):
        return None
    if last >= 2 and texts[last - 1] == ".":
        return _owner_at(texts, last - 2), texts[last]
    return agent, texts[last]


def _reference_from(texts: list[str], first: int, agent: str) -> tuple[str, str] | None:
    """`x`, `A.x`, `A(i).x` that starts at a piece."""
    if first >= len(texts) or not is_name(texts[first]):
        return None
    name, at = texts[first], first + 1
    while at < len(texts) and texts[at] == "(":
        while at < len(texts) and texts[at] != ")":
            at += 1
        at += 1
    if texts[at : at + 1] == ["."] and at + 1 < len(texts):
        return name, texts[at + 1]
    return agent, name


def _owner_at(texts: list[str], last: int) -> str:
    """The name of the reference that ends at a piece: `A`, `A(i)`."""
    if last >= 0 and texts[last] == ")":
        opened = _opening(texts, last)
        last = -1 if opened is None else opened - 1
    return texts[last] if last >= 0 else ""


def _opening(texts: list[str], last: int) -> int | None:
    """The bracket that is open before, or closed at, a piece."""
    depth = 1 if last >= 0 and texts[last] not in _CLOSING else 0
    for at in range(last, -1, -1):
        if texts[at] in _CLOSING:
            depth += 1
        elif texts[at] in _OPENING:
            depth -= 1
            if depth == 0:
                return at
    return None
