"""Conditions in words: as they are written, with values in the place of names that are bound."""

from __future__ import annotations

from dataclasses import replace

from knower.syntax.naming import as_atom
from knower.syntax.template import (
    Apply,
    Binds,
    Collection,
    Conditional,
    Interval,
    NamedSet,
    Quantified,
    Range,
    Reference,
    SetOf,
)  # fmt: skip
from knower.syntax.tree import Expr, Infix, Name, Number, Phrase, Prefix
from knower.templates.mistakes import Mistake
from knower.templates.static import Static
from knower.templates.values import Environment, Value, spelt


def worded(phrase: Phrase, env: Environment) -> str:
    """`Child(i).x[j] = n` with i = 2, j = 1 and n = 3 is `Child(2).x[1] = 3`."""
    return as_atom(_Wording(env).expr(phrase.expr))


class _Wording:
    def __init__(self, env: Environment) -> None:
        self.env = env
        self.static = Static()

    def expr(self, item: Expr) -> Expr:
        match item:
            case Name(name, None) if name in self.env and not isinstance(self.env[name], tuple):
                return _literal(self.env[name])  # type: ignore[arg-type]
            case Prefix(word, operand):
                return Prefix(word, self.expr(operand))
            case Infix(word, left, right):
                return Infix(word, self.expr(left), self.expr(right))
            case Reference(name, arguments, member, indices):
                known, found = tuple(map(self.argument, arguments)), tuple(map(self.argument, indices))
                return Reference(name, known, member, found)
            case Quantified(word, binds, body):
                return Quantified(word, self.binds(binds), self.phrase(body))
            case Apply(word, operands):
                return Apply(word, tuple(map(self.phrase, operands)))
            case Conditional(condition, then, otherwise):
                return Conditional(self.phrase(condition), self.phrase(then), self.phrase(otherwise))
            case Collection(values):
                return Collection(self.range(values))
            case _:
                return item

    def phrase(self, phrase: Phrase) -> Phrase:
        return Phrase(self.expr(phrase.expr))

    def argument(self, phrase: Phrase) -> Phrase:
        """Worked out as far as it is static."""
        try:
            if not isinstance(phrase.expr, Name):
                return Phrase(_literal(self.static.value(phrase, self.env)))
        except Mistake:
            pass
        return self.phrase(phrase)

    def binds(self, binds: Binds) -> Binds:
        named = tuple(replace(bind, range=self.range(bind.range)) for bind in binds.binds)
        return Binds(named, None if binds.where is None else self.phrase(binds.where))

    def range(self, written: Range) -> Range:
        match written:
            case Interval(low, high):
                return Interval(self.phrase(low), self.phrase(high))
            case NamedSet():
                return written
            case SetOf(items, binds):
                return SetOf(tuple(map(self.phrase, items)), None if binds is None else self.binds(binds))


def _literal(value: Value) -> Expr:
    if isinstance(value, bool | str):
        return Name(spelt(value))
    return Number(value) if value >= 0 else Prefix("-", Number(-value))
