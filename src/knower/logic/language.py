"""A question as asked: a formula in the language that its prefix names."""

from __future__ import annotations

from dataclasses import field, replace
from enum import Enum
from typing import Literal

from knower.logic.formula import Formula
from knower.records import dataclass
from knower.source import Known, Placed, Span


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
        """The language of finite traces, where there is one."""
        swaps = {Language.LDL: Language.LDLF, Language.CDL_STAR: Language.CDLF_STAR}
        return swaps.get(self, self)


#: The languages about paths that have no such reading.
UNTOUCHED = (Language.LTL, Language.CTL_STAR)


@dataclass(frozen=True, slots=True)
class Entry:
    """What a file says beside a formula: its name, what is expected of it (None: nothing), and why.

    `written`: the formula as it stands there, if it has quantifiers or the like, which are written out in it.
    """

    name: str | None = None
    expected: Literal["true", "false", "unknown"] | None = None
    because: str = ""
    written: str = ""


NO_ENTRY = Entry()


@dataclass(frozen=True, slots=True)
class Specification:
    """One question: a formula in the language its prefix names. `place`: where it is asked."""

    body: Formula
    language: Language = Language.PLAIN
    place: Placed | None = field(default=None, compare=False, repr=False)
    #: Formulas under a quantifier, each with what its body is for each value.
    copies: tuple[tuple[Formula, tuple[Formula, ...]], ...] = field(default=(), compare=False, repr=False)
    entry: Entry = field(default=NO_ENTRY, compare=False, repr=False)

    @property
    def span(self) -> Span | None:
        return None if self.place is None else self.place.span

    @property
    def line(self) -> int | None:
        """The line of the file on which it is asked."""
        return None if self.place is None else self.place.line

    def __reduce__(self) -> tuple[object, ...]:
        """Another process is told the place, not the text that it is a place in."""
        place = None if self.place is None else Known(self.place.span, self.place.line)
        return Specification, (self.body, self.language, place, self.copies, self.entry)

    def read(self, *, finite: bool) -> Specification:
        """The question in the language it is read in; `finite`: on finite traces where that can be."""
        return replace(self, language=self.language.finite_reading) if finite else self
