"""Moves: parts of a transition relation, ready to be applied.

A move is a conjunction of clusters over the variables it moves; variables it does not move are
neither quantified nor renamed. Actions are eliminated when it is partition_spec, as long as that keeps it
small; what is left is quantified early, cluster by cluster.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Generic, TypeAlias

from knower.functions.protocol import F, Quantified, Space, Variable
from knower.options import CLUSTER_THRESHOLD
from knower.records import dataclass

#: Eliminating actions may make a conjunct of this many nodes; clusters are joined up to fewer.
_ELIMINATION_LIMIT = 20_000


#: A conjunct and its variables.
_Item: TypeAlias = tuple[F, frozenset[Variable]]


@dataclass(frozen=True)
class Stage(Generic[F]):
    """A cluster, and the variables no later cluster needs."""

    cluster: F
    done: Quantified


@dataclass(frozen=True)
class Schedule(Generic[F]):
    """What can be quantified at once, then cluster by cluster."""

    first: Quantified
    stages: tuple[Stage[F], ...]

    def applied(self, states: F, space: Space[F]) -> F:
        states = space.exists(states, self.first)
        for stage in self.stages:
            states = space.and_exists(states, stage.cluster, stage.done)
        return states


@dataclass(frozen=True)
class PartitionSpec(Generic[F]):
    """What a move is made of: its clusters, the bits it moves, the action bits to be quantified.

    `supports`: the variables of the clusters, where they are known.
    """

    clusters: tuple[F, ...]
    moved: frozenset[Variable]
    actions: frozenset[Variable]
    supports: tuple[frozenset[Variable], ...] | None = field(default=None, compare=False, repr=False)

    def with_clusters(self, clusters: tuple[F, ...]) -> PartitionSpec[F]:
        """The same move by other clusters."""
        return PartitionSpec(clusters, self.moved, self.actions)


def partition_spec(
    space: Space[F],
    parts: Sequence[F],
    moved: frozenset[Variable],
    actions: Sequence[frozenset[Variable]],
    supports: Mapping[F, frozenset[Variable]],
    threshold: int = CLUSTER_THRESHOLD,
) -> PartitionSpec[F]:
    """A spec of conjuncts, without the actions (in groups, by agent) where that keeps it small.

    `supports`: the variables of those conjuncts that are used for several specs. `threshold`: clusters are
    joined up to so many nodes.
    """
    items = [(part, supports[part] if part in supports else space.support(part)) for part in parts]
    clusters = _clustered(space, _eliminated(space, items, actions), threshold)
    functions = tuple(function for function, _ in clusters)
    return PartitionSpec(functions, moved, frozenset().union(*actions), tuple(known for _, known in clusters))


class Partition(Generic[F]):
    """A part of the relation, ready to be applied."""

    def __init__(self, space: Space[F], spec: PartitionSpec[F]) -> None:
        after = frozenset(bit + 1 for bit in spec.moved)
        self.spec = spec
        self._space = space
        self._exchange = space.renaming({bit: bit + 1 for bit in spec.moved})
        supports = spec.supports or [space.support(cluster) for cluster in spec.clusters]
        self._post = _schedule(space, spec.clusters, supports, spec.moved | spec.actions)
        self._pre = _schedule(space, spec.clusters, supports, after | spec.actions)

    @property
    def clusters(self) -> tuple[F, ...]:
        return self.spec.clusters

    def post(self, states: F) -> F:
        """The successors of a set of states."""
        return self._space.rename(self._post.applied(states, self._space), self._exchange)

    def pre(self, states: F) -> F:
        """The predecessors of a set of states."""
        return self._pre.applied(self._space.rename(states, self._exchange), self._space)


def _schedule(
    space: Space[F],
    clusters: Sequence[F],
    all_variables: Sequence[frozenset[Variable]],
    variables: frozenset[Variable],
) -> Schedule[F]:
    """Clusters in an order that lets variables go early."""
    supports = [support & variables for support in all_variables]
    left, order = list(range(len(clusters))), list[int]()
    while left:
        uses: dict[Variable, int] = {}
        for k in left:
            for variable in supports[k]:
                uses[variable] = uses.get(variable, 0) + 1
        chosen = max(left, key=lambda k: sum(uses[v] == 1 for v in supports[k]) - len(supports[k]) / 2)
        left.remove(chosen)
        order.append(chosen)
    last_use = {variable: k for k, number in enumerate(order) for variable in supports[number]}
    stages = [
        Stage(clusters[number], space.quantified(v for v in supports[number] if last_use[v] == k))
        for k, number in enumerate(order)
    ]
    return Schedule(space.quantified(variables - last_use.keys()), tuple(stages))


def united(specs: Sequence[PartitionSpec[F]]) -> list[PartitionSpec[F]]:
    """Drafts of one cluster that move the same variables, as one."""
    found: dict[frozenset[Variable], PartitionSpec[F]] = {}
    apart: list[PartitionSpec[F]] = []
    for spec in specs:
        if len(spec.clusters) != 1:
            apart.append(spec)
        elif spec.moved in found:
            (cluster,), (more,) = found[spec.moved].clusters, spec.clusters
            found[spec.moved] = spec.with_clusters((cluster | more,))
        else:
            found[spec.moved] = spec
    return [*found.values(), *apart]


def _eliminated(
    space: Space[F], items: list[_Item[F]], groups: Sequence[frozenset[Variable]]
) -> list[_Item[F]]:
    """The conjuncts without these variables, group by group, wherever the product stays small."""
    left = list(groups)
    while left:
        group = min(left, key=lambda bits: len(_touched(items, bits)))
        left.remove(group)
        product = _product(space, [part for part, support in items if support & group], group)
        if product is not None:
            items = [item for item in items if not item[1] & group] + [(product, space.support(product))]
    return items


def _touched(items: Sequence[_Item[F]], bits: frozenset[Variable]) -> set[Variable]:
    return set().union(*(support for _, support in items if support & bits))


def _product(space: Space[F], parts: list[F], variables: frozenset[Variable]) -> F | None:
    """The conjunction with the variables quantified, or None if it grows too large."""
    if not parts:
        return None
    *early, last = sorted(parts, key=space.size)
    if space.size(last) > _ELIMINATION_LIMIT:  # nothing we have seen becomes small again
        return None
    product = space.true
    for part in early:
        product = product & part
        if space.size(product) > _ELIMINATION_LIMIT:
            return None
    product = space.and_exists(product, last, space.quantified(variables))
    return product if space.size(product) <= _ELIMINATION_LIMIT else None


def clustered(space: Space[F], parts: Sequence[F], threshold: int = CLUSTER_THRESHOLD) -> list[F]:
    """Conjuncts joined with their neighbours, from the top of the order down, while they stay small."""
    if len(parts) < 2:
        return list(parts)
    items = [(part, space.support(part)) for part in parts]
    return [cluster for cluster, _ in _clustered(space, items, threshold)]


def _clustered(space: Space[F], items: Sequence[_Item[F]], threshold: int) -> list[_Item[F]]:
    if len(items) < 2:
        return list(items)
    level = {variable: k for k, variable in enumerate(space.order())}
    clusters: list[_Item[F]] = []
    joins: set[int] = set()
    for part, support in sorted(items, key=lambda item: min((level[v] for v in item[1]), default=0)):
        joined = _both(space, clusters[-1][0], part, threshold) if clusters else None
        if joined is not None:
            clusters[-1] = joined, support
            joins.add(len(clusters) - 1)
        else:
            clusters.append((part, support))
    return [(c, space.support(c) if k in joins else known) for k, (c, known) in enumerate(clusters)]


def _both(space: Space[F], cluster: F, part: F, threshold: int) -> F | None:
    """The two as one, if that is small; of large ones it is not even tried."""
    if max(space.size(cluster), space.size(part)) > threshold:
        return None
    joined = cluster & part
    return joined if space.size(joined) <= threshold else None
