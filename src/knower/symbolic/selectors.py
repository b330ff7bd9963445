"""Variables that only name one of many replicas: the prisoner who is called, the train that may enter.

Such a variable is compared and assigned only with fixed values, and says nothing by the bits of a
binary code. With one bit per value (exactly one of them set), each bit can stand beside what it
selects, which can make diagrams smaller by a factor of the number of values.
"""

from __future__ import annotations

from knower.logic.fold import subformulas
from knower.logic.node import Node, children_of
from knower.symbolic.layout import Key
from knower.symbolic.replicas import number_in
from knower.system.domains import BoolDomain, Domain, size
from knower.system.expressions import Compare, Literal, Var
from knower.system.system import InterpretedSystem

#: With fewer values a binary code is as good; so many of them must name a replica.
_LEAST_VALUES, _LEAST_SHARE = 8, 0.5
#: With more, one bit each would be too many.
_MOST_VALUES = 1000


def selectors(system: InterpretedSystem) -> frozenset[Key]:
    """The variables whose values name replicas."""
    many = _with_values(system, _LEAST_VALUES)
    if not many:
        return frozenset()
    names = [agent.name for agent in system.agents] + [variable.name for variable in system.variables]
    replicas = {number_in(name) for name in names} - {None}
    naming = frozenset(
        key
        for key in many
        if number_in(key[0]) is None and number_in(key[1]) is None and _names(system.domains[key], replicas)
    )
    return naming - _calculated(system) if naming else naming


def _names(domain: Domain, replicas: set[int | None]) -> bool:
    """Whether the values are, by and large, the numbers of replicas."""
    named = sum(number_in(str(value)) in replicas for value in domain.values)
    return named >= _LEAST_SHARE * size(domain)


def compared_with_fixed_values(system: InterpretedSystem, least: int) -> frozenset[Key]:
    """The variables with at least so many values that meet nothing but fixed values."""
    many = _with_values(system, least)
    return many - _calculated(system) if many else many


def _with_values(system: InterpretedSystem, least: int) -> frozenset[Key]:
    """The variables with at least so many values, and not too many."""
    return frozenset(
        variable.key
        for variable in system.variables
        if not isinstance(variable.domain, BoolDomain) and least <= size(variable.domain) <= _MOST_VALUES
    )


def _calculated(system: InterpretedSystem) -> set[Key]:
    """The variables used other than by comparing them with a fixed value or assigning one."""
    found: set[Key] = set()
    values: list[Node] = []
    for agent in system.agents:
        for line in (line for block in agent.evolution for line in block.lines):
            for name, value in line.assignments:
                if not isinstance(value, Literal):
                    found.add((agent.name, name))
                    values.append(value)
    for item in subformulas(*system.conditions, *values):
        if not _fixes(item):
            found |= {(part.owner, part.name) for part in children_of(item) if isinstance(part, Var)}
    return found | {(value.owner, value.name) for value in values if isinstance(value, Var)}


def _fixes(item: Node) -> bool:
    """Whether a comparison tells one value from all others."""
    if not isinstance(item, Compare) or item.operator not in ("=", "!="):
        return False
    return isinstance(item.left, Literal) or isinstance(item.right, Literal)
