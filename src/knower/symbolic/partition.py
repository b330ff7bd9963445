"""Moves: parts of a transition relation, ready to be applied.

A move is a conjunction of clusters over the variables it moves; variables it does not move are
neither quantified nor renamed. Actions are eliminated when it is partition_spec, as long as that keeps it
small; what is left is quantified early, cluster by cluster.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Generic

from knower.functions.protocol import F, Quantified, Space, Variable

#: Eliminating actions may make a conjunct of this many nodes; clusters are joined up to fewer.
_ELIMINATION_LIMIT, _CLUSTER_LIMIT = 20_000, 5_000


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
    """What a move is made of: its clusters, the bits it moves, the action bits to be quantified."""

    clusters: tuple[F, ...]
    moved: frozenset[Variable]
    actions: frozenset[Variable]


def partition_spec(
    space: Space[F],
    parts: Sequence[F],
    moved: frozenset[Variable],
    actions: Sequence[frozenset[Variable]],
) -> PartitionSpec[F]:
    """A spec of conjuncts, without the actions (in groups, by agent) where that keeps it small."""
    clusters = clustered(space, _eliminated(space, parts, actions))
    return PartitionSpec(tuple(clusters), moved, frozenset().union(*actions))


class Partition(Generic[F]):
    """A part of the relation, ready to be applied."""

    def __init__(self, space: Space[F], spec: PartitionSpec[F]) -> None:
        after = frozenset(bit + 1 for bit in spec.moved)
        self.spec = spec
        self._space = space
        self._exchange = space.renaming({bit: bit + 1 for bit in spec.moved})
        self._post = _schedule(space, spec.clusters, spec.moved | spec.actions)
        self._pre = _schedule(space, spec.clusters, after | spec.actions)

    @property
    def clusters(self) -> tuple[F, ...]:
        return self.spec.clusters

    def post(self, states: F) -> F:
        """The successors of a set of states."""
        return self._space.rename(self._post.applied(states, self._space), self._exchange)

    def pre(self, states: F) -> F:
        """The predecessors of a set of states."""
        return self._pre.applied(self._space.rename(states, self._exchange), self._space)


def _schedule(space: Space[F], clusters: Sequence[F], variables: frozenset[Variable]) -> Schedule[F]:
    """Clusters in an order that lets variables go early."""
    supports = [space.support(cluster) & variables for cluster in clusters]
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
            found[spec.moved] = replace(spec, clusters=(cluster | more,))
        else:
            found[spec.moved] = spec
    return [*found.values(), *apart]


def _eliminated(space: Space[F], parts: Sequence[F], groups: Sequence[frozenset[Variable]]) -> list[F]:
    """The conjuncts without these variables, group by group, wherever the product stays small."""
    items = [(part, space.support(part)) for part in parts]
    left = list(groups)
    while left:
        group = min(left, key=lambda bits: len(_touched(items, bits)))
        left.remove(group)
        product = _product(space, [part for part, support in items if support & group], group)
        if product is not None:
            items = [item for item in items if not item[1] & group] + [(product, space.support(product))]
    return [part for part, _ in items]


def _touched(items: Sequence[tuple[F, frozenset[Variable]]], bits: frozenset[Variable]) -> set[Variable]:
    return set().union(*(support for _, support in items if support & bits))


def _product(space: Space[F], parts: list[F], variables: frozenset[Variable]) -> F | None:
    """The conjunction with the variables quantified, or None if it grows too large."""
    if not parts:
        return None
    *early, last = sorted(parts, key=space.size)
    product = space.true
    for part in early:
        product = product & part
        if space.size(product) > _ELIMINATION_LIMIT:
            return None
    product = space.and_exists(product, last, space.quantified(variables))
    return product if space.size(product) <= _ELIMINATION_LIMIT else None


def clustered(space: Space[F], parts: Sequence[F]) -> list[F]:
    """Conjuncts joined with their neighbours, from the top of the order down, while they stay small."""
    level = {variable: k for k, variable in enumerate(space.order())}
    ordered = sorted(parts, key=lambda part: min((level[v] for v in space.support(part)), default=0))
    clusters: list[F] = []
    for part in ordered:
        joined = clusters[-1] & part if clusters else part
        if clusters and space.size(joined) <= _CLUSTER_LIMIT:
            clusters[-1] = joined
        else:
            clusters.append(part)
    return clusters
