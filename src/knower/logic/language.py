"""A question as asked: a formula in the language that its prefix names."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from knower.logic.formula import Formula


class Language(Enum):
    """The prefix a formula is written with; it governs the whole formula."""

    PLAIN = ""
    LTL = "LTL"
    CTL_STAR = "CTL*"
    LDL = "LDL"
    CDL_STAR = "CDL*"
    LTLF = "LTLf"
    LDLF = "LDLf"
    CDLF_STAR = "CDLf*"

    @property
    def finite(self) -> bool:
        """Whether path formulas speak of finite traces."""
        return self in (Language.LTLF, Language.LDLF, Language.CDLF_STAR)

    @property
    def dynamic(self) -> bool:
        """Whether programs `<r>f` and `[r]f` may be used."""
        return self in (Language.LDL, Language.CDL_STAR, Language.LDLF, Language.CDLF_STAR)

    @property
    def quantified(self) -> bool:
        """Whether `A(f U g)` is a quantifier over a path formula, not the CTL operator."""
        return self in (Language.CTL_STAR, Language.CDL_STAR, Language.CDLF_STAR)

    @property
    def linear(self) -> bool:
        """Whether the whole formula is read on every path."""
        return self in (Language.LTL, Language.LDL, Language.LTLF, Language.LDLF)

    @property
    def finite_reading(self) -> Language:
        """What `--finite` makes of the language."""
        swaps = {Language.LDL: Language.LDLF, Language.CDL_STAR: Language.CDLF_STAR}
        return swaps.get(self, self)


#: The languages about paths that `--finite` leaves alone.
UNTOUCHED = (Language.LTL, Language.CTL_STAR)


@dataclass(frozen=True, slots=True)
class Specification:
    """One question: a formula in the language its prefix names."""

    body: Formula
    language: Language = Language.PLAIN
