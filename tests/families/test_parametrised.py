"""One file for a whole family: for every size it has the states and the verdicts of the generated model."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest

import knower
from knower.expansion.formulas import lacking
from knower.families.dining_cryptographers import DINING_CRYPTOGRAPHERS
from knower.families.family import Family
from knower.families.go_back_n import GO_BACK_N
from knower.families.muddy_children import MUDDY_CHILDREN
from knower.families.prisoners import PRISONERS
from knower.families.train_gate import TRAIN_GATE

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "parametrised"
FILES = sorted(FOLDER.glob("*.ispl"))
#: What is called otherwise in the file: a pattern, and what is written instead.
OTHERWISE = ((r"\btrain(\d+)_in_tunnel\b", r"in_tunnel(\1)"), (r"\b([A-Za-z_]+)(\d+)\b", r"\1(\2)"))

#: A file, its family, and parameters of the one that are constants of the other.
SMALL: list[tuple[str, Family, dict[str, Any]]] = [
    *(("muddy_children", MUDDY_CHILDREN, {"n": n}) for n in (2, 3, 4)),
    *(("dining_cryptographers", DINING_CRYPTOGRAPHERS, {"n": n}) for n in (3, 4)),
    *(("prisoners", PRISONERS, {"n": n}) for n in (3, 4)),
    *(("train_gate", TRAIN_GATE, {"n": 2, "type": kind}) for kind in (1, 2, 3)),
    ("train_gate", TRAIN_GATE, {"n": 3, "max": 3, "depth": 2}),
    ("go_back_n", GO_BACK_N, {"n": 2, "delay": 2}),
    ("go_back_n", GO_BACK_N, {"n": 2, "delay": 4}),
    ("go_back_n", GO_BACK_N, {"n": 3}),
]
LARGER: list[tuple[str, Family, dict[str, Any]]] = [
    *(("muddy_children", MUDDY_CHILDREN, {"n": n}) for n in (5, 6)),
    *(("dining_cryptographers", DINING_CRYPTOGRAPHERS, {"n": n}) for n in (5, 6)),
    *(("prisoners", PRISONERS, {"n": n}) for n in (5, 6)),
    ("train_gate", TRAIN_GATE, {"n": 3, "max": 7, "depth": 4, "type": 2}),
    ("go_back_n", GO_BACK_N, {"n": 3, "window": 3}),
    ("go_back_n", GO_BACK_N, {"n": 4, "window": 3}),
]
CASES = SMALL + (LARGER if float(os.environ.get("KNOWER_EXAMPLES", "1")) > 1 else [])


def _called(part: object) -> str:
    return part.name if isinstance(part, Family) else str(part)


def _loaded(name: str, values: dict[str, Any]) -> knower.System:
    constants = {"most" if key == "max" else key: value for key, value in values.items()}
    return knower.load(FOLDER / f"{name}.ispl", constants=constants)


def _in_its_words(formula: str) -> str:
    for pattern, instead in OTHERWISE:
        formula = re.sub(pattern, instead, formula)
    return formula


@pytest.mark.parametrize(("name", "family", "values"), CASES, ids=_called)
def test_it_is_the_generated_model(name, family, values):
    made, system = family.instance(**values), _loaded(name, values)
    asked = [_in_its_words(str(one)) for one in knower.loads(made.ispl).formulae]
    result = system.check(*asked, evidence="none")
    found = [(str(one), one.verdict.value) for one in result]
    assert [verdict for _, verdict in found] == [str(one).lower() for one in made.expected], found
    assert result.states == made.states
    own = system.check(evidence="none")
    assert own.as_expected
    assert not own.warnings


@pytest.mark.parametrize(("name", "family", "values"), CASES, ids=_called)
def test_its_expansion_is_the_generated_model(name, family, values):
    system = _loaded(name, values)
    kept = [spec.entry.expected or "true" for spec in system.interpreted.formulae if lacking(spec) is None]
    result = knower.loads(system.expanded()).check(evidence="none")
    assert [one.verdict.value for one in result] == kept
    assert result.states == family.instance(**values).states


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_it_is_a_page(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(lines) < 80
    assert max(map(len, lines)) <= 120
    assert not knower.load(path).lint()


def test_trains_of_two_types():
    values = {"n": 2, "type": 2, "correct": 1}
    made = knower.loads(TRAIN_GATE.instance(**values).ispl).check(evidence="none")
    assert _loaded("train_gate", values).check(evidence="none").states == made.states
