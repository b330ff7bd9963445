"""Lines of sections: `for`, arrays on the left of `=`, and what becomes of both."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from knower.records import dataclass
from knower.source import Span
from knower.syntax.places import Located, located
from knower.syntax.template import (
    AllAssignments,
    Assigned,
    ElementAssignment,
    EvolutionTemplate,
    For,
    Line,
    ProtocolTemplate,
)  # fmt: skip
from knower.syntax.tree import (
    Assignment,
    EvolutionLine,
    Expr,
    Identifier,
    Infix,
    Phrase,
    Place,
    ProtocolLine,
)
from knower.templates.mistakes import Mistake, OutOfRange
from knower.templates.phrases import unfolded
from knower.templates.scope import Declared, Member
from knower.templates.sets import Sets
from knower.templates.unfold import Unfolder
from knower.templates.values import Environment, Value, element


def repeated(line: Line | For, unfolder: Unfolder, env: Environment) -> Iterator[tuple[Line, Environment]]:
    """A line, once for each value of the names before it."""
    if isinstance(line, For):
        for inner in unfolder.static.valuations(line.binds, env):
            yield line.body, inner
    else:
        yield line, env


class Lines:
    """The Protocol and the Evolution of an agent."""

    def __init__(self, member: Member, unfolder: Unfolder, *, single: bool) -> None:
        self.member = member
        self.unfolder = unfolder
        self.sets = Sets(unfolder)
        self.single = single

    # -- Protocol ----------------------------------------------------------------------------------

    def protocol(self, line: Line, env: Environment) -> ProtocolLine:
        assert isinstance(line, ProtocolLine | ProtocolTemplate)
        condition = None if line.condition is None else unfolded(line.condition, self.unfolder, env)
        actions = self.sets.names(line.actions, env)
        return ProtocolLine(condition, actions, self.unfolder.place(line, env))

    # -- Evolution ---------------------------------------------------------------------------------

    def evolution(self, line: Line, env: Environment) -> Iterator[EvolutionLine]:
        """The plain lines of one, none if nothing is left to assign."""
        assert isinstance(line, EvolutionLine | EvolutionTemplate)
        condition = unfolded(line.condition, self.unfolder, env)
        place = self.unfolder.place(line, env)
        targets = list(self._targets(line.assignments, env))
        if not self.single or len(targets) == 1 or not _has_many(line.assignments):
            yield from self._lines(targets, condition, place)
            return
        for target in targets:
            yield from self._lines([target], condition, place)

    def _targets(self, assignments: tuple[Assigned, ...], env: Environment) -> Iterator[_Target]:
        for each in assignments:
            match each:
                case AllAssignments(binds, inner):
                    for bound in self.unfolder.static.valuations(binds, env):
                        yield from self._targets(inner, bound)
                case ElementAssignment(target, indices, value):
                    yield self._element(each, target, indices, value, env)
                case Assignment(target, value):
                    self._refuse_whole(target)
                    made = Identifier(target.text, self.unfolder.place(target, env))
                    place = self.unfolder.place(each, env)
                    yield _Target(made, unfolded(value, self.unfolder, env), place)

    def _refuse_whole(self, target: Identifier) -> None:
        known = self.member.variables.get(target.text)
        if known is not None and known.ranges:
            message = f"the array `{target.text}` is assigned element by element"
            span = self.unfolder.static.span(target)
            raise Mistake(
                "E213",
                message,
                span,
                f"write `{target.text}[i] = …`, or `forall i : R ({target.text}[i] = …)`",
            )

    def _element(
        self,
        written: ElementAssignment,
        target: Identifier,
        indices: tuple[Phrase, ...],
        value: Phrase,
        env: Environment,
    ) -> _Target:
        array = self.member.variables.get(target.text)
        span = self.unfolder.static.span(written)
        if array is None:
            raise Mistake("E202", f"unknown array `{target.text}` in agent {self.member.name}", span)
        if len(array.ranges) != len(indices):
            raise Mistake(
                "E213", f"`{target.text}` has {len(array.ranges)} indices, not {len(indices)}", span
            )
        found = [unfolded(index, self.unfolder, env) for index in indices]
        place = self.unfolder.place(written, env)
        cases = list(self._cases(array, found, span))
        return _Target(
            Identifier(cases[0].name if cases else array.elements[0], self.unfolder.place(target, env)),
            unfolded(value, self.unfolder, env), place, cases, self._is_total(array, found), array,
        )  # fmt: skip

    def _cases(self, array: Declared, indices: list[Phrase], span: Span) -> Iterator[_Case]:
        """The elements that indices may name, each with the conditions for that."""
        nodes = self.unfolder.nodes
        choices: list[list[tuple[Value, Phrase | None]]] = []
        for index, values in zip(indices, array.ranges, strict=True):
            value = nodes.value_of(index.expr)
            if value is None:
                choices.append([(each, self._equal(index, each)) for each in values])
            elif value in values and not isinstance(value, bool):
                choices.append([(value, None)])
            else:
                message = f"`{array.name}` has no element {element(array.name, (value,))}"
                raise OutOfRange("E309", message, span)
        for chosen in product(*choices):
            name = element(array.name, tuple(value for value, _ in chosen))
            yield _Case(name, tuple(test for _, test in chosen if test is not None))

    def _equal(self, index: Phrase, value: Value) -> Phrase:
        nodes = self.unfolder.nodes
        made = nodes.infix("=", index.expr, nodes.static(value))
        return Phrase(made, index.place, Everywhere(made, index.span))

    def _is_total(self, array: Declared, indices: list[Phrase]) -> bool:
        """Whether no index can be outside of its range, as far as that is plain to see."""
        return all(
            self._stays(index.expr, values) for index, values in zip(indices, array.ranges, strict=True)
        )

    def _stays(self, index: Expr, values: tuple[Value, ...]) -> bool:
        if self.unfolder.nodes.value_of(index) is not None:
            return True
        bounds = self.unfolder.bounds(index)
        return bounds is not None and set(range(bounds[0], bounds[1] + 1)) <= set(values)

    def _lines(
        self, targets: list[_Target], condition: Phrase, place: Place | None
    ) -> Iterator[EvolutionLine]:
        """One line for each choice of elements, and one that overflows where an index names none."""
        if not targets:
            return
        open_targets = [target for target in targets if target.cases]
        for chosen in product(*(target.cases for target in open_targets)):
            cases = dict(zip(map(id, open_targets), chosen, strict=True))
            made = [target.assigned(cases.get(id(target))) for target in targets]
            tests = [test for case in chosen for test in case.tests]
            yield EvolutionLine(self._distinct(made, tests), self._all([condition, *tests]), place)
        yield from self._overflows(targets, condition, place)

    def _distinct(self, made: list[Assignment], tests: list[Phrase]) -> tuple[Assignment, ...]:
        """An element that is assigned twice, as the state has it, has no value."""
        seen = [assignment.target.text for assignment in made]
        if len(set(seen)) == len(seen) or not tests:
            return tuple(made)
        undefined = self.unfolder.nodes.undefined()
        kept = {assignment.target.text: assignment for assignment in made}
        return tuple(
            Assignment(each.target, Phrase(undefined, each.value.place), each.place)
            if seen.count(name) > 1
            else each
            for name, each in kept.items()
        )

    def _overflows(
        self, targets: list[_Target], condition: Phrase, place: Place | None
    ) -> Iterator[EvolutionLine]:
        nodes = self.unfolder.nodes
        for target in targets:
            if target.is_total or not target.cases:
                continue
            inside: Expr = nodes.static(False)
            for case in target.cases:
                test = nodes.static(True)
                for each in case.tests:
                    test = nodes.infix("and", test, each.expr)
                inside = nodes.infix("or", inside, test)
            outside = nodes.prefix("!", inside)
            where = Phrase(outside, target.place, Everywhere(outside, target.target.span))
            nothing = Phrase(nodes.undefined(), target.value.place)
            made = Assignment(target.target, nothing, target.place)
            yield EvolutionLine((made,), self._all([condition, where]), place)

    def _all(self, phrases: list[Phrase]) -> Phrase:
        return conjunction(phrases, self.unfolder)


def conjunction(phrases: list[Phrase], unfolder: Unfolder) -> Phrase:
    """All of them as one."""
    if len(phrases) == 1:
        return phrases[0]
    made = phrases[0].expr
    for each in phrases[1:]:
        made = unfolder.nodes.infix("and", made, each.expr)
    return Phrase(made, phrases[0].place, Joined(tuple(phrases)))


def _has_many(assignments: tuple[Assigned, ...]) -> bool:
    return any(isinstance(each, AllAssignments) for each in assignments)


@dataclass(frozen=True)
class _Case:
    """An element, and when an index names it."""

    name: str
    tests: tuple[Phrase, ...]


@dataclass(frozen=True)
class _Target:
    """What is assigned: a variable, or an element that is one of several."""

    target: Identifier
    value: Phrase
    place: Place | None
    cases: list[_Case] | tuple[()] = ()
    is_total: bool = True
    array: Declared | None = None

    def assigned(self, case: _Case | None) -> Assignment:
        target = self.target if case is None else Identifier(case.name, self.target.place)
        return Assignment(target, self.value, self.place)


@dataclass(frozen=True)
class Everywhere:
    """An expression all of whose parts stand at one place."""

    expr: Expr
    at: Span

    def located(self) -> Located:
        return Located(self.expr, {id(part): self.at for part in _parts(self.expr)})


@dataclass(frozen=True)
class Joined:
    """Phrases with `and` between them."""

    phrases: tuple[Phrase, ...]

    def located(self) -> Located:
        found = [located(phrase) for phrase in self.phrases]
        spans = {id(part): each.span(part) for each in found for part in _parts(each.expr)}
        made = found[0].expr
        for each in found[1:]:
            joined = Infix("and", made, each.expr)
            spans[id(joined)] = spans[id(made)]
            made = joined
        return Located(made, spans)


def _parts(root: Expr) -> Iterator[Expr]:
    """All nodes, each as often as it stands there."""
    todo: list[Expr] = [root]
    while todo:
        item = todo.pop()
        yield item
        todo += item.children  # type: ignore[arg-type]
