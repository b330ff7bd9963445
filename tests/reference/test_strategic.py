"""The strategic checkers against brute force: every strategy, one by one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod

from hypothesis import assume, given
from hypothesis import strategies as st

from engines import Asker
from knower.limits import Budget
from knower.logic import formula as f
from knower.logic.goal import Goal
from knower.logic.language import Specification
from knower.options import AtlReading, Reading
from knower.reference.digraph import Digraph
from knower.reference.evaluate import Evaluator
from knower.reference.space import explore
from knower.reference.strategic import (
    Games,
    force,
    objective,
    objective_fair,
    uniform,
)
from knower.reference.uniform_models import _Table
from strategies import cases, modules
from worlds import States, explored, state_sets, worlds

MOST_STRATEGIES = 3000


@st.composite
def questions(draw: st.DrawFn) -> tuple[Evaluator, tuple[str, ...], Goal]:
    here = draw(worlds())
    names = [agent.name for agent in here.space.explicit.system.agents]
    members = tuple(draw(st.lists(st.sampled_from(names), min_size=1, max_size=2, unique=True)))
    hold, end = draw(state_sets(here.universe)), draw(state_sets(here.universe))
    kind = draw(st.sampled_from("FGU"))
    goals = {"F": Goal(here.universe, end), "G": Goal(hold, frozenset(), weak=True), "U": Goal(hold, end)}
    return here, members, goals[kind]


def strategies(games: Games, members: tuple[str, ...]) -> Iterator[dict[int, States]]:
    """Every memoryless strategy with full observation: state -> where it may lead."""
    table = games.outcomes(members)
    free = {state: choices for state, choices in table.items() if choices}
    assume(prod(len(choices) for choices in free.values()) <= MOST_STRATEGIES)
    for picked in product(*free.values()):
        yield {**dict.fromkeys(games.universe, frozenset()), **dict(zip(free, picked, strict=True))}


def play(games: Games, strategy: dict[int, States]) -> Digraph:
    size = max(games.universe) + 1
    return Digraph([strategy.get(k, ()) for k in range(size)], games.universe)


@cases(100)
@given(questions())
def test_objective_is_what_some_memoryless_strategy_surely_achieves(question):
    here, members, goal = question
    won: set[int] = set()
    for strategy in strategies(here.games, members):
        now = goal.hold | goal.end if goal.weak else goal.end
        while True:
            onward = {s for s in goal.hold if strategy[s] and strategy[s] <= now}
            if (after := goal.end | onward) == now:
                break
            now = after
        won |= now
    assert objective(here.games, members, goal) == won


@cases(100)
@given(questions())
def test_objective_fair_is_what_some_strategy_achieves_on_all_fair_outcomes(question):
    here, members, goal = question
    games, everywhere = here.games, here.universe
    won: set[int] = set()
    for strategy in strategies(games, members):
        graph = play(games, strategy)
        fair = graph.always(everywhere, games.fairness)
        open_states = goal.hold - goal.end
        broken = graph.until(open_states, fair - goal.hold - goal.end)
        endless = frozenset() if goal.weak else graph.always(open_states, games.fairness)
        won |= everywhere - broken - endless
    assert objective_fair(games, members, goal) == won


@cases(100)
@given(questions())
def test_next_in_both_objective_readings(question):
    here, members, goal = question
    games, everywhere = here.games, here.universe
    surely, fairly = set(), set()
    for strategy in strategies(games, members):
        surely |= {s for s in everywhere if strategy[s] and strategy[s] <= goal.hold}
        graph = play(games, strategy)
        fair = graph.always(everywhere, games.fairness)
        fairly |= everywhere - graph.pre(fair - goal.hold)
    assert force(games, members, goal.hold) == surely
    assert objective_fair(games, members, soon(goal.hold)) == fairly


def uniform_strategies(games: Games, members: tuple[str, ...]) -> Iterator[dict[int, States]]:
    """Every uniform strategy, total over the observations made in `S`."""
    explicit, states = games.space.explicit, games.space.states
    acting = [name for name in members if explicit.system.agent_named[name].actions]
    options = {}
    for name in acting:
        for state in games.universe:
            key = name, explicit.sees(name, states[state])
            options[key] = explicit.enabled(name, states[state]) or (None,)
    assume(prod(len(choice) for choice in options.values()) <= MOST_STRATEGIES)
    for picked in product(*options.values()):
        chosen = dict(zip(options, picked, strict=True))
        yield {
            s: games.choices(members, s).get(
                tuple(chosen[n, explicit.sees(n, states[s])] if n in acting else None for n in members),
                frozenset(),
            )
            for s in games.universe
        }


@cases(100)
@given(questions())
def test_uniform_is_what_some_uniform_strategy_achieves_from_all_lookalikes(question):
    here, members, goal = question
    games, everywhere = here.games, here.universe
    won: set[int] = set()
    nexts: set[int] = set()
    for strategy in uniform_strategies(games, members):
        graph = play(games, strategy)
        stuck = frozenset(s for s in everywhere if not strategy[s])
        fair = graph.always(everywhere, games.fairness)
        open_states = goal.hold - goal.end
        broken = graph.until(open_states, fair - goal.hold - goal.end)
        endless = frozenset() if goal.weak else graph.always(open_states, games.fairness)
        blocked = graph.until(open_states, stuck & open_states if games.fairness else stuck - goal.end)
        bad = broken | endless | blocked
        lookalikes = {s: _alike(games, members, s) for s in everywhere}
        won |= {s for s in everywhere if not lookalikes[s] & bad}
        nexts |= {s for s in everywhere if not lookalikes[s] & (graph.pre(fair - goal.hold) | stuck)}
    assert uniform(games, members, goal) == won
    wins_next = uniform(games, members, soon(goal.hold))
    if games.fairness:
        assert wins_next == nexts
    else:
        surely = set()
        for strategy in uniform_strategies(games, members):
            good = {s for s in everywhere if strategy[s] and strategy[s] <= goal.hold}
            surely |= {s for s in everywhere if _alike(games, members, s) <= good}
        assert wins_next == surely


def soon(states: States) -> Goal[States]:
    """To be in one of these states next."""
    return Goal(frozenset(), states, soon=True)


def _alike(games: Games, members: tuple[str, ...], state: int) -> States:
    return frozenset().union(*(games.confusion.classes((name,))[state] for name in members))


@cases(80)
@given(st.data())
def test_uniform_models_are_all_deterministic_tables(data):
    model = explored(data.draw(modules(max_states=16)))
    explicit = model.explicit
    formula = data.draw(
        st.sampled_from([f.EF(f.Atom("p")), f.AG(f.Atom("p")), f.AF(f.Atom("q")), f.EG(f.Not(f.Atom("q")))])
    )
    assume({"p", "q"} <= set(explicit.system.propositions))
    players = tuple(a.name for a in explicit.system.agents if a.actions)
    options = {}
    for name in players:
        for state in model.space.states:
            if len(enabled := explicit.enabled(name, state)) > 1:
                options[name, explicit.sees(name, state)] = enabled
    assume(prod(len(choice) for choice in options.values()) <= 300)
    expected = False
    for picked in product(*options.values()):
        table = _Table(explicit, explicit, players, dict(zip(options, picked, strict=True)))
        space = explore(explicit, Budget(), options=table.options)
        here = model.engine._evaluator_in(space, model.query(Specification(formula), AtlReading.OBJECTIVE))
        expected |= frozenset(space.initial) & here.universe <= here.states(formula)
    reading = Reading(atl=AtlReading.UNIFORM_MODELS)
    answer = Asker("explicit", explicit.system, Budget(), reading).check(Specification(formula))
    assert (answer.verdict.value == "true") == expected
