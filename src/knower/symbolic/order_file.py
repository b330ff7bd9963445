"""Orders as text: variables of the model by name, one on a line, from the top of the diagrams down.

    -- what comes first decides most
    Environment.line
    Sender.Action
    Sender.bit[1]

`Agent.x` is all bits of a variable, `Agent.x[k]` one of them (from 0, the most significant), `Agent.Action`
the bits of an action. The bit of a state now and the same bit next stand side by side.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from itertools import groupby
from typing import NamedTuple, TypeAlias

from knower.errors import Diagnostic, InputError
from knower.functions.protocol import Order, Variable
from knower.source import Source, Span
from knower.symbolic.layout import Layout

#: What stays together: a bit now and next, or a bit of an action.
_Bit: TypeAlias = tuple[Variable, ...]
_COMMENT, _ACTION = "--", "Action"
#: So many names are listed in a message.
_MOST = 5


class _Line(NamedTuple):
    """A name in a file, and where it stands."""

    name: str
    span: Span


def order_in(source: Source, layout: Layout) -> Order:
    """The order that a text tells; raises `InputError` with all that is wrong in it."""
    bits = _named_bits(layout)
    lines = list(_lines(source.text))
    wrong = [_unknown(source, line, bits) for line in lines if line.name not in bits]
    known = [(line, bit) for line in lines for bit in bits.get(line.name, ())]
    first: dict[_Bit, _Line] = {}
    for line, bit in known:
        if first.setdefault(bit, line) is not line:
            wrong.append(_twice(source, line))
    missing = [name for name, parts in bits.items() if "[" not in name and not first.keys() >= set(parts)]
    if not wrong and missing:
        wrong.append(_missing(source, missing))
    if wrong:
        raise InputError(dict.fromkeys(wrong))
    return list(first)


def names_in(order: Iterable[Variable], layout: Layout) -> tuple[str, ...]:
    """The names of an order: of a whole variable where its bits stand together as in the model."""
    parts = _parts(layout)
    owner = {bit[0]: (name, k) for name, bits in parts.items() for k, bit in enumerate(bits)}
    found = [owner[variable] for variable in order if variable in owner]
    named: list[str] = []
    for name, run in groupby(found, key=lambda each: each[0]):
        numbers = [k for _, k in run]
        whole = numbers == list(range(len(parts[name])))
        named += [name] if whole else [f"{name}[{k}]" for k in numbers]
    return tuple(named)


def _parts(layout: Layout) -> dict[str, list[_Bit]]:
    """The bits of each variable and action that has some."""
    found: dict[str, list[_Bit]] = {
        ".".join(key): list(zip(field.now, field.after, strict=True)) for key, field in layout.fields.items()
    }
    found |= {f"{agent}.{_ACTION}": [(bit,) for bit in bits] for agent, bits in layout.action_bits.items()}
    return found


def _named_bits(layout: Layout) -> dict[str, list[_Bit]]:
    """The bits of each name that may stand in a file."""
    found = _parts(layout)
    return found | {f"{name}[{k}]": [bit] for name, bits in found.items() for k, bit in enumerate(bits)}


def _lines(text: str) -> Iterable[_Line]:
    at = 0
    for line in text.splitlines(keepends=True):
        name = line.partition(_COMMENT)[0].strip()
        if name:
            start = at + line.index(name)
            yield _Line(name, Span(start, start + len(name)))
        at += len(line)


def _unknown(source: Source, line: _Line, names: Iterable[str]) -> Diagnostic:
    near = get_close_matches(line.name, list(names), 1)
    cure = f"did you mean `{near[0]}`?" if near else "name variables `Agent.x` and actions `Agent.Action`"
    return Diagnostic("E614", f"the model has no variable `{line.name}`", source, line.span, cure)


def _twice(source: Source, line: _Line) -> Diagnostic:
    return Diagnostic(
        "E614", f"`{line.name}` has a place already", source, line.span, "leave one of them out"
    )


def _missing(source: Source, names: Sequence[str]) -> Diagnostic:
    listed = ", ".join(names[:_MOST]) + (", …" if len(names) > _MOST else "")
    end = len(source.text)
    return Diagnostic("E614", f"no place for {listed}", source, Span(end, end), "add a line for each")
