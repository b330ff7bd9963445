"""Plays that defeat every strategy, as a tree: whatever a member does on seeing something, one is lost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from knower.records import dataclass
from knower.report.view import LONG, View
from knower.report.wording import assignments, indented
from knower.verdict.evidence import LostPlay, State

#: A member and what it sees.
Sight: TypeAlias = tuple[str, State]
#: What is done on seeing something.
Deeds: TypeAlias = dict[Sight, str | None]


@dataclass(frozen=True)
class Branch:
    """A case for each action of a member: more branches, the number of a lost play, or None: not told."""

    sight: Sight
    cases: tuple[tuple[str | None, Branch | int | None], ...]


def defeat_tree(plays: Sequence[LostPlay], most: int = LONG) -> Branch | int | None:
    """The tree of all strategies, by what plays rely on; without what goes beyond so many branches."""
    return _Tree([_deeds(play) for play in plays], most).grown({}, frozenset(range(len(plays))))


def _deeds(play: LostPlay) -> Deeds:
    return {(row.agents[0], row.sees): row.actions[0] for row in play.choices}


class _Tree:
    def __init__(self, plays: Sequence[Deeds], most: int) -> None:
        self.plays = plays
        self.left = most
        self.actions: dict[Sight, dict[str | None, None]] = {}
        for deeds in plays:
            for sight, action in deeds.items():
                self.actions.setdefault(sight, {})[action] = None

    def grown(self, made: Deeds, open_: frozenset[int]) -> Branch | int | None:
        """What is lost when some choices are made; `open_`: the plays that keep to them."""
        if not open_:
            return None
        first = min(open_, key=lambda play: (len(self.plays[play].keys() - made.keys()), play))
        missing = [sight for sight in self.plays[first] if sight not in made]
        if not missing:
            return first
        self.left -= 1
        if self.left < 0:
            return None
        sight = missing[0]
        cases = [(action, self.grown({**made, sight: action}, self._keeping(open_, sight, action)))
                 for action in self.actions[sight]]  # fmt: skip
        return Branch(sight, tuple(cases))

    def _keeping(self, open_: frozenset[int], sight: Sight, action: str | None) -> frozenset[int]:
        return frozenset(play for play in open_ if self.plays[play].get(sight, action) == action)


def tree_lines(tree: Branch | int | None, view: View) -> Iterator[str]:
    """The tree in words; a play is called by its number, from one on."""
    match tree:
        case Branch():
            agent, seen = tree.sight
            sees = assignments(view.vocabulary.observation(agent, seen)) or "nothing"
            yield f"whatever {agent} does on seeing {sees}:"
            for action, then in tree.cases:
                yield from _case_lines(action, then, view)
        case None:
            yield "…"
        case _:
            yield f"play {tree + 1} is lost"


def _case_lines(action: str | None, then: Branch | int | None, view: View) -> Iterator[str]:
    if isinstance(then, Branch):
        yield f"  {action}:"
        yield from indented(tree_lines(then, view), 4)
    else:
        (line,) = tree_lines(then, view)
        yield f"  {action}: {line}"
