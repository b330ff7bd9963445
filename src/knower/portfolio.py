"""Several methods side by side, each by a worker of its own: the first answer wins, or all are heard."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import reduce

from knower.engine.registry import contenders
from knower.messages import Check
from knower.options import How
from knower.pool.pool import Pool
from knower.pool.seat import begin_thread
from knower.pool.ticket import Order, Ticket
from knower.reasons import Contradiction, Each, EngineDied, NotYet, Reason, Stopped
from knower.records import dataclass
from knower.verdict.faults import Faults
from knower.verdict.verdict import CheckResult, Claim, FormulaResult, Verdict
from knower.verdict.warnings import MethodFailed, MethodsDisagree, Warning

#: How often it is looked whether all is decided, in seconds.
_LOOK = 0.02


@dataclass(frozen=True)
class Contender:
    """One method at work."""

    how: How
    ticket: Ticket

    @property
    def label(self) -> str:
        """As a report names it."""
        named = self.how.search.method if self.how.engine == "auto" else self.how.engine
        return self.ticket.engine or named

    def told(self, number: int) -> FormulaResult | None:
        return self.ticket.told(number)

    @property
    def has_found_all(self) -> bool:
        """Whether, without formulas, it knows all states, or all about the faults it was asked about."""
        if not self.ticket.done or self.ticket.failure is not None:
            return False
        told = self.ticket.so_far()
        return told.states is not None or (bool(told.sought) and all(map(told.faults.is_known, told.sought)))

    @property
    def ended(self) -> Reason | None:
        return EngineDied() if self.ticket.failure is not None else self.ticket.ending

    @property
    def mishap(self) -> str | None:
        """What has ended it, if it was not told to end."""
        if self.ticket.failure is not None:
            return f"{type(self.ticket.failure).__name__}: {self.ticket.failure}"
        match self.ticket.ending:
            case EngineDied(None):
                return "its process ended without a word"
            case EngineDied(signal):
                return f"its process was ended by signal {signal}"
            case _:
                return None


class Contest:
    """The answers of the fastest method for each formula; `everybody`: of all (a `pool.ticket.Canceller`).

    Those that must agree and do not end the search: one of the methods is wrong, and nothing it says can be
    relied on. What they use of memory is counted together. Where there are fewer cores than methods, some
    wait for others to end. Its ticket stands for all of them.
    """

    def __init__(self, pool: Pool, order: Order, check: Check, *, everybody: bool) -> None:
        since = time.monotonic() if order.since is None else order.since
        order = replace(order, since=since)
        self.everybody = everybody
        self.ticket = Ticket(order, self)
        self.ticket.began = time.monotonic()
        self._pool = pool
        self._has_begun = False
        self._contenders = [
            Contender(how, Ticket(replace(order, what=replace(check, how=how), sharing=id(self)), pool))
            for how in contenders(check.how)
        ]

    def begin(self) -> None:
        """All of them into the queue; a thread listens to what they say."""
        for each in self._contenders:
            self._pool.enqueue(each.ticket)
        begin_thread("knower-portfolio", self.run)
        self._has_begun = True

    def cancel(self, ticket: Ticket, reason: Reason) -> None:
        for each in self._contenders:
            self._pool.cancel(each.ticket, reason)
        if not self._has_begun:
            self.ticket.end(reason)

    def run(self) -> None:
        while not self._is_decided():
            running = next(each for each in self._contenders if not each.ticket.done)
            running.ticket.wait(_LOOK)
            self.ticket.progress = running.ticket.progress
        failures = [each.ticket.failure for each in self._contenders]
        if failures and failures[0] is not None and None not in failures:
            self.ticket.fail(failures[0])
        else:
            self.ticket.settle(self._united())
        for each in self._contenders:
            each.ticket.cancel(Stopped())

    @property
    def _numbers(self) -> range:
        """Of the formulas that are asked about, as soon as one method has read them."""
        return range(1, max(each.ticket.asked for each in self._contenders) + 1)

    def _is_decided(self) -> bool:
        """Whether nobody need be heard any more."""
        if all(each.ticket.done for each in self._contenders):
            return True
        claims = [_claims(self._contenders, number, settled=True) for number in self._numbers]
        if self.everybody:
            return any(map(_is_contradictory, claims))
        return all(claims) if claims else any(each.has_found_all for each in self._contenders)

    def _united(self) -> CheckResult:
        told = [each.ticket.so_far() for each in self._contenders]
        claims = {number: _claims(self._contenders, number) for number in self._numbers}
        split = {number: said for number, said in claims.items() if _is_contradictory(said)}
        wrong: list[Warning] = [_disagreement(number, said) for number, said in split.items()]
        wrong += [MethodFailed(each.label, why) for each in self._contenders if (why := each.mishap)]
        winners = dict.fromkeys(said[0].method for said in claims.values() if said)
        first = next((each for each in told if each.formulas), told[0])
        return CheckResult(
            next((each.model for each in told if each.model), self.ticket.order.what.model.name),
            "; ".join(winners) or "portfolio",
            next((each.states for each in told if each.states is not None), None),
            tuple(self._chosen(first.formulas[number - 1], said) for number, said in claims.items()),
            _distinct([*(warning for each in told for warning in each.warnings), *wrong]),
            self.ticket.elapsed,
            any(each.interrupted for each in told),
            {},
            reduce(Faults.joined, (each.faults for each in told), Faults()),
            first.sought,
        )

    def _chosen(self, asked: FormulaResult, claims: tuple[Claim, ...]) -> FormulaResult:
        """The answer with the best reasons; unknown if there is none, or if they contradict each other."""
        if _is_contradictory(claims):
            return replace(_undecided(asked, Contradiction()), claims=claims)
        if claims:
            return min((claim.result for claim in claims), key=lambda result: result.evidence is None)
        return _undecided(asked, _why_undecided(asked.number, self._contenders))


def _undecided(asked: FormulaResult, reason: Reason) -> FormulaResult:
    """A formula as nobody has decided it."""
    return replace(asked, verdict=Verdict.UNKNOWN, reason=reason, evidence=None, left_out=None, engine="")


def _claims(contenders: Sequence[Contender], number: int, *, settled: bool = False) -> tuple[Claim, ...]:
    """What those say who have decided a formula; `settled`: and are done with their reasons."""
    return tuple(
        Claim(each.label, told)
        for each in contenders
        if (told := each.told(number)) is not None
        and told.verdict is not Verdict.UNKNOWN
        and (not settled or told.left_out != NotYet())
    )


def _is_contradictory(claims: Sequence[Claim]) -> bool:
    return len({claim.result.verdict for claim in claims}) > 1


def _disagreement(number: int, claims: Sequence[Claim]) -> MethodsDisagree:
    return MethodsDisagree(number, tuple((each.method, each.result.verdict.value) for each in claims))


def _distinct(warnings: Iterable[Warning]) -> tuple[Warning, ...]:
    """Of faults of a kind one is enough: methods may find different ones."""
    found: dict[str | Warning, Warning] = {}
    for warning in warnings:
        found.setdefault(warning.code if warning.path is not None else warning, warning)
    return tuple(found.values())


def _why_undecided(number: int, contenders: Sequence[Contender]) -> Reason:
    """The reason of all, or of each."""
    reasons: dict[Reason, list[str]] = {}
    for each in contenders:
        told = each.told(number)
        reason = each.ended if told is None else told.reason
        reasons.setdefault(reason or Stopped(), []).append(each.label)
    if len(reasons) == 1:
        return next(iter(reasons))
    return Each(tuple((tuple(who), reason) for reason, who in reasons.items()))
