"""What holds at single states of a model, and what agents take for possible there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, cast

from knower.limits import Progress
from knower.logic.language import Specification
from knower.messages import Begin, Call, Consider, HoldAt, Text
from knower.options import Limits, Reading
from knower.records import dataclass
from knower.system.expressions import State
from knower.verdict.moves import Possible

if TYPE_CHECKING:  # not needed by most runs
    from knower.model import Model
    from knower.system.system import InterpretedSystem


class Caller(Protocol):
    """A session, as far as it is needed here."""

    def call(
        self,
        what: Call,
        limits: Limits | None = None,
        since: float | None = None,
        progress: Progress | None = None,
    ) -> object: ...


class Loaded(Protocol):
    """A loaded model: a `session.System`."""

    @property
    def session(self) -> Caller: ...
    @property
    def text(self) -> Text: ...
    @property
    def model(self) -> Model: ...
    def parse(self, formula: str) -> Specification: ...


@dataclass(frozen=True)
class States:
    """Single states of a model, as a worker that has explored it knows them (a `questions.Oracle`)."""

    system: Loaded
    reading: Reading
    limits: Limits

    def parsed(self, formula: str) -> Specification:
        return self.system.parse(formula)

    def asked(self, spec: Specification) -> InterpretedSystem:
        return self.system.model.asked([spec])

    def hold(
        self, specs: Sequence[Specification], state: State, progress: Progress | None = None
    ) -> tuple[bool, ...]:
        """For each specification, whether it holds at a reachable state; raises `Undecided`."""
        asked = HoldAt(self.system.text, tuple(specs), state, self.reading)
        return cast("tuple[bool, ...]", self.system.session.call(asked, self.limits, None, progress))

    def possible(self, members: tuple[str, ...], state: State, count: int) -> Possible:
        asked = Consider(self.system.text, members, state, count, self.reading)
        return cast("Possible", self.system.session.call(asked, self.limits))

    def initial(self, where: str, skipped: int, count: int | None) -> tuple[State, ...]:
        """So many initial states (None: all others) that satisfy a condition, after some that are skipped."""
        asked = Begin(self.system.text, where, skipped, count)
        return cast("tuple[State, ...]", self.system.session.call(asked, self.limits))
