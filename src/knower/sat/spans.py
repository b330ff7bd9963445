"""How long the paths are that an existential formula can need.

What shows it are some positions of a path, in rows of neighbours. Between two such rows the path can be
cut down to a loop-free one, and after the last it only has to go on: longer paths show nothing more.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple, assert_never

from knower.logic import formula as f
from knower.logic.formula import Formula
from knower.logic.kinds import is_propositional, says_who_does_what
from knower.logic.linear import invariant
from knower.sat.fragment import WAYS, operands


class Span(NamedTuple):
    """So many loop-free stretches, and single steps beside."""

    stretches: int
    steps: int = 0

    def longest_within(self, steps: int) -> int:
        """How long each stretch may be on a path of so many steps."""
        return (steps - self.steps + 1) // self.stretches - 1

    def and_steps(self, more: int) -> Span:
        return Span(self.stretches, self.steps + more)

    def later(self, more: int = 1) -> Span:
        return Span(self.stretches + more, self.steps)


#: To go on, or to keep to something.
_ON = Span(1)


def span(formula: Formula) -> Span | None:
    """What the longest path that showing the formula takes is made of; None: that is not known."""
    own = _own(formula)
    for part in operands(formula):
        own = _longer(own, span(part))
    return own


def _own(formula: Formula) -> Span | None:
    match formula:
        case f.MGCK():
            return None
        case f.E(path):
            return _along(path)
        case _:
            _require_existential(formula)
            return _ON


def _require_existential(formula: Formula) -> None:
    if not isinstance(formula, f.And | f.Or | f.Existential) and not is_propositional(formula):
        raise TypeError(f"not existential: {formula!r}")


def _longer(one: Span | None, other: Span | None) -> Span | None:
    if one is None or other is None:
        return None
    return Span(max(one.stretches, other.stretches), max(one.steps, other.steps))


def _both(one: Span | None, other: Span | None) -> Span | None:
    """The positions of one and of the other, in any order."""
    if one is None or other is None:
        return None
    return Span(one.stretches + other.stretches - 1, one.steps + other.steps)


@lru_cache(maxsize=4096)
def _along(path: Formula) -> Span | None:
    """A path formula in negation normal form. Cutting keeps what holds all along, of single states."""
    if not path.is_path or invariant(path) is not None:
        return _ON
    if says_who_does_what(path):  # what is cut out may be what was done
        return None
    match path:
        case f.And(left, right):
            return _both(_along(left), _along(right))
        case f.Or(left, right):
            return _longer(_along(left), _along(right))
        case f.X(sub) | f.WX(sub):
            return _next(sub)
        case f.F(goal):
            return _later(f.TRUE, goal)
        case f.U(hold, goal) | f.W(hold, goal) | f.R(goal, hold):
            return _later(hold, goal)
        case f.Diamond():
            return _done(path)
        case f.Box():
            return _bound(path)
        case f.G():
            return None
        case _:
            raise TypeError(f"not a path formula in negation normal form: {path!r}")


def _next(sub: Formula) -> Span | None:
    found = _along(sub)
    return found and found.and_steps(1)


def _later(hold: Formula, goal: Formula) -> Span | None:
    found = None if hold.is_path else _along(goal)
    return found and found.later()


def _done(path: f.Diamond) -> Span | None:
    """Some execution: taken apart."""
    sub = path.sub
    match path.program:
        case f.Letter():
            return _next(sub)
        case f.Test(guard):
            return _both(_along(guard), _along(sub))
        case f.Choice(left, right):
            return _longer(_along(f.Diamond(left, sub)), _along(f.Diamond(right, sub)))
        case f.Seq(left, right):
            return _along(f.Diamond(left, f.Diamond(right, sub)))
        case f.Star(f.Letter()):
            return _later(f.TRUE, sub)
        case f.Star(f.Seq(f.Test(guard), f.Letter())):
            return _later(guard, sub)
        case f.Star():
            return None
        case _:
            assert_never(path.program)


def _bound(path: f.Box) -> Span | None:
    """Every execution: a test that fails, or a letter, ends it."""
    sub = path.sub
    match path.program:
        case f.Letter():
            return _next(sub)
        case f.Test(guard) if not guard.is_path:
            return _along(sub)
        case f.Choice(left, right):
            return _both(_along(f.Box(left, sub)), _along(f.Box(right, sub)))
        case f.Seq(left, right):
            return _along(f.Box(left, f.Box(right, sub)))
        case f.Star(f.Letter()):
            return _later(sub, f.TRUE)
        case f.Test() | f.Star():
            return None
        case _:
            assert_never(path.program)


def is_from_start(formula: Formula, *, temporal: bool = True) -> bool:
    """Whether loop-free paths from the start, if there are no longer ones, are all it can need.

    Temporal operators stand at the start only: not inside other operators.
    """
    if is_propositional(formula):
        return True
    if isinstance(formula, WAYS | f.E) and not temporal:
        return False
    if isinstance(formula, f.MGCK) or (isinstance(formula, f.E) and _along(formula.sub) != _ON):
        return False
    _require_existential(formula)
    below = temporal and isinstance(formula, f.And | f.Or)
    return all(is_from_start(part, temporal=below) for part in operands(formula))
