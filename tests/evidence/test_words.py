"""Path formulas on one word: the judge's reading, and the account the finder gives.

On these words `K(i, x)` is true where the letter has `Kx`; what agents know is no matter here.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from knower.evidence.judge_words import positions_where
from knower.evidence.words import Account, accounted_for
from knower.limits import Budget
from knower.logic import formula as f
from knower.logic.fold import fold, rewrite
from knower.logic.formula import TRUE, Atom, Box, Diamond, F, Formula, G, K, M, Not, X
from knower.logic.kinds import is_propositional
from knower.logic.linear import skeleton
from knower.logic.rewrite import negation_normal_form
from knower.reference.digraph import Digraph
from knower.reference.paths import Walks, some_path
from knower.syntax.formulas import parse_formula
from knower.syntax.tree import Names
from reference.lassos import Word
from strategies import Choices, cases, drawn

Oracle = Callable[[Formula, int], bool]

P, Q, R = (Atom(name) for name in "pqr")
KP, KQ = K("i", P), K("i", Q)
NAMES = Names(frozenset({"i"}), frozenset(), frozenset({"p", "q", "r"}))


def word(text: str, loop: int | None = None) -> Word:
    """`p Kq,q -` has three positions; a minus stands for nothing."""
    return Word(tuple(frozenset(letter.split(",")) - {"-"} for letter in text.split()), loop)


def formula(text: str) -> Formula:
    return parse_formula(f"LDLf {text}", NAMES).specification.body


def on(here: Word) -> Oracle:
    """What is true of a state formula at a position."""

    def step(item: Formula, below: tuple[Callable[[frozenset[str]], bool], ...]):
        match item:
            case f.Constant(value):
                return lambda letter: value
            case Atom(name):
                return lambda letter: name in letter
            case Not():
                return lambda letter: not below[0](letter)
            case f.And():
                return lambda letter: below[0](letter) and below[1](letter)
            case f.Or():
                return lambda letter: below[0](letter) or below[1](letter)
            case K(_, Atom(name)):
                return lambda letter: f"K{name}" in letter
            case M(_, Not(Atom(name))):
                return lambda letter: f"K{name}" not in letter

    return lambda state_formula, position: fold(state_formula, step)(here.letters[position])


def established(path: Formula, here: Word, holds: Oracle | None = None) -> frozenset[int]:
    """The judge's reading, of a formula in any form."""
    return positions_where(normal(path, here), len(here.letters), here.loop, holds or on(here))


def normal(path: Formula, here: Word) -> Formula:
    return negation_normal_form(path, finite=here.loop is None)


def account(path: Formula, here: Word) -> Account | None:
    return accounted_for(normal(path, here), len(here.letters), here.loop, on(here))


# -- by hand -----------------------------------------------------------------------------------------

#: A formula, a lasso and where it returns to (None: a trace), the positions where the formula holds.
READINGS = [
    ("X p", "p - p", 1, {1}),
    ("X p", "p - p", None, {1}),
    ("WX p", "p - -", None, {2}),
    ("X true", "p p", None, {0}),
    ("F p", "- p - -", 2, {0, 1}),
    ("F p", "- p - -", 1, {0, 1, 2, 3}),
    ("F p", "- p -", None, {0, 1}),
    ("G p", "- p p", 1, {1, 2}),
    ("G p", "- p p", 0, set()),
    ("G p", "- p p", None, {1, 2}),
    ("G F p", "p - p", 1, {0, 1, 2}),
    ("F G p", "p - p", 2, {0, 1, 2}),
    ("p U q", "p p q -", 3, {0, 1, 2}),
    ("p U q", "p p p", 1, set()),
    ("p W q", "p p p", 1, {0, 1, 2}),
    ("p W q", "p p -", None, set()),
    ("p W q", "p q - p", None, {0, 1, 3}),
    ("q R p", "p p,q -", 2, {0, 1}),
    ("q R p", "p q p", None, {2}),
    ("q R p", "p p", 0, {0, 1}),
    ("<p>q", "p q p", None, {0}),
    ("[p]q", "p q p", None, {0, 1, 2}),
    ("[p]q", "p p q", 0, {1, 2}),
    ("<p?>q", "p q p,q", None, {2}),
    ("[p?]q", "p q p,q", None, {1, 2}),
    ("<p*>q", "p p q -", 3, {0, 1, 2}),
    ("[p*]q", "p,q p,q q -", 3, {0, 1, 2}),
    ("[p*]q", "p,q p,q - -", 3, set()),
    ("<(tt;tt)*>p", "- - p -", 3, {0, 2}),
    ("<(tt;tt)*>p", "- - p", 0, {0, 1, 2}),
    ("<p+q;q>r", "p q q r", None, {1}),
    ("[p+q]r", "p q q r", None, {2, 3}),
    ("<((p?)*;tt)*>r", "p r", 1, {0, 1}),
    ("[(p?;tt)*]q", "p,q p,q q -", 3, {0, 1, 2}),
    ("[tt*](p -> <tt>q)", "p q p q", 0, {0, 1, 2, 3}),
    ("<(F q)?;p>r", "p p,r q", None, {0}),
    ("[(X q)?;tt]r", "p q r", None, {1, 2}),
    ("F K(i,p)", "- Kp -", None, {0, 1}),
    ("[(K(i,p))?;tt]q", "Kp - Kp q", None, {1, 2, 3}),
]


@pytest.mark.parametrize(("text", "letters", "loop", "expected"), READINGS)
def test_readings_known_by_hand(text, letters, loop, expected):
    assert established(formula(text), word(letters, loop)) == expected


#: A formula, a word, what its truth at the start rests on, and where its parts are fulfilled.
ACCOUNTS = [
    ("p", "p", 0, [], []),
    ("K(i,p)", "Kp", 0, ["0 K(i, p)"], []),
    ("F K(i,p)", "- - Kp Kp", 0, ["2 K(i, p)"], ["2 F K(i, p)"]),
    ("G K(i,p)", "Kp Kp Kp", 1, ["0 K(i, p)", "1 K(i, p)", "2 K(i, p)"], []),
    ("G K(i,p)", "Kp Kp", None, ["0 K(i, p)", "1 K(i, p)"], []),
    ("X X K(i,p)", "- - Kp", 2, ["2 K(i, p)"], ["1 X X K(i, p)", "2 X K(i, p)"]),
    ("X p", "- p", 0, [], ["1 X p"]),
    ("WX K(i,p)", "-", None, [], []),
    ("G WX K(i,p)", "- Kp", None, ["1 K(i, p)"], []),
    ("G F p", "p - p - ", 1, [], ["0 F p", "2 F p"]),
    ("G F K(i,p)", "- Kp -", 0, ["1 K(i, p)"], ["1 F K(i, p)"]),
    ("F G K(i,p)", "Kp - Kp", 2, ["2 K(i, p)"], ["2 F G K(i, p)"]),
    ("K(i,p) U q", "Kp Kp q,Kp", 0, ["0 K(i, p)", "1 K(i, p)"], ["2 K(i, p) U q"]),
    ("K(i,p) W q", "Kp q -", 2, ["0 K(i, p)"], ["1 K(i, p) W q"]),
    ("K(i,p) W q", "Kp Kp", 0, ["0 K(i, p)", "1 K(i, p)"], []),
    ("q R K(i,p)", "Kp Kp,q -", 2, ["0 K(i, p)", "1 K(i, p)"], ["1 q R K(i, p)"]),
    ("q R K(i,p)", "Kp Kp", None, ["0 K(i, p)", "1 K(i, p)"], []),
    # Propositions rather than knowledge, else the left.
    ("F K(i,p) or F q", "Kp q", 0, [], ["1 F q"]),
    ("X K(i,p) or X K(i,q)", "- Kp,Kq", 0, ["1 K(i, p)"], ["1 X K(i, p)"]),
    ("F (K(i,p) or X q)", "Kp - q", 0, [], ["1 F (K(i, p) or X q)", "2 X q"]),
    ("X K(i,p) and (X K(i,q) or X q)", "- Kp,Kq,q", 0, ["1 K(i, p)"], ["1 X K(i, p)", "1 X q"]),
    # Programs: the shortest execution, with the tests on its way.
    ("<tt*>K(i,p)", "- - Kp Kp", 0, ["2 K(i, p)"], ["2 <tt*>K(i, p)"]),
    ("<tt;tt + tt>K(i,p)", "- Kp Kp", 0, ["1 K(i, p)"], ["1 <tt;tt + tt>K(i, p)"]),
    (
        "<((K(i,p))?;tt)*>q", "Kp Kp q,Kp", 0,
        ["0 K(i, p)", "1 K(i, p)"], ["2 <((K(i, p))?;tt)*>q"],
    ),
    ("<((K(i,p))? + tt)*>q", "Kp Kp q", 0, [], ["2 <((K(i, p))? + tt)*>q"]),
    ("<tt;tt + p?;p?;p?;tt>K(i,p)", "p Kp Kp", 0, ["1 K(i,p)"], ["1 <tt;tt + p?;p?;p?;tt>K(i,p)"]),
    ("<(p? + tt)*>K(i,q)", "p p Kq", 0, ["2 K(i,q)"], ["2 <(p? + tt)*>K(i,q)"]),
    ("<(F K(i,p))?;tt>q", "- q Kp", 2, ["2 K(i, p)"], ["1 <(F K(i, p))?;tt>q", "2 F K(i, p)"]),
    ("<tt>q and <tt;tt>q", "- q q", 0, [], ["1 <tt>q", "2 <tt;tt>q"]),
    # Boxes: every end, or why it is not reached.
    ("[tt*]K(i,p)", "Kp Kp", 0, ["0 K(i, p)", "1 K(i, p)"], []),
    ("[p]K(i,p)", "p Kp", 0, ["1 K(i, p)"], []),
    ("[(K(i,p))?;tt]q", "- -", 0, ["0 M(i, !p)"], []),
    ("[(K(i,p))?;tt]q", "- q", 0, [], []),
    ("[(G K(i,p))?;tt]q", "Kp Kp -", 0, ["2 M(i, !p)"], ["2 F M(i, !p)"]),
    ("[(X tt)?]K(i,p)", "-", None, [], []),
]  # fmt: skip


def places(texts: list[str]) -> tuple[tuple[int, Formula], ...]:
    """`2 F p` is F p at position 2."""
    pairs = [text.split(" ", 1) for text in texts]
    return tuple((int(position), formula(part)) for position, part in pairs)


@pytest.mark.parametrize(("text", "letters", "loop", "needed", "met"), ACCOUNTS)
def test_accounts_known_by_hand(text, letters, loop, needed, met):
    found = account(formula(text), word(letters, loop))
    assert found is not None
    assert found == Account(places(needed), places(met))


def test_what_does_not_hold_has_no_account():
    assert account(formula("F K(i,p)"), word("p p", 0)) is None
    assert account(formula("X tt"), word("p")) is None


def test_what_is_not_established_is_not_refuted():
    """The test may be passed, so the operand must hold behind it."""
    assert established(formula("[(K(i,p))?]q"), word("- q"), lambda part, k: part == Q and k == 1) == {1}


# -- at random ---------------------------------------------------------------------------------------

_LEAVES = (P, Q, R, KP, KQ, TRUE, f.FALSE)


def path_formula(choose: Choices, depth: int = 4) -> Formula:
    """Any path formula over the leaves, in no normal form."""

    def sub() -> Formula:
        return choose.part(lambda choice: path_formula(choice, depth - 1))

    if depth == 0 or choose.rarely(6):
        return choose.one(_LEAVES)
    match choose.below(4):
        case 0:
            return choose.one((X, F, G, f.WX, Not))(sub())
        case 1:
            return choose.one((f.U, f.W, f.R))(sub(), sub())
        case 2:
            return choose.one((f.And, f.Or, f.Implies))(sub(), sub())
        case _:
            return choose.one((Diamond, Box))(program(choose, depth), sub())


def program(choose: Choices, depth: int, size: int = 3) -> f.Program:
    match choose.below(6) if size else choose.below(2):
        case 0:
            return f.Letter(choose.one((TRUE, P, Not(Q), f.Or(Q, R))))
        case 1:
            return f.Test(path_formula(choose, depth - 1))
        case 2 | 3:
            return f.Star(program(choose, depth, size - 1))
        case 4:
            return f.Seq(program(choose, depth, size - 1), program(choose, depth, size - 1))
        case _:
            return f.Choice(program(choose, depth, size - 1), program(choose, depth, size - 1))


def _word(choose: Choices) -> Word:
    size = choose.between(1, 5)
    letters = tuple(frozenset(choose.some(["p", "q", "r", "Kp", "Kq"], 0)) for _ in range(size))
    return Word(letters, choose.one([*range(size), None, None]))


PATHS: SearchStrategy[Formula] = drawn(path_formula)
WORDS: SearchStrategy[Word] = drawn(_word)


def as_atoms(path: Formula) -> Formula:
    """`K(i, x)` read as a proposition, for those who know propositions only."""
    return rewrite(path, lambda item: Atom(f"K{item.sub.name}") if isinstance(item, K) else item)


@cases(150)
@given(PATHS, WORDS)
def test_the_judge_reads_a_word_by_the_definition(path, here):
    assert established(path, here) == here.where(as_atoms(path))


@cases(80)
@given(PATHS, WORDS.filter(lambda here: here.loop is not None))
def test_the_judge_agrees_with_the_search_for_a_path(path, here):
    split = skeleton(path)
    holds, positions = on(here), range(len(here.letters))
    whole = {name: normal(part, here) for name, part in split.states.items()}
    labels = {name: frozenset(k for k in positions if holds(part, k)) for name, part in whole.items()}
    graph = Digraph([[here.after(k)] for k in positions])
    assert established(path, here) == some_path(split.body, labels, Walks(graph), [], Budget())


@cases(80)
@given(PATHS, WORDS, st.data())
def test_who_knows_less_establishes_less(path, here, data):
    exact = on(here)
    unknown = data.draw(st.frozensets(st.tuples(st.sampled_from(["K", "M"]), st.integers(0, 4))))

    def holds(part: Formula, position: int) -> bool:
        forgotten = not is_propositional(part) and (type(part).__name__, position) in unknown
        return exact(part, position) and not forgotten

    assert established(path, here, holds) <= established(path, here)


@cases(200)
@given(PATHS, WORDS)
def test_what_is_needed_suffices(path, here):
    found, exact = account(path, here), on(here)
    assert (found is not None) == (0 in established(path, here))
    if found is not None:
        assert all(exact(part, k) and not is_propositional(part) for k, part in found.needed)
        granted = set(found.needed)

        def holds(part: Formula, k: int) -> bool:
            return exact(part, k) if is_propositional(part) else (k, part) in granted

        assert 0 in established(path, here, holds)


def _fulfilment(part: Formula) -> Formula:
    """What must hold where an eventuality is met."""
    match part:
        case X(sub) | F(sub) | Diamond(_, sub):
            return sub
        case f.U(_, right) | f.W(_, right):
            return right
        case f.R(left, right):
            return f.And(left, right)


@cases(80)
@given(PATHS, WORDS)
def test_parts_are_met_where_their_operands_hold(path, here):
    found = account(path, here)
    for k, part in found.met if found else ():
        assert k in established(_fulfilment(part), here)


@cases(80)
@given(PATHS, WORDS)
def test_each_place_is_told_once_and_in_order(path, here):
    found = account(path, here)
    for told in (found.needed, found.met) if found else ():
        assert len(set(told)) == len(told)
        assert all(before <= after for (before, _), (after, _) in pairwise(told))


# -- large -------------------------------------------------------------------------------------------


def nested(start, grow: Callable, times: int):
    for _ in range(times):
        start = grow(start)
    return start


STEP = f.Letter(TRUE)
#: Formulas that hold on the lasso below: deep, or with parts in common.
LARGE = {
    "operators": nested(P, lambda sub: X(F(sub)), 2000),
    "left operands": nested(X(P), lambda sub: f.U(sub, f.WX(sub)), 300),
    "conjunctions": nested(X(P), lambda sub: f.And(sub, f.Or(sub, G(sub))), 100),
    "sequences to the left": Diamond(nested(STEP, lambda r: f.Seq(r, STEP), 1000), P),
    "sequences to the right": Diamond(nested(STEP, lambda r: f.Seq(STEP, r), 1000), P),
    "stars": Diamond(nested(STEP, f.Star, 1000), Q),
    "stars of sequences": Box(nested(STEP, lambda r: f.Star(f.Seq(r, STEP)), 200), P),
    "tests": nested(KP, lambda sub: Diamond(f.Test(f.Or(sub, X(P))), P), 1000),
    "tests of operands": nested(X(P), lambda sub: Box(f.Test(Not(sub)), sub), 40),
    "tests in boxes": nested(X(P), lambda sub: Box(f.Seq(f.Test(f.Not(sub)), STEP), KQ), 50),
}


@pytest.mark.parametrize("name", LARGE)
def test_depth_and_sharing_cost_little(name):
    here = word("p,Kp p,q", 0)
    assert 0 in established(LARGE[name], here)
    assert account(LARGE[name], here) is not None


def test_a_word_may_be_long():
    here = word("p " * 499 + "Kp", 100)
    for text in ("G F K(i,p)", "[tt*]<p*>K(i,p)"):
        assert len(established(formula(text), here)) == 500
        found = account(formula(text), here)
        assert found is not None
        assert found.needed == ((499, KP),)
