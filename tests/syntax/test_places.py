"""Places of the parts of expressions, found for who asks; equal pieces of a text are one node."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knower.errors import InputError
from knower.logic.fold import subformulas
from knower.source import NOWHERE, Source
from knower.syntax.conditions import parse_expression
from knower.syntax.ispl import parse_ispl
from knower.syntax.lexer import Tokens
from knower.syntax.places import located, span_of
from knower.syntax.printing import print_expression
from knower.syntax.tree import Expr, Infix, Name, Phrase
from knower.system.elaborate import elaborate
from strategies import cases, expressions


def written(text: str) -> Phrase:
    return parse_expression(Tokens(Source("<text>", text)), 0)[0]


def mended(text: str) -> str:
    """With the parentheses around its first and last operand, which do not count."""
    depths = [text[:end].count("(") - text[:end].count(")") for end in range(len(text) + 1)]
    return "(" * -min(depths) + text + ")" * (depths[-1] - min(depths))


@cases(150)
@given(expressions(3), st.sampled_from(["{}", "({})", "(( {} ))", "\n  {} -- done"]))
def test_every_part_stands_where_it_can_be_read(expr: Expr, around: str) -> None:
    text = around.format(print_expression(expr))
    found = located(written(text))
    assert found.expr == expr
    parts = list(subformulas(found.expr))
    assert len({id(part) for part in parts}) == len(parts)
    for part in parts:
        span = found.span(part)
        assert written(mended(text[span.start : span.end])).expr == part


def test_parentheses_around_parts_do_not_count() -> None:
    text = "((x)) = 1 and !(A . y <> (2))"
    found = located(written(text))
    read = [text[found.span(part).start : found.span(part).end] for part in subformulas(found.expr)]
    assert read == [
        "x)) = 1 and !(A . y <> (2", "x)) = 1", "x", "1", "!(A . y <> (2", "A . y <> (2", "A . y", "2",
    ]  # fmt: skip


def test_what_was_never_written_is_nowhere() -> None:
    assert span_of(Phrase(Infix("=", Name("x"), Name("y")))) == NOWHERE


MODEL = """
Agent A
  Vars: x : 0..9; y : boolean; end Vars
  Actions = {a, b};
  Evolution:
    x = 1 if x = 0 and Action = a;
    x = 2 if x = 0 and Action = a and y = true;
    y = true if x = 1 and Action = a;
  end Evolution
end Agent
InitStates A.x = 0 and A.y = false; end InitStates
Formulae end Formulae
"""


def test_equal_pieces_are_one_node_and_mean_one_node() -> None:
    source = Source("m.ispl", MODEL)
    module = parse_ispl(source)
    first, second, third = (line.condition.expr for line in module.agents[0].evolution)
    assert second.children[0] is first and third.children[1] is first.children[1]
    lines = elaborate(module, source).agents[0].evolution[0].lines
    assert lines[1].condition.children[0] is lines[0].condition


def test_a_model_without_mistakes_is_read_without_places() -> None:
    source = Source("m.ispl", MODEL)
    module = parse_ispl(source)
    elaborate(module, source)
    assert module.initial is not None and module.initial.place is not None
    tokens = module.initial.place[0]
    assert "starts" not in vars(tokens)
    assert source.text[slice(*module.initial.span[:2])] == "A.x = 0 and A.y = false"
    assert "starts" not in vars(tokens)  # near the end: found by going back


def test_a_mistake_is_reported_at_each_place() -> None:
    text = MODEL.replace("Action = a", "Action = c")
    source = Source("m.ispl", text)
    with pytest.raises(InputError) as caught:
        elaborate(parse_ispl(source), source)
    assert [(found.code, found.line) for found in caught.value.diagnostics] == [
        ("E203", line) for line in (6, 7, 8)
    ]
    for found in caught.value.diagnostics:
        assert source.text[found.span.start : found.span.end] == "c"


@pytest.mark.parametrize("comment", ["", " -- a comment ;\n"])
def test_places_are_the_same_from_the_front_and_from_the_end(comment: str) -> None:
    source = Source("m.ispl", MODEL.replace(";", ";" + comment))
    back, front = Tokens(source), Tokens(source)
    assert front.starts
    for at in reversed(range(len(back.texts))):
        assert back.span(at) == front.span(at)
