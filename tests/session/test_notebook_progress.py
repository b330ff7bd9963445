"""The line that says in notebooks how far a check is, with a kernel made of paper."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import pytest

from knower import loads, notebook_progress, silent
from knower.notebook_progress import NotebookLine


class Paper:
    """What was published, as (content, is it an update)."""

    def __init__(self) -> None:
        self.published: list[tuple[dict[str, str], bool]] = []
        self.marks: set[str] = set()

    def publish(self, content: dict[str, str], *, transient: dict[str, Any], update: bool) -> None:
        self.published.append((content, update))
        self.marks.add(transient["display_id"])


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    clock = SimpleNamespace(now=0.0)
    monkeypatch.setattr(notebook_progress, "time", SimpleNamespace(monotonic=lambda: clock.now))
    return clock


def _ipython(monkeypatch: pytest.MonkeyPatch, shell: object) -> None:
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))


@pytest.fixture
def paper(monkeypatch: pytest.MonkeyPatch) -> Paper:
    paper = Paper()
    _ipython(monkeypatch, SimpleNamespace(kernel=object(), display_pub=paper))
    return paper


def test_it_appears_after_a_while_changes_now_and_then_and_is_wiped(paper, clock):
    with NotebookLine() as show:
        for tenths in range(11):
            clock.now = tenths / 10
            show(lambda: f"at {clock.now}")
    shown = [({"text/plain": text}, text != "at 0.5 …") for text in ("at 0.5 …", "at 0.8 …")]
    assert paper.published == [*shown, ({}, True)]
    assert len(paper.marks) == 1


def test_short_work_shows_nothing(paper, clock):
    with NotebookLine() as show:
        clock.now = 0.4
        show(lambda: "hardly begun")
    assert paper.published == []


def test_it_is_wiped_where_something_is_raised(paper, clock):
    with pytest.raises(ZeroDivisionError), NotebookLine() as show:
        clock.now = 1.0
        show(lambda: "nearly")
        raise ZeroDivisionError
    assert paper.published[-1] == ({}, True)


@pytest.mark.parametrize(
    "shell", [None, SimpleNamespace(display_pub=Paper())], ids=["no shell", "a terminal"]
)
def test_without_a_kernel_there_is_no_line(monkeypatch, shell):
    _ipython(monkeypatch, shell)
    with NotebookLine() as show:
        assert show is None


def test_without_ipython_there_is_no_line(monkeypatch):
    monkeypatch.delitem(sys.modules, "IPython", raising=False)
    with NotebookLine() as show:
        assert show is None


@pytest.mark.parametrize("chosen", [silent, lambda describe: None], ids=["silent", "their own"])
def test_what_was_chosen_takes_its_place(paper, clock, chosen):
    with NotebookLine(chosen) as show:
        clock.now = 9.0
        show(lambda: "unseen")
        assert show is chosen
    assert paper.published == []


def test_checks_use_it(paper, monkeypatch):
    monkeypatch.setattr(notebook_progress, "_AFTER_SECONDS", 0.0)
    system = loads("Agent A Vars: x : boolean; end Vars end Agent Evaluation p if A.x = true; end Evaluation")
    assert system.check("AG (p -> p)", progress=silent)
    assert paper.published == []
    assert system.check("AG (p -> p)")
    assert paper.published == [] or paper.published[-1] == ({}, True)
