"""Random models with templates mean what they are written out as, by hand and by `knower expand`."""

from __future__ import annotations

from hypothesis import assume, given
from random_templates import Pair, pairs

from engines import Asker
from expansion.plain_ispl import check_same, explored, graph, read
from knower.errors import InputError, LimitReached, NoInitialState
from knower.expansion.naming import Vocabulary
from knower.source import Source
from knower.syntax.formatting import format_ispl
from strategies import cases


def check_written_out(pair: Pair) -> None:
    model, plain = read(pair.template), read(pair.plain)
    first, second = explored(model, 300), explored(plain, 300)
    names = Vocabulary(model.interpreted)
    actions = {name: names.value(name) for agent in model.interpreted.agents for name in agent.actions}
    assert graph(first, actions) == graph(second, {})
    verdicts = [first.check(spec).verdict for spec in model.interpreted.formulae]
    assert verdicts == [second.check(spec).verdict for spec in plain.interpreted.formulae]


@cases(60)
@given(pairs())
def test_templates_mean_what_they_are_written_out(pair):
    try:
        check_written_out(pair)
    except (NoInitialState, LimitReached):
        assume(False)


@cases(40)
@given(pairs())
def test_templates_mean_what_their_expansions_mean(pair):
    model = read(pair.template)
    try:
        text = model.expanded()
        check_same(model, text, 300)
    except InputError as refused:
        assert {each.code for each in refused.diagnostics} == {"E417"}
        assume(False)
    except (NoInitialState, LimitReached):
        assume(False)


@cases(15)
@given(pairs())
def test_all_engines_read_templates_alike(pair):
    model = read(pair.template)
    try:
        exact = explored(model, 300)
        verdicts = [exact.check(spec).verdict for spec in model.interpreted.formulae]
    except (NoInitialState, LimitReached):
        assume(False)
    for name in ("bdd", "bitset"):
        engine = Asker(name, model.interpreted)
        assert (name, engine.states) == (name, exact.states)
        assert [engine.check(spec).verdict for spec in model.interpreted.formulae] == verdicts


@cases(30)
@given(pairs())
def test_templates_are_laid_out_without_a_change(pair):
    once = format_ispl(Source("m", pair.template))
    assert "".join(once.split()) == "".join(pair.template.split())
    assert format_ispl(Source("m", once)) == once
