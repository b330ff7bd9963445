"""What the players of a coalition have seen in plays, and what they do then."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from functools import reduce
from operator import or_
from typing import Generic

from knower.functions.protocol import F
from knower.records import dataclass
from knower.symbolic.model import SymbolicModel


@dataclass(eq=False)
class Met(Generic[F]):
    """An observation of a player: the states that look like this, its actions there and the one chosen."""

    player: str
    states: F
    actions: tuple[int, ...]
    codes: tuple[F, ...]
    literals: tuple[int, ...] = ()
    place: int = 0

    @property
    def code(self) -> F:
        return self.codes[self.place]

    @property
    def literal(self) -> int:
        return self.literals[self.place]


class Observations(Generic[F]):
    """The observations met so far, and the strategy: a function of state and actions."""

    def __init__(self, model: SymbolicModel[F], players: Sequence[str]) -> None:
        self._model = model
        self._space = model.space
        self._players = tuple(players)
        layout = model.layout
        self._seen = {player: layout.seen_by(player) for player in players}
        self._actions = {
            player: [
                model.steps.action(player, number)
                for number in range(len(layout.system.agent_named[player].actions))
            ]
            for player in players
        }
        self._unseen = {
            player: self._space.quantified(bit for bit in layout.now if bit not in set(self._seen[player]))
            for player in players
        }
        self._every = self._space.quantified(layout.actions)
        self._known: dict[tuple[str, tuple[bool, ...]], Met[F]] = {}
        self._decided = {player: self._space.false for player in players}
        #: Where each action is chosen.
        self._chosen = {player: [self._space.false] * len(self._actions[player]) for player in players}
        self._strategy: F | None = None

    def __len__(self) -> int:
        return len(self._known)

    # -- meeting ----------------------------------------------------------------------------------------------

    def fresh(self, acting: F) -> Iterator[Met[F]]:
        """The observations in these states that were not met before."""
        for player in self._players:
            seen = self._seen[player]
            new = self._space.exists(acting & ~self._decided[player], self._unseen[player])
            while new != self._space.false:
                picked = self._space.pick(new, seen)
                assert picked is not None, "there is one"
                key = tuple(picked[bit] for bit in seen)
                states = self._model.steps.cube(seen, key)
                met = self._observation(player, states)
                self._known[player, key] = met
                self._decided[player] = self._decided[player] | states
                new = new & ~states
                if met.actions:
                    yield met

    def _observation(self, player: str, states: F) -> Met[F]:
        allowed = states & self._model.steps.players[player]
        able = [
            (number, code)
            for number, code in enumerate(self._actions[player])
            if allowed & code != self._space.false
        ]
        return Met(player, states, tuple(number for number, _ in able), tuple(code for _, code in able))

    def add(self, met: Met[F], literals: Iterable[int], place: int) -> None:
        met.literals = tuple(literals)
        self._place(met, place)

    def choose(self, chosen: Set[int]) -> None:
        """Follow a proposal; what is chosen stays chosen as long as it may."""
        for met in self._known.values():
            if met.literals and met.literal not in chosen:
                self._unplace(met)
                self._place(met, next(k for k, literal in enumerate(met.literals) if literal in chosen))

    def _place(self, met: Met[F], place: int) -> None:
        met.place = place
        chosen = self._chosen[met.player]
        chosen[met.actions[place]] = chosen[met.actions[place]] | met.states
        self._strategy = None

    def _unplace(self, met: Met[F]) -> None:
        chosen = self._chosen[met.player]
        chosen[met.actions[met.place]] = chosen[met.actions[met.place]] & ~met.states

    # -- the strategy -----------------------------------------------------------------------------------------

    @property
    def strategy(self) -> F:
        if self._strategy is None:
            self._strategy = self._space.true
            for player in self._players:
                taken = [
                    where & code
                    for where, code in zip(self._chosen[player], self._actions[player], strict=True)
                    if where != self._space.false
                ]
                self._strategy = self._strategy & reduce(or_, taken, ~self._decided[player])
        return self._strategy

    def at(self, player: str, state: F) -> Met[F] | None:
        """What a player sees in one state; None if it has nothing to choose there."""
        picked = self._space.pick(state, self._seen[player])
        assert picked is not None, "it is a state"
        met = self._known.get((player, tuple(picked[bit] for bit in self._seen[player])))
        return met if met is not None and met.literals else None

    def literals_at(self, state: F) -> set[int]:
        """What is chosen in one state."""
        found = (self.at(player, state) for player in self._players)
        return {met.literal for met in found if met is not None}
