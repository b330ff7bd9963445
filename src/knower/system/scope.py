"""What may be read where, and the types of what is read."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import NamedTuple

from knower.records import dataclass
from knower.system.domains import BoolDomain, Domain, EnumDomain, RangeDomain
from knower.system.expressions import Compare, Condition, Expression, Literal, Truth, TruthOf
from knower.system.system import Variable


@dataclass(frozen=True, slots=True)
class Signature:
    """What other agents and the global sections can know of an agent."""

    name: str
    variables: Mapping[str, Variable]
    actions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Scope:
    """Who reads, and what may be read there.

    `reader` is the agent whose own variables are bare names (None in Evaluation and InitStates,
    where everything is `Agent.x`). `foreign` holds the readable variables of others.
    """

    where: str
    agents: Mapping[str, Signature]
    reader: str | None = None
    foreign: frozenset[tuple[str, str]] = frozenset()
    actions: bool = False

    @property
    def own(self) -> Mapping[str, Variable]:
        return self.agents[self.reader].variables if self.reader is not None else {}

    def known_values(self) -> set[object]:
        """Every enumeration value and action name of the model."""
        known: set[object] = set()
        for agent in self.agents.values():
            known.update(agent.actions)
            for variable in agent.variables.values():
                if isinstance(variable.domain, EnumDomain):
                    known.update(variable.domain.values)
        return known


class Kind(Enum):
    CONDITION = "a condition"
    NUMBER = "a number"
    BOOL = "a boolean"
    ENUM = "an enumeration"
    NAME = "a value"
    NOTHING = "no value"
    WRONG = "a mistake reported already"


class Typed(NamedTuple):
    """A resolved piece and its type; bare enumeration values wait for what they are compared with."""

    node: Expression | Condition
    kind: Kind
    domain: Domain | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The values that it may be, of an enumeration."""
        return self.domain.values if isinstance(self.domain, EnumDomain) else ()


WRONG = Typed(Truth(False), Kind.WRONG)
#: The domain of numbers that are calculated.
NUMBERS = RangeDomain(0, 0)

_KINDS: Mapping[type[Domain], Kind] = {
    BoolDomain: Kind.BOOL, RangeDomain: Kind.NUMBER, EnumDomain: Kind.ENUM,
}  # fmt: skip


def kind_of(domain: Domain) -> Kind:
    return _KINDS[type(domain)]


def as_condition(value: Typed) -> Typed:
    """A boolean as a condition: that it is true. What has no value is not."""
    match value:
        case Typed(Literal(bool(truth)), Kind.BOOL):
            return Typed(Truth(truth), Kind.CONDITION)
        case Typed(TruthOf(condition), _):
            return Typed(condition, Kind.CONDITION)
        case Typed(Expression() as inner, Kind.BOOL | Kind.NOTHING):
            return Typed(Compare("=", inner, Literal(True)), Kind.CONDITION)
        case _:
            return value


def as_boolean(value: Typed) -> Typed:
    """A condition as a boolean: its truth value."""
    match value:
        case Typed(Truth(truth), Kind.CONDITION):
            return Typed(Literal(truth), Kind.BOOL, BoolDomain())
        case Typed(Condition() as inner, Kind.CONDITION):
            return Typed(TruthOf(inner), Kind.BOOL, BoolDomain())
        case _:
            return value
