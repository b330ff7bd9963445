"""A strategy in few rows: what does not matter is left out, and the rest is merged.

Another action does as well where it leads only to where the strategy goes anyway and, if a goal is to be
reached, nearer to it. That is seen state by state, so all such actions may be taken at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from itertools import islice, product
from math import prod
from typing import Generic, TypeAlias

from knower.evidence.goals import ProofGoal, Table
from knower.evidence.merging import Box, Cases, Deed, Seen, merged
from knower.functions.protocol import F
from knower.logic.kinds import is_propositional
from knower.system.domains import size
from knower.system.explicit import Explicit
from knower.system.expressions import variables
from knower.verdict.decisions import DecisionTable, Variable
from knower.verdict.evidence import Joint, State

#: Agents that choose together: one, or all who go by the state.
Unit: TypeAlias = tuple[str, ...]

#: So often it is asked where another choice leads; about a second.
_EFFORT = 5_000
#: Of more joint deeds in one state, only the one that is chosen is considered.
_DEEDS = 64
#: So many values are tried to see that an action is enabled wherever a row applies.
_VALUES = 4_096


class Decisions(Generic[F]):
    """A strategy that wins, by the choices it makes in the states that come about."""

    def __init__(
        self,
        table: Table[F],
        goal: ProofGoal[F],
        choices: Mapping[State, Joint],
        met: F,
        *,
        by_observation: bool,
    ) -> None:
        """`met`: where the goal is open; and where it is reached, if that has to be shown."""
        self.view = table.view
        self.table = table
        self.goal = goal
        self.choices = choices
        self.met = met
        self.by_observation = by_observation
        self._left = _EFFORT
        self._agents = self.view.explicit.system.agent_named
        players = [name for name in table.members if self._agents[name].actions]
        self._units: list[Unit] = [(name,) for name in players] if by_observation else [table.members]
        self._allowed = {unit: self._chosen(unit) for unit in self._units}

    def tables(self, check: Callable[[], None]) -> tuple[DecisionTable, ...]:
        """One for each agent, or one for all that goes by the state; none for who may do anything."""
        if not self.choices:
            return ()
        self._free()
        tables = (self._merged(unit, check) for unit in self._units)
        return tuple(table for table in tables if table.rows)

    def choice(self, state: State, tables: tuple[DecisionTable, ...]) -> Joint | None:
        """What the tables say; where they do not, what was chosen before."""
        chosen = self.choices.get(state)
        if chosen is None:
            return None
        deeds = dict(zip(self.table.members, chosen, strict=True))
        for table in tables:
            told = table.decide(self._sees(table.agents, state))
            deeds.update(zip(table.agents, told or (), strict=False))
        return tuple(deeds.values())

    def _sees(self, unit: Unit, state: State) -> Seen:
        return self.view.explicit.sees(unit[0], state) if self.by_observation else state

    def _chosen(self, unit: Unit) -> dict[Seen, set[Deed]]:
        places = [self.table.members.index(name) for name in unit]
        found: dict[Seen, set[Deed]] = {}
        for state, choice in self.choices.items():
            found.setdefault(self._sees(unit, state), set()).add(tuple(choice[place] for place in places))
        return found

    # -- what else would do ---------------------------------------------------------------------------------

    def _free(self) -> None:
        """Allow what does as well, unit by unit; what is allowed already may come with it."""
        if self.view.fairness or not self._inside:
            return
        for unit in self._units:
            for seen, states in self._groups(unit).items():
                for deed in self._deeds(unit, states[0]) or ():
                    if all(self._does(unit, deed, state) for state in states):
                        self._allowed[unit][seen].add(deed)

    def _groups(self, unit: Unit) -> dict[Seen, list[State]]:
        found: dict[Seen, list[State]] = {}
        for state in self.choices:
            found.setdefault(self._sees(unit, state), []).append(state)
        return found

    def _deeds(self, unit: Unit, state: State) -> list[Deed] | None:
        """All that the unit may do; None if that is too much."""
        enabled = self.view.explicit.enabled
        options = [enabled(name, state) or (None,) for name in unit]
        found = list(islice(product(*options), _DEEDS + 1))
        return found if len(found) <= _DEEDS else None

    def _does(self, unit: Unit, deed: Deed, state: State) -> bool:
        """Whether it does as well, whatever the other members do of what they may."""
        inside = self._inside[state]
        for joint in self._joints(unit, deed, state):
            self._left -= 1
            after = self.table.outcomes(state, joint)
            if self._left < 0 or after == self.view.nothing or after & ~inside != self.view.nothing:
                return False
        return True

    def _joints(self, unit: Unit, deed: Deed, state: State) -> Iterator[Joint]:
        chosen = dict(zip(self.table.members, self.choices[state], strict=True))
        others = [(other, self._allowed[other][self._sees(other, state)])
                  for other in self._units if other != unit]  # fmt: skip
        for deeds in product(*(allowed for _, allowed in others)):
            made = {**chosen, **dict(zip(unit, deed, strict=True))}
            for (other, _), done in zip(others, deeds, strict=True):
                made.update(zip(other, done, strict=True))
            yield tuple(made.values())

    @cached_property
    def _inside(self) -> dict[State, F]:
        """Where a choice may lead from each state; nothing if that takes too long to find."""
        goal = self.goal
        is_seen = goal.ending is None or is_propositional(goal.ending)
        end = goal.end if is_seen else goal.end & self.met
        if goal.soon:
            return dict.fromkeys(self.choices, end)
        return dict.fromkeys(self.choices, end | self.met) if goal.weak else self._nearer(end)

    def _nearer(self, end: F) -> dict[State, F]:
        """For each state, all states from which the strategy surely takes fewer steps."""
        found, nothing = dict[State, F](), self.view.nothing
        left = {state: self.table.outcomes(state, choice) for state, choice in self.choices.items()}
        while left:
            self._left -= len(left)
            ready = [state for state, after in left.items() if after & ~end == nothing]
            if not ready or self._left < 0:
                return {}
            for state in ready:
                found[state] = end
                del left[state]
            for state in ready:
                end = end | self.view.only(state)
        return found

    # -- few rows -------------------------------------------------------------------------------------------

    def _merged(self, unit: Unit, check: Callable[[], None]) -> DecisionTable:
        allowed = {seen: frozenset(deeds) for seen, deeds in self._allowed[unit].items()}
        some = {self._sees(unit, state): state for state in self.choices}
        needed = frozenset(seen for seen in allowed if self._matters(unit, some[seen], allowed[seen]))
        system = self.view.explicit.system
        observed = self._agents[unit[0]].observes if self.by_observation else tuple(system.domains)
        enabled = _Enabled(self.view.explicit, unit, tuple(observed), next(iter(self.choices))).all_over
        rows = merged(Cases(allowed, needed), enabled, check)
        return DecisionTable(unit, tuple(observed), rows, reads_states=not self.by_observation)

    def _matters(self, unit: Unit, state: State, allowed: frozenset[Deed]) -> bool:
        deeds = self._deeds(unit, state)
        return deeds is None or not allowed.issuperset(deeds)


class _Enabled:
    """What is enabled in all states of a box, whether they can come about or not."""

    def __init__(self, explicit: Explicit, unit: Unit, seen: tuple[Variable, ...], some: State) -> None:
        self._explicit = explicit
        self._unit = unit
        self._some = some
        self._seen = seen
        self._known: dict[tuple[str, str, Box], bool] = {}

    def all_over(self, deed: Deed, box: Box) -> bool:
        pairs = zip(self._unit, deed, strict=True)
        return all(action is None or self._is_enabled(name, action, box) for name, action in pairs)

    def _is_enabled(self, name: str, action: str, box: Box) -> bool:
        reads = self._reads(name)
        key = name, action, tuple(box[place] for place in reads)
        if key not in self._known:
            self._known[key] = self._is_enabled_at(name, action, key[2])
        return self._known[key]

    def _is_enabled_at(self, name: str, action: str, read: Box) -> bool:
        """Values are tried one by one; where there are too many, the answer is no."""
        system, keys = self._explicit.system, [self._seen[place] for place in self._reads(name)]
        sizes = [size(system.domains[key]) if values is None else len(values)
                 for key, values in zip(keys, read, strict=True)]  # fmt: skip
        if prod(sizes) > _VALUES:
            return False
        places = [system.places.variable[key] for key in keys]
        state = list(self._some)
        tried = [system.domains[key].values if values is None else sorted(values)
                 for key, values in zip(keys, read, strict=True)]  # fmt: skip
        for combination in product(*tried):
            for place, value in zip(places, combination, strict=True):
                state[place] = value
            if action not in self._explicit.enabled(name, tuple(state)):
                return False
        return True

    def _reads(self, name: str) -> list[int]:
        """The places of what the agent's protocol reads among what is seen."""
        agent = self._explicit.system.agent_named[name]
        read = variables(*(line.condition for line in agent.protocol))
        return [place for place, key in enumerate(self._seen) if key in read]
