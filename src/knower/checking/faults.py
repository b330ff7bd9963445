"""Deadlocks and overflows among the states of a model, with the shortest ways to them."""

from __future__ import annotations

from functools import reduce
from itertools import chain
from operator import or_

from knower.functions.protocol import F
from knower.symbolic.decode import Decoder
from knower.symbolic.model import SymbolicModel
from knower.verdict.faults import Absence, Faults
from knower.verdict.warnings import Deadlock, Overflow


def faults_in(model: SymbolicModel[F]) -> Faults:
    """What goes wrong in the states of a model; of those it does not have, nothing is known."""
    absence = Absence.UNKNOWN if model.is_part else Absence.PROVED
    return Faults(_deadlock(model) or absence, _overflow(model) or absence)


def _deadlock(model: SymbolicModel[F]) -> Deadlock | None:
    if model.deadlocks == model.space.false:
        return None
    return Deadlock(Decoder(model).path_to(model.deadlocks))


def _overflow(model: SymbolicModel[F]) -> Overflow | None:
    """Values outside their domains, and what has no value, in states or steps that are reached."""
    code, function, nothing = model.system.encoding, model.steps.function, model.space.false
    faults = [*(agent.state_fault for agent in code.agents), *code.label_faults.values()]
    in_states = reduce(or_, (function(fault) for fault in faults), nothing) & model.reachable
    in_states = in_states | (function(code.initial_fault) & model.initial)
    steps = reduce(or_, (function(agent.step_fault) for agent in code.agents), model.steps.overflow)
    for guard in (*model.system.relations.guards, model.reachable):
        steps = steps & guard
    if in_states == nothing and steps == nothing:
        return None
    every = model.space.quantified(model.layout.actions)
    return _explained(model, in_states | model.space.exists(steps, every), steps)


def _explained(model: SymbolicModel[F], wrong: F, steps: F) -> Overflow:
    """At the nearest state where something goes wrong: what, and how one comes there."""
    decoder = Decoder(model)
    states = decoder.states_to(wrong)
    last = decoder.state(wrong) if states is None else states[-1]
    explicit, initial, joint = decoder.explicit, states == [last], None
    in_state = chain(explicit.initial_faults(last) if initial else (), explicit.faults(last))
    found = next(in_state, None)
    if found is None:
        joint = decoder.joint(last, None, steps)
        found = next(explicit.overflows(last, joint))
    return Overflow(str(found), None if states is None else decoder.path(states, joint))
