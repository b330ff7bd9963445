"""What people write who come from other tools, and how it is written here.

NuSMV, PRISM, Promela, TLA+, UPPAAL, Python and papers on logic: a table for each kind of word.
"""

from __future__ import annotations

import re
from collections.abc import Container

from knower.syntax.lexer import NAME, NUMBER, Tokens
from knower.syntax.operators import CALLS, STATE_WORDS

_AND, _OR, _NOT = "conjunction is written `and`", "disjunction is written `or`", "negation is written `!`"
_IMPLIES, _IFF = "implication is written `->`", "equivalence is written `<->`"
_EQUAL, _UNEQUAL = "equality is written `=`", "inequality is written `!=`"
_COMMENT = "comments start with `--`"
_ASSIGNMENT = "a line of Evolution is `x = value if condition;`"
_NEXT = "an assignment gives the next value: `x = value if condition;`"
_RANGE = "a range is written without brackets: `x : 0..3;`"
_NUMBERS = "numbers have a range: `x : 0..3;`"

#: Operators, of which a token may be only a part; the longest first.
_OPERATORS = {
    "<==>": _IFF, "<=>": _IFF, "==>": _IMPLIES, "===": _EQUAL, "!==": _UNEQUAL,
    "...": "a range is `low..high`",
    "=>": _IMPLIES, "==": _EQUAL, ":=": "values are assigned with `=`",
    "=<": "at most is written `<=`", "/=": _UNEQUAL, "~=": _UNEQUAL,
    "/\\": _AND, "\\/": _OR, "//": f"{_COMMENT}; `/` divides", "/*": _COMMENT, "*/": _COMMENT,
    "**": "a power is written as a product: `x * x`",
    "++": "write `x = x + 1`", "+=": "write `x = x + …`", "-=": "write `x = x - …`",
}  # fmt: skip
_OPERATOR = re.compile("|".join(map(re.escape, _OPERATORS)))
_SYMBOLS = frozenset("".join(_OPERATORS))

#: Words that stand, as names, where an operator or nothing was expected.
_WORDS = {
    "not": _NOT, "is": _EQUAL, "equals": _EQUAL, "eq": _EQUAL, "neq": _UNEQUAL,
    "iff": _IFF, "implies": _IMPLIES, "until": "until is written `U`",
    "next": _NEXT, "AND": _AND, "OR": _OR, "NOT": _NOT, "IF": "`if` is written in small letters",
    "else": "a value with cases is `x = if c then a else b`; the condition of the line stands last",
    "when": "the condition of a line stands behind `if`",
}  # fmt: skip
_TYPES = {
    "bool": "write `boolean`",
    **dict.fromkeys(["int", "integer", "Int", "Integer", "byte", "short", "nat", "Nat", "natural"], _NUMBERS),
    **dict.fromkeys(["Bool", "Boolean", "BOOLEAN", "bit"], "write `boolean`"),
    **dict.fromkeys(["string", "enum", "mtype"], "values are listed: `x : {red, green};`"),
}

#: Words that begin a part of an agent elsewhere, in small letters.
_OF_AGENTS = {
    **dict.fromkeys(["var", "vars", "variable", "variables", "local", "locals", "ivar"], "Vars"),
    **dict.fromkeys(["action", "actions", "acts"], "Actions"),
    **dict.fromkeys(["transition", "transitions", "trans", "assign", "evolutions", "updates"], "Evolution"),
    **dict.fromkeys(["protocols", "strategy", "guards"], "Protocol"),
    **dict.fromkeys(["obsvar", "observable", "observables"], "Obsvars"),
    **dict.fromkeys(["lobsvar", "observes"], "Lobsvars"),
    **dict.fromkeys(["redstate", "red"], "RedStates"),
}  # fmt: skip
#: And of a model.
_OF_MODELS = {
    **dict.fromkeys(["init", "initial", "inits", "initstate", "initialstates", "initial_states"],
                    "InitStates"),
    **dict.fromkeys(
        ["spec", "ctlspec", "ltlspec", "invarspec", "formula", "formulas", "formulae", "property",
         "properties", "specification", "specifications", "ltl", "query"], "Formulae"),
    **dict.fromkeys(["evaluations", "label", "labels", "propositions", "atoms", "valuation"], "Evaluation"),
    **dict.fromkeys(["justice", "compassion", "fair", "fairness"], "Fairness"),
    **dict.fromkeys(["group", "groups", "coalition", "coalitions"], "Groups"),
    **dict.fromkeys(["constant", "constants", "const"], "Const"),
    **dict.fromkeys(["module", "process", "proctype", "agents", "player", "template"], "Agent"),
}  # fmt: skip

_KNOWS = "knowledge is written `K(agent, formula)`"
_COMMON = "common knowledge is written `GCK(group, formula)`"
_EVERYBODY = "that everybody knows is written `GK(group, formula)`"
_ALWAYS, _EVENTUALLY = "always is written `AG f`, or `LTL G f`", "eventually is written `AF f`, or `LTL F f`"
#: Operators of formulas that are written as functions elsewhere.
_CALLS = {
    **dict.fromkeys(["knows", "Knows", "know", "Know", "Kn", "knowledge"], _KNOWS),
    **dict.fromkeys(["C", "CK", "common", "Common", "commonly"], _COMMON),
    **dict.fromkeys(["E", "EK", "everybody", "everyone", "Everybody"], _EVERYBODY),
    **dict.fromkeys(["D", "distributed"], "distributed knowledge is written `DK(group, formula)`"),
    **dict.fromkeys(["B", "believes", "Believes"], "there is knowledge, `K(agent, formula)`, and no belief"),
    **dict.fromkeys(["always", "Always", "globally", "Globally"], _ALWAYS),
    **dict.fromkeys(["eventually", "Eventually", "finally", "Finally"], _EVENTUALLY),
    **dict.fromkeys(["next", "Next"], "the next step is written `AX f`, or `LTL X f`"),
    **dict.fromkeys(["not", "Not"], _NOT),
    "implies": _IMPLIES, "iff": _IFF,
    **dict.fromkeys(["until", "Until"], "until is written `A(f U g)`, or `LTL f U g`"),
}  # fmt: skip
_IN_FORMULAS = {"&": _AND, "|": _OR, "~": _NOT, "/": _COMMENT}


def foreign_condition(tokens: Tokens, at: int) -> str | None:
    """A cure for a mistake at a token: the operator or the word of another language that it belongs to."""
    found = foreign_operator(tokens, at)
    if found is not None:
        return found
    before, text = (tokens.texts[at - 1] if at else ""), tokens.texts[at]
    if text[:1] == '"':
        return "names and values are written without quotes"
    if text == "..":
        return _RANGE
    return _WORDS.get(text) or _WORDS.get(before)


def foreign_operator(tokens: Tokens, at: int) -> str | None:
    """A cure for an operator that a token is a part of."""
    text, here = tokens.source.text, tokens.span(at).start
    first = behind = here
    while first and text[first - 1] in _SYMBOLS:
        first -= 1
    while behind < len(text) and text[behind] in _SYMBOLS:
        behind += 1
    for found in _OPERATOR.finditer(text, first, behind):
        if found.start() <= here < found.end():
            return _OPERATORS[found[0]]
    return None


def foreign_formula(tokens: Tokens, at: int) -> str | None:
    """A cure for a mistake at a token of a formula."""
    before, text, kind = (tokens.texts[at - 1] if at else ""), tokens.texts[at], tokens.kinds[at]
    if before in CALLS:
        return f"write `{before}(name, formula)`"
    if before == "]" and "[" in tokens.kinds[max(0, at - 3) : at]:
        opened = max(0, at - 3) + tokens.kinds[max(0, at - 3) : at].index("[")
        if opened and tokens.texts[opened - 1] in CALLS:
            return f"write `{tokens.texts[opened - 1]}({tokens.texts[opened + 1]}, formula)`"
    if text == "," and at > 1 and tokens.texts[at - 2] == "(" and tokens.texts[at - 3] in _CALLS:
        return _CALLS[tokens.texts[at - 3]]
    if text == "[" and tokens.kinds[at - 1] == NUMBER:
        return "there are no probabilities: ask for all paths with `A`, for some path with `E`"
    found = foreign_condition(tokens, at) or _IN_FORMULAS.get(text)
    if found is None and kind in (NAME, NUMBER, "(", "!"):
        return "join formulas with `and`, `or`, `->` or `<->`"
    return found


def foreign_modality(tokens: Tokens, at: int) -> str | None:
    """A cure for a bracket that cannot start a formula."""
    before, kinds = (tokens.texts[at - 1] if at else ""), tokens.kinds
    word = before if before in ("A", "E") else ""
    if kinds[at : at + 2] == ["[", "]"]:
        return f"write `{word}G f`" if word else _ALWAYS
    if kinds[at] == "<>":
        return (
            f"write `{word}F f`"
            if word
            else f"{_EVENTUALLY}; a coalition is followed by `X`, `F`, `G` or `(f U g)`"
        )
    if kinds[at] == "[" and word:
        return f"a path formula stands in parentheses: `{word}(p U q)`, `CTL* {word} (G p)`; or `{word}G p`"
    if kinds[at] == "[" and before in CALLS:
        return f"write `{before}(agent, formula)`"
    if kinds[at : at + 2] == ["<", "<"]:
        return "a coalition stands in single brackets: `<group>F f`"
    return None


def foreign_name(name: str, known: Container[str]) -> str | None:
    """A cure for a name that is no proposition: `knows(i,p)`, `K_i(p)`, `TRUE`, `AGp`."""
    if name.casefold() in ("true", "false"):
        return f"write `{name.casefold()}`"
    if name[:2] in STATE_WORDS and name[2:] in known:
        return f"write `{name[:2]} {name[2:]}`"
    called, _, arguments = name.partition("(")
    if not arguments:
        return None
    operator, _, agent = called.partition("_")
    if agent and operator in CALLS:
        return f"write `{operator}({agent}, formula)`"
    return _CALLS.get(called)


def foreign_type(name: str) -> str | None:
    """A cure for the name of a type."""
    return _TYPES.get(name)


def foreign_variable(tokens: Tokens, at: int) -> str | None:
    """A cure for a declaration that is wrong at a token: `int x;`, `x : [0..3]`, `x : 0..3 = 0`."""
    before, text = (tokens.texts[at - 1] if at else ""), tokens.texts[at]
    if tokens.kinds[at] == NAME and before in _TYPES:
        kind = "boolean" if "bool" in _TYPES[before] else "0..3"
        return f"the type stands behind the name: `{text} : {kind};`"
    if text in ("[", ".."):
        return _RANGE
    if text == "=":
        return "a first value is written `x : 0..3 init 0;`"
    return None


def foreign_assignment(tokens: Tokens, at: int) -> str | None:
    """A cure for a line of Evolution that is wrong at a token."""
    found, text = foreign_operator(tokens, at), tokens.texts[at]
    if found is not None:
        return found
    if text == "," or tokens.texts[at - 1] == "next":
        return "assignments are joined with `and`" if text == "," else _NEXT
    return _ASSIGNMENT if text in ("[", "->", "(", ";", ":") or tokens.texts[at - 1] == "if" else None


def foreign_if(tokens: Tokens, at: int) -> str | None:
    """A cure where `if` should stand."""
    return (
        "write `name if condition;`" if tokens.texts[at] in ("iff", "when", "=", ":=", ":", "<->") else None
    )


def agent_section(word: str) -> str | None:
    """The section of an agent that a word means, if it means one."""
    return _OF_AGENTS.get(word.casefold())


def model_section(word: str) -> str | None:
    """The section of a model that a word means."""
    return _OF_MODELS.get(word.casefold())
