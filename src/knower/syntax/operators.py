"""The words and symbols of formulas: what each builds, and how tightly it binds."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from knower.logic import formula as f
from knower.logic.formula import Formula

_Unary: TypeAlias = Callable[[Formula], Formula]
_Binary: TypeAlias = Callable[[Formula, Formula], Formula]
_Of: TypeAlias = Callable[[str, Formula], Formula]

STATE_WORDS: dict[str, _Unary] = {
    "AG": f.AG, "EG": f.EG, "AX": f.AX, "EX": f.EX, "AF": f.AF, "EF": f.EF,
}  # fmt: skip
PATH_WORDS: dict[str, _Unary] = {"X": f.X, "F": f.F, "G": f.G, "WX": f.WX}
QUANTIFIERS: dict[str, _Unary] = {"A": f.A, "E": f.E}
PREFIX_WORDS = STATE_WORDS | PATH_WORDS | QUANTIFIERS
UNTIL_WORDS: dict[str, _Binary] = {"U": f.U, "W": f.W, "R": f.R}
AGENT_CALLS: dict[str, _Of] = {
    "K": f.K, "M": f.M, "O": f.O, "P": f.P,
}  # fmt: skip
GROUP_CALLS: dict[str, _Of] = {
    "GK": f.GK, "GCK": f.GCK, "DK": f.DK, "MGK": f.MGK, "MGCK": f.MGCK, "MDK": f.MDK,
}  # fmt: skip
CALLS = AGENT_CALLS | GROUP_CALLS
COALITION_WORDS: dict[str, _Of] = {
    "X": f.CanX, "F": f.CanF, "G": f.CanG,
}  # fmt: skip
CONSTANTS = {"true": True, "tt": True, "false": False, "ff": False}
#: `A(f U g)` in languages whose `A` is not a quantifier over path formulas.
CTL_UNTIL: dict[tuple[str, type[Formula]], _Binary] = {
    ("A", f.U): f.AU, ("A", f.W): f.AW, ("A", f.R): f.AR,
    ("E", f.U): f.EU, ("E", f.W): f.EW, ("E", f.R): f.ER,
}  # fmt: skip
#: The same tables for who prints: operator -> word, CTL's until -> its two words.
WORDS: dict[object, str] = {
    operator: word
    for table in (PREFIX_WORDS, UNTIL_WORDS, CALLS, COALITION_WORDS)
    for word, operator in table.items()
}
CTL_UNTIL_WORDS: dict[object, tuple[str, str]] = {
    operator: (quantifier, WORDS[until]) for (quantifier, until), operator in CTL_UNTIL.items()
}

#: How tightly infix operators bind; `+` and `;` stand in programs only.
INFIX = {
    "+": 1, ";": 2, "<->": 3, "->": 4, "or": 5, "||": 5, "xor": 6, "and": 7, "&&": 7, "U": 8, "W": 8, "R": 8,
}  # fmt: skip
#: Those that associate to the right.
RIGHT = frozenset({"->", "U", "W", "R"})
PROGRAM_INFIX = frozenset({"+", ";"})


def _equivalent(left: Formula, right: Formula) -> Formula:
    return f.And(f.Implies(left, right), f.Implies(right, left))


def _either(left: Formula, right: Formula) -> Formula:
    return f.Or(f.And(left, f.Not(right)), f.And(f.Not(left), right))


CONNECTIVES: dict[str, _Binary] = {
    "<->": _equivalent, "->": f.Implies, "or": f.Or, "||": f.Or, "xor": _either, "and": f.And, "&&": f.And,
    **UNTIL_WORDS,
}  # fmt: skip
PREFIX_LEVEL, BRACKET_LEVEL = 9, 0
#: What the peer lets a preceding CTL* path operator swallow.
SWALLOWERS = frozenset({"->", "or", "||", "and", "&&"})
KEYWORDS = frozenset({"and", "or", "end"})
#: Words that are operators where something follows, and names elsewhere.
RESERVED = frozenset(PREFIX_WORDS) | frozenset(UNTIL_WORDS)
