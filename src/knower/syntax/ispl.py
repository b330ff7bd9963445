"""ISPL text into a tree: `parse_ispl(source) -> Module`, or a `Template` where there is more than plain ISPL.

Sections may come in any order and be empty or absent. After a mistake the parser goes on behind
the next `;`, so that one run shows several.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from functools import partial
from typing import Any

from knower.errors import Diagnostic, InputError, did_you_mean
from knower.source import Source
from knower.syntax.agents import AgentReader
from knower.syntax.expected import expected
from knower.syntax.foreign_syntax import foreign_formula, foreign_if, model_section
from knower.syntax.formulas import parse_formula_at
from knower.syntax.lexer import END, NAME, STRING, Tokens
from knower.syntax.operators import CALLS, RESERVED
from knower.syntax.template import (
    AgentTemplate,
    ConstDecl,
    Expectation,
    For,
    FormulaTemplate,
    GroupTemplate,
    Head,
    Line,
    PropositionTemplate,
    SetOf,
    Template,
)  # fmt: skip
from knower.syntax.tree import (
    AgentDecl,
    Expected,
    GroupDecl,
    Identifier,
    Module,
    Name,
    Names,
    Phrase,
    PropositionDecl,
    SemanticsDecl,
)  # fmt: skip

_SEMANTICS = {
    "MultiAssignment": "MultiAssignment", "MA": "MultiAssignment",
    "SingleAssignment": "SingleAssignment", "SA": "SingleAssignment",
}  # fmt: skip
_SECTIONS = ("Const", "Semantics", "Agent", "Evaluation", "InitStates", "Groups", "Fairness", "Formulae")
_MOST_ERRORS = 20
_NO_CONSTANTS: tuple[ConstDecl, ...] = ()


def parse_ispl(source: Source) -> Module | Template:
    """The tree of an ISPL text; raises `InputError` with all syntax errors found."""
    if not source.text.strip():
        raise InputError(
            [Diagnostic("E100", "the file is empty", source, cure="a model has at least one Agent")]
        )
    tokens, wrong = Tokens.as_far_as_possible(source)
    return _IsplParser(tokens, wrong).module()


def _the_first(errors: list[Diagnostic]) -> list[Diagnostic]:
    """So many errors that they can be read, and how many more there are."""
    if len(errors) > _MOST_ERRORS:
        last = errors[_MOST_ERRORS - 1]
        more = f"{last.message} (and {len(errors) - _MOST_ERRORS} more errors)"
        return [*errors[: _MOST_ERRORS - 1], replace(last, message=more)]
    return errors


class _IsplParser(AgentReader):
    """Reads whole models. `wrong`: what is wrong with characters, which were left out."""

    def __init__(self, tokens: Tokens, wrong: Sequence[Diagnostic] = ()) -> None:
        super().__init__(tokens)
        self._wrong = wrong

    @property
    def _mistakes(self) -> list[Diagnostic]:
        """By their place; where a character is wrong, what follows from that is not told."""
        lines = {error.line for error in self._wrong}
        found = [*self._wrong, *(error for error in self.errors if error.line not in lines)]
        return sorted(found, key=lambda error: error.span)

    def module(self) -> Module | Template:
        module = Template()
        deferred: dict[str, int] = {}
        seen: set[str] = set()
        while self.kind != END:
            word = self._section_word()
            if word is None:
                continue
            if word == "Agent":
                module.agents += (self.agent(),)
                continue
            if word == "Const":
                module.constants += self.guarded(self._constant, _NO_CONSTANTS)
                continue
            self.note(word, seen)
            if word in ("Fairness", "Formulae"):
                deferred[word] = self.at
                self.skip_section(word)
            else:
                self._module_section(module, word)
        names = names_of(module)
        for word, self.at in deferred.items():
            formulas = self.section(word, partial(self._formula, names, named=word == "Formulae"))
            setattr(module, word.lower(), formulas)
        if self._mistakes:
            raise InputError(_the_first(self._mistakes))
        return module if self.is_template else _plain(module)

    def _section_word(self) -> str | None:
        """The section that starts here; None if none did, and something was left out."""
        word = self.text
        if word in _SECTIONS:
            return word
        meant = model_section(word) if self.kind == NAME else None
        if meant is not None and self.begun_as(meant):
            return meant
        if meant is None:
            wanted = "Semantics, Const, Agent, Evaluation, InitStates, Groups, Fairness or Formulae"
            cure = did_you_mean(word, [*_SECTIONS, "end"]) if self.kind == NAME else None
            self.errors += expected(self.tokens, self.at, wanted, cure).diagnostics
        self.at += 1
        while self.kind != END and not (self.text in _SECTIONS and self._begins_line(self.at)):
            self.at += 1
        return None

    def _module_section(self, module: Template, word: str) -> None:
        """Read a section of the model."""
        if word == "Semantics":
            module.semantics = self.guarded(self._semantics, None)
        elif word == "Evaluation":
            module.evaluation = self.section(word, self._proposition)
        elif word == "InitStates":
            module.initial = self.condition_section(word)
        else:
            module.groups = self.section(word, self._group)

    def _semantics(self) -> SemanticsDecl:
        first = self.at
        self.take("Semantics")
        self.take("=")
        if self.text not in _SEMANTICS:
            raise expected(self.tokens, self.at, "MultiAssignment, MA, SingleAssignment or SA")
        name = _SEMANTICS[self.text]
        self.at += 1
        self.take(";")
        return SemanticsDecl(name, self.since(first))

    def _constant(self) -> tuple[ConstDecl, ...]:
        first = self.at
        self.at += 1
        name = self.identifier()
        self.take("=")
        value: Phrase | SetOf
        if self.kind == "{":
            value, self.at = self.terms.set(self.at)
        else:
            value, self.at = self.expressions.parse(self.at)
        where: Phrase | None = None
        if self.text == "where":
            where, self.at = self.expressions.parse(self.at + 1)
        self.take(";")
        self._is_template = True
        return (ConstDecl(name, value, where, self.since(first)),)

    # -- the sections behind the agents ---------------------------------------------------------

    def _head(self) -> Identifier | Head:
        """A name, or one with arguments."""
        first = self.at
        name = self.identifier()
        if self.kind != "(":
            return name
        self.refuse_operator(name.text)
        arguments, self.at = self.terms.listed(self.at + 1, ")", self.terms.argument)
        self._is_template = True
        return Head(name, arguments, self.since(first))

    def _proposition(self) -> Line | For:
        if self.is_for():
            return self.for_each(self._proposition)
        first = self.at
        name = self._head()
        self.take("if", foreign_if)
        condition = self.condition()
        self.take(";")
        if isinstance(name, Head):
            return PropositionTemplate(name, condition, self.since(first))
        return PropositionDecl(name, condition, self.since(first))

    def _group(self) -> Line | For:
        if self.is_for():
            return self.for_each(self._group)
        first = self.at
        name = self._head()
        self.take("=")
        members = self.set()
        self.take(";")
        if isinstance(name, Head) or isinstance(members, SetOf):
            return GroupTemplate(name, members, self.since(first))
        return GroupDecl(name, members, self.since(first))

    # -- formulas -------------------------------------------------------------------------------

    def _formula(self, names: Names, *, named: bool) -> Any:
        """A formula; those of Fairness have no names, and nothing is expected of them."""
        if self.is_for():
            return self.for_each(lambda: self._formula(names, named=named))
        first = self.at
        label = self._label() if named else None
        begun = self.at
        decl, self.at = parse_formula_at(self.tokens, begun, names, self.expressions)
        body = self.since(begun)
        expectation = self._expectation() if named else None
        self.take(";", foreign_formula)
        expected_verdict = _expected(expectation)
        plain_end = expectation is None or expected_verdict is not None
        if self.is_template or isinstance(label, Head) or not plain_end:
            self._is_template = True
            return FormulaTemplate(label, body, decl, expectation, self.since(first))
        decl.label, decl.expectation = label, expected_verdict
        return decl

    def _label(self) -> Identifier | Head | None:
        """`name :` or `name(i) :` before a formula."""
        kinds, at = self.tokens.kinds, self.at
        if kinds[at] != NAME or kinds[at + 1] not in (":", "("):
            return None
        if kinds[at + 1] == "(" and (self.text in CALLS or self.text in RESERVED):
            return None
        if kinds[at + 1] == "(" and kinds[self.tokens.closing(at + 1) + 1] != ":":
            return None
        label = self._head()
        self.take(":")
        return label

    def _expectation(self) -> Expectation | None:
        """`expect false "why"`."""
        if self.text != "expect":
            return None
        first = self.at
        self.at += 1
        verdict: Phrase | None = None
        if self.text == "unknown":
            self.at += 1
        else:
            verdict = self.condition()
        text = ""
        if self.kind == STRING:
            text, self.at = self.text[1:-1], self.at + 1
        return Expectation(verdict, text, self.since(first))


def _expected(written: Expectation | None) -> Expected | None:
    """What is expected, if nothing has to be worked out for that."""
    if written is None:
        return None
    if written.verdict is None:
        return Expected("unknown", written.text, written.place)
    match written.verdict.expr:
        case Name("true", None):
            return Expected("true", written.text, written.place)
        case Name("false", None):
            return Expected("false", written.text, written.place)
        case _:
            return None


def names_of(module: Template) -> Names:
    """Who is declared, without arguments."""
    return Names(
        frozenset(agent.name.text for agent in module.agents),
        frozenset(map(_declared, module.groups)),
        frozenset(map(_declared, module.evaluation)),
    )


def _declared(line: Any) -> str:
    while isinstance(line, For):
        line = line.body
    name: Identifier | Head = line.name
    return name.name.text if isinstance(name, Head) else name.text


def _plain(module: Template) -> Module:
    """The same without what it has not: constants and the like."""
    values: dict[str, Any] = {each.name: getattr(module, each.name) for each in fields(Module)}
    values["agents"] = tuple(map(_plain_agent, module.agents))
    return Module(**values)


def _plain_agent(agent: AgentTemplate) -> AgentDecl:
    values: dict[str, Any] = {each.name: getattr(agent, each.name) for each in fields(AgentDecl)}
    return AgentDecl(**values)
