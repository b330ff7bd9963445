"""What was asked, as the judge reads it: from the specification and the reading, by its own rules.

Engines get their questions from `query`; the judge does not, so that a mistake in there shows.
"""

from __future__ import annotations

from knower.logic import formula as f
from knower.logic.fold import fold
from knower.logic.formula import Formula, is_formula
from knower.logic.language import Language, Specification
from knower.logic.node import Node
from knower.options import AtlReading, DeadlockPolicy, Reading
from knower.records import dataclass
from knower.system.system import InterpretedSystem

#: The languages of infinite paths that can be asked about finite traces instead.
_FINITE = {Language.LDL: Language.LDLF, Language.CDL_STAR: Language.CDLF_STAR}
_ALL_PATHS = {Language.LTL, Language.LDL, Language.LTLF, Language.LDLF}
_TRACES = {Language.LTLF, Language.LDLF, Language.CDLF_STAR}


@dataclass(frozen=True, slots=True)
class Asked:
    """A state formula, and whether its paths are finite traces."""

    formula: Formula
    finite: bool


@dataclass(frozen=True, slots=True)
class Terms:
    """What an answer is held to. `players`: who acts by observation under `uniform-models`."""

    asked: Asked
    fairness: tuple[Asked, ...]
    atl: AtlReading
    on_deadlock: DeadlockPolicy
    players: tuple[str, ...]

    @property
    def finite(self) -> bool:
        return self.asked.finite

    @property
    def in_one_model(self) -> bool:
        """Whether the formula has to hold in just one of the uniform models."""
        return self.atl is AtlReading.UNIFORM_MODELS


def terms(spec: Specification, reading: Reading, system: InterpretedSystem) -> Terms:
    """The terms of a question (SEMANTICS: satisfaction, finite traces, ATL)."""
    asked = _asked(spec, reading, system)
    fairness = () if asked.finite else tuple(_asked(each, reading, system) for each in system.fairness)
    atl = reading.atl
    if atl is None:
        atl = AtlReading.OBJECTIVE_FAIR if system.fairness else AtlReading.OBJECTIVE
    who = reading.uniform_group
    players = tuple(agent.name for agent in system.agents) if who is None else _agents(who, system)
    return Terms(asked, fairness, atl, reading.on_deadlock, players)


def _asked(spec: Specification, reading: Reading, system: InterpretedSystem) -> Asked:
    language = _FINITE.get(spec.language, spec.language) if reading.finite else spec.language
    formula = fold(spec.body, lambda item, below: _closed(item, below, system))
    assert is_formula(formula)
    on_paths = language in _ALL_PATHS or formula.is_path
    return Asked(f.A(formula) if on_paths else formula, language in _TRACES)


def _closed(item: Node, below: tuple[Node, ...], system: InterpretedSystem) -> Node:
    """The operator with its groups looked up; where it needs states, a path formula speaks of all paths."""
    if isinstance(item, f.OfAgent | f.OfGroup | f.CanU | f.Temporal):
        below = tuple(f.A(part) if is_formula(part) and part.is_path else part for part in below)
    if isinstance(item, f.OfGroup | f.CanU) and isinstance(item.group, str):
        return type(item)(f.Group(_agents(item.group, system), item.group), *below)  # type: ignore[arg-type]
    unchanged = all(new is old for new, old in zip(below, item.children, strict=True))
    return item if unchanged else item.with_children(below)


def _agents(name: str, system: InterpretedSystem) -> tuple[str, ...]:
    """The members of a group, or the agent of that name."""
    return tuple(dict.fromkeys(system.groups[name])) if name in system.groups else (name,)
