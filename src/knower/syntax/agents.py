"""The sections of an agent."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NoReturn

from knower.errors import Diagnostic, InputError, did_you_mean
from knower.syntax.conditions import COMPARISON
from knower.syntax.expected import expected, integer
from knower.syntax.foreign_syntax import agent_section, foreign_assignment, foreign_variable
from knower.syntax.lexer import END, NAME, NUMBER, Tokens
from knower.syntax.operators import CALLS, RESERVED
from knower.syntax.reader import Reader
from knower.syntax.template import (
    AgentTemplate,
    AllAssignments,
    Assigned,
    Bind,
    DefineDecl,
    ElementAssignment,
    EvolutionTemplate,
    For,
    Line,
    Names,
    ProtocolTemplate,
    Range,
    Variable,
    VariableTemplate,
)  # fmt: skip
from knower.syntax.terms import binds_name
from knower.syntax.tree import (
    Assignment,
    BooleanType,
    EnumType,
    EvolutionLine,
    Identifier,
    Phrase,
    ProtocolLine,
    RangeType,
    Type,
    VariableDecl,
)  # fmt: skip

_NO_DEFINES: tuple[DefineDecl, ...] = ()

_SECTIONS = ("Vars", "Obsvars", "Lobsvars", "RedStates", "Actions", "Define", "Protocol", "Evolution", "end")
_OF_THE_MODEL = frozenset({"Agent", "Evaluation", "InitStates", "Groups", "Fairness", "Formulae"})
_FIRST_VALUES = "initial states of all agents stand in InitStates; a variable may have `init value`"


class AgentReader(Reader):
    """Reads agents; `is_template` once something was met that plain ISPL has not."""

    def __init__(self, tokens: Tokens) -> None:
        super().__init__(tokens)
        self._is_template = False

    @property
    def is_template(self) -> bool:
        return self._is_template or self.terms.used

    def agent(self) -> AgentTemplate:
        first = self.at
        self.at += 1
        agent = AgentTemplate(self.guarded(self.identifier, Identifier("?")))
        if self.kind == "(":
            agent.parameters = self.guarded(partial(self._parameters, agent.name.text), ())
        seen: set[str] = set()
        while self.kind != END and not self.ends("Agent") and not self._is_behind_agents():
            word, before = self.text, self.at
            if word == "Define":
                agent.defines += self.guarded(self._defined, _NO_DEFINES)
            else:
                self.note(word, seen)
                self._agent_section(agent, word)
            self.at += self.at == before
        self.end("Agent")
        agent.place = self.since(first)
        return agent

    def _is_behind_agents(self) -> bool:
        """Whether a section of the model begins here: the agent has no end."""
        return self.text in _OF_THE_MODEL and self._begins_line(self.at)

    def _parameters(self, name: str) -> tuple[Bind, ...]:
        """`(i : 1..n, j : 1..m)` behind the name of an agent."""
        try:
            self.refuse_operator(name)
        except InputError as error:
            self.errors += error.diagnostics
        found, self.at = self.terms.listed(self.at + 1, ")", self.terms.bind)
        return found

    def refuse_operator(self, name: str) -> None:
        """What formulas use for operators takes no parameters."""
        if name in CALLS or name in RESERVED:
            cure = f"`{name}` is an operator of formulas; choose another name"
            raise expected(self.tokens, self.at, "a name that may have parameters", cure)

    def _agent_section(self, agent: AgentTemplate, word: str) -> None:
        if word == "Obsvars":
            agent.obsvars = self.section(word, self._variable)
        elif word == "Vars":
            agent.vars = self.section(word, self._variable)
        elif word == "Lobsvars":
            agent.lobsvars = self._names(word)
        elif word == "Actions":
            agent.actions = self._names(word)
        elif word == "RedStates":
            agent.red = self.condition_section(word)
        elif word == "Protocol":
            agent.protocol = self.section(word, self._protocol_line)
        elif word == "Evolution":
            agent.evolution = self.section(word, self._evolution_line)
        elif (meant := agent_section(word)) is not None and self.begun_as(meant):
            self._agent_section(agent, meant)
        elif meant is None:
            wanted = "Vars, Obsvars, Lobsvars, RedStates, Actions, Define, Protocol, Evolution or `end Agent`"
            cure = _FIRST_VALUES if word.casefold().startswith("init") else did_you_mean(word, _SECTIONS)
            cure = cure if self.kind == NAME else None
            self.errors += expected(self.tokens, self.at, wanted, cure).diagnostics
            self.skip_unknown(word)
        else:
            self.skip_unknown(word)

    def _defined(self) -> tuple[DefineDecl, ...]:
        first = self.at
        self.at += 1
        name = self.identifier()
        self.take("=")
        body = self.condition()
        self.take(";")
        self._is_template = True
        return (DefineDecl(name, body, self.since(first)),)

    # -- variables ---------------------------------------------------------------------------------

    def _variable(self) -> Variable:
        first = self.at
        name = self.identifier()
        self.take(":", foreign_variable)
        begun = self.at
        kind = self._plain_type()
        if kind is not None and self.kind == ";":
            self.at += 1
            return VariableDecl(name, kind, self.since(first))
        self.at = begun
        return self._variable_template(name, first)

    def _plain_type(self) -> Type | None:
        """`boolean`, `{a, b}` or `1..3`, as far as it is that."""
        first = self.at
        if self.text == "boolean":
            self.at += 1
            return BooleanType(self.since(first))
        if self.kind == "{":
            values = self.plain_set()
            return None if values is None else EnumType(values, self.since(first))
        low = self._plain_bound()
        if low is None or self.kind != "..":
            return None
        self.at += 1
        high = self._plain_bound()
        return None if high is None else RangeType(low, high, self.since(first))

    def _plain_bound(self) -> int | None:
        sign = 1
        while self.kind in ("-", "+"):
            sign, self.at = (-sign if self.kind == "-" else sign), self.at + 1
        if self.kind != NUMBER:
            return None
        self.at += 1
        return sign * integer(self.tokens, self.at - 1)

    def _variable_template(self, name: Identifier, first: int) -> VariableTemplate:
        self._is_template = True
        array: tuple[Range, ...] = ()
        if self.text == "array":
            array, self.at = self.terms.listed(self.at + 1, "of", self.terms.range)
        kind = self._type()
        init: Phrase | Range | None = None
        if self.text == "init":
            init = self._init()
        elif self.kind == "=":
            raise expected(self.tokens, self.at, "`;`", foreign_variable(self.tokens, self.at))
        self.take(";")
        return VariableTemplate(name, array, kind, init, self.since(first))

    def _type(self) -> BooleanType | Range:
        if self.text == "boolean":
            self.at += 1
            return BooleanType(self.since(self.at - 1))
        if self.kind not in (NUMBER, NAME, "-", "+", "(", "{"):
            cure = foreign_variable(self.tokens, self.at)
            raise expected(self.tokens, self.at, "boolean, `{values}` or a range `low..high`", cure)
        kind, self.at = self.terms.range(self.at)
        return kind

    def _init(self) -> Phrase | Range:
        """`init e` or `init in S`."""
        self.at += 1
        if self.text == "in" and self.tokens.kinds[self.at + 1] != ";":
            values, self.at = self.terms.range(self.at + 1)
            return values
        return self.condition()

    # -- sets --------------------------------------------------------------------------------------

    def _names(self, word: str) -> Names:
        """`Word = {a, b};`."""

        def line() -> Names:
            self.at += 1
            self.take("=", lambda *_: f"write `{word} = {{a, b}};`")
            names = self.set()
            self.take(";")
            return names

        nothing: Names = ()
        return self.guarded(line, nothing)

    def set(self) -> Names:
        """`{a, b, c}`, may be empty; or what has to be worked out."""
        begun = self.at
        names = self.plain_set()
        if names is not None:
            return names
        found, self.at = self.terms.set(begun)
        return found

    def plain_set(self) -> tuple[Identifier, ...] | None:
        """A set of nothing but names; None if it is not that."""
        self.take("{", lambda *_: "names of a set stand in braces: `{a, b}`")
        names: list[Identifier] = []
        tokens, kinds = self.tokens, self.tokens.kinds
        at = self.at
        while kinds[at] == NAME:
            names.append(Identifier(tokens.texts[at], (tokens, at, at)))
            at += 1
            if kinds[at] != ",":
                break
            at += 1
        self.at = at + 1
        return tuple(names) if kinds[at] == "}" else None

    # -- lines -------------------------------------------------------------------------------------

    def is_for(self) -> bool:
        """Whether `for NAME :` stands here."""
        return self.text == "for" and binds_name(self.tokens, self.at)

    def for_each(self, line: Callable[[], Line | For]) -> For:
        """`for i : R do LINE`."""
        first = self.at
        binds, self.at = self.terms.binds(self.at + 1)
        self.take("do")
        if self.is_for():
            raise expected(
                self.tokens, self.at, "a line", "write one `for` with several names: `for i : R, j : S do`"
            )
        inner = line()
        assert not isinstance(inner, For)
        return For(binds, inner, self.since(first))

    def _protocol_line(self) -> Line | For:
        if self.is_for():
            return self.for_each(self._protocol_line)
        first = self.at
        condition: Phrase | None = None
        if self.text == "Other" and self.tokens.kinds[self.at + 1] == ":":
            self.at += 1
        else:
            condition = self.condition()
        self.take(":")
        actions = self.set()
        self.take(";")
        if isinstance(actions, tuple):
            return ProtocolLine(condition, actions, self.since(first))
        return ProtocolTemplate(condition, actions, self.since(first))

    def _evolution_line(self) -> Line | For:
        if self.is_for():
            return self.for_each(self._evolution_line)
        first = self.at
        plain, others = self._assignments()
        self.take("if", foreign_assignment)
        condition = self.condition()
        self.take(";")
        if others:
            return EvolutionTemplate(others, condition, self.since(first))
        return EvolutionLine(plain, condition, self.since(first))

    def _assignments(self) -> tuple[tuple[Assignment, ...], tuple[Assigned, ...]]:
        """`x=e and (y=f and z=g)`: parentheses around assignments mean nothing.

        The second are the same, if not all of them are plain.
        """
        kinds, texts = self.tokens.kinds, self.tokens.texts
        made: list[Assignment] = []
        mixed: list[Assigned] = []
        opened = 0
        while True:
            while kinds[self.at] == "(":
                opened, self.at = opened + 1, self.at + 1
            each = self._assignment()
            if type(each) is Assignment and not mixed:
                made.append(each)
            else:
                mixed = [*(mixed or made), each]
            while opened and kinds[self.at] == ")":
                opened, self.at = opened - 1, self.at + 1
            if texts[self.at] not in ("and", "&&"):
                break
            self.at += 1
        if opened:
            raise expected(self.tokens, self.at, "`)`")
        return tuple(made), tuple(mixed)

    def _assignment(self) -> Assigned:
        tokens, first = self.tokens, self.at
        if tokens.kinds[first] != NAME:
            raise expected(tokens, first, "a name", foreign_assignment(tokens, first))
        target = self.identifier()
        if tokens.texts[first + 1] != "=":
            return self._assignment_template(target, first)
        value, self.at = self.expressions.parse(first + 2, COMPARISON)
        return Assignment(target, value, (tokens, first, self.at - 1))

    def _assignment_template(self, target: Identifier, first: int) -> Assigned:
        """`x[e] = v`, or `forall i : R (…)`."""
        if target.text == "forall" and binds_name(self.tokens, first):
            binds, self.at = self.terms.binds(first + 1)
            self.take("(")
            plain, mixed = self._assignments()
            self.take(")")
            return AllAssignments(binds, mixed or plain, self.since(first))
        if self.kind == "[":
            indices, self.at = self.terms.listed(self.at + 1, "]", self.expressions.parse)
            self.take("=")
            value, self.at = self.expressions.parse(self.at, COMPARISON)
            self._is_template = True
            return ElementAssignment(target, indices, value, self.since(first))
        if self.kind == ".":
            self._fail_foreign_target(target)
        raise expected(self.tokens, self.at, "`=`", foreign_assignment(self.tokens, self.at))

    def _fail_foreign_target(self, target: Identifier) -> NoReturn:
        message = "an agent can assign only its own variables, written without a dot"
        span = self.tokens.span(self.at - 1, self.at + 1)
        cure = f"write `{self.tokens.texts[self.at + 1]} = …` in agent {target.text}"
        raise InputError([Diagnostic("E106", message, self.tokens.source, span, cure)])
