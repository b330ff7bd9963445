"""Random models with templates, each beside the same model written out: by nothing of `knower.templates`.

A `Piece` is a text of the template, and a function from the values of bound names to the plain text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from hypothesis.strategies import SearchStrategy

from strategies import Choices, drawn

Values: TypeAlias = dict[str, int]
Names: TypeAlias = tuple[str, ...]


class Piece(NamedTuple):
    text: str
    plain: Callable[[Values], str]


class Index(NamedTuple):
    """A static number from 1 to n."""

    text: str
    value: Callable[[Values], int]


class Bound(NamedTuple):
    """A name, how it is bound, and its values."""

    name: str
    text: str
    values: Callable[[Values], Iterable[int]]

    def each(self, env: Values) -> list[Values]:
        return [{**env, self.name: value} for value in self.values(env)]


@dataclass(frozen=True)
class Reader:
    """Who reads: how variables are spelt, and whether actions may be read."""

    environment: str = "Environment."
    agent: bool = False
    acts: bool = False


PROTOCOL, EVOLUTION = Reader(agent=True), Reader(agent=True, acts=True)
NATURE, EVERYBODY = Reader("", acts=True), Reader()


class Pair(NamedTuple):
    """A template, and the same written out."""

    template: str
    plain: str


def pairs() -> SearchStrategy[Pair]:
    return drawn(lambda choose: _Model(choose).pair())


def fixed(text: str) -> Piece:
    return Piece(text, lambda _: text)


def joined(word: str, left: Piece, right: Piece) -> Piece:
    return Piece(
        f"({left.text} {word} {right.text})", lambda env: f"({left.plain(env)} {word} {right.plain(env)})"
    )


class _Model:
    """Agents T(1) … T(n) in a ring beside an Environment with an array."""

    def __init__(self, choose: Choices) -> None:
        self.choose = choose
        self.n = choose.between(2, 3)
        self.all = range(1, self.n + 1)
        self.single = bool(choose.below(2))
        self.bound = 0

    # -- static numbers --------------------------------------------------------------------------------

    def index(self, names: Names) -> Index:
        n = self.n
        if not names:
            return self.choose.one([Index("n", lambda _: n), Index("n - 1", lambda _: n - 1)])
        name = self.choose.one(names)
        return self.choose.one([
            Index(name, lambda env: env[name]),
            Index(f"{name} % n + 1", lambda env: env[name] % n + 1),
            Index(f"({name} + n - 2) mod n + 1", lambda env: (env[name] - 2) % n + 1),
            Index(f"n + 1 - {name}", lambda env: n + 1 - env[name]),
            Index(f"min({name} + 1, n)", lambda env: min(env[name] + 1, n)),
            Index(f"(if {name} > 1 then abs(1 - {name}) else n)", lambda env: env[name] - 1 or n),
        ])  # fmt: skip

    def binding(self, names: Names) -> Bound:
        self.bound += 1
        k = f"k{self.bound}"
        ways: list[tuple[str, Callable[[Values], Iterable[int]]]] = [
            (f"{k} : 1..n", lambda _: self.all),
            (f"{k} : {{1, n, 1}}", lambda _: [1, self.n]),
            (f"{k} : 1..n where {k} % 2 = 1", lambda _: range(1, self.n + 1, 2)),
        ]
        if names:
            other = self.choose.one(names)
            ways.append(
                (f"{k} : 1..n where {k} != {other}", lambda env: [v for v in self.all if v != env[other]])
            )
            ways.append((f"{k} : {other}..n", lambda env: range(env[other], self.n + 1)))
        return Bound(k, *self.choose.one(ways))

    # -- what is read ----------------------------------------------------------------------------------

    def of_agent(self, names: Names, what: str) -> Piece:
        at = self.index(names)
        return Piece(f"T({at.text}).{what}", lambda env: f"T_{at.value(env)}.{what}")

    def action(self, names: Names) -> Piece:
        at, which = self.of_agent(names, "Action"), self.index(names)
        kind = self.choose.below(3)
        if kind == 0:
            return joined("=", at, fixed("rest"))
        call = Piece(f"call({which.text})", lambda env: f"call_{which.value(env)}")
        if kind == 1:
            return joined(self.choose.one(["=", "<>"]), at, call)
        return Piece(
            f"({at.text} in {{rest, {call.text}}})",
            lambda env: f"({at.plain(env)} = rest or {at.plain(env)} = {call.plain(env)})",
        )

    def mud(self, names: Names, reader: Reader) -> Piece:
        at, owner = self.index(names), reader.environment
        return Piece(f"{owner}mud[{at.text}]", lambda env: f"{owner}mud_{at.value(env)}")

    def bit(self, names: Names, reader: Reader) -> Piece:
        kind = self.choose.below(4)
        if kind == 0 and reader.acts:
            return self.action(names)
        if kind == 1 and reader.agent:
            return fixed("b")
        if kind == 1 and reader is EVERYBODY:
            return self.of_agent(names, "b")
        if kind == 2 and names:
            return self.next_mud(names, reader)
        return self.mud(names, reader)

    def next_mud(self, names: Names, reader: Reader) -> Piece:
        """At the end of a row there is no next one: what is folded away there is no mistake."""
        name, owner = self.choose.one(names), reader.environment
        return Piece(
            f"({name} < n and {owner}mud[{name} + 1])",
            lambda env: f"{owner}mud_{env[name] + 1}" if env[name] < self.n else "false",
        )

    def number(self, names: Names, reader: Reader, depth: int = 1) -> Piece:
        kind = self.choose.below(5)
        if kind == 0 and names:
            name = self.choose.one(names)
            return Piece(name, lambda env: str(env[name]))
        if kind == 1 and depth:
            return self.folded(names, reader)
        if kind == 2:
            return fixed(f"{reader.environment}turn")
        if kind == 3 and depth:
            left, right = self.number(names, reader, 0), self.number(names, reader, 0)
            return joined(self.choose.one(["+", "-", "*"]), left, right)
        if reader.agent:
            return fixed("x")
        return self.of_agent(names, "x") if reader is EVERYBODY else fixed(str(self.choose.below(3)))

    def folded(self, names: Names, reader: Reader) -> Piece:
        """`count`, `sum`, `min` or `max`; the last two over something."""
        word, k = self.choose.one(["count", "sum", "max", "min"]), self.binding(())
        bit = self.bit((*names, k.name), reader)

        def plain(env: Values) -> str:
            parts = [
                f"(if {bit.plain(inner)} then {1 if word == 'count' else inner[k.name]} else 0)"
                for inner in k.each(env)
            ]
            return f"({' + '.join(parts)})" if word in ("count", "sum") else f"{word}({', '.join(parts)})"

        body = bit.text if word == "count" else f"if {bit.text} then {k.name} else 0"
        return Piece(f"({word} {k.text} ({body}))", plain)

    # -- conditions ------------------------------------------------------------------------------------

    def condition(self, names: Names, reader: Reader, depth: int = 2) -> Piece:
        kind = self.choose.below(7) if depth else self.choose.below(2)
        if kind == 0:
            return self.bit(names, reader)
        if kind == 1:
            relation = self.choose.one(["=", "<>", "<", ">=", "!="])
            return joined(relation, self.number(names, reader), self.number(names, reader))
        if kind == 2:
            inner = self.condition(names, reader, depth - 1)
            return Piece(f"!({inner.text})", lambda env: f"!({inner.plain(env)})")
        if kind == 3:
            return self.quantified(names, lambda inner: self.condition(inner, reader, depth - 1))
        if kind == 4:
            term = self.number(names, reader)
            text = f"({term.text} in {{0, n}} or {term.text} in 1..n-1)"
            return Piece(
                text, lambda env: "(" + " or ".join(f"{term.plain(env)} = {v}" for v in (0, *self.all)) + ")"
            )
        word = self.choose.one(["and", "or", "xor", "->", "<->", "and"])
        left, right = (self.condition(names, reader, depth - 1) for _ in range(2))
        return joined(word, left, right)

    def quantified(self, names: Names, grow: Callable[[Names], Piece]) -> Piece:
        word, k = self.choose.one(["forall", "exists"]), self.binding(names)
        body = self.choose.part(lambda _: grow((*names, k.name)))
        join, nothing = (" and ", "true") if word == "forall" else (" or ", "false")
        return Piece(
            f"({word} {k.text} ({body.text}))",
            lambda env: f"({join.join(body.plain(inner) for inner in k.each(env)) or nothing})",
        )

    # -- sections --------------------------------------------------------------------------------------

    def repeated(self, names: Names, line: Callable[[Names], Piece]) -> Piece:
        """A line, or one `for` each value."""
        if self.choose.below(2):
            return line(names)
        k = self.binding(names)
        body = line((*names, k.name))
        return Piece(
            f"for {k.text} do {body.text}", lambda env: "\n".join(body.plain(inner) for inner in k.each(env))
        )

    def environment(self) -> Piece:
        init = self.choose.one(["init false", "init true", "init in {false, true}", ""])
        guard, muddy = self.condition((), NATURE), self.condition((), NATURE, 1)
        flip = bool(self.choose.below(2))
        mud = (
            "forall k : 1..n (mud[k] = !mud[n + 1 - k])"
            if flip
            else "for k : 1..n do mud[k] = (turn = k % 2)"
        )

        def lines(env: Values) -> str:
            made = [
                f"mud_{k} = " + (f"(!mud_{self.n + 1 - k})" if flip else f"(turn = {k % 2})")
                for k in self.all
            ]
            if flip and not self.single:
                made = [" and ".join(made)]
            return "\n".join(f"{each} if {muddy.plain(env)};" for each in made)

        declared = " ".join(f"mud_{k} : boolean;" for k in self.all)
        start, turn = "Agent Environment Obsvars: turn : 0..1", "turn = (turn + 1) % 2 if "
        self.initial = ["Environment.turn = 0"]
        if init in ("init false", "init true"):
            self.initial += [f"Environment.mud_{k} = {init.split()[1]}" for k in self.all]
        return Piece(
            f"{start} init 0; mud : array 1..n of boolean {init}; end Obsvars Actions = {{}};\n"
            f"Evolution: {turn}{guard.text};\n{mud} if {muddy.text}; end Evolution end Agent\n",
            lambda env: (
                f"{start}; {declared} end Obsvars Actions = {{}};\n"
                f"Evolution: {turn}{guard.plain(env)};\n{lines(env)} end Evolution end Agent\n"
            ),
        )

    def agent(self) -> Piece:
        i: Names = ("i",)
        defined, first = self.condition(i, PROTOCOL, 1), self.repeated(i, self.permission)
        steps = [self.repeated(i, self.step) for _ in range(self.choose.between(1, 2))]
        self.initial += [f"T_{k}.x = {(k + 1) % 2} and T_{k}.b = {str(k == 1).lower()}" for k in self.all]

        def one(env: Values) -> str:
            lines = "\n".join(step.plain(env) for step in steps)
            calls = ", ".join(f"call_{k}" for k in self.all)
            return (
                f"Agent T_{env['i']} Vars: x : 0..2; b : boolean; end Vars Actions = {{rest, {calls}}};\n"
                f"Protocol: {defined.plain(env)} : {{rest}};\n{first.plain(env)}\n"
                "Other : {rest}; end Protocol\n"
                f"Evolution: {lines} end Evolution end Agent\n"
            )

        return Piece(
            "Agent T(i : 1..n) Vars: x : 0..2 init (i + 1) % 2; b : boolean init i = 1; end Vars\n"
            f"Actions = {{rest, call(k) | k : 1..n}};\nDefine sure = {defined.text};\n"
            f"Protocol: sure : {{rest}};\n{first.text}\nOther : {{rest}}; end Protocol\n"
            f"Evolution: {' '.join(step.text for step in steps)} end Evolution end Agent\n",
            lambda _: "".join(one({"i": k}) for k in self.all),
        )

    def permission(self, names: Names) -> Piece:
        guard, which = self.condition(names, PROTOCOL, 1), self.index(names)
        if self.choose.below(2):
            return Piece(
                f"{guard.text} : {{call({which.text}), rest}};",
                lambda env: f"{guard.plain(env)} : {{call_{which.value(env)}, rest}};",
            )
        some = ", ".join(f"call_{k}" for k in self.all if k != 1)
        return Piece(
            f"{guard.text} : {{call(m) | m : 1..n where m > 1}};",
            lambda env: f"{guard.plain(env)} : {{{some}}};",
        )

    def step(self, names: Names) -> Piece:
        guard = self.condition(names, EVOLUTION)
        bit, number = self.bit(names, EVOLUTION), self.number(names, EVOLUTION)
        value = Piece(f"(({bit.text}) xor b)", lambda env: f"(({bit.plain(env)}) xor b)")
        target = "b = "
        if self.choose.below(2):
            target = "x = "
            value = Piece(f"abs({number.text}) % 3", lambda env: f"abs({number.plain(env)}) % 3")
        return Piece(
            f"{target}{value.text} if {guard.text};",
            lambda env: f"{target}{value.plain(env)} if {guard.plain(env)};",
        )

    # -- questions -------------------------------------------------------------------------------------

    def formula(self, names: Names, depth: int = 2) -> Piece:
        kind = self.choose.below(7) if depth else 0
        if kind == 0:
            return self.atom(names)
        if kind == 1:
            return self.quantified(names, lambda inner: self.formula(inner, depth - 1))
        inner = self.formula(names, depth - 1)
        if kind == 2:
            word = self.choose.one(["AG", "EF", "AX", "EG", "!"])
            return Piece(f"{word} {inner.text}", lambda env: f"{word} {inner.plain(env)}")
        at = self.index(names)
        if kind == 3:
            return Piece(
                f"K(T({at.text}), {inner.text})", lambda env: f"K(T_{at.value(env)}, {inner.plain(env)})"
            )
        if kind == 4:
            return Piece(
                f"<T({at.text})>X {inner.text}", lambda env: f"<T_{at.value(env)}>X {inner.plain(env)}"
            )
        if kind == 5:
            return Piece(
                f"GK({{T(k) | k : 1..n where k > 1}}, {inner.text})",
                lambda env: f"GK(others, {inner.plain(env)})",
            )
        return joined(
            self.choose.one(["and", "or", "->", "xor", "<->"]), inner, self.formula(names, depth - 1)
        )

    def atom(self, names: Names) -> Piece:
        kind = self.choose.below(4)
        if kind == 0:
            return Piece("q", lambda _: "q")
        if kind == 1 and names:
            name = self.choose.one(names)
            return Piece(
                f"({name} = n or p({name} + 1))",
                lambda env: "true" if env[name] == self.n else f"p_{env[name] + 1}",
            )
        if kind == 2:
            at, value = self.of_agent(names, "x"), self.choose.below(3)
            return Piece(f"{at.text} = {value}", lambda env: f"{at.plain(env)} = {value}")
        at = self.index(names)
        return Piece(f"p({at.text})", lambda env: f"p_{at.value(env)}")

    def pair(self) -> Pair:
        agents = [self.environment(), self.agent()]
        p, q = self.condition(("i",), EVERYBODY), self.condition((), EVERYBODY)
        asked = [self.formula(()) for _ in range(3)]
        each = self.formula(("i",))
        semantics = "Semantics = SingleAssignment;\n" if self.single else ""
        numbers = [{"i": k} for k in self.all]
        others = ", ".join(f"T_{k}" for k in self.all if k > 1)
        formulae = "\n".join(f"{piece.text};" for piece in asked)
        template = (
            f"{semantics}Const n = {self.n} where n >= 2;\n{''.join(piece.text for piece in agents)}"
            f"Evaluation for i : 1..n do p(i) if {p.text};\nq if {q.text}; end Evaluation\n"
            "Groups others = {T(k) | k : 1..n where k > 1}; end Groups\n"
            f"Formulae {formulae}\nfor i : 1..n do told(i) : {each.text}; end Formulae\n"
        )
        evaluation = "\n".join(f"p_{env['i']} if {p.plain(env)};" for env in numbers)
        questions = "\n".join(f"{piece.plain({})};" for piece in asked)
        told = "\n".join(f"{each.plain(env)};" for env in numbers)
        plain = (
            f"{semantics}{''.join(piece.plain({}) for piece in agents)}"
            f"Evaluation {evaluation}\nq if {q.plain({})}; end Evaluation\n"
            f"InitStates {' and '.join(self.initial)}; end InitStates\n"
            f"Groups others = {{{others}}}; end Groups\nFormulae {questions}\n{told} end Formulae\n"
        )
        return Pair(template, plain)
