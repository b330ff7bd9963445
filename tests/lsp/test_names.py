"""Definition, references and rename."""

from __future__ import annotations

from pathlib import Path

import pytest

from knower.lsp.completion import completions
from knower.lsp.hover import hover
from knower.lsp.navigation import Refused, definition, references, renamed
from knower.lsp.pieces import Pieces
from knower.lsp.reading import Reading
from knower.lsp.symbols import Kind
from knower.lsp.text import DocumentText
from knower.model import Model
from knower.source import Source

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "examples" / "bit_transmission.ispl").read_text()


def document(text: str = TEXT) -> DocumentText:
    return DocumentText("file:///m.ispl", 1, text)


def applied(found: DocumentText, edits: list) -> str:
    text = found.text
    for edit in sorted(edits, key=lambda edit: found.span(edit.range).start, reverse=True):
        at = found.span(edit.range)
        text = text[: at.start] + edit.new_text + text[at.end :]
    return text


def test_definition_of_a_value_is_in_the_variable_it_is_compared_with():
    found = document()
    place = definition(found, Reading(TEXT), TEXT.index("Sender.bit = one") + len("Sender.bit = "))
    assert found.text[found.span(place.range).start :].startswith("one}")


def test_references_reach_sections_and_formulas():
    found = document()
    places = references(found, Reading(TEXT), TEXT.index("Agent Receiver") + 6, declaration=False)
    lines = {found.line(place.range.start.line).strip() for place in places}
    assert any("K(Receiver" in line for line in lines)
    assert any("Receiver.Action" in line for line in lines)


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.ispl")), ids=lambda path: path.stem)
def test_every_name_can_be_changed_and_changed_back(path):
    text = path.read_text()
    reading, found, pieces = Reading(text), document(text), Pieces()
    formulas = Model.read(Source("m", text)).interpreted.formulae
    for symbol in reading.survey.symbols[::4]:
        if symbol.name == "Environment" or symbol.kind in (Kind.VALUE, Kind.LABEL):
            continue
        new = applied(found, renamed(found, reading, symbol.span.start, "zz_new", pieces))
        again = Reading(new)
        back = next(s for s in again.survey.named["zz_new"])
        old = applied(document(new), renamed(document(new), again, back.span.start, symbol.name, pieces))
        assert old == text
        assert len(Model.read(Source("m", new)).interpreted.formulae) == len(formulas)


@pytest.mark.parametrize(
    ("piece", "name", "reason"),
    [
        ("acked", "bit", "there is already the variable `bit` of Sender"),
        ("Sender\n", "Receiver", "there is already the agent `Receiver`"),
        ("ack_received", "K", "a meaning of its own"),
        ("ack_received", "1st", "is not a name"),
        ("partners", "Sender", "means something else"),
        ("Environment", "World", "cannot be changed"),
        ("Vars", "Wars", "no name here"),
    ],
)
def test_refusals_have_reasons(piece, name, reason):
    with pytest.raises(Refused, match=reason):
        renamed(document(), Reading(TEXT), TEXT.index(piece), name, Pieces())


def labels(before: str, text: str = TEXT) -> list[str]:
    """What is offered right behind a piece of a text whose line ends there."""
    at = text.index(before) + len(before)
    cut = text[:at] + text[text.index("\n", at) :]
    return [item.label for item in completions(document(cut), Reading(cut), at).items]


def test_completion_in_context():
    assert labels("Sender.Action = ")[:3] == ["send_zero", "send_one", "rest"]
    assert labels("Sender.bit = ")[:2] == ["zero", "one"]
    assert {"partners", "Sender"} <= set(labels("K("))
    assert {"ack_received", "AG", "GCK"} <= set(labels("Formulae\n  "))
    assert labels("partners = {") == ["Environment", "Sender", "Receiver"]
    assert "Evolution" in labels("Agent Sender\n")
    assert "Formulae" in labels("end Agent\n")
    assert labels("Environment.")[0] == "line"


def test_nothing_is_offered_in_comments():
    text = "Agent A\n  Vars: x : boolean; end Vars -- a wo\nend Agent\n"
    assert labels("-- a wo", text) == []


@pytest.mark.parametrize(
    ("piece", "words"),
    [
        ("line :", "It is seen by `Environment`."),
        ("acked :", "It is seen by `Sender` alone."),
        ("AG", "all states that can be reached"),
        ("K(", "knows"),
        ("send_zero", "action send_zero of Sender"),
        ("Protocol", "enabled"),
        ("partners", "{Sender, Receiver}"),
    ],
)
def test_hovers(piece, words):
    found = hover(document(), Reading(TEXT), TEXT.index(piece))
    assert words in found.contents.value


def test_hovers_show_what_is_written_as_code():
    text = "Agent A\n  Vars: x : {a, b}; end Vars\nend Agent\nEvaluation p if A.x = a; end Evaluation\n"
    found = hover(document(text), Reading(text), text.index("p if"))
    assert found.contents.value.startswith("```ispl\n")


WITH_CONSTANTS = """Const n = 3;
Const m = 2 * n;
Agent Environment
  Obsvars: x : array 1..n of boolean; end Obsvars
  Vars: y : 0..m; end Vars
  Actions = {a};
  Protocol: Other : {a}; end Protocol
  Evolution: y = 0 if y < m; end Evolution
end Agent
Agent Child(i : 1..n, j : {u, v})
  Lobsvars = {y};
  Actions = {a};
  Protocol: Other : {a}; end Protocol
end Agent
InitStates Environment.y = 0; end InitStates
Groups g = {Child(2, u)}; end Groups
Formulae
  <g> F Environment.y < 2;
  K(Child(1, v), Environment.y = 0 -> Environment.y < 2);
end Formulae
"""


@pytest.mark.parametrize(
    ("piece", "words"),
    [
        ("m; end Vars", "Its value is `6`"),
        ("n of", "Its value is `3`"),
        ("Child(i", "6 instances: `Child(1,u)`"),
        ("Child(2", "`i = 2`, `j = u`"),
        ("Child(1", "`i = 1`, `j = v`"),
        ("i : 1..n", "one `Child` for each value"),
        ("x : array", "array 1..n of boolean"),
        ("x : array", "seen by all agents"),
        ("y : 0..m", "seen by `Environment`, `Child`"),
        ("y : 0..m", "written by `Environment`"),
        ("<g>", "have a strategy"),
        ("->", "`!f or g`"),
    ],
)
def test_hovers_know_constants_instances_and_signs(piece, words):
    found = hover(document(WITH_CONSTANTS), Reading(WITH_CONSTANTS), WITH_CONSTANTS.index(piece))
    assert words in found.contents.value


def test_a_comparison_is_no_coalition():
    place = WITH_CONSTANTS.index("< 2;")
    assert hover(document(WITH_CONSTANTS), Reading(WITH_CONSTANTS), place) is None
