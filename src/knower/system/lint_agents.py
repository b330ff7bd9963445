"""Lints of one agent: its protocol, its evolution and its names. The codes are listed in lint.py."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import islice, product, repeat

from knower.constraints.forms import Fractional, Valueless, keys_of, unknown_at
from knower.constraints.search import Search
from knower.constraints.values import Box, Key
from knower.errors import Diagnostic
from knower.logic.fold import subformulas
from knower.records import dataclass
from knower.source import Source, Span
from knower.syntax import tree
from knower.syntax.places import located
from knower.system.domains import Domain, EnumDomain, RangeDomain, Value
from knower.system.domains import shown as as_text
from knower.system.expressions import (
    ActionOf,
    Compare,
    Condition,
    Conj,
    Expression,
    IfElse,
    Literal,
    Negation,
    Undefined,
    Var,
    actors,
    conjunction,
    disjunction,
    divisors,
    has_fractions,
    is_partial,
    takes_fractions,
)  # fmt: skip
from knower.system.search import substitute
from knower.system.system import Agent, EvolutionLine, InterpretedSystem, ProtocolLine, Variable

#: So many pairs of lines are named per agent, and so many values per situation.
_PAIRS, _SHOWN = 5, 8
#: So many pairs of lines are looked at per agent: ten thousand lines have fifty million.
_LOOKED_AT = 200_000


@dataclass(frozen=True)
class AgentLints:
    """The findings in one agent; each question is asked of the search at most once."""

    decl: tree.AgentDecl
    agent: Agent
    system: InterpretedSystem
    source: Source
    search: Search
    moves: Mapping[str, Condition]

    def of_protocol(self) -> Iterator[Diagnostic]:
        if self.decl.protocol:
            yield from self._unreachable_lines()
            yield from self._idle_actions()
            yield from self.of_gaps()
        elif self.agent.actions:
            yield self._unrestricted()

    def of_evolution(self) -> Iterator[Diagnostic]:
        yield from self._dead_guards()
        yield from self._overflows()
        if not self.system.single_assignment:
            yield from self.of_rivals()

    def of_names(self) -> Iterator[Diagnostic]:
        """Bare names of own variables that are values of what they are compared with or given to."""
        for phrase, given in self._phrases():
            if any(self._is_read_otherwise(*met) for met in self._meetings(phrase.expr, given)):
                yield from self._read_otherwise(located(phrase), given)

    def _read_otherwise(self, found: tree.Located, given: Domain | None) -> Iterator[Diagnostic]:
        for name, domain in self._meetings(found.expr, given):
            if self._is_read_otherwise(name, domain):
                message = f"`{name.name}` is read as the variable of {self._name}, not as a value of {domain}"
                yield self._finding("L110", message, found.span(name), "rename the variable or the value")

    def _is_read_otherwise(self, name: tree.Name, domain: EnumDomain) -> bool:
        return name.owner is None and name.name in self._variables and name.name in domain

    def _finding(self, code: str, message: str, span: Span, cure: str) -> Diagnostic:
        return Diagnostic(code, message, self.source, span, cure)

    # -- Protocol ---------------------------------------------------------------------------------

    @cached_property
    def _dead_protocol(self) -> list[bool]:
        return [self.search.never(line.condition) for line in self.agent.protocol]

    def _unreachable_lines(self) -> Iterator[Diagnostic]:
        for line, dead in zip(self.decl.protocol, self._dead_protocol, strict=True):
            if dead and line.condition is None:
                message = f"nothing is left for `Other` in the Protocol of {self._name}"
                yield self._finding("L101", message, line.span, "remove the line")
            elif dead:
                message = f"a Protocol line of {self._name} never applies: its condition is never true"
                yield self._finding("L101", message, line.span, "correct the condition, or remove the line")

    def _idle_actions(self) -> Iterator[Diagnostic]:
        lines = zip(self.agent.protocol, self._dead_protocol, strict=True)
        enabled = {action for line, dead in lines if not dead for action in line.actions}
        for action in _unique(self.decl.actions):
            if action.text not in enabled:
                message = f"the Protocol of {self._name} never enables action `{action.text}`"
                cure = "name it in a Protocol line that can apply, or remove it"
                yield self._finding("L102", message, action.span, cure)

    def of_gaps(self) -> Iterator[Diagnostic]:
        """A local state in which nothing is enabled."""
        if not self.agent.actions or not self.decl.protocol:
            return
        covers = self.decl.protocol[-1].condition is None and all(
            line.actions for line in self.agent.protocol
        )
        if covers:
            return
        covering = [line.condition for line in self.agent.protocol if line.actions]
        where = self.search.example(Negation(disjunction(covering)))
        if where is None:
            return
        shown = self._situation(where, keys_of(*covering))
        place = f"where {shown}" if shown else "in any local state"
        message = f"{self._name} has no enabled action {place}: no successor there"
        place_of_all = Span(self.decl.protocol[0].span.start, self.decl.protocol[-1].span.end)
        yield self._finding("L103", message, place_of_all, "add an `Other` line, or cover that local state")

    def _unrestricted(self) -> Diagnostic:
        message = f"{self._name} has actions but no Protocol lines: all its actions are enabled everywhere"
        cure = "add a Protocol; `Other : {…};` says the same on purpose"
        return self._finding("L109", message, self.decl.name.span, cure)

    # -- Evolution --------------------------------------------------------------------------------

    @cached_property
    def _lines(self) -> list[EvolutionLine]:
        """The lines in the order of the text."""
        lines = [line for block in self.agent.evolution for line in block.lines]
        return sorted(lines, key=lambda line: line.number)

    @cached_property
    def _dead_guards_by_number(self) -> dict[int, bool]:
        never = self.search.never
        return {line.number: never(line.condition) or never(*self._when(line)) for line in self._lines}

    @property
    def _live_lines(self) -> list[EvolutionLine]:
        return [line for line in self._lines if not self._dead_guards_by_number[line.number]]

    def _when(self, *lines: EvolutionLine) -> list[Condition]:
        """The guards, and what the protocols say of the actions they and the values read."""
        heard = {self.agent.name}.union(*(self._heard[line.number] for line in lines))
        names = sorted(heard, key=self._places.__getitem__)
        return [*(line.condition for line in lines), *(self.moves[name] for name in names)]

    @cached_property
    def _heard(self) -> Mapping[int, frozenset[str]]:
        """Whose actions the guard and the values of a line read, by its number."""
        return {
            line.number: actors(line.condition).union(*(actors(value) for _, value in line.assignments))
            for line in self._lines
        }

    @cached_property
    def _places(self) -> Mapping[str, int]:
        return {agent.name: place for place, agent in enumerate(self.system.agents)}

    def _dead_guards(self) -> Iterator[Diagnostic]:
        for line in self._lines:
            if not self._dead_guards_by_number[line.number]:
                continue
            message = f"an Evolution line of {self._name} is never taken: its guard is never true"
            if not self.search.never(line.condition):
                message += " with actions that the Protocols enable"
            cure = "correct the guard, or remove the line"
            yield self._finding("L114", message, self.decl.evolution[line.number].span, cure)

    def _overflows(self) -> Iterator[Diagnostic]:
        for line in self._live_lines:
            written = self.decl.evolution[line.number].assignments
            for (target, value), text in zip(line.assignments, written, strict=True):
                domain = self._variables[target].domain
                outside = _outside(value, domain)
                where = self.search.example(*self._when(line), outside) if outside is not None else None
                if where is not None:
                    yield self._overflow(line, value, domain, text, where)

    def _overflow(
        self, line: EvolutionLine, value: Expression, domain: Domain, text: tree.Assignment, where: Box
    ) -> Diagnostic:
        got = self._value(value, where)
        becomes = _nothing(value) if got is None else f"can become {as_text(got)}"
        shown = self._situation(where, keys_of(line.condition, value), keys_of(value))
        message = f"`{text.target.text}` : {domain} of {self._name} {becomes}"
        message += f" where {shown}" if shown else " wherever the guard holds"
        cure = "exclude the case in the guard" + ("" if got is None else ", or widen the domain")
        return self._finding("L104", message, text.span, cure)

    def of_rivals(self, most: int = _PAIRS) -> Iterator[Diagnostic]:
        """Pairs of lines that can be enabled together and do not assign the same variables, so many named."""
        pairs = sorted(self._rival_pairs(), key=lambda pair: (pair[1].number, pair[0].number))
        for k, (first, second) in enumerate(pairs[:most]):
            ours, theirs = (_listed(target for target, _ in line.assignments) for line in (first, second))
            number = self.source.position(self._span(first).start).line
            message = f"where this line (for {theirs}) and line {number} (for {ours}) are both enabled,"
            message += f" {self._name} takes only one of them"
            if k == most - 1 and len(pairs) > most:
                message += f"; and {len(pairs) - most} more such pair{'s' * (len(pairs) > most + 1)}"
            cure = "join the lines, make the guards exclusive, or use `Semantics = SingleAssignment;`"
            yield self._finding("L106", message, self._span(second), cure)

    def _rival_pairs(self) -> Iterator[tuple[EvolutionLine, EvolutionLine]]:
        """For each two sets of variables the first such pair; of very many lines, among the first.

        Lines that are never taken have no rivals: to know of them beforehand takes longer than this.
        """
        apart = list(self._targets_apart())
        rooms = {line.number: self.search.room(line.condition) for line in self._lines if apart}
        looks = islice(repeat(None), _LOOKED_AT)
        for some, others in apart:
            for (first, second), _ in zip(product(some, others), looks, strict=False):
                one, other = rooms[first.number], rooms[second.number]
                if one is None or other is None or one.excludes(other):
                    continue
                if self.search.is_exhausted:
                    return
                if self.search.example(*self._when(first, second)) is not None:
                    yield (first, second) if first.number < second.number else (second, first)
                    break

    def _targets_apart(self) -> Iterator[tuple[list[EvolutionLine], list[EvolutionLine]]]:
        """Each two groups of lines that assign different variables, those of the first lines first."""
        groups: dict[frozenset[str], list[EvolutionLine]] = {}
        for line in self._lines:
            groups.setdefault(frozenset(target for target, _ in line.assignments), []).append(line)
        found = list(groups.values())
        return ((some, others) for place, others in enumerate(found) for some in found[:place])

    # -- names ------------------------------------------------------------------------------------

    def _phrases(self) -> Iterator[tuple[tree.Phrase, Domain | None]]:
        """Each expression, with the domain of the variable that it is given to, if it is."""
        for line in self.decl.evolution:
            for assignment in line.assignments:
                yield assignment.value, self._variables[assignment.target.text].domain
            yield line.condition, None
        for condition in (*(line.condition for line in self.decl.protocol), self.decl.red):
            if condition is not None:
                yield condition, None

    def _meetings(self, root: tree.Expr, given: Domain | None) -> Iterator[tuple[tree.Name, EnumDomain]]:
        """Each name that meets an enumeration, with the enumeration."""
        if isinstance(given, EnumDomain) and isinstance(root, tree.Name):
            yield root, given
        for item in subformulas(root) if given is None else ():
            if isinstance(item, tree.Infix) and item.operator in tree.COMPARISONS:
                for name, other in ((item.left, item.right), (item.right, item.left)):
                    found = self._enumeration(other)
                    if isinstance(name, tree.Name) and found is not None:
                        yield name, found

    def _enumeration(self, item: tree.Expr) -> EnumDomain | None:
        """The enumeration that a name stands for a value of, if it does."""
        if not isinstance(item, tree.Name):
            return None
        owner = self.agent.name if item.owner is None else item.owner
        if item.name == "Action":
            return EnumDomain(self.system.agent_named[owner].actions)
        domain = self.system.domains.get((owner, item.name))
        return domain if isinstance(domain, EnumDomain) else None

    # -- showing ----------------------------------------------------------------------------------

    @property
    def _name(self) -> str:
        return f"agent {self.agent.name}"

    @cached_property
    def _variables(self) -> Mapping[str, Variable]:
        return {variable.name: variable for variable in self.agent.variables}

    def _span(self, line: EvolutionLine) -> Span:
        return self.decl.evolution[line.number].span

    def _situation(self, where: Box, keys: Iterable[Key], always: Iterable[Key] = ()) -> str:
        """`n = 3, Action = inc`: the values that matter (and those always shown)."""
        shown = set(always)
        told = [key for key in dict.fromkeys([*keys, *shown]) if key in shown or key in where.values]
        order = sorted(told, key=lambda key: (key[1] == "Action", key[0] != self.agent.name))
        parts = [f"{self._shown(key)} = {as_text(self._pick(key, where))}" for key in order]
        return ", ".join(parts[:_SHOWN] + ["…"] * (len(parts) > _SHOWN))

    def _shown(self, key: Key) -> str:
        return key[1] if key[0] == self.agent.name else ".".join(key)

    def _pick(self, key: Key, where: Box) -> Value:
        """The first allowed value, in the order of the declaration."""
        owner, name = key
        own = self.system.agent_named[owner].actions if name == "Action" else self.system.domains[key].values
        allowed = where[key]
        return allowed[0] if isinstance(allowed, range) else next(value for value in own if value in allowed)

    def _value(self, value: Expression, where: Box) -> Value | None:
        """What an expression is in a situation; None where it has no value."""
        chosen = {unknown_at(key): self._pick(key, where) for key in keys_of(value)}
        # A comparison with something unknown keeps the value; Undefined makes it false.
        rest = substitute(Compare("=", value, Var("", "")), chosen)
        return rest.left.value if isinstance(rest, Compare) and isinstance(rest.left, Literal) else None


def agent_lints(
    module: tree.Module, system: InterpretedSystem, source: Source, search: Search
) -> list[AgentLints]:
    """The lints of each agent, over one search."""
    protocols = {agent.name: _moves(agent) for agent in system.agents}
    pairs = zip(module.agents, system.agents, strict=True)
    return [AgentLints(decl, agent, system, source, search, protocols) for decl, agent in pairs]


def _moves(agent: Agent) -> Condition:
    """That the agent takes an action its protocol enables; true of an agent without actions."""
    return disjunction([_move(agent, line) for line in agent.protocol]) if agent.actions else conjunction([])


def _move(agent: Agent, line: ProtocolLine) -> Condition:
    taken = disjunction([Compare("=", ActionOf(agent.name), Literal(action)) for action in line.actions])
    return Conj(line.condition, taken)


def _outside(value: Expression, domain: Domain) -> Condition | None:
    """Where the value is not in the domain; None if that is plainly nowhere."""
    if isinstance(value, Literal) and value.value in domain:
        return None
    wrong = _without_value(value)
    if isinstance(domain, RangeDomain):
        wrong += [Compare("<", value, Literal(domain.low)), Compare(">", value, Literal(domain.high))]
        if has_fractions(value):
            wrong.append(Fractional(value))
    elif isinstance(domain, EnumDomain):
        wrong.append(conjunction([Compare("!=", value, Literal(known)) for known in domain.values]))
    return disjunction(wrong) if wrong else None


def _without_value(value: Expression) -> list[Condition]:
    """Where an expression has no value: one of these holds; with `if` not every division is made."""
    if not is_partial(value):
        return []
    if any(isinstance(item, IfElse | Undefined) or takes_fractions(item) for item in subformulas(value)):
        return [Valueless(value)]
    return [Compare("=", divisor, Literal(0)) for divisor in divisors(value)]


def _nothing(value: Expression) -> str:
    """In words, that an expression has no value."""
    indexed = any(isinstance(item, Undefined) for item in subformulas(value))
    return "is given an element outside of its array" if indexed else "is given a division by zero"


def _unique(names: Iterable[tree.Identifier]) -> Iterator[tree.Identifier]:
    yield from {name.text: name for name in names}.values()


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
