"""Rounds of errands, done by processes on the workers of a cluster, whatever becomes of them."""

from __future__ import annotations

import queue
import time
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import field

from knower.cluster.joining import MISSING, Cluster, Wait, joined
from knower.cluster.messages import Behind, ClusterLost, Done, Errand, Findings, Stop, Unfit
from knower.cluster.remote import Remote
from knower.errors import LimitReached
from knower.memory import Keeping
from knower.pool.seat import begin_thread
from knower.reasons import OutOfMemory
from knower.records import dataclass

#: How often somebody looks whether work is done, and whether there are workers to do it, in seconds.
_WATCH, _INSPECTION = 0.1, 2.0
#: Of so many rounds the news are sent; all of them only to who has missed more.
_LATEST = 1
#: How often an errand is sent out again when its worker is lost.
_AGAIN = 5
#: What runs on workers.
_MODULE = "knower.cluster.outpost_main"


@dataclass
class Ledger:
    """What work was done: rounds, errands, workers that were lost, bytes, seconds workers have computed."""

    workers: int = 0
    rounds: int = 0
    errands: int = 0
    redone: int = 0
    lost: int = 0
    sent: int = 0
    received: int = 0
    seconds: float = 0.0

    def receive(self, findings: Findings) -> None:
        self.received += len(findings.diagrams)
        self.seconds += findings.seconds

    def told(self) -> dict[str, int | float]:
        """As statistics."""
        return {
            "workers": self.workers,
            "rounds": self.rounds,
            "errands": self.errands,
            "errands redone": self.redone,
            "workers lost": self.lost,
            "bytes sent": self.sent,
            "bytes received": self.received,
            "seconds of workers": round(self.seconds, 3),
        }


@contextmanager
def team(address: str, ledger: Ledger, wait: Wait = lambda: None) -> Iterator[Team]:
    """The workers of an address; those that were started for it are gone at the end, whatever happens.

    `wait` is called now and then until they are there.
    """
    with joined(address, wait) as cluster:
        found = Team(cluster, ledger)
        found.gather(cluster.gathered())
        try:
            yield found
        finally:
            found.dismiss()


@dataclass(eq=False)
class Member:
    """A process on a worker, and what it is doing: the errand of a place."""

    remote: Remote
    place: int | None = None


@dataclass
class Team:
    """Those who do errands. Who is lost is replaced where another worker has come."""

    cluster: Cluster
    ledger: Ledger
    members: list[Member] = field(default_factory=list)
    _heard: queue.SimpleQueue[tuple[Member, object]] = field(default_factory=queue.SimpleQueue)
    _inspection: float = 0.0

    @property
    def size(self) -> int:
        """The workers there are at present."""
        return len(self.members)

    def gather(self, workers: Sequence[str]) -> None:
        """A process on each worker that has none."""
        present = {member.remote.where for member in self.members}
        for where in workers:
            if where not in present:
                with suppress(OSError):  # it does not answer any more
                    self._join(Member(self.cluster.hosted(where, Keeping(0), _MODULE)))
        self.ledger.workers = max(self.ledger.workers, self.size)

    def _join(self, member: Member) -> None:
        self.members.append(member)
        begin_thread("knower-member", self._listen, member)

    def _listen(self, member: Member) -> None:
        for reply in member.remote.replies():
            self._heard.put((member, reply))
        self._heard.put((member, None))

    def begun(self, errands: Sequence[Errand]) -> Round:
        """A round: to each worker its errand, if there are enough of them."""
        self.ledger.rounds += 1
        round_ = Round(self, errands, deque(range(len(errands))))
        round_.hand_out()
        return round_

    def free(self) -> list[Member]:
        return [member for member in self.members if member.place is None]

    def send(self, member: Member, errand: Errand, place: int) -> bool:
        """An errand on its way; says whether it is."""
        try:
            member.remote.send(errand)
        except OSError:
            self.lose(member)
            return False
        member.place = place
        self.ledger.errands += 1
        self.ledger.sent += errand.size
        return True

    def heard(self, wait: Wait) -> tuple[Member, object]:
        """The next reply of anybody, or (None) that somebody is gone; `wait` is called now and then."""
        missing = time.monotonic() + MISSING
        while True:
            wait()  # limits are looked at in every round, also in one that was done meanwhile
            with suppress(queue.Empty):
                return self._heard.get(timeout=_WATCH)
            self._inspect()
            if self.members:
                missing = time.monotonic() + MISSING
            elif self.cluster.is_lost:
                raise ClusterLost("the scheduler of the cluster is lost")
            elif time.monotonic() > missing or not self.cluster.started:
                raise ClusterLost("all workers of the cluster are lost")

    def _inspect(self) -> None:
        """Now and then: who is new."""
        if time.monotonic() > self._inspection and not self.cluster.is_lost:
            self._inspection = time.monotonic() + _INSPECTION
            self.cluster.tend()
            if len(self.members) < self.cluster.started or not self.members:
                self.gather(self.cluster.fit())

    def lose(self, member: Member) -> None:
        """Somebody is gone, or not to be relied on."""
        if member in self.members:
            self.ledger.lost += 1
            self.members.remove(member)
            member.remote.kill()

    def dismiss(self) -> None:
        """End all processes, and with them the models they hold; who does not answer is not waited for."""
        for member in self.members:
            member.remote.kill()
        for member in self.members:
            begin_thread("knower-dismissal", _reap, member.remote).join(_INSPECTION)
        self.members.clear()


def _reap(remote: Remote) -> None:
    remote.reaped()


@dataclass
class Round:
    """Errands, by their places: those that wait for somebody to do them, and those under way."""

    team: Team
    errands: Sequence[Errand]
    waiting: deque[int]
    _tries: Counter[int] = field(default_factory=Counter)

    def hand_out(self) -> None:
        """Errands to those who have none."""
        for member in self.team.free():
            if self.waiting and self.team.send(member, self._errand(self.waiting[0]), self.waiting[0]):
                self.waiting.popleft()

    def _errand(self, place: int) -> Errand:
        """With few news at first; who does not know enough says so."""
        return self.errands[place] if self._tries[place] else self.errands[place].latest(_LATEST)

    @property
    def _is_over(self) -> bool:
        return not self.waiting and all(member.place is None for member in self.team.members)

    def findings(self, wait: Wait) -> Iterator[tuple[int, Findings]]:
        """What is found, as it comes, with the places of the errands. `wait` is called now and then."""
        while not self._is_over:
            member, reply = self.team.heard(wait)
            if self._is_late(member, reply):
                continue
            place, member.place = member.place, None
            found = self._found(member, reply, place)
            if place is not None and found is None:
                self.waiting.appendleft(place)
            self.hand_out()
            if place is not None and found is not None:
                yield place, found

    def _is_late(self, member: Member, reply: object) -> bool:
        """Whether it is of a round that was left: what somebody does now is still to come."""
        if not isinstance(reply, Done):
            return False
        return member.place is None or reply.round != self.errands[member.place].round

    def _found(self, member: Member, reply: object, place: int | None) -> Findings | None:
        """None if an errand has to be sent out again: the worker was lost, or did not know enough."""
        match reply:
            case Done(_, Findings() as findings):
                self.team.ledger.receive(findings)
                return findings
            case Done(_, Behind()):
                assert place is not None, "it has said so of an errand"
                self._tries[place] += 1
                return None
            case Done(_, Unfit() as error):
                raise ClusterLost(str(error))
            case Done(_, MemoryError()):
                raise LimitReached(OutOfMemory("a worker"), final=True)
        self.team.lose(member)
        if place is not None:
            self._try_again(place)
        return None

    def _try_again(self, place: int) -> None:
        self.team.ledger.redone += 1
        self._tries[place] += 1
        if self._tries[place] > _AGAIN:
            raise ClusterLost("the workers of the cluster die again and again")

    def leave(self) -> None:
        """Nobody waits for what is still under way."""
        self.waiting.clear()
        for member in list(self.team.members):
            if member.place is not None:
                member.place = None
                try:
                    member.remote.send(Stop(self.errands[0].round))
                except OSError:
                    self.team.lose(member)
