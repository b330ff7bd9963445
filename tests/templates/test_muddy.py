"""A whole model in the language: muddy children, for several numbers of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from knower import load
from knower.model import Model
from knower.source import Source

MUDDY = Path(__file__).with_name("muddy.ispl")


@pytest.mark.parametrize(("children", "states"), [(2, 16), (3, 40), (4, 96)])
def test_states_and_expectations(children, states):
    result = load(MUDDY, constants={"n": children}).check(evidence="none")
    assert result.states == states
    assert result.as_expected and result.exit_status == 0
    assert [each.name for each in result if not each] == ["early"]


def test_equal_parts_are_one_node():
    """The sum of the mud that others see is a chain for each child; beginnings of chains are shared."""
    model = Model.read(Source("muddy.ispl", MUDDY.read_text()), {"n": 40})
    assert len(model.module.agents) == 41
    first, second = (agent.protocol[0].condition.expr for agent in model.module.agents[39:41])
    assert first.left.left.left is second.left.left.left
