"""What can be shown by exhibiting paths: existential formulas, in negation normal form."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from knower.errors import Unsupported, unsupported
from knower.logic import formula as f
from knower.logic.fold import subformulas
from knower.logic.formula import Formula, is_formula, is_propositional
from knower.logic.fragment import operator_name
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


# -- what is not supported ---------------------------------------------------------------------------


def refusal(formula: Formula) -> Unsupported:
    """Why bounded checking decides neither the formula nor its negation."""
    played = next(_of_type(formula, f.Strategic), None)
    if played is not None:
        return unsupported(f"the method sat knows no strategies (`{operator_name(played)}`)")
    universal = [operator_name(item) for item in _of_type(formula, f.Universal)]
    existential = [operator_name(item) for item in _of_type(formula, f.Existential)]
    mix = f"universal (`{_first(universal)}`) and existential (`{_first(existential)}`) operators"
    return unsupported(f"the method sat cannot nest {mix} in each other")


def _of_type(formula: Formula, kinds: object) -> Iterator[Node]:
    return (item for item in subformulas(formula) if isinstance(item, kinds))  # type: ignore[arg-type]


def _first(names: list[str]) -> str:
    return names[0] if names else "!"
