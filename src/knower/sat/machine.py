"""A system as a sequential circuit: the next state is a function of the state and of inputs.

Inputs are the actions, and for lines that may be enabled together which of them is taken. A state and inputs
that are `allowed` have one next state; where nothing is, there is none. So a step can be negated, which tells
of a whole cube of states that all of them have it: enabled, without overflow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import combinations

from knower.functions.circuit import FALSE, Circuits, Literal
from knower.records import dataclass
from knower.sat.relation import Relation
from knower.symbolic.encode import BlockCode, Encoding, LineCode
from knower.symbolic.layout import Key
from knower.verdict.evidence import Joint, State

#: Inputs that say which line is taken have numbers from here on; those of copies of a state are further away.
_CHOICES = 1 << 32
COPY = 1 << 40


@dataclass(frozen=True)
class Machine:
    """A sequential circuit. `bits`: the inputs that are the state; `nexts`: what it becomes if `allowed`."""

    circuits: Circuits
    bits: tuple[int, ...]
    nexts: tuple[Literal, ...]
    allowed: Literal
    initial: Literal


def machine_of(relation: Relation, *, loops: bool) -> Machine:
    """The steps of a relation; `loops`: a state without successor has a step to itself."""
    made = _Construction(relation, loops)
    layout = relation.encoding.layout
    return Machine(relation.circuits, layout.now, made.nexts, made.allowed, relation.encoding.initial)


@dataclass(frozen=True)
class _Construction:
    relation: Relation
    loops: bool

    @property
    def circuits(self) -> Circuits:
        return self.relation.circuits

    @cached_property
    def allowed(self) -> Literal:
        """Somebody may do what the inputs say, and nothing leaves its domain."""
        moves = self.circuits.all(self._allowed)
        return self.circuits.disj(moves, self._stays)

    @cached_property
    def nexts(self) -> tuple[Literal, ...]:
        """What each bit becomes."""
        return tuple(
            self._kept(number, self._next.get(number)) for number in self.relation.encoding.layout.now
        )

    def _kept(self, number: int, becomes: Literal | None) -> Literal:
        now = self.circuits.input(number)
        return now if becomes is None else self.circuits.ite(self._stays, now, becomes)

    @cached_property
    def _stays(self) -> Literal:
        return self.relation.stuck if self.loops else FALSE

    # -- from the relation ------------------------------------------------------------------------------

    @cached_property
    def _blocks(self) -> list[tuple[BlockCode, dict[Key, tuple[Literal, ...]], list[Literal]]]:
        """What each block makes of its variables, and what must be so for that."""
        blocks = [block for agent in self.relation.encoding.agents for block in agent.blocks]
        return [(block, *self._moved(k, block)) for k, block in enumerate(blocks)]

    def _moved(self, k: int, block: BlockCode) -> tuple[dict[Key, tuple[Literal, ...]], list[Literal]]:
        if len(block.lines) <= 1 or block.cases.exclusive:
            becomes = {key: self.relation.encoding.becomes(block, key) for key in block.targets}
            codes = {key: value.code for key, value in becomes.items()}
            return codes, [value.overflow ^ 1 for value in becomes.values()]
        return self._chosen(
            block, [self.circuits.input(_CHOICES + (k << 16) + n) for n in range(len(block.lines))]
        )

    def _chosen(
        self, block: BlockCode, taken: list[Literal]
    ) -> tuple[dict[Key, tuple[Literal, ...]], list[Literal]]:
        """One enabled line is taken, by inputs that say which; with none enabled none is."""
        circuits = self.circuits
        some = circuits.any(line.guard for line in block.lines)
        needed = [circuits.disj(some ^ 1, circuits.any(taken))]
        needed += [
            circuits.disj(one ^ 1, _fits(circuits, line))
            for one, line in zip(taken, block.lines, strict=True)
        ]
        needed += [circuits.conj(one, other) ^ 1 for one, other in combinations(taken, 2)]
        return {key: tuple(self._picked(block, taken, key)) for key in block.targets}, needed

    def _picked(self, block: BlockCode, taken: list[Literal], key: Key) -> Iterator[Literal]:
        circuits = self.circuits
        given = [
            (one, line.values[key])
            for one, line in zip(taken, block.lines, strict=True)
            if key in line.values
        ]
        kept = circuits.any(one for one, _ in given) ^ 1
        for place, now in enumerate(self.relation.encoding.layout.fields[key].now):
            becomes = circuits.any(circuits.conj(one, value.code[place]) for one, value in given)
            yield circuits.disj(becomes, circuits.conj(kept, circuits.input(now)))

    @property
    def _allowed(self) -> Iterator[Literal]:
        yield from self.relation.acts
        for _, _, needed in self._blocks:
            yield from needed

    @cached_property
    def _next(self) -> dict[int, Literal]:
        fields = self.relation.encoding.layout.fields
        return {
            number: literal
            for _, codes, _ in self._blocks
            for key, code in codes.items()
            for number, literal in zip(fields[key].now, code, strict=True)
        }


def _fits(circuits: Circuits, line: LineCode) -> Literal:
    """The line is enabled and leads to values within their domains."""
    return circuits.conj(line.guard, circuits.any(value.overflow for value in line.values.values()) ^ 1)


def value(circuits: Circuits, root: Literal, values: Mapping[int, bool]) -> bool:
    """The value of a circuit where its inputs have these values; inputs that have none are false."""
    known: dict[int, bool] = {0: False}
    todo = [root >> 1]
    while todo:
        place = todo[-1]
        kind, operands = circuits.gate(place)
        missing = [] if kind == "input" else [o >> 1 for o in operands if o >> 1 not in known]
        if place in known or not missing:
            todo.pop()
            if place not in known:
                below = [] if kind == "input" else [known[o >> 1] ^ bool(o & 1) for o in operands]
                known[place] = values.get(operands[0], False) if kind == "input" else _joined(kind, below)
        else:
            todo += missing
    return known[root >> 1] ^ bool(root & 1)


def _joined(kind: str, below: list[bool]) -> bool:
    match kind:
        case "and":
            return all(below)
        case "xor":
            return below[0] != below[1]
        case _:
            return below[1] if below[0] else below[2]


class Spelling:
    """Bits and inputs by what they stand for in a system."""

    def __init__(self, encoding: Encoding) -> None:
        self.encoding = encoding
        self._fields = encoding.layout.fields

    def state(self, values: Mapping[int, bool]) -> State:
        """The state that bits spell, by their inputs."""
        return tuple(field.value([values[number] for number in field.now]) for field in self._fields.values())

    def code(self, state: State) -> dict[int, bool]:
        """The bits of a state, by their inputs."""
        pairs = [
            (field, field.code(value)) for field, value in zip(self._fields.values(), state, strict=True)
        ]
        return {number: bit for field, code in pairs for number, bit in zip(field.now, code, strict=True)}

    def joint(self, taken: Iterable[int]) -> Joint:
        """The joint action of inputs that are true."""
        action_of = self.encoding.conditions.action_of_input
        chosen = dict(action_of[number] for number in taken if number in action_of)
        return tuple(chosen.get(agent.name) for agent in self.encoding.layout.system.agents)

    @cached_property
    def names(self) -> dict[int, str]:
        """Bits in words: `Agent.x[2]`, of the value 4; of a selector by the place of its value."""
        return {
            number: f"{owner}.{name}[{place if field.selects else len(field.bits) - 1 - place}]"
            for (owner, name), field in self._fields.items()
            for place, number in enumerate(field.now)
        }
