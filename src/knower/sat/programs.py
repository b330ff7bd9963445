"""Path formulas made ready to be read along a lasso, and programs taken step by step."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import assert_never

from knower.logic import formula as f
from knower.logic.formula import Formula, Program
from knower.logic.linear import normal, skeleton
from knower.logic.rewrite import negation_normal_form
from knower.records import dataclass

#: How many programs and formulas are remembered with what was found about them.
_REMEMBERED = 4096


@dataclass(frozen=True)
class Track:
    """A path formula of modalities, `and`, `or`, over names for the state formulas in it.

    `meaning`: the state formula that a name, or its negation, stands for. `later`: those that may be
    needed at other positions than the first.
    """

    body: Formula
    meaning: dict[Formula, Formula]
    later: frozenset[Formula]

    @property
    def parts(self) -> tuple[Formula, ...]:
        """The state formulas that may have to be shown, each once."""
        return tuple(dict.fromkeys(self.meaning.values()))


def track_of(path: Formula) -> Track:
    """State formulas are named first, so that a negation of a negation is the formula as it was."""
    split = skeleton(path)
    body = normal(split.body)
    named = {f.Atom(name): part for name, part in split.states.items()}
    meaning: dict[Formula, Formula] = {}
    for literal in _literals(body):
        match literal:
            case f.Not(f.Atom() as atom):
                meaning[literal] = negation_normal_form(f.Not(named[atom]))
            case f.Atom():
                meaning[literal] = named[literal]
    later = {
        meaning[name] for modality in _modalities(body) for name in _literals(modality) if name in meaning
    }
    return Track(body, meaning, frozenset(later))


def _modalities(body: Formula) -> Iterator[Formula]:
    """What `and` and `or` at the top join."""
    match body:
        case f.And(left, right) | f.Or(left, right):
            yield from _modalities(left)
            yield from _modalities(right)
        case f.Diamond() | f.Box():
            yield body
        case f.Atom() | f.Not() | f.Constant():
            pass
        case _:
            raise TypeError(f"not a path formula in normal form: {body!r}")


def _literals(body: Formula) -> Iterator[Formula]:
    """All names and negated names that reading the formula comes to."""
    todo, seen = [body], {body}
    while todo:
        item = todo.pop()
        if isinstance(item, f.Atom | f.Not | f.Does | f.Constant):
            yield item
            continue
        more = [part for part in _needed(item) if part not in seen]
        seen.update(more)
        todo += reversed(more)


def _needed(formula: Formula) -> Iterator[Formula]:
    match formula:
        case f.And(left, right) | f.Or(left, right):
            yield from (left, right)
        case f.Diamond(program, sub):
            yield sub
            yield from _guards(program)
        case f.Box(program, sub):
            yield sub
            yield from map(refuted, _guards(program))
        case _:
            raise TypeError(f"not a path formula in normal form: {formula!r}")


def _guards(program: Program) -> Iterator[Formula]:
    for state in states_of(program):
        for option in options(state):
            yield from option.tests
            if option.guard is not None:
                yield option.guard


@lru_cache(maxsize=_REMEMBERED)
def refuted(formula: Formula) -> Formula:
    """The negation, in negation normal form."""
    return negation_normal_form(f.Not(formula))


# -- programs ----------------------------------------------------------------------------------------

_SKIP = f.Test(f.TRUE)


@dataclass(frozen=True)
class Option:
    """What a program can do next: pass tests, then end or, with a guard, take a step; `rest` is left then."""

    tests: tuple[Formula, ...] = ()
    guard: Formula | None = None
    rest: Program | None = None


@lru_cache(maxsize=_REMEMBERED)
def options(program: Program) -> tuple[Option, ...]:
    """All a program can do next. A round of a star that takes no step adds nothing, and is left out."""
    return tuple(dict.fromkeys(_options(program)))


def _options(program: Program) -> Iterator[Option]:
    match program:
        case f.Letter(guard):
            yield Option((), guard, _SKIP)
        case f.Test(guard):
            yield Option((guard,))
        case f.Choice(left, right):
            yield from options(left)
            yield from options(right)
        case f.Seq(left, right):
            for option in options(left):
                yield from _followed(option, right)
        case f.Star(sub):
            yield Option()
            yield from (_then(option, program) for option in options(sub) if option.guard is not None)
        case _:
            assert_never(program)


def _followed(option: Option, program: Program) -> Iterator[Option]:
    if option.guard is not None:
        yield _then(option, program)
        return
    for after in options(program):
        yield Option((*option.tests, *after.tests), after.guard, after.rest)


def _then(option: Option, program: Program) -> Option:
    rest = program if option.rest is None or option.rest == _SKIP else f.Seq(option.rest, program)
    return Option(option.tests, option.guard, rest)


@lru_cache(maxsize=_REMEMBERED)
def states_of(program: Program) -> tuple[Program, ...]:
    """The program and all that can be left of it."""
    found = {program: None}
    todo = [program]
    while todo:
        for option in options(todo.pop()):
            if option.rest is not None and option.rest not in found:
                found[option.rest] = None
                todo.append(option.rest)
    return tuple(found)
