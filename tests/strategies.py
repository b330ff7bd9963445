"""Random models and questions for property tests; they shrink to small, readable ISPL.

`modules()` makes models that elaborate without an error, `specifications(module, logic)` formulas
of one logic in the names of a model. Both are exactly what a parser would return, so that
`parse(print(t)) == t`. The `raw_…` strategies obey the grammar only: they mean nothing and use
reserved words as names. `cases(n)` says how many examples a test wants.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeAlias

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from knower.logic import formula as f
from knower.logic.fold import atoms
from knower.logic.formula import Formula, Language, Program, Specification
from knower.source import NOWHERE
from knower.syntax.tree import (
    AgentDecl, Assignment, BooleanType, EnumType, EvolutionLine, Expr, FormulaDecl, GroupDecl,
    Identifier, Infix, Module, Name, Names, Number, Prefix, PropositionDecl, ProtocolLine, RangeType,
    SemanticsDecl, Type, VariableDecl,
)  # fmt: skip

AGENTS = ("Alice", "Bob", "Carol")
VARIABLES = ("x", "y", "z")
ACTIONS = ("a", "b", "c")
#: Enumerations are the first values of one of these, so two of the same row are related; those of
#: the second can remember an action.
ENUMERATIONS = (("low", "mid", "high"), ACTIONS)
PROPOSITIONS = ("p", "q", "r", "s")
ENVIRONMENT = "Environment"


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


def rarely(one_in: int) -> SearchStrategy[bool]:
    """True once in so many draws; shrinks to False."""
    return st.integers(0, one_in - 1).map(lambda drawn: drawn == one_in - 1)


# -- trees without places ---------------------------------------------------------------------


def name(text: str, owner: str | None = None) -> Expr:
    return Name(NOWHERE, text, owner)


def number(value: int) -> Expr:
    """A number as it is written: `-1` is a minus before `1`."""
    return Number(NOWHERE, value) if value >= 0 else prefix("-", Number(NOWHERE, -value))


def prefix(operator: str, operand: Expr) -> Expr:
    return Prefix(NOWHERE, operator, operand)


def infix(operator: str, left: Expr, right: Expr) -> Expr:
    return Infix(NOWHERE, operator, left, right)


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


@st.composite
def types(draw: DrawFn, largest: int = 4) -> Type:
    """A boolean, an enumeration or a range, of at most `largest` values (one value at least)."""
    if largest >= 2 and not draw(rarely(2)):
        return BooleanType()
    width = min(largest, draw(st.sampled_from((2, 3, 4, 2, 3, 4, 1))))
    if width <= 3 and draw(st.booleans()):
        return EnumType(identifiers(draw(st.sampled_from(ENUMERATIONS))[:width]))
    low = draw(st.sampled_from((0, 0, 1, -1, -2)))
    return RangeType(low, low + width - 1)


def literals(kind: Type) -> list[Expr]:
    """The values of a type as they are written."""
    match kind:
        case BooleanType():
            return [name("false"), name("true")]
        case EnumType(values):
            return [name(value.text) for value in values]
        case RangeType(low, high):
            return [number(value) for value in range(low, high + 1)]


# -- conditions and values that are well typed ---------------------------------------------------


@dataclass(frozen=True)
class Term:
    """What can be read in some place, an agent's variable or action, and the values it takes."""

    expr: Expr
    type: Type


Terms: TypeAlias = Sequence[Term]


def related(left: Type, right: Type) -> bool:
    """Whether values of the two can be compared."""
    if isinstance(left, EnumType) and isinstance(right, EnumType):
        return left.values[0] == right.values[0]
    return type(left) is type(right)


def conditions(terms: Terms, depth: int = 1) -> SearchStrategy[Expr]:
    """Comparisons joined by `! and or`."""
    if not terms:
        return st.just(name("true"))
    basic = st.sampled_from(terms).flatmap(lambda term: comparisons(term, terms))
    if depth == 0:
        return basic
    sub = conditions(terms, depth - 1)
    joins = st.builds(infix, st.sampled_from(("and", "or")), sub, sub)
    return st.one_of(basic, joins, st.builds(prefix, st.just("!"), sub))


def comparisons(term: Term, terms: Terms) -> SearchStrategy[Expr]:
    """`term = value`, and `<` and its kin between numbers."""
    ordered = isinstance(term.type, RangeType)
    operators = ("=", "!=", "<", "<=", ">", ">=") if ordered else ("=", "!=")
    return st.builds(infix, st.sampled_from(operators), st.just(term.expr), values(term.type, terms))


def values(kind: Type, terms: Terms) -> SearchStrategy[Expr]:
    """What a variable of a type may be compared with, or be assigned; numbers may fall outside."""
    plain = st.sampled_from(literals(kind))
    like = [term.expr for term in terms if related(term.type, kind)]
    if not like:
        return plain
    match kind:
        case BooleanType():
            return st.one_of(plain, bits(like))
        case EnumType():
            return st.one_of(plain, st.sampled_from(like))
        case RangeType():
            return st.one_of(plain, arithmetic(like))


def bits(operands: Sequence[Expr]) -> SearchStrategy[Expr]:
    """Bit expressions over booleans."""
    operand = st.sampled_from(operands)
    flipped = st.builds(prefix, st.just("~"), operand)
    return st.one_of(operand, flipped, st.builds(infix, st.sampled_from("&^|"), operand, flipped | operand))


def arithmetic(operands: Sequence[Expr]) -> SearchStrategy[Expr]:
    """Sums, products, negations, now and then a quotient."""
    operand = st.sampled_from(operands)
    other = st.one_of(st.integers(0, 2).map(number), operand)
    sums = st.builds(infix, st.sampled_from("+-"), operand, other)
    others = st.builds(infix, st.sampled_from("*/"), operand, other)
    return st.one_of(operand, sums, others, st.builds(prefix, st.just("-"), operand))


# -- agents -----------------------------------------------------------------------------------


@st.composite
def casts(draw: DrawFn, names: Sequence[str], max_states: int) -> tuple[AgentDecl, ...]:
    """Agents with variables and actions only; the product of their domains is at most `max_states`."""
    made: list[AgentDecl] = []
    left = max_states
    for after, who in enumerate(reversed(names)):
        declared: list[VariableDecl] = []
        for variable in VARIABLES[: draw(st.integers(int(who != ENVIRONMENT), 2))]:
            largest = left >> (len(names) - 1 - after)  # the others should have a bit each
            if largest >= 2:
                declared.append(VariableDecl(Identifier(variable), draw(types(largest))))
                left //= size(declared[-1].type)
        made.insert(0, draw(_skeletons(who, tuple(declared))))
    return tuple(made)


@st.composite
def _skeletons(draw: DrawFn, who: str, declared: tuple[VariableDecl, ...]) -> AgentDecl:
    """An agent without behaviour; only the Environment shows variables and may have no actions."""
    environment = who == ENVIRONMENT
    actions = ACTIONS[: draw(st.integers(0 if environment else 1, 3))]
    shown = draw(st.integers(0, len(declared))) if environment else 0
    return AgentDecl(Identifier(who), declared[:shown], declared[shown:], actions=identifiers(actions))


def own_terms(agent: AgentDecl, owner: str | None = None) -> list[Term]:
    """The variables of an agent, bare or as others write them."""
    return [Term(name(v.name.text, owner), v.type) for v in (*agent.obsvars, *agent.vars)]


def seen_terms(agent: AgentDecl, cast: Sequence[AgentDecl]) -> list[Term]:
    """What an agent observes: its variables, the Obsvars, its Lobsvars."""
    hidden = {v.text for v in agent.lobsvars}
    environment = [a for a in cast if a.name.text == ENVIRONMENT and a.name != agent.name]
    shown = [(*e.obsvars, *(v for v in e.vars if v.name.text in hidden)) for e in environment]
    return own_terms(agent) + [Term(name(v.name.text, ENVIRONMENT), v.type) for vs in shown for v in vs]


def action_terms(agent: AgentDecl, cast: Sequence[AgentDecl]) -> list[Term]:
    """`Action`, and `Agent.Action` of the others."""
    able = sorted((a for a in cast if a.actions), key=lambda a: a.name != agent.name)
    owners = [None if a.name == agent.name else a.name.text for a in able]
    return [Term(name("Action", w), EnumType(a.actions)) for a, w in zip(able, owners, strict=True)]


@st.composite
def agents(draw: DrawFn, agent: AgentDecl, cast: Sequence[AgentDecl], single: bool) -> AgentDecl:
    """A member of a cast with Lobsvars, RedStates, Protocol and Evolution."""
    private = [v.name for a in cast if a.name.text == ENVIRONMENT != agent.name.text for v in a.vars]
    if private:
        agent = replace(agent, lobsvars=tuple(draw(st.lists(st.sampled_from(private), unique=True))))
    seen = seen_terms(agent, cast)
    acts = action_terms(agent, cast)
    lines = evolution_lines(agent, seen, acts, 1 if single else 2)
    movable = bool(agent.obsvars or agent.vars)
    return replace(
        agent,
        red=draw(conditions(seen)) if draw(rarely(3)) else None,
        protocol=draw(protocols(agent, seen)),
        evolution=tuple(draw(st.lists(lines, min_size=1, max_size=4))) if movable else (),
    )


@st.composite
def protocols(draw: DrawFn, agent: AgentDecl, seen: Terms) -> tuple[ProtocolLine, ...]:
    """None, some lines and `Other`, or once in a while lines that may leave states uncovered."""
    if not agent.actions or draw(rarely(4)):
        return ()
    some = st.lists(st.sampled_from(agent.actions), min_size=1, unique=True).map(tuple)
    lines = st.builds(ProtocolLine, conditions(seen), some)
    made = tuple(draw(st.lists(lines, max_size=2)))
    if made and draw(rarely(6)):
        return made
    return (*made, ProtocolLine(None, draw(some)))


@st.composite
def evolution_lines(draw: DrawFn, agent: AgentDecl, seen: Terms, acts: Terms, most: int) -> EvolutionLine:
    """Up to `most` assignments under a guard that keeps most steps inside their domain."""
    variables = st.lists(
        st.sampled_from((*agent.obsvars, *agent.vars)), min_size=1, max_size=most, unique_by=lambda v: v.name
    )
    made: list[Assignment] = []
    guards: list[Expr] = []
    for variable in draw(variables):
        value, needed = draw(assigned(variable, [*seen, *acts]))
        made.append(Assignment(variable.name, value))
        guards += needed
    if not guards or draw(st.booleans()):
        guards.append(draw(conditions([*acts, *seen, *acts])))
    return EvolutionLine(tuple(made), joined("and", guards))


@st.composite
def assigned(draw: DrawFn, variable: VariableDecl, terms: Terms) -> tuple[Expr, list[Expr]]:
    """A new value for a variable, and the conditions under which it is in the domain."""
    if not isinstance(variable.type, RangeType) or draw(rarely(3)):
        return draw(values(variable.type, terms)), []
    here = name(variable.name.text)
    up = draw(st.booleans())
    bound = variable.type.high if up else variable.type.low
    guards = [] if draw(rarely(5)) else [infix("<" if up else ">", here, number(bound))]
    return infix("+" if up else "-", here, number(1)), guards


# -- modules ----------------------------------------------------------------------------------


@st.composite
def modules(
    draw: DrawFn,
    *,
    max_states: int = 200,
    max_agents: int = 3,
    environment: bool | None = None,
    fairness: bool | None = None,
    formulae: Sequence[str] = (),
    depth: int = 4,
) -> Module:
    """A model that elaborates, with 1 to `max_agents` agents besides the Environment.

    The product of all domains is at most `max_states`. `environment` and `fairness`: with, without,
    or (None) perhaps with it. `formulae`: the logics of the formulas it asks, one of each, at most
    `depth` deep.
    """
    with_environment = draw(st.booleans()) if environment is None else environment
    names = AGENTS[: draw(st.integers(1, max_agents))]
    cast = draw(casts((ENVIRONMENT, *names) if with_environment else names, max_states))
    semantics = draw(st.sampled_from((None, "MultiAssignment", "SingleAssignment")))
    terms = [term for agent in cast for term in own_terms(agent, agent.name.text)]
    module = Module(
        SemanticsDecl(semantics) if semantics else None,
        tuple(draw(agents(agent, cast, semantics == "SingleAssignment")) for agent in cast),
        draw(evaluations(terms)),
        draw(initial_conditions(terms)),
        draw(groupings([agent.name.text for agent in cast])),
    )
    fair = draw(rarely(4)) if fairness is None else fairness
    asked = tuple(FormulaDecl(draw(specifications(module, logic, depth))) for logic in formulae)
    return replace(module, fairness=draw(constraints(module)) if fair else (), formulae=asked)


@st.composite
def evaluations(draw: DrawFn, terms: Terms) -> tuple[PropositionDecl, ...]:
    """Two to four propositions over all variables."""
    names = PROPOSITIONS[: draw(st.integers(2, 4))]
    return tuple(PropositionDecl(Identifier(p), draw(conditions(terms))) for p in names)


@st.composite
def initial_conditions(draw: DrawFn, terms: Terms) -> Expr:
    """A conjunction that fixes most variables, or two such; seldom with one more conjunct."""
    ways = [draw(_corners(terms)) for _ in range(2 if draw(rarely(5)) else 1)]
    whole = joined("or", ways)
    return infix("and", whole, draw(conditions(terms))) if draw(rarely(10)) else whole


@st.composite
def _corners(draw: DrawFn, terms: Terms) -> Expr:
    """`Alice.x = v and Bob.y = w …`, leaving out a variable now and then."""
    kept = [term for term in terms if not draw(rarely(6))]
    return joined("and", [infix("=", t.expr, draw(st.sampled_from(literals(t.type)))) for t in kept])


@st.composite
def groupings(draw: DrawFn, names: Sequence[str]) -> tuple[GroupDecl, ...]:
    """The group `all`, with the Environment if there is one, and a group `g` of some agents."""
    some = draw(st.lists(st.sampled_from(names), min_size=1, unique=True))
    made = (GroupDecl(Identifier("g"), identifiers(some)), GroupDecl(Identifier("all"), identifiers(names)))
    return made[: draw(st.integers(0, 2))]


@st.composite
def constraints(draw: DrawFn, module: Module) -> tuple[FormulaDecl, ...]:
    """One or two fairness constraints, mostly propositional."""
    made: list[FormulaDecl] = []
    for _ in range(draw(st.integers(1, 2))):
        logic = "CTLK" if draw(rarely(5)) else "propositional"
        made.append(FormulaDecl(draw(specifications(module, logic, 1))))
    return tuple(made)


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
    def with_knowledge(self) -> Logic:
        return replace(self, knowledge=True)


_CTL = Logic(ctl=True)
_ATL = Logic(strategic=True)
_LTL = Logic(Language.LTL, paths=True, linear=True)
_CTLS = Logic(Language.CTL_STAR, ctl=True, paths=True, quantifiers=True)
_LDL = Logic(Language.LDL, paths=True, programs=True, linear=True)
_CDLS = Logic(Language.CDL_STAR, ctl=True, paths=True, quantifiers=True, programs=True)
_LTLF = Logic(Language.LTLF, paths=True, linear=True, weak_next=True)
_LDLF = Logic(Language.LDLF, paths=True, programs=True, linear=True, weak_next=True)
_CDLFS = Logic(Language.CDLF_STAR, paths=True, quantifiers=True, programs=True, weak_next=True)

#: By name. `PLAIN` is all that needs no prefix but `A` and `E`, `EVERYTHING` is all there is.
LOGICS: Mapping[str, Logic] = {
    "propositional": Logic(),
    "CTL": _CTL, "CTLK": _CTL.with_knowledge, "CTLKO": replace(_CTL.with_knowledge, deontic=True),
    "ATL": _ATL, "ATLK": _ATL.with_knowledge,
    "PLAIN": Logic(ctl=True, knowledge=True, deontic=True, strategic=True),
    "LTL": _LTL, "LTLK": _LTL.with_knowledge, "CTL*": _CTLS, "CTL*K": _CTLS.with_knowledge,
    "LDL": _LDL, "LDLK": _LDL.with_knowledge, "CDL*": _CDLS, "CDL*K": _CDLS.with_knowledge,
    "EVERYTHING": replace(_CDLS, knowledge=True, deontic=True, strategic=True),
    "LTLf": _LTLF, "LTLfK": _LTLF.with_knowledge, "LDLf": _LDLF, "LDLfK": _LDLF.with_knowledge,
    "CDLf*": _CDLFS, "CDLf*K": _CDLFS.with_knowledge,
}  # fmt: skip


@dataclass(frozen=True)
class Vocabulary:
    """The names formulas are made of, simplest first."""

    propositions: tuple[str, ...]
    agents: tuple[str, ...]
    groups: tuple[str, ...]
    coalitions: tuple[str, ...]

    @staticmethod
    def of(module: Module) -> Vocabulary:
        agents = tuple(agent.name.text for agent in module.agents)
        groups = (*agents, *(group.name.text for group in module.groups))
        return Vocabulary(tuple(p.name.text for p in module.evaluation), agents, groups, groups)


def specifications(module: Module, logic: str, depth: int = 4) -> SearchStrategy[Specification]:
    """Formulas of a logic (a key of `LOGICS`) in the names of a module, at most `depth` operators deep."""
    return _specifications(Vocabulary.of(module), LOGICS[logic], depth)


def names_of(module: Module) -> Names:
    """What `parse_formula` must know of a module."""
    return Names.of(module.agents, module.groups, module.evaluation)


def _specifications(words: Vocabulary, logic: Logic, depth: int) -> SearchStrategy[Specification]:
    body = _paths if logic.linear else _states
    return st.builds(Specification, body(words, logic, depth), st.just(logic.language))


_Formulas: TypeAlias = SearchStrategy[Formula]
_Makes: TypeAlias = Sequence[Callable[..., Formula]]


def _applied(makes: _Makes, *operands: SearchStrategy[object]) -> _Formulas:
    """One of the operators on its operands."""
    return st.builds(lambda make, *given: make(*given), st.sampled_from(makes), *operands)


def _leaves(words: Vocabulary) -> _Formulas:
    """Propositions mostly; constants; the colours of local states."""
    plain: list[Formula] = [f.Atom(text) for text in words.propositions]
    colours = [colour(agent) for agent in words.agents for colour in (f.Green, f.Red)]
    others = [f.TRUE, f.FALSE, *colours]
    return st.sampled_from(plain * (1 + 2 * len(others) // len(plain)) + others)


def _connected(sub: _Formulas) -> list[_Formulas]:
    return [_applied([f.Not], sub), _applied([f.And, f.Or, f.Implies], sub, sub)]


@lru_cache(maxsize=None)
def _propositional(words: Vocabulary, depth: int) -> _Formulas:
    if depth == 0:
        return _leaves(words)
    return st.one_of(_leaves(words), *_connected(_propositional(words, depth - 1)))


@lru_cache(maxsize=None)
def _states(words: Vocabulary, logic: Logic, depth: int) -> _Formulas:
    """State formulas."""
    if depth == 0:
        return _leaves(words)
    sub = _states(words, logic, depth - 1)
    return st.one_of(_leaves(words), *_connected(sub), *_made_of_states(words, logic, depth))


def _made_of_states(words: Vocabulary, logic: Logic, depth: int) -> list[_Formulas]:
    """The operators of a logic that make a state formula."""
    state = _states(words, logic, depth - 1)
    sub = _paths(words, logic, depth - 1) if logic.linear else state
    agents, groups = st.sampled_from(words.agents), st.sampled_from(words.groups)
    coalitions = st.sampled_from(words.coalitions)
    made: list[_Formulas] = []
    if logic.ctl:
        made.append(_applied([f.EX, f.AX, f.EF, f.AF, f.EG, f.AG], sub))
    if logic.ctl and not logic.language.quantified:
        made.append(_applied([f.EU, f.AU, f.ER, f.AR, f.EW, f.AW], state, state))
    if logic.knowledge:
        made.append(_applied([f.K, f.M], agents, sub))
        made.append(_applied([f.GK, f.GCK, f.DK, f.MGK, f.MGCK, f.MDK], groups, sub))
    if logic.deontic:
        made.append(_applied([f.O, f.P], agents, sub))
    if logic.strategic:
        made.append(_applied([f.CanX, f.CanF, f.CanG], coalitions, sub))
        made.append(_applied([f.CanU], coalitions, sub, sub))
    if logic.quantifiers:
        made.append(_applied([f.A, f.E], _paths(words, logic, depth - 1)))
    return made


@lru_cache(maxsize=None)
def _paths(words: Vocabulary, logic: Logic, depth: int) -> _Formulas:
    """Path formulas, and state formulas among them."""
    if depth == 0:
        return _leaves(words)
    sub = _paths(words, logic, depth - 1)
    made = [_leaves(words), *_connected(sub)]
    if logic.paths:
        made.append(_applied([f.X, f.F, f.G, *([f.WX] if logic.weak_next else [])], sub))
        made.append(_applied([f.U, f.W, f.R], sub, sub))
    if logic.programs:
        made.append(_applied([f.Diamond, f.Box], _programs(words, logic, depth - 1), sub))
    return st.one_of(*made, *_made_of_states(words, logic, depth))


@lru_cache(maxsize=None)
def _programs(words: Vocabulary, logic: Logic, depth: int) -> SearchStrategy[Program]:
    """Programs whose tests are formulas of the logic."""
    letters = st.builds(f.Letter, _propositional(words, min(depth, 1)))
    if depth == 0:
        return letters
    sub = _programs(words, logic, depth - 1)
    tests = st.builds(f.Test, _paths(words, logic, depth - 1))
    return st.one_of(
        letters, tests, st.builds(f.Star, sub), st.builds(f.Seq, sub, sub), st.builds(f.Choice, sub, sub)
    )


# -- trees that mean nothing --------------------------------------------------------------------

#: Reserved words stand for names wherever they can. Only the last four are not propositions too, so
#: that `<g>X p` is a coalition also where programs are allowed.
RAW_WORDS = Vocabulary(
    ("p", "q", "X", "U", "W", "R", "F", "G", "WX", "A", "E", "AG", "EX", "K", "M", "O", "P", "GK", "MDK",
     "LTL", "CTL", "LDLf", "CDL", "tt", "boolean", "Evaluation"),
    ("K", "U", "i", "X"), ("K", "g", "i", "AF", "DK", "U"), ("g", "i", "AF", "DK"),
)  # fmt: skip
RAW_NAMES = Names(
    frozenset({*RAW_WORDS.agents, "i"}), frozenset({"g", "AF", "DK"}), frozenset(RAW_WORDS.propositions)
)
_RAW_TEXTS = ("x", "y", "X", "U", "K", "AG", "tt", "true", "Action", "Agent", "Vars", "Environment", "LTL")
_RAW_LEVELS = (
    ("or", "and"), ("=", "!=", "<", "<=", ">", ">="), ("|", "^", "&"), ("+", "-"), ("*", "/"),
)  # fmt: skip


def raw_logic(language: Language) -> Logic:
    """Every operator the parser accepts behind a prefix."""
    return Logic(
        language, ctl=True, paths=True, quantifiers=True, programs=language.dynamic, knowledge=True,
        deontic=True, strategic=True, linear=language is not Language.PLAIN, weak_next=True,
    )  # fmt: skip


def raw_specifications(language: Language, depth: int = 4) -> SearchStrategy[Specification]:
    """Formulas of a language in the words of `RAW_WORDS`, to be read with `RAW_NAMES`."""
    return _specifications(RAW_WORDS, raw_logic(language), depth)


@lru_cache(maxsize=None)
def expressions(depth: int = 4) -> SearchStrategy[Expr]:
    """Trees of the grammar of conditions and expressions, without types."""
    texts = st.sampled_from(_RAW_TEXTS)
    leaf = st.one_of(st.builds(name, texts, st.none() | texts), st.integers(0, 20).map(number))
    if depth == 0:
        return leaf
    sub = expressions(depth - 1)
    operators = st.sampled_from(_RAW_LEVELS).flatmap(st.sampled_from)
    return st.one_of(leaf, st.builds(prefix, st.sampled_from("!-~"), sub), st.builds(infix, operators, sub, sub))


def raw_identifiers(max_size: int = 3) -> SearchStrategy[tuple[Identifier, ...]]:
    return st.lists(st.sampled_from(_RAW_TEXTS), max_size=max_size).map(identifiers)


def raw_variables() -> SearchStrategy[tuple[VariableDecl, ...]]:
    """Declarations of variables, of empty types too."""
    bound = st.integers(-20, 20)
    kinds = st.one_of(st.builds(BooleanType), st.builds(EnumType, raw_identifiers()), st.builds(RangeType, bound, bound))
    made = st.builds(VariableDecl, st.sampled_from(_RAW_TEXTS).map(Identifier), kinds)
    return st.lists(made, max_size=2).map(tuple)


def raw_agents(who: str) -> SearchStrategy[AgentDecl]:
    """An agent of whatever the grammar allows."""
    condition = expressions(2)
    lines = st.builds(ProtocolLine, condition | st.none(), raw_identifiers())
    assignment = st.builds(Assignment, st.sampled_from(_RAW_TEXTS).map(Identifier), expressions(2))
    steps = st.builds(EvolutionLine, st.lists(assignment, min_size=1, max_size=2).map(tuple), condition)
    return st.builds(
        AgentDecl, st.just(Identifier(who)), raw_variables(), raw_variables(), raw_identifiers(),
        condition | st.none(), raw_identifiers(), st.lists(lines, max_size=2).map(tuple),
        st.lists(steps, max_size=2).map(tuple),
    )  # fmt: skip


@st.composite
def raw_modules(draw: DrawFn) -> Module:
    """A module of whatever the grammar allows; it declares the names its formulas need."""
    languages = draw(st.lists(st.sampled_from(Language), max_size=2))
    asked = tuple(FormulaDecl(draw(raw_specifications(language, 2))) for language in languages)
    needed = sorted({text for decl in asked for text in atoms(decl.specification.body)})
    groups = [GroupDecl(Identifier(text), draw(raw_identifiers())) for text in sorted(RAW_NAMES.groups)]
    return Module(
        draw(st.none() | st.just(SemanticsDecl("SingleAssignment"))),
        tuple(draw(raw_agents(who)) for who in sorted(RAW_NAMES.agents)),
        tuple(PropositionDecl(Identifier(text), draw(expressions(2))) for text in needed),
        draw(st.none() | expressions(3)),
        tuple(groups) if asked else (),
        asked[1:],
        asked[:1],
    )
