"""Functions back to states and actions; shortest paths to a set of states."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Generic

from knower.functions.protocol import F, Renaming, Variable
from knower.symbolic.model import SymbolicModel
from knower.system.expressions import JointAction, State
from knower.verdict.trace import Path

#: A path of more steps than this is not looked for.
MOST_STEPS = 20_000


class Decoder(Generic[F]):
    """States and joint actions of a model, by their values."""

    def __init__(self, model: SymbolicModel[F]) -> None:
        self.model = model
        self.layout = model.layout
        self.explicit = model.system.encoding.explicit
        self._codes: dict[State, F] = {}
        self._following: dict[State, F] = {}
        self._decoded: dict[tuple[bool, ...], State] = {}

    @cached_property
    def _exchange(self) -> Renaming:
        """Between the bits now and next."""
        return self.model.space.renaming({bit: bit + 1 for bit in self.layout.now})

    def state(self, states: F) -> State:
        """Some state of a set."""
        chosen = self.model.space.pick(states, self.layout.now)
        assert chosen is not None, "an empty set has no state to pick"
        return self.decoded(chosen)

    def decoded(self, chosen: Mapping[Variable, bool]) -> State:
        """The state of an assignment; always the same object, so that what is made of states shares them."""
        bits = tuple([chosen[bit] for bit in self.layout.now])
        found = self._decoded.get(bits)
        if found is None:
            fields = self.layout.fields.values()
            found = self._decoded[bits] = tuple(
                field.value([chosen[bit] for bit in field.now]) for field in fields
            )
        return found

    def code(self, state: State) -> F:
        """The set of one state."""
        if state not in self._codes:
            self._codes[state] = self._coded(state)
        return self._codes[state]

    def _coded(self, state: State) -> F:
        fields = self.layout.fields.values()
        bits = [bit for field in fields for bit in field.now]
        values = [b for field, value in zip(fields, state, strict=True) for b in field.code(value)]
        return self.model.steps.cube(bits, values)

    def _next_code(self, state: State) -> F:
        """The set of one state, as what comes next."""
        if state not in self._following:
            self._following[state] = self.model.space.rename(self.code(state), self._exchange)
        return self._following[state]

    def joint(self, state: State, following: State | None, choices: F | None = None) -> JointAction:
        """A joint action in a state: one that leads on to the next, or one of some choices."""
        steps, space = self.model.steps, self.model.space
        allowed = self.code(state)
        for guard in self.model.system.relations.guards:
            allowed = allowed & guard
        if choices is not None:
            allowed = allowed & choices
        if following is not None:
            allowed = allowed & self._next_code(following)
            for change in steps.changes:
                allowed = allowed & change.relation
        chosen = space.pick(allowed, range(self.layout.variables))
        assert chosen is not None, "the step was found before"
        return tuple(self._action(agent.name, state, chosen) for agent in self.explicit.system.agents)

    def _action(self, agent: str, state: State, chosen: dict[int, bool]) -> str | None:
        enabled = self.explicit.enabled(agent, state)
        choice = self.model.steps.choices.get(agent)
        if choice is None:
            return next(iter(enabled), None)
        values = tuple(chosen[bit] for bit in choice.bits)
        return next(action for action in enabled if choice.values(action) == values)

    def path_to(self, target: F) -> Path | None:
        """A shortest path to a state of a set, or None if it is too long."""
        states = self.states_to(target)
        return None if states is None else self.path(states)

    def path(self, states: Sequence[State], last: JointAction | None = None) -> Path:
        """States with the joint actions between them, and one that leads nowhere at the end."""
        joints = [self.joint(a, b) for a, b in pairwise(states)] + ([] if last is None else [last])
        explicit = self.explicit
        return Path(tuple(map(explicit.named_state, states)), tuple(map(explicit.named_action, joints)))

    def states_to(self, target: F) -> list[State] | None:
        """A shortest sequence of states to one of a set: breadth first, layer by layer, then back."""
        nothing, relation = self.model.space.false, self.model.relation
        layers, met = [self.model.initial], self.model.initial
        while layers[-1] & target == nothing:
            self.model.budget.step()
            if len(layers) > MOST_STEPS:
                return None
            layers.append(relation.post(layers[-1]) & ~met)
            met = met | layers[-1]
        states = [self.state(layers[-1] & target)]
        for layer in reversed(layers[:-1]):
            states.append(self.state(layer & relation.pre(self.code(states[-1]))))
        return states[::-1]
