"""Sets of states of which each owner has its part, as functions (`functions.protocol.Function`)."""

from __future__ import annotations

from itertools import count

from knower.ownership.network import Network
from knower.ownership.owner import Name


class OwnedSet:
    """A set by its name; whatever becomes of it is done by its owners."""

    def __init__(self, sets: OwnedSets, name: Name) -> None:
        self._sets = sets
        self.name = name

    def __and__(self, other: OwnedSet) -> OwnedSet:
        return self._sets.combined("and", self, other)

    def __or__(self, other: OwnedSet) -> OwnedSet:
        return self._sets.combined("or", self, other)

    def __invert__(self) -> OwnedSet:
        return self._sets.combined("not", self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, OwnedSet):
            return NotImplemented
        return self.name == other.name or self._sets.are_same(self, other)

    def __hash__(self) -> int:
        return 0  # equal sets may have several names; nobody keeps many of them in a table

    def __del__(self) -> None:
        self._sets.forget(self.name)


class OwnedSets:
    """The sets there are (a part of `functions.protocol.Space`)."""

    name = "owners"

    def __init__(self, network: Network) -> None:
        self.network = network
        self._names = count()
        #: Names of sets that nobody has any more; owners are told with the next one.
        self._past: list[Name] = []
        self.true = self.known("true")
        self.false = self.known("false")

    def known(self, kind: str, what: str = "") -> OwnedSet:
        """A set that each owner can tell by itself."""
        made = self._named()
        self.network.everybody(lambda owner: owner.known(made.name, kind, what))
        return made

    def combined(self, kind: str, *operands: OwnedSet) -> OwnedSet:
        made, names = self._named(), [each.name for each in operands]
        self.network.everybody(lambda owner: owner.combine(made.name, kind, names))
        return made

    def before(self, states: OwnedSet) -> OwnedSet:
        """The predecessors of states, wherever they are."""
        made = self._named()
        self.network.exchange(
            lambda owner: owner.sent_before(made.name, states.name),
            lambda owner, parcel: owner.unite(made.name, parcel),
        )
        return made

    def alike(self, states: OwnedSet, members: tuple[str, ...]) -> OwnedSet:
        """The states that all members confuse with one of these, wherever they are."""
        made = self._named()
        self.network.exchange(
            lambda owner: owner.sent_alike(made.name, states.name, members),
            lambda owner, parcel: owner.unite(made.name, parcel),
        )
        return made

    def are_same(self, one: OwnedSet, other: OwnedSet) -> bool:
        return all(self.network.agreed(lambda owner: owner.is_same(one.name, other.name)))

    def count(self, states: OwnedSet) -> int:
        return sum(self.network.agreed(lambda owner: owner.count(states.name)))

    def size(self, states: OwnedSet) -> int:
        """The nodes of all parts."""
        told = self.network.everybody(lambda owner: owner.space.size(owner.part(states.name)))
        return sum(told)

    def nodes(self) -> int:
        return sum(self.network.everybody(lambda owner: owner.space.nodes()))

    def forget(self, name: Name) -> None:
        self._past.append(name)

    def _named(self) -> OwnedSet:
        past, self._past = self._past, []
        for owner in self.network.owners if past else ():
            for name in past:
                owner.drop(name)
        return OwnedSet(self, next(self._names))

    def __repr__(self) -> str:
        return f"<sets of {len(self.network.owners)} owners>"
