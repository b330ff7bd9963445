"""What can be wrong with a model itself: deadlocks and overflows."""

from __future__ import annotations

from enum import Enum

from knower.records import dataclass
from knower.verdict.warnings import Deadlock, Overflow


class Fault(Enum):
    """A kind of fault, by the name it is asked for."""

    DEADLOCK = "deadlock"
    OVERFLOW = "overflow"


class Absence(Enum):
    """What is known of a fault that was not found."""

    PROVED = "none"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Faults:
    """For each kind of fault: one that was found, that there is none, or that this is not known."""

    deadlock: Deadlock | Absence = Absence.UNKNOWN
    overflow: Overflow | Absence = Absence.UNKNOWN

    def of(self, fault: Fault) -> Deadlock | Overflow | Absence:
        match fault:
            case Fault.DEADLOCK:
                return self.deadlock
            case Fault.OVERFLOW:
                return self.overflow

    @property
    def found(self) -> tuple[Deadlock | Overflow, ...]:
        return tuple(each for each in map(self.of, Fault) if not isinstance(each, Absence))

    def is_known(self, fault: Fault) -> bool:
        return self.of(fault) is not Absence.UNKNOWN

    def joined(self, other: Faults) -> Faults:
        """What both know together: what is found, or else proved to be absent."""
        return Faults(
            self.deadlock if self.is_known(Fault.DEADLOCK) else other.deadlock,
            self.overflow if self.is_known(Fault.OVERFLOW) else other.overflow,
        )
