"""Random evidence to be spoilt, with all that is known about the model it speaks of."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import fields, is_dataclass, replace
from itertools import product
from random import Random
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

from engines import Asker, computing
from knower.errors import LimitReached, NoInitialState, Unsupported
from knower.evidence.explain import Limits, explained
from knower.evidence.replay import replay
from knower.evidence.shape import is_telling
from knower.evidence.ways import Clock, Ways
from knower.functions.registry import available
from knower.limits import Budget
from knower.logic import formula as f
from knower.logic.formula import Formula
from knower.logic.language import Specification
from knower.options import AtlReading, DeadlockPolicy, Reading, Tuning
from knower.query.closing import closed
from knower.reference.explicit_view import ExplicitView
from knower.source import Source
from knower.syntax.tree import Module
from knower.system.elaborate import elaborate
from knower.verdict.evidence import (
    Evidence,
    Proof,
    Replay,
    Run,
    State,
    everything,
    runs,
)  # fmt: skip
from knower.verdict.verdict import Verdict
from strategies import modules, specifications

LIMITS = Limits(states=500, rows=500, proofs=100, cases=3, depth=50)
ENGINES = ["explicit", *(["bdd"] if available() else [])]


class Found:
    """A piece of evidence, and the reference's knowledge of the model it is about."""

    def __init__(
        self, model: Asker, spec: Specification, verdict: Verdict, evidence: Evidence, random: Random
    ) -> None:
        self.model, self.spec, self.verdict, self.evidence, self.random = (
            model, spec, verdict, evidence, random,
        )  # fmt: skip
        self.system, self.explicit, self.space = model.system, model.explicit, model.space
        self.evaluator = model.evaluator(Specification(f.TRUE))
        self.view = ExplicitView(self.evaluator)
        self.ways = Ways(self.view, 500, Clock(None))
        self.initial = {self.space.states[number] for number in self.space.initial}

    @property
    def proofs(self) -> Iterator[Proof]:
        for case in self.evidence.cases:
            yield from everything(case.proof)

    @property
    def runs(self) -> Iterator[Run]:
        for case in self.evidence.cases:
            yield case.run
        for proof in self.proofs:
            yield from runs(proof)

    def where(self, formula: Formula) -> set[State]:
        asked = closed(Specification(formula), self.system)
        return {self.space.states[number] for number in self.evaluator.states(asked)}

    def any_order(self, items: Collection[Any]) -> list[Any]:
        return self.random.sample(list(items), len(items))

    def with_(self, old: object, new: object) -> Evidence:
        return swapped(self.evidence, old, new)

    def judged(self, evidence: Evidence) -> Replay:
        return replay(evidence, self.spec, self.verdict, self.system, self.model.reading)


def swapped(item: Any, old: object, new: object) -> Any:
    """A part of evidence with one object in it replaced, wherever that stands."""
    if item is old:
        return new
    if isinstance(item, tuple):
        return tuple([swapped(part, old, new) for part in item])
    if not is_dataclass(item) or isinstance(item, Formula):
        return item
    return replace(item, **{one.name: swapped(getattr(item, one.name), old, new) for one in fields(item)})


#: Draws formulas of some logic over a module.
Ask = Callable[[st.DataObject, Module, Collection[str]], list[Specification]]


def anything(data: st.DataObject, module: Module, logics: Collection[str]) -> list[Specification]:
    logic = data.draw(st.sampled_from(logics))
    return [data.draw(specifications(module, logic, depth=3)) for _ in range(4)]


def temptations(data: st.DataObject, module: Module, logics: Collection[str]) -> list[Specification]:
    """Somewhere a coalition can have its way, and one of its steps may end where it cannot."""
    letters = [f.Atom(decl.name.text) for decl in module.evaluation]
    teams = [decl.name.text for decl in (*module.agents, *module.groups)]
    asked = [
        f.EF(f.And(f.And(f.Not(end), can), f.EX(f.Not(wanted))))
        for team, hold, end in product(teams, letters, letters)
        for can, wanted, end in (
            (f.CanX(team, hold), hold, f.FALSE),
            (f.CanF(team, hold), f.CanF(team, hold), hold),
            (f.CanG(team, hold), f.CanG(team, hold), f.FALSE),
            (f.CanU(team, hold, end), f.CanU(team, hold, end), end),
        )
    ]
    return some_of(data, asked)


def duels(data: st.DataObject, module: Module, logics: Collection[str]) -> list[Specification]:
    """A coalition can have its way at the start, or is refused."""
    letters = [f.Atom(decl.name.text) for decl in module.evaluation]
    teams = [decl.name.text for decl in (*module.agents, *module.groups)]
    literals = [*letters, *map(f.Not, letters)]
    return some_of(data, [can(*of) for can in (f.CanX, f.CanF, f.CanG) for of in product(teams, literals)])


def suspicions(data: st.DataObject, module: Module, logics: Collection[str]) -> list[Specification]:
    """Somebody takes something for possible, or may do it."""
    agents = [decl.name.text for decl in module.agents]
    atoms = [f.Atom(decl.name.text) for decl in module.evaluation]
    return some_of(
        data,
        [
            f.EF(f.And(left, operator(agent, right)))
            for agent, operator in product(agents, (f.M, f.P))
            for left, right in product([*atoms, *map(f.Not, atoms)], repeat=2)
        ],
    )


def some_of(data: st.DataObject, formulas: list[Formula]) -> list[Specification]:
    different = list(dict.fromkeys(formulas))
    drawn = data.draw(st.lists(st.sampled_from(different), min_size=10, max_size=10))
    return [Specification(formula) for formula in drawn]


def evidence_of(
    data: st.DataObject,
    random: Random,
    ask: Callable[[Module], list[Specification]],
    readings: Collection[AtlReading],
    fairness: bool | None,
) -> Iterator[Found]:
    """The evidence an engine finds for some formulas over a random system; it stands up as it is."""
    module = data.draw(modules(max_states=24, fairness=fairness))
    specs = ask(module)
    policy = data.draw(st.sampled_from([DeadlockPolicy.WARN, DeadlockPolicy.LOOP]))
    reading = Reading(data.draw(st.sampled_from(readings)), policy)
    system = elaborate(module, Source("<random>", ""))
    try:
        model = Asker("explicit", system, Budget(states=300, seconds=2), reading)
        engine = model
        if data.draw(st.sampled_from(ENGINES)) == "bdd":
            engine = Asker("bdd", system, computing(4), reading, Tuning(available()[0]))
        for spec, verdict, evidence in explanations(engine, specs):
            found = Found(model, spec, verdict, evidence, random)
            if found.judged(evidence).status == "ok":
                yield found
    except (NoInitialState, LimitReached):
        assume(False)


def explanations(
    model: Asker, specs: list[Specification], limits: Limits = LIMITS
) -> Iterator[tuple[Specification, Verdict, Evidence | None]]:
    """The specifications with their verdicts and evidence, where there can be some."""
    for spec in specs:
        verdict, asked = model.check(spec).verdict, model.query(spec)
        view = model.view(spec, verdict)
        if view is None or view.initial == view.nothing or not is_telling(asked.shown(verdict)):
            continue
        with suppress(Unsupported):  # some uniform strategies fail each in its own way
            yield spec, verdict, explained(view, asked.setting, asked.formula, verdict, limits)
