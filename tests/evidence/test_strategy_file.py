"""Strategies that are saved and followed again: what they win is so in the model restricted to them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from engines import Asker
from hidden_games import game
from knower.cli.main import cli
from knower.functions.registry import available
from knower.limits import Budget
from knower.model import Model
from knower.options import AtlReading, Reading
from knower.report.strategy_data import saved_strategy, strategy_of
from knower.source import Source
from knower.verdict.verdict import Verdict
from spoiling import LIMITS, explanations
from strategies import cases

pytestmark = pytest.mark.skipif(not available(), reason="no library of decision diagrams is installed")

EXAMPLES = Path(__file__).parents[2] / "examples"
#: What a strategy brings about, and what is so when it is followed.
WON = {"<{g}>X {p}": "AX {p}", "<{g}>F {p}": "AF {p}", "<{g}>G {p}": "AG {p}", "<{g}>(r U {p})": "A(r U {p})"}


def test_what_is_won_is_so_when_the_strategy_is_followed() -> None:
    seen: Counter[str] = Counter()

    @settings(cases(10), phases=[Phase.generate])
    @given(st.randoms(use_true_random=False))
    def follow(dice: Random) -> None:
        source = Source("<game>", game(dice, fair=dice.random() < 0.3))
        model = Model.read(source)
        reading = Reading(dice.choice([AtlReading.UNIFORM, AtlReading.OBJECTIVE]))
        asker = Asker("bdd", model.interpreted, Budget(seconds=20), reading)
        names = {"g": dice.choice(["P1", "P2", "two"]), "p": dice.choice("pqr")}
        asked = {shape.format(**names): then.format(**names) for shape, then in WON.items()}
        specs = [model.parse(text) for text in asked]
        for spec, verdict, evidence in explanations(asker, specs, LIMITS):
            strategy = strategy_of(evidence) if verdict is Verdict.TRUE else None
            if strategy is None or not strategy.rows:
                continue
            text = json.dumps(saved_strategy(strategy, evidence.vocabulary, model.print(spec), model.digest))
            followed = Model.read(source, strategy=Source("<file>", text))
            for engine in ("bdd", "explicit"):
                there = Asker(engine, followed.interpreted, Budget(seconds=20), Reading())
                then = followed.parse(asked[model.print(spec)])
                assert there.check(then).verdict is Verdict.TRUE, (engine, model.print(spec))
                seen[engine] += 1

    follow()
    assert min(seen["bdd"], seen["explicit"]) > 2


def test_a_strategy_is_saved_and_followed(tmp_path) -> None:
    file, model = str(tmp_path / "s.json"), str(EXAMPLES / "tian_ji.ispl")
    ask = ["check", model, "--formula", "<TianJi>F tian_ji_wins", "--save-strategy", file]
    assert CliRunner().invoke(cli, ask).exit_code == 0
    ran = CliRunner().invoke(cli, ["check", model, "--with", file, "--formula", "AF tian_ji_wins"])
    assert (ran.exit_code, "4 reachable states" in ran.output) == (0, True)
    assert "note: restricted to the strategy of TianJi" in ran.output
    walked = CliRunner().invoke(cli, ["simulate", model, "--with", file, "-c", "initial 1", "-c", "actions"])
    assert walked.exit_code == 0 and "2. King" not in walked.output
    other = CliRunner().invoke(cli, ["check", str(EXAMPLES / "train_gate.ispl"), "--with", file])
    assert other.exit_code == 2 and "E618" in other.output
    unseen = CliRunner().invoke(cli, ["check", model, "--with", file, "--atl", "uniform", "-f", "true"])
    assert unseen.exit_code == 2 and "E607" in unseen.output
    nothing = CliRunner().invoke(cli, ["check", model, "--formula", "true", "--save-strategy", file])
    assert nothing.exit_code == 2 and "E619" in nothing.output
