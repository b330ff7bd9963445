"""The product of a model and the automaton of a path formula: is there a (fair) path through it?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product
from typing import Generic, TypeAlias

from knower.checking.automaton import Automaton
from knower.checking.temporal import Paths
from knower.functions.protocol import F
from knower.logic import formula as f
from knower.logic.fold import subformulas
from knower.logic.formula import Formula
from knower.symbolic.partition import Partition, PartitionSpec, clustered
from knower.symbolic.relation import Relation
from knower.system.domains import Value

#: The actions of the agents that a formula speaks of; None for one that it does not speak of.
Doing: TypeAlias = Mapping[str, "str | None"]


class ProductAutomaton(Generic[F]):
    """The paths of a model, with what they owe to a formula in normal form.

    Where the formula says who does what, the actions of those agents are kept. In the self-loop of a deadlock
    everybody may do anything: there, what is owed is worked out for each thing that can be done.
    """

    def __init__(self, paths: Paths[F], path: Formula, labels: Mapping[str, F]) -> None:
        self.paths = paths
        self.model = paths.model
        self.space = paths.model.space
        steps = paths.model.steps
        self.automaton = Automaton(steps.obligations, path, labels, steps.taken)
        self._said = [item for item in subformulas(path) if isinstance(item, f.Does)]
        self._known_dues: dict[tuple[Automaton[F], bool], tuple[F, ...]] = {}
        self._pending = frozenset(bit.place for bit in self.automaton.pending.values())
        self._in_breakpoint = frozenset(bit.place for bit in self.automaton.in_breakpoint.values())
        self.owing = Paths(self.model, paths.universe, (), self._paying(paths.relation, self._pending))

    def some_path(self) -> F:
        """The states with an infinite (fair) path on which the formula holds."""
        return self._begun(self.owing.until(self.paths.everywhere, self.recurrent))

    def some_trace(self) -> F:
        """The states with a finite trace on which the formula holds."""
        everywhere = self.paths.everywhere
        return self._begun(self.owing.until(everywhere, everywhere & self.automaton.ending()))

    @property
    def recurrent(self) -> F:
        """Where a path goes on for ever (fairly) without owing anything it must pay at last."""
        automaton, paths = self.automaton, self.paths
        if not automaton.recurrent:
            return paths.endless & automaton.accepting
        return self.space.exists(self.on_cycles, self.space.quantified(self._in_breakpoint))

    @cached_property
    def on_cycles(self) -> F:
        """Where a path can go round for ever, and the breakpoint set is discharged again and again."""
        automaton, paths = self.automaton, self.paths
        relation = self.with_breakpoints(self.model.cyclic)
        fairness = [*paths.fairness, *([automaton.breakpoint_empty] if automaton.in_breakpoint else [])]
        cycles = Paths(self.model, paths.universe, fairness, cyclic=relation)
        return cycles.cycles(paths.where_cycles_are(paths.everywhere) & automaton.accepting)

    def with_breakpoints(self, relation: Relation[F]) -> Relation[F]:
        """The same steps, each with what is discharged on it, and the breakpoint set."""
        return self._paying(relation, self._pending | self._in_breakpoint)

    def _begun(self, good: F) -> F:
        """The states from which all goes well if only the formula is owed."""
        return self.space.and_exists(good, self.automaton.start, self.space.quantified(self._pending))

    # -- steps, each with what is paid on it ------------------------------------------------------------

    def _paying(self, relation: Relation[F], bits: frozenset[int]) -> Relation[F]:
        """The same steps (or more of the model's, where the formula says who does what)."""
        dues = self._dues(self.automaton, bits)
        specs = [
            PartitionSpec((*spec.clusters, *dues), spec.moved | bits, spec.actions)
            for spec in self._telling(relation)
        ]
        if relation.looped != self.space.false:
            for _, automaton in self._loops:
                clusters = (relation.looped, *self._dues(automaton, bits))
                specs.append(PartitionSpec(clusters, bits, frozenset()))
        return Relation(self.space, [Partition(self.space, spec) for spec in specs])

    def _dues(self, automaton: Automaton[F], bits: frozenset[int]) -> tuple[F, ...]:
        """What a step has to respect; of the breakpoint set, if its bits are among those that move."""
        whole = self._in_breakpoint <= bits
        if (automaton, whole) not in self._known_dues:
            dues = clustered(self.space, automaton.payments())
            more = clustered(self.space, automaton.breakpoints()) if whole else ()
            self._known_dues[automaton, whole] = *dues, *more
        return self._known_dues[automaton, whole]

    def _telling(self, relation: Relation[F]) -> Iterator[PartitionSpec[F]]:
        """The steps, with the actions that the formula speaks of."""
        if not self._said:
            yield from (partition.spec for partition in relation.partitions)
            return
        actors = {item.agent for item in self._said}
        spec = self.model.coalition(actors).spec
        kept = self.model.system.relations.coalition_bits(actors)
        yield PartitionSpec(spec.clusters, spec.moved, spec.actions | kept)

    @cached_property
    def _loops(self) -> list[tuple[Doing, Automaton[F]]]:
        """What can be done in a self-loop, with what is owed then."""
        if not self._said:
            return [({}, self.automaton)]
        return [(doing, self.automaton.under(self._constantly(doing))) for doing in self._doings()]

    def _doings(self) -> Iterator[Doing]:
        """What the agents can do together, as far as the formula tells it apart."""
        options: dict[str, list[str | None]] = {}
        for item in self._said:
            options.setdefault(item.agent, []).append(item.action)
        for agent, told in options.items():
            others = [a for a in self._actions_of(agent) if a not in told]
            told += others[:1]
        for chosen in product(*options.values()):
            yield dict(zip(options, chosen, strict=True))

    def _actions_of(self, agent: str) -> tuple[str, ...]:
        return self.model.system.interpreted.agent_named[agent].actions

    def _constantly(self, doing: Doing) -> Callable[[str, str], F]:
        return lambda agent, action: self.space.true if doing[agent] == action else self.space.false

    # -- single steps, for evidence ---------------------------------------------------------------------

    def choices(self, bits: Sequence[int], before: Sequence[Value], after: Sequence[Value]) -> F | None:
        """By which actions one comes from owing something to owing something else; None: by any."""
        return self._between(self.automaton, bits, before, after) if self._said else None

    def in_loop(
        self, state: F, bits: Sequence[int], before: Sequence[Value], after: Sequence[Value]
    ) -> Doing | None:
        """What is done in a self-loop where one comes from owing something to owing something else."""
        for doing, automaton in self._loops if self._said else ():
            if state & self._between(automaton, bits, before, after) != self.space.false:
                return doing
        return None

    def _between(
        self, automaton: Automaton[F], bits: Sequence[int], before: Sequence[Value], after: Sequence[Value]
    ) -> F:
        steps = self.model.steps
        found = steps.cube(bits, map(bool, before)) & steps.cube([b + 1 for b in bits], map(bool, after))
        for due in self._dues(automaton, frozenset(bits)):
            found = found & due
        return self.space.exists(found, self.space.quantified([*bits, *(bit + 1 for bit in bits)]))
