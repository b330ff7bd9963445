"""Evidence as a drawing: states and what leads from one to another, on a grid.

A path goes along the ranks; a path that branches off, or one from the start to a look-alike, gets a
lane of its own. Who draws decides which way ranks and lanes run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping
from dataclasses import field
from typing import assert_never

from knower.records import dataclass
from knower.report.table import condition_text, in_few_rows
from knower.report.view import LONG, View, facts_at_goal, is_endless
from knower.report.wording import counted
from knower.verdict.decisions import DecisionTable
from knower.verdict.evidence import (
    Both,
    Case,
    Cited,
    Either,
    Fact,
    Hop,
    ImperfectInformationRefutation,
    IndistinguishableProof,
    Instance,
    Joint,
    LostPlay,
    PathProof,
    Proof,
    Refusal,
    Row,
    Run,
    State,
    Strategy,
    UniformModelProof,
    UniformRefutation,
    everything,
)  # fmt: skip
from knower.verdict.trace import GlobalState, NamedAction

#: The kinds of nodes: a state; what an agent sees; what is done there; what is left out.
STATE, SIGHT, DEED, FOLD = "state", "sight", "deed", "fold"
_LETTERS = {STATE: "s", SIGHT: "o", DEED: "d", FOLD: "f"}
#: The kinds of edges: a step; a state some agents confuse with another; what is done on seeing something.
STEP, DOUBT, CHOICE = "step", "doubt", "choice"


@dataclass
class Node:
    """`values`: the whole state, or what is seen. `claims`: the formulas shown to hold there."""

    name: str
    kind: str
    rank: int
    lane: int
    values: GlobalState = field(default_factory=dict)
    action: NamedAction = field(default_factory=dict)
    text: str = ""
    initial: bool = False
    claims: list[str] = field(default_factory=list)
    follows: Mapping[str, bool | None] = field(default_factory=dict)


@dataclass
class Edge:
    """`actions`: the joint actions of a step, any of them. `agents`: who is in doubt."""

    source: str
    target: str
    kind: str
    agents: tuple[str, ...] = ()
    actions: list[NamedAction] = field(default_factory=list)


@dataclass(frozen=True)
class Graph:
    """The first node is the state a case begins with."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]


def case_graph(case: Case, view: View) -> Graph:
    """One case of some evidence, drawn; long paths without their middle, unless the view is whole."""
    drawing = _Drawing(view)
    drawing.start(case.run.states[0])
    for proof in everything(case.proof):
        drawing.add(proof)
    return Graph(tuple(drawing.nodes.values()), tuple(drawing.edges.values()))


class _Drawing:
    """A graph at work. A state is drawn once, however often it is met."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.nodes: dict[Hashable, Node] = {}
        self.edges: dict[Hashable, Edge] = {}
        self.taken: set[tuple[int, int]] = set()
        self.lanes = 0
        self.counts: Counter[str] = Counter()

    # -- nodes and edges --

    def start(self, state: State) -> Node:
        """An initial state, at the head of a lane of its own."""
        node = self._state(state, None)
        node.initial = True
        return node

    def _state(self, state: State, after: Node | None) -> Node:
        if state not in self.nodes:
            node = self._put(state, STATE, after)
            node.values = self.view.state(state)
            node.follows = self.view.follows(state)
        return self.nodes[state]

    def _put(self, key: Hashable, kind: str, after: Node | None) -> Node:
        """A new node, after another one and as near to its lane as there is room."""
        rank = 0 if after is None else after.rank + 1
        lane = self.lanes if after is None else after.lane
        while (rank, lane) in self.taken:
            lane += 1
        self.taken.add((rank, lane))
        self.lanes = max(self.lanes, lane + 1)
        self.nodes[key] = Node(f"{_LETTERS[kind]}{self.counts[kind]}", kind, rank, lane)
        self.counts[kind] += 1
        return self.nodes[key]

    def _join(self, source: Node, target: Node, kind: str, agents: tuple[str, ...] = ()) -> Edge:
        key = source.name, target.name, kind, agents
        return self.edges.setdefault(key, Edge(source.name, target.name, kind, agents))

    def _step(self, source: Node, target: Node, joint: Joint) -> None:
        edge, action = self._join(source, target, STEP), self.view.action(joint)
        if action and action not in edge.actions:
            edge.actions.append(action)

    # -- proofs --

    def add(self, proof: Proof) -> None:
        """What one proof shows, without the proofs it is made of."""
        here = self._state(proof.state, None)
        if not isinstance(proof, Both | Either):
            self._claim(here, self.view.formula(proof.formula))
        match proof:
            case PathProof():
                self._way(proof)
            case IndistinguishableProof():
                self._hops(here, proof.hops)
            case ImperfectInformationRefutation():
                self._hops(here, (proof.hop,))
            case Instance():
                self._run(proof.run, self.start(proof.run.states[0]))
            case Strategy():
                self._strategy(proof)
            case UniformRefutation():
                self._hops(here, proof.hops, chained=False)
                for play in proof.plays:
                    self._lost(play)
            case UniformModelProof():
                self._rows(proof.rows, by_observation=True)
            case Refusal():
                self._refusal(proof)
            case Fact() | Cited() | Both() | Either():
                pass
            case _:
                assert_never(proof)

    def _claim(self, node: Node, text: str) -> None:
        if text not in node.claims:
            node.claims.append(text)

    def _way(self, way: PathProof) -> None:
        goal = self._run(way.run, self._state(way.run.states[0], None))
        for place, part in way.met:
            if way.run.states[place] in self.nodes:
                self._claim(self.nodes[way.run.states[place]], f"meets {self.view.formula(part)}")
        if is_endless(way.run):
            assert way.run.loop is not None
            self._step(goal, self.nodes[way.run.states[way.run.loop]], way.run.actions[-1])
        else:
            for fact in facts_at_goal(way):
                self._claim(goal, self.view.formula(fact))

    def _run(self, run: Run, node: Node) -> Node:
        """A path from a node on; the node of its goal."""
        before = 0
        for place in self.view.told(run)[1:]:
            if place == before + 1:
                target = self._state(run.states[place], node)
                self._step(node, target, run.actions[before])
            else:
                fold = self._fold(node, f"… {counted(place - before, 'step')} …")
                target = self._state(run.states[place], fold)
                self._join(fold, target, STEP)
            node, before = target, place
        return node

    def _fold(self, after: Node, text: str) -> Node:
        fold = self._put((FOLD, len(self.nodes)), FOLD, after)
        fold.text = text
        self._join(after, fold, STEP)
        return fold

    def _hops(self, here: Node, hops: tuple[Hop, ...], *, chained: bool = True) -> None:
        for hop in hops:
            there = self._run(hop.run, self.start(hop.run.states[0]))
            self._join(here, there, DOUBT, hop.agents)
            here = there if chained else here

    def _lost(self, play: LostPlay) -> None:
        """A play, and how it is lost."""
        goal = self._run(play.run, self._state(play.run.states[0], None))
        if play.run.loop is not None:
            self._step(goal, self.nodes[play.run.states[play.run.loop]], play.run.actions[-1])
        else:
            self._claim(goal, "the choices lead nowhere" if play.stops else "the goal is out of reach")

    def _strategy(self, proof: Strategy) -> None:
        tables = in_few_rows(proof)
        for table in tables:
            self._table(table)
        if not tables:
            self._rows(proof.rows, by_observation=proof.by_observation)

    def _table(self, table: DecisionTable) -> None:
        """A note for each row of a decision table, and what is done there."""
        looks = "in states with" if table.reads_states else f"{table.agents[0]} sees"
        for row in table.rows if self.view.whole else table.rows[:LONG]:
            node = self._put((SIGHT, len(self.nodes)), SIGHT, None)
            node.text = "\n".join([looks, *(condition_text(each, table) for each in row.conditions)])
            node.text = node.text if row.conditions else "always"
            self._deed(node, table.agents, row.actions)

    def _rows(self, rows: tuple[Row, ...], *, by_observation: bool) -> None:
        for row in rows if self.view.whole else rows[:LONG]:
            source = self._sight(row) if by_observation else self._state(row.sees, None)
            self._deed(source, row.agents, row.actions)

    def _deed(self, source: Node, agents: tuple[str, ...], actions: Joint) -> None:
        pairs = zip(agents, actions, strict=True)
        deed = self._put((DEED, len(self.nodes)), DEED, source)
        deed.action = {agent: act for agent, act in pairs if act is not None and self.view.shows(agent)}
        self._join(source, deed, CHOICE)

    def _sight(self, row: Row) -> Node:
        (agent,) = row.agents
        if (SIGHT, agent, row.sees) not in self.nodes:
            node = self._put((SIGHT, agent, row.sees), SIGHT, None)
            node.text, node.values = f"{agent} sees", self.view.vocabulary.observation(agent, row.sees)
        return self.nodes[SIGHT, agent, row.sees]

    def _refusal(self, refusal: Refusal) -> None:
        for turn in refusal.turns:
            here = self._state(turn.state, None)
            if turn.over:
                self._claim(here, "the goal is out of reach")
            for reply in turn.replies:
                if reply.joint is not None and reply.then is not None:
                    then = self._state(refusal.turns[reply.then].state, here)
                    self._step(here, then, reply.joint)
