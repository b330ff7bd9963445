"""Random modules in the words of plain ISPL, and trees of the parser as random modules have them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from functools import reduce
from typing import Any

from knower.syntax.template import AgentTemplate, Apply, Conditional, FormulaTemplate, Template
from knower.syntax.tree import AgentDecl, Expr, If, Infix, Module, Phrase, Prefix

_OLD = {"xor": "or", "->": "and", "<->": "or", "%": "*", "min": "+", "max": "-", "abs": "-"}


def old_style(module: Module) -> Module:
    """The same with operators of MCMAS in the place of those that it lacks; it means something else."""
    return _rewritten(module, _old)


def as_drawn(found: Module | Template) -> Module:
    """A tree as the parser made it, with the nodes of plain modules for `if`, `min`, `max` and `abs`."""
    return _rewritten(found, _plain) if isinstance(found, Template) else found


def _old(item: Expr) -> Expr:
    match item:
        case If(_, then, _):
            return _old(then)
        case Prefix(word, operand):
            return Prefix(_OLD.get(word, word), _old(operand))
        case Infix(word, left, right):
            return Infix(_OLD.get(word, word), _old(left), _old(right))
        case _:
            return item


def _plain(item: Expr) -> Expr:
    match item:
        case Prefix(word, operand):
            return Prefix(word, _plain(operand))
        case Infix(word, left, right):
            return Infix(word, _plain(left), _plain(right))
        case Conditional(condition, then, otherwise):
            return If(*(_plain(each.expr) for each in (condition, then, otherwise)))
        case Apply("abs", (operand,)):
            return Prefix("abs", _plain(operand.expr))
        case Apply(word, operands):
            return reduce(lambda a, b: Infix(word, a, b), [_plain(each.expr) for each in operands])
        case _:
            return item


def _rewritten(item: Any, rule: Callable[[Expr], Expr]) -> Any:
    """All expressions of a declaration; templates that have nothing of their own become plain ones."""
    match item:
        case tuple():
            return tuple(_rewritten(each, rule) for each in item)
        case Phrase(expr):
            return Phrase(rule(expr))
        case FormulaTemplate(decl=decl):
            return decl
        case Template():
            return Module(**_parts(item, Module, rule))
        case AgentTemplate():
            return AgentDecl(**_parts(item, AgentDecl, rule))
        case _ if is_dataclass(item) and not isinstance(item, type):
            parts = {each.name: getattr(item, each.name) for each in fields(item) if each.name != "place"}
            changed = {name: part for name, part in parts.items() if isinstance(part, tuple | Phrase)}
            return replace(item, **{name: _rewritten(part, rule) for name, part in changed.items()})
        case _:
            return item


def _parts(item: Any, kind: type, rule: Callable[[Expr], Expr]) -> dict[str, Any]:
    return {each.name: _rewritten(getattr(item, each.name), rule) for each in fields(kind)}
