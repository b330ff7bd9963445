"""One step of a system as functions: what restricts it and what each variable becomes.

An agent whose protocol never allows two actions at once has no choice: its action is a function of
the state, and no bits are needed for it. The others are `players`, with bits for their actions.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import or_
from typing import Generic

from knower.functions.circuit import FALSE, Built, Literal
from knower.functions.protocol import F, Space, Variable
from knower.records import dataclass
from knower.symbolic.encode import AgentCode, BlockCode, Encoding
from knower.symbolic.layout import Key
from knower.symbolic.obligations import ObligationVariables


@dataclass(frozen=True)
class NextStateRelation(Generic[F]):
    """What some variables become: a relation of the state now, the actions, and these next."""

    targets: tuple[Key, ...]
    relation: F


class _Inputs(Generic[F]):
    """What the inputs of circuits stand for: variables, and for each action where it is taken."""

    def __init__(self, encoding: Encoding, space: Space[F]) -> None:
        self.indicators: dict[tuple[str, str], F] = {}
        self._variables = encoding.layout.variables
        self._action_of = encoding.conditions.action_of_input
        self._space = space

    def __call__(self, number: int) -> F:
        if number < self._variables:
            return self._space.var(number)
        return self.indicators[self._action_of[number]]


class TransitionParts(Generic[F]):
    """Protocols and evolutions over a space. `overflow`: where some assignment leaves its domain.

    `obligations`: the variables that formulas add to the space.
    """

    def __init__(self, encoding: Encoding, space: Space[F]) -> None:
        self.encoding = encoding
        self.layout = encoding.layout
        self.space = space
        self.obligations = ObligationVariables(space)
        self._inputs = _Inputs(encoding, space)
        self.built: Built[F] = Built(encoding.circuits, space, self._inputs)
        self.valid = self.function(encoding.valid)
        self.players: dict[str, F] = {}
        self._actions: dict[tuple[str, int], F] = {}
        self.guards: list[F] = []
        for agent in encoding.agents:
            if agent.enabled:
                self._add_protocol(agent)
        self.overflow: F = space.false
        self.changes: list[NextStateRelation[F]] = []
        for agent in encoding.agents:
            for block in agent.blocks:
                self.changes += self._block(block)
            self.changes += [NextStateRelation((key,), self.same((key,))) for key in agent.idle]

    def function(self, literal: Literal) -> F:
        return self.built.function(literal)

    # -- protocols ------------------------------------------------------------------------------------

    def _add_protocol(self, agent: AgentCode) -> None:
        enabled = {action: self.function(literal) for action, literal in agent.enabled.items()}
        some = reduce(or_, enabled.values())
        if self._exclusive(enabled.values()):
            self._inputs.indicators |= {(agent.name, action): holds for action, holds in enabled.items()}
            if some | ~self.valid != self.space.true:
                self.guards.append(some)
            return
        bits = self.layout.action_bits[agent.name]
        codes = {action: self.cube(bits, _code(k, len(bits))) for k, action in enumerate(enabled)}
        self._inputs.indicators |= {(agent.name, action): code for action, code in codes.items()}
        self.players[agent.name] = reduce(or_, (enabled[action] & code for action, code in codes.items()))

    def _exclusive(self, conditions: Iterable[F]) -> bool:
        """Whether no two of the conditions hold together in a valid state."""
        met = self.space.false
        for condition in conditions:
            if condition & met & self.valid != self.space.false:
                return False
            met = met | condition
        return True

    def cube(self, variables: Iterable[Variable], values: Iterable[bool]) -> F:
        """The assignment of these values to these variables."""
        pairs = list(zip(variables, values, strict=True))
        literals = [self.space.var(v) if value else ~self.space.var(v) for v, value in reversed(pairs)]
        return reduce(lambda done, literal: literal & done, literals, self.space.true)

    # -- evolutions -------------------------------------------------------------------------------------

    def same(self, keys: Iterable[Key]) -> F:
        """These variables keep their values."""
        circuits = self.encoding.circuits
        fields = [self.layout.fields[key] for key in keys]
        pairs = [pair for field in fields for pair in zip(field.now, field.after, strict=True)]
        return self.function(circuits.all(circuits.same(*map(circuits.input, pair)) for pair in pairs))

    def _block(self, block: BlockCode) -> list[NextStateRelation[F]]:
        if self._exclusive(self.function(line.guard) for line in block.lines):
            return [self._determined(block, key) for key in block.targets]
        return [self._chosen(block)]

    def _determined(self, block: BlockCode, key: Key) -> NextStateRelation[F]:
        """At most one line is enabled: each variable can be looked at on its own."""
        circuits, field = self.encoding.circuits, self.layout.fields[key]
        lines = [line for line in block.lines if key in line.values]
        kept = circuits.any(line.guard for line in lines) ^ 1
        wrong = circuits.any(circuits.conj(line.guard, line.values[key].overflow) for line in lines)
        bits = []
        for place, (now, after) in enumerate(zip(field.now, field.after, strict=True)):
            values = [circuits.conj(line.guard, line.values[key].code[place]) for line in lines]
            value = circuits.disj(circuits.any(values), circuits.conj(kept, circuits.input(now)))
            bits.append(circuits.same(circuits.input(after), value))
        relation = self.function(circuits.all(bits))
        return NextStateRelation((key,), relation & ~self._noted(wrong))

    def _chosen(self, block: BlockCode) -> NextStateRelation[F]:
        """One of several enabled lines is taken: its variables change together."""
        circuits = self.encoding.circuits
        options: list[F] = []
        for line in block.lines:
            guard = self.function(line.guard)
            kept = [key for key in block.targets if key not in line.values]
            option = guard & self.same(kept)
            for key, value in line.values.items():
                after = [circuits.input(bit) for bit in self.layout.fields[key].after]
                code = circuits.all(map(circuits.same, after, value.code))
                wrong = self._noted(circuits.conj(line.guard, value.overflow))
                option = option & self.function(code) & ~wrong
            options.append(option)
        none = ~self.function(circuits.any(line.guard for line in block.lines))
        return NextStateRelation(block.targets, reduce(or_, options, none & self.same(block.targets)))

    def _noted(self, wrong: Literal) -> F:
        """Where a value leaves its domain, in valid states; remembered in `overflow`."""
        if wrong == FALSE:
            return self.space.false
        found = self.function(wrong) & self.valid
        self.overflow = self.overflow | found
        return found

    # -- of a player's action -----------------------------------------------------------------------------

    def action(self, agent: str, number: int) -> F:
        """The code of a player's action."""
        if (agent, number) not in self._actions:
            bits = self.layout.action_bits[agent]
            self._actions[agent, number] = self.cube(bits, _code(number, len(bits)))
        return self._actions[agent, number]


def _code(number: int, width: int) -> tuple[bool, ...]:
    return tuple(bool(number >> place & 1) for place in reversed(range(width)))
