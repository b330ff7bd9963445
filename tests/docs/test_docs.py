"""What the documentation says is true: its code runs, its output is real, its links lead somewhere."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import get_args

import click
import pytest
from doc_pages import KINDS, PAGES, ROOT, anchors, blocks, links, run, timeless

import knower
from knower.engine.registry import engines
from knower.verdict.warnings import Lint, Warning
from processes import PATIENCE

NAMES = [str(path.relative_to(ROOT)) for path in PAGES]
SOURCES = sorted((ROOT / "src" / "knower").rglob("*.py"))
CODE = re.compile(r"\b[EL]\d{3}\b")
#: In the source codes are quoted; others belong to the linter.
QUOTED = re.compile(r"\"([EL]\d{3})\"")


def _page(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_blocks_run_and_print_what_the_page_says(name, tmp_path):
    for printed in run(_page(name), tmp_path):
        place = f"{name}:{printed.block.line}; `python tests/docs/doc_pages.py {name}` writes the true output"
        assert timeless(printed.found) == timeless(printed.expected), place


@pytest.mark.parametrize("name", ["docs/language.md", "docs/from-ispl.md"])
def test_formulas_with_names_have_the_verdicts_that_they_expect(name):
    models = [block for block in blocks(_page(name)) if block.kind == "ispl"]
    named = [
        (block.line, one.name, one.as_expected)
        for block in models
        for one in knower.loads(block.text).check(evidence="none")
        if one.name
    ]
    assert named
    assert all(as_expected for *_, as_expected in named), named


@pytest.mark.parametrize("name", NAMES)
def test_blocks_are_of_a_known_kind(name):
    text = _page(name)
    for block in blocks(text):
        assert block.kind in KINDS, f"{name}:{block.line}"
        if block.kind == "json":
            json.loads(block.text)
        if block.kind == "console":
            assert block.text.startswith("$ "), f"{name}:{block.line} starts without a command"
    assert text.count("```") == 2 * len(blocks(text)), f"{name}: a fence is indented or not closed"


@pytest.mark.parametrize("name", NAMES)
def test_links_lead_somewhere(name):
    here = ROOT / name
    for link in links(_page(name)):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (here.parent / path).resolve() if path else here
        assert target.exists(), f"{name}: {link}"
        assert target.is_relative_to(ROOT), f"{name}: {link}"
        if anchor:
            assert anchor in anchors(target.read_text(encoding="utf-8")), f"{name}: {link}"


def test_every_trap_of_the_literature_has_a_test():
    rows = [line for line in _page("docs/traps.md").splitlines() if re.match(r"\| \d+ \|", line)]
    assert len(rows) == 7
    for row in rows:
        assert "](../tests/" in row.rsplit("|", 2)[1], row


@pytest.mark.parametrize(
    ("name", "begins"), [("docs/api.md", "| `model`, `engine` |"), ("docs/cli.md", "| `engine` | string |")]
)
def test_every_engine_that_may_answer_is_named(name, begins):
    (row,) = (line for line in _page(name).splitlines() if line.startswith(begins))
    assert [engine for engine in (*engines(), "sat") if engine not in row] == ["auto"]


def test_every_page_is_reached_from_the_index():
    reached = {link.partition("#")[0] for link in links(_page("docs/index.md"))}
    assert {path.name for path in PAGES if path.parent.name == "docs"} - {"index.md"} <= reached


# -- codes ----------------------------------------------------------------------------------------


def _source() -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in SOURCES)


def test_every_code_is_listed_and_no_other():
    table = set(re.findall(r"^\| `([EL]\d{3})` \|", _page("docs/errors.md"), re.MULTILINE))
    assert table == set(QUOTED.findall(_source()))


@pytest.mark.parametrize("name", NAMES)
def test_no_page_names_a_code_that_does_not_exist(name):
    assert set(CODE.findall(_page(name))) <= set(QUOTED.findall(_source()))


def test_every_warning_is_listed_and_no_other():
    known = {kind.code for kind in get_args(Warning) if kind is not Lint}  # lints have codes of their own
    assert known == set(re.findall(r"^\| `([a-z-]+)` \|", _page("docs/errors.md"), re.MULTILINE))


def test_every_option_of_the_command_line_is_described():
    from knower.cli.main import cli

    text = _page("docs/cli.md")
    context = click.Context(cli)
    for name in cli.list_commands(context):
        command = cli.get_command(context, name)
        assert command is not None
        assert f"knower {command.name}" in text
        for option in (name for parameter in command.params for name in parameter.opts):
            assert not option.startswith("-") or option in text, f"{command.name} {option}"


# -- examples -------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.py")), ids=lambda path: path.name)
def test_examples_in_python_run(path):
    command = [sys.executable, path]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout
