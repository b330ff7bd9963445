"""Formulas as MCMAS reads them: which of them it knows, and how they are written there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from knower.logic import formula as f
from knower.logic.fold import fold, rewrite, subformulas
from knower.logic.formula import Formula
from knower.logic.group import GroupRef
from knower.logic.language import Language, Specification

_DUALS = {f.M: "M", f.P: "P", f.MGK: "MGK", f.MGCK: "MGCK", f.MDK: "MDK"}
_WEAK = (f.W, f.R, f.AW, f.AR, f.EW, f.ER)
_PATHS = (f.A, f.E, f.X, f.F, f.G, f.U)
#: State formulas of other logics than CTL*K.
_APART = (
    f.AG, f.EG, f.AX, f.EX, f.AF, f.EF, f.AU, f.EU, f.CanX, f.CanF, f.CanG, f.CanU, f.O,
)  # fmt: skip


def lacking(spec: Specification) -> str | None:
    """What a formula has that MCMAS lacks, in a few words."""
    if spec.language not in (Language.PLAIN, Language.LTL, Language.CTL_STAR):
        return str(spec.language.value)
    for item in subformulas(spec.body):
        found = _lacking(item, spec.language)
        if found is not None:
            return found
    return None


def _lacking(item: Any, language: Language) -> str | None:
    if isinstance(item, f.Does):
        return "an action in a formula"
    if type(item) in _DUALS:
        return f"the dual {_DUALS[type(item)]}"
    if isinstance(item, _WEAK):
        return "W or R"
    if isinstance(item, f.WX | f.Diamond | f.Box | f.ProgramNode):
        return "what belongs to LDL or finite traces"
    if language is Language.PLAIN:
        return "a path formula without CTL*" if isinstance(item, _PATHS) else None
    if isinstance(item, _APART):
        return f"an operator that is not of {language.value}"
    if language is Language.LTL and isinstance(item, f.A | f.E):
        return "a quantifier in LTL"
    if isinstance(item, f.OfAgent | f.OfGroup) and item.sub.is_path:
        return "knowledge of paths"
    return None


def without_duals(formula: Formula) -> Formula:
    """An equal formula in the operators of MCMAS, as far as there are such."""
    return rewrite(formula, _by_definition)


def _by_definition(item: Any) -> Any:
    no = f.Not
    match item:
        case f.M(agent, sub):
            return no(f.K(agent, no(sub)))
        case f.P(agent, sub):
            return no(f.O(agent, no(sub)))
        case f.MGK(group, sub):
            return no(f.GK(group, no(sub)))
        case f.MGCK(group, sub):
            return no(f.GCK(group, no(sub)))
        case f.MDK(group, sub):
            return no(f.DK(group, no(sub)))
        case f.AR(left, right):
            return no(f.EU(no(left), no(right)))
        case f.ER(left, right):
            return no(f.AU(no(left), no(right)))
        case f.AW(left, right):
            return no(f.EU(no(right), no(f.Or(left, right))))
        case f.EW(left, right):
            return no(f.AU(no(right), no(f.Or(left, right))))
        case _:
            return item


class Spelling(NamedTuple):
    """What names and constants are called."""

    atom: Callable[[str], str]
    agent: Callable[[str], str]
    group: Callable[[GroupRef], str]
    constant: Callable[[bool], str]


def formula_text(spec: Specification, spelling: Spelling) -> str:
    """A formula that MCMAS knows, with parentheses around whatever is not a name."""
    body = f.A(spec.body) if spec.language is Language.CTL_STAR and spec.body.is_path else spec.body
    text, _ = fold(body, lambda item, below: _laid_out(item, below, spelling))
    return f"{spec.language.value} {text}".strip()


def _laid_out(item: Any, below: tuple[tuple[str, bool], ...], spelling: Spelling) -> tuple[str, bool]:
    """The text, and whether it stands for itself without parentheses."""
    operands = [text if closed else f"({text})" for text, closed in below]
    word = type(item).__name__
    match item:
        case f.Atom(name):
            return spelling.atom(name), True
        case f.Constant(value):
            return spelling.constant(value), True
        case f.Green(agent):
            return f"{spelling.agent(agent)}.GreenStates", True
        case f.Red(agent):
            return f"{spelling.agent(agent)}.RedStates", True
        case f.Not():
            return f"!{operands[0]}", False
        case f.And() | f.Or():
            return f" {word.lower()} ".join(operands), False
        case f.Implies():
            return " -> ".join(operands), False
        case f.AU() | f.EU():
            return f"{word[0]} ({operands[0]} U {operands[1]})", False
        case f.U():
            return " U ".join(operands), False
        case f.K(agent) | f.O(agent):
            return f"{word}({spelling.agent(agent)}, {below[0][0]})", True
        case f.GK(group) | f.GCK(group) | f.DK(group):
            return f"{word}({spelling.group(group)}, {below[0][0]})", True
        case f.CanX(group) | f.CanF(group) | f.CanG(group):
            return f"<{spelling.group(group)}>{word[-1]} {operands[0]}", False
        case f.CanU(group):
            return f"<{spelling.group(group)}>({operands[0]} U {operands[1]})", False
        case f.AX() | f.EX() | f.AF() | f.EF() | f.AG() | f.EG() | f.X() | f.F() | f.G() | f.A() | f.E():
            return f"{word} {operands[0]}", False
        case _:
            raise TypeError(f"not a formula of MCMAS: {item!r}")
