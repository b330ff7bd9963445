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
built can be printed, saved and linted like any other, and mistakes show the line.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from knower.session import System, loads
from knower.system.system import ENVIRONMENT


@dataclass
class AgentBuilder:
    """One agent; its methods return it, so that calls can be chained."""

    name: str
    actions: tuple[str, ...] = ()
    observes: tuple[str, ...] = ()
    _variables: list[str] = field(default_factory=list, repr=False)
    _public: list[str] = field(default_factory=list, repr=False)
    _protocol: list[str] = field(default_factory=list, repr=False)
    _other: list[str] = field(default_factory=list, repr=False)
    _evolution: list[str] = field(default_factory=list, repr=False)
    _red: str | None = None

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
        (self._public if public else self._variables).extend(f"{name} : {kind};" for name in names)
        return self

    def protocol(self, condition: str, *actions: str) -> AgentBuilder:
        """The actions enabled where a condition holds."""
        self._protocol.append(f"{condition} : {{{', '.join(actions)}}};")
        return self

    def otherwise(self, *actions: str) -> AgentBuilder:
        """The actions enabled where no other protocol line applies."""
        self._other = [f"Other : {{{', '.join(actions)}}};"]
        return self

    def evolution(self, *assignments: str, when: str) -> AgentBuilder:
        """What changes when a condition holds: `evolution("x = x + 1", "y = 0", when="…")`."""
        self._evolution.append(f"{' and '.join(assignments)} if {when};")
        return self

    def red(self, condition: str) -> AgentBuilder:
        """The local states the agent ought not to be in."""
        self._red = f"{condition};"
        return self

    def _text(self) -> list[str]:
        lines = [f"Agent {self.name}"]
        lines += _section("Obsvars:", self._public) + _section("Vars:", self._variables)
        if self.observes:
            lines.append(f"  Lobsvars = {{{', '.join(self.observes)}}};")
        lines += _section("RedStates:", [self._red] if self._red else [])
        lines.append(f"  Actions = {{{', '.join(self.actions)}}};")
        lines += _section("Protocol:", self._protocol + self._other)
        return [*lines, *_section("Evolution:", self._evolution), "end Agent", ""]


@dataclass
class Builder:
    """A model under construction. `single_assignment`: each variable evolves by its own lines."""

    name: str = "<built>"
    single_assignment: bool = False
    _agents: list[AgentBuilder] = field(default_factory=list, repr=False)
    _evaluation: list[str] = field(default_factory=list, repr=False)
    _initial: list[str] = field(default_factory=list, repr=False)
    _groups: list[str] = field(default_factory=list, repr=False)
    _fairness: list[str] = field(default_factory=list, repr=False)
    _formulae: list[str] = field(default_factory=list, repr=False)

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
        self._evaluation.append(f"{name} if {condition};")
        return self

    def initially(self, condition: str) -> Builder:
        """A condition on the initial states; several are joined by `and`."""
        self._initial.append(f"({condition})")
        return self

    def group(self, name: str, *members: str) -> Builder:
        self._groups.append(f"{name} = {{{', '.join(members)}}};")
        return self

    def fairness(self, formula: str) -> Builder:
        """A formula that holds infinitely often on the paths considered."""
        self._fairness.append(f"{formula};")
        return self

    def formula(self, formula: str) -> Builder:
        self._formulae.append(f"{formula};")
        return self

    def to_ispl(self) -> str:
        """The model as ISPL text."""
        lines = ["Semantics = SingleAssignment;", ""] if self.single_assignment else []
        for agent in self._agents:
            lines += agent._text()
        initial = [" and ".join(self._initial) + ";"] if self._initial else []
        for word, content in (
            ("Evaluation", self._evaluation), ("InitStates", initial), ("Groups", self._groups),
            ("Fairness", self._fairness), ("Formulae", self._formulae),
        ):  # fmt: skip
            lines += _section(word, content, indent="")
        return "\n".join(lines) + "\n"

    def system(self) -> System:
        """The finished model; raises `InputError` with every mistake in it."""
        return loads(self.to_ispl(), self.name)


def _section(head: str, lines: list[str], indent: str = "  ") -> list[str]:
    if not lines:
        return []
    body = [f"{indent}  {line}" for line in lines]
    return [f"{indent}{head}", *body, f"{indent}end {head.rstrip(':')}"]
