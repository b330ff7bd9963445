"""Evidence as pages draw it: every state of every path as a row of values, and proofs by their numbers.

Nothing is left out and nothing is said twice, so that a path of ten thousand states can be sent and embedded.
The types are those of the JSON itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import dedent
from typing import Literal, TypedDict, assert_never

from knower.logic.formula import E
from knower.report.proof_data import TYPES
from knower.report.story import evidence_lines
from knower.report.table import chosen
from knower.report.view import View, is_endless
from knower.report.wording import listed
from knower.report.words import unreplayed_text
from knower.verdict.decisions import DecisionTable
from knower.verdict.evidence import (
    Both,
    Cited,
    Either,
    Evidence,
    Fact,
    ImperfectInformationRefutation,
    IndistinguishableProof,
    Instance,
    PathProof,
    Proof,
    Refusal,
    Row,
    Run,
    Strategy,
    UniformModelProof,
    UniformRefutation,
    Vocabulary,
    everything,
)  # fmt: skip

Value = bool | int | str
#: A story has no more lines.
_STORY = 2_000


class VariableData(TypedDict):
    """A variable: whose it is, its name, and the agents that see it."""

    owner: str
    name: str
    seen: list[str]


class RunData(TypedDict):
    """A path: states by the order of variables, joint actions by that of agents; where its loop begins."""

    states: list[list[Value]]
    actions: list[list[str | None]]
    loop: int | None
    end: int | None


class TraceData(TypedDict):
    """A path that some proof shows, and what it is shown for. `forever`: shown for all its positions."""

    title: str
    proof: int
    run: RunData
    forever: bool
    agents: list[str]


class PartData(TypedDict):
    """A proof below another one, and at which position of its path it stands."""

    proof: int
    position: int | None


class NoteData(TypedDict):
    """What is met at a position of a path."""

    position: int
    text: str


class RowData(TypedDict):
    """What some agents do on seeing something: of all variables, or of those that one agent sees."""

    agents: list[str]
    sees: list[Value]
    actions: list[str | None]


class ConditionData(TypedDict):
    """The variable at this place of the table's has one of these values."""

    place: int
    values: list[Value]


class DecisionData(TypedDict):
    """Where all conditions hold, this is done: an action for each agent of the table."""

    conditions: list[ConditionData]
    actions: list[str | None]


class DecisionTableData(TypedDict):
    """A strategy in few rows: the first that applies counts; where none does, anything enabled will do.

    `variables`: owners and names of what it goes by, that is what its one agent sees, or the whole state.
    """

    agents: list[str]
    variables: list[list[str]]
    reads_states: bool
    rows: list[DecisionData]


class ReplyData(TypedDict):
    """A choice of the coalition and the answer to it."""

    choice: dict[str, str]
    joint: list[str | None] | None
    then: int | None


class TurnData(TypedDict):
    """A state in a play against a coalition."""

    state: list[Value]
    replies: list[ReplyData]
    over: bool
    proof: int | None


class ProofData(TypedDict):
    """That a formula holds at a state, and what shows it."""

    kind: Literal[
        "fact", "cited", "both", "either", "way", "doubt", "instance", "strategy", "refusal", "blind", "play"
    ]
    formula: str
    state: list[Value]
    why: str
    parts: list[PartData]
    met: list[NoteData]
    members: list[str]
    by_observation: bool
    starts: list[list[Value]]
    rows: list[RowData]
    tables: list[DecisionTableData]
    turns: list[TurnData]


class CaseData(TypedDict):
    """An initial state and the proof there."""

    start: list[Value]
    proof: int


class EvidenceData(TypedDict):
    """Why a verdict is what it is. `proofs` are referred to by their places, paths are in `traces`."""

    kind: Literal["witness", "counterexample", "strategy"]
    replay: str
    unreplayed: list[str]
    others: int
    agents: list[str]
    variables: list[VariableData]
    cases: list[CaseData]
    proofs: list[ProofData]
    traces: list[TraceData]
    story: list[str]


def why_data(evidence: Evidence, propositions: frozenset[str] = frozenset()) -> EvidenceData:
    """Evidence as data for a page."""
    return _Writer(evidence, propositions).data()


def run_rows(run: Run) -> RunData:
    """A path as rows."""
    return {
        "states": [list(state) for state in run.states],
        "actions": [list(joint) for joint in run.actions],
        "loop": run.loop,
        "end": run.end,
    }


def variables_data(names: Vocabulary) -> list[VariableData]:
    """The variables in the order of the values of a state, and who sees them."""
    seen = [(agent, frozenset(keys)) for agent, keys in zip(names.agents, names.observes, strict=True)]
    return [
        {"owner": owner, "name": name, "seen": [agent for agent, keys in seen if (owner, name) in keys]}
        for owner, name in names.variables
    ]


class _Writer:
    """Numbers the proofs, and writes them one by one."""

    def __init__(self, evidence: Evidence, propositions: frozenset[str]) -> None:
        self.evidence = evidence
        self.view = View.of(evidence, propositions, whole=True)
        self.propositions = propositions
        self.proofs = list(_all(evidence))
        self.number = {id(proof): place for place, proof in enumerate(self.proofs)}

    def data(self) -> EvidenceData:
        found, names = self.evidence, self.evidence.vocabulary
        replay = found.replay
        kind: Literal["witness", "counterexample", "strategy"] = found.kind  # type: ignore[assignment]
        return {
            "kind": kind,
            "replay": "" if replay is None else replay.status,
            "unreplayed": [] if replay is None else [unreplayed_text(claim) for claim in replay.unreplayed],
            "others": found.others,
            "agents": list(names.agents),
            "variables": variables_data(names),
            "cases": [
                {"start": list(case.run.states[0]), "proof": self.number[id(case.proof)]}
                for case in found.cases
            ],
            "proofs": [self._proof(proof) for proof in self.proofs],
            "traces": list(self._traces()),
            "story": self._story(),
        }

    def _story(self) -> list[str]:
        lines = list(evidence_lines(self.evidence, self.propositions, whole=True))
        more = [f"      … {len(lines) - _STORY} more lines"] if len(lines) > _STORY else []
        return dedent("\n".join([*lines[:_STORY], *more])).splitlines()

    # -- paths --

    def _traces(self) -> Iterator[TraceData]:
        """Every path that is shown; a proof that needs none stands at the first state of its case."""
        shown = [trace for proof in self.proofs for trace in self._shown_by(proof)]
        if not shown:
            for case in self.evidence.cases:
                yield self._trace("the initial state", case.proof, case.run, ())
        yield from shown

    def _shown_by(self, proof: Proof) -> Iterator[TraceData]:
        text = self.view.formula(proof.formula)
        match proof:
            case PathProof():
                yield self._trace(text, proof, proof.run, ())
            case Instance():
                yield self._trace(f"a run as it should be, where {text}", proof, proof.run, ())
            case IndistinguishableProof() | ImperfectInformationRefutation():
                hops = proof.hops if isinstance(proof, IndistinguishableProof) else (proof.hop,)
                for hop in hops:
                    looks = f"to a state that looks the same to {listed(list(hop.agents))}"
                    yield self._trace(looks, proof, hop.run, hop.agents)
            case UniformRefutation():
                for number, play in enumerate(proof.plays, 1):
                    yield self._trace(f"lost play {number}", proof, play.run, ())
            case Fact() | Cited() | Both() | Either() | Strategy() | Refusal() | UniformModelProof():
                return
            case _:
                assert_never(proof)

    def _trace(self, title: str, proof: Proof, run: Run, agents: tuple[str, ...]) -> TraceData:
        endless = is_endless(run) or (isinstance(proof.formula, E) and run.loop is not None)
        return {
            "title": title,
            "proof": self.number[id(proof)],
            "run": run_rows(run),
            "forever": endless,
            "agents": list(agents),
        }

    # -- proofs --

    def _proof(self, proof: Proof) -> ProofData:
        data: ProofData = {
            "kind": TYPES[type(proof)],  # type: ignore[typeddict-item]
            "formula": self.view.formula(proof.formula),
            "state": list(proof.state),
            "why": proof.why if isinstance(proof, Cited) else "",
            "parts": [],
            "met": [],
            "members": [],
            "by_observation": False,
            "starts": [],
            "rows": [],
            "tables": [],
            "turns": [],
        }
        self._fill(proof, data)
        return data

    def _fill(self, proof: Proof, data: ProofData) -> None:
        match proof:
            case Both():
                data["parts"] = [self._part(proof.left), self._part(proof.right)]
            case Either():
                data["parts"] = [self._part(proof.part)]
            case PathProof():
                data["parts"] = [self._part(part, place) for place, part in proof.proofs]
                data["met"] = [{"position": k, "text": self.view.formula(part)} for k, part in proof.met]
            case IndistinguishableProof() | Instance() | ImperfectInformationRefutation():
                data["parts"] = [self._part(proof.proof)]
            case Strategy():
                data["members"], data["by_observation"] = list(proof.members), proof.by_observation
                data["starts"] = [list(state) for state in proof.starts]
                data["rows"] = list(map(_row, proof.rows))
                data["tables"] = [_table(table) for table in proof.tables]
                data["parts"] = [self._part(part) for _, part in proof.proofs]
            case UniformModelProof():
                data["by_observation"], data["rows"] = True, list(map(_row, proof.rows))
                data["parts"] = [self._part(proof.proof)]
            case Refusal():
                data["members"], data["turns"] = list(proof.members), list(self._turns(proof))
            case UniformRefutation():
                data["members"] = list(proof.members)
            case Fact() | Cited():
                pass
            case _:
                assert_never(proof)

    def _part(self, proof: Proof, position: int | None = None) -> PartData:
        return {"proof": self.number[id(proof)], "position": position}

    def _turns(self, refusal: Refusal) -> Iterator[TurnData]:
        for turn in refusal.turns:
            replies: list[ReplyData] = [
                {
                    "choice": chosen(reply.choice, refusal.members, self.view),
                    "joint": None if reply.joint is None else list(reply.joint),
                    "then": reply.then,
                }
                for reply in turn.replies
            ]
            proof = None if turn.proof is None else self.number[id(turn.proof)]
            yield {"state": list(turn.state), "replies": replies, "over": turn.over, "proof": proof}


def _row(row: Row) -> RowData:
    return {"agents": list(row.agents), "sees": list(row.sees), "actions": list(row.actions)}


def _table(table: DecisionTable) -> DecisionTableData:
    rows: list[DecisionData] = [
        {
            "conditions": [{"place": each.place, "values": list(each.values)} for each in row.conditions],
            "actions": list(row.actions),
        }
        for row in table.rows
    ]
    variables = [list(variable) for variable in table.variables]
    return {
        "agents": list(table.agents),
        "variables": variables,
        "reads_states": table.reads_states,
        "rows": rows,
    }


def _all(evidence: Evidence) -> Iterator[Proof]:
    """Every proof once, though it may be shared."""
    seen: set[int] = set()
    for case in evidence.cases:
        for proof in everything(case.proof):
            if id(proof) not in seen:
                seen.add(id(proof))
                yield proof
