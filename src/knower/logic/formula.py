"""What can be asked: state formulas, path formulas and LDL programs as frozen values.

One class per operator of docs/logics.md, named as it is written: `AG`, `K`, `GCK`, `U`. State and path
formulas form one family; `is_path` tells which need a path. Whatever reads them refuses a class in no union.
"""

from __future__ import annotations

from dataclasses import field
from typing import ClassVar, TypeAlias, TypeGuard

from knower.logic.group import AgentName, GroupRef
from knower.logic.group import Group as Group
from knower.logic.group import members_of as members_of
from knower.logic.node import Node, node


@node
class FormulaNode(Node):
    """What all formulas share; each is one of `Formula`."""

    #: True for path operators, False for operators that make a state formula,
    #: None where it depends on the operands.
    _speaks_of_paths: ClassVar[bool | None] = None
    #: True for what is said of a single step of a path: who does what.
    is_step: ClassVar[bool] = False
    is_path: bool = field(init=False, compare=False)

    def __post_init__(self) -> None:
        Node.__post_init__(self)
        path = self._speaks_of_paths
        if path is None:
            path = any(isinstance(sub, FormulaNode) and sub.is_path for sub in self.children)
        object.__setattr__(self, "is_path", path)


@node
class ProgramNode(Node):
    """What all programs share; each is one of `Program`."""


@node
class Unary(FormulaNode):
    sub: Formula


@node
class Binary(FormulaNode):
    left: Formula
    right: Formula


# -- propositions and Boolean connectives ---------------------------------------------


@node
class Atom(FormulaNode):
    """A proposition declared in `Evaluation`."""

    name: str


@node
class Constant(FormulaNode):
    value: bool


@node
class Green(FormulaNode):
    """`i.GreenStates`: the agent's local state is not red."""

    agent: AgentName


@node
class Red(FormulaNode):
    """`i.RedStates`: the agent's local state is red."""

    agent: AgentName


@node
class Not(Unary):
    pass


@node
class And(Binary):
    pass


@node
class Or(Binary):
    pass


@node
class Implies(Binary):
    pass


TRUE = Constant(True)
FALSE = Constant(False)


# -- CTL ------------------------------------------------------------------------------


@node
class StateUnary(Unary):
    _speaks_of_paths: ClassVar[bool | None] = False


@node
class StateBinary(Binary):
    _speaks_of_paths: ClassVar[bool | None] = False


@node
class EX(StateUnary):
    pass


@node
class AX(StateUnary):
    pass


@node
class EF(StateUnary):
    pass


@node
class AF(StateUnary):
    pass


@node
class EG(StateUnary):
    pass


@node
class AG(StateUnary):
    pass


@node
class EU(StateBinary):
    """`E(f U g)`."""


@node
class AU(StateBinary):
    """`A(f U g) = !(E(!g U (!f and !g)) or EG !g)`."""


@node
class ER(StateBinary):
    """`E(f R g) = !A(!f U !g)`: release, so that negation normal form exists."""


@node
class AR(StateBinary):
    """`A(f R g) = !E(!f U !g)`."""


@node
class EW(StateBinary):
    """`E(f W g) = E(g R (f or g))`: weak until."""


@node
class AW(StateBinary):
    """`A(f W g) = A(g R (f or g))`."""


# -- knowledge and obligation ---------------------------------------------------------


@node
class OfAgent(FormulaNode):
    _speaks_of_paths: ClassVar[bool | None] = False
    agent: AgentName
    sub: Formula


@node
class OfGroup(FormulaNode):
    _speaks_of_paths: ClassVar[bool | None] = False
    group: GroupRef
    sub: Formula


@node
class K(OfAgent):
    """The agent knows."""


@node
class M(OfAgent):
    """The agent considers possible: `!K(i,!f)`."""


@node
class O(OfAgent):  # noqa: E742 - the letter of the logic
    """It holds in all states where the agent's local state is green."""


@node
class P(OfAgent):
    """Permitted: `!O(i,!f)`."""


@node
class GK(OfGroup):
    """Everybody knows."""


@node
class MGK(OfGroup):
    """Somebody considers possible: `!GK(g,!f)`."""


@node
class GCK(OfGroup):
    """Common knowledge."""


@node
class MGCK(OfGroup):
    """`!GCK(g,!f)`."""


@node
class DK(OfGroup):
    """Distributed knowledge."""


@node
class MDK(OfGroup):
    """`!DK(g,!f)`."""


# -- what a coalition can enforce -----------------------------------------------------


@node
class CanX(OfGroup):
    """`<g>X f`."""


@node
class CanF(OfGroup):
    """`<g>F f`."""


@node
class CanG(OfGroup):
    """`<g>G f`."""


@node
class CanU(FormulaNode):
    """`<g>(f U h)`."""

    _speaks_of_paths: ClassVar[bool | None] = False
    group: GroupRef
    left: Formula
    right: Formula


# -- paths ----------------------------------------------------------------------------


@node
class PathUnary(Unary):
    _speaks_of_paths: ClassVar[bool | None] = True


@node
class PathBinary(Binary):
    _speaks_of_paths: ClassVar[bool | None] = True


@node
class A(StateUnary):
    """All paths from here."""


@node
class E(StateUnary):
    """Some path from here."""


@node
class X(PathUnary):
    """Next; strong on finite traces."""


@node
class WX(PathUnary):
    """Weak next: true at the end of a finite trace, `X` on infinite ones."""


@node
class F(PathUnary):
    pass


@node
class G(PathUnary):
    pass


@node
class U(PathBinary):
    pass


@node
class W(PathBinary):
    pass


@node
class R(PathBinary):
    pass


@node
class Diamond(FormulaNode):
    """`<r>f`: some execution of the program ends where `f` holds."""

    _speaks_of_paths: ClassVar[bool | None] = True
    program: Program
    sub: Formula


@node
class Box(FormulaNode):
    """`[r]f`: every execution of the program ends where `f` holds."""

    _speaks_of_paths: ClassVar[bool | None] = True
    program: Program
    sub: Formula


# -- programs -------------------------------------------------------------------------


@node
class Letter(ProgramNode):
    """One step from a position where a propositional formula holds."""

    guard: Formula


@node
class Test(ProgramNode):
    """No step, where the formula holds."""

    __test__ = False  # not a pytest class
    guard: Formula


@node
class Choice(ProgramNode):
    left: Program
    right: Program


@node
class Seq(ProgramNode):
    left: Program
    right: Program


@node
class Star(ProgramNode):
    sub: Program


# -- closed unions: a `match` ends in `assert_never` ------------------------------------

Propositional: TypeAlias = Atom | Constant | Green | Red
Boolean: TypeAlias = Not | And | Or | Implies
Temporal: TypeAlias = EX | AX | EF | AF | EG | AG | EU | AU | ER | AR | EW | AW
Epistemic: TypeAlias = K | M | GK | MGK | GCK | MGCK | DK | MDK
Deontic: TypeAlias = O | P
Strategic: TypeAlias = CanX | CanF | CanG | CanU
Quantifier: TypeAlias = A | E
PathOperator: TypeAlias = X | WX | F | G | U | W | R | Diamond | Box
Universal: TypeAlias = AX | AF | AG | AU | AR | AW | A | K | GK | GCK | DK | O
Existential: TypeAlias = EX | EF | EG | EU | ER | EW | E | M | MGK | MGCK | MDK | P
#: Anything that is true or false: of a state, or of a path.
Formula: TypeAlias = (
    Propositional | Boolean | Temporal | Epistemic | Deontic | Strategic | Quantifier | PathOperator
)
#: An LDL program: a set of pairs of positions on a path.
Program: TypeAlias = Letter | Test | Choice | Seq | Star
#: What formulas are made of.
Part: TypeAlias = Formula | Program


def is_formula(item: Node) -> TypeGuard[Formula]:
    """Whether a node is a formula: true or false, unlike a program."""
    return isinstance(item, FormulaNode)


def is_propositional(formula: Formula) -> bool:
    """Whether the formula is a Boolean combination of propositions and constants."""
    todo: list[Node] = [formula]
    while todo:
        item = todo.pop()
        if not isinstance(item, Propositional | Boolean):
            return False
        todo += item.children
    return True
