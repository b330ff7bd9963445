"""Copies of a model that mean the same: names without numbers, agents, variables and lines in another order.

    python benchmarks/shuffled.py model.ispl 3 > copy.ispl

A heuristic that reads names, or the order in which things are declared, shows it on such copies.
"""

from __future__ import annotations

import random
import re
import sys
from pathlib import Path

_COMMENT = re.compile(r"--.*")
_AGENT = re.compile(r"\bAgent\s+(\w+)(.*?)\bend\s+Agent\b", re.S)
_VARS = re.compile(r"\b((?:Obsv|Local)?[Vv]ars)\s*:(.*?)\bend\s+(?:Obsv|Local)?[Vv]ars\b", re.S)
_EVOLUTION = re.compile(r"\bEvolution\s*:(.*?)\bend\s+Evolution\b", re.S)
_WORD = re.compile(r"\b[A-Za-z_]\w*\b")
_DECLARED = re.compile(r"\b(\w+)\s*:")
_PROPOSITION = re.compile(r"\b(\w+)\s+if\b")
_EVALUATION = re.compile(r"\bEvaluation\b(.*?)\bend\s+Evaluation\b", re.S)
#: Agents that keep their name and place.
_FIXED = ("Environment",)


def shuffled(text: str, seed: int) -> str:
    """The copy of that number."""
    dice = random.Random(seed)
    text = _renamed(_COMMENT.sub("", text), dice)
    agents = [found[0] for found in _AGENT.finditer(text)]
    free = [each for each in agents if _AGENT.match(each)[1] not in _FIXED]
    others = iter([_mixed(each, dice) for each in dice.sample(free, len(free))])
    return _AGENT.sub(lambda found: found[0] if found[0] not in free else next(others), text)


def _renamed(text: str, dice: random.Random) -> str:
    words: dict[str, None] = {}
    for agent in _AGENT.finditer(text):
        words |= dict.fromkeys([agent[1]] if agent[1] not in _FIXED else [])
        for block in _VARS.finditer(agent[2]):
            words |= dict.fromkeys(_DECLARED.findall(block[2]))
    for block in _EVALUATION.finditer(text):
        words |= dict.fromkeys(_PROPOSITION.findall(block[1]))
    places = dice.sample(range(26**3), len(words))
    names = {word: "q" + _letters(place) for word, place in zip(words, places, strict=True)}
    return _WORD.sub(lambda found: names.get(found[0], found[0]), text)


def _letters(number: int) -> str:
    return "".join(chr(ord("a") + number // 26**k % 26) for k in range(3)) + "_z"


def _mixed(agent: str, dice: random.Random) -> str:
    """An agent with its variables and its lines in another order."""

    def mix(found: re.Match[str]) -> str:
        body = found[found.lastindex or 1]
        parts = [part for part in body.split(";") if part.strip()]
        return found[0].replace(body, ";".join([*dice.sample(parts, len(parts)), "\n"]), 1)

    return _EVOLUTION.sub(mix, _VARS.sub(mix, agent))


if __name__ == "__main__":
    sys.stdout.write(shuffled(Path(sys.argv[1]).read_text(), int(sys.argv[2])))
