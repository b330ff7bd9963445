"""The documentation as something to run: pages, their code blocks, and what the blocks print.

A page is read from top to bottom in a folder of its own that looks like the root of the repository:

* ```` ```ispl name.ispl ```` is loaded, and written to that file if it has a name;
* ```` ```python ```` is executed, all blocks of a page in one namespace; a ```` ```text ```` block
  right behind it is what it prints;
* ```` ```console ```` holds commands behind `$ `, each followed by what it prints.

`python tests/docs/doc_pages.py PAGE …` runs pages and writes the true output into them.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from contextlib import chdir, redirect_stdout
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

import knower
from processes import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md"))]
#: What a code block may be; all but the first four are only shown.
KINDS = {"python", "console", "ispl", "text", "json", "ispl-fragment", "sh"}

_FENCE = re.compile(r"^```(\S*)[ \t]*(\S*)[ \t]*\n(.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
_TIMES = (
    (re.compile(r"\b\d+\.\d\d s\b"), "0.00 s"),
    (re.compile(r'"seconds": [0-9.e-]+'), '"seconds": 0.0'),
    # The last column of a table of several runs.
    (re.compile(r" +\d+\.\d\d$", re.MULTILINE), "  0.00"),
)


@dataclass(frozen=True)
class Block:
    """A fenced block: its kind, the file it is to be written to, its text and its place."""

    kind: str
    name: str
    text: str
    start: int
    end: int
    line: int


@dataclass(frozen=True)
class Printed:
    """What a block should print and what it does print."""

    block: Block
    expected: str
    found: str

    @property
    def same(self) -> bool:
        return timeless(self.expected) == timeless(self.found)


def blocks(text: str) -> list[Block]:
    """The fenced blocks of a page, in order."""
    return [
        Block(m[1], m[2], m[3], m.start(3), m.end(3), text.count("\n", 0, m.start()) + 1)
        for m in _FENCE.finditer(text)
    ]


def links(text: str) -> list[str]:
    """The targets of the links of a page, code left out."""
    prose = re.sub(r"`[^`\n]*`", "``", _FENCE.sub("", text))
    return _LINK.findall(prose)


def anchors(text: str) -> set[str]:
    """The names under which the headings of a page can be linked to."""
    found: set[str] = set()
    for title in re.findall(r"^#+ (.*)$", _FENCE.sub("", text), re.MULTILINE):
        kept = re.sub(r"[^\w\- ]", "", title.strip().lower())
        found.add(kept.replace(" ", "-"))
    return found


def timeless(text: str) -> str:
    """The text with measured times made equal."""
    for pattern, instead in _TIMES:
        text = pattern.sub(instead, text)
    return "\n".join(line.rstrip() for line in text.strip("\n").split("\n"))


# -- running a page -------------------------------------------------------------------------------


def run(text: str, folder: Path) -> list[Printed]:
    """Run the blocks of a page in order; what each should print and what it printed."""
    shutil.copytree(ROOT / "examples", folder / "examples", dirs_exist_ok=True)
    found: list[Printed] = []
    namespace: dict[str, Any] = {"__name__": "__main__"}
    page = blocks(text)
    with chdir(folder):
        for block, following in zip_longest(page, page[1:]):
            if block.kind == "ispl":
                _load(block)
            elif block.kind == "console":
                found.append(Printed(block, block.text, console(block.text)))
            elif block.kind == "python":
                printed = _execute(block, namespace)
                if following and following.kind == "text" and _adjoin(text, block, following):
                    found.append(Printed(following, following.text, printed))
    return found


def _adjoin(text: str, block: Block, following: Block) -> bool:
    """Whether nothing but the two fences stands between two blocks."""
    return text[block.end : following.start].split() == ["```", f"```{following.kind}"]


def _load(block: Block) -> None:
    """Parse and elaborate a model; keep it under its name."""
    knower.loads(block.text, f"line {block.line}")
    if block.name:
        Path(block.name).write_text(block.text, encoding="utf-8")


def _execute(block: Block, namespace: dict[str, Any]) -> str:
    out = io.StringIO()
    code = compile("\n" * block.line + block.text, "<page>", "exec")
    with redirect_stdout(out):
        exec(code, namespace)
    return out.getvalue()


def console(text: str) -> str:
    """The commands of a console block, each with what it prints here and now."""
    shown: list[str] = []
    status = 0
    lines = iter(text.splitlines())
    for line in lines:
        if not line.startswith("$ "):
            continue
        shown.append(line)
        command = line.removeprefix("$ ")
        while command.endswith("\\"):
            shown.append(next(lines))
            command = command.removesuffix("\\") + " " + shown[-1]
        output, status = _command(command, status)
        shown += output.splitlines()
    return "\n".join(shown) + "\n"


def _command(command: str, before: int) -> tuple[str, int]:
    """The output and exit status of `knower …`, `python …`, `cat …` or `echo $?`."""
    words = shlex.split(command)
    if words == ["echo", "$?"]:
        return f"{before}\n", 0
    if words[0] == "cat":
        return "".join(Path(name).read_text(encoding="utf-8") for name in words[1:]), 0
    programs = {"knower": [sys.executable, "-m", "knower"], "python": [sys.executable]}
    given = ""
    if len(words) > 2 and words[-2] == "<":
        given = Path(words[-1]).read_text(encoding="utf-8")
        del words[-2:]
    done = subprocess.run(
        [*programs[words[0]], *words[1:]], input=given, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        encoding="utf-8", env={**os.environ, "PYTHONUTF8": "1", "COLUMNS": "80"}, check=False,
        timeout=PATIENCE,
    )  # fmt: skip
    return done.stdout, done.returncode


def rewritten(text: str, folder: Path) -> str:
    """The page with what its blocks really print."""
    for printed in reversed(run(text, folder)):
        if not printed.same:
            text = text[: printed.block.start] + printed.found + text[printed.block.end :]
    return text


if __name__ == "__main__":
    for path in [Path(name).resolve() for name in sys.argv[1:]] or PAGES:
        with tempfile.TemporaryDirectory() as scratch:
            before = path.read_text(encoding="utf-8")
            after = rewritten(before, Path(scratch))
        if after != before:
            path.write_text(after, encoding="utf-8")
            print(f"changed {path.relative_to(ROOT)}")
