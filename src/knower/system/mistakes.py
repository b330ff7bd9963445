"""Mistakes of names and types in conditions and expressions, in words with a cure."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from knower.errors import did_you_mean
from knower.records import dataclass
from knower.source import Span
from knower.system.domains import EnumDomain
from knower.system.expressions import ActionOf, Var
from knower.system.scope import NUMBERS, Kind, Scope, Typed
from knower.system.system import ENVIRONMENT, Variable

#: How a mistake is reported: code, message, place, cure.
Report: TypeAlias = Callable[[str, str, Span, str | None], None]

_OTHER_SIDE = "the other side"


@dataclass(frozen=True, slots=True)
class Mistakes:
    """Reports what is wrong with names and types in one scope."""

    scope: Scope
    report: Report

    # -- names ----------------------------------------------------------------------------------------------

    def unknown_agent(self, owner: str, span: Span) -> None:
        cure = did_you_mean(owner, self.scope.agents)
        if owner == ENVIRONMENT:
            cure = "this model has no Agent Environment"
        self.report("E201", f"unknown agent `{owner}`", span, cure)

    def unknown_variable(self, owner: str, name: str, span: Span) -> None:
        message = f"unknown variable `{name}` in agent {owner}"
        self.report("E202", message, span, did_you_mean(name, self.scope.agents[owner].variables))

    def private(self, owner: str, name: str, span: Span) -> None:
        message = f"agent {self.scope.reader} cannot see `{owner}.{name}` in its {self.scope.where}"
        if owner == ENVIRONMENT:
            cure = f"declare `{name}` in Obsvars, or `Lobsvars = {{{name}}};` in agent {self.scope.reader}"
        else:
            cure = "other agents are seen only by their actions: use `" + owner + ".Action` in Evolution"
        self.report("E204", message, span, cure)

    def action_read(self, span: Span) -> None:
        message = f"actions cannot be read in {self.scope.where}"
        cure = "conditions here speak of states; remember the action in a variable"
        self.report("E205", message, span, cure)

    def unknown_name(self, name: str, span: Span) -> None:
        where = f"agent {self.scope.reader}" if self.scope.reader else self.scope.where
        foreign = sorted(f"{owner}.{var}" for owner, var in self.scope.foreign if var == name)
        if foreign:
            cure: str | None = f"write `{foreign[0]}`"
        elif self.scope.reader is None:
            owners = [a.name for a in self.scope.agents.values() if name in a.variables]
            cure = f"write `{owners[0]}.{name}`" if owners else "variables are written `Agent.x` here"
        else:
            cure = did_you_mean(name, self.scope.own)
        self.report("E202", f"unknown variable `{name}` in {where}", span, cure)

    def not_a_value(self, name: str, other: Typed | Variable, span: Span) -> None:
        """A name that meets something it is no value of."""
        of = other.name if isinstance(other, Variable) else _shown(other)
        domain = other.domain
        if any(name in agent.variables for agent in self.scope.agents.values()) or of == _OTHER_SIDE:
            self.unknown_name(name, span)
            return
        values = domain.values if isinstance(domain, EnumDomain) else ()
        if name not in self.scope.known_values():
            near = did_you_mean(name, [*self.scope.own, *values])
            if name.casefold() in ("true", "false"):
                near = f"write `{name.casefold()}`"
            message = f"unknown name `{name}`: neither a variable here nor a value of `{of}`"
            self.report("E203", message, span, near)
            return
        message = f"`{name}` is not a value of `{of}` : {domain if domain != NUMBERS else 'number'}"
        self.report("E306", message, span, did_you_mean(name, values))

    # -- types ----------------------------------------------------------------------------------------------

    def not_a_condition(self, value: Typed, span: Span) -> None:
        if value.kind is Kind.NAME:
            self.unknown_name(value.names[0], span)
        elif value.kind is not Kind.WRONG:
            message = f"{value.kind.value} stands where a condition is expected"
            self.report("E301", message, span, "compare it with something")

    def wrong_operand(self, value: Typed, wanted: Kind, operator: str, span: Span) -> None:
        if value.kind is Kind.NAME:
            self.unknown_name(value.names[0], span)
        else:
            message = f"`{operator}` needs {wanted.value}, this is {value.kind.value}"
            self.report("E302", message, span, None)

    def apart(self, what: str, left: Typed, right: Typed, span: Span) -> None:
        """Two of different types, where they have to be of one."""
        if self._is_read_otherwise(left, right.domain, span) or self._is_read_otherwise(
            right, left.domain, span
        ):
            return
        self.report("E302", f"{what} {left.kind.value} with {right.kind.value}", span, None)

    def unrelated(self, left: Typed, right: Typed, span: Span) -> None:
        message = f"cannot compare values of {left.domain} with values of {right.domain}"
        self.report("E304", message, span, "one enumeration must include the other")

    def unordered(self, operator: str, span: Span) -> None:
        message = f"`{operator}` compares numbers only"
        self.report("E305", message, span, "booleans and enumerations know only `=` and `!=`")

    def wrong_value(self, value: Typed, target: Variable, wanted: Kind, span: Span) -> None:
        """A value that a variable cannot take."""
        if value.kind is wanted:
            message = f"`{target.name}` : {target.domain} cannot take a value of {value.domain}"
            self.report("E304", message, span, "one enumeration must include the other")
        elif value.kind is not Kind.WRONG and not self._is_read_otherwise(value, target.domain, span):
            message = f"`{target.name}` is {wanted.value}, but the value is {value.kind.value}"
            self.report("E303", message, span, f"`{target.name}` : {target.domain}")

    def _is_read_otherwise(self, value: Typed, domain: object, span: Span) -> bool:
        """Report a variable that is called like the value which is meant."""
        if not isinstance(value.node, Var) or not isinstance(domain, EnumDomain):
            return False
        name = value.node.name
        if value.node.owner != self.scope.reader or name not in domain:
            return False
        message = f"`{name}` is read as the variable of agent {value.node.owner}, not as a value of {domain}"
        self.report("E303", message, span, "rename the variable or the value")
        return True


def _shown(value: Typed) -> str:
    match value.node:
        case Var(_, name):
            return name
        case ActionOf(agent):
            return f"{agent}.Action"
        case _:
            return _OTHER_SIDE
