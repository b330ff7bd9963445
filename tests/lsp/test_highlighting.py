"""ISPL in colour."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pygments.lexers import get_lexer_by_name
from pygments.token import Error, Keyword, Name, Operator

from knower.pygments_lexer import IsplLexer

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.ispl")), ids=lambda path: path.stem)
def test_every_character_of_the_examples_is_something(path):
    text = path.read_text()
    tokens = list(IsplLexer(ensurenl=False, stripnl=False).get_tokens(text))
    assert "".join(piece for _, piece in tokens) == text
    assert not [piece for kind, piece in tokens if kind is Error]


def test_it_is_found_by_its_name():
    assert isinstance(get_lexer_by_name("ispl"), IsplLexer)


def test_operators_are_operators_in_formulas_only():
    text = "Agent G Vars: K : boolean; end Vars Formulae AG K(G, p); end Formulae"
    told = [(kind, piece) for kind, piece in IsplLexer().get_tokens(text) if piece in ("K", "AG", "Agent")]
    assert told == [(Keyword.Namespace, "Agent"), (Name, "K"), (Operator.Word, "AG"), (Operator.Word, "K")]


def test_the_extension_and_the_lexer_know_the_same_sections():
    grammar = json.loads((ROOT / "editors" / "vscode" / "syntaxes" / "ispl.tmLanguage.json").read_text())
    written = json.dumps(grammar)
    for section in ("Vars", "Obsvars", "Lobsvars", "RedStates", "Actions", "Protocol", "Evolution", "Const"):
        assert section in written
