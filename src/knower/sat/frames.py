"""Frames: states as variables of a solver, and what can be said of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import combinations
from typing import TypeAlias

from knower.functions.circuit import Literal
from knower.logic import formula as f
from knower.logic.fold import fold
from knower.logic.formula import Formula
from knower.logic.node import Node
from knower.sat.cnf import Stamp
from knower.sat.machine import Machine, machine_of
from knower.sat.relation import Relation
from knower.sat.solver import TRUE, Clauses, Lit
from knower.symbolic.encode import Encoding
from knower.system.explicit import Explicit
from knower.system.propositions import holds_in
from knower.system.system import InterpretedSystem
from knower.verdict.evidence import Joint, State

#: A state of the unfolding, by its number.
Frame: TypeAlias = int


class Stamps:
    """The circuits of a system, compiled; shared by all solvers that ask about it."""

    def __init__(self, system: InterpretedSystem) -> None:
        self.encoding = Encoding(system)
        self.relation = Relation(self.encoding)
        self._formulas: dict[Formula, Stamp] = {}
        self._machines: dict[bool, Machine] = {}
        self._red = {agent.name: agent.red for agent in self.encoding.agents}

    @cached_property
    def explicit(self) -> Explicit:
        return Explicit(self.encoding.system)

    def look(self, formula: Formula, state: State) -> bool:
        """The value of a propositional formula at a state."""
        return holds_in(formula, self.explicit, state)

    def machine(self, *, loops: bool) -> Machine:
        """The system as a sequential circuit; `loops`: deadlocks have a step to themselves."""
        if loops not in self._machines:
            self._machines[loops] = machine_of(self.relation, loops=loops)
        return self._machines[loops]

    def _made(self, *roots: Literal) -> Stamp:
        return Stamp(self.encoding.circuits, roots)

    @cached_property
    def step(self) -> Stamp:
        return self._made(*self.relation.step)

    @cached_property
    def initial(self) -> Stamp:
        return self._made(self.encoding.initial)

    @cached_property
    def valid(self) -> Stamp:
        return self._made(self.encoding.valid)

    @cached_property
    def stuck(self) -> Stamp:
        return self._made(self.relation.stuck)

    @cached_property
    def fault(self) -> Stamp:
        return self._made(self.relation.fault)

    def of(self, formula: Formula) -> Stamp:
        """A propositional formula."""
        if formula not in self._formulas:
            self._formulas[formula] = self._made(self.circuit(formula))
        return self._formulas[formula]

    def circuit(self, formula: Formula) -> Literal:
        """A propositional formula as it is."""
        return fold(formula, self._circuit)

    def _circuit(self, item: Node, below: tuple[Literal, ...]) -> Literal:
        circuits = self.encoding.circuits
        match item:
            case f.Constant(value):
                return int(value)
            case f.Atom(name):
                return self.encoding.label(name)
            case f.Red(agent):
                return self._red[agent]
            case f.Green(agent):
                return self._red[agent] ^ 1
            case f.Not():
                return below[0] ^ 1
            case f.And():
                return circuits.conj(*below)
            case f.Or():
                return circuits.disj(*below)
            case f.Implies():
                return circuits.disj(below[0] ^ 1, below[1])
            case _:
                raise TypeError(f"not propositional: {item!r}")


class Frames:
    """The states of one solver. Whatever is said of them is a literal that implies it, made once.

    `loops`: a state without successor has a step to itself.
    """

    def __init__(self, stamps: Stamps, clauses: Clauses, *, loops: bool = False) -> None:
        self.stamps = stamps
        self.clauses = clauses
        self.layout = stamps.encoding.layout
        self._loops = loops
        self._bits: list[tuple[Lit, ...]] = []
        self._actions: dict[tuple[Frame, Frame], dict[int, Lit]] = {}
        self._failing: dict[Frame, dict[int, Lit]] = {}
        self._stays: dict[tuple[Frame, Frame], Lit] = {}
        self._moves: dict[tuple[Frame, Frame], Lit] = {}
        self._choices: dict[tuple[str, Frame, Frame], dict[str, Lit]] = {}
        self._said: dict[tuple[object, ...], Lit] = {}

    def fresh(self) -> Frame:
        """A new state, of any bits."""
        self._bits.append(self.clauses.several(self.layout.state_bits))
        return len(self._bits) - 1

    def _once(self, key: tuple[object, ...], make: Callable[[], Lit]) -> Lit:
        if key not in self._said:
            self._said[key] = make()
        return self._said[key]

    # -- of one state -----------------------------------------------------------------------------------

    def initial(self, frame: Frame) -> Lit:
        return self._at(self.stamps.initial, frame)

    def valid(self, frame: Frame) -> Lit:
        return self._at(self.stamps.valid, frame)

    def stuck(self, frame: Frame) -> Lit:
        return self._at(self.stamps.stuck, frame)

    def faulty(self, frame: Frame) -> Lit:
        """An overflow happens there, by some joint action perhaps."""
        return self._once(("faulty", frame), lambda: self._made_faulty(frame))

    def _made_faulty(self, frame: Frame) -> Lit:
        actions = self._failing[frame] = dict[int, Lit]()
        return self._stamped(self.stamps.fault, self._bits[frame], (), actions)

    def satisfies(self, formula: Formula, frame: Frame) -> Lit:
        """A propositional formula holds."""
        return self._at(self.stamps.of(formula), frame)

    def _at(self, stamp: Stamp, frame: Frame) -> Lit:
        bits = self._bits[frame]
        return self._once((id(stamp), frame), lambda: stamp.stamped(self.clauses, lambda n: bits[n >> 1]))

    def code(self, frame: Frame, state: State) -> list[Lit]:
        """The bits of a state, as literals of a frame."""
        fields = self.layout.fields.values()
        values = [bit for field, value in zip(fields, state, strict=True) for bit in field.code(value)]
        return [bit if value else -bit for bit, value in zip(self._bits[frame], values, strict=True)]

    def literals(self, frame: Frame, cube: dict[int, bool]) -> list[Lit]:
        """Some bits, as literals of a frame."""
        bits = self._bits[frame]
        return [bits[number >> 1] if value else -bits[number >> 1] for number, value in cube.items()]

    # -- of two -----------------------------------------------------------------------------------------

    def step(self, before: Frame, after: Frame) -> Lit:
        """One step leads from a state to another."""
        return self._once(("step", before, after), lambda: self._step(before, after))

    def _step(self, before: Frame, after: Frame) -> Lit:
        moved = self._moves[before, after] = self._moved(before, after)
        if not self._loops:
            return moved
        stays = self.clauses.all_of([self.stuck(before), self.same(before, after)])
        self._stays[before, after] = stays
        return self.clauses.any_of([moved, stays])

    def _moved(self, before: Frame, after: Frame) -> Lit:
        now, then = self._bits[before], self._bits[after]
        actions = self._actions[before, after] = dict[int, Lit]()
        return self._stamped(self.stamps.step, now, then, actions)

    def _stamped(self, stamp: Stamp, now: Sequence[Lit], then: Sequence[Lit], actions: dict[int, Lit]) -> Lit:
        """A copy of a stamp about states and actions; `actions` is filled with the variables of these."""

        def variable(number: int) -> Lit:
            if number < 2 * self.layout.state_bits:
                return (then if number & 1 else now)[number >> 1]
            return actions.setdefault(number, self.clauses.fresh())

        return stamp.stamped(self.clauses, variable)

    def done(self, formula: Formula, before: Frame, after: Frame) -> Lit:
        """It is true, or not, that an agent takes an action in the step between two states."""
        self.step(before, after)
        positive = not isinstance(formula, f.Not)
        said = formula if positive else formula.sub  # type: ignore[union-attr]
        assert isinstance(said, f.Does), "it speaks of a step"
        number = self.stamps.encoding.conditions.number_of_action(said.agent, said.action)
        taken = self._actions[before, after][number]
        if not self._loops:
            return taken if positive else -taken
        key = "done", formula, before, after
        return self._once(key, lambda: self._done(taken, said, before, after, positive))

    def _done(self, taken: Lit, said: f.Does, before: Frame, after: Frame, positive: bool) -> Lit:
        """In a step, or in the self-loop of a deadlock, where everybody may do anything."""
        stays, chosen = self._stays[before, after], self._chosen(said.agent, before, after)[said.action]
        sign = 1 if positive else -1
        moves = self.clauses.all_of([self._moves[before, after], sign * taken])
        return self.clauses.any_of([moves, self.clauses.all_of([stays, sign * chosen])])

    def _chosen(self, agent: str, before: Frame, after: Frame) -> dict[str, Lit]:
        """What an agent does in a self-loop: exactly one of its actions."""
        key = agent, before, after
        if key not in self._choices:
            actions = self.layout.system.agent_named[agent].actions
            made = self._choices[key] = dict(zip(actions, self.clauses.several(len(actions)), strict=True))
            self.clauses.add(tuple(made.values()))
            self.clauses.add_all([(-one, -other) for one, other in combinations(made.values(), 2)])
        return self._choices[key]

    def same(self, one: Frame, other: Frame) -> Lit:
        """The two states are the same."""
        return self._equal(one, other, None)

    def alike(self, agents: Sequence[str], one: Frame, other: Frame) -> Lit:
        """All of the agents confuse the two states."""
        return self._equal(one, other, tuple(sorted(agents)))

    def _equal(self, one: Frame, other: Frame, agents: tuple[str, ...] | None) -> Lit:
        if one == other:
            return TRUE
        pair = min(one, other), max(one, other)
        return self._once(("equal", *pair, agents), lambda: self._made_equal(*pair, agents))

    def _made_equal(self, one: Frame, other: Frame, agents: tuple[str, ...] | None) -> Lit:
        places = range(self.layout.state_bits) if agents is None else self._seen(agents)
        if not places:
            return TRUE
        whole = self.clauses.fresh()
        pairs = [(self._bits[one][place], self._bits[other][place]) for place in places]
        self.clauses.add_all([(-whole, -a, b) for a, b in pairs])
        self.clauses.add_all([(-whole, a, -b) for a, b in pairs])
        return whole

    def _seen(self, agents: Sequence[str]) -> list[int]:
        return sorted({bit >> 1 for agent in agents for bit in self.layout.seen_by(agent)})

    def differ(self, one: Frame, other: Frame) -> Lit:
        """The two states are not the same."""
        return self._once(("differ", one, other), lambda: self._made_different(one, other))

    def _made_different(self, one: Frame, other: Frame) -> Lit:
        unequal = self.clauses.several(self.layout.state_bits)
        places = list(zip(unequal, self._bits[one], self._bits[other], strict=True))
        self.clauses.add_all([(-differs, a, b) for differs, a, b in places])
        self.clauses.add_all([(-differs, -a, -b) for differs, a, b in places])
        return self.clauses.any_of(unequal)

    # -- in the assignment found ------------------------------------------------------------------------

    def bits(self, frame: Frame) -> tuple[bool, ...]:
        """The bits of a state."""
        return tuple(map(self.clauses.holds, self._bits[frame]))

    def state(self, frame: Frame) -> State:
        """The state a frame stands for."""
        values = self.bits(frame)
        return tuple(
            field.value([values[bit] for bit in field.bits]) for field in self.layout.fields.values()
        )

    def joint(self, before: Frame, after: Frame) -> Joint:
        """The joint action of a step; none for the self-loop of a deadlock."""
        if (before, after) in self._stays and self.clauses.holds(self._stays[before, after]):
            return self._done_staying(before, after)
        return self._taken(self._actions[before, after])

    def _done_staying(self, before: Frame, after: Frame) -> Joint:
        """What is done in a self-loop, as far as anybody has asked."""
        agents = self.layout.system.agents
        asked = {agent.name: self._choices.get((agent.name, before, after)) for agent in agents}
        if not any(asked.values()):
            return ()
        return tuple(
            next((a for a, chosen in (asked[agent.name] or {}).items() if self.clauses.holds(chosen)), None)
            or next(iter(agent.actions), None)
            for agent in agents
        )

    def failing(self, frame: Frame) -> Joint:
        """The joint action by which an overflow happens."""
        return self._taken(self._failing[frame])

    def _taken(self, actions: dict[int, Lit]) -> Joint:
        action_of = self.stamps.encoding.conditions.action_of_input
        taken = dict(
            action_of[number] for number, variable in actions.items() if self.clauses.holds(variable)
        )
        return tuple(taken.get(agent.name) for agent in self.layout.system.agents)
