"""Path formulas by themselves: what they say of states and steps as propositions, and one normal form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Sized
from typing import TypeGuard

from knower.logic import formula as f
from knower.logic.fold import fold, rewrite, subformulas
from knower.logic.formula import Formula, Program, is_formula
from knower.logic.node import Node
from knower.logic.rewrite import dynamic, negation_normal_form
from knower.records import dataclass


@dataclass(frozen=True, slots=True)
class Skeleton:
    """A path formula over propositions that stand for what it says of states.

    `states`: name -> the largest state formulas in it but for constants, each once (the formula itself, if
    it is one).
    """

    body: Formula
    states: Mapping[str, Formula]


def skeleton(path: Formula) -> Skeleton:
    """A path formula, split."""
    names = _named(path)

    def step(item: Node, below: tuple[Node, ...]) -> Node:
        return f.Atom(names[item]) if _is_named(item) else item.with_children(below)

    body = fold(path, step, _path_operands)
    assert is_formula(body)
    return Skeleton(body, {name: part for part, name in names.items()})


def fresh_name(names: Sized) -> str:
    """A name for one more proposition."""
    return f"#{len(names)}"


def _named(path: Formula) -> dict[Formula, str]:
    found: dict[Formula, str] = {}
    todo: list[Node] = [path]
    seen: set[int] = set()
    while todo:
        item = todo.pop()
        if id(item) in seen:
            continue
        seen.add(id(item))
        if _is_named(item):
            found.setdefault(item, fresh_name(found))
        else:
            todo += reversed(item.children)
    return found


def _is_named(item: Node) -> TypeGuard[Formula]:
    """Whether a formula is true or false of a state, and no constant."""
    return is_formula(item) and not (item.is_path or isinstance(item, f.Constant))


def _path_operands(item: Node) -> Sequence[Node]:
    return () if _is_named(item) else item.children


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
