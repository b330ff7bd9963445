"""What people write who come from other tools, and how it is written here."""

from __future__ import annotations

from knower.syntax.lexer import Tokens
from knower.syntax.operators import CALLS

_IN_CONDITIONS = {
    "->": "`a -> b` is written `!a or b` in conditions",
    "not": "negation is written `!`",
}
_IN_FORMULAS = {
    "&": "conjunction is written `and`",
    "|": "disjunction is written `or`",
    "~": "negation is written `!`",
    "/": "comments start with `--`",
}
_COMPARISONS = ("<>", "=", "!=", "<=", ">=")


def foreign_condition(tokens: Tokens, at: int) -> str | None:
    """A cure for a mistake at a token of a condition."""
    before, text = (tokens.texts[at - 1] if at else ""), tokens.texts[at]
    if before == "=" and text == "=":
        return "equality is written `=`"
    return _IN_CONDITIONS.get(before if before == "not" else text)


def foreign_formula(tokens: Tokens, at: int) -> str | None:
    """A cure for a mistake at a token of a formula."""
    before, text = (tokens.texts[at - 1] if at else ""), tokens.texts[at]
    if tokens.kinds[at : at + 2] == ["<", "->"]:
        return "equivalence is written `(p -> q) and (q -> p)`"
    if text in _COMPARISONS:
        return "formulas speak of propositions: name the comparison in Evaluation"
    if before == "not":
        return "negation is written `!`"
    if before in CALLS:
        return f"write `{before}(name, formula)`"
    return _IN_FORMULAS.get(text)
