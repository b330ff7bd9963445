"""What a translation claims, with the literals that imply it: the plan of a proof.

When a solver has found an assignment, the claims whose literals are true are a proof: `decode` reads
it off.
"""

from __future__ import annotations

from dataclasses import field

from knower.logic.formula import Formula
from knower.records import dataclass
from knower.sat.frames import Frame
from knower.sat.paths import Loop, Path
from knower.sat.solver import Lit


@dataclass(eq=False, slots=True)
class Claim:
    """The literal implies that the formula holds at the frame.

    By its operands (`and`, `or`), by one of some entries, or by a chain of confusions.
    """

    formula: Formula
    frame: Frame
    literal: Lit
    operands: tuple[Claim, ...] = ()
    entries: tuple[Entry, ...] = ()
    chain: Link | None = None


@dataclass(eq=False, slots=True)
class Showing:
    """The literal implies that a path shows what it is meant to show, up to `end` (None: for ever).

    `lead`: the frames before the path. Positions count from the first frame of both. `parts`: of a path
    formula, by state formula and position.
    """

    literal: Lit
    path: Path
    end: int | None
    loop: Loop | None
    claims: tuple[tuple[int, Claim], ...] = ()
    lead: tuple[Frame, ...] = ()
    parts: dict[tuple[Formula, int], Claim] = field(default_factory=dict)


@dataclass(eq=False, slots=True)
class Entry:
    """The literal implies that a frame is connected with paths, one of which shows what it should."""

    literal: Lit
    showings: tuple[Showing, ...]


@dataclass(eq=False, slots=True)
class Link:
    """The literal implies that a frame is confused with a state that a path from the start lands on.

    `landings[j]` implies that this is position `j`; there `goal` holds, or the chain goes on.
    """

    literal: Lit
    path: Path
    landings: tuple[Lit, ...]
    loop: Loop | None
    goal: Claim
    rest: Link | None


@dataclass(frozen=True)
class Start:
    """The claim about an initial state, the loop by which that state is fair (if the claim does not see
    to it), and what is to be assumed for both."""

    claim: Claim
    loop: Loop | None
    assumed: tuple[Lit, ...]
