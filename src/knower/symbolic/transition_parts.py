"""One step of a system as functions: what restricts it and what each variable becomes.

An agent whose protocol never allows two actions at once has no choice: its action is a function of
the state, and no bits are needed for it. The others are `players`, with bits for their `choices`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import or_
from typing import Generic

from knower.functions.circuit import FALSE, TRUE, Built, Literal
from knower.functions.protocol import Bounded, F, Space, Variable
from knower.options import CLUSTER_THRESHOLD
from knower.records import dataclass
from knower.symbolic.choices import Choice, choice_among
from knower.symbolic.conjuncts import Conjoiner, Conjunctions, Mask, bands
from knower.symbolic.encode import AgentCode, BlockCode, Encoding, LineCode
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
        self._bands = bands(encoding.layout, space.order())

    def __call__(self, number: int) -> F:
        if number < self._variables:
            return self._space.var(number)
        return self.indicators[self._action_of[number]]

    def mask(self, number: int) -> Mask:
        """What an input is about."""
        if number < self._variables:
            return self._bands[number]
        support = self._space.support(self(number))
        return reduce(or_, (self._bands[variable] for variable in support), 0)


class TransitionParts(Generic[F]):
    """Protocols and evolutions over a space. `overflow`: where some assignment leaves its domain.

    `players`: where each of them takes an action that is enabled; `choices`: by which codes.
    `obligations`: the variables that formulas add to the space. `cluster_threshold`: the nodes up to which
    parts of relations are joined.
    """

    def __init__(
        self, encoding: Encoding, space: Space[F], cluster_threshold: int = CLUSTER_THRESHOLD
    ) -> None:
        self.encoding = encoding
        self.cluster_threshold = cluster_threshold
        self.layout = encoding.layout
        self.space = space
        self.obligations = ObligationVariables(space)
        self._inputs = _Inputs(encoding, space)
        self.joiner = Conjoiner(space)
        conjoined = Conjunctions(encoding.circuits, self.joiner, self._inputs.mask, encoding.validity)
        self.built: Built[F] = Built(encoding.circuits, space, self._inputs, conjoined)
        self._bounded = space if isinstance(space, Bounded) else None
        if self._bounded is not None:
            self._bounded.when_full(self.built.forget)
        self.valid = self.function(encoding.valid)
        self.players: dict[str, F] = {}
        self.choices: dict[str, Choice[F]] = {}
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
        if self._bounded is not None:
            self._bounded.make_room()
        return self.built.function(literal)

    # -- protocols ------------------------------------------------------------------------------------

    def _add_protocol(self, agent: AgentCode) -> None:
        enabled = {action: self.function(literal) for action, literal in agent.enabled.items()}
        choice = choice_among(self.space, enabled, self.valid, self.layout.action_bits[agent.name])
        if choice is None:
            self._inputs.indicators |= {(agent.name, action): holds for action, holds in enabled.items()}
            some = reduce(or_, enabled.values())
            if some | ~self.valid != self.space.true:
                self.guards.append(some)
            return
        codes = {action: self.cube(choice.bits, choice.values(action)) for action in enabled}
        taken = {action: enabled[action] & code for action, code in codes.items()}
        told = taken if choice.shared else codes
        self.choices[agent.name] = choice
        self._inputs.indicators |= {(agent.name, action): where for action, where in told.items()}
        self.players[agent.name] = reduce(or_, taken.values())

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
        return self.function(self.encoding.circuits.all(self._unchanged(keys)))

    def _unchanged(self, keys: Iterable[Key]) -> list[Literal]:
        """For each bit of these variables, that it stays as it is."""
        circuits = self.encoding.circuits
        fields = [self.layout.fields[key] for key in keys]
        pairs = [pair for field in fields for pair in zip(field.now, field.after, strict=True)]
        return [circuits.same(circuits.input(now), circuits.input(after)) for now, after in pairs]

    def _block(self, block: BlockCode) -> list[NextStateRelation[F]]:
        if block.cases.exclusive or self._exclusive(self.function(line.guard) for line in block.lines):
            return [self._determined(block, key) for key in block.targets]
        return [self._chosen(block)]

    def _determined(self, block: BlockCode, key: Key) -> NextStateRelation[F]:
        """At most one line is enabled: each variable can be looked at on its own."""
        circuits, becomes = self.encoding.circuits, self.encoding.becomes(block, key)
        after = [circuits.input(bit) for bit in self.layout.fields[key].after]
        relation = self.function(circuits.all(map(circuits.same, after, becomes.code)))
        return NextStateRelation((key,), relation & ~self._noted(becomes.overflow))

    def _chosen(self, block: BlockCode) -> NextStateRelation[F]:
        """One of several enabled lines is taken: its variables change together."""
        options = [self.function(self._option(block, line)) for line in block.lines]
        none = block.cases.some(TRUE for _ in block.lines) ^ 1
        relation = reduce(or_, options, self.function(none) & self.same(block.targets))
        return NextStateRelation(block.targets, relation)

    def _option(self, block: BlockCode, line: LineCode) -> Literal:
        """That a line is taken: it is enabled, all its values fit, and they are what its variables become."""
        circuits = self.encoding.circuits
        kept = [key for key in block.targets if key not in line.values]
        parts = [line.guard, *self._unchanged(kept)]
        for key, value in line.values.items():
            wrong = circuits.conj(line.guard, value.overflow)
            self._noted(wrong)
            after = [circuits.input(bit) for bit in self.layout.fields[key].after]
            parts += [wrong ^ 1, *map(circuits.same, after, value.code)]
        return circuits.all(parts)

    def _noted(self, wrong: Literal) -> F:
        """Where a value leaves its domain, in valid states; remembered in `overflow`."""
        if wrong == FALSE:
            return self.space.false
        found = self.function(wrong) & self.valid
        self.overflow = self.overflow | found
        return found

    # -- of a player's action -----------------------------------------------------------------------------

    def action(self, agent: str, number: int) -> F:
        """Where a player takes an action: its code, and when it is enabled if others have the same code."""
        return self.taken(agent, self.layout.system.agent_named[agent].actions[number])

    def taken(self, agent: str, action: str) -> F:
        """The same of any agent; where one without a choice takes an action is where it is enabled."""
        return self._inputs.indicators[agent, action]
