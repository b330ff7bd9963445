"""What denies a universal formula, as bad states of a machine that can be looked for.

Chain      a path, of states that satisfy propositions, to a last one where knowledge may be denied too
Problem    a machine, and a circuit over copies of its state that says what is bad
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from knower.errors import unsupported
from knower.functions.circuit import Literal
from knower.logic import formula as f
from knower.logic.fold import subformulas
from knower.logic.formula import Formula
from knower.logic.fragment import operator_name
from knower.logic.kinds import is_propositional
from knower.pdr.tableau import Automaton, Edge, automaton_of
from knower.records import dataclass
from knower.sat.frames import Stamps
from knower.sat.machine import COPY, Machine
from knower.sat.programs import Track, track_of
from knower.sat.relation import substituted

#: The inputs of phases and of the choice of an edge have numbers from here on.
_PHASES, _EDGES = 1 << 33, 1 << 34
_MOST_COPIES = 64
_TEMPORAL = f.EX | f.EF | f.EG | f.EU | f.ER | f.EW | f.E
_DOUBTS = f.M | f.MGK | f.MDK | f.P


@dataclass(frozen=True, slots=True)
class Chain:
    """A path formula, and whether it speaks of a path that ends where nothing is owed any more.

    `exact`: the formula it was made of is so iff this is; else it only follows from that.
    """

    path: Formula
    ends: bool
    exact: bool = True


def is_temporal(formula: Formula) -> bool:
    return any(isinstance(item, _TEMPORAL) for item in subformulas(formula))


def chains(denied: Formula) -> list[Chain]:
    """An existential formula as a disjunction of paths from an initial state."""
    if not is_temporal(denied):
        weak = any(isinstance(item, f.MGCK) for item in subformulas(denied))
        return _elsewhere(denied) if weak else [Chain(denied, ends=True)]
    match denied:
        case f.Or(left, right):
            return [*chains(left), *chains(right)]
        case f.And(left, right) if is_propositional(left):
            return [_after(f.And, left, chain) for chain in chains(right)]
        case f.And(left, right) if is_propositional(right):
            return [_after(f.And, right, chain) for chain in chains(left)]
        case f.EX(sub):
            return [Chain(f.X(each.path), each.ends, each.exact) for each in chains(sub)]
        case f.EF(sub):
            return [Chain(f.F(each.path), each.ends, each.exact) for each in chains(sub)]
        case f.EU(hold, goal) if is_propositional(hold):
            return [_after(f.U, hold, chain) for chain in chains(goal)]
        case f.EG(hold) if is_propositional(hold):
            return [Chain(f.G(hold), ends=False)]
        case f.ER(goal, hold) if is_propositional(hold):
            return [*chains(f.EU(hold, f.And(hold, goal))), *chains(f.EG(hold))]
        case f.EW(hold, goal) if is_propositional(hold) and is_propositional(goal):
            return [*chains(f.EU(hold, goal)), *chains(f.EG(hold))]
        case f.E(path):
            return [Chain(_as_one(path), ends=False)]
        case f.M() | f.MGK() | f.MDK() | f.MGCK() | f.P():
            return _elsewhere(denied)
        case _:
            raise unsupported(f"the method pdr follows one path, and `{_name(denied)}` needs several")


def _as_one(path: Formula) -> Formula:
    """A path, and one that begins on it, as one path: it may go on as the other does."""
    match path:
        case f.X(f.E(rest)):
            return f.X(_as_one(rest))
        case f.F(f.E(rest)):
            return f.F(_as_one(rest))
        case f.U(hold, f.E(rest)):
            return f.U(hold, _as_one(rest))
        case f.Diamond(program, f.E(rest)):
            return f.Diamond(program, _as_one(rest))
        case f.Box(f.Letter(f.Constant(True)), f.E(rest)):
            return f.X(_as_one(rest))
        case _:
            return path


def _after(operator: type[f.And | f.U], hold: Formula, chain: Chain) -> Chain:
    return Chain(operator(hold, chain.path), chain.ends, chain.exact)


def _name(formula: Formula) -> str:
    return "and" if isinstance(formula, f.And) else operator_name(formula)


def _elsewhere(denied: Formula) -> list[Chain]:
    """That some reachable state is so, which is less than what is said: that it is confused with this one."""
    found = next(item for item in subformulas(denied) if isinstance(item, _DOUBTS | f.MGCK))
    if found is not denied or isinstance(found.sub, f.MGCK):
        raise unsupported(
            f"the method pdr does not follow `{operator_name(found)}` inside other operators here"
        )
    return [Chain(f.F(each.path), each.ends, exact=False) for each in chains(found.sub)]


# -- bad states -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Problem:
    """Whether states that are `bad` together, one of each copy, can be reached by steps of a machine.

    `plain`: the machine is the system itself, without phases.
    """

    machine: Machine
    bad: Literal
    copies: int = 1
    plain: bool = False


class Doubts:
    """Circuits that say something of a state by other reachable states, which agents confuse with it."""

    def __init__(self, stamps: Stamps) -> None:
        self.stamps = stamps
        self.circuits = stamps.encoding.circuits
        self.copies = 1

    def of(self, formula: Formula, copy: int = 0) -> Literal:
        """A formula of one copy of the state; those it needs beside are taken from here on."""
        if is_propositional(formula):
            return self.copied(self.stamps.circuit(formula), copy)
        match formula:
            case f.And(left, right):
                return self.circuits.conj(self.of(left, copy), self.of(right, copy))
            case f.Or(left, right):
                return self.any([left, right], copy)
            case f.M(agent, sub):
                return self._beside(sub, lambda there: self._alike((agent,), copy, there))
            case f.MDK(group, sub):
                members = f.members_of(group)
                return self._beside(sub, lambda there: self._alike(members, copy, there))
            case f.MGK(group, sub):
                members = f.members_of(group)
                return self._beside(
                    sub, lambda there: self.circuits.any(self._alike((who,), copy, there) for who in members)
                )
            case f.P(agent, sub):
                green = self.stamps.circuit(f.Green(agent))
                return self._beside(sub, lambda there: self.copied(green, there))
            case _:
                raise unsupported(f"the method pdr does not decide `{operator_name(formula)}` here")

    def any(self, formulas: Iterable[Formula], copy: int = 0) -> Literal:
        """One of several formulas: the states beside that one of them needs stand for those of another."""
        first, most, found = self.copies, self.copies, list[Literal]()
        for each in formulas:
            self.copies = first
            found.append(self.of(each, copy))
            most = max(most, self.copies)
        self.copies = most
        return self.circuits.any(found)

    def _beside(self, sub: Formula, link: Callable[[int], Literal]) -> Literal:
        there, self.copies = self.copies, self.copies + 1
        if self.copies > _MOST_COPIES:
            raise unsupported(f"more than {_MOST_COPIES} states would have to be looked at together")
        return self.circuits.conj(link(there), self.of(sub, there))

    def _alike(self, agents: tuple[str, ...], one: int, other: int) -> Literal:
        layout, circuits = self.stamps.encoding.layout, self.circuits
        seen = sorted({bit for agent in agents for bit in layout.seen_by(agent)})
        return circuits.all(
            circuits.same(circuits.input(bit + one * COPY), circuits.input(bit + other * COPY))
            for bit in seen
        )

    def copied(self, literal: Literal, copy: int) -> Literal:
        """A circuit of another copy of the state."""
        if copy == 0:
            return literal
        inputs = self.circuits.support(literal)
        return substituted(self.circuits, literal, {n: self.circuits.input(n + copy * COPY) for n in inputs})


# -- machines with phases -------------------------------------------------------------------------------


class Phases:
    """A machine that follows an automaton: a bit for each location, and inputs that choose an edge."""

    def __init__(self, stamps: Stamps, machine: Machine, track: Track, automaton: Automaton) -> None:
        self.stamps = stamps
        self.machine = machine
        self.circuits = machine.circuits
        self._track = track
        self._automaton = automaton
        self._going = [edge for edge in automaton.edges if edge.target is not None]
        self._bits = [self.circuits.input(_PHASES + 2 * k) for k in range(automaton.locations)]
        self._roams = self.circuits.input(_PHASES + 2 * automaton.locations)

    def ending(self) -> Problem:
        """Bad is to be where nothing is owed any more."""
        doubts = Doubts(self.stamps)
        last = [edge for edge in self._automaton.edges if edge.target is None]
        only = self._is_idle
        guards = [self._last(edge, doubts, alone=only) for edge in last]
        bad = self.circuits.any(guards)
        if only:
            return Problem(self.machine, bad, doubts.copies, plain=True)
        return Problem(self._followed(roams=doubts.copies > 1), bad, doubts.copies)

    def _last(self, edge: Edge, doubts: Doubts, *, alone: bool) -> Literal:
        meanings = [self._track.meaning.get(name, name) for name in edge.names]
        whole = self.circuits.all(doubts.of(meaning) for meaning in meanings)
        return whole if alone else self.circuits.conj(self._bits[edge.source], whole)

    @property
    def _is_idle(self) -> bool:
        """Whether all states are looked at, so that no phase is needed."""
        going = self._going
        return self._automaton.locations == 1 and len(going) == 1 and not going[0].names

    @property
    def is_finite(self) -> bool:
        """Whether every path comes to where nothing is owed any more."""
        return self._automaton.is_finite

    @property
    def is_propositional(self) -> bool:
        """Whether all that a path must fulfil can be seen in its states."""
        names = {name for edge in self._automaton.edges for name in edge.names}
        return all(is_propositional(self._track.meaning.get(name, name)) for name in names)

    @property
    def for_ever(self) -> Phases:
        """The same for paths that go on where nothing is owed any more."""
        return Phases(self.stamps, self.machine, self._track, self._automaton.for_ever)

    def followed(self) -> Machine:
        """The machine of a path that goes on."""
        return self._followed(roams=False)

    # -- edges ------------------------------------------------------------------------------------------

    def _followed(self, *, roams: bool) -> Machine:
        """The machine with its phases; one copy of the state may roam without following anything."""
        taken = self._taken
        allowed = [
            self.circuits.all([taken[k], self._bits[edge.source], *map(self._guard, edge.names)])
            for k, edge in enumerate(self._going)
        ]
        nexts = [self._arrives(taken, place) for place in range(self._automaton.locations)]
        bits, begun = list(self._bits), self._alone(self._bits[0])
        if roams:
            allowed.append(self._roams)
            nexts = [self.circuits.conj(each, self._roams ^ 1) for each in nexts]
            bits, nexts = [*bits, self._roams], [*nexts, self._roams]
            begun = self.circuits.disj(self.circuits.conj(begun, self._roams ^ 1), self._alone(self._roams))
        numbers = tuple(self.circuits.gate(bit >> 1)[1][0] for bit in bits)
        machine = self.machine
        return Machine(
            self.circuits,
            (*machine.bits, *numbers),
            (*machine.nexts, *nexts),
            self.circuits.conj(machine.allowed, self.circuits.any(allowed)),
            self.circuits.conj(machine.initial, begun),
        )

    def _alone(self, bit: Literal) -> Literal:
        return self.circuits.all(each if each == bit else each ^ 1 for each in [*self._bits, bit])

    @property
    def guards(self) -> tuple[Literal, ...]:
        """What a path that goes on looks at."""
        return tuple(self._guard(name) for edge in self._going for name in edge.names)

    def _guard(self, name: Formula) -> Literal:
        meaning = self._track.meaning.get(name, name)
        if not is_propositional(meaning):
            raise unsupported("on a path, the method pdr asks for knowledge in its last state only")
        return self.stamps.circuit(meaning)

    def _arrives(self, taken: list[Literal], place: int) -> Literal:
        return self.circuits.any(taken[k] for k, edge in enumerate(self._going) if edge.target == place)

    @property
    def _taken(self) -> list[Literal]:
        """That each edge is taken, by inputs that are its number."""
        width = max(1, (len(self._going) - 1).bit_length())
        inputs = [self.circuits.input(_EDGES + 2 * k) for k in range(width)]
        return [
            self.circuits.all(bit if number >> k & 1 else bit ^ 1 for k, bit in enumerate(inputs))
            for number in range(len(self._going))
        ]

    @property
    def marks(self) -> Literal:
        """What a path that goes on must meet for ever."""
        taken = self._taken
        return self.circuits.any(taken[k] for k, edge in enumerate(self._going) if edge.marked)


def phases_of(stamps: Stamps, machine: Machine, path: Formula) -> Phases:
    """A machine that follows a path formula."""
    track = track_of(path)
    return Phases(stamps, machine, track, automaton_of(track))


def at_start(stamps: Stamps, machine: Machine, denied: Formula) -> Problem:
    """A formula about the initial states themselves: they are reached, whatever else is."""
    doubts = Doubts(stamps)
    bad = stamps.encoding.circuits.conj(stamps.encoding.initial, doubts.of(denied))
    return Problem(machine, bad, doubts.copies, plain=True)
