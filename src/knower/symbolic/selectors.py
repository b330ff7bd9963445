"""Variables that only name one of many: a prisoner called, a card dealt.

A variable that is compared and assigned only with fixed values says nothing by the bits of a binary
code. With one bit per value (exactly one of them set), each bit can stand beside what it selects,
which can make diagrams smaller by a factor of the number of values.
"""

from __future__ import annotations

from collections.abc import Iterator

from knower.logic.fold import subformulas
from knower.logic.node import Node
from knower.symbolic.layout import Key
from knower.system.domains import BoolDomain, size
from knower.system.expressions import Compare, Expression, Literal, Var
from knower.system.system import InterpretedSystem

#: With fewer values a binary code is as good.
LEAST_VALUES = 8


def selectors(system: InterpretedSystem, least: int = LEAST_VALUES) -> frozenset[Key]:
    """The variables with at least so many values that only fixed values are compared with."""
    many = {
        variable.key
        for variable in system.variables
        if not isinstance(variable.domain, BoolDomain) and size(variable.domain) >= least
    }
    if not many:
        return frozenset()
    return frozenset(many - {key for root, target in _roots(system) for key in _calculated(root, target)})


def _roots(system: InterpretedSystem) -> Iterator[tuple[Node, Key | None]]:
    """All conditions, and all assigned values with what they are assigned to."""
    yield system.initial, None
    for condition in system.propositions.values():
        yield condition, None
    for agent in system.agents:
        yield agent.red, None
        for protocol_line in agent.protocol:
            yield protocol_line.condition, None
        for line in (line for block in agent.evolution for line in block.lines):
            yield line.condition, None
            for name, value in line.assignments:
                yield value, (agent.name, name)


def _calculated(root: Node, target: Key | None) -> Iterator[Key]:
    """The variables used other than by comparing them with a fixed value or assigning one."""
    plain: set[int] = set()
    for item in subformulas(root):
        if isinstance(item, Compare) and item.operator in ("=", "!="):
            sides = (item.left, item.right)
            if any(isinstance(side, Literal) for side in sides):
                plain |= {id(side) for side in sides if isinstance(side, Var)}
    for item in subformulas(root):
        if isinstance(item, Var) and id(item) not in plain:
            yield item.owner, item.name
    if target is not None and isinstance(root, Expression) and not isinstance(root, Literal):
        yield target
