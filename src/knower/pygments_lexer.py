"""ISPL for Pygments: in documents and notebooks. Found by its entry point, `ispl`."""

from __future__ import annotations

from pygments.lexer import RegexLexer, bygroups, words
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Whitespace

_SECTIONS = (
    "Vars", "Obsvars", "Lobsvars", "RedStates", "Actions", "Protocol", "Evolution", "Evaluation",
    "InitStates", "Groups", "Semantics", "Const", "Define",
)  # fmt: skip
_COMMON = [
    (r"\s+", Whitespace),
    (r"--.*?$", Comment.Single),
    (r'"[^"\n]*"', String),
    (r"\b(end)(\s+)(\w+)", bygroups(Keyword, Whitespace, Keyword.Namespace)),
    (r"\b(forall|exists|sum|count|min|max)\b(?=\s+[A-Za-z_]\w*\s*:)", Operator.Word),
    (words(("if", "then", "else", "for", "do", "where", "init", "Other"), r"\b", r"\b"), Keyword),
    (words(("and", "or", "xor", "mod", "in"), r"\b", r"\b"), Operator.Word),
    (words(("boolean", "array", "of"), r"\b", r"\b"), Keyword.Type),
    (words(("true", "false"), r"\b", r"\b"), Keyword.Constant),
    (words(("Action", "Environment"), r"\b", r"\b"), Name.Builtin),
    (r"\d+\b", Number.Integer),
    (r"<->|->|<>|!=|<=|>=|&&|\|\||[=<>+*/%&|^~!?-]", Operator),
    (r"\.\.|[{}()\[\]:;,.]", Punctuation),
    (r"[A-Za-z_]\w*", Name),
]


class IsplLexer(RegexLexer):
    """Models of multi-agent systems."""

    name = "ISPL"
    aliases = ["ispl"]
    filenames = ["*.ispl"]
    url = ""
    version_added = ""

    tokens = {
        "root": [
            (r"\b(Agent)(\s+)(?!if\b|and\b|or\b)(\w+)", bygroups(Keyword.Namespace, Whitespace, Name.Class)),
            (r"\b(Fairness|Formulae)\b", Keyword.Namespace, "formulas"),
            (words(_SECTIONS, r"\b", r"\b(?=\s*[:=]|\s+\w|\s*$)"), Keyword.Namespace),
            (words(("MultiAssignment", "SingleAssignment"), r"\b", r"\b"), Name.Constant),
            *_COMMON,
        ],
        "formulas": [
            (
                r"\b(end)(\s+)(Fairness|Formulae)\b",
                bygroups(Keyword, Whitespace, Keyword.Namespace),
                "#pop",
            ),
            (r"\b(?:LTLf|LDLf|LTL|LDL)\b|\b(?:CTL|CDLf|CDL)\*", Keyword.Declaration),
            (r"\b(?:A[GFX]|E[GFX]|WX|[AEXFGUWR])\b(?!\s*[.:=])", Operator.Word),
            (r"\b(?:MGCK|MGK|MDK|GCK|GK|DK|K|M|O|P)(?=\s*\()", Operator.Word),
            (r"\bexpect\b(?=\s+(?:true|false|unknown)\b)", Keyword),
            (words(("GreenStates", "RedStates", "tt", "ff"), r"\b", r"\b"), Name.Constant),
            *_COMMON,
        ],
    }
