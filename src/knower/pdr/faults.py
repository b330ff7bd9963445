"""Deadlocks and overflows: found, or proved to be absent."""

from __future__ import annotations

from functools import cached_property
from itertools import chain

from knower.errors import Unsupported
from knower.pdr.prover import Unsafe
from knower.pdr.reduction import Problem
from knower.pdr.search import Proofs
from knower.records import dataclass
from knower.verdict import trace
from knower.verdict.evidence import Joint, Run
from knower.verdict.faults import Absence
from knower.verdict.warnings import Deadlock, Overflow


@dataclass(frozen=True)
class FaultSearch:
    """What goes wrong in a system, by the steps it has of its own."""

    proofs: Proofs

    @cached_property
    def deadlock(self) -> Deadlock | Absence:
        try:
            found = self.proofs.stopping
        except Unsupported:
            return Absence.UNKNOWN
        if isinstance(found, Unsafe):
            return Deadlock(self._named(self.proofs.run(found.moments[0])))
        return Absence.PROVED

    @cached_property
    def overflow(self) -> Overflow | Absence:
        found = self.proofs.outcome(Problem(self.proofs.own, self.proofs.stamps.relation.fault, plain=True))
        if not isinstance(found, Unsafe):
            return Absence.PROVED
        joint = self.proofs.spelling.joint(number for number, taken in found.inputs.items() if taken)
        return self._explained(self.proofs.run(found.moments[0]), joint)

    def _explained(self, run: Run, joint: Joint) -> Overflow:
        explicit, last = self.proofs.stamps.explicit, run.states[-1]
        at_start = explicit.initial_faults(last) if len(run.states) == 1 else ()
        divided = next(chain(at_start, explicit.faults(last)), None)
        if divided is not None:
            return Overflow(str(divided), self._named(run))
        return Overflow(str(next(explicit.overflows(last, joint))), self._named(run, joint))

    def _named(self, run: Run, *failing: Joint) -> trace.Path:
        explicit = self.proofs.stamps.explicit
        states = tuple(map(explicit.named_state, run.states))
        return trace.Path(states, tuple(map(explicit.named_action, (*run.actions, *failing))))
