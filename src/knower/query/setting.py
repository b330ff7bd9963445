"""A reading, resolved for one system: nothing in it is left to be chosen."""

from __future__ import annotations

from knower.logic.formula import Formula
from knower.logic.language import Specification
from knower.logic.polarity import polarity
from knower.options import AtlReading, DeadlockPolicy, Knowledge, Reading
from knower.query.closing import closed
from knower.records import dataclass
from knower.system.system import InterpretedSystem


@dataclass(frozen=True, slots=True)
class Constraint:
    """A fairness constraint as a state formula, evaluated without fairness; `finite`: on finite traces."""

    formula: Formula
    finite: bool


@dataclass(frozen=True, slots=True)
class Setting:
    """How all questions of a run are read. `players`: who acts uniformly in `uniform-models`."""

    atl: AtlReading = AtlReading.OBJECTIVE
    on_deadlock: DeadlockPolicy = DeadlockPolicy.WARN
    players: tuple[str, ...] = ()
    knowledge: Knowledge = Knowledge.OBSERVATION
    fairness: tuple[Constraint, ...] = ()

    def __hash__(self) -> int:
        return hash((self.players, self.fairness))  # members of enumerations are hashed slowly

    @property
    def loops(self) -> bool:
        """Whether deadlocks have a step to themselves."""
        return self.on_deadlock is DeadlockPolicy.LOOP

    @property
    def refuses_deadlocks(self) -> bool:
        return self.on_deadlock is DeadlockPolicy.FAIL

    @property
    def many_models(self) -> bool:
        """Whether a formula may choose one of the uniform models."""
        return self.atl is AtlReading.UNIFORM_MODELS

    @property
    def has_lasting_fairness(self) -> bool:
        """Whether what is fair in a part of the states is fair in all of them."""
        return all(polarity(each.formula).existential for each in self.fairness)


def setting(reading: Reading, system: InterpretedSystem) -> Setting:
    """A reading of a system.

    Unless a reading of ATL is asked for, it is `objective-fair` where there is fairness: then every operator
    speaks of fair paths.
    """
    usual = AtlReading.OBJECTIVE_FAIR if system.fairness else AtlReading.OBJECTIVE
    atl = usual if reading.atl is None else reading.atl
    players = tuple(system.agent_named)
    if reading.uniform_group is not None:
        players = system.members(reading.uniform_group)
    fairness = tuple(_constraint(spec, reading, system) for spec in system.fairness)
    return Setting(
        atl, reading.on_deadlock, players if atl is AtlReading.UNIFORM_MODELS else (), fairness=fairness
    )


def _constraint(spec: Specification, reading: Reading, system: InterpretedSystem) -> Constraint:
    read = spec.read(finite=reading.finite)
    return Constraint(closed(read, system), read.language.finite)
