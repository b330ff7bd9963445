"""What a specification asks, as a state formula with nothing left to be looked up."""

from __future__ import annotations

from knower.logic import formula as f
from knower.logic.formula import Formula
from knower.logic.language import Specification
from knower.logic.node import Node
from knower.logic.rewrite import quantified
from knower.system.system import InterpretedSystem


def closed(spec: Specification, system: InterpretedSystem) -> Formula:
    """The state formula a specification asks of a system: groups are their members, and path formulas
    that stand alone speak of all paths."""

    def rule(item: Node) -> Node:
        match item:
            case f.OfGroup(str(group), sub):
                return type(item)(_group(group, system), sub)
            case f.CanU(str(group), left, right):
                return f.CanU(_group(group, system), left, right)
            case _:
                return item

    return quantified(spec.body, linear=spec.language.linear, first=rule)


def _group(name: str, system: InterpretedSystem) -> f.Group:
    return f.Group(system.members(name), name)
