"""`-D NAME=VALUE`: constants of a model from the command line, one value or several."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import wraps
from itertools import product
from typing import Any, TypeVar

import click

from knower.errors import UsageError

F = TypeVar("F", bound=Callable[..., Any])
_SWEEP = re.compile(r"\s*(-?\d+)\s*\.\.\s*(-?\d+)\s*")


def constants_option(
    help_text: str = "Give a constant of the model another value; repeatable.",
) -> Callable[[F], F]:
    """`-D NAME=VALUE`: the command is given `constants`, texts by name."""
    return click.option("-D", "--define", "constants", multiple=True, metavar="NAME=VALUE", help=help_text)


#: `--with FILE`: the command is given `strategy`.
strategy_option = click.option(
    "--with",
    "strategy",
    metavar="FILE",
    help="Restrict the model to a strategy that `check --save-strategy` wrote.",
)


def with_constants(command: F) -> F:
    """Adds `-D`; the command is given one value for each constant."""

    @wraps(command)
    def wrapped(*args: Any, constants: tuple[str, ...], **options: Any) -> None:
        command(*args, constants=single(constants), **options)

    return constants_option()(wrapped)  # type: ignore[return-value]


def single(definitions: tuple[str, ...]) -> dict[str, str]:
    """The definitions, each of one value; raises `UsageError`."""
    found = dict(map(_definition, definitions))
    for name, value in found.items():
        if _SWEEP.fullmatch(value):
            raise UsageError(
                "E606", f"`{name}` has one value here, not {value}", "only `check` takes a range"
            )
    return found


def sweep(definitions: tuple[str, ...]) -> Iterator[dict[str, str]]:
    """One value for each constant, for all that are given: the first slowest."""
    found = dict(map(_definition, definitions))
    for values in product(*(_values(value) for value in found.values())):
        yield dict(zip(found, values, strict=True))


def _definition(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name.strip() or not value.strip():
        raise UsageError("E615", f"`{text}` gives no constant a value", "write `-D name=value`")
    return name.strip(), value.strip()


def _values(text: str) -> list[str]:
    bounds = _SWEEP.fullmatch(text)
    if bounds is None:
        return [text]
    return [str(value) for value in range(int(bounds[1]), int(bounds[2]) + 1)]
