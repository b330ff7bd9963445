"""What workers are asked and what they tell: plain values, sent as frames through pipes.

No request names a file and none has a callback, so that the same worker can be a child of this process,
an interpreter of its own, or stand on another machine. Each request carries the text of its model; a worker
that has read it before knows it by its digest.
"""

from __future__ import annotations

import os
import pickle
import struct
import threading
from collections.abc import Iterable, Iterator
from dataclasses import field
from functools import cached_property, partial
from hashlib import blake2b
from io import BytesIO
from typing import TypeAlias

from knower.logic.formula import FormulaNode, ProgramNode
from knower.logic.language import Specification
from knower.logic.node import SharingPickler
from knower.options import Constant, How, Limits, Reading, Tuning
from knower.reasons import Reason
from knower.records import dataclass
from knower.source import Source, Span
from knower.system.expressions import State
from knower.system.findings import AgentFindings
from knower.verdict.events import Event, Finished
from knower.verdict.faults import Fault

#: Of requests and replies: a worker of another version does not understand them.
VERSION = 5


@dataclass(frozen=True)
class Text:
    """A model as it is written, with values for its constants where they are not those of the text.

    `strategy`: the name and the text of a saved strategy that its members follow.
    """

    name: str
    text: str
    constants: tuple[tuple[str, Constant], ...] = ()
    strategy: tuple[str, str] | None = None

    @cached_property
    def digest(self) -> str:
        """The same for the same text of the same name with the same constants, in every process."""
        told = f"{self.name}\0{self.text}\0{self.constants}\0{self.strategy}".encode("utf-8", "surrogatepass")
        return blake2b(told, digest_size=16).hexdigest()

    @property
    def source(self) -> Source:
        return Source(self.name, self.text)


# -- requests -----------------------------------------------------------------------------------------------

#: A formula as it is typed, or as a value.
Asked: TypeAlias = str | Specification


@dataclass(frozen=True, slots=True)
class Open:
    """Read a model. Gives its `Outline`."""

    model: Text


@dataclass(frozen=True, slots=True)
class Check:
    """Decide formulas. None: those of the file (so many), unless faults are sought. Gives events.

    `lint`: and say what in the text or the formulas is seldom meant. `vacuity`: and which parts of true
    formulas never matter.
    """

    model: Text
    formulas: tuple[Asked, ...] | None = None
    of_the_file: int = 0
    also: tuple[Asked, ...] = ()
    reading: Reading = Reading()
    how: How = How()
    evidence: str = "auto"
    follow: tuple[Asked, ...] = ()
    sought: tuple[Fault, ...] = ()
    lint: bool = True
    vacuity: bool = False


@dataclass(frozen=True, slots=True)
class Fetch:
    """The tree of a model and the system it means."""

    model: Text


@dataclass(frozen=True, slots=True)
class Describe:
    """A `ModelInfo`: what a model consists of."""

    model: Text


@dataclass(frozen=True, slots=True)
class Lint:
    """What is legal but looks like a mistake, as diagnostics."""

    model: Text


@dataclass(frozen=True, slots=True)
class LintAgents:
    """The lints of the agents that are declared in a part of the text, as `AgentFindings`."""

    model: Text
    within: Span


@dataclass(frozen=True, slots=True)
class LintModel:
    """The lints of what is no agent's own; `agents`: what was found in each agent."""

    model: Text
    agents: tuple[AgentFindings, ...]


@dataclass(frozen=True, slots=True)
class Expand:
    """The model as plain ISPL."""

    model: Text


@dataclass(frozen=True, slots=True)
class LayOut:
    """The text in canonical layout, with its comments."""

    model: Text


@dataclass(frozen=True, slots=True)
class Draw:
    """The reachable states and the steps between them, as a `StateGraph`."""

    model: Text
    max_states: int
    show: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class DrawDiagram:
    """The reachable states as a sentential decision diagram."""

    model: Text
    tuning: Tuning


@dataclass(frozen=True, slots=True)
class HoldAt:
    """For each specification, whether it holds at a reachable state."""

    model: Text
    formulas: tuple[Specification, ...]
    state: State
    reading: Reading = Reading()


@dataclass(frozen=True, slots=True)
class HoldAlong:
    """For each specification, whether it holds at each of some states; None at states that are unfair."""

    model: Text
    formulas: tuple[Specification, ...]
    states: tuple[State, ...]
    reading: Reading = Reading()


@dataclass(frozen=True, slots=True)
class Consider:
    """How many reachable states the members confuse with a state, and so many of them."""

    model: Text
    members: tuple[str, ...]
    state: State
    count: int
    reading: Reading = Reading()


@dataclass(frozen=True, slots=True)
class Begin:
    """So many initial states (None: all others) that satisfy a condition, after so many that are skipped."""

    model: Text
    where: str
    skipped: int
    count: int | None


#: What is answered by one value.
Call: TypeAlias = (
    Open
    | Fetch
    | Describe
    | Lint
    | LintAgents
    | LintModel
    | LayOut
    | Expand
    | Draw
    | DrawDiagram
    | HoldAt
    | HoldAlong
    | Consider
    | Begin
)


@dataclass(frozen=True, slots=True)
class Request:
    """Something to do, with its number. `spent`: seconds of its limit that are used up already."""

    number: int
    what: Call | Check
    limits: Limits = Limits()
    spent: float = 0.0
    progress: bool = False


@dataclass(frozen=True, slots=True)
class Cancel:
    """End the work for a request, for a reason."""

    number: int
    reason: Reason


# -- replies ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Outline:
    """The names of a model."""

    agents: tuple[str, ...]
    groups: dict[str, tuple[str, ...]]
    propositions: tuple[str, ...]
    formulas: int
    #: What the model is restricted to, if it is.
    restriction: str = ""


@dataclass(frozen=True, slots=True)
class Answered:
    """The value that was called for."""

    value: object


@dataclass(frozen=True, slots=True)
class Failed:
    """There is no answer, but an exception."""

    error: BaseException


#: What ends a request (`events.Finished` does, too), and what comes before.
Reply: TypeAlias = Event | Answered | Failed


def is_last(reply: Reply) -> bool:
    """Whether a request has ended with it."""
    return isinstance(reply, Answered | Failed | Finished)


@dataclass(frozen=True, slots=True)
class Told:
    """A reply to the request of a number."""

    number: int
    reply: Reply


@dataclass(frozen=True, slots=True)
class Ready:
    """A worker can be asked. `version`: of the messages it understands."""

    version: int


@dataclass(frozen=True, slots=True)
class Swollen:
    """A worker has let go of all it kept and is still larger than it may be: it is to be replaced."""

    megabytes: float


# -- frames -------------------------------------------------------------------------------------------------

_LENGTH = struct.Struct("!Q")
_PIECE = 1 << 20
#: Formulas are parts of others, and of proofs, which are parts of others.
_SHARED = (FormulaNode, ProgramNode)


@dataclass
class Outlet:
    """The end of a pipe that values are written to, by any thread."""

    descriptor: int
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def send(self, value: object) -> None:
        """Write one frame; raises `OSError` where nobody reads."""
        self.write(framed(value))

    def write(self, frames: bytes) -> None:
        """Write whole frames."""
        left = memoryview(frames)
        with self._lock:
            while left:
                left = left[os.write(self.descriptor, left[:_PIECE]) :]

    def close(self) -> None:
        os.close(self.descriptor)


def framed(value: object) -> bytes:
    """A value as it goes through a pipe: each formula in it once."""
    data = BytesIO()
    SharingPickler(data, _SHARED).dump(value)
    told = data.getbuffer()
    return b"".join((_LENGTH.pack(len(told)), told))


def piece(descriptor: int) -> bytes:
    """What comes next through a pipe: parts of frames, or nothing if it is closed at the other end."""
    return os.read(descriptor, _PIECE)


def received(descriptor: int) -> Iterator[object]:
    """The values that come through a pipe, until it is closed at the other end."""
    return unframed(iter(partial(piece, descriptor), b""))


def unframed(pieces: Iterable[bytes]) -> Iterator[object]:
    """The values in a stream of frames, each as soon as it is there."""
    buffer = bytearray()
    for data in pieces:
        buffer += data
        start = 0
        while len(buffer) - start >= _LENGTH.size:
            (size,) = _LENGTH.unpack_from(buffer, start)
            end = start + _LENGTH.size + size
            if len(buffer) < end:
                break
            yield pickle.loads(memoryview(buffer)[start + _LENGTH.size : end])
            start = end
        del buffer[:start]
