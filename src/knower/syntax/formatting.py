"""ISPL text in its canonical layout: `format_ispl(source) -> str`.

Only white space changes. A text is a row of constructs (headers, `;`-ended lines, `end`s); each
starts a line of its own, and the layout depends on nothing but the tokens, the comments, which of
these share a line with the token before them, and where blank lines were written. As the result
shows all of that again, formatting it once more changes nothing.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from enum import Enum

from knower.records import dataclass
from knower.source import Source
from knower.syntax.lexer import END, NAME, NUMBER, Tokens, comments
from knower.syntax.operators import CALLS
from knower.syntax.roles import Angles, Role, roles

_WIDTH = 100
_LEVEL, _CONTINUATION, _BEFORE_COMMENT = " " * 2, " " * 4, " " * 2
#: A line is broken where at least this part of it is filled, if it can be.
_LEAST_FILLED = 1 / 5
#: What a parenthesis adds to the rank of a line break: more than any operator does.
_DEEPER = 10

_SECTIONS: Mapping[str, frozenset[str]] = {
    "": frozenset({"Agent", "Evaluation", "InitStates", "Groups", "Fairness", "Formulae"}),
    "Agent": frozenset({"Obsvars", "Vars", "RedStates", "Protocol", "Evolution"}),
}
_OF_FORMULAS = frozenset({"Fairness", "Formulae"})
#: Two characters that would be read as one token, or as a comment, if they met.
_FUSING = frozenset({"--", "->", "..", "<>", "<=", ">=", "!=", "&&", "||"})
_OPERAND_ENDS = frozenset({NAME, NUMBER, ")", "]"})
_KEYWORDS = frozenset({"and", "or", "if", "xor", "mod", "in", "then", "else", "where", "init", "of"})


@dataclass(frozen=True, slots=True)
class _Style:
    """How the tokens of a construct stand together.

    `before` and `after`: no space on that side. `signs`: prefixes where no operand precedes.
    `calls`: words that hold on to their parenthesis. `nesting`: how brackets change the depth.
    `breaks`: the words behind which a line may end, the best ones lowest.
    """

    before: frozenset[str]
    after: frozenset[str]
    signs: frozenset[str] = frozenset()
    calls: frozenset[str] = frozenset()
    nesting: Mapping[str, int] = field(default_factory=dict)
    breaks: Mapping[str, int] = field(default_factory=dict)


_HEADER = _Style(before=frozenset(":"), after=frozenset())
_CONDITION = _Style(
    before=frozenset({",", ";", ")", "}", "]", ".", ".."}),
    after=frozenset({"(", "{", "[", "!", "~", ".", ".."}),
    signs=frozenset("-+"),
    nesting={"(": 1, "{": 1, ")": -1, "}": -1},
    breaks={"->": 0, "or": 1, "||": 1, "and": 2, "&&": 2, ",": 3},
)
_FORMULA = _Style(
    before=_CONDITION.before | {">", "*", "?"},
    after=_CONDITION.after | {"<", ">", "]", ";"},
    signs=frozenset("-"),
    calls=frozenset(CALLS),
    nesting={"(": 1, "<": 1, "[": 1, ")": -1, ">": -1, "]": -1},
    breaks={"->": 0, "or": 1, "||": 1, "and": 2, "&&": 2},
)


def _words(tokens: Tokens, first: int, last: int, style: _Style) -> list[str]:
    """The tokens from `first` on before `last`, each with the space before it, if any."""
    texts, told = tokens.texts, roles(tokens, first, last, is_formula=style is _FORMULA)
    words = [texts[first]]
    tight = _holds_next(tokens, first, first, style, told)
    for at in range(first + 1, last):
        text, role = texts[at], told.get(at)
        joined = tight or role in (Role.CALL, Role.INDEX) or (text in style.before and role is None)
        fuses = texts[at - 1][-1] + text[0] in _FUSING
        words.append(text if joined and not fuses else " " + text)
        tight = _holds_next(tokens, first, at, style, told)
    return words


def _holds_next(tokens: Tokens, first: int, at: int, style: _Style, told: Mapping[int, Role]) -> bool:
    """Whether no space follows a token of the construct that starts at `first`."""
    text, role = tokens.texts[at], told.get(at)
    if role is Role.INFIX:
        return False
    if role is Role.INDEX:
        return text == "["
    if text in style.signs:
        infix = at > first and tokens.kinds[at - 1] in _OPERAND_ENDS
        return not infix or tokens.texts[at - 1] in _KEYWORDS
    return text in style.after or (text in style.calls and tokens.kinds[at + 1] == "(")


# -- constructs -----------------------------------------------------------------------------------

#: What was or will be written: `Vars:`, a line inside it, a constant, `end Vars`, or a comment.
_Kind = Enum("_Kind", ["HEADER", "LINE", "CONST", "CLOSE", "COMMENT"])


@dataclass(frozen=True, slots=True)
class _Construct:
    """The tokens from `first` on before `last`: what starts a line, and how deep it is indented."""

    first: int
    last: int
    level: int
    kind: _Kind
    style: _Style


def _constructs(tokens: Tokens) -> Iterator[_Construct]:
    """All tokens, construct by construct; finally an empty one at the end of the text."""
    opened: list[str] = []
    at = 0
    while tokens.kinds[at] != END:
        word, inside = tokens.texts[at], opened[-1] if opened else ""
        if _closes(tokens, at):
            del opened[-1:]
            last = at + 2
            yield _Construct(at, last, len(opened), _Kind.CLOSE, _HEADER)
        elif word in _SECTIONS.get(inside, ()):
            last = at + 1 + (tokens.kinds[at + 1] == (NAME if word == "Agent" else ":"))
            has_parameters = word == "Agent" and tokens.kinds[last] == "("
            last = tokens.closing(last) + 1 if has_parameters else last
            yield _Construct(at, last, len(opened), _Kind.HEADER, _CONDITION if has_parameters else _HEADER)
            opened.append(word)
        else:
            style = _FORMULA if inside in _OF_FORMULAS else _CONDITION
            last = _line_end(tokens, at, style)
            kind = _Kind.CONST if word == "Const" and not opened else _Kind.LINE
            yield _Construct(at, last, len(opened), kind, style)
        at = last
    yield _Construct(at, at, len(opened), _Kind.LINE, _CONDITION)


def _closes(tokens: Tokens, at: int) -> bool:
    """Whether `end Word` stands at a token; where `end` is a value, no name follows it."""
    return tokens.texts[at] == "end" and tokens.kinds[at + 1] == NAME


def _line_end(tokens: Tokens, at: int, style: _Style) -> int:
    """Behind the `;` that ends a line (inside the `<…>` of a formula it is an operator)."""
    angles = Angles(tokens, at)
    while tokens.kinds[at] != END and not _closes(tokens, at):
        kind = tokens.kinds[at]
        if style is _FORMULA:
            angles.meet(at)
        at += 1
        if kind == ";" and not angles.depth:
            break
    return at


# -- comments -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Comment:
    """A comment, where it ended, whether on a line of its own, and behind a blank line."""

    text: str
    end: int
    alone: bool
    blank: bool


def _comments(tokens: Tokens) -> dict[int, list[_Comment]]:
    """The comments before each token that has some."""
    text = tokens.source.text
    found: dict[int, list[_Comment]] = {}
    for span in comments(tokens.source):
        at = bisect_left(tokens.starts, span.start)
        earlier = found.setdefault(at, [])
        breaks = text.count("\n", _end_before(tokens, at, earlier), span.start)
        alone = breaks > 0 or at == 0
        earlier.append(_Comment(text[span.start : span.end].rstrip(), span.end, alone, breaks > 1))
    return found


def _end_before(tokens: Tokens, at: int, earlier: Sequence[_Comment]) -> int:
    """Where the last comment or token before a token ends."""
    if earlier:
        return earlier[-1].end
    return tokens.span(at - 1).end if at else 0


# -- lines ----------------------------------------------------------------------------------------


def format_ispl(source: Source) -> str:
    """The same tokens and comments in canonical layout; raises `InputError` for illegal characters."""
    tokens = Tokens(source)
    layout = _Layout(tokens)
    for construct in _constructs(tokens):
        layout.add(construct)
    return "\n".join(layout.lines) + "\n"


class _Layout:
    """The lines so far, and what the last of them is."""

    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens
        self.comments = _comments(tokens)
        self.lines: list[str] = []
        self.after = _Kind.LINE

    def add(self, construct: _Construct) -> None:
        """Write the comments before a construct and the construct itself."""
        first, level = construct.first, construct.level
        self._add_comments(first, level + (construct.kind is _Kind.CLOSE))
        if first == construct.last:
            return
        if construct.kind is not _Kind.CLOSE:
            before = _end_before(self.tokens, first, self.comments.get(first, ()))
            breaks = self.tokens.source.text.count("\n", before, self.tokens.starts[first])
            together = construct.kind is self.after is _Kind.CONST
            self._separate(1 if together else level, written=breaks > 1)
        self.lines += self._construct_lines(construct)
        self.after = construct.kind

    def _add_comments(self, at: int, level: int) -> None:
        for comment in self.comments.get(at, ()):
            if comment.alone:
                self._separate(level, written=comment.blank)
                self.after = _Kind.COMMENT
            _put(self.lines, comment, _LEVEL * level)

    def _separate(self, level: int, *, written: bool) -> None:
        """A blank line where one was written, and always between constructs of the top level."""
        wanted = written or (level == 0 and self.after is not _Kind.COMMENT)
        if wanted and self.lines and self.after is not _Kind.HEADER:
            self.lines.append("")

    def _construct_lines(self, construct: _Construct) -> list[str]:
        first, last = construct.first, construct.last
        words = _words(self.tokens, first, last, construct.style)
        line = _LEVEL * construct.level + "".join(words)
        commented = [at for at in range(first + 1, last) if at in self.comments]
        if not commented and len(line) <= _WIDTH:
            return [line]
        return self._broken(construct, words, [at - first for at in commented])

    def _broken(self, construct: _Construct, words: list[str], commented: list[int]) -> list[str]:
        """The lines of a construct that is too long for one or has comments inside."""
        first, margin = construct.first, _LEVEL * construct.level
        ranks = _ranks(self.tokens.texts[first : construct.last], construct.style)
        lines: list[str] = []
        start = 0
        for cut in (*commented, len(words)):
            while start < cut:
                indent = margin + _CONTINUATION if lines else margin
                stop = _stop(words, ranks, start, cut, _WIDTH - len(indent))
                lines.append(indent + "".join(words[start:stop]).lstrip())
                start = stop
            for comment in self.comments[first + cut] if cut < len(words) else ():
                _put(lines, comment, margin + _CONTINUATION)
        return lines


def _put(lines: list[str], comment: _Comment, indent: str) -> None:
    if comment.alone:
        lines.append(indent + comment.text)
    else:
        lines[-1] += _BEFORE_COMMENT + comment.text


def _ranks(texts: list[str], style: _Style) -> list[int | None]:
    """How bad a line break behind each token is; `None` where there must be none.

    The less nested the better, then the looser the operator; the assignments before an `if`
    are kept together.
    """
    ranks: list[int | None] = []
    depth, guards = 0, texts.count("if")
    for text in texts:
        depth += style.nesting.get(text, 0)
        guards -= text == "if"
        rank = style.breaks.get(text)
        ranks.append(None if rank is None else rank + _DEEPER * (depth + guards * len(texts)))
    return ranks


def _stop(words: list[str], ranks: list[int | None], start: int, end: int, room: int) -> int:
    """Where the line that starts at a word ends: at the last of the best breaks that fit."""
    width = -1 if words[start][0] == " " else 0
    early: int | None = None
    best: tuple[int, int] | None = None
    for at in range(start, end):
        width += len(words[at])
        if width > room and (best or early):
            break
        rank = ranks[at]
        if rank is None:
            continue
        if width < room * _LEAST_FILLED:
            early = at + 1
        elif best is None or rank <= best[0]:
            best = rank, at + 1
    if width <= room:
        return end
    return best[1] if best else early or end
