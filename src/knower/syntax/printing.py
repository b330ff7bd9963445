"""Trees and formulas as canonical text: `parse(print(t)) == t`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias, assert_never

from knower.logic import formula as f
from knower.logic.fold import subformulas
from knower.logic.formula import Formula, Part, Program
from knower.logic.group import Group, GroupRef
from knower.logic.language import Language, Specification
from knower.logic.node import Node
from knower.syntax import conditions, operators, template
from knower.syntax.tree import (
    AgentDecl,
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
    Number,
    Phrase,
    Prefix,
    PropositionDecl,
    ProtocolLine,
    RangeType,
    Undefined,
    VariableDecl,
)  # fmt: skip

#: Work left to the printer: literal text, or a node that must bind at least that tightly.
_Piece: TypeAlias = "str | tuple[Node, int]"

_PLUS, _SEQ, _IMPLIES, _OR, _AND, _UNTIL = (operators.INFIX[w] for w in ("+", ";", "->", "or", "and", "U"))
_UNARY = operators.PREFIX_LEVEL
_POSTFIX = _UNARY + 1
_MINUS = conditions.PREFIX["-"]
_IN_SET = conditions.INFIX["|"] + 1
_ATOM = _MINUS + 1


def _printed(
    root: Node, level: int, layout: Callable[[Any], tuple[int, list[_Piece]]], most: int | None = None
) -> str:
    """The text of a tree whose root must bind at least so tightly; `layout` lays out one node.

    `most`: of more signs than that, no more than a few are written.
    """
    out: list[str] = []
    todo: list[_Piece] = [(root, level)]
    left = float("inf") if most is None else most
    while todo and left >= 0:
        piece = todo.pop()
        if isinstance(piece, str):
            out.append(piece)
            left -= len(piece)
            continue
        item, wanted = piece
        level, pieces = layout(item)
        if level < wanted:
            pieces = ["(", *pieces, ")"]
        todo += reversed(pieces)
    return "".join(out)


# -- formulas ---------------------------------------------------------------------------------


def print_specification(spec: Specification, taken: frozenset[str] = frozenset()) -> str:
    """The formula with its prefix. `taken`: the propositions of the model, which may hide `true`."""
    prefix = f"{spec.language.value} " if spec.language.value else ""
    return prefix + print_formula(spec.body, spec.language, taken)


def print_formula(
    formula: Formula,
    language: Language = Language.PLAIN,
    taken: frozenset[str] = frozenset(),
    most: int | None = None,
) -> str:
    """The formula without a prefix, to be read in the given language; if it is longer, its first `most` signs
    and perhaps some more."""
    return _printed(formula, 0, lambda item: _layout(item, language, taken), most)


def _layout(item: Part, language: Language, taken: frozenset[str]) -> tuple[int, list[_Piece]]:
    """How tightly the operator binds, and its parts from left to right."""
    match item:
        case f.Atom(name):
            return _POSTFIX, [f"({name})" if name in operators.RESERVED else name]
        case f.Constant(value):
            return _POSTFIX, [_constant(value, taken)]
        case f.Does(agent, action):
            return _POSTFIX, [f"{agent}.Action = {action}"]
        case f.Green(agent):
            return _POSTFIX, [f"{agent}.GreenStates"]
        case f.Red(agent):
            return _POSTFIX, [f"{agent}.RedStates"]
        case f.Not(sub):
            return _UNARY, ["!", (sub, _UNARY)]
        case f.And(left, right):
            return _AND, [(left, _AND), " and ", (right, _AND + 1)]
        case f.Or(left, right):
            return _OR, [(left, _OR), " or ", (right, _OR + 1)]
        case f.Implies(left, right):
            return _IMPLIES, [(left, _IMPLIES + 1), " -> ", (right, _IMPLIES)]
        case f.AU() | f.AW() | f.AR() | f.EU() | f.EW() | f.ER():
            return _ctl_until(item)
        case f.A(sub) | f.E(sub):
            return _UNARY, [_word(item), " ", *_quantified(sub, language)]
        case f.AX() | f.EX() | f.AF() | f.EF() | f.AG() | f.EG() | f.X() | f.WX() | f.F() | f.G():
            return _UNARY, [_word(item), " ", (item.sub, _UNARY)]
        case f.CanX(group, sub) | f.CanF(group, sub) | f.CanG(group, sub):
            return _UNARY, [f"<{group}>{_word(item)} ", (sub, _UNARY)]
        case f.CanU(group, left, right):
            return _UNARY, [f"<{group}>(", (left, _UNTIL + 1), " U ", (right, _UNTIL), ")"]
        case f.K(who, sub) | f.M(who, sub) | f.O(who, sub) | f.P(who, sub):
            return _POSTFIX, [f"{_word(item)}({who}, ", (sub, 0), ")"]
        case f.GK() | f.MGK() | f.GCK() | f.MGCK() | f.DK() | f.MDK():
            return _POSTFIX, [f"{_word(item)}({_group_text(item.group)}, ", (item.sub, 0), ")"]
        case f.U(left, right) | f.W(left, right) | f.R(left, right):
            return _UNTIL, [(left, _UNTIL + 1), f" {_word(item)} ", (right, _UNTIL)]
        case f.Diamond(program, sub):
            return _UNARY, ["<", *_program(program, sub), ">", (sub, _UNARY)]
        case f.Box(program, sub):
            return _UNARY, ["[", (program, 0), "]", (sub, _UNARY)]
        case f.Letter() | f.Test() | f.Choice() | f.Seq() | f.Star():
            return _program_layout(item)
        case _:
            assert_never(item)


def _group_text(group: GroupRef) -> str:
    """A group as it stands before a comma."""
    return f"{{{group}}}" if isinstance(group, Group) and group.name is None else str(group)


def _word(item: Formula) -> str:
    return operators.WORDS[type(item)]


def _constant(value: bool, taken: frozenset[str]) -> str:
    words = ("true", "tt") if value else ("false", "ff")
    for word in words:
        if word not in taken:
            return word
    name = min(taken)
    return f"({name} or !{name})" if value else f"({name} and !{name})"


def _ctl_until(item: f.AU | f.AW | f.AR | f.EU | f.EW | f.ER) -> tuple[int, list[_Piece]]:
    """`A(f U g)`: both operands are state formulas, so an inner `U` stands in its own operator."""
    quantifier, until = operators.CTL_UNTIL_WORDS[type(item)]
    left, right = (item.left, _UNTIL + 1), (item.right, _UNTIL + 1)
    return _UNARY, [f"{quantifier}(", left, f" {until} ", right, ")"]


def _quantified(sub: Formula, language: Language) -> list[_Piece]:
    """The operand of `A` or `E`; doubled parentheses keep `A ((p U q))` from being CTL's `A(p U q)`."""
    if isinstance(sub, f.PathBinary) and not language.quantified:
        return ["((", (sub, 0), "))"]
    return [(sub, _UNARY)]


def _program(program: Program, sub: Formula) -> list[_Piece]:
    """The program of a diamond; `<(p)>X q` cannot be mistaken for a coalition."""
    lone = isinstance(program, f.Letter) and isinstance(program.guard, f.Atom)
    if lone and isinstance(sub, f.X | f.F | f.G | f.U):
        return ["(", (program, 0), ")"]
    return [(program, 0)]


def _guard(guard: Formula) -> list[_Piece]:
    """What a program tests; comparisons stand in parentheses there."""
    compares = any(isinstance(part, f.Does) or (isinstance(part, f.Atom) and " " in part.name)
                   for part in subformulas(guard))  # fmt: skip
    return ["(", (guard, 0), ")"] if compares else [(guard, _UNARY)]


def _program_layout(item: Program) -> tuple[int, list[_Piece]]:
    match item:
        case f.Letter(guard):
            return _POSTFIX, _guard(guard)
        case f.Test(guard):
            return _POSTFIX, [*_guard(guard), "?"]
        case f.Choice(left, right):
            return _PLUS, [(left, _PLUS), " + ", (right, _PLUS + 1)]
        case f.Seq(left, right):
            return _SEQ, [(left, _SEQ), ";", (right, _SEQ + 1)]
        case f.Star(sub):
            return _POSTFIX, [(sub, _POSTFIX), "*"]
        case _:
            assert_never(item)


# -- conditions and expressions ---------------------------------------------------------------


def print_expression(expression: Expr, level: int = 0) -> str:
    """A condition or expression with the parentheses it needs to bind at least so tightly."""
    return _printed(expression, level, _expression_layout)


def _expression_layout(item: Expr) -> tuple[int, list[_Piece]]:
    match item:
        case Name(name, None):
            return _ATOM, [name]
        case Name(name, owner):
            return _ATOM, [f"{owner}.{name}"]
        case Number(value):
            return _ATOM, [str(value)]
        case Prefix("abs", operand):
            return _ATOM, ["abs(", (operand, 0), ")"]
        case Prefix("-", operand):
            # `--` would start a comment.
            return _MINUS, ["-", (operand, _ATOM)]
        case Prefix(operator, operand):
            level = conditions.PREFIX[operator]
            return level, [operator, (operand, level)]
        case Infix("min" | "max" as operator, left, right):
            return _ATOM, [f"{operator}(", (left, 0), ", ", (right, 0), ")"]
        case Infix(operator, left, right):
            level = conditions.INFIX[operator]
            first, second = _tightness(operator, level)
            return level, [(left, first), f" {operator} ", (right, second)]
        case If(condition, then, otherwise):
            return 0, ["if ", (condition, 1), " then ", (then, 1), " else ", (otherwise, 1)]
        case Undefined():
            return _ATOM, ["undefined"]
        case _ if isinstance(item, template.TemplateExpr):
            return _term_layout(item)
        case _:
            raise TypeError(f"not an expression: {item!r}")


def _tightness(operator: str, level: int) -> tuple[int, int]:
    """How tightly the operands of an infix operator must bind."""
    if operator == "->":
        return level + 1, level
    unchained = operator == "<->" or level == conditions.COMPARISON
    return level + unchained, level + 1


def _term_layout(item: template.TemplateExpr) -> tuple[int, list[_Piece]]:
    match item:
        case template.Reference(name, arguments, member, indices):
            called = ["(", *_listed(arguments), ")"] if arguments else []
            of = [f".{member}"] if member is not None else []
            return _ATOM, [name, *called, *of, *(["[", *_listed(indices), "]"] if indices else [])]
        case template.Quantified(word, binds, body):
            return _ATOM, [f"{word} {_binds(binds)} (", (body.expr, 0), ")"]
        case template.Apply(word, operands):
            return _ATOM, [f"{word}(", *_listed(operands), ")"]
        case template.Conditional(condition, then, otherwise):
            parts = condition.expr, then.expr, otherwise.expr
            return 0, ["if ", (parts[0], 1), " then ", (parts[1], 1), " else ", (parts[2], 1)]
        case template.Collection(values):
            return _ATOM, [_range(values)]
        case _:
            assert_never(item)


def _listed(phrases: tuple[Phrase, ...]) -> list[_Piece]:
    """With commas between."""
    pieces: list[_Piece] = []
    for phrase in phrases:
        pieces += [", ", (phrase.expr, 0)] if pieces else [(phrase.expr, 0)]
    return pieces


def _range(values: template.Range) -> str:
    match values:
        case template.Interval(low, high):
            bound = conditions.COMPARISON + 1
            return f"{print_expression(low.expr, bound)}..{print_expression(high.expr, bound)}"
        case template.NamedSet(name):
            return name
        case template.SetOf(items, binds):
            listed = ", ".join(print_expression(item.expr, _IN_SET) for item in items)
            return f"{{{listed}}}" if binds is None else f"{{{listed} | {_binds(binds)}}}"
        case _:
            assert_never(values)


def _binds(binds: template.Binds) -> str:
    named = ", ".join(f"{bind.name.text} : {_range(bind.range)}" for bind in binds.binds)
    return named if binds.where is None else f"{named} where {print_expression(binds.where.expr)}"


# -- modules ----------------------------------------------------------------------------------


def print_module(module: Module) -> str:
    """A whole model, section by section."""
    return "\n".join(_module_lines(module)) + "\n"


def _module_lines(module: Module) -> Iterator[str]:
    if module.semantics is not None:
        yield from (f"Semantics = {module.semantics.name};", "")
    for agent in module.agents:
        yield from _agent_lines(agent)
        yield ""
    taken = frozenset(p.name.text for p in module.evaluation)
    yield from _section("Evaluation", [_proposition(p) for p in module.evaluation])
    initial = [print_expression(module.initial.expr) + ";"] if module.initial is not None else []
    yield from _section("InitStates", initial)
    yield from _section("Groups", [_group(g) for g in module.groups])
    yield from _section("Fairness", [_formula(d, taken) for d in module.fairness])
    yield from _section("Formulae", [_formula(d, taken) for d in module.formulae])


def _formula(decl: FormulaDecl, taken: frozenset[str]) -> str:
    """A line of Formulae, with its name and what is expected of it."""
    label = f"{decl.label.text} : " if decl.label is not None else ""
    expected, end = decl.expectation, ""
    if expected is not None:
        end = f" expect {expected.verdict}" + (f' "{expected.text}"' if expected.text else "")
    return f"{label}{print_specification(decl.specification, taken)}{end};"


def _section(word: str, lines: list[str]) -> Iterator[str]:
    if lines:
        yield word
        yield from (f"  {line}" for line in lines)
        yield f"end {word}"
        yield ""


def _agent_lines(agent: AgentDecl) -> Iterator[str]:
    yield f"Agent {agent.name.text}"
    yield from _agent_section("Obsvars", [_variable(v) for v in agent.obsvars])
    yield from _agent_section("Vars", [_variable(v) for v in agent.vars])
    if agent.lobsvars:
        yield f"  Lobsvars = {_set(agent.lobsvars)};"
    if agent.red is not None:
        yield from _agent_section("RedStates", [print_expression(agent.red.expr) + ";"])
    yield f"  Actions = {_set(agent.actions)};"
    yield from _agent_section("Protocol", [_protocol_line(line) for line in agent.protocol])
    yield from _agent_section("Evolution", [_evolution_line(line) for line in agent.evolution])
    yield "end Agent"


def _agent_section(word: str, lines: list[str]) -> Iterator[str]:
    if lines:
        yield f"  {word}:"
        yield from (f"    {line}" for line in lines)
        yield f"  end {word}"


def _set(names: tuple[Identifier, ...]) -> str:
    return "{" + ", ".join(name.text for name in names) + "}"


def _variable(decl: VariableDecl) -> str:
    match decl.type:
        case BooleanType():
            kind = "boolean"
        case EnumType(values):
            kind = _set(values)
        case RangeType(low, high):
            kind = f"{low}..{high}"
    return f"{decl.name.text} : {kind};"


def _protocol_line(line: ProtocolLine) -> str:
    condition = "Other" if line.condition is None else print_expression(line.condition.expr)
    return f"{condition} : {_set(line.actions)};"


def _evolution_line(line: EvolutionLine) -> str:
    above = conditions.COMPARISON + 1
    made = [f"{a.target.text} = {print_expression(a.value.expr, above)}" for a in line.assignments]
    return f"{' and '.join(made)} if {print_expression(line.condition.expr)};"


def _proposition(decl: PropositionDecl) -> str:
    return f"{decl.name.text} if {print_expression(decl.condition.expr)};"


def _group(decl: GroupDecl) -> str:
    return f"{decl.name.text} = {_set(decl.members)};"
