"""What can be asked: state formulas, path formulas and LDL programs as frozen values.

One class per operator of docs/logics.md, named as it is written; `&`, `|`, `~`, `>>` are the connectives:
`AG(p >> K("Sender", q))`. State and path formulas form one family; `is_path` tells which need a path.
Whatever reads them refuses a class in no union.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any, ClassVar, TypeAlias, TypeGuard, TypeVar, cast

from knower.logic.group import AgentName, GroupRef
from knower.logic.group import Group as Group
from knower.logic.group import members_of as members_of
from knower.logic.node import Node, node

_B = TypeVar("_B", bound="Binary")
_NO_TRUTH = "a formula is neither true nor false before it is checked; write `&`, `|`, `~` and `>>`"


@node
class FormulaNode(Node):
    """What all formulas share; each is one of `Formula`."""

    #: True: a path operator; False: one that makes a state formula; None: it depends on the operands.
    _speaks_of_paths: ClassVar[bool | None] = None
    #: True for what is said of a single step of a path: who does what.
    is_step: ClassVar[bool] = False
    is_path: bool = field(init=False, compare=False)

    def __post_init__(self) -> None:
        path = self._speaks_of_paths
        if path is None:
            path = any([s.is_path for s in self._operands(self) if isinstance(s, FormulaNode)])  # noqa: C419
        object.__setattr__(self, "is_path", path)

    def __and__(self, other: Formula | bool) -> And:
        return _joined(And, self, other)

    def __rand__(self, other: bool) -> And:
        return _joined(And, other, self)

    def __or__(self, other: Formula | bool) -> Or:
        return _joined(Or, self, other)

    def __ror__(self, other: bool) -> Or:
        return _joined(Or, other, self)

    def __rshift__(self, other: Formula | bool) -> Implies:
        return _joined(Implies, self, other)

    def __rrshift__(self, other: bool) -> Implies:
        return _joined(Implies, other, self)

    def __invert__(self) -> Not:
        return Not(cast("Formula", self))

    def __bool__(self) -> bool:
        raise TypeError(_NO_TRUTH)  # `p and q` would be `q`: half a question, dropped in silence


def _joined(connective: type[_B], *sides: object) -> _B:
    """Two formulas under a connective; `True` and `False` are constants. Python refuses anything else."""
    formulas: list[Any] = [Constant(side) if isinstance(side, bool) else side for side in sides]
    return connective(*formulas) if all(isinstance(s, FormulaNode) for s in formulas) else NotImplemented


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


# fmt: off
@node
class Not(Unary): ...
@node
class And(Binary): ...
@node
class Or(Binary): ...
@node
class Implies(Binary): ...
# fmt: on


TRUE = Constant(True)
FALSE = Constant(False)


# -- CTL ------------------------------------------------------------------------------


@node
class StateUnary(Unary):
    _speaks_of_paths: ClassVar[bool | None] = False


@node
class StateBinary(Binary):
    _speaks_of_paths: ClassVar[bool | None] = False


# fmt: off
@node
class EX(StateUnary): ...
@node
class AX(StateUnary): ...
@node
class EF(StateUnary): ...
@node
class AF(StateUnary): ...
@node
class EG(StateUnary): ...
@node
class AG(StateUnary): ...
# fmt: on


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


# fmt: off
@node
class F(PathUnary): ...
@node
class G(PathUnary): ...
@node
class U(PathBinary): ...
@node
class W(PathBinary): ...
@node
class R(PathBinary): ...
# fmt: on


@node
class Does(FormulaNode):
    """`Agent.Action = a`: the agent does that in the step from here; false where a finite trace ends."""

    _speaks_of_paths: ClassVar[bool | None] = True
    is_step: ClassVar[bool] = True
    agent: AgentName
    action: str


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
    """One step from a position where a propositional formula holds; it may say who does what in the step."""

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
    Propositional | Boolean | Temporal | Epistemic | Deontic | Strategic | Quantifier | PathOperator | Does
)
#: An LDL program: a set of pairs of positions on a path.
Program: TypeAlias = Letter | Test | Choice | Seq | Star
#: What formulas are made of.
Part: TypeAlias = Formula | Program


def is_formula(item: Node) -> TypeGuard[Formula]:
    """Whether a node is a formula: true or false, unlike a program."""
    return isinstance(item, FormulaNode)
