"""The values of static expressions, and of ranges and sets of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import reduce

from knower.errors import did_you_mean
from knower.source import Span
from knower.syntax.foreign_syntax import foreign_type
from knower.syntax.template import (
    Apply,
    Bind,
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
from knower.syntax.tree import Expr, Infix, Name, Number, Phrase, Placed, Prefix
from knower.templates import values
from knower.templates.mistakes import Mistake
from knower.templates.values import Environment, Value, called, kind, spelt

#: Refuses a name that is bound although it means something already.
Refuse = Callable[[Bind, Environment], None]


def nothing_refused(bind: Bind, env: Environment) -> None:
    """Where names are known to be fresh."""


class Static:
    """Works out static expressions in one place, for one instance.

    `refuse`: raises where a bound name means something else already.
    """

    def __init__(self, refuse: Refuse = nothing_refused, instance: str = "") -> None:
        self.refuse = refuse
        self.instance = instance

    def span(self, placed: Placed) -> Span:
        return placed.span._replace(instance=self.instance) if self.instance else placed.span

    # -- values ------------------------------------------------------------------------------------

    def number(self, phrase: Phrase, env: Environment) -> int:
        value = self._value(phrase, env)
        if isinstance(value, bool) or not isinstance(value, int):
            shown = f"{value}, which is no whole number" if isinstance(value, Fraction) else kind(value)
            raise self._wrong(phrase, f"a number is expected, this is {shown}")
        return value

    def truth(self, phrase: Phrase, env: Environment) -> bool:
        value = self._value(phrase, env)
        if not isinstance(value, bool):
            raise self._wrong(phrase, f"a condition is expected, this is {kind(value)}")
        return value

    def value(self, phrase: Phrase, env: Environment) -> Value:
        """A number, a truth value or a name: those of enumerations stand for themselves."""
        value = self._value(phrase, env, names=True)
        if isinstance(value, tuple | Fraction):
            shown = value if isinstance(value, Fraction) else "a set"
            raise self._wrong(phrase, f"a single value is expected, this is {shown}")
        return value

    def _wrong(self, placed: Placed, message: str) -> Mistake:
        return Mistake("E308", message, self.span(placed))

    def _value(self, phrase: Phrase, env: Environment, *, names: bool = False) -> Value | Fraction:
        expr = phrase.expr
        if type(expr) is Name and expr.owner is None and expr.name in env:
            return env[expr.name]  # type: ignore[return-value]
        return self._of(phrase.expr, env, phrase, names)  # type: ignore[return-value]

    def _of(self, item: Expr, env: Environment, phrase: Phrase, names: bool) -> object:
        def of(part: Expr | Phrase) -> object:
            return self._of(part.expr if isinstance(part, Phrase) else part, env, phrase, names)

        if type(item) is Name and item.owner is None and item.name in env:
            return env[item.name]  # most of them: before the cases are gone through
        match item:
            case Number(value):
                return value
            case Name("true" | "false" as word, None):
                return word == "true"
            case Name(name, None):
                return self._named(name, env, phrase, names)
            case Prefix(word, operand):
                return self._known(values.prefix(word, of(operand)), phrase, word)
            case Infix("in", left, Collection(collection)):
                return of(left) in self.range(collection, env)
            case Infix(word, left, right):
                return self._infix(word, of(left), lambda: of(right), phrase)
            case Apply("abs", (operand,)):
                return self._known(values.prefix("abs", of(operand)), phrase, "abs")
            case Apply(word, operands):
                return self._chain(word, list(map(of, operands)), phrase)
            case Conditional(condition, then, otherwise):
                return of(then) if of(condition) is True else of(otherwise)
            case Reference(name, arguments, None, ()):
                return called(name, tuple(self.value(each, env) for each in arguments))
            case Quantified(word, binds, body):
                return self._quantified(word, binds, body, env)
            case _:
                raise self._wrong(phrase, "this has no value that is known before there is a state")

    def _named(self, name: str, env: Environment, phrase: Phrase, names: bool) -> object:
        if name in env:
            return env[name]
        if names:
            return name
        cure = did_you_mean(name, env) or "constants, parameters and bound names are known here"
        raise Mistake("E211", f"`{name}` is no constant, parameter or bound name", self.span(phrase), cure)

    def _infix(self, word: str, left: object, right: Callable[[], object], phrase: Phrase) -> object:
        decided = {"and": False, "or": True, "->": False}.get(word)
        if decided is not None and left is decided:
            return word != "and"
        return self._known(values.infix(word, left, right()), phrase, word)

    def _known(self, value: object | None, phrase: Phrase, word: str) -> object:
        if value is None:
            raise self._wrong(phrase, f"`{word}` has no value here")
        return value

    def _quantified(self, word: str, binds: Binds, body: Phrase, env: Environment) -> object:
        found = [self._value(body, inner) for inner in self.valuations(binds, env)]
        match word:
            case "forall":
                return all(found)
            case "exists":
                return any(found)
            case "count":
                return sum(value is True for value in found)
            case "sum":
                return self._chain("+", [0, *found], body)
            case _:
                if not found:
                    raise Mistake("E310", f"`{word}` over nothing has no value", self.span(binds))
                return self._chain(word, found, body)

    def _chain(self, word: str, parts: Sequence[object], phrase: Phrase) -> object:
        return reduce(lambda a, b: self._infix(word, a, lambda: b, phrase), parts)

    # -- ranges and names --------------------------------------------------------------------------

    def range(self, written: Range, env: Environment) -> tuple[Value, ...]:
        """The values of a range or set, each once."""
        match written:
            case Interval(low, high):
                return tuple(range(self.number(low, env), self.number(high, env) + 1))
            case NamedSet(name):
                found = env.get(name)
                if not isinstance(found, tuple):
                    raise self._no_set(name, written, env)
                return found
            case SetOf(items, binds):
                inner = [env] if binds is None else self.valuations(binds, env)
                return tuple(dict.fromkeys(self.value(item, each) for each in inner for item in items))

    def _no_set(self, name: str, written: NamedSet, env: Environment) -> Mistake:
        sets = [known for known, value in env.items() if isinstance(value, tuple)]
        cure = (
            foreign_type(name)
            or did_you_mean(name, ["boolean", *sets])
            or "a range is `low..high`, `{…}` or a constant set"
        )
        return Mistake("E211", f"`{name}` is no constant set", self.span(written), cure)

    def valuations(self, binds: Binds, env: Environment) -> Iterator[Environment]:
        """The environments for all values of names, the first slowest, where the condition holds."""
        for inner in self._valuations(binds.binds, env):
            if binds.where is None or self.truth(binds.where, inner):
                yield inner

    def parameters(self, binds: tuple[Bind, ...], env: Environment) -> Iterator[Environment]:
        """The same for the parameters of an agent."""
        return self._valuations(binds, env)

    def _valuations(self, binds: tuple[Bind, ...], env: Environment) -> Iterator[Environment]:
        if not binds:
            yield env
            return
        first, *rest = binds
        if first.name.text in env:
            stands = f"`{first.name.text}` means {spelt(env[first.name.text])} here already"
            raise Mistake("E210", stands, self.span(first.name), "choose another name")
        self.refuse(first, env)
        for value in self.range(first.range, env):
            yield from self._valuations(tuple(rest), {**env, first.name.text: value})
