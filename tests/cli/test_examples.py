"""The examples say what is expected of them, and it is so.

Behind a formula stands `expect false "why"`, unless it is true; in the head a comment `-- expect N states`;
on a line behind a formula, where the reading matters, `-- expect uniform: false`; behind a colon, a remark.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

import knower

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.ispl"))
#: What issue A asks for.
ASKED = {
    "bit_transmission", "bit_transmission_faulty", "bit_transmission_fair", "dining_cryptographers",
    "muddy_children", "tian_ji", "card_game", "book_store", "train_gate", "prisoners", "counter", "go_back_n",
    "strongly_connected",
}  # fmt: skip

_STATES = re.compile(r"-- expect (\d+) states?\s*$", re.MULTILINE)
_UNIFORM = re.compile(r"-- expect uniform: (true|false)(?= *(?:$|:))", re.MULTILINE)


@dataclass(frozen=True)
class Expected:
    """Of one formula; `uniform` where a comment tells."""

    verdict: str
    uniform: str | None = None


def expectations(system: knower.System) -> list[Expected]:
    """What is said of each formula, in order."""
    text, formulae = system.source.text, system.module.formulae
    found = []
    for decl, following in zip(formulae, [*formulae[1:], None], strict=True):
        uniform = _UNIFORM.search(text[decl.span.end : following.span.start if following else None])
        verdict = "true" if decl.expectation is None else decl.expectation.verdict
        found.append(Expected(verdict, uniform[1] if uniform else None))
    return found


def test_all_examples_are_there() -> None:
    assert {path.stem for path in EXAMPLES} >= ASKED


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_comments_are_complete(path: Path) -> None:
    """Some formulas are false, and no comment is lost on the way."""
    system = knower.load(path)
    expected = expectations(system)
    assert {one.verdict for one in expected} == {"true", "false"}
    assert len(_STATES.findall(system.source.text)) == 1
    told = sum(one.uniform is not None for one in expected) + 1
    assert len(re.findall(r"-- *expect\b", system.source.text)) == told


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example(path: Path) -> None:
    system = knower.load(path)
    result = system.check()
    verdicts = [found.verdict.value for found in result]
    assert verdicts == [said.verdict for said in expectations(system)]
    assert result.as_expected and result.exit_status == 0
    states = _STATES.search(system.source.text)
    assert states and result.states == int(states[1])
    assert not {warning.code for warning in result.warnings} & {"deadlock", "overflow"}


@pytest.mark.parametrize(
    "path", [path for path in EXAMPLES if _UNIFORM.search(path.read_text())], ids=lambda path: path.stem
)
def test_uniform_reading(path: Path) -> None:
    system = knower.load(path)
    told = [
        (decl.specification, said.uniform)
        for decl, said in zip(system.module.formulae, expectations(system), strict=True)
        if said.uniform is not None
    ]
    result = system.check(*(spec for spec, _ in told), atl="uniform")
    assert [found.verdict.value for found in result] == [said for _, said in told]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_are_clean(path: Path) -> None:
    """Nothing to lint, and laid out as `knower fmt` does it or at least unchanged in meaning."""
    system = knower.load(path)
    assert system.lint() == []
    assert knower.loads(system.formatted()).module == system.module
