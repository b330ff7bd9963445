"""A pursuit, and the protocol of Needham and Schroeder, as programs: what their ISPL texts must amount to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TypeVar

State = TypeVar("State")


def reachable(start: State, successors: Callable[[State], Iterable[State]]) -> set[State]:
    """All states that can be reached."""
    found, fresh = {start}, [start]
    while fresh:
        after = set(successors(fresh.pop())) - found
        found |= after
        fresh += after
    return found


# -- pursuit and evasion ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Chase:
    """Where the two are, whether the pursuer goes right, and whether the game is over."""

    pursuer: int
    evader: int
    right: bool = True
    found: bool = False

    @property
    def seen(self) -> tuple[int, bool, bool]:
        """What the pursuer sees."""
        return self.pursuer, self.right, self.found


def chases(n: int) -> set[Chase]:
    """All states of the game on places from 0 to n."""

    def successors(now: Chase) -> Iterator[Chase]:
        if now.found:
            return
        turns = now.pursuer == (n - 1 if now.right else 0)
        pursuer = now.pursuer + (0 if turns else 1 if now.right else -1)
        for evader in range(max(now.evader - 1, 0), min(now.evader + 1, n) + 1):
            before, after = now.evader - now.pursuer, evader - pursuer
            yield Chase(pursuer, evader, now.right != turns, before * after <= 0)

    return reachable(Chase(0, n), successors)


# -- Needham and Schroeder, with all that an intruder can do ------------------------------------------

#: A message: who can read it, and what is in it.
Message = tuple[str, tuple[str, ...]]


@dataclass(frozen=True)
class Party:
    """With whom one believes to run the protocol, whose nonce one has got, and whether one is through."""

    partner: str | None = None
    nonce: str | None = None
    done: bool = False


@dataclass(frozen=True)
class Net:
    """Some who start the protocol, Bob, and all that Mallory has: names, nonces, and sealed messages."""

    alices: tuple[Party, ...]
    bob: Party
    known: frozenset[str | Message]

    def sent(self, to: str, *parts: str) -> Net:
        """Mallory gets a message: what is in it, if it is for him."""
        return replace(self, known=self.known | (set(parts) if to == "mallory" else {(to, parts)}))

    def can_bring(self, to: str, *parts: str) -> bool:
        """Whether he has the message, or can make it."""
        return (to, parts) in self.known or self.known.issuperset(parts)

    def with_alice(self, at: int, alice: Party) -> Net:
        return replace(self, alices=(*self.alices[:at], alice, *self.alices[at + 1 :]))


@dataclass(frozen=True)
class NeedhamSchroeder:
    """The protocol with n who start it; in the fixed variant the second message names its sender."""

    n: int
    fixed: bool

    def nets(self) -> set[Net]:
        names = {"bob", "mallory", *(f"alice{at}" for at in range(self.n))}
        start = Net((Party(),) * self.n, Party(), frozenset({*names, "nonce of mallory"}))
        return reachable(start, self.successors)

    def successors(self, net: Net) -> Iterator[Net]:
        nonces = [f"nonce of {name}" for name in ("bob", "mallory", *map(self.alice, range(self.n)))]
        yield from self.bob(net, nonces)
        for at in range(self.n):
            yield from self.initiator(net, at, nonces)

    def alice(self, at: int) -> str:
        return f"alice{at}"

    def second(self, hers: str, his: str, sender: str) -> tuple[str, ...]:
        return (hers, his, sender) if self.fixed else (hers, his)

    def initiator(self, net: Net, at: int, nonces: list[str]) -> Iterator[Net]:
        her, name = net.alices[at], self.alice(at)
        if her.partner is None:
            for partner in ("bob", "mallory"):
                after = net.with_alice(at, Party(partner))
                yield after.sent(partner, f"nonce of {name}", name)
        elif not her.done:
            for nonce in nonces:
                if net.can_bring(name, *self.second(f"nonce of {name}", nonce, her.partner)):
                    after = net.with_alice(at, Party(her.partner, nonce, done=True))
                    yield after.sent(her.partner, nonce)

    def bob(self, net: Net, nonces: list[str]) -> Iterator[Net]:
        if net.bob.partner is None:
            for partner in ("mallory", *map(self.alice, range(self.n))):
                for nonce in nonces:
                    if net.can_bring("bob", nonce, partner):
                        after = replace(net, bob=Party(partner, nonce))
                        yield after.sent(partner, *self.second(nonce, "nonce of bob", "bob"))
        elif not net.bob.done and net.can_bring("bob", "nonce of bob"):
            yield replace(net, bob=replace(net.bob, done=True))
