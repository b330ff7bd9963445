"""What single tokens say, and the error where another one should have stood."""

from __future__ import annotations

from knower.errors import Diagnostic, InputError
from knower.syntax.foreign_syntax import foreign_condition
from knower.syntax.lexer import Tokens

_MOST_DIGITS = 100


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
