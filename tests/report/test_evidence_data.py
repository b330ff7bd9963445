"""Evidence as JSON: hand-made evidence of every kind is valid, broken evidence is not."""

from __future__ import annotations

import json
from copy import deepcopy
from dataclasses import replace
from importlib.resources import files
from typing import Any, get_args

import pytest
from jsonschema import Draft202012Validator

from evidence_by_hand import (
    ACKED,
    ARRIVED,
    BIT_NAMES,
    BIT_PROPOSITIONS,
    BITS,
    COMMON,
    EVERY_KIND,
    REFUSED,
    START,
    TIAN_JI,
    WHOLE_RUN,
    bits,
    evidence,
    result,
)
from knower.reasons import StateLimit
from knower.report.data import result_data, to_json
from knower.report.proof_data import TYPES, evidence_data
from knower.verdict.evidence import Evidence, Fact, Followed, Proof, Replay, Unreplayed

SCHEMA = json.loads(files("knower.report").joinpath("schema.json").read_text(encoding="utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)
KINDS = {TYPES[type(proof)]: proof for proof in EVERY_KIND}


def written(found: Evidence) -> Any:
    """The evidence as it comes back from a valid report."""
    run = replace(WHOLE_RUN, formulas=(result(BITS, 1, "AF bit_received", found),))
    data = json.loads(to_json(result_data(run, propositions=BIT_PROPOSITIONS)))
    VALIDATOR.validate(data)
    return data["formulas"][0]["evidence"]


def test_every_kind_of_proof_is_tried():
    assert {type(proof) for proof in EVERY_KIND} == set(get_args(Proof))


def test_every_kind_of_proof_has_a_type_and_the_schema_knows_it():
    assert set(TYPES) == set(get_args(Proof))
    assert list(TYPES.values()) == SCHEMA["$defs"]["proof"]["properties"]["type"]["enum"]
    shapes = SCHEMA["$defs"]["proof"]["oneOf"]
    assert [shape["properties"]["type"]["const"] for shape in shapes] == list(TYPES.values())


@pytest.mark.parametrize("proof", EVERY_KIND, ids=lambda proof: TYPES[type(proof)])
def test_a_class_of_another_name_is_written_the_same(proof: Proof) -> None:
    found, kind = evidence("witness", BIT_NAMES, proof), type(proof)
    before, name = evidence_data(found), kind.__name__
    try:
        kind.__name__ = "Renamed"
        assert evidence_data(found) == before
    finally:
        kind.__name__ = name


@pytest.mark.parametrize("proof", EVERY_KIND, ids=lambda proof: TYPES[type(proof)])
def test_proofs_of_every_kind_are_valid(proof: Proof) -> None:
    found = written(evidence("witness", BIT_NAMES, proof))["cases"][0]["proof"]
    assert found["type"] == TYPES[type(proof)]
    assert found["state"] == BIT_NAMES.state(proof.state)
    assert BITS.parse(found["formula"]).body == proof.formula


@pytest.mark.parametrize("found", [COMMON, TIAN_JI, REFUSED], ids=["path", "strategy", "refusal"])
def test_whole_evidence_is_valid(found: Evidence) -> None:
    data = written(found)
    assert data["kind"] == found.kind
    assert data["replay"] == "ok"


def test_no_evidence_is_null():
    assert result_data(WHOLE_RUN)["formulas"][2]["evidence"] is None


def test_a_path_by_name():
    (case,) = written(COMMON)["cases"]
    way = case["proof"]
    assert case["run"] == {"states": [BIT_NAMES.state(START)], "actions": [], "loop": None, "end": None}
    assert way["run"]["states"][1] == {
        "Environment": {"line": "both"},
        "Sender": {"bit": "zero", "acked": False},
        "Receiver": {"received": "zero"},
    }
    assert way["run"]["actions"][0] == {
        "Environment": "pass_both",
        "Sender": "send_zero",
        "Receiver": "listen",
    }
    assert (way["run"]["loop"], way["run"]["end"]) == (None, 2)
    assert [item["position"] for item in way["proofs"]] == [2]
    doubt = way["proofs"][0]["proof"]["right"]
    assert [hop["agents"] for hop in doubt["hops"]] == [["Receiver"], ["Sender"]]


def test_a_strategy_by_name():
    rows = written(TIAN_JI)["cases"][0]["proof"]["rows"]
    assert rows[1] == {
        "agents": ["TianJi"],
        "sees": {
            "Environment": {"score": -1},
            "King": {"race": 2},
            "TianJi": {"fast": True, "middling": True, "slow": False},
        },
        "actions": {"TianJi": "run_fast"},
    }


def test_observations_name_only_what_is_seen():
    rows = written(evidence("strategy", BIT_NAMES, KINDS["strategy"]))["cases"][0]["proof"]["rows"]
    assert rows[0]["sees"] == {"Sender": {"bit": "zero", "acked": False}}
    assert rows[2]["sees"] == {"Receiver": {"received": "nothing"}}


def test_a_refusal_by_name():
    turns = written(REFUSED)["cases"][0]["proof"]["turns"]
    assert turns[0]["replies"][2] == {
        "choice": {"TianJi": "run_slow"},
        "joint": {"King": "run_fast", "TianJi": "run_slow"},
        "then": 3,
    }
    assert turns[3]["over"] and turns[3]["replies"] == []


def test_replays_others_and_followed_formulas():
    followed = (Followed("bit_received", frozenset({ACKED, ARRIVED}), frozenset({START})),)
    left = Unreplayed("AG p", StateLimit(3))
    replay = Replay((left,), ("no step",))
    data = written(replace(COMMON, replay=replay, others=3, followed=followed))
    assert (data["replay"], data["mistakes"]) == ("failed", ["no step"])
    assert data["unreplayed"] == ["AG p: more than 3 states"]
    assert data["others"] == 3
    states = [BIT_NAMES.state(ARRIVED), BIT_NAMES.state(ACKED)]
    unknown = [BIT_NAMES.state(START)]
    assert data["followed"] == [{"formula": "bit_received", "states": states, "unknown": unknown}]
    assert written(replace(COMMON, replay=Replay((left,))))["replay"] == "partial"
    assert written(replace(COMMON, replay=None))["replay"] is None


def test_formulas_are_never_clipped():
    long = bits(" and ".join(["bit_is_zero"] * 100))
    found = evidence_data(evidence("witness", BIT_NAMES, Fact(START, long)))
    assert BITS.parse(found["cases"][0]["proof"]["formula"]).body == long


CHANGES: list[tuple[str, list[str | int], object]] = [
    ("fact", ["why"], "because"),  # a member of another type
    ("fact", ["type"], "guess"),
    ("fact", ["state"], {"Sender": {"bit": None}}),
    ("cited", ["type"], "fact"),  # has a reason
    ("way", ["run", "loop"], -1),
    ("way", ["run", "states"], []),
    ("way", ["proofs"], [{"position": 0}]),
    ("both", ["left", "extra"], 1),
    ("strategy", ["rows", 0, "extra"], 1),
    ("strategy", ["by_observation"], "yes"),
    ("refusal", ["turns"], []),
    ("refusal", ["turns", 0, "replies", 0, "then"], "1"),
    ("doubt", ["hops", 0, "agents"], "Sender"),
]


@pytest.mark.parametrize(("kind", "place", "value"), CHANGES)
def test_the_schema_is_strict(kind: str, place: list[str | int], value: object) -> None:
    good = result_data(
        replace(
            WHOLE_RUN,
            formulas=(result(BITS, 1, "AF bit_received", evidence("witness", BIT_NAMES, KINDS[kind])),),
        )
    )
    assert VALIDATOR.is_valid(good)
    bad: Any = deepcopy(good)
    inner = bad["formulas"][0]["evidence"]["cases"][0]["proof"]
    for step in place[:-1]:
        inner = inner[step]
    inner[place[-1]] = value
    assert not VALIDATOR.is_valid(bad)


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_can_be_left_out(kind: str) -> None:
    good = result_data(
        replace(
            WHOLE_RUN,
            formulas=(result(BITS, 1, "AF bit_received", evidence("witness", BIT_NAMES, KINDS[kind])),),
        )
    )
    proof = good["formulas"][0]["evidence"]["cases"][0]["proof"]
    for member in list(proof):
        value = proof.pop(member)
        assert not VALIDATOR.is_valid(good), member
        proof[member] = value
