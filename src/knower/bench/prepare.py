"""From a row to what a process is given: a model with the formulas asked, and how to check it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

from knower.bench.formulas import questions
from knower.bench.table import Row
from knower.engine.registry import engines, methods
from knower.families import FAMILIES
from knower.records import dataclass

#: Rows name methods as if they were engines, and one of them by what is done with it.
_ALSO_CALLED = {"distributed": "bmc"}

_FORMULAE = re.compile(r"^Formulae\b.*?^end Formulae\b;?", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Job:
    """A model as text, arguments for `knower check`, and the verdicts to be expected.

    The first formula of the model is `true`: it pays for the exploration of the states.
    """

    model: str
    arguments: tuple[str, ...]
    expected: tuple[bool, ...]

    @property
    def digest(self) -> str:
        """A short name for exactly this job."""
        text = "\0".join((self.model, *self.arguments))
        return hashlib.sha256(text.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class NotYet:
    """The row needs something that Knower does not have yet."""

    reason: str


def prepared(row: Row) -> Job | NotYet:
    """The job of a row, if its family and its engine are there."""
    lacking = missing(row)
    if lacking is not None:
        return lacking
    family = FAMILIES[row.family]
    model = family.instance(**row.parameters).ispl
    asked = questions(row, family)
    return Job(
        _asking(model, ["true", *(question.formula for question in asked)]),
        (*_how(row.engine), *_arguments(row)),
        tuple(question.expected for question in asked),
    )


def missing(row: Row) -> NotYet | None:
    """What the row needs and Knower does not have, if anything."""
    if row.engine not in (*engines(), *methods(), *_ALSO_CALLED):
        return NotYet(f"engine {row.engine}")
    return None if row.family in FAMILIES else NotYet(f"family {row.family}")


def _how(engine: str) -> tuple[str, str]:
    name = _ALSO_CALLED.get(engine, engine)
    return "--method" if name in methods() else "--engine", name


def _arguments(row: Row) -> list[str]:
    options = {"evidence": "none", **row.options}
    return [word for name, value in options.items() for word in (f"--{name}", str(value))]


def _asking(model: str, formulas: Sequence[str]) -> str:
    """The model with these formulas in place of its own."""
    section = "\n".join(["Formulae", *(f"  {formula};" for formula in formulas), "end Formulae"])
    return f"{_FORMULAE.sub('', model).rstrip()}\n\n{section}\n"
