"""ISPL text into a tree: `parse_ispl(source) -> Module`.

Sections may come in any order and be empty or absent. After a mistake the parser goes on behind
the next `;`, so that one run shows several.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NoReturn, TypeVar

from knower.errors import Diagnostic, InputError, did_you_mean
from knower.source import Source
from knower.syntax.conditions import COMPARISON, ExpressionParser, expected, integer
from knower.syntax.formulas import parse_formula_at
from knower.syntax.lexer import END, NAME, NUMBER, Tokens
from knower.syntax.tree import (
    AgentDecl,
    Assignment,
    BooleanType,
    EnumType,
    EvolutionLine,
    FormulaDecl,
    GroupDecl,
    Identifier,
    Module,
    Names,
    Phrase,
    Place,
    PropositionDecl,
    ProtocolLine,
    RangeType,
    SemanticsDecl,
    Type,
    VariableDecl,
)  # fmt: skip

T = TypeVar("T")

_SEMANTICS = {
    "MultiAssignment": "MultiAssignment", "MA": "MultiAssignment",
    "SingleAssignment": "SingleAssignment", "SA": "SingleAssignment",
}  # fmt: skip
_SECTIONS = ("Semantics", "Agent", "Evaluation", "InitStates", "Groups", "Fairness", "Formulae")
#: What may end a section, in place of another line of it: `end`, a new `Agent`, the end of the text.
_LAST_WORDS = ("end", "Agent", "")
#: What follows `Agent` where it is the name of a variable.
_NO_AGENTS = ("if", "and", "or")
_MOST_ERRORS = 20


def parse_ispl(source: Source) -> Module:
    """The tree of an ISPL text; raises `InputError` with all syntax errors found."""
    if not source.text.strip():
        raise InputError(
            [Diagnostic("E100", "the file is empty", source, cure="a model has at least one Agent")]
        )
    return _IsplParser(Tokens(source)).module()


def _the_first(errors: list[Diagnostic]) -> list[Diagnostic]:
    """So many errors that they can be read, and how many more there are."""
    if len(errors) > _MOST_ERRORS:
        last = errors[_MOST_ERRORS - 1]
        more = f"{last.message} (and {len(errors) - _MOST_ERRORS} more errors)"
        return [*errors[: _MOST_ERRORS - 1], replace(last, message=more)]
    return errors


class _IsplParser:
    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens
        self.at = 0
        self._expression = ExpressionParser(tokens).parse
        self.errors: list[Diagnostic] = []

    # -- the module ---------------------------------------------------------------------------

    def module(self) -> Module:
        module = Module()
        agents: list[AgentDecl] = []
        deferred: dict[str, int] = {}
        seen: set[str] = set()
        while self.kind != END:
            word = self.text
            if word == "Agent":
                agents.append(self._agent())
                continue
            self._note(word, seen)
            if word == "Semantics":
                module.semantics = self._guarded(self._semantics, None)
            elif word == "Evaluation":
                module.evaluation = self._section(word, self._proposition)
            elif word == "InitStates":
                module.initial = self._condition_section(word)
            elif word == "Groups":
                module.groups = self._section(word, self._group)
            elif word in ("Fairness", "Formulae"):
                deferred[word] = self.at
                self._skip_section(word)
            else:
                self._unexpected_section()
                break
        module.agents = tuple(agents)
        names = Names.of(module.agents, module.groups, module.evaluation)
        for word, self.at in deferred.items():
            formulas = self._section(word, lambda: self._formula(names))
            setattr(module, word.lower(), formulas)
        if self.errors:
            raise InputError(_the_first(sorted(self.errors, key=lambda error: error.span)))
        return module

    def _note(self, word: str, seen: set[str]) -> None:
        """Report a section that was seen before."""
        if word in seen:
            message, span = f"the section {word} stands here a second time", self.tokens.span(self.at)
            self.errors.append(Diagnostic("E401", message, self.tokens.source, span, "merge the two"))
        seen.add(word)

    def _unexpected_section(self) -> None:
        wanted = "Semantics, Agent, Evaluation, InitStates, Groups, Fairness or Formulae"
        cure = did_you_mean(self.text, _SECTIONS) if self.kind == NAME else None
        self.errors += expected(self.tokens, self.at, wanted, cure).diagnostics

    def _semantics(self) -> SemanticsDecl:
        first = self.at
        self._take("Semantics")
        self._take("=")
        if self.text not in _SEMANTICS:
            raise expected(self.tokens, self.at, "MultiAssignment, MA, SingleAssignment or SA")
        name = _SEMANTICS[self.text]
        self.at += 1
        self._take(";")
        return SemanticsDecl(name, self._since(first))

    # -- agents ---------------------------------------------------------------------------------

    def _agent(self) -> AgentDecl:
        first = self.at
        self.at += 1
        agent = AgentDecl(self._guarded(self._identifier, Identifier("?")))
        seen: set[str] = set()
        while self.kind != END and not self._ends("Agent"):
            word, before = self.text, self.at
            self._note(word, seen)
            self._agent_section(agent, word)
            self.at += self.at == before
        self._end("Agent")
        agent.place = self._since(first)
        return agent

    def _agent_section(self, agent: AgentDecl, word: str) -> None:
        if word == "Obsvars":
            agent.obsvars = self._section(word, self._variable)
        elif word == "Vars":
            agent.vars = self._section(word, self._variable)
        elif word == "Lobsvars":
            agent.lobsvars = self._names(word)
        elif word == "Actions":
            agent.actions = self._names(word)
        elif word == "RedStates":
            agent.red = self._condition_section(word)
        elif word == "Protocol":
            agent.protocol = self._section(word, self._protocol_line)
        elif word == "Evolution":
            agent.evolution = self._section(word, self._evolution_line)
        else:
            wanted = "Vars, Obsvars, Lobsvars, RedStates, Actions, Protocol, Evolution or `end Agent`"
            self.errors += expected(self.tokens, self.at, wanted).diagnostics
            self._skip_unknown(word)

    def _variable(self) -> VariableDecl:
        first = self.at
        name = self._identifier()
        self._take(":")
        kind = self._type()
        self._take(";")
        return VariableDecl(name, kind, self._since(first))

    def _type(self) -> Type:
        first = self.at
        if self.text == "boolean":
            self.at += 1
            return BooleanType(self._since(first))
        if self.kind == "{":
            values = self._set()
            return EnumType(values, self._since(first))
        if self.kind not in (NUMBER, "-", "+"):
            raise expected(self.tokens, self.at, "boolean, `{values}` or a range `low..high`")
        low = self._bound()
        self._take("..")
        return RangeType(low, self._bound(), self._since(first))

    def _bound(self) -> int:
        sign = 1
        while self.kind in ("-", "+"):
            sign, self.at = (-sign if self.kind == "-" else sign), self.at + 1
        if self.kind != NUMBER:
            raise expected(self.tokens, self.at, "a number")
        self.at += 1
        return sign * integer(self.tokens, self.at - 1)

    def _names(self, word: str) -> tuple[Identifier, ...]:
        """`Word = {a, b};`."""

        def line() -> tuple[Identifier, ...]:
            self._take(word)
            self._take("=")
            names = self._set()
            self._take(";")
            return names

        nothing: tuple[Identifier, ...] = ()
        return self._guarded(line, nothing)

    def _set(self) -> tuple[Identifier, ...]:
        """`{a, b, c}`; may be empty."""
        self._take("{")
        names: list[Identifier] = []
        while self.kind != "}":
            names.append(self._identifier())
            if self.kind != "}":
                self._take(",")
        self.at += 1
        return tuple(names)

    def _protocol_line(self) -> ProtocolLine:
        first = self.at
        condition: Phrase | None = None
        if self.text == "Other" and self.tokens.kinds[self.at + 1] == ":":
            self.at += 1
        else:
            condition = self._condition()
        self._take(":")
        actions = self._set()
        self._take(";")
        return ProtocolLine(condition, actions, self._since(first))

    def _evolution_line(self) -> EvolutionLine:
        first = self.at
        assignments = self._assignments()
        self._take("if")
        condition = self._condition()
        self._take(";")
        return EvolutionLine(assignments, condition, self._since(first))

    def _assignments(self) -> tuple[Assignment, ...]:
        """`x=e and (y=f and z=g)`: parentheses around assignments mean nothing."""
        kinds, texts = self.tokens.kinds, self.tokens.texts
        made: list[Assignment] = []
        opened = 0
        while True:
            while kinds[self.at] == "(":
                opened, self.at = opened + 1, self.at + 1
            made.append(self._assignment())
            while opened and kinds[self.at] == ")":
                opened, self.at = opened - 1, self.at + 1
            if texts[self.at] not in ("and", "&&"):
                break
            self.at += 1
        if opened:
            raise expected(self.tokens, self.at, "`)`")
        return tuple(made)

    def _assignment(self) -> Assignment:
        tokens, first = self.tokens, self.at
        target = self._identifier()
        if tokens.texts[first + 1] != "=":
            if self.kind == ".":
                self._fail_foreign_target(target)
            raise expected(tokens, self.at, "`=`")
        value, self.at = self._expression(first + 2, COMPARISON)
        return Assignment(target, value, (tokens, first, self.at - 1))

    def _fail_foreign_target(self, target: Identifier) -> NoReturn:
        message = "an agent can assign only its own variables, written without a dot"
        span = self.tokens.span(self.at - 1, self.at + 1)
        cure = f"write `{self.tokens.texts[self.at + 1]} = …` in agent {target.text}"
        raise InputError([Diagnostic("E106", message, self.tokens.source, span, cure)])

    # -- the sections behind the agents ---------------------------------------------------------

    def _proposition(self) -> PropositionDecl:
        first = self.at
        name = self._identifier()
        self._take("if")
        condition = self._condition()
        self._take(";")
        return PropositionDecl(name, condition, self._since(first))

    def _group(self) -> GroupDecl:
        first = self.at
        name = self._identifier()
        self._take("=")
        members = self._set()
        self._take(";")
        return GroupDecl(name, members, self._since(first))

    def _formula(self, names: Names) -> FormulaDecl:
        decl, self.at = parse_formula_at(self.tokens, self.at, names)
        self._take(";")
        return decl

    def _condition(self) -> Phrase:
        condition, self.at = self._expression(self.at)
        return condition

    # -- sections in general --------------------------------------------------------------------

    def _section(self, word: str, line: Callable[[], T]) -> tuple[T, ...]:
        """`Word [:] line* end Word`."""
        texts = self.tokens.texts
        self.at += 1
        self.at += self.kind == ":"
        lines: list[T] = []
        while texts[self.at] not in _LAST_WORDS or not self._is_over():
            try:
                lines.append(line())
            except InputError as error:
                self.errors += error.diagnostics
                self._recover()
        self._end(word)
        return tuple(lines)

    def _is_over(self) -> bool:
        """Whether a section ends at one of `_LAST_WORDS`, with its own `end` or without."""
        if self.text != "Agent":
            return True
        return self.tokens.kinds[self.at + 1] == NAME and self.tokens.texts[self.at + 1] not in _NO_AGENTS

    def _condition_section(self, word: str) -> Phrase | None:
        """A section of one condition; several lines are an error, none is an empty section."""

        def line() -> Phrase:
            condition = self._condition()
            if self.text != "end":
                self._take(";")
            return condition

        first = self.at
        conditions = self._section(word, line)
        if len(conditions) > 1:
            span = self.tokens.span(first)
            message = f"{word} holds one condition, here are {len(conditions)}"
            cure = "join them with `and` or `or`"
            self.errors.append(Diagnostic("E402", message, self.tokens.source, span, cure))
        return conditions[0] if conditions else None

    def _skip_section(self, word: str) -> None:
        texts, last = self.tokens.texts, len(self.tokens.texts) - 1
        try:
            self.at = texts.index("end", self.at)
            while texts[self.at + 1] != word:
                self.at = texts.index("end", self.at + 1)
        except ValueError:  # there is no such end
            self.at = last
        self.at = min(self.at + 2, last)

    def _skip_unknown(self, word: str) -> None:
        """Go on behind `end Word` if there is one in this agent, else behind the next `;`."""
        texts, at = self.tokens.texts, self.at
        while at + 1 < len(texts) and texts[at : at + 2] not in (["end", word], ["end", "Agent"]):
            at += 1
        if texts[at : at + 2] == ["end", word]:
            self.at = at + 2
        else:
            self._recover()

    def _ends(self, word: str) -> bool:
        texts, at = self.tokens.texts, self.at
        return texts[at] == "end" and texts[at + 1] == word  # the last is none

    def _end(self, word: str) -> None:
        if self._ends(word):
            self.at += 2
            return
        self.errors += expected(self.tokens, self.at, f"`end {word}`").diagnostics
        if self.text == "end":
            self.at += 1 + (self.tokens.kinds[self.at + 1] == NAME)

    def _guarded(self, part: Callable[[], T], instead: T) -> T:
        try:
            return part()
        except InputError as error:
            self.errors += error.diagnostics
            self._recover()
            return instead

    def _recover(self) -> None:
        """Go on behind the next `;`, or before the next `end`."""
        while self.kind not in (";", END) and self.text != "end":
            self.at += 1
        self.at += self.kind == ";"

    # -- tokens -----------------------------------------------------------------------------------

    @property
    def kind(self) -> str:
        return self.tokens.kinds[self.at]

    @property
    def text(self) -> str:
        return self.tokens.texts[self.at]

    def _take(self, text: str) -> None:
        if self.tokens.texts[self.at] != text:
            raise expected(self.tokens, self.at, f"`{text}`")
        self.at += 1

    def _identifier(self) -> Identifier:
        tokens, at = self.tokens, self.at
        if tokens.kinds[at] != NAME:
            raise expected(tokens, at, "a name")
        self.at = at + 1
        return Identifier(tokens.texts[at], (tokens, at, at))

    def _since(self, first: int) -> Place:
        """The tokens from `first` on that have been read."""
        return self.tokens, first, self.at - 1
