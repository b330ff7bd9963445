"""Calls for those who learn: families of known models, made to measure."""

from __future__ import annotations

from knower.families import FAMILIES, family
from knower.families.family import Number, Parameter
from knower.studio import wire, wire_explore
from knower.studio.workbench import Tell, Visit


async def families(visit: Visit, args: wire.Nothing, tell: Tell) -> wire_explore.Families:
    """All families, and what can be chosen in each."""
    return {
        "families": [
            {
                "name": one.name,
                "description": one.description,
                "source": one.source,
                "parameters": [_parameter(each) for each in one.parameters],
            }
            for one in FAMILIES.values()
        ]
    }


def _parameter(one: Parameter) -> wire_explore.ParameterData:
    words = [] if isinstance(one, Number) else list(one.words)
    return {
        "name": one.name,
        "help": one.help,
        "default": one.default,
        "words": words,
        "allowed": one.allowed,
    }


async def generated(visit: Visit, args: wire_explore.Generate, tell: Tell) -> wire_explore.Generated:
    """A member of a family as text."""
    made = await visit.aside(lambda: family(args["name"]).instance(**args["values"]))
    return {"name": args["name"], "text": made.ispl}
