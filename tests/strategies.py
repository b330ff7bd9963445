"""Random models and questions for property tests; they shrink to small, readable ISPL.

`modules()` makes models that elaborate without an error, `specifications(module, logic)` formulas
of one logic in the names of a model. Both are exactly what a parser would return, so that
`parse(print(t)) == t`. The `raw_…` strategies obey the grammar only: they mean nothing and use
reserved words as names. `cases(n)` says how many examples a test wants.

Everything is a plain function of a `Choices`, which draws small integers. Strategies made of
strategies were tried first: Hypothesis validates each new one, which took ten times as long.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, TypeAlias, TypeVar

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy
from hypothesis.vendor import pretty

from knower.logic import formula as f
from knower.logic.fold import atoms
from knower.logic.formula import Formula
from knower.logic.language import Language, Specification
from knower.syntax.printing import print_expression, print_module, print_specification
from knower.syntax.tree import (
    AgentDecl,
    Assignment,
    BooleanType,
    EnumType,
    EvolutionLine,
    Expr,
    FormulaDecl,
    GroupDecl,
    Identifier,
    If,
    Infix,
    Module,
    Name,
    Names,
    Number,
    Phrase,
    Prefix,
    PropositionDecl,
    ProtocolLine,
    RangeType,
    SemanticsDecl,
    Type,
    VariableDecl,
)

T = TypeVar("T")

ENVIRONMENT = "Environment"
AGENTS = ("Alice", "Bob", "Carol")
VARIABLES = ("x", "y", "z")
ACTIONS = ("a", "b", "c")
#: An enumeration is the first values of one of these, so two of the same row are related; those of
#: the second can remember an action.
ENUMERATIONS = (("low", "mid", "high"), ACTIONS)
PROPOSITIONS = ("p", "q", "r", "s")


# -- drawing ----------------------------------------------------------------------------------


def cases(count: int) -> settings:
    """So many examples, times KNOWER_EXAMPLES; the same in every run unless KNOWER_RANDOM is set."""
    factor = float(os.environ.get("KNOWER_EXAMPLES", "1"))
    return settings(
        max_examples=max(1, round(count * factor)),
        derandomize="KNOWER_RANDOM" not in os.environ,
        database=None,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )


#: All choices are drawn from one range, so that a sequence of them means something wherever Hypothesis
#: cuts and pastes it; with a range for each choice half of all examples ended in zeros.
_FACES = 12
_DIE = st.integers(0, _FACES - 1)


@dataclass(frozen=True)
class Choices:
    """Random choices; each shrinks to its first option, and a repetition to fewer turns."""

    draw: DrawFn

    def below(self, limit: int) -> int:
        drawn = self.draw(_DIE)
        return (drawn if limit <= _FACES else drawn * _FACES + self.draw(_DIE)) % limit

    def between(self, low: int, high: int) -> int:
        return low + self.below(high - low + 1)

    def one(self, options: Sequence[T]) -> T:
        return options[self.below(len(options))] if len(options) > 1 else options[0]

    def rarely(self, one_in: int) -> bool:
        """True once in so many times."""
        return self.below(one_in) == one_in - 1

    def part(self, make: Callable[[Choices], T]) -> T:
        """Made as a whole, so that shrinking can move it or leave it out as a whole."""
        return self.draw(drawn(make))

    def several(self, least: int, most: int, make: Callable[[Choices], T]) -> tuple[T, ...]:
        """So many parts; each but the first `least` stands behind the choice to go on."""

        def perhaps(choose: Choices) -> list[T]:
            return [make(choose)] if choose.below(3) else []

        made = [self.part(make) for _ in range(least)]
        while len(made) < most and (more := self.part(perhaps)):
            made += more
        return tuple(made)

    def some(self, options: Sequence[T], least: int = 1) -> tuple[T, ...]:
        """Different options, in any order."""
        left, taken = list(options), list[T]()
        while left and (len(taken) < least or self.below(3)):
            taken.append(left.pop(self.below(len(left)) if left[1:] else 0))
        return tuple(taken)


@st.composite
def drawn(draw: DrawFn, make: Callable[[Choices], T]) -> T:
    """What a function makes of random choices."""
    return make(Choices(draw))


def _show(kind: type[T], text: Callable[[T], str]) -> None:
    """Have Hypothesis print such values of a failing example as they are written."""
    pretty.for_type_by_name(
        kind.__module__, kind.__name__, lambda value, printer, _: printer.text(f"<<{text(value)}>>")
    )


_show(Module, lambda module: f"\n{print_module(module)}")
_show(Specification, print_specification)
for _kind in (Name, Number, Prefix, Infix, If):
    _show(_kind, print_expression)


# -- trees without places ---------------------------------------------------------------------


def name(text: str, owner: str | None = None) -> Expr:
    return Name(text, owner)


def number(value: int) -> Expr:
    """A number as it is written: `-1` is a minus before `1`."""
    return Number(value) if value >= 0 else prefix("-", Number(-value))


def prefix(operator: str, operand: Expr) -> Expr:
    return Prefix(operator, operand)


def infix(operator: str, left: Expr, right: Expr) -> Expr:
    return Infix(operator, left, right)


def joined(operator: str, conditions: Sequence[Expr]) -> Expr:
    """`c and d and e`; `true` of none."""
    whole = conditions[0] if conditions else name("true")
    for condition in conditions[1:]:
        whole = infix(operator, whole, condition)
    return whole


def identifiers(texts: Sequence[str]) -> tuple[Identifier, ...]:
    return tuple(Identifier(text) for text in texts)


# -- types ------------------------------------------------------------------------------------


def size(kind: Type) -> int:
    """How many values a variable of this type has."""
    match kind:
        case BooleanType():
            return 2
        case EnumType(values):
            return len(values)
        case RangeType(low, high):
            return high - low + 1


def literals(kind: Type) -> list[Expr]:
    """The values of a type as they are written."""
    match kind:
        case BooleanType():
            return [name("false"), name("true")]
        case EnumType(values):
            return [name(value.text) for value in values]
        case RangeType(low, high):
            return [number(value) for value in range(low, high + 1)]


def related(left: Type, right: Type) -> bool:
    """Whether values of the two can be compared."""
    if isinstance(left, EnumType) and isinstance(right, EnumType):
        return left.values[0] == right.values[0]
    return type(left) is type(right)


def some_type(choose: Choices, largest: int) -> Type:
    """A boolean, an enumeration or a range, of at most `largest` values; now and then of one only."""
    kind = choose.below(3)
    if kind == 0:
        return BooleanType()
    width = 1 if choose.rarely(12) else min(largest, choose.between(2, 4))
    if kind == 1:
        return EnumType(identifiers(choose.one(ENUMERATIONS)[:width]))
    low = choose.one((0, 0, 1, -1, -2))
    return RangeType(low, low + width - 1)


# -- conditions and values that are well typed ---------------------------------------------------


@dataclass(frozen=True)
class Term:
    """What can be read in some place, an agent's variable or action, and the values it takes."""

    expr: Expr
    type: Type


Terms: TypeAlias = Sequence[Term]


def condition(choose: Choices, terms: Terms, depth: int = 1) -> Expr:
    """Comparisons joined by `! and or`; `true` where nothing can be read."""
    if not terms:
        return name("true")
    kind = choose.below(6) if depth else 0
    if kind < 3:
        return comparison(choose, terms)
    left = choose.part(lambda c: condition(c, terms, depth - 1))
    if kind == 3:
        return prefix("!", left)
    connective = choose.one(("and", "or", "and", "or", "xor", "->", "<->"))
    return infix(connective, left, choose.part(lambda c: condition(c, terms, depth - 1)))


def comparison(choose: Choices, terms: Terms) -> Expr:
    """`x = value`, and `<` and its kin between numbers, or a boolean; of what can vary, if there is such."""
    term = choose.one([term for term in terms if size(term.type) > 1] or terms)
    if isinstance(term.type, BooleanType) and choose.rarely(4):
        return term.expr
    ordered = isinstance(term.type, RangeType)
    operator = choose.one(("=", "!=", "<", "<=", ">", ">=") if ordered else ("=", "!="))
    return infix(operator, term.expr, value(choose, term.type, [t for t in terms if t.expr != term.expr]))


def value(choose: Choices, kind: Type, terms: Terms) -> Expr:
    """What a variable of a type may be compared with or assigned; a number may fall outside."""
    like = [term.expr for term in terms if related(term.type, kind)]
    if not like or not choose.rarely(3):
        return choose.one(literals(kind))
    if choose.rarely(4):
        return chosen(choose, kind, terms)
    match kind:
        case BooleanType():
            return bits(choose, like)
        case EnumType():
            return choose.one(like)
        case RangeType():
            return arithmetic(choose, like)


def chosen(choose: Choices, kind: Type, terms: Terms) -> Expr:
    """`if c then v else w`; a boolean may be a condition itself."""
    if isinstance(kind, BooleanType) and choose.below(2):
        return condition(choose, terms)
    rest = [choose.part(lambda c: value(c, kind, terms)) for _ in range(2)]
    return If(choose.part(lambda c: condition(c, terms)), *rest)


def bits(choose: Choices, operands: Sequence[Expr]) -> Expr:
    """`x`, `~x`, `x & y`, `x ^ ~y` …"""
    left = choose.one(operands)
    kind = choose.below(4)
    if kind == 0:
        return left
    if kind == 1:
        return prefix("~", left)
    right = choose.one(operands)
    return infix(choose.one("&^|"), left, prefix("~", right) if choose.rarely(3) else right)


def arithmetic(choose: Choices, operands: Sequence[Expr]) -> Expr:
    """`x`, `-x`, `x + 1`, `x * y`, now and then a quotient."""
    left = choose.one(operands)
    kind = choose.below(6)
    if kind == 0:
        return left
    if kind == 1:
        return prefix(choose.one(("-", "abs")), left)
    operator = choose.one(("/", "*", "%", "/") if kind == 2 else ("+", "-", "*", "min", "max", "%"))
    return infix(operator, left, choose.one((number(1), number(2), number(-2), *operands)))


# -- agents -----------------------------------------------------------------------------------


def cast(choose: Choices, names: Sequence[str], max_states: int) -> tuple[AgentDecl, ...]:
    """Agents without behaviour; the product of all their domains is at most `max_states`."""
    made: list[AgentDecl] = []
    left = max_states
    for after, who in enumerate(names, start=1):
        declared: list[VariableDecl] = []
        for variable in VARIABLES[: choose.between(int(who != ENVIRONMENT), 2)]:
            largest = left >> (len(names) - after)  # the agents that follow should have a bit each
            if largest >= 2:
                declared.append(VariableDecl(Identifier(variable), some_type(choose, largest)))
                left //= size(declared[-1].type)
        made.append(_body(choose, who, tuple(declared)))
    return tuple(made)


def _body(choose: Choices, who: str, declared: tuple[VariableDecl, ...]) -> AgentDecl:
    """Variables and actions; only the Environment shows variables and may have no actions."""
    environment = who == ENVIRONMENT
    actions = identifiers(ACTIONS[: choose.between(0 if environment else 1, 3)])
    shown = choose.between(0, len(declared)) if environment else 0
    return AgentDecl(Identifier(who), declared[:shown], declared[shown:], actions=actions)


def own_terms(agent: AgentDecl, owner: str | None = None) -> list[Term]:
    """The variables of an agent, bare or as others write them."""
    return [Term(name(v.name.text, owner), v.type) for v in (*agent.obsvars, *agent.vars)]


def seen_terms(agent: AgentDecl, everyone: Sequence[AgentDecl]) -> list[Term]:
    """What an agent observes: its variables, the Obsvars, its Lobsvars."""
    shown = {v.name for other in everyone for v in other.obsvars} | {*agent.lobsvars}
    others = [a for a in everyone if a.name.text == ENVIRONMENT and a.name != agent.name]
    seen = [v for other in others for v in (*other.obsvars, *other.vars) if v.name in shown]
    return own_terms(agent) + [Term(name(v.name.text, ENVIRONMENT), v.type) for v in seen]


def action_terms(agent: AgentDecl, everyone: Sequence[AgentDecl]) -> list[Term]:
    """`Action`, and `Agent.Action` of the others who have a choice."""
    others = [a for a in everyone if a.name != agent.name]
    owners = [(None, agent), *((a.name.text, a) for a in others)]
    return [Term(name("Action", owner), EnumType(a.actions)) for owner, a in owners if a.actions[1:]]


def behaving(choose: Choices, agent: AgentDecl, everyone: Sequence[AgentDecl], most: int) -> AgentDecl:
    """The agent with Lobsvars, RedStates, Protocol and Evolution; `most` assignments a line."""
    private = [v.name for a in everyone if a.name.text == ENVIRONMENT for v in a.vars]
    if private and agent.name.text != ENVIRONMENT:
        agent = replace(agent, lobsvars=choose.some(private, 0))
    seen, acts = seen_terms(agent, everyone), action_terms(agent, everyone)
    movable = (*agent.obsvars, *agent.vars)
    return replace(
        agent,
        red=Phrase(condition(choose, seen)) if choose.rarely(3) else None,
        protocol=protocol(choose, agent, seen),
        evolution=choose.several(2, 5, lambda c: step(c, movable, seen, acts, most)) if movable else (),
    )


def protocol(choose: Choices, agent: AgentDecl, seen: Terms) -> tuple[ProtocolLine, ...]:
    """None, or lines and `Other`; once in a while lines that may leave states uncovered."""
    if not agent.actions or choose.rarely(4):
        return ()
    lines = choose.several(0, 2, lambda c: ProtocolLine(Phrase(condition(c, seen)), c.some(agent.actions)))
    if lines and choose.rarely(6):
        return lines
    return (*lines, ProtocolLine(None, choose.some(agent.actions)))


def step(
    choose: Choices, movable: Sequence[VariableDecl], seen: Terms, acts: Terms, most: int
) -> EvolutionLine:
    """A line of Evolution, with guards that keep most steps inside their domain."""
    made: list[Assignment] = []
    guards: list[Expr] = []
    for variable in choose.some(movable)[:most]:
        new, needed = new_value(choose, variable, [*seen, *acts])
        made.append(Assignment(variable.name, Phrase(new)))
        guards += needed
    if not guards or choose.rarely(3):
        guards.append(condition(choose, [*seen, *acts] if not acts or choose.rarely(3) else acts))
    return EvolutionLine(tuple(made), Phrase(joined("and", guards)))


def new_value(choose: Choices, variable: VariableDecl, terms: Terms) -> tuple[Expr, list[Expr]]:
    """A value to assign, and the conditions that keep it in the domain; numbers mostly step by one."""
    here = name(variable.name.text)
    if isinstance(variable.type, BooleanType) and choose.rarely(3):
        return prefix("~", here), []
    if not isinstance(variable.type, RangeType) or choose.rarely(3):
        return value(choose, variable.type, [t for t in terms if t.expr != here]), []
    up = not choose.below(2)
    bound = variable.type.high if up else variable.type.low
    guards = [] if choose.rarely(5) else [infix("<" if up else ">", here, number(bound))]
    return infix("+" if up else "-", here, number(1)), guards


# -- modules ----------------------------------------------------------------------------------


def modules(
    *,
    max_states: int = 200,
    max_agents: int = 3,
    environment: bool | None = None,
    fairness: bool | None = None,
    formulae: Sequence[str] = (),
    depth: int = 4,
) -> SearchStrategy[Module]:
    """Models that elaborate, with 1 to `max_agents` agents besides the Environment.

    The product of all domains is at most `max_states`. `environment` and `fairness`: with it,
    without it, or (None) perhaps. `formulae`: the logics of the formulas asked, one of each, at
    most `depth` deep.
    """

    def make(choose: Choices) -> Module:
        shared = bool(choose.below(2)) if environment is None else environment
        fair = choose.rarely(4) if fairness is None else fairness
        names = AGENTS[: choose.between(1, max_agents)]
        module = model(choose, cast(choose, [ENVIRONMENT, *names] if shared else names, max_states))
        asked = tuple(FormulaDecl(specification(choose, module, logic, depth)) for logic in formulae)
        return replace(module, fairness=constraints(choose, module) if fair else (), formulae=asked)

    return drawn(make)


def model(choose: Choices, everyone: Sequence[AgentDecl]) -> Module:
    """A model with this cast, without fairness and formulas."""
    semantics = choose.one((None, "MultiAssignment", "SingleAssignment"))
    most = 1 if semantics == "SingleAssignment" else 2
    agents = tuple(behaving(choose, agent, everyone, most) for agent in everyone)
    terms = [term for agent in everyone for term in own_terms(agent, agent.name.text)]
    propositions = PROPOSITIONS[: choose.between(2, 4)]
    return Module(
        SemanticsDecl(semantics) if semantics else None,
        agents,
        tuple(PropositionDecl(Identifier(p), Phrase(condition(choose, terms))) for p in propositions),
        Phrase(initial(choose, terms)),
        groups(choose, [agent.name.text for agent in everyone]),
    )


def initial(choose: Choices, terms: Terms) -> Expr:
    """A conjunction that fixes most variables, or two such; seldom with one more conjunct."""
    corners: list[Expr] = []
    for _ in range(2 if choose.rarely(5) else 1):
        fixed = [term for term in terms if not choose.rarely(6)]
        corners.append(joined("and", [infix("=", t.expr, choose.one(literals(t.type))) for t in fixed]))
    whole = joined("or", corners)
    return infix("and", whole, condition(choose, terms)) if choose.rarely(10) else whole


def groups(choose: Choices, names: Sequence[str]) -> tuple[GroupDecl, ...]:
    """Perhaps a group `g` of some agents, `all`, with the Environment if there is one, and `nobody`."""
    some = GroupDecl(Identifier("g"), identifiers(choose.some(names)))
    everybody, nobody = GroupDecl(Identifier("all"), identifiers(names)), GroupDecl(Identifier("nobody"), ())
    return (some, everybody, nobody)[: choose.below(4)]


def constraints(choose: Choices, module: Module) -> tuple[FormulaDecl, ...]:
    """One or two fairness constraints, mostly propositional."""

    def one(choose: Choices) -> FormulaDecl:
        return FormulaDecl(specification(choose, module, "CTLK" if choose.rarely(5) else "propositional", 1))

    return choose.several(1, 2, one)


# -- formulas ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Logic:
    """Which operators a logic has, and the prefix its formulas are written with.

    `linear`: the whole formula and the operands of state operators may be path formulas.
    """

    language: Language = Language.PLAIN
    ctl: bool = False
    paths: bool = False
    quantifiers: bool = False
    programs: bool = False
    knowledge: bool = False
    deontic: bool = False
    strategic: bool = False
    linear: bool = False
    weak_next: bool = False

    @property
    def epistemic(self) -> Logic:
        """The same with knowledge."""
        return replace(self, knowledge=True)


_CTL = Logic(ctl=True)
_ATL = Logic(strategic=True)
_LTL = Logic(Language.LTL, paths=True, linear=True)
_LDL = Logic(Language.LDL, paths=True, linear=True, programs=True)
_CTLS = Logic(Language.CTL_STAR, ctl=True, paths=True, quantifiers=True)
_CDLS = Logic(Language.CDL_STAR, ctl=True, paths=True, quantifiers=True, programs=True)
_LTLF = Logic(Language.LTLF, paths=True, linear=True, weak_next=True)
_LDLF = Logic(Language.LDLF, paths=True, linear=True, programs=True, weak_next=True)
_CDLFS = Logic(Language.CDLF_STAR, paths=True, quantifiers=True, programs=True, weak_next=True)

#: By name. `PLAIN` is all that is written without a prefix, `EVERYTHING` all of infinite paths.
LOGICS: Mapping[str, Logic] = {
    "propositional": Logic(),
    "CTL": _CTL, "CTLK": _CTL.epistemic, "CTLKO": replace(_CTL.epistemic, deontic=True),
    "ATL": _ATL, "ATLK": _ATL.epistemic,
    "PLAIN": Logic(ctl=True, knowledge=True, deontic=True, strategic=True),
    "LTL": _LTL, "LTLK": _LTL.epistemic, "CTL*": _CTLS, "CTL*K": _CTLS.epistemic,
    "LDL": _LDL, "LDLK": _LDL.epistemic, "CDL*": _CDLS, "CDL*K": _CDLS.epistemic,
    "EVERYTHING": replace(_CDLS, knowledge=True, deontic=True, strategic=True),
    "LTLf": _LTLF, "LTLfK": _LTLF.epistemic, "LDLf": _LDLF, "LDLfK": _LDLF.epistemic,
    "CDLf*": _CDLFS, "CDLf*K": _CDLFS.epistemic,
}  # fmt: skip


@dataclass(frozen=True)
class Vocabulary:
    """The names formulas are made of."""

    propositions: Sequence[str]
    agents: Sequence[str]
    groups: Sequence[str]
    coalitions: Sequence[str]
    #: Who can do what.
    deeds: Sequence[tuple[str, str]] = ()

    @staticmethod
    def of(module: Module) -> Vocabulary:
        agents = [agent.name.text for agent in module.agents]
        groups = [*agents, *(group.name.text for group in module.groups if group.members)]
        coalitions = [*agents, *(group.name.text for group in module.groups)]
        deeds = [(agent.name.text, action.text) for agent in module.agents for action in agent.actions]
        return Vocabulary([p.name.text for p in module.evaluation], agents, groups, coalitions, deeds)


def names_of(module: Module) -> Names:
    """What `parse_formula` must know of a module."""
    return Names.of(module.agents, module.groups, module.evaluation)


def specifications(module: Module, logic: str, depth: int = 4) -> SearchStrategy[Specification]:
    """Formulas of a logic (a key of `LOGICS`) in the names of a module, at most `depth` operators deep."""
    return drawn(lambda choose: specification(choose, module, logic, depth))


def specification(choose: Choices, module: Module, logic: str, depth: int) -> Specification:
    return _Growth(choose, Vocabulary.of(module), LOGICS[logic]).specification(depth)


#: Operators that may be chosen in some place, and what they are applied to: a kind of node (`state`;
#: `path`; `temporal`, a path operator; `letter`; `program`) or a kind of name.
_Row: TypeAlias = tuple[tuple[Callable[..., Any], ...], tuple[str, ...]]
_NAMES = ("agents", "groups", "coalitions")


def _boolean(kind: str) -> list[_Row]:
    return [((f.Not,), (kind,)), ((f.And, f.Or, f.Implies), (kind, kind))]


def _state_rows(logic: Logic) -> Iterator[_Row]:
    """The operators of a logic that make a state formula."""
    sub = "path" if logic.linear else "state"
    if logic.ctl:
        yield (f.EX, f.AX, f.EF, f.AF, f.EG, f.AG), (sub,)
    if logic.ctl and not logic.language.quantified:
        yield (f.EU, f.AU, f.ER, f.AR, f.EW, f.AW), ("state", "state")
    if logic.knowledge:
        yield (f.K, f.M), ("agents", sub)
        yield (f.GK, f.GCK, f.DK, f.MGK, f.MGCK, f.MDK), ("groups", sub)
    if logic.deontic:
        yield (f.O, f.P), ("agents", sub)
    if logic.strategic:
        yield (f.CanX, f.CanF, f.CanG), ("coalitions", sub)
        yield (f.CanU,), ("coalitions", sub, sub)
    if logic.quantifiers:
        yield (f.A, f.E), ("temporal",)
        yield (f.A, f.E), ("path",)


def _path_rows(logic: Logic) -> Iterator[_Row]:
    """The operators of a logic that make a path formula."""
    if logic.paths:
        yield (f.X, f.F, f.G, f.WX) if logic.weak_next else (f.X, f.F, f.G), ("path",)
        yield (f.U, f.W, f.R), ("path", "path")
    if logic.programs:
        yield (f.Diamond, f.Box), ("program", "path")


@cache
def _rows(logic: Logic, kind: str) -> Sequence[_Row]:
    """All a node of some kind can be made of, besides a leaf."""
    match kind:
        case "state":
            return [*_boolean(kind), *_state_rows(logic)]
        case "path":
            return [*_boolean(kind), *_path_rows(logic), *_state_rows(logic)]
        case "temporal":
            return list(_path_rows(logic))
        case "letter":
            return _boolean(kind)
        case _:
            return [((f.Test,), ("path",)), ((f.Star,), (kind,)), ((f.Seq, f.Choice), (kind, kind))]


@dataclass(frozen=True)
class _Growth:
    """Grows formulas of a logic from random choices."""

    choose: Choices
    words: Vocabulary
    logic: Logic

    def specification(self, depth: int) -> Specification:
        body = self.node("path" if self.logic.linear else "state", depth)
        return Specification(body, self.logic.language)

    def node(self, kind: str, depth: int) -> Any:
        """A formula or program of some kind, at most so deep."""
        if depth <= 0 or not self.choose.below(8):
            return f.Letter(self.node("letter", min(depth, 1))) if kind == "program" else self.leaf(kind)
        operators, operands = self.choose.one(_rows(self.logic, kind))
        operator = self.choose.one(operators)
        return operator(*(self.operand(needed, depth - 1) for needed in operands))

    def operand(self, kind: str, depth: int) -> Any:
        if kind in _NAMES:
            return self.choose.one(getattr(self.words, kind))
        return self.choose.part(lambda choose: replace(self, choose=choose).node(kind, depth))

    def leaf(self, kind: str) -> Formula:
        """A proposition mostly; else a constant, the colour of a local state or, on paths, what is done."""
        if kind in ("path", "letter", "temporal") and self.words.deeds and self.choose.rarely(4):
            return f.Does(*self.choose.one(self.words.deeds))
        if not self.choose.rarely(5):
            return f.Atom(self.choose.one(self.words.propositions))
        if self.choose.below(2):
            return self.choose.one((f.Green, f.Red))(self.choose.one(self.words.agents))
        return self.choose.one((f.TRUE, f.FALSE))


# -- trees that mean nothing --------------------------------------------------------------------

#: Reserved words stand for names wherever they can. Coalitions are no propositions, else `<g>X p`
#: would be ambiguous where programs are allowed.
RAW_WORDS = Vocabulary(
    ["p", "q", "X", "U", "W", "R", "F", "G", "WX", "A", "E", "AG", "EX", "K", "M", "O", "P", "GK", "MDK",
     "LTL", "CTL", "LDLf", "CDL", "tt", "boolean", "Evaluation"],
    ["i", "K", "U", "X", "Environment"], ["i", "g", "K", "U", "AF", "DK"], ["i", "g", "AF", "DK"],
)  # fmt: skip
RAW_NAMES = Names(*map(frozenset, (RAW_WORDS.agents, ("g", "AF", "DK"), RAW_WORDS.propositions)))
_RAW_TEXTS = ["x", "y", "X", "U", "K", "AG", "tt", "true", "Action", "Agent", "Vars", "Environment", "LTL"]
_RAW_OPERATORS = [["or", "and"], ["=", "!=", "<", "<=", ">", ">="], ["|", "^", "&"], ["+", "-"], ["*", "/"]]


def raw_specifications(language: Language, depth: int = 4) -> SearchStrategy[Specification]:
    """All the parser accepts behind a prefix, in the words of `RAW_WORDS`, to be read with `RAW_NAMES`."""
    return drawn(lambda choose: raw_specification(choose, language, depth))


def raw_specification(choose: Choices, language: Language, depth: int) -> Specification:
    logic = Logic(
        language, ctl=True, paths=True, quantifiers=True, programs=language.dynamic, knowledge=True,
        deontic=True, strategic=True, linear=language is not Language.PLAIN, weak_next=True,
    )  # fmt: skip
    return _Growth(choose, RAW_WORDS, logic).specification(depth)


def expressions(depth: int = 4) -> SearchStrategy[Expr]:
    """Trees of the grammar of conditions and expressions, without types."""
    return drawn(lambda choose: raw_expression(choose, depth))


def raw_expression(choose: Choices, depth: int) -> Expr:
    kind = choose.below(4) if depth else 0
    if kind == 0 and choose.rarely(3):
        return number(choose.below(20))
    if kind == 0:
        return name(choose.one(_RAW_TEXTS), choose.one(_RAW_TEXTS) if choose.rarely(4) else None)
    left = raw_expression(choose, depth - 1)
    if kind == 1:
        return prefix(choose.one("!-~"), left)
    return infix(choose.one(choose.one(_RAW_OPERATORS)), left, raw_expression(choose, depth - 1))


def raw_modules() -> SearchStrategy[Module]:
    """Whatever the grammar of ISPL allows; names are declared if formulas are read by them."""
    return drawn(_raw_module)


def _raw_module(choose: Choices) -> Module:
    asked = choose.several(0, 2, lambda c: FormulaDecl(raw_specification(c, c.one(list(Language)), 3)))
    needed = sorted({text for decl in asked for text in atoms(decl.specification.body)})
    groups = identifiers(sorted(RAW_NAMES.groups) if asked else [])
    return Module(
        choose.one((None, SemanticsDecl("SingleAssignment"))),
        (_raw_agent(choose, "i"),),
        tuple(PropositionDecl(Identifier(text), Phrase(raw_expression(choose, 2))) for text in needed),
        choose.one((None, Phrase(raw_expression(choose, 3)))),
        tuple(GroupDecl(group, _raw_names(choose)) for group in groups),
        asked[1:],
        asked[:1],
    )


def _raw_agent(choose: Choices, who: str) -> AgentDecl:
    return AgentDecl(
        Identifier(who),
        choose.several(0, 2, _raw_variable),
        choose.several(0, 2, _raw_variable),
        _raw_names(choose),
        choose.one((None, Phrase(raw_expression(choose, 2)))),
        _raw_names(choose),
        choose.several(0, 2, _raw_line),
        choose.several(0, 2, _raw_step),
    )


def _raw_names(choose: Choices) -> tuple[Identifier, ...]:
    return choose.several(0, 3, lambda c: Identifier(c.one(_RAW_TEXTS)))


def _raw_variable(choose: Choices) -> VariableDecl:
    """A declaration, of an empty type too."""
    low, high = choose.one((0, 10, -10)), choose.one((10, 0, -9))
    kinds: list[Type] = [BooleanType(), EnumType(_raw_names(choose)), RangeType(low, high)]
    return VariableDecl(Identifier(choose.one(_RAW_TEXTS)), choose.one(kinds))


def _raw_line(choose: Choices) -> ProtocolLine:
    return ProtocolLine(choose.one((Phrase(raw_expression(choose, 2)), None)), _raw_names(choose))


def _raw_step(choose: Choices) -> EvolutionLine:
    return EvolutionLine(choose.several(1, 2, _raw_assignment), Phrase(raw_expression(choose, 2)))


def _raw_assignment(choose: Choices) -> Assignment:
    return Assignment(Identifier(choose.one(_RAW_TEXTS)), Phrase(raw_expression(choose, 2)))
