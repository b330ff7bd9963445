"""Where the parts of an expression stand: found by walking along its tokens, for the few who ask."""

from __future__ import annotations

from knower.source import NOWHERE, Span
from knower.syntax.lexer import Tokens
from knower.syntax.template import TemplateExpr
from knower.syntax.tree import Expr, Infix, Name, Number, Phrase, Prefix
from knower.syntax.tree import Located as Located


def located(phrase: Phrase) -> Located:
    """The expression of a phrase with its places; all are nowhere if it was never written."""
    return as_written(phrase) if phrase.expansion is None else phrase.expansion.located()


def as_written(phrase: Phrase) -> Located:
    """The same for a phrase of the text, which may hold terms: they know their own places."""
    walk = _Walk(phrase)
    return Located(walk.copy(phrase.expr), walk.spans)


def span_of(phrase: Phrase) -> Span:
    """Where its expression stands, without parentheses around it."""
    found = located(phrase)
    return found.span(found.expr)


class _Walk:
    """Reads the tokens of an expression once more, from left to right, as its nodes are met.

    Nothing but parentheses stands between what the nodes say, so there is nothing to decide.
    """

    def __init__(self, phrase: Phrase) -> None:
        self.spans: dict[int, Span] = {}
        self.tokens: Tokens | None = None
        self.at = 0
        if phrase.place is not None:
            self.tokens, self.at = phrase.place[:2]

    def copy(self, root: Expr) -> Expr:
        """A node is met before its operands, between them (an operator stands there) and behind them."""
        todo: list[tuple[Expr, int, int]] = [(root, 0, 0)]
        made: list[Expr] = []
        while todo:
            item, turn, token = todo.pop()
            match item, turn:
                case Infix(_, left, right), 0:
                    todo += [(item, 2, 0), (right, 0, 0), (item, 1, 0), (left, 0, 0)]
                case Infix(), 1:
                    self._token(")")
                case Infix(operator), _:
                    second, first = made.pop(), made.pop()
                    span = Span(self.spans[id(first)].start, self.spans[id(second)].end)
                    self._made(made, Infix(operator, first, second), span)
                case Prefix(_, operand), 0:
                    todo += [(item, 1, self._token("(")), (operand, 0, 0)]
                case Prefix(operator), _:
                    operand = made.pop()
                    span = Span(self._span(token).start, self.spans[id(operand)].end)
                    self._made(made, Prefix(operator, operand), span)
                case _:
                    self._made(made, *self._leaf(item))
        return made[0]

    def _made(self, made: list[Expr], item: Expr, span: Span) -> None:
        made.append(item)
        self.spans[id(item)] = span

    def _leaf(self, item: Expr) -> tuple[Expr, Span]:
        if self.tokens is None:
            return item, NOWHERE
        first = self._token("(")
        if isinstance(item, Name):
            self.at += 2 * (item.owner is not None)
            return Name(item.name, item.owner), self._span(first, self.at - 1)
        if isinstance(item, TemplateExpr) and item.place is not None:
            self.at = item.place[2] + 1
            return item, self._span(first, item.place[2])
        assert isinstance(item, Number)
        return Number(item.value), self._span(first)

    def _token(self, skipped: str) -> int:
        """The next token that is not such a parenthesis; the one after it is next."""
        while self.tokens is not None and self.tokens.kinds[self.at] == skipped:
            self.at += 1
        self.at += 1
        return self.at - 1

    def _span(self, first: int, last: int | None = None) -> Span:
        return NOWHERE if self.tokens is None else self.tokens.span(first, last)
