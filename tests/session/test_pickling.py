"""Every error of ours survives the way from one process to another, with all that it has."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator
from importlib import import_module
from pkgutil import walk_packages

import pytest

import knower
from knower.errors import Diagnostic, InputError, KnowerError, LimitReached, Undecided, UsageError
from knower.reasons import StateLimit
from knower.source import Origin, Source, Span


def imported() -> None:
    """All modules, but those whose libraries are not here."""
    for found in walk_packages(knower.__path__, "knower."):
        if not found.name.endswith("__main__"):
            try:
                import_module(found.name)
            except ImportError as absent:
                assert not (absent.name or "").startswith("knower"), found.name


def errors(root: type[KnowerError] = KnowerError) -> Iterator[type[KnowerError]]:
    yield root
    for kind in root.__subclasses__():
        yield from errors(kind)


imported()
FINDING = Diagnostic(
    "E202", "no ‹bound›", Source("m", "x = 1"), Span(0, 1), "add ‹method sat›", Origin("a.py", 3, "x()")
)


def made(kind: type[KnowerError]) -> KnowerError:
    """An error with more than its constructor must have."""
    if issubclass(kind, UsageError):
        error: KnowerError = kind("E607", "‹bound› does not go", "‹method sat›")
    elif issubclass(kind, InputError):
        error = kind([FINDING, FINDING])
    elif issubclass(kind, LimitReached):
        error = kind(StateLimit(3), final=True)
    elif issubclass(kind, Undecided):
        error = kind(StateLimit(3))
    else:
        error = kind("what", 3)
    error.more = "said later"  # type: ignore[attr-defined]
    error.add_note("a note")
    return error


@pytest.mark.parametrize("kind", sorted(set(errors()), key=lambda kind: kind.__qualname__))
def test_an_error_survives(kind: type[KnowerError]) -> None:
    error = made(kind)
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert type(again) is kind
        assert (again.args, str(again), vars(again)) == (error.args, str(error), vars(error))


def test_subclasses_that_are_yet_to_come_survive() -> None:
    error = made(Later)
    assert type(pickle.loads(pickle.dumps(error))) is Later


class Later(InputError):
    """Somebody's own."""


def test_all_kinds_are_here() -> None:
    names = {kind.__name__ for kind in errors()}
    assert {"GraphTooLarge", "CannotTell", "TooLong", "Unsupported", "NoInitialState"} <= names
