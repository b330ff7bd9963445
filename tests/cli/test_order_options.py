"""Orders in files, from the command line and from Python."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import knower
from knower.cli.main import cli
from knower.errors import InputError, UsageError
from knower.functions.registry import available
from knower.source import Source

MODEL = str(Path(__file__).parents[2] / "examples" / "bit_transmission.ispl")

pytestmark = pytest.mark.skipif(not available(), reason="no library of decision diagrams is installed")


def run(*arguments: str) -> tuple[int, dict]:
    done = CliRunner().invoke(cli, ["check", MODEL, "--evidence", "none", "--format", "json", *arguments])
    return done.exit_code, json.loads(done.stdout)


def verdicts(data: dict) -> list[str]:
    return [each["verdict"] for each in data["formulas"]]


def test_an_order_that_was_written_is_read_again(tmp_path):
    file = tmp_path / "my.order"
    status, plain = run("--save-order", str(file))
    first, *names = file.read_text().splitlines()
    assert first.startswith("-- ") and set(names) > {"Sender.bit", "Sender.Action"}
    file.write_text("\n".join(reversed(names)))
    again, other = run("--order-file", str(file), "-v", "--save-order", str(file))
    assert (again, verdicts(other)) == (status, verdicts(plain))
    assert other["statistics"]["order"] == "file"
    assert file.read_text().splitlines()[1:] == names[::-1]


def test_errors_have_a_place(tmp_path):
    file = tmp_path / "my.order"
    file.write_text("Sender.bit\nSender.bti\n")
    status, data = run("--order-file", str(file))
    (error,) = data["errors"]
    assert (status, error["code"], error["line"], error["column"]) == (2, "E614", 2, 1)
    assert error["file"] == str(file) and "Sender.bit" in error["cure"]


def test_a_file_that_is_not_there(tmp_path):
    status, data = run("--order-file", str(tmp_path / "none"))
    assert (status, data["errors"][0]["code"]) == (2, "E601")


@pytest.mark.parametrize(
    "options", [{"order": "force"}, {"engine": "explicit"}, {"engine": "sdd"}, {"method": "sat"}]
)
def test_what_does_not_go_with_a_file(options):
    system = knower.load(MODEL)
    with pytest.raises(UsageError):
        system.check(tuning=knower.Tuning(order_file=Source("it", "Sender.bit")), **options)


def test_in_python(tmp_path):
    system = knower.load(MODEL)
    found = system.check(save_order=True, evidence="none")
    names = str(found.statistics["variable order"]).split()
    file = tmp_path / "my.order"
    file.write_text("\n".join(names))
    again = system.check(order_file=file, evidence="none")
    assert again.statistics["order"] == "file"
    assert "variable order" not in again.statistics
    file.write_text("")
    with pytest.raises(InputError, match="no place for"):
        system.check(order_file=file)


@pytest.mark.parametrize("nodes", [0, 40, 1_000_000])
def test_parts_of_a_relation_are_joined_up_to_a_threshold(nodes):
    system = knower.load(MODEL)
    usual = system.check(evidence="none")
    other = system.check(evidence="none", cluster_threshold=nodes)
    assert [each.verdict for each in other] == [each.verdict for each in usual]


def test_a_threshold_is_a_number():
    with pytest.raises(UsageError, match="cluster_threshold"):
        knower.load(MODEL).check(cluster_threshold="many")
