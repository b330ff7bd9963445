"""The stacks of the formula parser: operands, operators and open brackets, and what they become."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, NoReturn, TypeVar

from knower.errors import Diagnostic, InputError
from knower.logic import formula as f
from knower.logic.combining import bare_action, misplaced_action
from knower.logic.fold import fold
from knower.logic.formula import Formula, Program, ProgramNode, is_formula
from knower.logic.kinds import is_letter
from knower.logic.language import Language
from knower.source import Span
from knower.syntax import operators as ops
from knower.syntax.expected import expected
from knower.syntax.foreign_syntax import foreign_formula
from knower.syntax.lexer import Tokens
from knower.syntax.naming import Missing
from knower.syntax.tree import NameUse

T = TypeVar("T")


class Operand(NamedTuple):
    """A parsed piece with the tokens it covers.

    `closed`: nothing outside can split it. `until`: it is `( … U … )`. `tail`: it ends in a path
    operator whose operand the peer would extend.
    """

    value: Formula | Program
    first: int
    last: int
    closed: bool = True
    until: bool = False
    tail: bool = False


class Waiting(NamedTuple):
    """An infix operator, a prefix operator, or an open bracket."""

    text: str
    level: int
    token: int
    build: Callable[[Operand], Operand] | None = None


class FormulaStack:
    """What has been read of a formula, and is not put together yet."""

    def __init__(self, tokens: Tokens, language: Language) -> None:
        self.tokens = tokens
        self.language = language
        self.operands: list[Operand] = []
        self.waiting: list[Waiting] = []
        self.brackets = [""]  # the words of those that wait, the innermost last
        self.programs = 0
        self.uses: list[NameUse] = []
        self.missing: list[tuple[int, Missing]] = []
        #: Whether something is written out that was written shorter.
        self.abbreviated = False

    def in_call(self) -> bool:
        """Whether the innermost bracket is that of `K(i, …)`: no program operator fits there."""
        return self.brackets[-1] in ops.CALLS

    def open(self, word: str, at: int, build: Callable[[Operand], Operand] | None = None) -> None:
        self.waiting.append(Waiting(word, ops.BRACKET_LEVEL, at, build))
        self.brackets.append(word)

    def postfix(self, kind: str, at: int) -> None:
        self.reduce(ops.PREFIX_LEVEL)
        operand = self.operands.pop()
        program: Program
        if kind == "*":
            program = f.Star(self.program(operand))
        else:
            program = f.Test(self.formula(operand))
        self.operands.append(Operand(program, operand.first, at))

    def close(self, at: int) -> None:
        self.reduce(1)
        self.brackets.pop()
        inner, opened = self.operands.pop(), self.waiting.pop()
        if opened.build is not None:
            self.operands.append(opened.build(inner))
            return
        until = not inner.closed and isinstance(inner.value, f.U | f.W | f.R)
        self.operands.append(Operand(inner.value, opened.token, at, until=until))

    def close_program(self) -> None:
        """Close `<r>` or `[r]`: it becomes a prefix of the operand that follows."""
        self.reduce(1)
        self.brackets.pop()
        inner, opened = self.operands.pop(), self.waiting.pop()
        self.programs -= 1
        program = self.program(inner)
        modality = f.Diamond if opened.text == "<" else f.Box

        def build(sub: Operand) -> Operand:
            return Operand(modality(program, self.formula(sub)), opened.token, sub.last, tail=sub.tail)

        self.waiting.append(Waiting(opened.text + "r", ops.PREFIX_LEVEL, opened.token, build))

    # -- building -----------------------------------------------------------------------------

    def prefix(self, word: str, at: int, operator: Callable[[Formula], Formula]) -> None:
        def build(inner: Operand) -> Operand:
            value = self.formula(inner)
            until = ops.CTL_UNTIL.get((word, type(value))) if inner.until else None
            made: Formula
            if until is not None and not self.language.quantified and not _mentions_path(value):
                left, right = value.children
                made = until(left, right)  # type: ignore[arg-type]
            else:
                if word in ops.STATE_WORDS:
                    value = self.state(inner)
                made = operator(value)
            return Operand(made, at, inner.last, tail=inner.tail or word in ops.PATH_WORDS)

        self.waiting.append(Waiting(word, ops.PREFIX_LEVEL, at, build))

    def reduce(self, level: int) -> None:
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
            value = made(self.program(left), self.program(right))
        else:
            value = ops.CONNECTIVES[op.text](self.formula(left), self.formula(right))
            if self.missing:
                value = self._folded(op.text, left, right, value)
        tail = right.tail or op.text in ops.UNTIL_WORDS
        return Operand(value, left.first, right.last, closed=False, tail=tail)

    def _folded(self, word: str, left: Operand, right: Operand, value: Formula) -> Formula:
        """A connective that one side decides, if something is missing in the other: no harm is done then."""
        decisive = _DECISIVE.get(word)
        inside = [each for each in self.missing if left.first <= each[0] <= right.last]
        if decisive is None or not inside:
            return value
        for side, alone in zip((left, right), decisive, strict=True):
            if _known(self.formula(side)) is alone and all(
                not side.first <= at <= side.last for at, _ in inside
            ):
                self.missing = [each for each in self.missing if each not in inside]
                return f.Constant(word not in ("and", "&&"))
        return value

    def present(self, at: int, make: Callable[[], T], instead: T) -> T:
        """What naming makes of something at a token; what is missing is remembered."""
        try:
            return make()
        except Missing as missing:
            self.missing.append((at, missing))
            return instead

    def formula(self, operand: Operand) -> Formula:
        if isinstance(operand.value, ProgramNode):
            cure = "programs go inside `<…>` or `[…]`; letters with `and`, `or`, `->` need parentheses"
            message = "a program stands where a formula is expected"
            self.fail("E506", message, self._span(operand), cure)
        return operand.value

    def program(self, operand: Operand) -> Program:
        value = operand.value
        if isinstance(value, ProgramNode):
            return value
        if not is_letter(value):
            cure = "make it a test: `(…)?`, followed by `;tt` if it should consume a step"
            self.fail("E507", "a program letter must be propositional", self._span(operand), cure)
        if not operand.closed:
            message, cure = "a letter with `and`, `or` or `->` needs parentheses", "write `(p and q)`"
            self.fail("E508", message, self._span(operand), cure)
        return f.Letter(value)

    def state(self, operand: Operand) -> Formula:
        """The operand of a state operator: without a prefix it must be a state formula."""
        value = self.formula(operand)
        if self.language is Language.PLAIN:
            self.refuse_path(operand)
        return value

    def refuse_path(self, operand: Operand) -> None:
        self.refuse_inner_path(self.formula(operand), operand)

    def refuse_inner_path(self, value: Formula, operand: Operand) -> None:
        if value.is_path and self.language is Language.PLAIN:
            if (action := bare_action(value)) is not None:
                told = misplaced_action(action)
                self.fail(told.code, told.message, self._span(operand), told.cure)
            self.fail("E504", "a path formula stands where a state formula is expected", self._span(operand),
                       "write `AG`, `AF`, …, a quantifier `A` or `E`, or the prefix `LTL`")  # fmt: skip

    # -- errors -------------------------------------------------------------------------------

    def _span(self, operand: Operand) -> Span:
        return self.tokens.span(operand.first, operand.last)

    def fail(self, code: str, message: str, span: Span, cure: str | None = None) -> NoReturn:
        raise InputError([Diagnostic(code, message, self.tokens.source, span, cure)])

    def unclosed(self, at: int) -> InputError:
        opened = self.waiting[-1]
        wanted = {"<": ">", "[": "]"}.get(opened.text, ")")
        cure = foreign_formula(self.tokens, at)
        return expected(self.tokens, at, f"an operator or `{wanted}`", cure)


#: The value of a left and of a right side that decides alone.
_DECISIVE = {
    "and": (False, False), "&&": (False, False), "or": (True, True), "||": (True, True), "->": (False, True),
}  # fmt: skip


def _known(formula: Formula) -> bool | None:
    """The value of a formula that folds to one."""

    def value(item: Formula, below: tuple[bool | None, ...]) -> bool | None:
        match item:
            case f.Constant(known):
                return known
            case f.Not():
                return None if below[0] is None else not below[0]
            case f.And():
                return False if False in below else None if None in below else True
            case f.Or():
                return True if True in below else None if None in below else False
            case f.Implies():
                return True if below[0] is False or below[1] is True else None if None in below else False
            case _:
                return None

    return fold(formula, value)


def _mentions_path(value: Formula) -> bool:
    return any(is_formula(child) and child.is_path for child in value.children)
