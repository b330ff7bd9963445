"""Formulas of a template: their text is read once for each instance."""

from __future__ import annotations

from collections.abc import Iterator

from knower.logic import formula as f
from knower.logic.formula import Formula
from knower.syntax.conditions import ExpressionParser
from knower.syntax.formulas import parse_formula_at
from knower.syntax.naming import step_of
from knower.syntax.template import Binds, Expectation, FormulaTemplate, Head, Reference, SetOf
from knower.syntax.tree import (
    Expected,
    FormulaDecl,
    Identifier,
    Names,
    Phrase,
    PropositionDecl,
)  # fmt: skip
from knower.templates.mistakes import Mistake
from knower.templates.nodes import Nodes
from knower.templates.phrases import unfolded
from knower.templates.reading import Reading
from knower.templates.scope import World
from knower.templates.sets import Sets, head
from knower.templates.unfold import Unfolder
from knower.templates.values import Environment, spelt
from knower.templates.wording import worded


class InstanceNaming:
    """What names and terms of a formula mean for one instance (a `syntax.naming.Naming`)."""

    def __init__(self, world: World, nodes: Nodes, env: Environment) -> None:
        self.world = world
        self.env = env
        self._unfolder = Unfolder(Reading(world, is_formula=True), nodes)
        self._found: dict[str, PropositionDecl] = {}

    @property
    def instance(self) -> str:
        return self._unfolder.instance(self.env)

    @property
    def conditions(self) -> tuple[PropositionDecl, ...]:
        return tuple(self._found.values())

    def name(self, phrase: Phrase) -> str:
        match phrase.expr:
            case Reference(name, arguments, None, ()) if name in self.world.families:
                return self._agent(phrase, name, arguments)
            case Reference(name, arguments, None, ()):
                made = head(name, arguments, self._unfolder, self.env)
                self._unfolder.refuse_missing(name, made, phrase)
                return made
            case _:
                raise Mistake("E308", "a name is expected here", self._unfolder.static.span(phrase))

    def _agent(self, phrase: Phrase, name: str, arguments: tuple[Phrase, ...]) -> str:
        member = self._unfolder.agent(name, arguments, self.env, phrase)
        return member.name if member is not None else name

    def members(self, group: SetOf) -> tuple[str, ...]:
        return tuple(member.text for member in Sets(self._unfolder).agents(group, self.env))

    def constant(self, name: str) -> bool | None:
        value = self.env.get(name)
        return value if isinstance(value, bool) else None

    def spelt(self, name: str) -> str:
        bound = name in self.env and name not in self.world.constants
        return spelt(self.env[name]) if bound else name

    def condition(self, phrase: Phrase) -> Formula:
        """An atom, named as the condition is written; constants need none."""
        made = unfolded(phrase, self._unfolder, self.env)
        known = self._unfolder.nodes.value_of(made.expr)
        if isinstance(known, bool):
            return f.Constant(known)
        if (step := step_of(made.expr)) is not None:
            return step
        text = worded(phrase, self.env)
        self._found.setdefault(text, PropositionDecl(Identifier(text, made.place), made, made.place))
        return f.Atom(text)

    def each(self, binds: Binds) -> Iterator[None]:
        outer = self.env
        try:
            for inner in self._unfolder.static.valuations(binds, outer):
                self.env = inner
                yield
        finally:
            self.env = outer


class Formulas:
    """Reads the formulas of a template for its instances."""

    def __init__(self, world: World, nodes: Nodes, names: Names) -> None:
        self.world = world
        self.nodes = nodes
        self.names = names
        self._parsers: dict[int, ExpressionParser] = {}

    def decl(self, written: FormulaTemplate, env: Environment) -> FormulaDecl:
        tokens, first, _ = written.body[:3]
        parser = self._parsers.setdefault(id(tokens), ExpressionParser(tokens))
        naming = InstanceNaming(self.world, self.nodes, env)
        made, _ = parse_formula_at(tokens, first, self.names, parser, naming)
        unfolder = Unfolder(Reading(self.world), self.nodes)
        made.place = unfolder.place(written, env)
        made.label = self._label(written, unfolder, env)
        made.expectation = self._expected(written.expectation, unfolder, env)
        return made

    def _label(self, written: FormulaTemplate, unfolder: Unfolder, env: Environment) -> Identifier | None:
        name = written.name
        if name is None:
            return None
        text = head(name.name.text, name.arguments, unfolder, env) if isinstance(name, Head) else name.text
        return Identifier(text, unfolder.place(name, env))

    def _expected(self, written: Expectation | None, unfolder: Unfolder, env: Environment) -> Expected | None:
        if written is None:
            return None
        place = unfolder.place(written, env)
        if written.verdict is None:
            return Expected("unknown", written.text, place)
        return Expected(
            "true" if unfolder.static.truth(written.verdict, env) else "false", written.text, place
        )
