"""Models and their expansions, side by side."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

from engines import Asker
from knower.expansion.formulas import lacking
from knower.expansion.naming import Vocabulary
from knower.limits import Budget
from knower.model import Model
from knower.source import Source
from knower.syntax.tree import If, Infix, Module, Phrase, Prefix, Undefined
from knower.system.elaborate import elaborate

#: The operators of conditions in MCMAS.
OLD = {"and", "or", "!", "=", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "~", "&", "^", "|"}


def read(text: str, **constants: object) -> Model:
    return Model.read(Source("m.ispl", text), constants)  # type: ignore[arg-type]


def model_of(module: Module) -> Model:
    source = Source("<random>", "")
    return Model(source, module, elaborate(module, source))


def body(text: str) -> str:
    """A text without its comments."""
    lines = (line.partition("--")[0].rstrip() for line in text.splitlines())
    return "\n".join(line for line in lines if line)


def check_is_plain(module: object) -> None:
    """That a module has no operator but those of MCMAS."""
    assert isinstance(module, Module)
    todo: list[Any] = [module]
    while todo:
        item = todo.pop()
        if isinstance(item, tuple):
            todo += item
        elif isinstance(item, Phrase):
            todo.append(item.expr)
        elif isinstance(item, Infix | Prefix):
            assert item.operator in OLD
            todo += item.children
        elif is_dataclass(item):
            assert not isinstance(item, If | Undefined)
            todo += [getattr(item, each.name) for each in fields(item) if each.name != "place"]


def explored(model: Model, states: int = 5000) -> Asker:
    return Asker("explicit", model.interpreted, Budget(states=states))


def graph(asker: Asker, rename: dict[str, str]) -> tuple[object, ...]:
    """Initial states, states with what each joint action leads to; names as they are in the expansion."""

    def renamed(values: Any) -> tuple[object, ...]:
        return tuple(rename.get(value, value) if isinstance(value, str) else value for value in values)

    space, explicit = asker.space, asker.explicit
    states = [renamed(state) for state in space.states]
    steps = {
        (renamed(state), renamed(joint), renamed(after))
        for state in space.states
        for joint in explicit.joint_actions(state)
        for after in explicit.successors(state, joint)
    }
    return {states[number] for number in space.initial}, set(states), steps


def check_same(model: Model, text: str, states: int = 5000) -> int:
    """That a text has the states, the steps and the verdicts of a model; the number of formulas kept."""
    after = read(text)
    check_is_plain(after.module)
    names = Vocabulary(model.interpreted)
    rename = {old: names.value(old) for agent in model.interpreted.agents for old in _values(agent)}
    first, second = explored(model, states), explored(after, states)
    assert graph(first, rename) == graph(second, {})
    kept = [spec for spec in model.interpreted.formulae if lacking(spec) is None]
    assert len(kept) == len(after.interpreted.formulae)
    for before, now in zip(kept, after.interpreted.formulae, strict=True):
        assert first.check(before).verdict is second.check(now).verdict
    return len(kept)


def _values(agent: Any) -> list[str]:
    named = [value for variable in agent.variables for value in variable.domain.values]
    return [*agent.actions, *(value for value in named if isinstance(value, str))]
