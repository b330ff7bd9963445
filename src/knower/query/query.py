"""A question as engines see it: one value, made once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from functools import cached_property

from knower.logic import formula as f
from knower.logic.fold import subformulas
from knower.logic.formula import Formula, Not
from knower.logic.fragment import fragment_of
from knower.logic.language import UNTOUCHED, Specification
from knower.logic.polarity import NEITHER, Polarity, polarity
from knower.options import AtlReading, Reading
from knower.query.closing import closed
from knower.query.setting import Constraint, Setting, setting
from knower.records import dataclass
from knower.source import Span
from knower.syntax.printing import print_specification
from knower.system.system import InterpretedSystem
from knower.verdict.verdict import Verdict
from knower.verdict.warnings import FairnessIgnored, FiniteIgnored, Warning


@dataclass(frozen=True)
class Query:
    """What is to be decided, and how it is read: of equal ones, one is enough.

    `formula` is a state formula, its groups their members; `finite`: its paths are finite traces. The rest
    is for who asked: `asked` and `read` are the specification as it was asked and in the language it is read
    in, `notices` what its words call for.
    """

    formula: Formula
    finite: bool
    setting: Setting
    asked: Specification = field(compare=False, repr=False)
    read: Specification = field(compare=False, repr=False)
    text: str = field(default="", compare=False)
    notices: tuple[Warning, ...] = field(default=(), compare=False, repr=False)
    expected: Verdict = field(default=Verdict.TRUE, compare=False, repr=False)
    name: str | None = field(default=None, compare=False, repr=False)

    @property
    def span(self) -> Span | None:
        """Where it is asked, in the text of the model."""
        return self.asked.span

    @property
    def logic(self) -> str:
        return fragment_of(self.read).name

    @property
    def fairness(self) -> tuple[Constraint, ...]:
        """The constraints that count for it: finite traces are not fair or unfair."""
        return () if self.finite else self.setting.fairness

    @cached_property
    def speaks_of_actions(self) -> bool:
        """Whether it asks who does what on a path."""
        asked = (self.formula, *(each.formula for each in self.fairness))
        return any(isinstance(item, f.Does) for each in asked for item in subformulas(each))

    def __hash__(self) -> int:
        return hash(self.formula)  # the rest hardly ever differs, and takes longer

    @cached_property
    def early(self) -> Polarity:
        """Which verdict a part of the states may decide for good.

        Under fairness, a part must not take what is fair for unfair or the other way round; and whether
        there is a deadlock, or another uniform model, only the whole tells.
        """
        common = self.setting
        fair = self.finite or common.has_lasting_fairness
        if common.refuses_deadlocks or common.many_models or not fair:
            return NEITHER
        return polarity(self.formula)

    @property
    def decides_early(self) -> bool:
        """Whether a part of the states may decide it."""
        return any(self.early)

    @property
    def coalitions(self) -> tuple[f.Group, ...]:
        """The coalitions it speaks of, each once."""
        groups = (item.group for item in subformulas(self.formula) if isinstance(item, f.Strategic))
        return tuple(dict.fromkeys(group for group in groups if isinstance(group, f.Group)))

    @property
    def atl(self) -> AtlReading | None:
        """The reading of its strategic operators, where models with fairness make a difference."""
        return self.setting.atl if self.setting.fairness and self.coalitions else None

    def shown(self, verdict: Verdict) -> Formula:
        """What evidence for a verdict has to show."""
        return self.formula if verdict is Verdict.TRUE else Not(self.formula)


def queries(specs: Iterable[Specification], reading: Reading, system: InterpretedSystem) -> tuple[Query, ...]:
    """Questions about a system, in one reading."""
    common, taken = setting(reading, system), frozenset(system.propositions)
    return tuple(_query(spec, reading, common, system, taken) for spec in specs)


def query(spec: Specification, reading: Reading, system: InterpretedSystem) -> Query:
    """One question about a system."""
    (made,) = queries([spec], reading, system)
    return made


def _query(
    spec: Specification, reading: Reading, common: Setting, system: InterpretedSystem, taken: frozenset[str]
) -> Query:
    read = spec.read(finite=reading.finite)
    formula, finite = closed(read, system), read.language.finite
    notices = tuple(_notices(spec, read, reading, common))
    as_written = spec.entry.written if read.language is spec.language else ""
    text = as_written or print_specification(read, taken)
    expected = Verdict(spec.entry.expected or "true")
    return Query(formula, finite, common, spec, read, text, notices, expected, spec.entry.name)


def _notices(
    spec: Specification, read: Specification, reading: Reading, common: Setting
) -> Iterable[Warning]:
    if reading.finite and spec.language in UNTOUCHED:
        yield FiniteIgnored(spec.language.value)
    if read.language.finite and common.fairness:
        yield FairnessIgnored()
