"""Groups of agents, as formulas name them."""

from __future__ import annotations

from typing import TypeAlias
from zlib import crc32

from knower.records import dataclass

AgentName: TypeAlias = str
GroupName: TypeAlias = str


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Agents. What they are called together is for readers: two groups of the same agents are one."""

    members: tuple[AgentName, ...]
    name: GroupName | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "members", tuple(self.members))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Group) and frozenset(self.members) == frozenset(other.members)

    def __hash__(self) -> int:
        """The same in every process, as of formulas."""
        return crc32("\0".join(sorted(self.members)).encode("utf-8", "surrogatepass"))

    def __str__(self) -> str:
        return ", ".join(self.members) if self.name is None else self.name


#: A group as it is written, by a name that a model resolves; or its members.
GroupRef: TypeAlias = GroupName | Group


def members_of(group: GroupRef) -> tuple[AgentName, ...]:
    """The agents of a group in a formula that is to be decided: its names are resolved."""
    if isinstance(group, Group):
        return group.members
    raise TypeError(f"the group `{group}` is not resolved")
