"""Names that every reader of ISPL takes: `Child(2)` is `Child_2`, `cell[-1,2]` is `cell_m1_2`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from knower.system.domains import EnumDomain
from knower.system.system import ENVIRONMENT, InterpretedSystem

_SECTIONS = (
    "Agent Environment Semantics MultiAssignment SingleAssignment MA SA Obsvars Vars Lobsvars RedStates "
    "GreenStates Actions Action Protocol Other Evolution Evaluation InitStates Groups Fairness Formulae "
    "boolean end"
)
_OPERATORS = (
    "A E U X F G K O W R AG EG AX EX AF EF AU EU GK GCK DK LTL CTL LDL CDL true false tt ff and or xor not if"
)
#: Words that MCMAS reads as its own, wherever they stand.
RESERVED = frozenset([*_SECTIONS.split(), *_OPERATORS.split()])
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_NEGATIVE = re.compile(r"-(?=\d)")
_BETWEEN = re.compile(r"[^A-Za-z0-9_]+")
#: Operators of conditions, the longer ones first.
_WORDS = {
    "<->": "iff", "->": "implies", "!=": "is_not", "<=": "at_most", ">=": "at_least", "=": "is", "<": "below",
    ">": "above", "+": "plus", " - ": " minus ", "*": "times", "/": "over", "%": "mod", "!": "not",
    "&": "and", "|": "or", "^": "xor", "~": "not",
}  # fmt: skip
#: A condition whose name would be longer gets a number.
_READABLE = 40


class Names:
    """New names for old ones, in a space of names in which no two are equal."""

    def __init__(self) -> None:
        self._new: dict[tuple[str, str], str] = {}
        self._taken: set[str] = set(RESERVED)

    def meet(self, role: str, names: Iterable[str]) -> None:
        """Those that can stay stay; they are met before all others."""
        for name in names:
            if (role, name) not in self._new and _NAME.fullmatch(name) and name not in self._taken:
                self._new[role, name] = name
                self._taken.add(name)

    def give(self, role: str, names: Iterable[str]) -> None:
        for name in names:
            if (role, name) not in self._new:
                self._new[role, name] = self.fresh(mangled(name))

    def fresh(self, name: str) -> str:
        """The name itself, or with `_` behind it while that is taken."""
        while name in self._taken:
            name += "_"
        self._taken.add(name)
        return name

    def of(self, role: str, name: str) -> str:
        return self._new[role, name]

    @property
    def changed(self) -> Iterator[tuple[str, str]]:
        """New names, each with what it stands for."""
        for (_, old), new in self._new.items():
            if old != new:
                yield new, old


def mangled(name: str) -> str:
    """A name without brackets."""
    if _NAME.fullmatch(name):
        return name
    plain = _BETWEEN.sub("_", _NEGATIVE.sub("m", name)).strip("_")
    return plain if _NAME.fullmatch(plain) else f"n_{plain}"


def described(condition: str) -> str:
    """A name for a condition that is written in a formula; empty if it would be too long."""
    text = _NEGATIVE.sub("m", condition) if " - " not in condition else condition
    for symbol, word in _WORDS.items():
        text = text.replace(symbol, f" {word.strip()} ")
    name = mangled(" ".join(text.split()))
    return name if len(name) <= _READABLE else ""


class Vocabulary:
    """The names of a system: those of variables and values, and those of whom and what formulas speak of."""

    def __init__(self, system: InterpretedSystem) -> None:
        self._inner, self._outer = Names(), Names()
        self._outer._new["", ENVIRONMENT] = ENVIRONMENT
        variables = [variable.name for variable in system.variables]
        values = list(_values(system))
        for spread in (self._inner.meet, self._inner.give):
            spread("variable", variables)
            spread("value", values)
        named = [*(agent.name for agent in system.agents), *system.groups, *system.declared]
        self._outer.meet("", named)
        self._outer.give("", named)

    def variable(self, name: str) -> str:
        return self._inner.of("variable", name)

    def value(self, name: str) -> str:
        """Of an action, or of a value of an enumeration."""
        return self._inner.of("value", name)

    def outer(self, name: str) -> str:
        """Of an agent, a group or a proposition."""
        return self._outer.of("", name)

    def fresh(self, name: str) -> str:
        """A name for a group or a proposition that is new."""
        return self._outer.fresh(name)

    @property
    def changed(self) -> list[tuple[str, str]]:
        return list(dict.fromkeys([*self._outer.changed, *self._inner.changed]))


def _values(system: InterpretedSystem) -> Iterator[str]:
    for agent in system.agents:
        yield from agent.actions
        for variable in agent.variables:
            if isinstance(variable.domain, EnumDomain):
                yield from variable.domain.values
