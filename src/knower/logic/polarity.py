"""What a formula says in a part of a model that it says in the whole: the universal and the existential."""

from __future__ import annotations

from functools import reduce
from typing import NamedTuple, assert_never

from knower.logic import formula as f
from knower.logic.fold import fold
from knower.logic.formula import Formula, Part

_LINEAR = f.Does | f.X | f.WX | f.F | f.G | f.U | f.W | f.R | f.Diamond
_PROGRAMS = f.Letter | f.Test | f.Choice | f.Seq | f.Star
_AS_OPERANDS = f.Propositional | f.And | f.Or | _LINEAR | _PROGRAMS


class Polarity(NamedTuple):
    """A universal formula that fails in a part of a model fails in all of it; an existential one that
    holds in a part holds in all of it. Propositions are both, some formulas are neither."""

    universal: bool
    existential: bool

    @property
    def negated(self) -> Polarity:
        return Polarity(self.existential, self.universal)

    def with_(self, other: Polarity) -> Polarity:
        """Of a combination that is monotone in both."""
        return Polarity(self.universal and other.universal, self.existential and other.existential)


_BOTH, NEITHER = Polarity(True, True), Polarity(False, False)


def polarity(formula: Formula) -> Polarity:
    """Whether a formula is universal, existential, both or neither."""
    return fold(formula, _polarity)


def _polarity(item: Part, below: tuple[Polarity, ...]) -> Polarity:
    joined = reduce(Polarity.with_, below, _BOTH)
    match item:
        case f.Not():
            return below[0].negated
        case f.Implies():
            return below[0].negated.with_(below[1])
        case f.Box():  # a test that fails ends an execution: the fewer, the better
            return below[0].negated.with_(below[1])
        case f.CanX() | f.CanF() | f.CanG() | f.CanU():
            return NEITHER
    if isinstance(item, f.Universal):
        return Polarity(joined.universal, False)
    if isinstance(item, f.Existential):
        return Polarity(False, joined.existential)
    if isinstance(item, _AS_OPERANDS):
        return joined
    assert_never(item)
