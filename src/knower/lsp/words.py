"""Words with a meaning of their own."""

from __future__ import annotations

from knower.logic.language import Language
from knower.syntax.operators import CALLS, RESERVED

#: Those of conditions and formulas.
OPERATORS = frozenset({
    "and", "or", "xor", "if", "then", "else", "in", "mod", "forall", "exists", "sum", "count", "min", "max",
    "abs", "where", "for", "do", "array", "of", "init", "expect", "boolean", "true", "false", "Other",
    "Action", "end",
})  # fmt: skip
#: Words that are operators in formulas.
FORMULA_WORDS = RESERVED | frozenset(CALLS) | {language.value.rstrip("*") for language in Language} - {""}


def is_name(text: str) -> bool:
    """Whether a piece of text is a name, or a word."""
    return text[:1].isalpha() or text[:1] == "_"


def is_of_word(char: str) -> bool:
    return char == "_" or (char.isalnum() and char.isascii())
