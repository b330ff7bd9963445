"""Variables that only name one of many replicas: the prisoner who is called, the train that may enter.

Such a variable is compared and assigned only with fixed values, and says nothing by the bits of a
binary code. With one bit per value (exactly one of them set), each bit can stand beside what it
selects, which can make diagrams smaller by a factor of the number of values.
"""

from __future__ import annotations

from collections.abc import Iterator

from knower.logic.fold import subformulas
from knower.logic.node import Node
from knower.symbolic.layout import Key
from knower.symbolic.replicas import number_in
from knower.system.domains import BoolDomain, Domain, size
from knower.system.expressions import Compare, Expression, Literal, Var
from knower.system.system import InterpretedSystem

#: With fewer values a binary code is as good; so many of them must name a replica.
_LEAST_VALUES, _LEAST_SHARE = 8, 0.5
#: With more, one bit each would be too many.
_MOST_VALUES = 1000


def selectors(system: InterpretedSystem) -> frozenset[Key]:
    """The variables whose values name replicas."""
    names = [agent.name for agent in system.agents] + [variable.name for variable in system.variables]
    replicas = {number_in(name) for name in names} - {None}
    return frozenset(
        key
        for key in compared_with_fixed_values(system, _LEAST_VALUES)
        if number_in(key[0]) is None and number_in(key[1]) is None and _names(system.domains[key], replicas)
    )


def _names(domain: Domain, replicas: set[int | None]) -> bool:
    """Whether the values are, by and large, the numbers of replicas."""
    named = sum(number_in(str(value)) in replicas for value in domain.values)
    return named >= _LEAST_SHARE * size(domain)


def compared_with_fixed_values(system: InterpretedSystem, least: int) -> frozenset[Key]:
    """The variables with at least so many values that meet nothing but fixed values."""
    many = {
        variable.key
        for variable in system.variables
        if not isinstance(variable.domain, BoolDomain) and least <= size(variable.domain) <= _MOST_VALUES
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
