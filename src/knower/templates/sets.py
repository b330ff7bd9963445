"""Sets of names: actions, values, members of groups, observed variables."""

from __future__ import annotations

from collections.abc import Iterator

from knower.syntax.template import Names, Reference, SetOf
from knower.syntax.tree import Identifier, Name, Phrase, Placed
from knower.templates.mistakes import Mistake, OutOfRange
from knower.templates.scope import Declared, Member
from knower.templates.unfold import Unfolder
from knower.templates.values import Environment, called, element, kind, spelt


class Sets:
    """Works out sets in one reading."""

    def __init__(self, unfolder: Unfolder) -> None:
        self.unfolder = unfolder
        self.static = unfolder.static

    def names(self, written: Names, env: Environment) -> tuple[Identifier, ...]:
        """The names of a set in order of occurrence, each once."""
        if not isinstance(written, SetOf):
            return self._plain(written, env)
        found: dict[str, Identifier] = {}
        for name in self._names(written, env):
            found.setdefault(name.text, name)
        return tuple(found.values())

    def _plain(self, written: tuple[Identifier, ...], env: Environment) -> tuple[Identifier, ...]:
        """What is listed, as it is listed: who reads it complains of twins."""
        return tuple(self._named(name, name.text, env) for name in written)

    def _names(self, written: SetOf, env: Environment) -> Iterator[Identifier]:
        for item, inner in self.items(written, env):
            value = self.static.value(item, inner)
            if not isinstance(value, str):
                span = self.static.span(item)
                raise Mistake("E308", f"a name is expected, this is {kind(value)}: {spelt(value)}", span)
            yield Identifier(value, self.unfolder.place(item, inner))

    def items(self, written: SetOf, env: Environment) -> Iterator[tuple[Phrase, Environment]]:
        inner = [env] if written.binds is None else self.static.valuations(written.binds, env)
        for each in inner:
            for item in written.items:
                yield item, each

    def _named(self, placed: Placed, text: str, env: Environment) -> Identifier:
        value = env.get(text, text)
        if not isinstance(value, str):
            raise Mistake(
                "E308", f"a name is expected, `{text}` is {kind(value)}: {spelt(value)}",
                self.static.span(placed), "choose another name",
            )  # fmt: skip
        return Identifier(value, self.unfolder.place(placed, env))

    # -- agents ------------------------------------------------------------------------------------

    def agents(self, written: Names, env: Environment) -> tuple[Identifier, ...]:
        """The members of a group, each once; who is unknown is said elsewhere."""
        if not isinstance(written, SetOf):
            return tuple(self._agent(name, name.text, (), env) for name in written)
        found: dict[str, Identifier] = {}
        for item, inner in self.items(written, env):
            match item.expr:
                case Name(name, None):
                    arguments: tuple[Phrase, ...] = ()
                case Reference(name, arguments, None, ()):
                    pass
                case _:
                    raise Mistake("E201", "an agent is expected here", self.static.span(item))
            agent = self._agent(item, name, arguments, inner)
            found.setdefault(agent.text, agent)
        return tuple(found.values())

    def _agent(
        self, placed: Placed, name: str, arguments: tuple[Phrase, ...], env: Environment
    ) -> Identifier:
        member = self.unfolder.agent(name, arguments, env, placed)
        return Identifier(member.name if member else name, self.unfolder.place(placed, env))

    # -- variables ---------------------------------------------------------------------------------

    def variables(self, written: Names, owner: Member | None, env: Environment) -> tuple[Identifier, ...]:
        """The variables of another agent; an array without index means all elements."""
        named: list[tuple[Placed, str, tuple[Phrase, ...], Environment]]
        if not isinstance(written, SetOf):
            named = [(name, name.text, (), env) for name in written]
        else:
            named = [self._variable(item, inner) for item, inner in self.items(written, env)]
        known = {} if owner is None else owner.variables
        found: dict[str, Identifier] = {}
        for placed, name, indices, inner in named:
            place = self.unfolder.place(placed, inner)
            for text in self._elements(placed, known.get(name), name, indices, inner):
                found.setdefault(text, Identifier(text, place))
        return tuple(found.values())

    def _variable(
        self, item: Phrase, env: Environment
    ) -> tuple[Placed, str, tuple[Phrase, ...], Environment]:
        match item.expr:
            case Name(name, None):
                return item, name, (), env
            case Reference(name, (), None, indices):
                return item, name, indices, env
            case _:
                cure = "variables of the Environment are named without it"
                raise Mistake("E202", "a variable is expected here", self.static.span(item), cure)

    def _elements(
        self, placed: Placed, array: Declared | None, name: str, indices: tuple[Phrase, ...], env: Environment
    ) -> tuple[str, ...]:
        if array is None or not indices:
            return (name,) if array is None else array.elements
        found = tuple(self.static.value(index, env) for index in indices)
        text = element(name, found)
        if text not in array.elements:
            raise OutOfRange("E309", f"`{name}` has no element {text}", self.static.span(placed))
        return (text,)


def head(name: str, arguments: tuple[Phrase, ...], unfolder: Unfolder, env: Environment) -> str:
    """A name with the values of its arguments."""
    return called(name, tuple(unfolder.static.value(each, env) for each in arguments))
