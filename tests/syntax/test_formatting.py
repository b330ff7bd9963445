"""`format_ispl` changes white space only, changes it to one layout, and changes nothing twice."""

from __future__ import annotations

from bisect import bisect_left
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from knower.errors import InputError
from knower.source import Source
from knower.syntax.formatting import format_ispl
from knower.syntax.ispl import parse_ispl
from knower.syntax.lexer import Tokens, comments

ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared"

UGLY = """\
-- A game.


-- About nothing.
Semantics=SA;
Agent   Environment Obsvars: turn:{ a,b , c }; end Obsvars
Vars :

x:-1 .. - 3; -- how far

   -- how often
y : boolean;


z:0..4;


end Vars
Lobsvars={ } ;Actions={go,stop};
Protocol:x+-1>=2 and(!y=true or z<>3):{go};Other:{stop};end Protocol
Evolution: -- moves
x=x- - 1 and y=~(y&true)if(Action=go)&&x!=z*2; end Evolution
-- nothing more
end Agent
Agent P Actions={none}; end Agent
-- What is seen.
Evaluation p if Environment.x=1;
q if Environment.x<-1;end Evaluation
InitStates :Environment.x=-1; end InitStates
Groups g={Environment,P};end Groups
Fairness p or!q; end Fairness
Formulae
AG(p->EF!q); K (P,AG p)and GCK( g ,p U q);<g> F p; <g>( p U q );

CTL *A(G p->F q);   A ( p U q );
LDL <(p;q) * ; ( q ? +p) ; [tt *] p ?>[ q;p ] ! q; P.RedStates  ;
end Formulae
-- Done.
"""

PRETTY = """\
-- A game.

-- About nothing.
Semantics = SA;

Agent Environment
  Obsvars:
    turn : {a, b, c};
  end Obsvars
  Vars:
    x : -1..-3;  -- how far

    -- how often
    y : boolean;

    z : 0..4;
  end Vars
  Lobsvars = {};
  Actions = {go, stop};
  Protocol:
    x + -1 >= 2 and (!y = true or z <> 3) : {go};
    Other : {stop};
  end Protocol
  Evolution:  -- moves
    x = x - -1 and y = ~(y & true) if (Action = go) && x != z * 2;
  end Evolution
  -- nothing more
end Agent

Agent P
  Actions = {none};
end Agent

-- What is seen.
Evaluation
  p if Environment.x = 1;
  q if Environment.x < -1;
end Evaluation

InitStates:
  Environment.x = -1;
end InitStates

Groups
  g = {Environment, P};
end Groups

Fairness
  p or !q;
end Fairness

Formulae
  AG (p -> EF !q);
  K(P, AG p) and GCK(g, p U q);
  <g>F p;
  <g>(p U q);

  CTL* A (G p -> F q);
  A (p U q);
  LDL <(p;q)*;(q? + p);[tt*]p?>[q;p]!q;
  P.RedStates;
end Formulae

-- Done.
"""


def formatted(text: str) -> str:
    return format_ispl(Source("<test>", text))


def in_section(word: str, line: str) -> str:
    """One line, formatted inside a section of the top level, without the section."""
    lines = formatted(f"{word} {line} end {word}").splitlines()
    return "\n".join(text.removeprefix("  ") for text in lines[1:-1])


def content(text: str) -> tuple[list[str], list[tuple[int, str]]]:
    """The tokens of a text, and its comments with the number of tokens before each."""
    tokens = Tokens(Source("<test>", text))
    found = [
        (bisect_left(tokens.starts, span.start), text[span.start : span.end].rstrip())
        for span in comments(tokens.source)
    ]
    return tokens.texts, found


def check_sound(text: str) -> str:
    """The formatted text, which says the same, has no loose ends, and is its own layout."""
    result = formatted(text)
    assert content(result) == content(text)
    assert result.endswith("\n")
    assert not result.endswith("\n\n")
    assert not any(line.endswith((" ", "\t", "\r")) for line in result.split("\n"))
    assert "\n\n\n" not in result
    assert formatted(result) == result
    return result


# -- the layout -----------------------------------------------------------------------------------


def test_an_ugly_text_becomes_pretty() -> None:
    assert check_sound(UGLY) == PRETTY


def test_carriage_returns_and_tabs_make_no_difference() -> None:
    assert formatted(UGLY.replace("\n", "\r\n")) == PRETTY
    lines = UGLY.splitlines()
    assert formatted("\n".join(s if "--" in s else s.replace(" ", "\t") for s in lines)) == PRETTY
    assert formatted("Agent\tA\r\n\tVars:\r\n\r\n\r\n\t\tx\t:\t0..1;\r\n\tend\tVars\r\nend\tAgent") == (
        "Agent A\n  Vars:\n    x : 0..1;\n  end Vars\nend Agent\n"
    )


@pytest.mark.parametrize("text", ["", "\n", "  \r\n\t\n"])
def test_an_empty_text_is_one_line(text: str) -> None:
    assert formatted(text) == "\n"


def test_illegal_characters_are_input_errors() -> None:
    with pytest.raises(InputError):
        formatted("Agent A § end Agent")


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("p if a=- -1;", "p if a = - -1;"),
        ("p if a-(-b)<-c;", "p if a - (-b) < -c;"),
        ("p if a<b and c>=d/2|e^~f;", "p if a < b and c >= d / 2 | e ^ ~f;"),
        ("p if !(!a=1)||- 1=b;", "p if !(!a = 1) || -1 = b;"),
        ("p if A . x<>B.x;", "p if A.x <> B.x;"),
        ("end_of if a = 1 ;", "end_of if a = 1;"),
    ],
)
def test_spacing_of_conditions(written: str, canonical: str) -> None:
    assert in_section("Evaluation", written) == canonical


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("AG(p)and!K ( i,q );", "AG (p) and !K(i, q);"),
        ("E(p U q)->AX<g>X !p;", "E (p U q) -> AX <g>X !p;"),
        ("<g>G<h>F p;", "<g>G <h>F p;"),
        ("CDL* E<p * ;q ?>r;", "CDL* E <p*;q?>r;"),
        ("LDL <p><q>[r]s;", "LDL <p><q>[r]s;"),
        ("LDL [ (p and q)*+r ; s]t;", "LDL [(p and q)* + r;s]t;"),
        ("CTL * A(X p W G q R K);", "CTL* A (X p W G q R K);"),
        ("i . GreenStates or K;", "i.GreenStates or K;"),
    ],
)
def test_spacing_of_formulas(written: str, canonical: str) -> None:
    assert in_section("Formulae", written) == canonical


def test_a_line_without_semicolon_ends_before_the_end() -> None:
    assert formatted("InitStates a=1 end InitStates") == "InitStates\n  a = 1\nend InitStates\n"


def test_end_may_be_a_value() -> None:
    assert formatted("Agent A Actions={end,go};end Agent") == "Agent A\n  Actions = {end, go};\nend Agent\n"


# -- comments and blank lines -----------------------------------------------------------------------


def test_comments_stay_with_what_they_are_about() -> None:
    text = """\
      -- agent
    Agent A -- named
    -- variables
    Vars: -- two
      -- the first
      x : -- bits
        -- any
        0 .. 1; -- small
      -- last
    end Vars -- over
      -- leaving
    end Agent -- A
    """
    assert (
        check_sound(text)
        == """\
-- agent
Agent A  -- named
  -- variables
  Vars:  -- two
    -- the first
    x :  -- bits
        -- any
        0..1;  -- small
    -- last
  end Vars  -- over
  -- leaving
end Agent  -- A
"""
    )


def test_blank_lines_are_kept_between_lines_and_dropped_at_the_rims() -> None:
    text = "Groups\n\n\ng={A};\n\n\n\n-- h\n\nh={B};\ni={C};\n\nend Groups\n-- end\n\n"
    assert (
        check_sound(text)
        == """\
Groups
  g = {A};

  -- h

  h = {B};
  i = {C};
end Groups

-- end
"""
    )


def test_comments_between_all_tokens() -> None:
    tokens = Tokens(Source("<test>", UGLY)).texts
    for separator in (" -- c\n", "\n-- c\n", "\n\n-- c\n \n", " --\n--d\n"):
        check_sound(separator.join(tokens))
        check_sound(separator + separator.join(tokens) + separator)


# -- long lines -------------------------------------------------------------------------------------


def test_long_lines_break_where_they_are_least_nested() -> None:
    short = "(alpha = 1 and beta = 2 and gamma = 3)"
    assert in_section("InitStates", f"{short} or {short} or {short};") == (
        f"{short} or {short} or\n    {short};"
    )


@pytest.mark.parametrize(("width", "breaks"), [(100, 0), (101, 1)])
def test_a_line_has_a_hundred_columns(width: int, breaks: int) -> None:
    line = "x = " + "y" * (width - len("  x =  and z = 1;")) + " and z = 1;"
    assert in_section("InitStates", line).count("\n") == breaks
    later = "x = " + "y" * 80 + " and " + "y" * (width - len("       = 1 and z = 1;")) + " = 1 and z = 1;"
    assert in_section("InitStates", later).count("\n") == 1 + breaks


def test_long_sets_break_behind_commas() -> None:
    names = [f"action_number_{i}" for i in range(12)]
    lines = formatted(f"Agent A Actions = {{{','.join(names)}}}; end Agent").splitlines()[1:-1]
    assert len(lines) == 3
    assert all(line.endswith(",") for line in lines[:-1])
    assert all(line.startswith("      action") for line in lines[1:])


def test_assignments_stay_together_when_the_guard_can_be_broken() -> None:
    line = (
        "some_variable = 1 and another_variable = 2 if (Action = a or Action = b) and " + "c" * 40 + " = 3;"
    )
    text = f"Agent A Evolution: {line} end Evolution end Agent"
    assert formatted(text).splitlines()[2].endswith("(Action = a or Action = b) and")


def test_what_cannot_be_broken_is_left_long() -> None:
    line = " + ".join(["x"] * 60) + " = 1;"
    assert in_section("InitStates", line) == line


@given(st.lists(st.sampled_from(["(", ")", "and", "or", "->", "p", "K(i, q)", "long" * 8]), max_size=80))
def test_no_line_is_longer_than_its_last_break_allows(words: list[str]) -> None:
    result = check_sound("Formulae " + " ".join(words) + "; end Formulae")
    for line in result.splitlines():
        unbroken = line.strip().split(" ")[:-1]
        assert len(line) <= 100 or not {"and", "or", "->"} & set(unbroken)


# -- white space only, and only once ----------------------------------------------------------------

WORDS = "Agent Environment Vars Formulae Fairness Evolution InitStates end if and or U K A CTL x y 0 12"
SYMBOLS = "-> .. <> <= >= != && || { } ( ) [ ] : ; , = < > . + - * / & | ^ ~ ! ?"
TOKENS = [*WORDS.split(" "), *SYMBOLS.split(" "), "end", "end", ";", ";", "-"]
SEPARATORS = [" ", "\n", "\t", "\r\n", "\n \n\n", " -- c\n", "\n--c \r\n", "\n\n --- \n\n", " --\n--\n"]


@given(st.lists(st.tuples(st.sampled_from(TOKENS), st.sampled_from(SEPARATORS))))
@example([("-", " "), ("-", " "), ("->", " "), ("!", " "), ("=", " "), (".", " "), ("..", " ")])
@example([("Formulae", " "), ("<", " "), (">", " "), ("=", " "), ("<", " "), ("<=", " ")])
@example([("end", " "), ("end", " "), ("Agent", " "), ("end", " ")])
def test_any_row_of_tokens_is_kept(row: list[tuple[str, str]]) -> None:
    check_sound("".join(token + separator for token, separator in row))


def test_all_examples_keep_their_meaning() -> None:
    check_models(sorted((ROOT / "examples").glob("*.ispl")))


def test_all_models_of_the_corpus_keep_their_meaning() -> None:
    check_models(shared("corpus/models"))


def test_all_benchmarks_keep_their_meaning() -> None:
    check_models(shared("bench"))


def shared(folder: str) -> list[Path]:
    if not (SHARED / folder).is_dir():
        pytest.skip(f"no {SHARED / folder} here")
    return sorted((SHARED / folder).rglob("*.ispl"))


def check_models(paths: list[Path]) -> None:
    assert paths
    for path in paths:
        text = path.read_bytes().decode()
        result = check_sound(text)
        assert parse_ispl(Source(str(path), text)) == parse_ispl(Source(str(path), result)), path


@pytest.mark.parametrize(
    "text",
    [
        "Agent A Evolution: " + "x = 1 if y = 2 and z = 3;\n" * 40_000,
        "InitStates " + "x = 1 and " * 100_000,
        "InitStates " + "(" * 500_000,
        "Formulae " + "x + <" * 200_000,
        "x -- c\n" * 150_000,
    ],
    ids=["lines", "one line", "parentheses", "unclosed program", "comments"],
)
def test_a_megabyte_is_formatted(text: str) -> None:
    """What took the square of its length would not come to an end."""
    formatted(text)
