"""Families of models: `generate("prisoners", n=5)` writes one of them down in ISPL.

Each family is a value of `FAMILIES`; to add one, write a module with a `Family` and name it here.
"""

from __future__ import annotations

from knower.errors import UsageError, did_you_mean
from knower.families.counter import COUNTER
from knower.families.family import Choice, Family, Instance, Number, Parameter, Value
from knower.families.go_back_n import GO_BACK_N
from knower.families.prisoners import PRISONERS
from knower.families.train_gate import TRAIN_GATE

__all__ = [
    "FAMILIES",
    "Choice",
    "Family",
    "Instance",
    "Number",
    "Parameter",
    "family",
    "generate",
    "instance",
]

#: All families by name.
FAMILIES = {one.name: one for one in (COUNTER, GO_BACK_N, PRISONERS, TRAIN_GATE)}


def family(name: str) -> Family:
    """The family of this name; `UsageError` if there is none."""
    if name not in FAMILIES:
        raise UsageError("E605", f"no family `{name}`", did_you_mean(name, FAMILIES))
    return FAMILIES[name]


def instance(name: str, **values: Value) -> Instance:
    """A member of a family with what is expected of it; parameters not given have their defaults."""
    return family(name).instance(**values)


def generate(name: str, **values: Value) -> str:
    """A member of a family as ISPL text; parameters not given have their defaults."""
    return instance(name, **values).ispl
