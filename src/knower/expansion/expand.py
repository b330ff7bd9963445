"""A model as plain ISPL, in the form that MCMAS reads: the same states, the same verdicts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from knower.expansion.agents import AgentWriter
from knower.expansion.printing import Printer, TooLarge
from knower.expansion.questions import Questions
from knower.expansion.work import Work
from knower.source import NOWHERE, Source, Span
from knower.syntax import tree
from knower.syntax.places import span_of
from knower.system.expressions import Condition, Var
from knower.system.system import InterpretedSystem


def expand(
    module: tree.Module, system: InterpretedSystem, source: Source, constants: Mapping[str, str]
) -> str:
    """The text; raises `InputError` where there is none that means the same, or it would be too large."""
    work = Work(system, source)
    body = list(_Expansion(module, work).lines())
    work.check()
    return "\n".join([*_head(work, source, constants), "", *body]) + "\n"


def _head(work: Work, source: Source, constants: Mapping[str, str]) -> Iterator[str]:
    given = ", ".join(f"{name} = {value}" for name, value in constants.items())
    name = source.name.replace("\n", " ")
    yield f"-- Plain ISPL of {name}" + (f" with {given}" if given else "") + ", printed by Knower."
    changed = work.names.changed
    if changed:
        width = max(len(new) for new, _ in changed)
        yield "-- Names:"
        yield from (f"--   {new:<{width}}  {old}" for new, old in changed)


class _Expansion:
    """The sections of a model, one after the other."""

    def __init__(self, module: tree.Module, work: Work) -> None:
        self.module = module
        self.work = work
        first = work.system.variables[:1]
        self.printer = Printer(work.names, None, Var(*first[0].key) if first else None)

    def lines(self) -> Iterator[str]:
        if self.work.system.single_assignment:
            yield from ("Semantics = SingleAssignment;", "")
        for agent, decl in zip(self.work.system.agents, self.module.agents, strict=True):
            yield from AgentWriter(agent, decl, self.work).lines()
            yield ""
        questions = Questions(self.work)
        fairness, formulae = list(questions.fairness()), list(questions.formulae())
        yield from _section("Evaluation", [*self._declared(), *self._added(questions)])
        yield from _section("InitStates", [self._initial()])
        yield from _section("Groups", self._groups(questions))
        yield from _section("Fairness", fairness)
        if any(is_formula for _, is_formula in formulae):
            yield from _section("Formulae", [text for text, _ in formulae])
        else:
            yield from (text for text, _ in formulae)

    def _declared(self) -> Iterator[str]:
        for decl in self.module.evaluation:
            name = decl.name.text
            condition = self.work.system.propositions[name]
            yield f"{self.work.names.outer(name)} if {self._text(condition, decl.span)};"

    def _added(self, questions: Questions) -> Iterator[str]:
        for name, condition, text in questions.conditions:
            yield f"{name} if {self._text(condition, self._asked(text))};  -- {text}"

    def _asked(self, text: str) -> Span:
        """Where a condition is written."""
        for decl in (*self.module.fairness, *self.module.formulae):
            if any(each.name.text == text for each in decl.conditions):
                return decl.span
        return NOWHERE

    def _initial(self) -> str:
        written = self.module.initial
        return self._text(self.work.system.initial, NOWHERE if written is None else span_of(written)) + ";"

    def _groups(self, questions: Questions) -> Iterator[str]:
        names = self.work.names
        declared = {names.outer(name): members for name, members in self.work.system.groups.items()}
        for name, members in {**declared, **questions.groups}.items():
            yield f"{name} = {{{', '.join(dict.fromkeys(map(names.outer, members)))}}};"

    def _text(self, condition: Condition, span: Span) -> str:
        try:
            return self.work.line(self.printer.text(self.work.condition(condition, span)), span)
        except TooLarge:
            raise self.work.too_large(span) from None


def _section(word: str, lines: Iterable[str]) -> Iterator[str]:
    found = list(lines)
    if found:
        yield word
        yield from (f"  {line}" for line in found)
        yield f"end {word}"
        yield ""
