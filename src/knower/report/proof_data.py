"""Evidence as plain data: states and actions by name, one object for each proof, told by its `type`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, assert_never

from knower.report.table import chosen
from knower.report.view import View
from knower.report.words import unreplayed_text
from knower.verdict.decisions import DecisionRow, DecisionTable, Value
from knower.verdict.evidence import (
    Both,
    Case,
    Cited,
    Either,
    Evidence,
    Fact,
    Followed,
    Hop,
    ImperfectInformationRefutation,
    IndistinguishableProof,
    Instance,
    LostPlay,
    PathProof,
    Proof,
    Refusal,
    Reply,
    Row,
    Run,
    State,
    Strategy,
    Turn,
    UniformModelProof,
    UniformRefutation,
    Vocabulary,
)  # fmt: skip

#: What JSON calls the kinds of proofs, as `schema.json` promises: not the names of their classes.
TYPES: dict[type[Proof], str] = {
    Fact: "fact", Cited: "cited", Both: "both", Either: "either", PathProof: "way",
    IndistinguishableProof: "doubt", Instance: "instance", Strategy: "strategy", Refusal: "refusal",
    ImperfectInformationRefutation: "blind", UniformRefutation: "defeats", UniformModelProof: "play",
}  # fmt: skip


def evidence_data(evidence: Evidence, propositions: frozenset[str] = frozenset()) -> dict[str, Any]:
    """What `evidence` of a formula is in JSON."""
    view = View.of(evidence, propositions, whole=True)
    replay = evidence.replay
    return {
        "kind": evidence.kind,
        "replay": None if replay is None else replay.status,
        "unreplayed": [] if replay is None else [unreplayed_text(claim) for claim in replay.unreplayed],
        "mistakes": [] if replay is None else list(replay.mistakes),
        "others": evidence.others,
        "cases": [_case(case, view) for case in evidence.cases],
        "followed": [_followed(item, view.vocabulary) for item in evidence.followed],
    }


def _case(case: Case, view: View) -> dict[str, Any]:
    return {"run": run_data(case.run, view.vocabulary), "proof": _proof(case.proof, view)}


def _followed(followed: Followed, names: Vocabulary) -> dict[str, Any]:
    data: dict[str, Any] = {"formula": followed.text, "states": _sorted(followed.states, names)}
    return {**data, "unknown": _sorted(followed.unknown, names)} if followed.unknown else data


def _sorted(states: Iterable[State], names: Vocabulary) -> list[Any]:
    ordered = sorted(states, key=lambda state: [str(value) for value in state])
    return [names.state(state) for state in ordered]


def run_data(run: Run, names: Vocabulary) -> dict[str, Any]:
    """A path by name."""
    return {
        "states": [names.state(state) for state in run.states],
        "actions": [names.action(joint) for joint in run.actions],
        "loop": run.loop,
        "end": run.end,
    }


def _proof(proof: Proof, view: View) -> dict[str, Any]:
    return {
        "type": TYPES[type(proof)],
        "formula": view.formula(proof.formula),
        "state": view.vocabulary.state(proof.state),
        **_parts(proof, view),
    }


def _parts(proof: Proof, view: View) -> dict[str, Any]:
    """What a proof has beside its formula and state."""
    match proof:
        case Cited():
            return {"why": proof.why}
        case Both():
            return {"left": _proof(proof.left, view), "right": _proof(proof.right, view)}
        case Either():
            return {"part": _proof(proof.part, view)}
        case PathProof():
            proofs = [{"position": place, "proof": _proof(part, view)} for place, part in proof.proofs]
            met = [{"position": place, "formula": view.formula(part)} for place, part in proof.met]
            return {"run": run_data(proof.run, view.vocabulary), "proofs": proofs, "met": met}
        case IndistinguishableProof():
            hops = [_hop(hop, view.vocabulary) for hop in proof.hops]
            return {"hops": hops, "proof": _proof(proof.proof, view)}
        case Instance():
            return {"run": run_data(proof.run, view.vocabulary), "proof": _proof(proof.proof, view)}
        case Strategy():
            return _strategy(proof, view)
        case Refusal():
            turns = [_turn(turn, proof.members, view) for turn in proof.turns]
            return {"members": list(proof.members), "turns": turns}
        case ImperfectInformationRefutation():
            return {"hop": _hop(proof.hop, view.vocabulary), "proof": _proof(proof.proof, view)}
        case UniformRefutation():
            hops = [_hop(hop, view.vocabulary) for hop in proof.hops]
            plays = [_lost_play(play, view) for play in proof.plays]
            return {"members": list(proof.members), "hops": hops, "plays": plays}
        case UniformModelProof():
            rows = [_row(row, view.vocabulary, by_observation=True) for row in proof.rows]
            return {"rows": rows, "proof": _proof(proof.proof, view)}
        case Fact():
            return {}
        case _:
            assert_never(proof)


def _hop(hop: Hop, names: Vocabulary) -> dict[str, Any]:
    return {"agents": list(hop.agents), "run": run_data(hop.run, names)}


def _lost_play(play: LostPlay, view: View) -> dict[str, Any]:
    return {
        "run": run_data(play.run, view.vocabulary),
        "choices": [_row(row, view.vocabulary, by_observation=True) for row in play.choices],
        "stops": play.stops,
        "proofs": [{"position": place, "proof": _proof(part, view)} for place, part in play.proofs],
    }


def _strategy(strategy: Strategy, view: View) -> dict[str, Any]:
    names, by_observation = view.vocabulary, strategy.by_observation
    return {
        "members": list(strategy.members),
        "by_observation": by_observation,
        "starts": [names.state(state) for state in strategy.starts],
        "rows": [_row(row, names, by_observation=by_observation) for row in strategy.rows],
        "tables": [table_data(table) for table in strategy.tables],
        "proofs": [_proof(proof, view) for _, proof in strategy.proofs],
    }


def table_data(table: DecisionTable) -> dict[str, Any]:
    """A decision table by name."""
    return {
        "agents": list(table.agents),
        "reads_states": table.reads_states,
        "variables": [list(variable) for variable in table.variables],
        "rows": [_decision(row, table) for row in table.rows],
    }


def _decision(row: DecisionRow, table: DecisionTable) -> dict[str, Any]:
    conditions: dict[str, dict[str, list[Value]]] = {}
    for condition in row.conditions:
        owner, name = table.variables[condition.place]
        conditions.setdefault(owner, {})[name] = list(condition.values)
    pairs = zip(table.agents, row.actions, strict=True)
    actions = {agent: action for agent, action in pairs if action is not None}
    return {"conditions": conditions, "actions": actions}


def _row(row: Row, names: Vocabulary, *, by_observation: bool) -> dict[str, Any]:
    sees = names.observation(row.agents[0], row.sees) if by_observation else names.state(row.sees)
    pairs = zip(row.agents, row.actions, strict=True)
    actions = {agent: action for agent, action in pairs if action is not None}
    return {"agents": list(row.agents), "sees": sees, "actions": actions}


def _turn(turn: Turn, members: tuple[str, ...], view: View) -> dict[str, Any]:
    return {
        "state": view.vocabulary.state(turn.state),
        "replies": [_reply(reply, members, view) for reply in turn.replies],
        "over": turn.over,
        "proof": None if turn.proof is None else _proof(turn.proof, view),
    }


def _reply(reply: Reply, members: tuple[str, ...], view: View) -> dict[str, Any]:
    return {
        "choice": chosen(reply.choice, members, view),
        "joint": None if reply.joint is None else view.vocabulary.action(reply.joint),
        "then": reply.then,
    }
