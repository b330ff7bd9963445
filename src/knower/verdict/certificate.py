"""What a proof rests on, as a value that others can check: an inductive invariant."""

from __future__ import annotations

from knower.records import dataclass


@dataclass(frozen=True, slots=True)
class Invariant:
    """Clauses over named bits: `Agent.x[2]`, or `!Agent.x[2]` where it is false.

    They hold initially, every step keeps them, and together they exclude what `excludes` says. `phase[k]` is
    a bit that follows a formula along a path.
    """

    excludes: str
    clauses: tuple[tuple[str, ...], ...]
