"""Models written in Python instead of ISPL.

    build = Builder()
    lamp = build.agent("Lamp", actions=["toggle", "rest"])
    lamp.boolean("on")
    lamp.evolution("on = true", when="on = false and Action = toggle")
    lamp.evolution("on = false", when="on = true and Action = toggle")
    build.proposition("light", "Lamp.on = true")
    build.initially("Lamp.on = false")
    system = build.system()

Conditions and values are ISPL text; the builder writes the model down and loads it, so that what is
built can be printed, saved and linted like any other. Mistakes show the line of Python that made them,
and the line of ISPL.
"""

from __future__ import annotations

import linecache
import sys
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import field, replace
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

from knower.errors import Diagnostic, InputError
from knower.records import dataclass
from knower.session import System, loads
from knower.source import Origin
from knower.system.system import ENVIRONMENT


class _Piece(NamedTuple):
    """Some of the text, and the file and line of the call that wrote it."""

    text: str
    place: tuple[str, int] | None = None


def _written(text: str) -> _Piece:
    """A text with the place in the user's program."""
    return _Piece(text, _caller())


def _caller() -> tuple[str, int] | None:
    """The file and line of the innermost call that is not one of Knower's own."""
    frame = sys._getframe(1)
    while frame.f_globals.get("__name__", "").partition(".")[0] == __package__:
        if frame.f_back is None:
            return None
        frame = frame.f_back
    return frame.f_code.co_filename, frame.f_lineno


@dataclass
class AgentBuilder:
    """One agent; its methods return it, so that calls can be chained."""

    name: str
    actions: tuple[str, ...] = ()
    observes: tuple[str, ...] = ()
    _variables: list[_Piece] = field(default_factory=list, repr=False)
    _public: list[_Piece] = field(default_factory=list, repr=False)
    _protocol: list[_Piece] = field(default_factory=list, repr=False)
    _other: list[_Piece] = field(default_factory=list, repr=False)
    _evolution: list[_Piece] = field(default_factory=list, repr=False)
    _red: list[_Piece] = field(default_factory=list, repr=False)
    _place: tuple[str, int] | None = field(default_factory=_caller, repr=False, compare=False)

    def boolean(self, *names: str, public: bool = False) -> AgentBuilder:
        """Boolean variables. `public` (Environment only): every agent sees them."""
        return self._declare(names, "boolean", public)

    def enum(self, name: str, *values: str, public: bool = False) -> AgentBuilder:
        """A variable with named values."""
        return self._declare((name,), "{" + ", ".join(values) + "}", public)

    def integer(self, name: str, low: int, high: int, *, public: bool = False) -> AgentBuilder:
        """A whole number between two bounds."""
        return self._declare((name,), f"{low}..{high}", public)

    def _declare(self, names: Iterable[str], kind: str, public: bool) -> AgentBuilder:
        (self._public if public else self._variables).extend(_written(f"{name} : {kind};") for name in names)
        return self

    def protocol(self, condition: str, *actions: str) -> AgentBuilder:
        """The actions enabled where a condition holds."""
        self._protocol.append(_written(f"{condition} : {{{', '.join(actions)}}};"))
        return self

    def otherwise(self, *actions: str) -> AgentBuilder:
        """The actions enabled where no other protocol line applies."""
        self._other = [_written(f"Other : {{{', '.join(actions)}}};")]
        return self

    def evolution(self, *assignments: str, when: str) -> AgentBuilder:
        """What changes when a condition holds: `evolution("x = x + 1", "y = 0", when="…")`."""
        self._evolution.append(_written(f"{' and '.join(assignments)} if {when};"))
        return self

    def red(self, condition: str) -> AgentBuilder:
        """The local states the agent ought not to be in."""
        self._red = [_written(f"{condition};")]
        return self

    def _text(self) -> list[_Piece]:
        lines = [self._line(f"Agent {self.name}")]
        lines += _section("Obsvars:", self._public) + _section("Vars:", self._variables)
        if self.observes:
            lines.append(self._line(f"  Lobsvars = {{{', '.join(self.observes)}}};"))
        lines += _section("RedStates:", self._red)
        lines.append(self._line(f"  Actions = {{{', '.join(self.actions)}}};"))
        lines += _section("Protocol:", self._protocol + self._other)
        return [*lines, *_section("Evolution:", self._evolution), _Piece("end Agent\n\n")]

    def _line(self, text: str) -> _Piece:
        return _Piece(f"{text}\n", self._place)


@dataclass
class Builder:
    """A model under construction. `single_assignment`: each variable evolves by its own lines."""

    name: str = "<built>"
    single_assignment: bool = False
    _agents: list[AgentBuilder] = field(default_factory=list, repr=False)
    _evaluation: list[_Piece] = field(default_factory=list, repr=False)
    _initial: list[_Piece] = field(default_factory=list, repr=False)
    _groups: list[_Piece] = field(default_factory=list, repr=False)
    _fairness: list[_Piece] = field(default_factory=list, repr=False)
    _formulae: list[_Piece] = field(default_factory=list, repr=False)

    def agent(self, name: str, actions: Iterable[str] = (), observes: Iterable[str] = ()) -> AgentBuilder:
        """A new agent. `observes` names Environment variables that this agent sees (Lobsvars)."""
        made = AgentBuilder(name, tuple(actions), tuple(observes))
        self._agents.append(made)
        return made

    def environment(self, actions: Iterable[str] = ()) -> AgentBuilder:
        """The agent `Environment`, whose public variables every agent sees."""
        return self.agent(ENVIRONMENT, actions)

    def proposition(self, name: str, condition: str) -> Builder:
        """A name for a condition over `Agent.variable`."""
        self._evaluation.append(_written(f"{name} if {condition};"))
        return self

    def initially(self, condition: str) -> Builder:
        """A condition on the initial states; several are joined by `and`."""
        self._initial.append(_written(f"({condition})"))
        return self

    def group(self, name: str, *members: str) -> Builder:
        self._groups.append(_written(f"{name} = {{{', '.join(members)}}};"))
        return self

    def fairness(self, formula: str) -> Builder:
        """A formula that holds infinitely often on the paths considered."""
        self._fairness.append(_written(f"{formula};"))
        return self

    def formula(self, formula: str) -> Builder:
        self._formulae.append(_written(f"{formula};"))
        return self

    def to_ispl(self) -> str:
        """The model as ISPL text."""
        return "".join(piece.text for piece in self._pieces())

    def _pieces(self) -> list[_Piece]:
        pieces = [_Piece("Semantics = SingleAssignment;\n\n")] if self.single_assignment else []
        for agent in self._agents:
            pieces += agent._text()
        pieces += _section("Evaluation", self._evaluation, indent="")
        pieces += _conjunction("InitStates", self._initial)
        for word, content in (
            ("Groups", self._groups),
            ("Fairness", self._fairness),
            ("Formulae", self._formulae),
        ):
            pieces += _section(word, content, indent="")
        return pieces or [_Piece("\n")]

    def system(self) -> System:
        """The finished model; raises `InputError` with every mistake in it."""
        pieces = self._pieces()
        try:
            return loads("".join(piece.text for piece in pieces), self.name)
        except InputError as error:
            raise error.traced(lambda found: _traced(found, pieces)) from None


def _section(head: str, lines: Sequence[_Piece], indent: str = "  ") -> list[_Piece]:
    if not lines:
        return []
    body = [_Piece(f"{indent}  {line.text}\n", line.place) for line in lines]
    return [_Piece(f"{indent}{head}\n"), *body, _Piece(f"{indent}end {head.rstrip(':')}\n")]


def _conjunction(head: str, parts: Sequence[_Piece]) -> list[_Piece]:
    """A section with one condition, all of whose parts hold."""
    if not parts:
        return []
    joined = [piece for part in parts for piece in (part, _Piece(" and "))][:-1]
    return [_Piece(f"{head}\n  "), *joined, _Piece(f";\nend {head}\n")]


def _traced(found: Diagnostic, pieces: Sequence[_Piece]) -> Diagnostic:
    """A finding with the line of Python that wrote the text it points at."""
    if found.source is None:
        return found
    starts = [0, *accumulate(len(piece.text) for piece in pieces)]
    place = pieces[min(bisect_right(starts, found.span.start), len(pieces)) - 1].place
    if place is None:
        return found
    text = linecache.getline(*place).strip()
    return replace(found, origin=Origin(_near(place[0]), place[1], text))


def _near(file: str) -> str:
    """A file as people name it: from where they are."""
    path = Path(file)
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else file
