"""The path in the evidence of a verdict, as a trail to walk along in a simulation."""

from __future__ import annotations

from knower.errors import UsageError
from knower.records import dataclass
from knower.simulation.walk import Simulation
from knower.system.expressions import JointAction, State
from knower.system.system import InterpretedSystem
from knower.verdict.evidence import Evidence, Run, Vocabulary, everything, runs


@dataclass(frozen=True)
class Trail:
    """A path from an initial state, in the order of the system's variables and agents."""

    states: tuple[State, ...]
    joints: tuple[JointAction, ...]
    loop: int | None = None

    @property
    def steps(self) -> int:
        """How many steps there are, those of the loop counted once."""
        return len(self.joints)

    def next(self, walk: Simulation) -> Simulation:
        """The simulation after the next step of the trail, which goes round in its loop for ever."""
        here = walk.steps
        if self._is_left_by(walk):
            raise UsageError("E627", "the path that was followed is left", "go `back` until you are on it")
        if self.loop is None and here >= self.steps:
            raise UsageError("E627", "the path that is followed ends here", "`back` goes back along it")
        return walk.after(self.joints[self._place(here)], self.states[self._place(here + 1)])

    def _is_left_by(self, walk: Simulation) -> bool:
        if self.loop is None and walk.steps > self.steps:
            return True
        return any(state != self.states[self._place(step)] for step, state in enumerate(walk.states))

    def _place(self, step: int) -> int:
        """Where a step is on the path: beyond its end, round the loop."""
        if step < len(self.states) or self.loop is None:
            return step
        return self.loop + (step - self.loop) % (len(self.states) - self.loop)


def trail_of(evidence: Evidence, walk: Simulation) -> Trail:
    """The first path in the evidence that begins at an initial state and goes somewhere."""
    for case in evidence.cases:
        for run in (*(run for proof in everything(case.proof) for run in runs(proof)), case.run):
            trail = _in_order(run, evidence.vocabulary, walk.system)
            if trail.joints and walk.is_initial(trail.states[0]):
                return trail
    raise UsageError("E628", "the evidence for this formula has no path to follow")


def _in_order(run: Run, vocabulary: Vocabulary, system: InterpretedSystem) -> Trail:
    """The run with its values where the system has them."""
    places = [vocabulary.variables.index(variable.key) for variable in system.variables]
    seats = [vocabulary.agents.index(agent.name) for agent in system.agents]
    return Trail(
        tuple(tuple(state[place] for place in places) for state in run.states),
        tuple(tuple(joint[seat] for seat in seats) for joint in run.actions if joint),
        run.loop,
    )
