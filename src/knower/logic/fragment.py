"""Logics as values: `CTLK = CTL | KNOWLEDGE` is a set of operators.

An engine declares the fragments it accepts; `outside` says which operator of a formula is not in a
fragment, `fragment_of` names the smallest fragment a formula is in.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import get_args

from knower.logic import formula as f
from knower.logic.fold import subformulas
from knower.logic.kinds import is_propositional
from knower.logic.language import Specification
from knower.logic.node import Node
from knower.logic.rewrite import negation_normal_form
from knower.records import dataclass

Operators = frozenset[type[Node]]


@dataclass(frozen=True, slots=True)
class Fragment:
    """A logic: its operators, whether its paths are finite, and whether it is read after
    negation normal form (the universal and the existential fragments are)."""

    name: str
    operators: Operators
    finite: bool = False
    normal: bool = False

    def __or__(self, other: Fragment) -> Fragment:
        """Both logics' operators; the name is built by the usual habit: `CTL | K` is `CTLK`."""
        joined = self.operators | other.operators
        return Fragment(self.name + other.name, joined, self.finite or other.finite, self.normal)

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Outside:
    """Why a formula is not in a fragment: the first sub-formula that is not."""

    subformula: Node
    reason: str


def _types(*unions: object) -> Operators:
    return frozenset(kind for union in unions for kind in get_args(union) or (union,))


_BOOLEAN = _types(f.Propositional, f.Boolean)
_MONOTONE = _types(f.Propositional, f.And, f.Or, f.Not)
_LTL = _types(f.Does, f.X, f.WX, f.F, f.G, f.U, f.W, f.R)
_PROGRAMS = _types(f.Diamond, f.Box, f.Program)
#: What reads differently on finite traces and on infinite paths.
_PATHS = _LTL | _PROGRAMS | _types(f.Quantifier)

PROPOSITIONAL = Fragment("Boolean", _BOOLEAN)
KNOWLEDGE = Fragment("K", _types(f.Epistemic))
DEONTIC = Fragment("O", _types(f.Deontic))
STRATEGIC = Fragment("+ATL", _types(f.Strategic))

CTL = Fragment("CTL", _BOOLEAN | _types(f.Temporal))
ATL = Fragment("ATL", CTL.operators | STRATEGIC.operators)
LTL = Fragment("LTL", _BOOLEAN | _LTL)
CTL_STAR = Fragment("CTL*", CTL.operators | _LTL | _types(f.Quantifier))
LDL = Fragment("LDL", LTL.operators | _PROGRAMS)
CDL_STAR = Fragment("CDL*", CTL_STAR.operators | _PROGRAMS)
LTLF = Fragment("LTLf", LTL.operators, finite=True)
LDLF = Fragment("LDLf", LDL.operators, finite=True)
CDLF_STAR = Fragment("CDLf*", CDL_STAR.operators, finite=True)

CTLK, ATLK, LTLK = CTL | KNOWLEDGE, ATL | KNOWLEDGE, LTL | KNOWLEDGE
CTL_STAR_K, LDLK, CDL_STAR_K = CTL_STAR | KNOWLEDGE, LDL | KNOWLEDGE, CDL_STAR | KNOWLEDGE
LTLFK, LDLFK, CDLF_STAR_K = LTLF | KNOWLEDGE, LDLF | KNOWLEDGE, CDLF_STAR | KNOWLEDGE

EVERYTHING = CDL_STAR | KNOWLEDGE | DEONTIC | STRATEGIC
EVERYTHING_FINITE = CDLF_STAR | KNOWLEDGE | DEONTIC | STRATEGIC

ACTLK = Fragment(
    "ACTLK", _MONOTONE | _types(f.AX, f.AF, f.AG, f.AU, f.AR, f.AW, f.K, f.GK, f.GCK, f.DK, f.O), normal=True
)
ECTLK = Fragment(
    "ECTLK",
    _MONOTONE | _types(f.EX, f.EF, f.EG, f.EU, f.ER, f.EW, f.M, f.MGK, f.MGCK, f.MDK, f.P),
    normal=True,
)


def _ladder() -> Iterator[Fragment]:
    yield PROPOSITIONAL
    for base in (CTL, ATL, LTL, CTL_STAR, LDL, CDL_STAR, LTLF, LDLF, CDLF_STAR):
        yield from (base, base | KNOWLEDGE, base | DEONTIC, base | KNOWLEDGE | DEONTIC)
    for base in (LTL, CTL_STAR, LDL, CDL_STAR, LTLF, LDLF, CDLF_STAR):
        yield base | STRATEGIC
        yield base | KNOWLEDGE | STRATEGIC
        yield base | DEONTIC | STRATEGIC
        yield base | KNOWLEDGE | DEONTIC | STRATEGIC


#: From small to large: `fragment_of` takes the first that fits.
LADDER = tuple(_ladder())


def fragment_of(spec: Specification) -> Fragment:
    """The smallest named fragment the formula is in."""
    used = _operators(spec)
    found = _smallest(used, spec.language.finite and bool(used & _PATHS))
    if found is None:
        raise TypeError(f"in no fragment: {spec.body!r}")
    return found


@lru_cache(maxsize=1024)
def _smallest(used: Operators, finite: bool) -> Fragment | None:
    for fragment in LADDER:
        if fragment.finite == finite and used <= fragment.operators:
            return fragment
    return None


def _operators(spec: Specification) -> Operators:
    return _operators_of(spec.body)


@lru_cache(maxsize=256)  # of one formula they are asked for by everybody who chooses an engine
def _operators_of(body: f.Formula) -> Operators:
    return frozenset(map(type, subformulas(body)))


def speaks_of_paths(spec: Specification) -> bool:
    """Whether there is a path formula in it."""
    return bool(_operators(spec) & _PATHS)


def outside(spec: Specification, fragment: Fragment) -> Outside | None:
    """The first sub-formula that is not in the fragment, or None when all are."""
    used = _operators(spec)
    if spec.language.finite != fragment.finite and used & _PATHS:
        kind = "infinite paths" if fragment.finite else "finite traces"
        return Outside(spec.body, f"{fragment.name} has no {kind}")
    if not fragment.normal and used <= fragment.operators:
        return None
    body = negation_normal_form(spec.body) if fragment.normal else spec.body
    for item in subformulas(body):
        if type(item) not in fragment.operators:
            return Outside(item, f"`{operator_name(item)}` is not in {fragment.name}")
        if fragment.normal and isinstance(item, f.Not) and not is_propositional(item):
            return Outside(item, f"negation of `{operator_name(item.sub)}` is not in {fragment.name}")
    return None


_WRITTEN: dict[type[Node], str] = {
    f.Atom: "proposition", f.Constant: "constant", f.Green: "GreenStates", f.Red: "RedStates",
    f.Does: "Action", f.Not: "!", f.And: "and", f.Or: "or", f.Implies: "->",
    f.EU: "E(… U …)", f.AU: "A(… U …)", f.ER: "E(… R …)",
    f.AR: "A(… R …)", f.EW: "E(… W …)", f.AW: "A(… W …)",
    f.CanX: "<g>X", f.CanF: "<g>F", f.CanG: "<g>G", f.CanU: "<g>(… U …)",
    f.Diamond: "<r>", f.Box: "[r]", f.Letter: "letter", f.Test: "?", f.Choice: "+", f.Seq: ";", f.Star: "*",
}  # fmt: skip


def operator_name(item: Node) -> str:
    """An operator as people write it."""
    return _WRITTEN.get(type(item), type(item).__name__)
