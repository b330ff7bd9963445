"""Pieces of ISPL text: joined conditions, sections, and a whole model in its canonical layout."""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import wrap

from knower.source import Source
from knower.syntax.formatting import format_ispl

#: Comments are broken at this width.
_WIDTH = 76


def both(parts: Iterable[str]) -> str:
    """Conditions or formulas joined by `and`."""
    return " and ".join(parts)


def either(parts: Iterable[str]) -> str:
    """Conditions or formulas joined by `or`."""
    return " or ".join(parts)


def listed(*names: str) -> str:
    """Names in braces: actions, values, members of a group."""
    return "{" + ", ".join(names) + "}"


def counted(number: int, noun: str) -> str:
    """`1 train`, `2 trains`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def section(head: str, *lines: str) -> str:
    """A section: `Vars: … end Vars`."""
    return "\n".join([head, *lines, f"end {head.split()[0].rstrip(':')}"])


def agent(name: str, *sections: str) -> str:
    """An agent made of its sections."""
    return section(f"Agent {name}", *sections)


def comment(text: str) -> str:
    """A paragraph of comment, broken into lines."""
    return "\n".join(f"-- {line}" for line in wrap(text, _WIDTH))


def laid_out(head: Iterable[str], parts: Iterable[str]) -> str:
    """A model with paragraphs of comment at its head, in the layout of `knower fmt`."""
    text = "\n\n".join(["\n--\n".join(head), *parts])
    return format_ispl(Source("<generated>", text))
