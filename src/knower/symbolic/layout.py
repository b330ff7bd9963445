"""Which Boolean variables stand for what: bits of the state now and next, and of the actions.

State bit `k` has the variable `2k` now and `2k + 1` next; the bits of actions follow. An enumeration
is the place of its value; a range is its value, or its distance from the lower bound where that
takes fewer bits. A variable that only selects (`selectors`) has one bit per value instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TypeAlias

from knower.functions.protocol import Variable
from knower.records import dataclass
from knower.system.domains import Domain, RangeDomain, Value, size
from knower.system.system import InterpretedSystem

#: An agent's name and the name of its variable.
Key: TypeAlias = tuple[str, str]


@dataclass(frozen=True)
class Field:
    """The bits of one variable of the model, by their number.

    The most significant comes first; of a selector the bit of the first value.
    """

    domain: Domain
    bits: tuple[int, ...]
    offset: int = 0
    selects: bool = False

    @cached_property
    def now(self) -> tuple[Variable, ...]:
        return tuple(2 * bit for bit in self.bits)

    @cached_property
    def after(self) -> tuple[Variable, ...]:
        return tuple(2 * bit + 1 for bit in self.bits)

    def code(self, value: Value) -> tuple[bool, ...]:
        """The bits of a value."""
        number = int(value) - self.offset if isinstance(self.domain, RangeDomain) else self._place(value)
        if self.selects:
            return tuple(number == place for place in range(len(self.bits)))
        return tuple(bool(number >> place & 1) for place in reversed(range(len(self.bits))))

    def _place(self, value: Value) -> int:
        return list(self.domain.values).index(value)

    def value(self, bits: Sequence[bool]) -> Value:
        """The value of the bits."""
        number = bits.index(True) if self.selects else _spelled(bits)
        return number + self.offset if isinstance(self.domain, RangeDomain) else self.domain.values[number]


@dataclass(frozen=True)
class Layout:
    """All variables of a system as bits; `selectors` have one bit per value."""

    system: InterpretedSystem
    selectors: frozenset[Key] = frozenset()

    @cached_property
    def fields(self) -> dict[Key, Field]:
        found: dict[Key, Field] = {}
        used = 0
        for variable in self.system.variables:
            selects = variable.key in self.selectors
            width, offset = _one_each(variable.domain) if selects else _width(variable.domain)
            bits = tuple(range(used, used + width))
            found[variable.key] = Field(variable.domain, bits, offset, selects)
            used += width
        return found

    @cached_property
    def state_bits(self) -> int:
        return sum(len(field.bits) for field in self.fields.values())

    @cached_property
    def action_bits(self) -> dict[str, tuple[Variable, ...]]:
        """The variables of each agent's action, the most significant bit first."""
        found: dict[str, tuple[Variable, ...]] = {}
        used = 2 * self.state_bits
        for agent in self.system.agents:
            width = _bits(len(agent.actions))
            found[agent.name] = tuple(range(used, used + width))
            used += width
        return found

    @cached_property
    def now(self) -> tuple[Variable, ...]:
        return tuple(range(0, 2 * self.state_bits, 2))

    @cached_property
    def after(self) -> tuple[Variable, ...]:
        return tuple(range(1, 2 * self.state_bits, 2))

    @cached_property
    def actions(self) -> tuple[Variable, ...]:
        return tuple(bit for bits in self.action_bits.values() for bit in bits)

    @cached_property
    def variables(self) -> int:
        return 2 * self.state_bits + len(self.actions)

    def seen_by(self, agent: str) -> tuple[Variable, ...]:
        """The present state's bits that an agent observes."""
        keys = self.system.agent_named[agent].observes
        return tuple(bit for key in keys for bit in self.fields[key].now)


def _bits(values: int) -> int:
    return max(values - 1, 0).bit_length()


def _width(domain: Domain) -> tuple[int, int]:
    """How many bits a domain takes, and what is taken off its values first."""
    width = _bits(size(domain))
    if not isinstance(domain, RangeDomain):
        return width, 0
    plain = domain.low >= 0 and domain.high.bit_length() <= width
    return width, 0 if plain else domain.low


def _one_each(domain: Domain) -> tuple[int, int]:
    return size(domain), domain.low if isinstance(domain, RangeDomain) else 0


def _spelled(values: Sequence[bool]) -> int:
    """The number that bits spell, the most significant first."""
    code = 0
    for value in values:
        code = 2 * code + value
    return code
