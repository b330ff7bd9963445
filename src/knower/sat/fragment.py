"""What can be shown by exhibiting paths: existential formulas, in negation normal form."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from knower.errors import Unsupported, unsupported
from knower.logic import formula as f
from knower.logic.fold import subformulas
from knower.logic.formula import Formula, is_formula
from knower.logic.fragment import operator_name
from knower.logic.kinds import is_propositional
from knower.logic.linear import invariant
from knower.logic.node import Node
from knower.sat.programs import Track, track_of

#: Operators that a path shows, and operators that a state reached from the start shows.
WAYS = f.EX | f.EF | f.EG | f.EU | f.ER | f.EW
DOUBTS = f.M | f.MGK | f.MDK


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
    return tuple(child for child in formula.children if is_formula(child))


def is_existential(formula: Formula) -> bool:
    return obstacle(formula) is None


def obstacle(formula: Formula) -> Formula | None:
    """The first sub-formula that no path can show; None if there is none."""
    todo, seen = [formula], {formula}
    while todo:
        item = todo.pop()
        if not is_propositional(item) and not isinstance(item, f.And | f.Or | f.Existential):
            return item
        more = [part for part in operands(item) if part not in seen]
        seen.update(more)
        todo += reversed(more)
    return None


def lasting(formula: Formula) -> Formula | None:
    """A proposition from which a universal formula follows, if it holds in all reachable states.

    `AG AG p`, `K(i, AG p)`, `AG K(i, p)`, `AX AG p`, `A G p` all follow from p; None where there is no
    temporal or epistemic operator, or something else than a proposition below them.
    """
    found = formula
    while not is_propositional(found):
        match found:
            case f.AG(sub) | f.AX(sub) | f.K(_, sub) | f.GK(_, sub) | f.DK(_, sub) | f.GCK(_, sub):
                found = sub
            case f.A(path):
                below = invariant(path)
                if below is None:
                    return None
                found = below
            case _:
                return None
    return None if found is formula else found


# -- what is not supported ---------------------------------------------------------------------------


def refusal(formula: Formula, method: str = "sat") -> Unsupported:
    """Why a method that looks for paths decides neither the formula nor its negation."""
    played = next(_of_type(formula, f.Strategic), None)
    if played is not None:
        return unsupported(f"the method {method} knows no strategies (`{operator_name(played)}`)")
    universal = [operator_name(item) for item in _of_type(formula, f.Universal)]
    existential = [operator_name(item) for item in _of_type(formula, f.Existential)]
    mix = f"universal (`{_first(universal)}`) and existential (`{_first(existential)}`) operators"
    return unsupported(f"the method {method} cannot nest {mix} in each other")


def _of_type(formula: Formula, kinds: object) -> Iterator[Node]:
    return (item for item in subformulas(formula) if isinstance(item, kinds))  # type: ignore[arg-type]


def _first(names: list[str]) -> str:
    return names[0] if names else "!"
