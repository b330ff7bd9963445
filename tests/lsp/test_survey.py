"""What a text declares, also where it is broken."""

from __future__ import annotations

from pathlib import Path

import pytest

from knower.lsp.reading import Reading
from knower.lsp.survey import Survey
from knower.lsp.symbols import Kind
from knower.lsp.words import FORMULA_WORDS, OPERATORS
from knower.source import Source, Span
from knower.syntax.ispl import parse_ispl
from knower.syntax.lexer import PIECES

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.ispl"))
SHARED = ROOT.parent / "shared"
STRANGERS = sorted((SHARED / "corpus" / "models").glob("*.ispl"))

MUDDY = """
Const n = 3 where n >= 2;
Agent Environment
  Obsvars: answered : -1..n init -1; end Obsvars
  Vars: mud : array 1..n of 0..1; end Vars
  Define total = sum i : 1..n (mud[i]);
  Actions = {ask, tell(k) | k : 1..n};
end Agent
Agent Child(i : 1..n)
  Lobsvars = {mud[j] | j : 1..n where j != i};
  Vars: said : {nothing, yes}; end Vars
end Agent
Evaluation for i : 1..n do muddy(i) if Environment.mud[i] = 1; end Evaluation
Groups children = {Child(i) | i : 1..n}; end Groups
Formulae
  told : AG muddy(1);
  for i : 1..n do each(i) : EF muddy(i) expect false "never";
end Formulae
"""


def declared(text: str) -> set[tuple[str, str, str]]:
    return {(symbol.kind.value, symbol.owner, symbol.name) for symbol in Survey(text).symbols}


def test_all_kinds_of_names():
    assert declared(MUDDY) == {
        ("constant", "", "n"),
        ("agent", "", "Environment"),
        ("variable", "Environment", "answered"),
        ("variable", "Environment", "mud"),
        ("definition", "Environment", "total"),
        ("action", "Environment", "ask"),
        ("action", "Environment", "tell"),
        ("agent", "", "Child"),
        ("parameter", "Child", "i"),
        ("variable", "Child", "said"),
        ("value", "Child.said", "nothing"),
        ("value", "Child.said", "yes"),
        ("proposition", "", "muddy"),
        ("group", "", "children"),
        ("label", "", "told"),
        ("label", "", "each"),
    }


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_declare_what_the_parser_says(path):
    _compare(path.read_text())


@pytest.mark.skipif(not STRANGERS, reason="needs ../shared")
def test_models_of_strangers_declare_what_the_parser_says():
    for path in STRANGERS:
        _compare(path.read_text(errors="replace"))


def _compare(text: str) -> None:
    module = parse_ispl(Source("m", text))
    if not hasattr(module.agents[0], "vars"):
        return
    wanted = {("agent", agent.name.text) for agent in module.agents}
    for agent in module.agents:
        wanted |= {("variable", variable.name.text) for variable in (*agent.vars, *agent.obsvars)}
        wanted |= {("action", action.text) for action in agent.actions}
    kinds = (Kind.AGENT, Kind.VARIABLE, Kind.ACTION)
    assert {(s.kind.value, s.name) for s in Survey(text).symbols if s.kind in kinds} == wanted


@pytest.mark.parametrize(
    "broken",
    [
        "Agent A\n  Vars: x : boolean end Vars\n  Actions = {a};\nend Agent\nAgent B Actions = {b};",
        "Agent A\n  Vars: x : boolean;\n  Actions = {a};\nAgent B\n  Actions = {b};\nend Agent\n",
        "Agent A\n  Actions = {a};\n  Protocol:\n    x = :\nend Agent\nAgent B\n  Actions = {b;\nend Agent\n",
        "Agent A\n  Actions = {a}\nend Agent\n§§ Agent B Actions = {b}; end Agent",
    ],
)
def test_broken_texts_keep_their_agents(broken):
    found = Survey(broken)
    assert [agent.name for agent in found.agents] == ["A", "B"]
    assert {symbol.name for symbol in found.of(Kind.ACTION)} == {"a", "b"}


WORDS = OPERATORS | FORMULA_WORDS
STRUCTURE = {
    "Agent", "Vars", "Obsvars", "Lobsvars", "Actions", "Protocol", "Evolution", "Evaluation", "InitStates",
    "Groups", "Fairness", "Formulae", "Semantics", "Const", "Define", "RedStates", "MultiAssignment",
    "SingleAssignment", "MA", "SA", "GreenStates", "tt", "ff", "unknown",
}  # fmt: skip


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_name_of_the_examples_has_a_meaning(path):
    text = path.read_text()
    reading = Reading(text)
    for piece in PIECES.finditer(text):
        word = piece[0]
        if (word[0].isalpha() or word[0] == "_") and word not in WORDS | STRUCTURE:
            assert reading.meaning(Span(*piece.span())) is not None, (word, piece.start())


@pytest.mark.parametrize(
    ("piece", "kind", "owner"),
    [
        ("mud[i]", Kind.VARIABLE, "Environment"),
        ("i] = 1", Kind.BOUND, ""),
        ("mud[j]", Kind.VARIABLE, "Environment"),
        ("j != i", Kind.BOUND, ""),
        ("i;", Kind.PARAMETER, "Child"),
        ("muddy(1)", Kind.PROPOSITION, ""),
        ("n where", Kind.CONSTANT, ""),
        ("Child(i) |", Kind.AGENT, ""),
    ],
)
def test_meanings(piece, kind, owner):
    text = MUDDY.replace("j != i}", "j != i};").replace("};;", "};")
    found = Reading(text).symbol_at(text.index(piece if piece != "i;" else "i};"))
    assert found is not None
    assert (found.kind, found.owner) == (kind, owner)
