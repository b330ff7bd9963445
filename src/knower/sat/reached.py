"""Questions about one path that ends and about single states: each step is added once, and asked once."""

from __future__ import annotations

from knower.functions.circuit import TRUE, Literal
from knower.logic import formula as f
from knower.logic.formula import Formula
from knower.logic.kinds import is_propositional
from knower.records import dataclass
from knower.sat.context import BmcContext
from knower.sat.lifting import Cube
from knower.sat.machine import Spelling
from knower.sat.solver import Lit
from knower.sat.unfolding import Moment
from knower.verdict.evidence import Case, Fact, Joint, PathProof, Run


@dataclass(frozen=True)
class Reach:
    """A state of `goal` after `least` steps or more (just so many, if it is not `open`), `hold` before."""

    hold: Formula
    goal: Formula
    least: int = 0
    open: bool = True


def reach_of(formula: Formula) -> Reach | None:
    """What a formula asks of one path that ends, if that is all it asks, and of single states."""
    match formula:
        case f.EF(goal) if is_propositional(goal):
            return Reach(f.TRUE, goal)
        case f.EU(hold, goal) if is_propositional(hold) and is_propositional(goal):
            return Reach(hold, goal)
        case f.EX(goal) if is_propositional(goal):
            return Reach(f.TRUE, goal, 1, open=False)
        case _ if is_propositional(formula):
            return Reach(f.TRUE, formula, open=False)
        case _:
            return None


class Reached:
    """Whether a state can be reached, by the path that all such questions share."""

    def __init__(self, context: BmcContext, formula: Formula, reach: Reach) -> None:
        self.context = context
        self.formula = formula
        self.reach = reach
        self.unfolding = context.unfolding
        self._hold: Literal = context.stamps.circuit(reach.hold)
        self._goal: Literal = context.stamps.circuit(reach.goal)
        self._spelling = Spelling(context.stamps.encoding)
        self._mine: Lit = self.unfolding.clauses.fresh()
        self._asked, self._found = reach.least, -1

    def shown(self, steps: int) -> bool:
        """Whether paths of at most so many steps show it, at some initial state that is not left out."""
        last = steps if self.reach.open else min(steps, self.reach.least)
        while self._asked <= last:
            if self.unfolding.clauses.solve(self._assumed(self._asked)):
                self._found = self._asked
                return True
            self._asked += 1
        return False

    def _assumed(self, steps: int) -> list[Lit]:
        path = self.unfolding
        here = [path.reaches(steps), path.so_far(self._hold, steps), path.at(steps, self._goal)]
        return [self._mine, *here]

    def leave_out(self, cube: Cube) -> None:
        """From now on it is to be shown at initial states outside of a cube."""
        code = self.unfolding.code(0, cube)
        self.unfolding.clauses.add((-self._mine, *(-literal for literal in code)))

    def is_left(self) -> bool:
        """Whether there are initial states that are not left out."""
        return bool(self.unfolding.clauses.solve([self._mine, self.unfolding.reaches(0)]))

    def is_exhausted(self, steps: int) -> bool:
        """Whether longer paths cannot show more than those of so many steps."""
        if not self.reach.open:
            return steps >= self.reach.least
        return self.context.loopfree.longest_from_start(steps)

    def close(self) -> None:
        self.unfolding.clauses.add((-self._mine,))

    # -- what was found ---------------------------------------------------------------------------------

    def beginnings(self) -> Cube:
        """Initial states (others too, perhaps) that all have the steps found last, which lead to the goal."""
        path = self.unfolding.found(self._found)
        lifting, hold = self.context.lifting, [] if self._hold == TRUE else [self._hold]
        cube = lifting.to(path[-1].bits, {}, [self._goal])
        for moment in reversed(path[:-1]):
            cube = lifting.to_step(moment.bits, moment.inputs, cube, *hold)
        return cube

    def case(self) -> Case:
        """Why, by the path found last."""
        path = self.unfolding.found(self._found)
        states = tuple(self._spelling.state(moment.bits) for moment in path)
        if is_propositional(self.formula):
            return Case(Run(states, (), None, 0), Fact(states[0], self.formula))
        joints = tuple(map(self._joint, range(self._found), path))
        run = Run(states, joints, None, self._found)
        return Case(Run(states[:1], (), None, 0), PathProof(states[0], self.formula, run))

    def _joint(self, place: int, moment: Moment) -> Joint:
        """What was done; nothing, where a deadlock has a step to itself."""
        if self.context.loops:
            stuck = self.unfolding.at(place, self.context.stamps.relation.stuck)
            if self.unfolding.clauses.holds(stuck):
                return ()
        return self._spelling.joint(number for number, value in moment.inputs.items() if value)
