"""What can be shown by exhibiting paths: existential formulas, in negation normal form."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from knower.errors import Unsupported
from knower.logic import formula as f
from knower.logic.fold import subformulas
from knower.logic.formula import Formula, is_propositional
from knower.logic.fragment import operator_name
from knower.logic.linear import invariant
from knower.logic.node import Node
from knower.sat.programs import Track, track_of

#: Operators that a path shows, and operators that a state reached from the start shows.
WAYS = f.EX | f.EF | f.EG | f.EU | f.ER | f.EW
DOUBTS = f.M | f.MGK | f.MDK

_ELSEWHERE = "the engines bdd and explicit can"


@lru_cache(maxsize=1024)
def track(path: Formula) -> Track:
    """A path formula made ready to be read along a lasso; each formula once."""
    return track_of(path)


def operands(formula: Formula) -> tuple[Formula, ...]:
    """The state formulas that must be shown somewhere so that the formula is."""
    if is_propositional(formula):
        return ()
    if isinstance(formula, f.E):
        return track(formula.sub).parts
    return tuple(child for child in formula.children if isinstance(child, Formula))


def is_existential(formula: Formula) -> bool:
    return obstacle(formula) is None


def obstacle(formula: Formula) -> Formula | None:
    """The first sub-formula that no path can show; None if there is none."""
    todo, seen = [formula], {formula}
    while todo:
        item = todo.pop()
        if not is_propositional(item) and not isinstance(
            item, f.And | f.Or | f.E | f.MGCK | f.P | WAYS | DOUBTS
        ):
            return item
        more = [part for part in operands(item) if part not in seen]
        seen.update(more)
        todo += reversed(more)
    return None


def is_bounded(formula: Formula, *, temporal: bool = True) -> bool:
    """Whether loop-free paths from the start, if there are no longer ones, are all it can need.

    Temporal operators stand at the start only: not inside other operators.
    """
    if is_propositional(formula):
        return True
    if isinstance(formula, WAYS | f.E) and not temporal:
        return False
    if isinstance(formula, f.MGCK) or (isinstance(formula, f.E) and _path_stretch(formula.sub) != 1):
        return False
    below = temporal and isinstance(formula, f.And | f.Or)
    return all(is_bounded(part, temporal=below) for part in operands(formula))


def stretch(formula: Formula) -> int | None:
    """How many loop-free paths, one after the other, a path it needs is made of; None: that is not known."""
    if isinstance(formula, f.MGCK):
        return None
    found = [stretch(part) for part in operands(formula)]
    found.append(_path_stretch(formula.sub) if isinstance(formula, f.E) else 1)
    return None if None in found else max(each for each in found if each is not None)


def _path_stretch(path: Formula) -> int | None:
    """One where the path needs only go on or keep to something, two where it goes on after a goal."""
    if not path.is_path or invariant(path) is not None:
        return 1
    match path:
        case f.X() | f.WX() | f.F() | f.U() | f.R() | f.W():
            return None if any(child.is_path for child in path.children if isinstance(child, Formula)) else 2
        case f.Or(left, right):
            found = [_path_stretch(left), _path_stretch(right)]
            return None if None in found else 2
        case _:
            return None


# -- what is not supported ---------------------------------------------------------------------------


def refusal(formula: Formula) -> Unsupported:
    """Why bounded checking decides neither the formula nor its negation."""
    played = next(_of_type(formula, f.Strategic), None)
    if played is not None:
        return Unsupported(f"bounded checking knows no strategies (`{operator_name(played)}`); {_ELSEWHERE}")
    universal = [operator_name(item) for item in _of_type(formula, _UNIVERSAL)]
    existential = [operator_name(item) for item in _of_type(formula, f.E | f.MGCK | f.P | WAYS | DOUBTS)]
    mix = f"universal (`{_first(universal)}`) and existential (`{_first(existential)}`) operators"
    return Unsupported(f"bounded checking cannot nest {mix} in each other; {_ELSEWHERE}")


_UNIVERSAL = f.A | f.AX | f.AF | f.AG | f.AU | f.AR | f.AW | f.K | f.GK | f.GCK | f.DK | f.O


def _of_type(formula: Formula, kinds: object) -> Iterator[Node]:
    return (item for item in subformulas(formula) if isinstance(item, kinds))  # type: ignore[arg-type]


def _first(names: list[str]) -> str:
    return names[0] if names else "!"


def unsupported(what: str) -> Unsupported:
    """Something this engine leaves to the others."""
    return Unsupported(f"bounded checking does not decide {what}; {_ELSEWHERE}")
