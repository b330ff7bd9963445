"""Path formulas piece by piece: the same states as by the whole automaton, and as by the reference."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import knower
from engines import Asker, computing
from knower.checking.evaluate import Evaluator
from knower.checking.linear import Linear
from knower.checking.temporal import Paths
from knower.errors import LimitReached
from knower.families import generate
from knower.functions.registry import available
from knower.logic import formula as f
from knower.logic.fold import subformulas
from knower.logic.formula import Formula
from knower.logic.language import Language, Specification
from knower.logic.linear import asks_of_paths, normal, skeleton
from knower.logic.simplify import simplified
from knower.options import DeadlockPolicy, Tuning
from knower.symbolic.decode import Decoder
from knower.symbolic.partition import Partition
from knower.syntax.formulas import parse_formula
from knower.syntax.tree import Module, Names
from strategies import Choices, cases, drawn, modules, specifications
from worlds import explored, questions

pytestmark = pytest.mark.skipif(not available(), reason="no library of decision diagrams is installed")

NAMES = Names(frozenset({"Walker"}), frozenset(), frozenset({"p", "q", "r"}))


def diagrams(reference: Asker) -> Asker:
    return Asker("bdd", reference.system, computing(60), reference.reading, Tuning(available()[0]))


def where(model: Asker, states: Any, reference: Asker) -> frozenset[int]:
    """A symbolic set of states by the reference's numbers; it holds no others."""
    decoder, nothing = Decoder(model.model), model.model.space.false
    codes = map(decoder.code, reference.space.states)
    found = frozenset(number for number, code in enumerate(codes) if code & states != nothing)
    assert model.model.system.count(states) == len(found)
    return found


def expected(reference: Asker, spec: Specification) -> frozenset[int]:
    reference.budget.seconds = reference.budget.elapsed + 5
    try:
        return reference.states_where(spec)
    except LimitReached:
        assume(False)
        raise


# -- examples that once were wrong -----------------------------------------------------------------------


def walker(ways: str, fairness: str = "") -> str:
    """Somebody who walks on five places; q holds on the first and the fourth, r on the last two."""
    steps = ways.split()
    going = {place: ", ".join(f"a{after}" for before, after in steps if before == place) for place in "01234"}
    return f"""
    Agent Walker
      Vars: at : 0..4; end Vars
      Actions = {{a0, a1, a2, a3, a4}};
      Protocol: {" ".join(f"at = {place} : {{{to}}};" for place, to in going.items() if to)} end Protocol
      Evolution: {" ".join(f"at = {place} if Action = a{place};" for place in going)} end Evolution
    end Agent
    Evaluation p if Walker.at > 0; q if Walker.at = 0 or Walker.at = 3; r if Walker.at > 2; end Evaluation
    InitStates Walker.at >= 0; end InitStates
    Fairness {fairness} end Fairness
    """


MODELS = {
    "a ring with a short cut": walker("01 12 23 34 40 13 31"),
    "a deadlock": walker("01 12 13 23 24 32 34 20"),
    "loops": walker("00 01 11 12 13 20 23 33 34 44 41"),
    "all to all": walker(" ".join(f"{a}{b}" for a in range(5) for b in range(5) if a != b)),
    "fair": walker("01 12 23 34 40 13 31 22 33", "q; !r;"),
}
#: `E <r*>f` where r has a test that speaks of the path, and what it comes from.
ONCE_WRONG = [
    "LTLf (F r) W (X WX q)",
    "LTL (F r) W (X X q)",
    "LTLf !((F r) W (X WX q))",
    "LTL !((X q) U (G !r))",
    "LTL (X q) U (F r)",
    "LTLf (WX q) U (X r)",
    "LTL (F q) R (X X r)",
    "LDL <([tt]<tt>!q?;tt)*>([tt*]!r and [tt]<tt>!q)",
    "LDLf <([tt]<tt>!q?;tt)*>([tt*]!r and [tt]<tt>!q)",
    "LDL [([tt]<tt>q?;tt)*](<tt*>r or <tt>[tt]q)",
    "LDLf [([tt]<tt>q?;tt)*](<tt*>r or <tt>[tt]q)",
    "CDL* E <([tt]<tt>!q?;tt)*>([tt*]!r and [tt]<tt>!q)",
    "CDL* E <((<tt*>q)?;tt)*>[tt*]!q",
    "CDL* E <((<tt>q)?;tt + (<tt>r)?;tt;tt)*>(<tt>q and <tt;tt>r)",
    "CDL* E <(tt;((<tt>q)?)*)*>([tt*](q -> <tt>r))",
    "CDL* A [((<tt>!q)?;tt)*]<tt>r",
    "CDLf* E <((<tt>q)?;tt)*>[tt](q or [tt]r)",
    "CDLf* E <([tt]q?;tt)*>[tt](r and [tt]!r)",
    "CDLf* A <((X q)?;tt)*>WX r",
]


@pytest.mark.parametrize("name", MODELS)
def test_examples_that_once_disagreed(name):
    system = knower.loads(MODELS[name]).interpreted
    reference = Asker("explicit", system)
    model = diagrams(reference)
    for text in ONCE_WRONG:
        spec = parse_formula(text, NAMES).specification
        found = model.states_where(spec)
        assert where(model, found, reference) == expected(reference, spec), text


def test_the_examples_tell_paths_apart():
    """Some have answers that differ from state to state."""
    telling = set()
    for text in MODELS.values():
        reference = Asker("explicit", knower.loads(text).interpreted)
        for asked in ONCE_WRONG:
            found = expected(reference, parse_formula(asked, NAMES).specification)
            telling |= {asked} if found and len(found) < len(reference.space) else set()
    assert len(telling) > len(ONCE_WRONG) // 2


# -- every way to take a formula apart -------------------------------------------------------------------


def both_ways(worlds: Evaluator[Any], path: Formula, labels: Mapping[str, Any]) -> tuple[Any, Any]:
    """The states with a path for the formula: piece by piece, and by one automaton."""
    whole = simplified(normal(path), finite=worlds.finite)
    pieces, automaton = worlds.linear.some(path, labels), worlds.linear.by_automaton(whole, labels)
    return worlds.universe & pieces, worlds.universe & automaton


#: A path formula, and whether it takes an automaton on infinite paths, and on finite ones.
SHAPES = [
    ("p", False, False),
    ("F p or X q", False, False),
    ("p and F q", False, False),
    ("(p and q) and (!p or X q)", False, False),
    ("X p and X F q", False, False),
    ("p and <p>q and <q>F !p", False, False),
    ("F p and F q", True, True),
    ("X p and F q", True, True),
    ("X (F p and F q)", True, True),
    ("<p>F q", False, False),
    ("p U q", False, False),
    ("<p*>X q", False, False),
    ("<p*>X G q", False, True),
    ("<(p;q)*>p", True, True),
    ("<(p;q)*>X p", True, True),
    ("<(p?;tt;tt)*>G q", True, True),
    ("<((X p)?;tt)*>q", True, True),
    ("<((X p)?;tt)*>X q", True, True),
    ("<((F p)?;tt)*>G !p", True, True),
    ("[p*]X q", True, True),
    ("G p", False, True),
    ("G p and G q", False, False),
    ("G p and F q", False, False),
    ("G p and p and X q and G !q", False, False),
    ("X (G p and q U !q)", False, False),
    ("G p and G F q", True, True),
    ("G p and F q and F !q", True, True),
    ("G p and G (q or X q)", True, True),
    ("p R q", False, True),
    ("[p*]q", False, True),
    ("p W (X q)", True, True),
    ("[(p;q)*]p", True, True),
    ("[p;q]p", True, True),
    ("[(X p)?]q", True, True),
    ("G F p", True, True),
    ("F G p", False, True),
    ("<p + q;p>X q", False, False),
    ("<(X p)?>F q", True, True),
    ("<(X p)? + q>p", False, False),
    ("<p;(q? + !p)>X X q", False, False),
]


@pytest.mark.parametrize(("text", "on_infinite", "on_finite"), SHAPES)
def test_every_shape_is_taken_apart_rightly(text, on_infinite, on_finite):
    path = parse_formula(f"LDLf {text}", NAMES).specification.body

    @cases(3)
    @given(modules(max_states=30), st.sampled_from([DeadlockPolicy.WARN, DeadlockPolicy.LOOP]))
    def agree(module, policy):
        model = diagrams(explored(module, policy))
        for finite in (False, True):
            worlds = model.evaluator(Specification(path, Language.LDLF if finite else Language.LDL))
            labels = {name: worlds.states(f.Atom(name)) for name in ("p", "q")}
            assert uses_automaton(worlds, path, labels) is (on_finite if finite else on_infinite)
            pieces, whole = both_ways(worlds, path, labels)
            assert pieces == whole, finite

    agree()


def uses_automaton(worlds: Evaluator[Any], path: Formula, labels: Mapping[str, Any]) -> bool:
    with patch.object(Linear, "by_automaton", autospec=True, side_effect=Linear.by_automaton) as used:
        worlds.linear.some(path, labels)
    return used.called


@pytest.mark.parametrize(("ways", "holds"), [("01 13 31", False), ("01 13 34", True), ("01 10", True)])
def test_an_invariant_is_looked_at_where_it_fails(ways, holds):
    """Finding 37: where infinite paths begin is asked only if some state is wrong. A deadlock is on none."""
    asker = Asker("bdd", knower.loads(walker(ways).replace("at >= 0", "at = 0")).interpreted)
    spec = parse_formula("LTL G !r", NAMES).specification
    asked, worlds = asker.query(spec), asker.evaluator(spec)
    with patch.object(Partition, "pre", autospec=True, side_effect=Partition.pre) as used:
        assert worlds.holds(asked.formula) is holds
    assert used.called is ("3" in ways)


@pytest.mark.parametrize("text", ["LTL G p -> F r", "LTL F G p -> F r"])
def test_cycles_are_looked_for_only_where_a_path_may_end(text):
    """`G p -> F r` looks at nothing but `p and !r`; `F G p` in that corner asks for its cycles once."""
    asker = Asker("bdd", knower.loads(MODELS["all to all"]).interpreted)
    spec = parse_formula(text, NAMES).specification
    worlds = asker.evaluator(spec)
    inside = worlds.states(f.And(f.Atom("p"), f.Not(f.Atom("r"))))
    with patch.object(Paths, "cycles", autospec=True, side_effect=Paths.cycles) as used:
        assert not worlds.holds(asker.query(spec).formula)
    assert [call.args[1] & worlds.universe for call in used.call_args_list] == [inside]


def test_states_that_nobody_reaches_are_in_a_set_if_that_makes_it_small():
    """Where something is missing is a matter of one variable, however involved the reachable states are."""
    asker = Asker("bdd", knower.loads(generate("go-back-n", n=3, delay=2, line="free")).interpreted)
    invariant, *_, stays = asker.system.formulae
    for spec, steps in ((invariant, 0), (stays, 2)):
        worlds, size = asker.evaluator(spec), asker.model.space.size
        with patch.object(Partition, "pre", autospec=True, side_effect=Partition.pre) as used:
            assert worlds.holds(asker.query(spec).formula)
        assert len(used.call_args_list) == steps
        assert all(size(call.args[1]) < 10 for call in used.call_args_list)
    assert size(worlds.states(f.Not(f.Atom("last_set")))) > 1000


# -- at random -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("logic", ["LTL", "LDL", "LTLf", "LDLf"])
def test_pieces_are_the_whole(logic):
    under_stars = 0

    @cases(40)
    @given(questions(logic, formulas=2))
    def agree(question):
        nonlocal under_stars
        reference, specs = question
        model = diagrams(reference)
        for spec in specs:
            worlds = model.evaluator(spec)
            split = skeleton(spec.body)
            labels = {name: worlds.states(part) for name, part in split.states.items()}
            for path in (split.body, f.Not(split.body)):
                pieces, whole = both_ways(worlds, path, labels)
                assert pieces == whole, spec
                under_stars += asks_under_a_star(simplified(normal(path), finite=worlds.finite))

    agree()
    assert under_stars >= cases(3).max_examples


def asks_under_a_star(path: Formula) -> bool:
    return any(isinstance(item, f.Star) and asks_of_paths(item) for item in subformulas(path))


@st.composite
def stars(draw: st.DrawFn, module: Module) -> Formula:
    """`<r*>g` or `[r*]g`, with a test in r that speaks of the path."""
    paths = [draw(specifications(module, "LDLf", depth=2)).body for _ in range(3)]
    assume(paths[0].is_path)
    return draw(drawn(lambda choose: _star(choose, paths)))


def _star(choose: Choices, paths: list[Formula]) -> Formula:
    test, step = f.Test(paths[0]), f.Letter(f.TRUE)
    program = choose.one((f.Seq(test, step), f.Seq(step, test), f.Seq(step, f.Seq(test, step))))
    if choose.rarely(3):
        program = f.Choice(program, f.Seq(f.Test(paths[2]), step))
    return choose.one((f.Diamond, f.Box))(f.Star(program), paths[1])


@pytest.mark.parametrize("language", [Language.CDL_STAR, Language.CDLF_STAR])
def test_tests_under_stars_speak_of_the_same_path(language):
    """By pieces, by an automaton, and by the reference."""

    @cases(25)
    @given(st.data())
    def agree(data):
        module = data.draw(modules(max_states=24))
        path = data.draw(stars(module))
        reference = explored(module)
        model = diagrams(reference)
        spec = Specification(f.E(path), language)
        worlds, split = model.evaluator(spec), skeleton(path)
        labels = {name: worlds.states(part) for name, part in split.states.items()}
        pieces, whole = both_ways(worlds, split.body, labels)
        assert pieces == whole, spec
        assert where(model, pieces, reference) == expected(reference, spec), spec

    agree()
