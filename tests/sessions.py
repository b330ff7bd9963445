"""Sessions for tests that change the program itself: their workers are forks of the test."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from knower import session
from knower.options import Limits, Reading
from knower.pool.processes import ForkedWorker
from knower.session import Session, System
from knower.simulation.questions import Questions

#: Small enough to be decided at once: two formulas are true, the second is false.
COUNTER = """
Agent A
  Vars: x : 0..3; end Vars
  Actions = {go};
  Protocol: Other : {go}; end Protocol
  Evolution: x = x + 1 if x < 3; end Evolution
end Agent
Evaluation top if A.x = 3; end Evaluation
InitStates A.x = 0; end InitStates
Formulae EF top; AG top; AF top; end Formulae
"""


@contextmanager
def forked_session(cores: int = 2) -> Iterator[Session]:
    """What was changed in this process before the first question is changed in its workers."""
    with Session(cores=cores, start=ForkedWorker) as made:
        yield made


@contextmanager
def forked_by_default(cores: int = 2) -> Iterator[Session]:
    """The same for `knower.load`, `knower.loads` and commands that are called in this process."""
    before = session._usual
    with forked_session(cores) as made:
        session._usual = made
        try:
            yield made
        finally:
            session._usual = before


@contextmanager
def usual_session_of_its_own() -> Iterator[None]:
    """What is loaded meanwhile has workers that are started meanwhile; models loaded before keep theirs."""
    before, session._usual = session._usual, None
    try:
        yield
    finally:
        if session._usual is not None:
            session._usual.close()
        session._usual = before


def questions(system: System, reading: Reading | None = None, **limits: float) -> Questions:
    """About single states of a model."""
    return Questions(system.interpreted, system.states(reading, replace(Limits(), **limits)))
