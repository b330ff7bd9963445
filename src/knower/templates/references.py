"""Names, agents, elements of arrays and Defines, as expressions refer to them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable

from knower.errors import did_you_mean
from knower.source import Span
from knower.syntax.template import TemplateExpr
from knower.syntax.tree import Expr, Name, Phrase, Place, Placed
from knower.templates.mistakes import Mistake, OutOfRange
from knower.templates.nodes import Nodes
from knower.templates.reading import Reading
from knower.templates.scope import Declared, Member, described
from knower.templates.static import Static
from knower.templates.values import Environment, Value, called, element, spelt


class References(ABC):
    """Works out what expressions refer to, in one reading."""

    def __init__(self, reading: Reading, nodes: Nodes) -> None:
        self.reading = reading
        self.world = reading.world
        self.nodes = nodes
        self.static = Static(reading.refuse, reading.reader.instance if reading.reader else "")
        self._open: list[tuple[str, str]] = []

    def place(self, placed: Placed, env: Environment) -> Place | None:
        """Where something of the template stands, and for which instance."""
        instance = self.instance(env)
        return (*placed.place[:3], instance) if placed.place is not None and instance else placed.place

    def instance(self, env: Environment) -> str:
        reader = self.reading.reader
        outer = self.world.constants if reader is None else reader.env
        return described(env, outer, reader.instance if reader else "")

    def expr(self, phrase: Phrase, env: Environment) -> Expr:
        return self._in_phrase(phrase, env)

    def bounds(self, item: Expr) -> tuple[int, int] | None:
        """Those of a variable that is a number."""
        if not isinstance(item, Name):
            return None
        reader = self.reading.reader
        owners = (reader,) if item.owner is None else (m for m in self.world.members if m.name == item.owner)
        owner = next(iter(owners), None)
        known = None if owner is None else owner.variables.get(item.name.partition("[")[0])
        return None if known is None else known.bounds

    @abstractmethod
    def _in_phrase(self, phrase: Phrase, env: Environment) -> Expr:
        """The plain expression of a phrase."""

    def _span(self, item: Expr | Placed) -> Span:
        """Where something is wrong, as far as it is known: a term, else the phrase."""
        if isinstance(item, Placed):
            return self.static.span(item)
        if isinstance(item, TemplateExpr) and item.place is not None:
            tokens, first, last = item.place[:3]
            return tokens.span(first, last)._replace(instance=self.static.instance)
        return self.nodes.at

    # -- names -------------------------------------------------------------------------------------

    def _bare(self, item: Expr, name: str, env: Environment) -> Expr:
        value = env.get(name)
        if isinstance(value, tuple):
            raise Mistake("E308", f"the set `{name}` stands where a single value is expected", self.nodes.at)
        if value is not None:
            return self.nodes.static(value)
        if name in ("true", "false"):
            return self.nodes.static(name == "true")
        reader = self.reading.reader
        if reader is not None:
            if name in reader.defines:
                return self._defined(reader, name, self._owner)
            if name in reader.variables:
                return self._element(reader.variables[name], (), self._owner, env, item)
            if name == "Action":
                return self.nodes.name(name, self._owner)
        if self.reading.is_formula and name in self.world.propositions:
            return self._proposition(name)
        return self.nodes.static(name)

    def _called(self, item: Expr, name: str, arguments: tuple[Value, ...]) -> Expr:
        text = called(name, arguments)
        if self.reading.is_formula and text in self.world.propositions:
            return self._proposition(text)
        if self.reading.is_formula:
            self.refuse_missing(name, text, item)
        return self.nodes.static(text)

    def refuse_missing(self, name: str, text: str, item: Expr | Placed) -> None:
        """Raise where a proposition has no such instance, but others."""
        if text not in self.world.propositions and name in self.world.instances:
            cure = (
                f"there are {_some(each for each in self.world.propositions if each.startswith(f'{name}('))}"
            )
            raise OutOfRange("E501", f"unknown proposition `{text}`", self._span(item), cure)

    def _proposition(self, name: str) -> Expr:
        return self._again(self.world.propositions[name])

    def _again(self, phrase: Phrase) -> Expr:
        """A phrase that was unfolded before."""
        return phrase.expr

    def _own_element(self, item: Expr, name: str, indices: tuple[Phrase, ...], env: Environment) -> Expr:
        reader = self.reading.reader
        if reader is None or name not in reader.variables:
            cure = did_you_mean(name, reader.variables) if reader else "write `Agent.x[i]` here"
            raise Mistake("E202", f"unknown array `{name}`", self._span(item), cure)
        return self._element(reader.variables[name], indices, self._owner, env, item)

    @property
    def _owner(self) -> str | None:
        """Whose variables bare names are said to be: nobody's, where the agent itself reads them."""
        reader = self.reading.reader
        return reader.name if reader is not None and self.reading.qualified else None

    def _member(
        self,
        item: Expr,
        name: str,
        arguments: tuple[Phrase, ...],
        member: str,
        indices: tuple[Phrase, ...],
        env: Environment,
    ) -> Expr:
        """`Agent(i).x[j]`."""
        agent = self.agent(name, arguments, env, item)
        if agent is None or member == "Action":
            return self.nodes.name(member, agent.name if agent else name)
        if member in agent.defines and not indices:
            own = agent is self.reading.reader and not self.reading.qualified
            return self._defined(agent, member, None if own else agent.name)
        if member not in agent.variables:
            if indices:
                cure = did_you_mean(member, agent.variables)
                raise Mistake(
                    "E202", f"unknown array `{member}` in agent {agent.name}", self._span(item), cure
                )
            return self.nodes.name(member, agent.name)
        return self._element(agent.variables[member], indices, agent.name, env, item)

    def agent(
        self, name: str, arguments: tuple[Phrase, ...], env: Environment, item: Expr | Placed
    ) -> Member | None:
        """The agent of a name; None if there is none, which others say."""
        family = self.world.families.get(name)
        if family is None:
            if arguments:
                cure = did_you_mean(name, self.world.families)
                raise Mistake("E201", f"unknown agent `{name}`", self._span(item), cure)
            return None
        parameters = self.world.arity[name]
        if len(arguments) != parameters:
            cure = f"`{name}` has {parameters} of them" if parameters else f"`{name}` has none"
            raise Mistake("E212", f"`{name}` is given {len(arguments)} arguments", self._span(item), cure)
        found = tuple(self.static.value(each, env) for each in arguments)
        if found not in family:
            cure = f"there are {_some(called(name, each) for each in family)}"
            raise OutOfRange("E309", f"there is no agent `{called(name, found)}`", self._span(item), cure)
        return family[found]

    # -- variables ---------------------------------------------------------------------------------

    def _element(
        self,
        array: Declared,
        indices: tuple[Phrase, ...],
        owner: str | None,
        env: Environment,
        item: Expr,
    ) -> Expr:
        """A variable, or an element of an array: by a case split where an index reads the state."""
        if len(indices) != len(array.ranges):
            raise _indices(array, len(indices), self._span(item))
        if not indices:
            return self.nodes.name(array.name, owner)
        found = [self._in_phrase(each, env) for each in indices]
        return self._split(array, found, (), owner, item)

    def _split(
        self, array: Declared, indices: list[Expr], known: tuple[Value, ...], owner: str | None, item: Expr
    ) -> Expr:
        place = len(known)
        if place == len(indices):
            return self.nodes.name(element(array.name, known), owner)
        index, values = indices[place], array.ranges[place]
        value = self.nodes.value_of(index)
        if value is not None:
            if value not in values or type(value) is bool:
                message = f"`{array.name}` has no element {element(array.name, (*known, value))}"
                raise OutOfRange("E309", message, self._span(item), f"its indices are {_some(values)}")
            return self._split(array, indices, (*known, value), owner, item)
        made = self.nodes.undefined()
        for each in reversed(values):
            there = self._split(array, indices, (*known, each), owner, item)
            equal = self.nodes.infix("=", index, self.nodes.static(each))
            made = self.nodes.conditional(equal, there, made)
        return made

    # -- what folding leaves out -------------------------------------------------------------------

    def resolve(self, *parts: Expr) -> None:
        """Raise where a part that is not evaluated names what is not there."""
        reader, nodes, todo = self.reading.reader, self.nodes, list(parts)
        whose = reader.name if reader is not None else ""
        while todo:
            item = todo.pop()
            if (id(item), whose) in nodes.resolved:
                continue
            nodes.resolved.add((id(item), whose))
            todo += item.children  # type: ignore[arg-type]
            if isinstance(item, Name) and not self._is_known(item):
                message = f"unknown variable `{item.name}`{f' in agent {item.owner}' if item.owner else ''}"
                raise Mistake("E202", message, nodes.span_of(item))

    def _is_known(self, item: Name) -> bool:
        owner = self.reading.reader if item.owner is None else self.world.called.get(item.owner)
        variable = owner is not None and item.name.partition("[")[0] in owner.variables
        if variable or item.name == "Action":
            return item.owner is None or owner is not None
        return item.owner is None and (item.name in self.world.values or item.name in ("true", "false"))

    # -- Defines -----------------------------------------------------------------------------------

    def _defined(self, member: Member, name: str, owner: str | None) -> Expr:
        """What an agent defines, in its own scope: names that are bound elsewhere mean nothing in it."""
        define, key = member.defines[name], (member.name, name, owner)
        if key in self.nodes.defined:
            return self.nodes.defined[key]
        if (member.name, name) in self._open:
            raise Mistake("E416", f"`{name}` is defined by itself", define.name.span, "take it apart")
        reading = Reading(self.world, member, qualified=owner is not None)
        inner = type(self)(reading, self.nodes)
        inner._open = [*self._open, (member.name, name)]
        return self.nodes.remember(key, inner.expr(define.body, member.env))


def _indices(array: Declared, given: int, span: Span) -> Mistake:
    wanted = len(array.ranges)
    if not wanted:
        return Mistake("E213", f"`{array.name}` is no array", span, "leave the index out")
    if not given:
        cure = f"write `{array.name}[i]`: arrays are read and assigned element by element"
        return Mistake("E213", f"the array `{array.name}` has no index here", span, cure)
    return Mistake("E213", f"`{array.name}` has {wanted} indices, not {given}", span)


def _some(values: Iterable[object]) -> str:
    """The first and the last of a few names."""
    listed = [spelt(value) if isinstance(value, int | str) else str(value) for value in values]
    if len(listed) > 4:
        listed = [*listed[:2], "…", listed[-1]]
    return ", ".join(listed) or "none"
