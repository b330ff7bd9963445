"""Families of models: `generate("prisoners", n=5)` writes one of them down in ISPL.

Each family is a value of `FAMILIES`; to add one, write a module with a `Family` and name it here.
"""

from __future__ import annotations

from knower.errors import UsageError, did_you_mean
from knower.families.bit_transmission import BIT_TRANSMISSION
from knower.families.book_store import BOOK_STORE
from knower.families.bridge import BRIDGE
from knower.families.byzantine_generals import BYZANTINE_GENERALS
from knower.families.card_game import CARD_GAME
from knower.families.castles import CASTLES
from knower.families.counter import COUNTER
from knower.families.dining_cryptographers import DINING_CRYPTOGRAPHERS
from knower.families.family import Choice, Family, Instance, Number, Parameter, Value
from knower.families.go_back_n import GO_BACK_N
from knower.families.muddy_children import MUDDY_CHILDREN
from knower.families.needham_schroeder import NEEDHAM_SCHROEDER
from knower.families.prisoners import PRISONERS
from knower.families.pursuit_evasion import PURSUIT_EVASION
from knower.families.robots import ROBOTS
from knower.families.russian_cards import RUSSIAN_CARDS
from knower.families.selene import SELENE
from knower.families.tian_ji import TIAN_JI
from knower.families.train_gate import TRAIN_GATE
from knower.families.voting import VOTING

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
FAMILIES = {
    one.name: one
    for one in (
        BIT_TRANSMISSION,
        BOOK_STORE,
        BRIDGE,
        BYZANTINE_GENERALS,
        CARD_GAME,
        CASTLES,
        COUNTER,
        DINING_CRYPTOGRAPHERS,
        GO_BACK_N,
        MUDDY_CHILDREN,
        NEEDHAM_SCHROEDER,
        PRISONERS,
        PURSUIT_EVASION,
        ROBOTS,
        RUSSIAN_CARDS,
        SELENE,
        TIAN_JI,
        TRAIN_GATE,
        VOTING,
    )
}


def family(name: str) -> Family:
    """The family of this name; `UsageError` if there is none."""
    if name not in FAMILIES:
        cure = did_you_mean(name, FAMILIES) or "`knower generate --list` shows all"
        raise UsageError("E605", f"no family `{name}`", cure)
    return FAMILIES[name]


def instance(name: str, **values: Value) -> Instance:
    """A member of a family with what is expected of it; parameters not given have their defaults."""
    return family(name).instance(**values)


def generate(name: str, **values: Value) -> str:
    """A member of a family as ISPL text; parameters not given have their defaults."""
    return instance(name, **values).ispl
