"""What agents know (docs/logics.md), over the states `S` of a model."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import and_, or_
from typing import Generic

from knower.functions.protocol import F
from knower.symbolic.model import SymbolicModel


class Knowledge(Generic[F]):
    """Knowledge inside a set of states."""

    def __init__(self, model: SymbolicModel[F], universe: F) -> None:
        self.model = model
        self.universe = universe

    def distributed(self, members: Sequence[str], fact: F) -> F:
        """`DK` (`K` for one): `fact` holds in every state that all members confuse with this one."""
        return self.universe & ~self.model.system.indistinguishable_to_all(self.universe & ~fact, members)

    def everybody(self, members: Sequence[str], fact: F) -> F:
        """`GK`: each member knows."""
        return reduce(and_, (self.distributed((agent,), fact) for agent in members))

    def common(self, members: Sequence[str], fact: F) -> F:
        """`GCK`: `fact` holds wherever chains of confusion lead."""
        doubt, before = self.universe & ~fact, None
        while doubt != before:
            self.model.step()
            before = doubt
            doubt = doubt | self.indistinguishable_to_some(members, doubt)
        return self.universe & ~doubt

    def indistinguishable_to_some(self, members: Sequence[str], states: F) -> F:
        """The states of `S` that some member confuses with one of these, which are among them."""
        alike = (self.model.system.indistinguishable_to_all(states, (agent,)) for agent in members)
        return self.universe & reduce(or_, alike, states)
