"""`knower generate`: what it prints, what it writes, and what it says to bad arguments."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from knower import families
from knower.cli.main import cli
from knower.families import FAMILIES


def run(*arguments: str, stdin: str | None = None) -> Result:
    """The command line in this process; only a `SystemExit` may come out of it."""
    ran = CliRunner().invoke(cli, list(arguments), input=stdin)
    if ran.exception is not None and not isinstance(ran.exception, SystemExit):
        raise ran.exception
    return ran


def test_prints_the_text_that_python_gives() -> None:
    ran = run("generate", "prisoners", "--n", "4", "--fairness", "off")
    assert ran.exit_code == 0
    assert ran.stdout == families.generate("prisoners", n=4, fairness="off")


@pytest.mark.parametrize("name", FAMILIES)
def test_the_command_in_the_head_makes_the_same_text(name: str) -> None:
    text = families.generate(name)
    command = re.search(r"^-- Made by: knower (generate .*)$", text, re.MULTILINE)
    assert command
    assert run(*command[1].split()).stdout == text


def test_what_it_prints_can_be_checked() -> None:
    text = run("generate", "train-gate", "--type", "3").stdout
    ran = run("check", "-", stdin=text)
    assert ran.exit_code == 0
    assert "398 reachable states" in ran.stdout


@pytest.mark.parametrize("option", ["--output", "-o"])
def test_output_goes_to_a_file(tmp_path: Path, option: str) -> None:
    path = tmp_path / "counter.ispl"
    ran = run("generate", "counter", "--n", "8", option, str(path))
    assert (ran.exit_code, ran.output) == (0, "")
    assert path.read_text(encoding="utf-8") == families.generate("counter", n=8)


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    ran = run("generate", "counter", "--output", str(tmp_path / "absent" / "counter.ispl"))
    assert ran.exit_code == 2
    assert "error[E608]" in ran.stderr


def test_the_list_names_every_family_and_parameter() -> None:
    ran = run("generate", "--list")
    assert ran.exit_code == 0
    for family in FAMILIES.values():
        assert f"{family.name}: {family.description}\n" in ran.stdout
        for parameter in family.parameters:
            assert f"--{parameter.name} " in ran.stdout
            assert f"{parameter.allowed} [default: {parameter.default}]" in ran.stdout


@pytest.mark.parametrize("name", FAMILIES)
def test_help_has_options_and_examples(name: str) -> None:
    ran = run("generate", name, "--help")
    assert ran.exit_code == 0
    assert f"  knower generate {name}\n" in ran.stdout
    for parameter in FAMILIES[name].parameters:
        assert f"--{parameter.name} " in ran.stdout


@pytest.mark.parametrize("name", FAMILIES)
def test_examples_of_the_help_are_accepted(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for example in FAMILIES[name].examples:
        assert run("generate", name, *example.split()).exit_code == 0


def test_help_of_the_command_lists_the_families() -> None:
    ran = run("generate", "--help")
    assert ran.exit_code == 0
    assert all(f"\n  {name} " in ran.stdout for name in FAMILIES)
    assert "Examples:\n" in ran.stdout


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["priosners"], "did you mean `prisoners`?"),
        (["zebra"], "`knower generate --list` shows all"),
        (["prisoners", "--n", "2"], "allowed: from 3 to 1000"),
        (["prisoners", "--n", "many"], "'many' is not a valid integer"),
        (["prisoners", "--fairness", "perhaps"], "allowed: on or off"),
        (["counter", "--n", "7"], "allowed: from 2 to 1000000000, in steps of 2"),
        (["train-gate", "--max", "2"], "allowed: from 1 to 2"),
        (["counter", "--size", "4"], "No such option"),
    ],
    ids=" ".join,
)
def test_bad_arguments(arguments: list[str], told: str) -> None:
    ran = run("generate", *arguments)
    assert ran.exit_code == 2
    assert ran.stdout == ""
    assert told in ran.stderr
