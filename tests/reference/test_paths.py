"""The search over debts against the definition of LDL on words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lassos import Word

from knower.limits import Budget
from knower.logic import formula as f
from knower.reference.digraph import Digraph
from knower.reference.paths import Walks, some_path, some_trace
from knower.syntax.formulas import parse_formula
from strategies import cases

ATOMS = st.sampled_from(["p", "q", "r"]).map(f.Atom)
LETTERS = st.frozensets(st.sampled_from(["p", "q", "r"]))


def _programs(formulas: st.SearchStrategy[f.Formula]) -> st.SearchStrategy[f.Program]:
    leaves = st.one_of(
        st.one_of(ATOMS, st.just(f.TRUE)).map(f.Letter),
        ATOMS.map(f.Test),
        formulas.map(f.Test),
    )
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.builds(f.Seq, inner, inner), st.builds(f.Choice, inner, inner), inner.map(f.Star)
        ),
        max_leaves=4,
    )


def _paths() -> st.SearchStrategy[f.Formula]:
    def grow(inner: st.SearchStrategy[f.Formula]) -> st.SearchStrategy[f.Formula]:
        unary = st.sampled_from([f.Not, f.X, f.WX, f.F, f.G])
        binary = st.sampled_from([f.And, f.Or, f.Implies, f.U, f.W, f.R])
        modal = st.sampled_from([f.Diamond, f.Box])
        return st.one_of(
            st.builds(lambda op, a: op(a), unary, inner),
            st.builds(lambda op, a, b: op(a, b), binary, inner, inner),
            st.builds(lambda op, r, a: op(r, a), modal, _programs(inner), inner),
        )

    return st.recursive(st.one_of(ATOMS, st.sampled_from([f.TRUE, f.FALSE])), grow, max_leaves=6)


PATHS = _paths()


def _labels(letters: tuple[frozenset[str], ...]) -> dict[str, frozenset[int]]:
    return {p: frozenset(k for k, letter in enumerate(letters) if p in letter) for p in "pqr"}


@cases(250)
@given(PATHS, st.lists(LETTERS, min_size=1, max_size=5), st.data())
def test_a_lasso_has_the_path_iff_its_word_satisfies_the_formula(formula, letters, data):
    letters = tuple(letters)
    loop = data.draw(st.integers(0, len(letters) - 1))
    word = Word(letters, loop)
    graph = Digraph([[k + 1] if k + 1 < len(letters) else [loop] for k in range(len(letters))])
    found = some_path(formula, _labels(letters), Walks(graph), [], Budget())
    assert found == word.where(formula)


@cases(250)
@given(PATHS, st.lists(LETTERS, min_size=1, max_size=4))
def test_a_line_has_the_trace_iff_one_of_its_prefixes_satisfies_the_formula(formula, letters):
    letters = tuple(letters)
    graph = Digraph([[k + 1] if k + 1 < len(letters) else [] for k in range(len(letters))])
    found = some_trace(formula, _labels(letters), Walks(graph), Budget())
    expected = {
        k
        for k in range(len(letters))
        if any(Word(letters[k : last + 1], None).satisfies(formula) for last in range(k, len(letters)))
    }
    assert found == expected


@st.composite
def _graphs(draw: st.DrawFn) -> tuple[list[list[int]], tuple[frozenset[str], ...], frozenset[int]]:
    size = draw(st.integers(1, 4))
    nodes = st.integers(0, size - 1)
    edges = [draw(st.lists(nodes, max_size=3, unique=True)) for _ in range(size)]
    letters = tuple(draw(LETTERS) for _ in range(size))
    return edges, letters, draw(st.frozensets(nodes, min_size=1))


def _lassos(edges: list[list[int]], start: int, longest: int) -> list[tuple[list[int], int]]:
    """All lassos from a node with at most so many positions: the nodes and where the loop starts."""
    found, todo = [], [[start]]
    while todo:
        way = todo.pop()
        for after in edges[way[-1]]:
            found += [(way, k) for k, node in enumerate(way) if node == after]
            if len(way) < longest:
                todo.append([*way, after])
    return found


@cases(200)
@given(PATHS, _graphs())
def test_on_graphs_a_fair_lasso_that_satisfies_the_formula_is_never_missed(formula, drawn):
    edges, letters, fair = drawn
    graph = Digraph(edges)
    found = some_path(formula, _labels(letters), Walks(graph), [fair], Budget())
    refuted = some_path(f.Not(formula), _labels(letters), Walks(graph), [fair], Budget())
    for start in range(len(edges)):
        lassos = [(way, loop) for way, loop in _lassos(edges, start, 5) if fair & set(way[loop:])]
        answers = {Word(tuple(letters[n] for n in way), loop).satisfies(formula) for way, loop in lassos}
        assert (True in answers) <= (start in found)
        assert (False in answers) <= (start in refuted)
        # A path exists iff it satisfies the formula or its negation.
        endless = start in graph.always(graph.nodes, [fair])
        assert endless == (start in found or start in refuted)


@pytest.mark.parametrize(
    ("text", "letters", "loop", "expected"),
    [
        # At every position something is owed, but nothing for ever: the breakpoint must see that.
        ("G X X p", ["p"], 0, True),
        ("G F p and G F q", ["p", "q"], 0, True),
        ("G (p -> X X X p)", ["p", "p", "q"], 0, True),
        ("[tt*]<tt;tt;tt>(p or q)", ["p", "q"], 0, True),
        ("G F p and G F q", ["p", "q", "p"], 2, False),
        ("G F (p and X p)", ["p", "q"], 0, False),
        # Stars that need not consume a step.
        ("<(p?)*>q", ["p", "q"], 1, False),
        ("<(p?;tt)*>q", ["p", "q"], 1, True),
        ("[(p?)*]q", ["p", "q"], 1, False),
        ("[(p? + tt)*]p", ["p"], 0, True),
        ("<((p?)*;(q?)*)*>r", ["p", "r"], 1, False),
        ("<((p?)*;tt)*>r", ["p", "r"], 1, True),
    ],
)
def test_formulas_that_are_easy_to_get_wrong(text, letters, loop, expected):
    formula = parse_formula(f"LDL {text}").specification.body
    word = Word(tuple(frozenset({letter}) for letter in letters), loop)
    graph = Digraph([[word.after(k)] for k in range(len(letters))])
    assert word.satisfies(formula) is expected
    assert (0 in some_path(formula, _labels(word.letters), Walks(graph), [], Budget())) is expected
