"""The examples say in comments what is expected of them, and it is so.

In the head stands `-- expect N states`; on the last line of each formula `-- expect true` or
`-- expect false`; on a line behind it, where the reading matters, `-- expect uniform: false`.
What follows the word behind a colon is a remark.
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
_VERDICT = re.compile(r"-- expect (true|false)(?= *(?:$|:))", re.MULTILINE)
_UNIFORM = re.compile(r"-- expect uniform: (true|false)(?= *(?:$|:))", re.MULTILINE)


@dataclass(frozen=True)
class Expected:
    """Of one formula; `uniform` where the comments tell."""

    verdict: str
    uniform: str | None = None


def expectations(system: knower.System) -> list[Expected]:
    """What the comments say of each formula, in order."""
    text, spans = system.source.text, [decl.span for decl in system.module.formulae]
    found = []
    for span, following in zip(spans, [*spans[1:], None], strict=True):
        rest = text[span.end : following.start if following else None]
        verdict = _VERDICT.search(rest.partition("\n")[0])
        assert verdict, f"no expectation for {text[span.start : span.end]!r}"
        uniform = _UNIFORM.search(rest)
        found.append(Expected(verdict[1], uniform[1] if uniform else None))
    return found


def test_all_examples_are_there() -> None:
    assert {path.stem for path in EXAMPLES} >= ASKED


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_comments_are_complete(path: Path) -> None:
    """Every formula has its expectation, and no expectation is lost on the way."""
    system = knower.load(path)
    expected = expectations(system)
    assert expected
    assert len(_STATES.findall(system.source.text)) == 1
    told = len(expected) + sum(one.uniform is not None for one in expected) + 1
    assert len(re.findall(r"-- *expect\b", system.source.text)) == told


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example(path: Path) -> None:
    system = knower.load(path)
    result = system.check()
    expected = expectations(system)
    wrong = [
        f"{found!r}, expected {said.verdict}"
        for found, said in zip(result, expected, strict=True)
        if found.verdict.value != said.verdict
    ]
    assert not wrong, "\n".join(wrong)
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
