"""Limits of time and memory, looked after from outside: who does not keep them is told, then killed."""

from __future__ import annotations

import time
from collections.abc import Hashable, Sequence

from knower.pool.seat import GRACE, Seat
from knower.reasons import MemoryLimit, Stopped, TimeLimit


def look_after(seats: Sequence[Seat]) -> None:
    """See to it that those who work keep their limits."""
    for seat in seats:
        _look_after_one(seat)
    _look_at_shared_memory(seats)


def _look_after_one(seat: Seat) -> None:
    if seat.ticket is None:
        return
    if seat.deadline is not None:
        if time.monotonic() > seat.deadline:
            seat.kill(Stopped())
        return
    limits = seat.ticket.order.limits
    if limits.seconds is not None and seat.ticket.elapsed > limits.seconds:
        seat.give_notice(TimeLimit(limits.seconds))
    elif limits.megabytes is not None and seat.ticket.order.sharing is None:
        _look_at_memory([seat], limits.megabytes)


def _look_at_memory(seats: Sequence[Seat], megabytes: float) -> None:
    """Who holds too much for longer than the time of grace could not let go of it: it is killed."""
    held = {seat: seat.worker.megabytes() for seat in seats}
    if sum(held.values()) <= megabytes:
        for seat in seats:
            seat.swollen_since = None
        return
    largest, now = max(seats, key=held.__getitem__), time.monotonic()
    if largest.swollen_since is None:
        largest.swollen_since = now
    elif now - largest.swollen_since > GRACE:
        largest.kill(MemoryLimit(megabytes))


def _look_at_shared_memory(seats: Sequence[Seat]) -> None:
    """Orders with the same mark have one limit in common."""
    shared: dict[tuple[Hashable, float], list[Seat]] = {}
    for seat in seats:
        order = None if seat.ticket is None else seat.ticket.order
        if order is not None and order.sharing is not None and order.limits.megabytes is not None:
            shared.setdefault((order.sharing, order.limits.megabytes), []).append(seat)
    for (_, megabytes), sharing in shared.items():
        _look_at_memory(sharing, megabytes)
