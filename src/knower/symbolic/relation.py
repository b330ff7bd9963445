"""The transition relation, never as one diagram unless it is small.

It is a union of partitions: one per action of an agent whose action decides which few variables change,
or just one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, reduce
from operator import or_
from typing import Generic

from knower.functions.protocol import F, Quantified, Space, Variable
from knower.symbolic.chaining import in_turn
from knower.symbolic.layout import Key
from knower.symbolic.narrowing import starting_in
from knower.symbolic.partition import Partition, PartitionSpec, partition_spec, united
from knower.symbolic.transition_parts import NextStateRelation, TransitionParts

#: A relation is narrowed to the reachable states if that leaves at most this share of its nodes.
_WORTH_WHILE = 0.8
#: It is joined with states that have no more nodes. Seven agents in 13,799 states (2,500 nodes): that takes
#: as long as ten pre-images, which then take an eighth. Where a set is large, it is what is unreachable that
#: keeps diagrams small.
_SMALL_SET = 10_000
#: A relation is split by an agent's action if each partitions at most this share of the variables.
_SMALL_SHARE = 0.34
#: It is found by trying so many of the actions; an agent with fewer is not worth it.
_LEAST_SPLIT = 4


class Relation(Generic[F]):
    """A union of partitions, and the deadlocks that were given a self-loop."""

    def __init__(self, space: Space[F], partitions: Iterable[Partition[F]], looped: F | None = None) -> None:
        self.space = space
        self.partitions = tuple(partitions)
        self.looped: F = space.false if looped is None else looped

    def post(self, states: F) -> F:
        return reduce(or_, (partition.post(states) for partition in self.partitions), self.looped & states)

    def pre(self, states: F) -> F:
        return reduce(or_, (partition.pre(states) for partition in self.partitions), self.looped & states)

    def looping(self, states: F) -> Relation[F]:
        """The same with a self-loop in each of these states."""
        return Relation(self.space, self.partitions, states)

    def narrowed(self, care: F) -> Relation[F]:
        """The relation as it needs to be from certain states on, if that is worth while."""
        specs = [partition.spec for partition in self.partitions]
        narrow = [d.with_clusters(tuple(self.space.simplify(c, care) for c in d.clusters)) for d in specs]
        if self._size(narrow) > _WORTH_WHILE * self._size(specs):
            return self
        return Relation(self.space, [Partition(self.space, spec) for spec in narrow], self.looped)

    def starting_in(self, states: F) -> Relation[F]:
        """The steps from certain states, joined with them if these are small: for who goes back far."""
        clusters = [cluster for partition in self.partitions for cluster in partition.clusters]
        if len(self.partitions) > 1 or len(clusters) < 2 or self.space.size(states) > _SMALL_SET:
            return self
        spec = starting_in(self.space, self.partitions[0].spec, states)
        return Relation(self.space, [Partition(self.space, spec)], self.looped)

    def without_change(self, same: F, bits: Mapping[Variable, Variable]) -> Relation[F]:
        """The steps on which some bits, now and next, are the `same`: one stands for the other everywhere."""
        after = self.space.quantified(bits.values())
        specs = [self._without_change(partition.spec, same, bits, after) for partition in self.partitions]
        some = [spec for spec in specs if self.space.false not in spec.clusters]
        return Relation(self.space, in_turn(self.space, [Partition(self.space, s) for s in united(some)]))

    def _without_change(
        self, spec: PartitionSpec[F], same: F, bits: Mapping[Variable, Variable], after: Quantified
    ) -> PartitionSpec[F]:
        if not spec.moved & bits.keys():
            return spec
        clusters = tuple(self.space.and_exists(cluster, same, after) for cluster in spec.clusters)
        return PartitionSpec(clusters, spec.moved.difference(bits), spec.actions)

    def _size(self, specs: Iterable[PartitionSpec[F]]) -> int:
        return sum(self.space.size(cluster) for spec in specs for cluster in spec.clusters)


class RelationFactory(Generic[F]):
    """The relations of a system: the whole one, that of its cycles, those of coalitions."""

    def __init__(self, steps: TransitionParts[F], restrictions: Sequence[F] = ()) -> None:
        self.steps = steps
        self.space = steps.space
        self.layout = steps.layout
        self.guards = [*steps.guards, *steps.players.values(), *restrictions]
        self._splitter = self._find_splitter()

    @cached_property
    def whole(self) -> Relation[F]:
        return self._relation(self.guards, self.steps.changes)

    @cached_property
    def cyclic(self) -> Relation[F]:
        """The steps a cycle can consist of: those that leave alone what can only grow or only shrink."""
        changes = self.steps.changes
        frozen = [key for change in changes for key in change.targets if self._is_monotone(key, change)]
        return (
            self.whole.without_change(self.steps.same(frozen), self._bits(frozen)) if frozen else self.whole
        )

    def _bits(self, keys: Iterable[Key]) -> dict[Variable, Variable]:
        """The bits of some variables now, and next."""
        fields = [self.layout.fields[key] for key in keys]
        return {now: after for field in fields for now, after in zip(field.now, field.after, strict=True)}

    def of_coalition(self, members: Iterable[str]) -> Partition[F]:
        """One partition that keeps the members' actions."""
        spec = self._spec(self.guards, self.steps.changes, self.coalition_bits(members))
        return Partition(self.space, spec)

    def choices_of(self, members: Iterable[str]) -> list[list[Partition[F]]]:
        """The same by what the members can choose: in each list, the partitions of one choice (or more).

        A choice of the agent the relation is split by is fixed in its partitions; the actions of the other
        members are kept. Nothing for a relation that is not split.
        """
        if self._splitter is None:
            return []
        members = tuple(members)
        keep = self.coalition_bits(name for name in members if name != self._splitter)
        specs = self._specs(self._splitter, self.guards, self.steps.changes, keep)
        if self._splitter in members:
            return [[Partition(self.space, spec)] for spec in specs]
        return [[Partition(self.space, spec) for spec in united(specs)]]

    def part(self, guards: Sequence[F], changes: Sequence[NextStateRelation[F]]) -> Partition[F]:
        """The steps that meet more guards and change only this; all else stays, if the guards say so."""
        return Partition(self.space, self._spec([*self.guards, *guards], changes))

    def kept(self, change: NextStateRelation[F], keys: Sequence[Key]) -> F:
        """A change, where these of its variables can keep their values."""
        after = [bit for key in keys for bit in self.layout.fields[key].after]
        return self.space.and_exists(change.relation, self.steps.same(keys), self.space.quantified(after))

    def coalition_bits(self, members: Iterable[str]) -> frozenset[Variable]:
        choices = self.steps.choices
        return frozenset(bit for name in members if name in choices for bit in choices[name].bits)

    def _relation(self, guards: Sequence[F], changes: Sequence[NextStateRelation[F]]) -> Relation[F]:
        if self._splitter is None:
            return Relation(self.space, [Partition(self.space, self._spec(guards, changes))])
        specs = united(self._specs(self._splitter, guards, changes))
        return Relation(self.space, in_turn(self.space, [Partition(self.space, spec) for spec in specs]))

    def _specs(
        self,
        agent: str,
        guards: Sequence[F],
        changes: Sequence[NextStateRelation[F]],
        keep: frozenset[Variable] = frozenset(),
    ) -> list[PartitionSpec[F]]:
        """The steps by which of its actions an agent takes."""
        space, bits = self.space, self.space.quantified(self.steps.choices[agent].bits)
        found: list[PartitionSpec[F]] = []
        for number in range(len(self.layout.system.agent_named[agent].actions)):
            action = self.steps.action(agent, number)
            fixed = [self._fixed(change, action, bits) for change in changes]
            found.append(self._spec([space.and_exists(g, action, bits) for g in guards], fixed, keep))
        return found

    def _fixed(self, change: NextStateRelation[F], action: F, bits: Quantified) -> NextStateRelation[F]:
        """A change under an action (which may be enabled in some states only)."""
        relation = self.space.and_exists(change.relation, action, bits)
        same = self.steps.same(change.targets)
        stays = relation == same & self.space.exists(action, bits)
        return NextStateRelation(change.targets, same if stays else relation)

    def _spec(
        self,
        guards: Sequence[F],
        changes: Sequence[NextStateRelation[F]],
        keep: frozenset[Variable] = frozenset(),
    ) -> PartitionSpec[F]:
        moving = [c for c in changes if c.relation != self.steps.same(c.targets)]
        moved = frozenset(bit for c in moving for key in c.targets for bit in self.layout.fields[key].now)
        parts = [*(guard for guard in guards if guard != self.space.true), *(c.relation for c in moving)]
        actions = [frozenset(choice.bits) for choice in self.steps.choices.values()]
        eliminated = [bits for bits in actions if not bits & keep]
        return partition_spec(
            self.space, parts, moved, eliminated, self._supports, self.steps.cluster_threshold
        )

    @cached_property
    def _supports(self) -> dict[F, frozenset[Variable]]:
        """The variables of the conjuncts that the relation and those of coalitions share."""
        parts = [*self.guards, *(change.relation for change in self.steps.changes)]
        return {part: self.space.support(part) for part in parts}

    # -- monotone variables ----------------------------------------------------------------------------

    def _is_monotone(self, key: Key, change: NextStateRelation[F]) -> bool:
        """Whether the variable never decreases, or never increases."""
        less, more = self._compared(key)
        relation = change.relation & self.steps.valid
        return relation & less == self.space.false or relation & more == self.space.false

    def _compared(self, key: Key) -> tuple[F, F]:
        """Where the variable's code next is less than now, and where it is more."""
        less, more = self.space.false, self.space.false
        field = self.layout.fields[key]
        for now, after in reversed(list(zip(field.now, field.after, strict=True))):
            before, behind = self.space.var(now), self.space.var(after)
            equal = ~self.space.xor(before, behind)
            less = before & ~behind | equal & less
            more = ~before & behind | equal & more
        return less, more

    # -- splitting ---------------------------------------------------------------------------------------

    def _find_splitter(self) -> str | None:
        """The player whose action leaves the fewest variables to partition, if they are few."""
        total = sum(len(change.targets) for change in self.steps.changes)
        shares = {name: self._share(name, total) for name in self.steps.players}
        best = min(shares, key=shares.__getitem__, default=None)
        return best if best is not None and shares[best] <= _SMALL_SHARE else None

    def _share(self, agent: str, total: int) -> float:
        """The share of the variables that partition under one action of an agent, by a few of its actions."""
        count = len(self.layout.system.agent_named[agent].actions)
        if count < _LEAST_SPLIT:
            return 1.0
        bits = self.space.quantified(self.steps.choices[agent].bits)
        tried = range(0, count, max(count // _LEAST_SPLIT, 1))
        moved = 0
        for number in tried:
            action = self.steps.action(agent, number)
            for change in self.steps.changes:
                fixed = self._fixed(change, action, bits).relation
                moved += len(change.targets) if fixed != self.steps.same(change.targets) else 0
        return moved / max(total * len(tried), 1)
