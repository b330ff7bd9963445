"""Evidence for a verdict: found over an engine's states, followed where asked, and replayed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from knower.errors import LimitReached, WrongEvidence
from knower.evidence.explain import Limits, explained
from knower.evidence.follow import by_view, followed
from knower.evidence.replay import replay
from knower.evidence.view import View
from knower.evidence.ways import TooLong
from knower.functions.protocol import F
from knower.logic.language import Specification
from knower.logic.rewrite import closed
from knower.options import Reading
from knower.system.explicit import Explicit
from knower.verdict.evidence import Evidence
from knower.verdict.verdict import Verdict

#: What to do where evidence is left out.
MORE = "; --evidence all goes further"


@dataclass(frozen=True)
class Wish:
    """How much evidence is wanted, and how much the judge may do for it."""

    limits: Limits
    replayed_states: int
    replayed_seconds: float | None
    advice: str = ""


def wished(evidence: str, seconds: float) -> Wish:
    """`auto`: what a person would want, in so many seconds; `all`: as much as can be had."""
    if evidence == "all":
        limits = Limits(states=20_000, rows=10_000, proofs=1_000, cases=100, depth=200, operators=3_000)
        return Wish(limits, 200_000, 60.0)
    return Wish(Limits(seconds=seconds), 2_000, seconds, MORE)


def accounted(
    view: View[F],
    reading: Reading,
    spec: Specification,
    verdict: Verdict,
    wish: Wish,
    follow: Sequence[tuple[str, Specification]] = (),
) -> Evidence | None:
    """Evidence for a verdict, replayed; None where there is nothing to show."""
    try:
        found = explained(view, reading, closed(spec), verdict, wish.limits)
    except TooLong as reason:
        raise LimitReached(f"{reason}{wish.advice}") from None
    if found is None:
        return None
    visited = wish.replayed_states if view.count(view.reachable) <= wish.replayed_states else 0
    checked = judged(found, view.explicit, reading, spec, verdict, replace(wish, replayed_states=visited))
    return replace(
        checked, followed=tuple(followed(text, found, by_view(view, asked)) for text, asked in follow)
    )


def judged(
    found: Evidence, explicit: Explicit, reading: Reading, spec: Specification, verdict: Verdict, wish: Wish
) -> Evidence:
    """Evidence with what the judge says of it; raises `WrongEvidence` if it does not stand up."""
    replayed = replay(
        found,
        spec,
        verdict,
        explicit.system,
        reading,
        max_states=wish.replayed_states,
        seconds=wish.replayed_seconds,
        explicit=explicit,
    )
    if replayed.mistakes:
        raise WrongEvidence(f"the evidence does not stand up, which is a fault: {replayed.mistakes[0]}")
    return replace(found, replay=replayed)
