"""Trees and formulas as canonical text: `parse(print(t)) == t`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias, assert_never

from knower.logic import formula as f
from knower.logic.formula import Formula, Part, Program
from knower.logic.language import Language, Specification
from knower.logic.node import Node
from knower.syntax import conditions, operators
from knower.syntax.tree import (
    AgentDecl,
    BooleanType,
    EnumType,
    EvolutionLine,
    Expr,
    GroupDecl,
    Identifier,
    Infix,
    Module,
    Name,
    Number,
    Prefix,
    PropositionDecl,
    ProtocolLine,
    RangeType,
    VariableDecl,
)  # fmt: skip

#: Work left to the printer: literal text, or a node that must bind at least that tightly.
_Piece: TypeAlias = "str | tuple[Node, int]"

_PLUS, _SEQ, _IMPLIES, _OR, _AND, _UNTIL = (operators.INFIX[w] for w in ("+", ";", "->", "or", "and", "U"))
_UNARY = operators.PREFIX_LEVEL
_POSTFIX = _UNARY + 1
_MINUS = conditions.PREFIX["-"]
_ATOM = _MINUS + 1


def _printed(root: Node, level: int, layout: Callable[[Any], tuple[int, list[_Piece]]]) -> str:
    """The text of a tree whose root must bind at least so tightly; `layout` lays out one node."""
    out: list[str] = []
    todo: list[_Piece] = [(root, level)]
    while todo:
        piece = todo.pop()
        if isinstance(piece, str):
            out.append(piece)
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
    formula: Formula, language: Language = Language.PLAIN, taken: frozenset[str] = frozenset()
) -> str:
    """The formula without a prefix, to be read in the given language."""
    return _printed(formula, 0, lambda item: _layout(item, language, taken))


def _layout(item: Part, language: Language, taken: frozenset[str]) -> tuple[int, list[_Piece]]:
    """How tightly the operator binds, and its parts from left to right."""
    match item:
        case f.Atom(name):
            return _POSTFIX, [f"({name})" if name in operators.RESERVED else name]
        case f.Constant(value):
            return _POSTFIX, [_constant(value, taken)]
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
            return _POSTFIX, [f"{_word(item)}({item.group}, ", (item.sub, 0), ")"]
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


def _program_layout(item: Program) -> tuple[int, list[_Piece]]:
    match item:
        case f.Letter(guard):
            return _POSTFIX, [(guard, _UNARY)]
        case f.Test(guard):
            return _POSTFIX, [(guard, _UNARY), "?"]
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
        case Prefix("-", operand):
            # `--` would start a comment.
            return _MINUS, ["-", (operand, _ATOM)]
        case Prefix(operator, operand):
            level = conditions.PREFIX[operator]
            return level, [operator, (operand, level)]
        case Infix(operator, left, right):
            level = conditions.INFIX[operator]
            tight = level + (level == conditions.COMPARISON)
            return level, [(left, tight), f" {operator} ", (right, level + 1)]
        case _:
            raise TypeError(f"not an expression: {item!r}")


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
    fairness = [print_specification(d.specification, taken) + ";" for d in module.fairness]
    yield from _section("Fairness", fairness)
    yield from _section(
        "Formulae", [print_specification(d.specification, taken) + ";" for d in module.formulae]
    )


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
