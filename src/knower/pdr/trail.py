"""Frames of IC3: for each number of steps, cubes of states that cannot be reached so soon.

They are of one copy of the state, whatever is asked: frame 0 holds the initial states, frame `i` every state
that `i` steps reach, and excludes the cubes kept at `i` and above. What is kept is true of the machine, not
of a question: the next question about the same machine begins with it.

Bradley, SAT-based model checking without unrolling (VMCAI 2011); Een, Mishchenko, Brayton, Efficient
implementation of property directed reachability (FMCAD 2011); Hassan, Bradley, Somenzi, Better
generalization in IC3 (FMCAD 2013).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from heapq import heappop, heappush
from itertools import count

from knower.pdr.consecution import ALWAYS, Consecution
from knower.pdr.cubes import Bit, Cube, cube_of, values_of
from knower.pdr.starts import Starts
from knower.records import dataclass
from knower.sat.lifting import Lifting
from knower.sat.machine import Machine
from knower.sat.solver import Clauses

#: How many states that stand in the way of a smaller clause are excluded first, how deep in one another, and
#: how many attempts to leave a bit out may fail in a row.
_IN_THE_WAY, _DEPTH, _FAILURES = 3, 1, 6
#: It is given up to exclude such states if that has helped less than once in so many times.
_TRIALS, _RATE = 100, 20


@dataclass(frozen=True, slots=True)
class Moment:
    """A reachable state by its bits, the inputs taken there, and what came before."""

    bits: dict[int, bool]
    before: Moment | None = None
    inputs: dict[int, bool] | None = None

    @property
    def path(self) -> list[Moment]:
        """From the start to here; inputs are those by which a state was reached."""
        found: list[Moment] = []
        here: Moment | None = self
        while here is not None:
            found.append(here)
            here = here.before
        return found[::-1]


@dataclass(frozen=True, slots=True, eq=False)
class _Obligation:
    """A cube all of whose states step, by inputs, into the cube of another."""

    cube: Cube
    inputs: dict[int, bool]
    after: _Obligation | None


class Trail:
    """The frames of a machine, from `F[0]` to the `top`."""

    def __init__(self, machine: Machine, clauses: Callable[[], Clauses]) -> None:
        self.machine = machine
        self.top = 0
        self.levels: list[dict[Cube, None]] = [{}]
        self.proved: dict[Cube, None] = {}
        self.starts = Starts(machine, clauses)
        self.lifting = Lifting(machine, clauses)
        self.listeners: list[Callable[[Cube, int], None]] = []
        self._steps = Consecution(machine, clauses)
        self._reached: list[Moment] = []
        self._uses: Counter[Bit] = Counter()
        self._tick = count()
        self._helpful = self._hindered = 0

    # -- what is known ----------------------------------------------------------------------------------

    @property
    def blocked(self) -> Iterator[tuple[Cube, int]]:
        """All cubes that are kept, with their levels."""
        yield from ((cube, ALWAYS) for cube in self.proved)
        for level, cubes in enumerate(self.levels):
            yield from ((cube, level) for cube in cubes)

    def _is_blocked(self, cube: Cube, level: int) -> bool:
        kept = (self.proved, *self.levels[level:])
        return any(each <= cube for cubes in kept for each in cubes)

    def _block(self, cube: Cube, level: int) -> None:
        for cubes in self.levels[1 : level + 1]:
            for each in [each for each in cubes if cube <= each]:
                del cubes[each]
        self.levels[level][cube] = None
        self._uses.update(cube)
        self._add(cube, level)

    def _add(self, cube: Cube, level: int) -> None:
        self._steps.block(cube, level)
        for listener in self.listeners:
            listener(cube, level)

    # -- whether a cube is reached ----------------------------------------------------------------------

    def reached(self, cube: Cube) -> Moment | None:
        """A state of the cube that is reached by as many steps as there are frames; None: there is none."""
        values = values_of(cube)
        for moment in self._reached:
            if all(moment.bits[number] == value for number, value in values.items()):
                return moment
        return self._searched(_Obligation(cube, {}, None))

    def _searched(self, goal: _Obligation) -> Moment | None:
        queue: list[tuple[int, int, _Obligation]] = []

        def push(level: int, obligation: _Obligation) -> None:
            heappush(queue, (level, next(self._tick), obligation))

        push(self.top, goal)
        while queue:
            level, _, obligation = heappop(queue)
            if self.starts.meets(obligation.cube):
                return self._followed(obligation)
            if level == 0 or self._is_blocked(obligation.cube, level):
                continue
            part = self._excluded(obligation.cube, level)
            if part is None:
                push(level - 1, self._before(obligation))
                push(level, obligation)
                continue
            last = self._push(self._generalised(part, level), level)
            if last < self.top:
                push(last + 1, obligation)
        return None

    def _excluded(self, cube: Cube, level: int, *, apart: bool = True) -> Cube | None:
        """A part of the cube that, by the frame before, no step leads into; it has no initial states."""
        self._steps.renewed(self.blocked)
        part = self._steps.excluded(cube, level - 1, self.top, apart=apart)
        return None if part is None else self.starts.beside(part, cube)

    def _before(self, obligation: _Obligation) -> _Obligation:
        """The states that all step where the one just found does."""
        bits, inputs = self._steps.found()
        lifted = self.lifting.to_step(bits, inputs, values_of(obligation.cube))
        return _Obligation(cube_of(lifted), inputs, obligation)

    def _followed(self, first: _Obligation) -> Moment:
        """A path from an initial state, by the inputs of the obligations; its states are remembered."""
        moment = Moment(self.starts.state(first.cube))
        self._reached.append(moment)
        at: _Obligation = first
        while at.after is not None:
            bits = self._steps.successor(cube_of(moment.bits), sorted(cube_of(at.inputs)))
            moment = Moment(bits, moment, at.inputs)
            self._reached.append(moment)
            at = at.after
        return moment

    # -- smaller cubes exclude more ---------------------------------------------------------------------

    def _generalised(self, cube: Cube, level: int, depth: int = 0) -> Cube:
        """A part of a cube that can be excluded from a frame as well; bits seldom used are left out first."""
        failures = 0
        for bit in sorted(cube, key=lambda bit: (self._uses[bit], bit)):
            if bit not in cube or len(cube) == 1:
                continue
            smaller = self._down(cube - {bit}, level, cube, depth)
            failures = 0 if smaller is not None else failures + 1
            cube = cube if smaller is None else smaller
            if failures > _FAILURES:
                break
        return cube

    def _down(self, cube: Cube, level: int, whole: Cube, depth: int) -> Cube | None:
        """A part of the cube that can be excluded; what stands in the way is excluded too, or joined."""
        in_the_way = 0
        while not self.starts.meets(cube):
            part = self._excluded(cube, level)
            if part is not None:
                self._helpful += in_the_way > 0
                return part
            bits, inputs = self._steps.found()
            if level > 1 and depth < _DEPTH and in_the_way < self._patience:
                in_the_way += 1
                state = cube_of(self.lifting.to_step(bits, inputs, values_of(cube)))
                if self._give_way(state, level - 1, depth):
                    continue
            in_the_way, cube = 0, cube & cube_of(bits)
            if not cube:
                return None
        return None

    @property
    def _patience(self) -> int:
        """How many states in the way are excluded: few, if that has hardly ever helped."""
        self._hindered += 1
        return _IN_THE_WAY if self._hindered < _TRIALS or self._hindered < _RATE * self._helpful else 0

    def _give_way(self, state: Cube, level: int, depth: int) -> bool:
        """Whether a state that steps into a cube can be excluded from the frame before."""
        if self.starts.meets(state):
            return False
        part = self._excluded(state, level)
        if part is None:
            return False
        self._push(self._generalised(part, level, depth + 1), level)
        return True

    def _push(self, cube: Cube, level: int) -> int:
        """Exclude a cube from as many frames as can be; the last of them."""
        while level < self.top and self._excluded(cube, level + 1) is not None:
            level += 1
        self._block(cube, level)
        return level

    # -- one frame more ---------------------------------------------------------------------------------

    def grow(self) -> bool:
        """One frame more; whether two are equal, so that what they exclude is never reached."""
        self.top += 1
        while len(self.levels) <= self.top:
            self.levels.append({})
        for level in range(1, self.top):
            for cube in list(self.levels[level]):
                if cube in self.levels[level] and self._excluded(cube, level + 1, apart=False) is not None:
                    del self.levels[level][cube]
                    self._block(cube, level + 1)
            if not self.levels[level]:
                self._settle(level + 1)
                return True
        return False

    def _settle(self, level: int) -> None:
        """What is kept from a level on is so for ever."""
        for cubes in self.levels[level:]:
            for cube in list(cubes):
                self.proved[cube] = None
                self._add(cube, ALWAYS)
            cubes.clear()
