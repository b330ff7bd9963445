"""What can go wrong, with the place, a code and a cure.

Codes are stable: `E1xx` text and syntax, `E2xx` names, `E3xx` types and domains, `E4xx` sections
and groups, `E5xx` formulas, `E6xx` usage. They are listed in docs/errors.md.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from importlib import import_module
from typing import TypeAlias

from knower.reasons import Reason, Refused
from knower.records import dataclass
from knower.source import NOWHERE, Origin, Source, Span

#: How an option is called, alone or with a value: `--bound`, `--method sat`.
Spelling: TypeAlias = Callable[[str, str], str]
#: An option in a message: `‹bound›`, `‹method sat›`. Who shows the message spells it.
_OPTION = re.compile("‹([a-z_]+)(?: ([^›]+))?›")


def as_keyword(option: str, value: str) -> str:
    """An option as the arguments of Python functions are written."""
    return f'`{option}="{value}"`' if value else f"`{option}`"


def spelt(text: str, spelling: Spelling) -> str:
    """A message with the options it names."""
    return _OPTION.sub(lambda found: spelling(found[1], found[2] or ""), text)


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding: what is wrong, where, and what to do about it.

    Message and cure may name options, as `spelt` reads them. `origin`: the line of Python behind the source.
    """

    code: str
    message: str
    source: Source | None = None
    span: Span = NOWHERE
    cure: str | None = None
    origin: Origin | None = None

    @property
    def line(self) -> int | None:
        return self.source.position(self.span.start).line if self.source else None

    @property
    def column(self) -> int | None:
        return self.source.position(self.span.start).column if self.source else None

    @property
    def file(self) -> str | None:
        return self.source.name if self.source else None

    def spelt(self, spelling: Spelling) -> Diagnostic:
        """The same with its options spelt."""
        cure = None if self.cure is None else spelt(self.cure, spelling)
        return replace(self, message=spelt(self.message, spelling), cure=cure)

    def render(self, kind: str = "error") -> str:
        """The finding as text, with the line and a caret where there is one.

        Of a model that was built it is the line of Python that comes first.
        """
        place = f"{self.file}:{self.line}:{self.column}: " if self.source else ""
        first = place if self.origin is None else f"{self.origin}: "
        lines = [f"{first}{kind}[{self.code}]: {self.message}"]
        if self.origin is not None:
            lines += [f"    {self.origin.text}"] * bool(self.origin.text) + [
                f"  written at {place.rstrip(': ')}"
            ]
        if self.source:
            lines.append(self.source.excerpt(self.span))
        if self.cure:
            lines.append(f"  help: {self.cure}")
        return "\n".join(lines)


def merged(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The same with one for all instances of a template that have it, which says for which."""
    together: dict[object, list[Diagnostic]] = {}
    for each in found:
        same = (each.code, each.span[:2]) if each.span.instance else id(each)
        together.setdefault(same, []).append(each)
    return [_of_instances(group) for group in together.values()]


def _of_instances(group: list[Diagnostic]) -> Diagnostic:
    first, instances = group[0], list(dict.fromkeys(each.span.instance for each in group))
    if not first.span.instance:
        return first
    others = f" and {len(instances) - 1} more" if len(instances) > 1 else ""
    return replace(first, message=f"{first.message} ({instances[0]}{others})")


class KnowerError(Exception):
    """The root of all errors Knower raises on purpose. They can be told by another process."""

    def __reduce__(self) -> tuple[object, ...]:
        """All that an error has, whatever its constructor takes."""
        return _retold, (type(self), self.args), self.__dict__


def _retold(kind: type[KnowerError], args: tuple[object, ...]) -> KnowerError:
    return kind.__new__(kind, *args)


class InputError(KnowerError):
    """Something the user wrote cannot be read or makes no sense; all findings together.

    `diagnostics` name options as Python does; for others there is `spelt`.
    """

    exit_status = 2

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self._unspelt = tuple(diagnostics)
        self.diagnostics = self.spelt(as_keyword)
        super().__init__("\n".join(d.render() for d in self.diagnostics))

    def spelt(self, spelling: Spelling) -> tuple[Diagnostic, ...]:
        """The findings, with the options they name."""
        return tuple(found.spelt(spelling) for found in self._unspelt)

    def traced(self, trace: Callable[[Diagnostic], Diagnostic]) -> InputError:
        """The same with more said of where each finding comes from."""
        return InputError(map(trace, self._unspelt))


class UsageError(InputError):
    """An option or a file that cannot be used."""

    def __init__(self, code: str, message: str, cure: str | None = None) -> None:
        super().__init__([Diagnostic(code, message, cure=cure)])


class NoInitialState(KnowerError):
    """Nothing satisfies InitStates, so there is nothing to check."""


class WrongEvidence(KnowerError):
    """Evidence the judge does not accept: a fault of this program."""


class Undecided(KnowerError):
    """Something stays unknown, for a reason; its words are those of reports."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason = reason

    def __str__(self) -> str:
        words = import_module("knower.report.words")  # it imports this module
        return str(words.reason_text(self.reason))


class LimitReached(Undecided):
    """A limit of time, memory or size was met.

    `final`: no later formula can fare better (time does not come back). `figures`: how large things were
    then, as far as anybody could tell.
    """

    def __init__(self, reason: Reason, *, final: bool = False) -> None:
        super().__init__(reason)
        self.final = final
        self.figures: Mapping[str, str | int | float] = {}


class Unsupported(Undecided):
    """The engine does not decide this kind of question."""


def unsupported(why: str) -> Unsupported:
    return Unsupported(Refused(why))


def did_you_mean(name: str, known: Iterable[str]) -> str | None:
    """A cure for a misspelt name, if one of the known names is near."""
    from difflib import get_close_matches  # only for those who have made a slip

    names = sorted(known)
    folded = {n.casefold(): n for n in names}
    near = get_close_matches(name.casefold(), list(folded), n=1, cutoff=0.6)
    if near:
        return f"did you mean `{folded[near[0]]}`?"
    if 0 < len(names) <= 8:
        return "known: " + ", ".join(f"`{n}`" for n in names)
    return None
