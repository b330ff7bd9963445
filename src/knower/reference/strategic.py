"""What a coalition can enforce: the four readings of docs/logics.md."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from knower.limits import Budget
from knower.logic.goal import Goal
from knower.reference.digraph import Digraph
from knower.reference.knowledge import Confusion
from knower.system.explicit import Observation
from knower.system.expressions import JointAction

States = frozenset[int]
#: Member and observation -> action.
Strategy = dict[tuple[str, Observation], str]


class Games:
    """The coalition's moves inside the states `S`."""

    def __init__(self, confusion: Confusion, fairness: Sequence[States], budget: Budget) -> None:
        self.space = confusion.space
        self.universe = confusion.universe
        self.fairness = fairness
        self.budget = budget
        self.confusion = confusion
        self._choices: dict[tuple[tuple[str, ...], int], dict[JointAction, States]] = {}

    def choices(self, members: tuple[str, ...], number: int) -> dict[JointAction, States]:
        """Each joint choice of the members in a state, with where it may lead inside `S`."""
        key = members, number
        if key not in self._choices:
            self.budget.tick()
            table = self.space.coalition_moves(number, members)
            self._choices[key] = {choice: frozenset(after) & self.universe for choice, after in table.items()}
        return self._choices[key]

    def outcomes(self, members: tuple[str, ...]) -> dict[int, list[States]]:
        """For each state, for each joint choice of the members: where it may lead inside `S`."""
        return {number: list(self.choices(members, number).values()) for number in self.universe}


# -- 1. objective -----------------------------------------------------------------------------------


def force(games: Games, members: tuple[str, ...], goal: States) -> States:
    """`pre(Γ, X)`: some choice of Γ leads into X and cannot lead into `S` outside X."""
    table = games.outcomes(members)
    return frozenset(s for s, choices in table.items() if any(after and after <= goal for after in choices))


def objective(games: Games, members: tuple[str, ...], goal: Goal[States]) -> States:
    """The least (weak: greatest) Z with Z = end or (hold and pre(Γ, Z)); soon: pre(Γ, end)."""
    if goal.soon:
        return force(games, members, goal.end)
    if goal.weak:
        return _trapped(games, members, goal)
    return _attracted(games, members, goal)


def _attracted(games: Games, members: tuple[str, ...], goal: Goal[States]) -> States:
    """The least fixpoint: a state joins when one of its choices leads only into Z."""
    table = games.outcomes(members)
    missing = {(s, k): len(after) for s in goal.hold for k, after in enumerate(table[s]) if after}
    entering = _entering(table, missing)
    reached, todo = set(goal.end), list(goal.end)
    while todo:
        games.budget.tick()
        for state, choice in entering.get(todo.pop(), ()):
            missing[state, choice] -= 1
            if missing[state, choice] == 0 and state not in reached:
                reached.add(state)
                todo.append(state)
    return frozenset(reached)


def _trapped(games: Games, members: tuple[str, ...], goal: Goal[States]) -> States:
    """The greatest fixpoint: a state leaves when each of its choices may lead out of Z."""
    table = games.outcomes(members)
    safe = {(s, k): 1 for s in goal.hold for k, after in enumerate(table[s]) if after and s not in goal.end}
    entering = _entering(table, safe)
    left = {s: sum((s, k) in safe for k in range(len(table[s]))) for s in goal.hold - goal.end}
    out = list(games.universe - goal.hold - goal.end) + [s for s, choices in left.items() if not choices]
    gone = set(out)
    while out:
        games.budget.tick()
        for state, choice in entering.get(out.pop(), ()):
            if safe.pop((state, choice), None):
                left[state] -= 1
                if not left[state] and state not in gone:
                    gone.add(state)
                    out.append(state)
    return games.universe - gone


#: A state and the place of one of the coalition's choices there.
Choice = tuple[int, int]


def _entering(table: dict[int, list[States]], choices: Iterable[Choice]) -> dict[int, list[Choice]]:
    """For each state the choices that may lead into it."""
    found: dict[int, list[Choice]] = {}
    for state, choice in choices:
        for after in table[state][choice]:
            found.setdefault(after, []).append((state, choice))
    return found


# -- 2. objective-fair --------------------------------------------------------------------------------


def opponents_pre(games: Games, members: tuple[str, ...], goal: States) -> States:
    """States where whatever Γ chooses, the others can lead into X."""
    table = games.outcomes(members)
    return frozenset(s for s, choices in table.items() if choices and all(after & goal for after in choices))


def opponents_win(games: Games, members: tuple[str, ...], stay: States, win: States) -> States:
    """Where the others can bring about an infinite fair outcome inside `stay`, or reach `win`.

    The greatest Z such that from Z they can, for each constraint c, force `win` or
    (inside `stay`) a state of c from which they can force Z again.
    """
    now = stay | win
    constraints = games.fairness or [games.universe]
    while True:
        games.budget.check()
        after = now
        for constraint in constraints:
            again = win | (stay & constraint & opponents_pre(games, members, now))
            reach = again
            while True:
                more = again | (stay & opponents_pre(games, members, reach))
                if more == reach:
                    break
                reach = more
            after &= reach
        if after == now:
            return now
        now = after


def fair_outcomes(games: Games, members: tuple[str, ...]) -> States:
    """Where Γ cannot prevent every fair outcome."""
    return opponents_win(games, members, games.universe, frozenset())


def objective_fair(games: Games, members: tuple[str, ...], goal: Goal[States]) -> States:
    """Γ has a strategy all of whose fair outcomes satisfy the goal: the others cannot opponents_win it.

    They opponents_win it by leaving `hold` outside `end` where a fair outcome can be had, or (unless the
    goal is weak) by staying in `hold` fairly for ever. Memoryless strategies suffice on both sides
    that matter: Γ's objective is a disjunction of co-Büchi conditions and a reachability.
    """
    if goal.soon:
        return games.universe - opponents_pre(games, members, fair_outcomes(games, members) - goal.end)
    broken = fair_outcomes(games, members) - goal.hold - goal.end
    stay = goal.hold - goal.end
    if goal.weak:
        spoilt = broken
        while (more := broken | (stay & opponents_pre(games, members, spoilt))) != spoilt:
            spoilt = more
        return games.universe - spoilt
    return games.universe - opponents_win(games, members, stay, broken)


# -- 3. uniform -----------------------------------------------------------------------------------------


def uniform(games: Games, members: tuple[str, ...], goal: Goal[States]) -> States:
    """The states `s` such that one uniform strategy wins from there and from all look-alikes.

    Strategies are enumerated. Each is judged by its play, unless that meets an observation for which no
    action is chosen yet.
    """
    answers: dict[States, bool] = {}
    won: set[int] = set()
    for number in games.universe:
        start = games.confusion.somebody(members, number)
        if start not in answers:
            answers[start] = winning(games, members, start, goal) is not None
        if answers[start]:
            won.add(number)
    return frozenset(won)


def winning(games: Games, members: tuple[str, ...], start: States, goal: Goal[States]) -> Strategy | None:
    """A strategy that wins from the states, found by deciding one more observation at a time."""
    todo: list[Strategy] = [{}]
    while todo:
        games.budget.tick()
        game = Game(games, members, start, todo.pop())
        judgement = game.is_won(goal)
        if judgement:
            return game.strategy
        if judgement is None:
            todo += game.extensions()
    return None


#: Before the first step of `X`; the goal is open; the goal is broken.
_FIRST, _OPEN, _BROKEN = 0, 1, 2


class Game:
    """One strategy and the play it allows."""

    def __init__(self, games: Games, members: tuple[str, ...], start: States, strategy: Strategy) -> None:
        self.games = games
        self.members = members
        self.start = start
        self.strategy = strategy
        self.undecided: tuple[str, int] | None = None

    def extensions(self) -> Iterator[Strategy]:
        """The strategies that decide one more observation: that of a member in a state just met."""
        assert self.undecided is not None
        name, number = self.undecided
        explicit, state = self.games.space.explicit, self.games.space.states[number]
        # Nothing is enabled where only the self-loop of a deadlock is left: then any action will do.
        enabled = explicit.enabled(name, state) or explicit.system.agent_named[name].actions
        for action in enabled:
            yield {**self.strategy, (name, explicit.sees(name, state)): action}

    def after(self, number: int) -> States | None:
        """Where the strategy may lead from a state inside `S`; None while it is undecided."""
        explicit, state = self.games.space.explicit, self.games.space.states[number]
        choice: list[str | None] = []
        for name in self.members:
            if not explicit.system.agent_named[name].actions:
                choice.append(None)
                continue
            key = name, explicit.sees(name, state)
            if key not in self.strategy:
                self.undecided = name, number
                return None
            choice.append(self.strategy[key])
        return self.games.choices(self.members, number).get(tuple(choice), frozenset())

    def is_won(self, goal: Goal[States]) -> bool | None:
        """Whether all (fair) outcomes satisfy the goal; every state met must have a way on."""
        if self.games.fairness:
            return self._fairly(goal, _FIRST if goal.soon else _OPEN)
        return self._enters(goal.end) if goal.soon else self._surely(goal)

    def _enters(self, end: States) -> bool | None:
        """Without fairness: whether every next state lies in `end`."""
        for number in self.start:
            after = self.after(number)
            if after is None:
                return None
            if not after or not after <= end:
                return False
        return True

    def _surely(self, goal: Goal[States]) -> bool | None:
        """Without fairness: no way out of `hold`, no dead end, and no cycle unless weak."""
        edges: dict[int, States] = {}
        todo = [number for number in self.start if number not in goal.end]
        while todo:
            number = todo.pop()
            if number in edges:
                continue
            if number not in goal.hold:
                return False
            after = self.after(number)
            if after is None:
                return None
            if not after:
                return False
            edges[number] = after - goal.end
            todo += edges[number]
        return goal.weak or not _infinite(edges, self.games.budget)

    def _fairly(self, goal: Goal[States], phase: int) -> bool | None:
        """With fairness: no fair outcome violates the goal, and no dead end while it is undecided.

        A position is a state and a phase: when the goal is broken, what follows matters only for
        whether the outcome is fair.
        """
        edges: dict[tuple[int, int], list[tuple[int, int]]] = {}
        todo = [(number, phase) for number in self.start]
        while todo:
            position = todo.pop()
            if position in edges:
                continue
            number, now = position
            if now == _OPEN and number in goal.end:
                edges[position] = []
                continue
            after = self.after(number)
            if after is None:
                return None
            kept = now == _FIRST or (now == _OPEN and number in goal.hold)
            if kept and not after:
                return False
            edges[position] = [(following, _OPEN if kept else _BROKEN) for following in after]
            todo += edges[position]
        return not self._violated(edges, goal, phase)

    def _violated(
        self, edges: dict[tuple[int, int], list[tuple[int, int]]], goal: Goal[States], phase: int
    ) -> bool:
        """Whether some fair outcome breaks the goal, or (unless it is weak) never reaches its end."""
        place = {position: k for k, position in enumerate(edges)}
        graph = Digraph([[place[p] for p in after] for after in edges.values()], budget=self.games.budget)
        bad = frozenset(k for (_, now), k in place.items() if now == _BROKEN or not goal.weak)
        fair = [frozenset(k for (s, _), k in place.items() if s in c) for c in self.games.fairness]
        violations = graph.until(graph.nodes, graph.always(bad, fair))
        return any(place[number, phase] in violations for number in self.start)


def _infinite(edges: dict[int, States], budget: Budget) -> bool:
    """Whether an infinite path leads through these states."""
    place = {number: k for k, number in enumerate(edges)}
    graph = Digraph([[place[n] for n in after] for after in edges.values()], budget=budget)
    return bool(graph.always(graph.nodes))
