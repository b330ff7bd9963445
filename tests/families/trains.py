"""The faulty train-gate-controller once more, as a program: what its ISPL text must amount to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product


@dataclass(frozen=True)
class Train:
    """Where a train is, how many moves it has made since the last service, and its flags."""

    place: str = "away"
    moves: int = 0
    broken: bool = False
    waiting: bool = False  # the controller has heard its signal


@dataclass(frozen=True)
class State:
    """The trains, and for how many rounds the light has been red (None: it is green)."""

    trains: tuple[Train, ...]
    red: int | None = None


@dataclass(frozen=True)
class TrainGate:
    """The rules for trains of one type."""

    n: int
    type: int
    max: int
    depth: int

    def reachable(self) -> set[State]:
        """All states that can be reached."""
        found = {State((Train(),) * self.n)}
        fresh = list(found)
        while fresh:
            after = set(self.successors(fresh.pop())) - found
            found |= after
            fresh += after
        return found

    def successors(self, state: State) -> Iterator[State]:
        admitted = [at for at, train in enumerate(state.trains) if train.waiting and state.red is None]
        for guest in admitted or [None]:
            for actions in product(*(self.actions(train) for train in state.trains)):
                yield self.step(state, guest, actions)

    def actions(self, train: Train) -> list[str]:
        if train.place == "tunnel":
            return self.actions_in_tunnel(train)
        if train.moves == self.max:
            return ["service"]
        return ["service", "back"] if train.place == "away" else ["service", "signal", "enter"]

    def actions_in_tunnel(self, train: Train) -> list[str]:
        if self.type == 1 and (train.broken or train.moves == self.max):
            return ["break"]
        return ["leave", "break"] if self.type != 3 and train.moves >= self.depth else ["leave"]

    def step(self, state: State, guest: int | None, actions: tuple[str, ...]) -> State:
        entering = guest is not None and actions[guest] == "enter"
        trains = tuple(
            self.moved(train, action, entering and at == guest)
            for at, (train, action) in enumerate(zip(state.trains, actions, strict=True))
        )
        if entering:
            return State(trains, 0)
        return State(trains, None if state.red in (None, 2) else state.red + 1)

    def moved(self, train: Train, action: str, enters: bool) -> Train:
        further = replace(train, moves=min(train.moves + 1, self.max))
        match action:
            case "service":
                return replace(train, moves=0)
            case "break":
                return replace(train, broken=self.type == 1)
            case "enter":
                return replace(further, place="tunnel", waiting=False) if enters else train
            case "back":
                return replace(further, place="wait")
            case "signal":
                return replace(further, waiting=True)
        return replace(further, place="away")
