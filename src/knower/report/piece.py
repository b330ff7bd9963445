"""Pieces of HTML for notebooks: a frame with its style, tables, badges, notes.

A piece needs no script and no network; every class in it begins with `kn-`, and its style speaks of nothing
outside. Colours are those of the system, or of the theme of Jupyter.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from html import escape
from importlib.resources import files
from string import Template

from knower.report.wording import counted

#: Texts are cut at so many characters, lists after so many items.
_WIDTH, _ITEMS = 240, 40

LIGHT = """color-scheme: light; --kn-text: var(--jp-content-font-color1, #1f2328); --kn-muted: #67707b;
  --kn-surface: #ffffff;
  --kn-sunken: #f8f7f4; --kn-line: #e1ded7; --kn-hair: #efece6; --kn-node: #ffffff; --kn-node-line: #b9b4a9;
  --kn-start: #fdf6e0; --kn-edge: #67707b; --kn-changed: #8a4b00; --kn-changed-wash: #fdf0dc;
  --kn-true: #1a7f4b; --kn-true-wash: #e3f4ea; --kn-false: #b3261e; --kn-false-wash: #fbe7e5;
  --kn-unknown: #8a6100; --kn-unknown-wash: #faf0d5;"""
DARK = """color-scheme: dark; --kn-text: var(--jp-content-font-color1, #e7e9ec); --kn-muted: #9ba4ae;
  --kn-surface: #1d2024;
  --kn-sunken: #15171a; --kn-line: #3a4047; --kn-hair: #2b3036; --kn-node: #262a2f; --kn-node-line: #59626c;
  --kn-start: #37321c; --kn-edge: #a3adb8; --kn-changed: #ffbe6f; --kn-changed-wash: #3a2c14;
  --kn-true: #6fd6a0; --kn-true-wash: #173326; --kn-false: #ff9a92; --kn-false-wash: #3b1d1b;
  --kn-unknown: #f0c565; --kn-unknown-wash: #372b10;"""


@cache
def style(name: str) -> str:
    """A style sheet of this package, with its colours."""
    text = files("knower.report").joinpath(name).read_text(encoding="utf-8")
    return Template(text).substitute(light=LIGHT, dark=DARK)


def framed(*parts: str) -> str:
    """Parts as one piece, with the style they need."""
    drawings = style("drawing.css") if any("<svg" in part for part in parts) else ""
    return f'<div class="knower"><style>{style("notebook.css")}{drawings}</style>{"".join(parts)}</div>'


def cut(text: str, width: int = _WIDTH) -> str:
    """A text that may be long, escaped; pointing at it shows what is cut off, up to a point."""
    if len(text) <= width:
        return escape(text)
    return f'<span title="{escape(text[: 10 * width])}">{escape(text[: width - 1])}…</span>'


def listed(items: Sequence[str]) -> str:
    """Names in a row, escaped."""
    more = f" and {len(items) - _ITEMS} more" if len(items) > _ITEMS else ""
    return (cut(", ".join(items[:_ITEMS])) + more) if items else "–"


def header(title: str, *facts: str) -> str:
    """The first line; the facts are HTML."""
    return f'<div class="kn-head"><span class="kn-title">{cut(title)}</span>{"".join(facts)}</div>'


def muted(text: str) -> str:
    return f'<span class="kn-muted">{escape(text)}</span>'


def brief(text: str) -> str:
    """Something short, in one line."""
    return f'<span class="kn-muted kn-brief">{escape(text)}</span>'


def mono(text: str) -> str:
    return f'<span class="kn-mono">{cut(text)}</span>'


def note(text: str) -> str:
    return f'<p class="kn-note">{escape(text)}</p>'


def left_out(count: int, noun: str) -> str:
    """A note on what is not shown, if something is not."""
    return note(f"and {counted(count, f'more {noun}')}, not shown") if count > 0 else ""


def badge(kind: str, said: str = "") -> str:
    return f'<span class="kn-badge kn-{escape(kind)}">{escape(said or kind)}</span>'


def folded(summary: str, content: str, *, is_open: bool = False) -> str:
    """What is seen by a click; the summary is HTML."""
    return f"<details{' open' if is_open else ''}><summary>{summary}</summary>{content}</details>"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Rows of HTML under a row of words."""
    words = "".join(f"<th>{escape(word)}</th>" for word in head)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return f'<table class="kn-table"><thead><tr>{words}</tr></thead><tbody>{body}</tbody></table>'
