"""Path formulas by themselves: state formulas in them as propositions, and one normal form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeGuard

from knower.logic import formula as f
from knower.logic.fold import fold, rewrite, subformulas
from knower.logic.formula import Formula, Program, is_formula
from knower.logic.node import Node
from knower.logic.rewrite import dynamic, negation_normal_form


def state_parts(path: Formula) -> tuple[Formula, ...]:
    """The largest state formulas in a path formula but for constants, each once; itself, if it is one."""
    return tuple(_named(path))


def abstracted(path: Formula) -> Formula:
    """The path formula with propositions `#0`, `#1`, … for its state parts."""
    names = _named(path)

    def step(item: Node, below: tuple[Node, ...]) -> Node:
        if isinstance(item, f.Constant):
            return item
        return f.Atom(names[item]) if _is_state(item) else item.with_children(below)

    found = fold(path, step, _path_operands)
    assert is_formula(found)
    return found


def _named(path: Formula) -> dict[Formula, str]:
    found: dict[Formula, str] = {}
    todo: list[Node] = [path]
    seen: set[int] = set()
    while todo:
        item = todo.pop()
        if id(item) in seen:
            continue
        seen.add(id(item))
        if isinstance(item, f.Constant):
            continue
        if _is_state(item):
            found.setdefault(item, f"#{len(found)}")
        else:
            todo += reversed(item.children)
    return found


def _is_state(item: Node) -> TypeGuard[Formula]:
    return is_formula(item) and not item.is_path


def _path_operands(item: Node) -> Sequence[Node]:
    return () if _is_state(item) else item.children


def normal(path: Formula) -> Formula:
    """Modalities in negation normal form; `<r*><r*>f` is `<r*>f`."""

    def rule(item: Node) -> Node:
        match item:
            case f.Diamond(f.Star(outer), f.Diamond(f.Star(inner), _) as sub) if outer == inner:
                return sub
            case f.Box(f.Star(outer), f.Box(f.Star(inner), _) as sub) if outer == inner:
                return sub
            case _:
                return item

    return rewrite(negation_normal_form(dynamic(path)), rule)


def invariant(path: Formula) -> Formula | None:
    """The state formula that a path formula `G f` (`[tt*]f`) asks for at every position."""
    match path:
        case f.G(sub) | f.Box(f.Star(f.Letter(f.Constant(True))), sub) if not sub.is_path:
            return sub
        case _:
            return None


def asks_of_paths(program: Program) -> bool:
    """Whether a program has a test that speaks of the path it runs on."""
    return any(isinstance(item, f.Test) and item.guard.is_path for item in subformulas(program))


def conjuncts(formula: Formula) -> list[Formula]:
    """The operands of a conjunction of conjunctions, from left to right."""
    found: list[Formula] = []
    todo = [formula]
    while todo:
        item = todo.pop()
        if isinstance(item, f.And):
            todo += [item.right, item.left]
        else:
            found.append(item)
    return found


def step_inside(formula: f.Diamond | f.Box) -> Formula:
    """`<f?>g = f and g`, `<r+s>f = <r>f or <s>f`, `<r;s>f = <r><s>f`, and the duals."""
    match formula:
        case f.Diamond(f.Test(guard), sub):
            return f.And(guard, sub)
        case f.Box(f.Test(guard), sub):
            return f.Or(negation_normal_form(f.Not(guard)), sub)
        case f.Diamond(f.Choice(left, right), sub):
            return f.Or(f.Diamond(left, sub), f.Diamond(right, sub))
        case f.Box(f.Choice(left, right), sub):
            return f.And(f.Box(left, sub), f.Box(right, sub))
        case f.Diamond(f.Seq(left, right), sub):
            return f.Diamond(left, f.Diamond(right, sub))
        case f.Box(f.Seq(left, right), sub):
            return f.Box(left, f.Box(right, sub))
        case _:
            raise TypeError(f"not a program: {formula!r}")
