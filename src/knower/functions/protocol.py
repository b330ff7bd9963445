"""Boolean functions, whatever represents them: what algorithms may ask of an engine.

A *function* is a value of the engine's own type that knows `& | ~` and `==` (equality is
equality of functions). Everything else is asked of its *space*, which owns the variables. Variables
are numbers from 0. Sets of variables to quantify and renamings are made once and used often, so
that an engine can prepare them.

    Space         constants, variables, connectives, quantification, renaming, counting, picking
    Reorderable   its variable order can be improved while it is used
    TimeLimited   its operations can be told to give up after some time
    Described     it has details to tell

A space may have bounds: on its nodes, its garbage collections, its time. Whoever meets one learns it by
`NoRoom`, from inside `Space.working` at the latest, and gives the space up. Functions of two spaces must
never be mixed: some engines raise, others crash.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol, Self, TypeAlias, TypeVar, runtime_checkable

Variable: TypeAlias = int
#: The variables from the top down, in groups that stay together when the order is improved.
Order: TypeAlias = Sequence[Sequence[Variable]]


class NoRoom(MemoryError):
    """A bound of a space is met: the same may be possible with another order, or in a larger space.

    Only spaces raise it, and who looks for one with room enough. A `MemoryError` that is not a `NoRoom` has
    nothing to do with diagrams.
    """


class Littered(NoRoom):
    """The room was full of what was needed on the way, again and again; a `share` of it is in use."""

    def __init__(self, message: str, share: float) -> None:
        super().__init__(message)
        self.share = share


class Function(Protocol):
    """A Boolean function of the variables of its space."""

    def __and__(self, other: Self, /) -> Self: ...
    def __or__(self, other: Self, /) -> Self: ...
    def __invert__(self, /) -> Self: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self, /) -> int: ...


F = TypeVar("F", bound=Function)

#: What `Space.quantified` and `Space.renaming` return: prepared by the engine, opaque to others.
Quantified: TypeAlias = Any
Renaming: TypeAlias = Any


class Space(Protocol[F]):
    """The functions of a number of variables."""

    name: str
    true: F
    false: F

    def working(self) -> AbstractContextManager[None]:
        """Around work with functions of this space: what its library raises at a bound becomes `NoRoom`.

        Operators belong to the library's own functions, and raise its own errors. Those of others, and
        those of whatever else is done meanwhile, pass as they are.
        """

    def var(self, variable: Variable) -> F:
        """The function that is true where the variable is."""

    def extend(self, count: int) -> list[Variable]:
        """So many more variables, at the end of the order, together when the order is improved."""

    def xor(self, left: F, right: F) -> F:
        """True where the two differ."""

    def ite(self, condition: F, then: F, otherwise: F) -> F:
        """`then` where the condition holds, `otherwise` elsewhere."""

    def quantified(self, variables: Iterable[Variable]) -> Quantified:
        """A set of variables, prepared for quantification."""

    def exists(self, function: F, variables: Quantified) -> F:
        """True where some values of the variables make it true."""

    def forall(self, function: F, variables: Quantified) -> F:
        """True where all values of the variables make it true."""

    def and_exists(self, left: F, right: F, variables: Quantified) -> F:
        """`exists(left & right, variables)`, without building the conjunction."""

    def renaming(self, pairs: Mapping[Variable, Variable]) -> Renaming:
        """An exchange of variables, prepared: each member of a pair stands for the other.

        No variable stands in two pairs.
        """

    def rename(self, function: F, renaming: Renaming) -> F:
        """The function with the variables exchanged."""

    def simplify(self, function: F, care: F) -> F:
        """A function, smaller if all goes well, that agrees with this one wherever `care` holds."""

    def count(self, function: F, variables: Sequence[Variable]) -> int:
        """How many assignments to the variables (all the function depends on) make it true."""

    def pick(self, function: F, variables: Sequence[Variable]) -> dict[Variable, bool] | None:
        """Some assignment to the variables that makes it true, or None."""

    def branches(self, function: F) -> tuple[Variable, F, F]:
        """A variable a function that is not constant depends on; the function without and with it."""

    def support(self, function: F) -> frozenset[Variable]:
        """The variables the function depends on."""

    def size(self, function: F) -> int:
        """The nodes of its representation."""

    def nodes(self) -> int:
        """The nodes held at present, cheaply and perhaps roughly."""

    def order(self) -> list[Variable]:
        """The variables from the top down."""


@runtime_checkable
class Reorderable(Protocol):
    """An engine that can look for a better variable order."""

    reorderings: int

    def reorder(self) -> None:
        """Improve the order now."""

    def reorder_when(self, nodes: int | None) -> None:
        """Improve the order by itself from so many nodes on; never for None."""


@runtime_checkable
class Bounded(Protocol):
    """An engine with room for so many nodes."""

    def make_room(self) -> None:
        """Collect garbage if room is getting scarce: for who builds much once, without `and_exists`."""

    def when_full(self, let_go: Callable[[], None]) -> None:
        """A method to be called before there is no room: it lets go of what can be made again."""


@runtime_checkable
class Described(Protocol):
    """An engine that has more to tell of itself than how large it is."""

    def details(self) -> dict[str, str | int]:
        """For statistics: what, and its value."""


@runtime_checkable
class TimeLimited(Protocol):
    """An engine whose operations can give up."""

    def limit(self, seconds: float | None) -> bool:
        """Give up so many seconds from now, or never for None; whether that is possible."""
