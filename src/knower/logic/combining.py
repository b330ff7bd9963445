"""A formula put together in Python, as a question: the language it is in without saying so."""

from __future__ import annotations

from collections.abc import Iterator

from knower.errors import Diagnostic, InputError
from knower.logic import formula as f
from knower.logic.fold import subformulas
from knower.logic.formula import Formula
from knower.logic.kinds import is_letter
from knower.logic.language import Language, Specification
from knower.logic.node import Node


def specification(formula: Formula) -> Specification:
    """The question whether a formula holds; raises `InputError` if it makes no sense.

    A path formula is asked of all paths: it is in LTL or, with programs, in LDL. A state formula with a
    quantifier over paths is in CTL* or CDL*; any other has no prefix, as in text.
    """
    wrong = list(_wrong_operands(formula)) or list(_misplaced(formula))
    if wrong:
        raise InputError(dict.fromkeys(wrong))
    return Specification(formula, _language(formula))


def _language(formula: Formula) -> Language:
    parts = list(subformulas(formula))
    has_programs = any(isinstance(part, f.Diamond | f.Box) for part in parts)
    if formula.is_path:
        return Language.LDL if has_programs else Language.LTL
    if any(isinstance(part, f.Quantifier) for part in parts):
        return Language.CDL_STAR if has_programs else Language.CTL_STAR
    return Language.PLAIN


# -- what Python lets people write ------------------------------------------------------------------------


def _wrong_operands(formula: object) -> Iterator[Diagnostic]:
    """Operands that are no formulas, or no programs, where those are wanted."""
    if not isinstance(formula, f.FormulaNode):
        yield _no_formula(formula, "what is asked")
        return
    todo: list[Node] = [formula]
    seen = {id(formula)}
    while todo:
        item = todo.pop()
        for child, wanted in zip(item.children, _wanted(item), strict=True):
            if not isinstance(child, wanted):
                yield _no_program(child) if wanted is f.ProgramNode else _no_formula(child, _of(item))
            elif id(child) not in seen:
                seen.add(id(child))
                todo.append(child)


def _wanted(item: Node) -> tuple[type[Node], ...]:
    """Of which family each operand is."""
    if isinstance(item, f.Diamond | f.Box):
        return f.ProgramNode, f.FormulaNode
    of_programs = isinstance(item, f.Choice | f.Seq | f.Star)
    return (f.ProgramNode if of_programs else f.FormulaNode,) * len(item.children)


def _of(item: Node) -> str:
    return f"the operand of `{type(item).__name__}`"


def _no_formula(found: object, what: str) -> Diagnostic:
    if isinstance(found, f.ProgramNode):
        message = "a program stands where a formula is expected"
        return Diagnostic("E506", message, cure="put it into `Diamond(program, f)` or `Box(program, f)`")
    cures = {str: f"write `Atom({found!r})`", bool: f"write `Constant({found!r})`"}
    cure = cures.get(type(found), "formulas are made of the classes in `knower.formulas`")
    return Diagnostic("E509", f"{what} is no formula: {_cut(found)}", cure=cure)


def _no_program(found: object) -> Diagnostic:
    message = f"a program is expected, and this is none: {_cut(found)}"
    return Diagnostic("E509", message, cure="make a formula a program by `Letter(f)` or `Test(f)`")


def _cut(found: object) -> str:
    text = repr(found)
    return text if len(text) <= 80 else text[:79] + "…"


# -- what text refuses too --------------------------------------------------------------------------------


def _misplaced(formula: Formula) -> Iterator[Diagnostic]:
    """Letters that are not propositional; path formulas in a state formula that no quantifier governs."""
    for item in subformulas(formula):
        if isinstance(item, f.Letter) and not is_letter(item.guard):
            message = "a program letter must be propositional"
            yield Diagnostic("E507", message, cure="make it a test: `Seq(Test(f), Letter(TRUE))`")
        if not formula.is_path and _holds_bare_path(item) and (action := _bare_operand(item)) is not None:
            yield misplaced_action(action)
        elif not formula.is_path and _holds_bare_path(item):
            message = f"a path formula stands where a state formula is expected: {_of(item)}"
            yield Diagnostic("E504", message, cure="put `A` or `E` before it, or write `AG`, `AF`, …")


def misplaced_action(action: f.Does) -> Diagnostic:
    """An action in a state formula: the place is the asker's to tell."""
    written = f"{action.agent}.Action = {action.action}"
    message = f"`{written}` speaks of a step, and stands where a state formula is expected"
    return Diagnostic("E510", message, cure=f"say it of a path: `CTL* E ({written} and X p)`")


def bare_action(item: Node) -> f.Does | None:
    """What a formula says of a step, outside of all quantifiers and path operators."""
    todo = [item]
    while todo:
        part = todo.pop()
        if isinstance(part, f.Does):
            return part
        if isinstance(part, f.Boolean):
            todo += part.children
    return None


def _bare_operand(item: Node) -> f.Does | None:
    return next((found for found in map(bare_action, item.children) if found is not None), None)


def _holds_bare_path(item: Node) -> bool:
    """Whether an operator that is read at states stands before a path formula; a quantifier may."""
    if not f.is_formula(item) or item._speaks_of_paths is not False or isinstance(item, f.Quantifier):
        return False
    return any(f.is_formula(child) and child.is_path for child in item.children)
