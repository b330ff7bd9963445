"""Path formulas made smaller mean what they meant; what is found in them; recursion without a limit."""

from __future__ import annotations

from collections.abc import Generator

import pytest
from hypothesis import given
from hypothesis.strategies import SearchStrategy

from knower import loads
from knower.logic import formula as f
from knower.logic.fold import fold, unwound
from knower.logic.formula import FALSE, TRUE, Formula
from knower.logic.linear import asks_of_paths, conjuncts, invariant, normal
from knower.logic.simplify import simplified
from knower.syntax.printing import print_formula
from reference.lassos import Word
from strategies import Choices, cases, drawn

SYSTEM = loads("""
Agent i end Agent
Evaluation p if true; q if true; r if true; end Evaluation
""")
P, Q, R = (f.Atom(name) for name in "pqr")


def formula(text: str) -> Formula:
    return SYSTEM.parse(f"LDLf {text}").body


# -- rule by rule ----------------------------------------------------------------------------------------

#: A formula, and what it becomes on finite traces.
RULES = [
    # constants and equal operands
    ("<tt>p and true", "<true>p"),
    ("true and <tt>p", "<true>p"),
    ("<tt>p and false", "false"),
    ("false and <tt>p", "false"),
    ("<tt>p or false", "<true>p"),
    ("false or <tt>p", "<true>p"),
    ("<tt>p or true", "true"),
    ("true or <tt>p", "true"),
    ("<tt>p and <tt>p", "<true>p"),
    ("<tt>p or <tt>p", "<true>p"),
    ("<tt>p and <tt>q", "<true>p and <true>q"),
    # modalities
    ("<ff?>p", "false"),
    ("[ff?]p", "true"),
    ("<p>false", "false"),
    ("[p]true", "true"),
    ("<p>true", "<p>true"),
    ("[p]false", "[p]false"),
    ("<p?><tt>q", "p and <true>q"),
    ("<p?>true", "p"),
    ("<tt?><tt>q", "<true>q"),
    ("[tt?][tt]q", "[true]q"),
    ("[p?][tt]q", "[p?][true]q"),
    ("<(<tt>p)?>q", "<<true>p?>q"),
    ("[tt]p", "[true]p"),
    ("[p]q", "[p]q"),
    ("<tt*>[tt*]<tt*>p", "[true*]<true*>p"),
    ("[tt*]<tt*>[tt*]p", "<true*>[true*]p"),
    ("<tt*>[p*]<tt*>q", "<true*>[p*]<true*>q"),
    ("[tt*]<tt*>[tt]p", "[true*]<true*>[true]p"),
    # letters
    ("<ff>p", "false"),
    ("[ff]p", "true"),
    # choices
    ("<p + p>q", "<p>q"),
    ("<p* + p*>q", "<p*>q"),
    ("<ff? + p>q", "<p>q"),
    ("<p + ff>q", "<p>q"),
    ("<p + q>r", "<(p or q)>r"),
    ("<p + tt>r", "<true>r"),
    ("[p? + q?]r", "[(p or q)?]r"),
    ("<p? + q?>r", "(p or q) and r"),
    ("[p? + (<tt>q)?]r", "[(p or <true>q)?]r"),
    ("<p + q?>r", "<p + q?>r"),
    # sequences
    ("<ff;p>q", "false"),
    ("[p;ff]q", "true"),
    ("<tt?;p>q", "<p>q"),
    ("<p;tt?>q", "<p>q"),
    ("<p*;p*>q", "<p*>q"),
    ("<p;p>q", "<p;p>q"),
    ("<p?;q>r", "<(p and q)>r"),
    ("<p?;tt>r", "<p>r"),
    ("<q;p?>r", "<q;p?>r"),
    ("<(<tt>p)?;q>r", "<<true>p?;q>r"),
    # stars
    ("<(p?)*><tt>q", "<true>q"),
    ("[((<tt>p)?)*]q", "q"),
    ("<(p*)*>q", "<p*>q"),
    ("<(p? + q)*>r", "<q*>r"),
    ("<(q + (<tt>p)?)*>r", "<q*>r"),
    ("<(p? + q?)*>r", "r"),
    ("<(p* + q)*>r", "<(p or q)*>r"),
    ("<(p + q*)*>r", "<(p or q)*>r"),
    ("<(p*;q*)*>r", "<(p or q)*>r"),
    ("<(p*;q)*>r", "<(p*;q)*>r"),
    ("<((p? + q*)* + (r*)*)*>p", "<(q or r)*>p"),
    ("<((p;q)* + p?)*>r", "<(p;q)*>r"),
    ("<(ff)*>r", "r"),
]


@pytest.mark.parametrize(("text", "expected"), RULES)
def test_rules(text, expected):
    assert print_formula(simplified(formula(text), finite=True)) == expected
    if "[tt]" not in text:
        assert print_formula(simplified(formula(text), finite=False)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("[tt]p", "<true>p"), ("[tt][p][tt]q", "<true>[p]<true>q"), ("[tt]true", "<true>true")],
)
def test_on_infinite_paths_there_is_a_next_position(text, expected):
    assert print_formula(simplified(formula(text), finite=False)) == expected


#: The operators of LTL as they leave the normal form.
NORMAL = [
    ("p U q", "<p*>q"),
    ("F F p", "<true*>p"),
    ("G G p", "[true*]p"),
    ("F G F p", "[true*]<true*>p"),
    ("!G F p", "<true*>[true*]!p"),
    ("p R q", "[!p*]q"),
    ("p W q", "[!q*](p or q)"),
    ("(X p) U q", "<(<true>p?;true)*>q"),
    ("<p*><p*><q*>r", "<p*><q*>r"),
    ("[p*][p*]r", "[p*]r"),
    ("<p*>[p*]r", "<p*>[p*]r"),
]


@pytest.mark.parametrize(("text", "expected"), NORMAL)
def test_formulas_of_ltl(text, expected):
    assert print_formula(simplified(normal(formula(text)), finite=True)) == expected


# -- at random -------------------------------------------------------------------------------------------

_LEAVES = (P, Q, R, TRUE, FALSE)
_STEPS = (TRUE, P, f.Not(Q), FALSE, f.Or(Q, R))


def path_formula(choose: Choices, depth: int = 4) -> Formula:
    """Any path formula over the leaves, in no normal form."""

    def sub() -> Formula:
        return choose.part(lambda choice: path_formula(choice, depth - 1))

    if depth == 0 or choose.rarely(6):
        return choose.one(_LEAVES)
    match choose.below(6):
        case 0:
            return choose.one((f.X, f.F, f.G, f.WX, f.Not))(sub())
        case 1:
            return choose.one((f.U, f.W, f.R))(sub(), sub())
        case 2:
            return choose.one((f.And, f.Or, f.Implies))(sub(), sub())
        case _:
            return choose.one((f.Diamond, f.Box))(program(choose, depth), sub())


def program(choose: Choices, depth: int, size: int = 3) -> f.Program:
    match choose.below(7) if size else choose.below(2):
        case 0:
            return f.Letter(choose.one(_STEPS))
        case 1:
            return f.Test(path_formula(choose, depth - 1 if choose.rarely(3) else 0))
        case 2 | 3 | 4:
            return f.Star(program(choose, depth, size - 1))
        case 5:
            return f.Seq(program(choose, depth, size - 1), program(choose, depth, size - 1))
        case _:
            return f.Choice(program(choose, depth, size - 1), program(choose, depth, size - 1))


def _word(choose: Choices) -> Word:
    size = choose.between(1, 5)
    letters = tuple(frozenset(choose.some("pqr", 0)) for _ in range(size))
    return Word(letters, choose.one([*range(size), None, None]))


PATHS: SearchStrategy[Formula] = drawn(path_formula)
WORDS: SearchStrategy[Word] = drawn(_word)


def test_the_meaning_stays():
    changed = smaller = 0

    @cases(300)
    @given(PATHS, WORDS)
    def same(path, word):
        nonlocal changed, smaller
        before = normal(path)
        after = simplified(before, finite=word.loop is None)
        assert word.where(before) == word.where(path)
        assert word.where(after) == word.where(path), print_formula(after)
        assert word.where(simplified(before, finite=True)) == word.where(path)
        assert _size(after) <= _size(before)
        changed += after != before
        smaller += _size(after) < _size(before)

    same()
    assert changed > cases(120).max_examples
    assert smaller > cases(100).max_examples


def _size(path: Formula) -> int:
    return fold(path, lambda _, below: 1 + sum(below))


# -- what is found in path formulas ----------------------------------------------------------------------


def test_conjuncts_from_left_to_right():
    parts = [formula(text) for text in ("p", "F q", "p or q", "p")]
    a, b, c, d = parts
    for whole in (f.And(f.And(a, b), f.And(c, d)), f.And(a, f.And(b, f.And(c, d)))):
        assert conjuncts(whole) == parts
    assert conjuncts(b) == [b]
    assert conjuncts(f.X(f.And(a, b))) == [f.X(f.And(a, b))]


def test_conjuncts_at_any_depth():
    left = right = P
    for _ in range(20_000):
        left, right = f.And(left, Q), f.And(Q, right)
    assert conjuncts(left) == [P, *[Q] * 20_000]
    assert conjuncts(right) == [*[Q] * 20_000, P]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("G p", "p"),
        ("[tt*](p and K(i, q))", "p and K(i, q)"),
        ("G X p", None),
        ("[p*]q", None),
        ("[tt]q", None),
        ("<tt*>q", None),
        ("F q", None),
        ("p", None),
    ],
)
def test_invariants(text, expected):
    assert invariant(formula(text)) == (None if expected is None else formula(expected))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(X p)?", True),
        ("(p?;tt)*", False),
        ("((<p>q)?;tt)*", True),
        ("p + q;((K(i, p))? + tt)", False),
        ("p + q;((G p)? + tt)", True),
        ("(E X p)?", False),
        ("(E F p or X q)?;tt", True),
    ],
)
def test_tests_that_speak_of_the_path(text, expected):
    asked = SYSTEM.parse(f"CDL* E <{text}>p").body
    assert isinstance(asked, f.E) and isinstance(asked.sub, f.Diamond)
    assert asks_of_paths(asked.sub.program) is expected


# -- recursion without a limit ---------------------------------------------------------------------------


def test_a_hundred_thousand_levels():
    def total(number: int) -> Generator[int, int, int]:
        return number + (yield number - 1) if number else 0

    assert unwound(100_000, total) == 100_000 * 100_001 // 2


def test_one_request_may_ask_for_several():
    def fibonacci(number: int) -> Generator[int, int, int]:
        return (yield number - 1) + (yield number - 2) if number > 1 else number

    assert [unwound(number, fibonacci) for number in range(10)] == [0, 1, 1, 2, 3, 5, 8, 13, 21, 34]


def test_what_goes_wrong_inside_is_told():
    def failing(number: int) -> Generator[int, int, int]:
        return 1 // number + (yield number - 1)

    with pytest.raises(ZeroDivisionError):
        unwound(10, failing)
