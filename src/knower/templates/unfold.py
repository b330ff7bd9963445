"""Expressions of a template into plain ones, for one instance.

What is static is worked out; what stands in a conjunction that is false by that (in a disjunction that is
true, behind an antecedent that is false, in a branch not taken) may be out of range.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce

from knower.syntax.template import (
    Apply,
    Collection,
    Conditional,
    Interval,
    NamedSet,
    Quantified,
    Reference,
    SetOf,
)  # fmt: skip
from knower.syntax.tree import Expr, Infix, Name, Number, Phrase, Prefix
from knower.templates.mistakes import Mistake, OutOfRange
from knower.templates.references import References
from knower.templates.values import Environment, called

_CONNECTIVES = frozenset({"and", "or", "->"})
_EQUALITY = frozenset({"=", "!=", "in"})
#: A part that was worked out, or why it could not be.
_Attempt = Expr | OutOfRange


class Unfolder(References):
    """Works out expressions in one reading."""

    # -- one case per construct --------------------------------------------------------------------

    def _in_phrase(self, phrase: Phrase, env: Environment) -> Expr:
        return self._of(phrase.expr, env)

    def _of(self, item: Expr, env: Environment) -> Expr:
        match item:
            case Number(value):
                return self.nodes.static(value)
            case Name(name, None):
                return self._bare(item, name, env)
            case Name(name, str(owner)):
                return self._member(item, owner, (), name, (), env)
            case Infix(word) if word in _CONNECTIVES:
                return self._connected(item, env)
            case Infix(word, left, right) if word in _EQUALITY:
                return self._compared(word, left, right, env)
            case Infix(word, left, right):
                return self.nodes.infix(word, self._of(left, env), self._of(right, env))
            case Prefix(word, operand):
                return self.nodes.prefix(word, self._of(operand, env))
            case Reference(name, arguments, None, ()):
                return self._called(item, name, tuple(self.static.value(each, env) for each in arguments))
            case Reference(name, (), None, indices):
                return self._own_element(item, name, indices, env)
            case Reference(name, arguments, str(member), indices):
                return self._member(item, name, arguments, member, indices, env)
            case Quantified():
                return self._quantified(item, env)
            case Apply("abs", (operand,)):
                return self.nodes.prefix("abs", self._in_phrase(operand, env))
            case Apply(word, operands):
                found = [self._in_phrase(each, env) for each in operands]
                return reduce(lambda a, b: self.nodes.infix(word, a, b), found)
            case Conditional(condition, then, otherwise):
                return self._conditional(condition, then, otherwise, env)
            case _:
                raise Mistake("E308", "this is no expression of its own", self._span(item))

    # -- connectives and comparisons ---------------------------------------------------------------

    def _attempt(self, item: Expr, env: Environment) -> _Attempt:
        try:
            return self._of(item, env)
        except OutOfRange as mistake:
            return mistake

    def _connected(self, item: Infix, env: Environment) -> Expr:
        """A chain of `and`, `or`, `->`, from the left."""
        spine: list[Infix] = []
        first: Expr = item
        while isinstance(first, Infix) and first.operator in _CONNECTIVES:
            spine.append(first)
            first = first.left
        found = self._attempt(first, env)
        for each in reversed(spine):
            found = self._joined(each.operator, found, self._attempt(each.right, env))
        return _required(found)

    def _joined(self, word: str, left: _Attempt, right: _Attempt) -> _Attempt:
        """What is out of range does no harm beside what decides alone."""
        nodes = self.nodes
        if isinstance(left, Expr) and isinstance(right, Expr):
            made = nodes.infix(word, left, right)
            if nodes.value_of(made) is not None:
                self.resolve(left, right)
            return made
        decisive = {"and": (False, False), "or": (True, True), "->": (False, True)}[word]
        for side, value in zip((left, right), decisive, strict=True):
            if isinstance(side, Expr) and nodes.value_of(side) is value:
                return nodes.static(word != "and")
        return left if isinstance(left, OutOfRange) else right

    def _conditional(self, condition: Phrase, then: Phrase, otherwise: Phrase, env: Environment) -> Expr:
        test = self._in_phrase(condition, env)
        known = self.nodes.value_of(test)
        branches: list[_Attempt] = []
        for branch, taken in ((then, True), (otherwise, False)):
            try:
                branches.append(self._in_phrase(branch, env))
            except OutOfRange as mistake:
                if known is not (not taken):
                    raise
                branches.append(mistake)
        if isinstance(known, bool):
            self.resolve(*(branch for branch in branches if isinstance(branch, Expr)))
            return _required(branches[0] if known else branches[1])
        return self.nodes.conditional(test, _required(branches[0]), _required(branches[1]))

    def _compared(self, word: str, left: Expr, right: Expr, env: Environment) -> Expr:
        """`=`, `!=` or `in`: a name on one side may be a value that the other one can have."""
        if word == "in":
            assert isinstance(right, Collection)
            return self._in(left, right, env)
        choices = self._choices(left, env)
        one, other = self._side(left, self._choices(right, env), env), self._side(right, choices, env)
        return self.nodes.infix(word, one, other)

    def _side(self, item: Expr, choices: Iterable[str], env: Environment) -> Expr:
        text: str | None = None
        match item:
            case Name(name, None):
                text = name
            case Reference(name, arguments, None, ()) if choices:
                text = called(name, tuple(self.static.value(each, env) for each in arguments))
            case _:
                pass
        return self.nodes.static(text) if text is not None and text in choices else self._of(item, env)

    def _choices(self, item: Expr, env: Environment) -> Iterable[str]:
        """Names that come first beside an expression: an agent's actions, in formulas a variable's values."""
        match item:
            case Name("Action", None) if self.reading.reader is not None:
                return self.reading.reader.actions
            case Name(name, str(owner)):
                agent = self.world.member(owner)
            case Reference(owner, arguments, str(name)) if owner in self.world.families:
                try:
                    agent = self.agent(owner, arguments, env, item)
                except Mistake:  # it is reported where the expression itself is worked out
                    return ()
            case _:
                return ()
        if agent is None:
            return ()
        if name == "Action":
            return agent.actions
        known = agent.variables.get(name)
        return known.values if known is not None and self.reading.is_formula else ()

    def _in(self, left: Expr, collection: Collection, env: Environment) -> Expr:
        nodes = self.nodes
        match collection.range:
            case Interval(low, high):
                element = self._of(left, env)
                above = nodes.infix("<=", self._in_phrase(low, env), element)
                return nodes.infix("and", above, nodes.infix("<=", element, self._in_phrase(high, env)))
            case NamedSet() as named:
                element = self._of(left, env)
                members = [nodes.static(value) for value in self.static.range(named, env)]
            case SetOf(items, binds):
                element = self._of(left, env)
                choices = self._choices(left, env)
                inner = [env] if binds is None else self.static.valuations(binds, env)
                members = [self._item(item, choices, each) for each in inner for item in items]
        equal = [nodes.infix("=", element, each) for each in dict.fromkeys(members)]
        return reduce(lambda a, b: nodes.infix("or", a, b), equal) if equal else nodes.static(False)

    def _item(self, item: Phrase, choices: Iterable[str], env: Environment) -> Expr:
        return self._side(item.expr, choices, env) if choices else self._in_phrase(item, env)

    # -- quantifiers -------------------------------------------------------------------------------

    def _quantified(self, item: Quantified, env: Environment) -> Expr:
        nodes, word = self.nodes, item.word
        bodies = self._bodies(item, env)
        if word in ("forall", "exists"):
            join = "and" if word == "forall" else "or"
            found: _Attempt = nodes.static(word == "forall")
            for body in bodies:
                found = self._joined(join, found, body)
            return _required(found)
        parts = [_required(body) for body in bodies]
        if word == "count":
            one, none = nodes.static(1), nodes.static(0)
            parts = [nodes.conditional(part, one, none) for part in parts]
        if word in ("sum", "count"):
            return reduce(lambda a, b: nodes.infix("+", a, b), parts, nodes.static(0))
        if not parts:
            raise Mistake("E310", f"`{word}` over nothing has no value", self._span(item))
        return reduce(lambda a, b: nodes.infix(word, a, b), parts)

    def _bodies(self, item: Quantified, env: Environment) -> Iterator[_Attempt]:
        for inner in self.static.valuations(item.binds, env):
            try:
                yield self._in_phrase(item.body, inner)
            except OutOfRange as mistake:
                yield mistake


def _required(found: _Attempt) -> Expr:
    if isinstance(found, OutOfRange):
        raise found
    return found
