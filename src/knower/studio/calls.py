"""What can be asked of the server, by name: the shapes of arguments and answers, and who answers."""

from __future__ import annotations

from typing import Any

from knower.records import dataclass
from knower.studio import (
    another_calls,
    coverage_calls,
    explore_calls,
    files_calls,
    learn_calls,
    picture_calls,
    question_calls,
    why_calls,
    wire,
    wire_explore,
)
from knower.studio.workbench import Handler


@dataclass(frozen=True)
class Call:
    """One of them."""

    args: Any
    done: Any
    handler: Handler


CALLS: dict[str, Call] = {
    "hello": Call(wire.Nothing, wire.Hello, files_calls.hello),
    "files": Call(wire.Nothing, wire.Files, files_calls.files),
    "read": Call(wire.Path, wire.FileText, files_calls.read),
    "hash": Call(wire.Path, wire.Saved, files_calls.hash_of),
    "save": Call(wire.Save, wire.Saved, files_calls.save),
    "draft": Call(wire.KeepDraft, wire.Nothing, files_calls.draft),
    "open": Call(wire.OpenModel, wire.Opened, question_calls.opened),
    "check": Call(wire.Ask, wire.Checked, question_calls.check),
    "why": Call(wire.AskWhy, wire.Why, why_calls.why),
    "another": Call(wire.AskAnother, wire.Another, another_calls.another),
    "watch": Call(wire.Watch, wire.Columns, why_calls.watch),
    "fired": Call(wire.AskStep, wire.Fired, why_calls.fired),
    "begin": Call(wire_explore.Begin, wire_explore.States, explore_calls.begin),
    "look": Call(wire_explore.Look, wire_explore.Situation, explore_calls.look),
    "moves": Call(wire_explore.Moves, wire_explore.Situation, explore_calls.moves),
    "walk": Call(wire_explore.Walk, wire_explore.Walked, explore_calls.walk),
    "whynot": Call(wire_explore.AskWhyNot, wire_explore.WhyNot, explore_calls.why_not),
    "possible": Call(wire_explore.AskPossible, wire_explore.States, explore_calls.possible),
    "graph": Call(wire_explore.AskGraph, wire_explore.GraphData, picture_calls.graph),
    "play": Call(wire.AskWhy, wire_explore.GraphData, picture_calls.play),
    "announce": Call(wire_explore.Announce, wire_explore.Announced, picture_calls.announce),
    "coverage": Call(wire_explore.AskCoverage, wire_explore.CoverageData, coverage_calls.covered),
    "families": Call(wire.Nothing, wire_explore.Families, learn_calls.families),
    "generate": Call(wire_explore.Generate, wire_explore.Generated, learn_calls.generated),
    "known": Call(wire_explore.AskKnown, wire_explore.Knowns, explore_calls.known),
}
#: What is told on the way.
NEWS: dict[str, Any] = {"check": wire.Running}
