"""What is asked of a member of any family: its verdicts and states, its text, its comments."""

from __future__ import annotations

import re

import knower
from knower.families.family import Instance


def confirm(made: Instance, engine: str) -> None:
    """The engine finds the verdicts and, if it foretells one, the number of states of the family."""
    result = knower.loads(made.ispl).check(engine=engine, evidence="none")
    found = [(str(one), one.verdict.value) for one in result]
    assert [verdict for _, verdict in found] == [str(one).lower() for one in made.expected], found
    assert made.states in (None, result.states)
    assert not result.warnings


def is_clean(made: Instance) -> None:
    """Nothing looks like a mistake, and the layout is the canonical one."""
    system = knower.loads(made.ispl)
    assert not system.lint()
    assert system.formatted() == made.ispl


def comments_tell(made: Instance) -> None:
    """Beside each formula stands its verdict, and at the head the number of states, if it is known."""
    told = re.findall(r";  -- expect (true|false)$", made.ispl, re.MULTILINE)
    assert told == [str(one).lower() for one in made.expected]
    assert len(told) == len(knower.loads(made.ispl).formulae)
    states = re.search(r"^-- expect (\d+) states$", made.ispl, re.MULTILINE)
    assert (int(states[1]) if states else None) == made.states
