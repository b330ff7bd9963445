"""States and paths as people read them: names instead of places."""

from __future__ import annotations

from collections.abc import Mapping

from knower.records import dataclass

#: Agent name -> variable name -> value.
GlobalState = Mapping[str, Mapping[str, bool | int | str]]
#: Agent name -> action; agents without actions are left out.
NamedAction = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Path:
    """A finite path from an initial state: `actions[k]` leads from `states[k]` to `states[k+1]`.

    A path may end with an action that leads nowhere (an overflow): then there are as many actions
    as states.
    """

    states: tuple[GlobalState, ...]
    actions: tuple[NamedAction, ...] = ()

    def __len__(self) -> int:
        return len(self.states)
