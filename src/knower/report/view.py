"""Evidence as somebody wants to see it: of which agents, in which words, how much of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from knower.logic import formula as f
from knower.logic.formula import Formula
from knower.logic.kinds import is_propositional
from knower.records import dataclass
from knower.syntax.printing import print_formula
from knower.verdict.evidence import (
    Both,
    Either,
    Evidence,
    Followed,
    Joint,
    PathProof,
    Proof,
    Run,
    State,
    Vocabulary,
)
from knower.verdict.trace import GlobalState, NamedAction

#: Paths with more states are told without their middle, tables with more rows without the rest.
LONG = 60
_FORMULA_WIDTH = 400


@dataclass(frozen=True)
class View:
    """`show`: only the variables and actions of these agents. `whole`: however long it is.

    `propositions`: those of the model, which may hide the words `true` and `false`.
    """

    vocabulary: Vocabulary
    followed: tuple[Followed, ...] = ()
    propositions: frozenset[str] = field(default_factory=frozenset)
    show: tuple[str, ...] = ()
    whole: bool = False

    @classmethod
    def of(
        cls,
        evidence: Evidence,
        propositions: frozenset[str] = frozenset(),
        show: tuple[str, ...] = (),
        whole: bool = False,
    ) -> View:
        return cls(evidence.vocabulary, evidence.followed, propositions, show, whole)

    def shows(self, agent: str) -> bool:
        return not self.show or agent in self.show

    def state(self, state: State) -> GlobalState:
        named = self.vocabulary.state(state)
        return {agent: local for agent, local in named.items() if local and self.shows(agent)}

    def action(self, joint: Joint) -> NamedAction:
        named = self.vocabulary.action(joint)
        return {agent: action for agent, action in named.items() if self.shows(agent)}

    def formula(self, formula: Formula) -> str:
        text = print_formula(formula, taken=self.propositions, most=None if self.whole else _FORMULA_WIDTH)
        return text if self.whole or len(text) <= _FORMULA_WIDTH else text[: _FORMULA_WIDTH - 1] + "…"

    def follows(self, state: State) -> Mapping[str, bool | None]:
        """The followed formulas, and whether they hold at the state; None where that is not known."""
        return {item.text: None if state in item.unknown else state in item.states for item in self.followed}

    def told(self, run: Run) -> tuple[int, ...]:
        """The positions to tell of a path, up to what it is shown for.

        Of a long one not the middle, but for the place where a loop begins.
        """
        count = last(run) + 1
        if self.whole or count <= LONG:
            return tuple(range(count))
        ends = {*range(LONG // 2), *range(count - LONG // 2, count)}
        return tuple(sorted(ends | {run.loop} if run.loop is not None and is_endless(run) else ends))


def last(run: Run) -> int:
    """The last position that matters: what follows only shows that the path can go on."""
    return len(run.states) - 1 if run.end is None else run.end


def is_endless(run: Run) -> bool:
    """Whether the path is shown for all of its positions, for ever."""
    return run.end is None and run.loop is not None


def conjuncts(proof: Proof) -> Iterator[Proof]:
    """The parts of a conjunction, of a disjunction the part that holds."""
    todo = [proof]
    while todo:
        item = todo.pop()
        match item:
            case Both():
                todo += (item.right, item.left)
            case Either():
                todo.append(item.part)
            case _:
                yield item


def facts_at_goal(way: PathProof) -> tuple[Formula, ...]:
    """What holds where a path ends, as far as one only has to look at the state."""
    match way.formula:
        case f.EX(sub) | f.EF(sub):
            return _plain(sub)
        case f.EU(_, right) | f.EW(_, right):
            return _plain(right)
        case f.ER(left, right):
            return _plain(left, right)
        case _:
            return ()


def facts_on_the_way(way: PathProof) -> tuple[Formula, ...]:
    """What holds at all other positions, as far as one only has to look at the states."""
    match way.formula:
        case f.EG(sub) | f.EU(sub, _) | f.EW(sub, _) | f.ER(_, sub):
            return _plain(sub)
        case _:
            return ()


def _plain(*formulas: Formula) -> tuple[Formula, ...]:
    return tuple(item for item in formulas if item != f.TRUE and is_propositional(item))


def main_steps(evidence: Evidence) -> int | None:
    """The length of the one path the evidence is about, if there is one.

    A path that ends may go on in the one that is shown there; those that branch off on the way do not count.
    """
    if len(evidence.cases) != 1 or (way := _only_way((evidence.cases[0].proof,))) is None:
        return None
    steps = 0
    while way is not None:
        steps += way.run.steps
        way = None if is_endless(way.run) else _only_way(proofs_at(way).get(last(way.run), ()))
    return steps


def _only_way(proofs: Sequence[Proof]) -> PathProof | None:
    """The path among what is claimed at a state, if there is just one."""
    ways = [part for proof in proofs for part in conjuncts(proof) if isinstance(part, PathProof)]
    return ways[0] if len(ways) == 1 else None


def proofs_at(way: PathProof) -> dict[int, list[Proof]]:
    """What is proved at the positions of a path."""
    found: dict[int, list[Proof]] = {}
    for place, proof in way.proofs:
        found.setdefault(place, []).append(proof)
    return found
