"""Formulas of all logics by operator precedence, with an explicit stack.

Tightest first: `!` and the unary operators, `U W R` (to the right), `and`, `or`, `->` (to the
right); inside programs `?` and `*`, then `;`, then `+`. A reserved word is an operator where
something follows that it can apply to, and a proposition elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from knower.errors import Diagnostic, InputError, did_you_mean
from knower.logic import formula as f
from knower.logic.formula import Formula, Program, ProgramNode, is_formula
from knower.logic.language import Language, Specification
from knower.source import Source, Span
from knower.syntax import operators as ops
from knower.syntax.conditions import expected
from knower.syntax.foreign_syntax import foreign_formula
from knower.syntax.lexer import END, NAME, Tokens
from knower.syntax.stack import Operand, Waiting
from knower.syntax.tree import FormulaDecl, NameKind, Names, NameUse


def parse_formula(text: str, names: Names | None = None, *, name: str = "<formula>") -> FormulaDecl:
    """The one formula a text holds, with or without a final `;`."""
    tokens = Tokens(Source(name, text))
    decl, at = parse_formula_at(tokens, 0, names)
    at += tokens.kinds[at] == ";"
    if tokens.kinds[at] != END:
        raise expected(tokens, at, "an operator or the end of the formula", foreign_formula(tokens, at))
    return decl


def parse_formula_at(tokens: Tokens, at: int, names: Names | None) -> tuple[FormulaDecl, int]:
    """The formula that starts at a token, and the token after it."""
    return _FormulaParser(tokens, names).parse(at)


class _FormulaParser:
    def __init__(self, tokens: Tokens, names: Names | None) -> None:
        self.tokens = tokens
        self.names = names
        self.language = Language.PLAIN
        self.operands: list[Operand] = []
        self.waiting: list[Waiting] = []
        self.brackets = [""]  # the words of those that wait, the innermost last
        self.programs = 0
        self.uses: list[NameUse] = []
        self.mcmas_ambiguity: list[tuple[int, int]] = []

    # -- the loop -------------------------------------------------------------------------

    def parse(self, at: int) -> tuple[FormulaDecl, int]:
        first = at
        self.language, at = self._language(at)
        while True:
            at = self._operand(at)
            at, closed_program = self._after(at)
            if closed_program:
                continue
            operator = self._infix(at)
            if operator is None:
                break
            self._reduce(ops.INFIX[operator] + (operator in ops.RIGHT))
            if operator in ops.SWALLOWERS and self.operands[-1].tail:
                self.mcmas_ambiguity.append((self.operands[-1].first, at))
            self.waiting.append(Waiting(operator, ops.INFIX[operator], at))
            at += 1
        self._reduce(1)
        if self.waiting:
            raise self._unclosed(at)
        whole = self.operands.pop()
        body = self._formula(whole)
        if self.language is Language.PLAIN:
            self._refuse_path(whole)
        spec = Specification(body, self.language)
        ambiguous = self.mcmas_ambiguity if self.language is Language.CTL_STAR else ()
        spans = tuple(self.tokens.span(*tokens) for tokens in ambiguous)
        return FormulaDecl(spec, (self.tokens, first, at - 1), tuple(self.uses), spans), at

    def _language(self, at: int) -> tuple[Language, int]:
        text, following = self.tokens.texts[at], self.tokens.kinds[at + 1 : at + 2]
        if following == ["*"] and text in ("CTL", "CDL", "CDLf"):
            return Language(text + "*"), at + 2
        if text in ("LTL", "LDL", "LTLf", "LDLf") and self._starts_operand(at + 1):
            return Language(text), at + 1
        return Language.PLAIN, at

    def _infix(self, at: int) -> str | None:
        """The infix operator at a token, if one stands there."""
        text = self.tokens.texts[at]
        if text in ops.PROGRAM_INFIX:
            return text if self.programs and not self._in_call() else None
        return text if text in ops.INFIX else None

    def _in_call(self) -> bool:
        """Whether the innermost bracket is that of `K(i, …)`: no program operator fits there."""
        return self.brackets[-1] in ops.CALLS

    # -- operands ---------------------------------------------------------------------------

    def _operand(self, at: int) -> int:
        """Push one operand with the prefixes and brackets before it; the token after it."""
        tokens = self.tokens
        while True:
            kind, text = tokens.kinds[at], tokens.texts[at]
            if kind == "(":
                self._open("(", at)
                at += 1
            elif kind == "!":
                self._prefix("!", at, f.Not)
                at += 1
            elif kind == "<" or kind == "[":
                at = self._modality(at)
            elif kind == NAME and text in ops.CALLS and tokens.kinds[at + 1] == "(":
                at = self._call(at)
            elif kind == NAME and text in ops.PREFIX_WORDS and self._starts_operand(at + 1):
                self._prefix(text, at, ops.PREFIX_WORDS[text])
                at += 1
            else:
                return self._atom(at)

    def _starts_operand(self, at: int) -> bool:
        """Whether an operand can start at a token; `U`, `W`, `R` do only where they are names."""
        flip = False
        while self.tokens.kinds[at] == NAME and self.tokens.texts[at] in ops.UNTIL_WORDS:
            at, flip = at + 1, not flip
        kind, text = self.tokens.kinds[at], self.tokens.texts[at]
        starts = kind in ("(", "!", "<", "[") or (kind == NAME and text not in ops.KEYWORDS)
        return starts != flip

    def _atom(self, at: int) -> int:
        tokens = self.tokens
        text = tokens.texts[at]
        if tokens.kinds[at] != NAME or text in ops.KEYWORDS:
            raise expected(tokens, at, "a formula", foreign_formula(tokens, at))
        if tokens.kinds[at + 1] == "." and tokens.kinds[at + 2] == NAME:
            return self._colour(at)
        if text in ops.CONSTANTS and not self._is_proposition(text):
            self.operands.append(Operand(f.Constant(ops.CONSTANTS[text]), at, at))
        else:
            self.uses.append(NameUse("proposition", text, (tokens, at, at)))
            self.operands.append(Operand(f.Atom(text), at, at))
        return at + 1

    def _colour(self, at: int) -> int:
        tokens = self.tokens
        agent, colour = tokens.texts[at], tokens.texts[at + 2]
        colours = ("GreenStates", "RedStates")
        if colour not in colours and colour.casefold() in map(str.casefold, colours):
            message, span = f"`{agent}.{colour}` is not a proposition", tokens.span(at, at + 2)
            self._fail("E502", message, span, did_you_mean(colour, colours))
        if colour not in colours:
            self._fail(
                "E502", f"`{agent}.{colour}` is not a proposition", tokens.span(at, at + 2),
                f"name it in Evaluation: `p if {agent}.{colour} = …;`, and write `p` here",
            )  # fmt: skip
        self.uses.append(NameUse("agent", agent, (tokens, at, at)))
        value = f.Green(agent) if colour == "GreenStates" else f.Red(agent)
        self.operands.append(Operand(value, at, at + 2))
        return at + 3

    def _call(self, at: int) -> int:
        """`K(i, f)` and its kin: open a bracket that builds the operator when it closes."""
        tokens = self.tokens
        text, who = tokens.texts[at], tokens.texts[at + 2]
        kind: NameKind = "agent" if text in ops.AGENT_CALLS else "group"
        if tokens.kinds[at + 2] != NAME or tokens.kinds[at + 3] != ",":
            article = "an agent" if kind == "agent" else "a group"
            raise expected(tokens, at + 2, f"{article} and a comma", f"write `{text}({kind}, formula)`")
        self.uses.append(NameUse(kind, who, (tokens, at + 2, at + 2)))

        def build(inner: Operand) -> Operand:
            return Operand(ops.CALLS[text](who, self._state(inner)), at, inner.last + 1)

        self._open(text, at, build)
        return at + 4

    # -- modalities -------------------------------------------------------------------------

    def _modality(self, at: int) -> int:
        """`<g>X f`, `<g>(f U h)`, `<r>f` or `[r]f`."""
        tokens = self.tokens
        if tokens.kinds[at] == "<" and self._is_coalition(at):
            return self._coalition(at)
        if not self.language.dynamic:
            self._fail_undynamic(at)
        self.programs += 1
        self._open(tokens.kinds[at], at)
        return at + 1

    def _fail_undynamic(self, at: int) -> NoReturn:
        tokens = self.tokens
        if tokens.kinds[at : at + 2] == ["<", "<"]:
            cure = "Strategy Logic is not supported; coalitions are written `<group>F formula`"
        elif tokens.kinds[at] == "[" and at and tokens.texts[at - 1] in ops.QUANTIFIERS:
            cure = f"until is written with parentheses: `{tokens.texts[at - 1]}(p U q)`"
        elif tokens.kinds[at] == "<" and tokens.kinds[at + 1 : at + 3] == [NAME, ">"]:
            cure = "a coalition is followed by `X`, `F`, `G` or `(f U g)`; programs need `LDL` or `CDL*`"
        else:
            cure = "programs need the prefix `LDL` or `CDL*`; coalitions are written `<group>F formula`"
        self._fail("E503", f"`{tokens.kinds[at]}` cannot start a formula here", tokens.span(at), cure)

    def _is_coalition(self, at: int) -> bool:
        tokens = self.tokens
        if tokens.kinds[at + 1 : at + 3] != [NAME, ">"]:
            return False
        name, after = tokens.texts[at + 1], at + 3
        word = tokens.texts[after] in ops.COALITION_WORDS and self._starts_operand(after + 1)
        if not (word or tokens.kinds[after] == "("):
            return False
        if not self.language.dynamic:
            return True
        if self.names is None or name not in self.names.groups | self.names.agents:
            return False
        if word and self._is_proposition(name):
            self._fail_ambiguous(name, at)
        return True

    def _is_proposition(self, name: str) -> bool:
        return self.names is not None and name in self.names.propositions

    def _fail_ambiguous(self, name: str, at: int) -> NoReturn:
        self._fail(
            "E505", f"`{name}` is both a proposition and a group or agent", self.tokens.span(at, at + 2),
            f"rename one, or write `<({name})>` for the program",
        )  # fmt: skip

    def _coalition(self, at: int) -> int:
        tokens = self.tokens
        name = tokens.texts[at + 1]
        use = NameUse("coalition", name, (tokens, at + 1, at + 1))
        word = tokens.texts[at + 3]
        if tokens.kinds[at + 3] == NAME:
            self.uses.append(use)

            def can(inner: Operand) -> Operand:
                value = ops.COALITION_WORDS[word](name, self._state(inner))
                return Operand(value, at, inner.last, tail=inner.tail)

            self.waiting.append(Waiting(word, ops.PREFIX_LEVEL, at, can))
            return at + 4

        def can_until(inner: Operand) -> Operand:
            if inner.until and isinstance(inner.value, f.U):
                if self.language.dynamic and self._is_proposition(name):
                    self._fail_ambiguous(name, at)
                self.uses.append(use)
                left, right = inner.value.left, inner.value.right
                self._refuse_inner_path(left, inner)
                self._refuse_inner_path(right, inner)
                return Operand(f.CanU(name, left, right), at, inner.last)
            if not self.language.dynamic:
                self._fail_undynamic(at)
            self.uses.append(NameUse("proposition", name, use.place))
            letter = f.Letter(f.Atom(name))
            return Operand(f.Diamond(letter, self._formula(inner)), at, inner.last)

        self.waiting.append(Waiting("<>", ops.PREFIX_LEVEL, at, can_until))
        return at + 3

    # -- what follows an operand --------------------------------------------------------------

    def _after(self, at: int) -> tuple[int, bool]:
        """Apply postfix operators and closing brackets; the token after them.

        And whether the last was the bracket of a program, which wants another operand.
        """
        kinds = self.tokens.kinds
        while True:
            kind = kinds[at]
            if kind in ("*", "?") and self.programs and not self._in_call():
                self._postfix(kind, at)
            elif kind == ")" and self.brackets[-1] not in ("", "<", "["):
                self._close(at)
            elif (kind == ">" and self.brackets[-1] == "<") or (kind == "]" and self.brackets[-1] == "["):
                self._close_program()
                return at + 1, True
            else:
                return at, False
            at += 1

    def _open(self, word: str, at: int, build: Callable[[Operand], Operand] | None = None) -> None:
        self.waiting.append(Waiting(word, ops.BRACKET_LEVEL, at, build))
        self.brackets.append(word)

    def _postfix(self, kind: str, at: int) -> None:
        self._reduce(ops.PREFIX_LEVEL)
        operand = self.operands.pop()
        program: Program
        if kind == "*":
            program = f.Star(self._program(operand))
        else:
            program = f.Test(self._formula(operand))
        self.operands.append(Operand(program, operand.first, at))

    def _close(self, at: int) -> None:
        self._reduce(1)
        self.brackets.pop()
        inner, opened = self.operands.pop(), self.waiting.pop()
        if opened.build is not None:
            self.operands.append(opened.build(inner))
            return
        until = not inner.closed and isinstance(inner.value, f.U | f.W | f.R)
        self.operands.append(Operand(inner.value, opened.token, at, until=until))

    def _close_program(self) -> None:
        """Close `<r>` or `[r]`: it becomes a prefix of the operand that follows."""
        self._reduce(1)
        self.brackets.pop()
        inner, opened = self.operands.pop(), self.waiting.pop()
        self.programs -= 1
        program = self._program(inner)
        modality = f.Diamond if opened.text == "<" else f.Box

        def build(sub: Operand) -> Operand:
            return Operand(modality(program, self._formula(sub)), opened.token, sub.last, tail=sub.tail)

        self.waiting.append(Waiting(opened.text + "r", ops.PREFIX_LEVEL, opened.token, build))

    # -- building -----------------------------------------------------------------------------

    def _prefix(self, word: str, at: int, operator: Callable[[Formula], Formula]) -> None:
        def build(inner: Operand) -> Operand:
            value = self._formula(inner)
            until = ops.CTL_UNTIL.get((word, type(value))) if inner.until else None
            made: Formula
            if until is not None and not self.language.quantified and not _mentions_path(value):
                left, right = value.children
                made = until(left, right)  # type: ignore[arg-type]
            else:
                if word in ops.STATE_WORDS:
                    value = self._state(inner)
                made = operator(value)
            return Operand(made, at, inner.last, tail=inner.tail or word in ops.PATH_WORDS)

        self.waiting.append(Waiting(word, ops.PREFIX_LEVEL, at, build))

    def _reduce(self, level: int) -> None:
        """Apply the waiting operators that bind at least as tightly as `level`."""
        waiting, operands = self.waiting, self.operands
        while waiting and waiting[-1].level >= level:
            op = waiting.pop()
            right = operands.pop()
            operands.append(op.build(right) if op.build else self._join(op, operands.pop(), right))

    def _join(self, op: Waiting, left: Operand, right: Operand) -> Operand:
        value: Formula | Program
        if op.text in ops.PROGRAM_INFIX:
            made = f.Choice if op.text == "+" else f.Seq
            value = made(self._program(left), self._program(right))
        else:
            value = ops.CONNECTIVES[op.text](self._formula(left), self._formula(right))
        tail = right.tail or op.text in ops.UNTIL_WORDS
        return Operand(value, left.first, right.last, closed=False, tail=tail)

    def _formula(self, operand: Operand) -> Formula:
        if isinstance(operand.value, ProgramNode):
            cure = "programs go inside `<…>` or `[…]`; letters with `and`, `or`, `->` need parentheses"
            message = "a program stands where a formula is expected"
            self._fail("E506", message, self._span(operand), cure)
        return operand.value

    def _program(self, operand: Operand) -> Program:
        value = operand.value
        if isinstance(value, ProgramNode):
            return value
        if not f.is_propositional(value):
            cure = "make it a test: `(…)?`, followed by `;tt` if it should consume a step"
            self._fail("E507", "a program letter must be propositional", self._span(operand), cure)
        if not operand.closed:
            message, cure = "a letter with `and`, `or` or `->` needs parentheses", "write `(p and q)`"
            self._fail("E508", message, self._span(operand), cure)
        return f.Letter(value)

    def _state(self, operand: Operand) -> Formula:
        """The operand of a state operator: without a prefix it must be a state formula."""
        value = self._formula(operand)
        if self.language is Language.PLAIN:
            self._refuse_path(operand)
        return value

    def _refuse_path(self, operand: Operand) -> None:
        self._refuse_inner_path(self._formula(operand), operand)

    def _refuse_inner_path(self, value: Formula, operand: Operand) -> None:
        if value.is_path and self.language is Language.PLAIN:
            self._fail("E504", "a path formula stands where a state formula is expected", self._span(operand),
                       "write `AG`, `AF`, …, a quantifier `A` or `E`, or the prefix `LTL`")  # fmt: skip

    # -- errors -------------------------------------------------------------------------------

    def _span(self, operand: Operand) -> Span:
        return self.tokens.span(operand.first, operand.last)

    def _fail(self, code: str, message: str, span: Span, cure: str | None = None) -> NoReturn:
        raise InputError([Diagnostic(code, message, self.tokens.source, span, cure)])

    def _unclosed(self, at: int) -> InputError:
        opened = self.waiting[-1]
        wanted = {"<": ">", "[": "]"}.get(opened.text, ")")
        cure = foreign_formula(self.tokens, at)
        return expected(self.tokens, at, f"an operator or `{wanted}`", cure)


def _mentions_path(value: Formula) -> bool:
    return any(is_formula(child) and child.is_path for child in value.children)
