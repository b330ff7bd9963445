"""Parts that never matter and antecedents that never hold, against what their definitions say.

By definition a part is idle if the formula stays true whatever set of states takes its place. The oracle puts
sets of states there, under a new proposition, and asks the reference; it knows nothing of polarities.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, combinations

import pytest
from hypothesis import assume, given

from engines import Asker
from knower.engine.scrutiny import empty_antecedents, vacuity
from knower.functions.registry import available
from knower.logic import formula as f
from knower.logic.language import Language, Specification
from knower.system.expressions import Compare, Literal, Var, conjunction, disjunction
from knower.verdict.vacuity import Vacuity
from knower.verdict.verdict import Verdict
from knower.verdict.warnings import NoFairInitialState
from strategies import cases
from worlds import questions

ENGINES = ["explicit", *(["bdd"] if available() else [])]
NEW = "anything"
#: All sets of so few states are tried; of more states those with at most one, and their complements.
FEW = 3


def parts(item, place: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], f.Formula]]:
    """Each formula below the root, with its place; programs are gone through."""
    for k, child in enumerate(item.children):
        if f.is_formula(child):
            yield (*place, k), child
        yield from parts(child, (*place, k))


def with_part(item, place: tuple[int, ...], new: f.Formula):
    if not place:
        return new
    children = list(item.children)
    children[place[0]] = with_part(children[place[0]], place[1:], new)
    return item.with_children(tuple(children))


def sets_of(states: list) -> Iterator[tuple]:
    least = [()] + [(state,) for state in states]
    most = [tuple(state for state in states if state not in out) for out in least]
    many = chain.from_iterable(combinations(states, size) for size in range(len(states) + 1))
    yield from many if len(states) <= FEW else dict.fromkeys([*least[:3], *most[:3]])


def naming(model: Asker, states: tuple) -> Asker:
    """The same model with a proposition that holds in just these states."""

    def is_at(state):
        pairs = zip(model.system.variables, state, strict=True)
        return conjunction([Compare("=", Var(*each.key), Literal(value)) for each, value in pairs])

    condition = disjunction([is_at(state) for state in states])
    system = replace(model.system, propositions={**model.system.propositions, NEW: condition})
    return Asker("explicit", system, model.budget, model.reading)


def asked(model: Asker, engine: str, spec: Specification) -> Vacuity | None:
    """What an engine finds about a formula, if it is true and says something."""
    answer = model.check(spec)
    if answer.verdict is not Verdict.TRUE or NoFairInitialState() in answer.warnings:
        return None
    other = model if engine == "explicit" else Asker(engine, model.system, None, model.reading)
    found = vacuity(other.engine, other.query(spec), model.system)
    assert not found.undecided
    return found


def compare(model: Asker, spec: Specification, found: Vacuity, anything: list[Asker]) -> None:
    idle = {place for each in found.idle for place in each.places}
    skipped = {place for place, part in parts(spec.body) if is_equivalence(part)}
    skipped |= {()} if is_equivalence(spec.body) else set()
    for place, part in parts(spec.body):
        above = [place[:k] for k in range(len(place))]
        if isinstance(part, f.Constant) or skipped.intersection(above):
            continue
        weaker = Specification(with_part(spec.body, place, f.Atom(NEW)), spec.language)
        stays = all(other.check(weaker).verdict is Verdict.TRUE for other in anything)
        assert stays == bool(idle.intersection([*above, place])), (spec, part)


def is_equivalence(item) -> bool:
    sides = item.children if isinstance(item, f.And) else ()
    if not all(isinstance(side, f.Implies) for side in sides) or not sides:
        return False
    return sides[0].left == sides[1].right and sides[0].right == sides[1].left


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("logic", ["CTLKO", "ATLK", "LTLK", "CDL*K", "LDLf"])
def test_idle_parts_are_those_that_anything_can_replace(logic, engine):
    seen = []

    @cases(6)
    @given(questions(logic))
    def run(drawn):
        model, specs = drawn
        anything: list[Asker] = []
        for spec in specs:
            found = asked(model, engine, spec)
            if found is None:
                continue
            anything = anything or [naming(model, each) for each in sets_of(model.space.states)]
            compare(model, spec, found, anything)
            seen.append(bool(found.idle))

    run()
    assert True in seen


def test_antecedents_never_hold_where_no_state_has_them():
    seen = []

    @cases(25)
    @given(questions("CTLK"))
    def run(drawn):
        model, specs = drawn
        assume(model.evaluator(specs[0]).initial)
        for spec in specs:
            left = spec.body
            if isinstance(left, f.Constant):
                continue
            for language, whole in (
                (Language.PLAIN, f.AG(f.Implies(left, f.TRUE))),
                (Language.LTL, f.G(f.Implies(left, f.TRUE))),
                (Language.PLAIN, f.Implies(left, f.TRUE)),
            ):
                query = model.query(Specification(whole, language))
                worlds = model.evaluator(spec)
                looked_at = worlds.initial if whole.children[0] is left else worlds.universe
                never = not (looked_at & model.states_where(spec))
                found = [each.antecedent for _, each in empty_antecedents(model.engine, [query])]
                assert len(found) == never
                seen.append(never)

    run()
    assert {True, False} <= set(seen)
