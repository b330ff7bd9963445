"""The notebooks of `examples`: they run, and what they show can be handed on."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import kernels

kernels.needed()

import nbformat  # noqa: E402
from doc_notebooks import NOTEBOOKS, executed, kept  # noqa: E402
from doc_pages import ROOT, links  # noqa: E402

#: In kilobytes; code forges show no larger ones.
MOST = 600
#: How places on some machine begin.
_PLACES = re.compile(
    r"(?<![\w./])/(?:home|root|tmp|work|usr|opt|var|Users|private)/|[A-Z]:\\\\", re.MULTILINE
)


@pytest.fixture(params=NOTEBOOKS, ids=lambda path: path.stem)
def path(request: pytest.FixtureRequest) -> Path:
    return request.param


def _shown(notebook: nbformat.NotebookNode) -> list[str]:
    """For each cell of code what kinds of outputs it has."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    return [" ".join(output.output_type for output in cell.outputs) for cell in cells]


def test_there_are_two():
    assert [path.name for path in NOTEBOOKS] == ["muddy_children.ipynb", "train_gate.ipynb"]


def test_it_runs_and_shows_what_is_stored(path, tmp_path):
    stored = nbformat.read(path, as_version=4)
    assert _shown(kept(executed(path, tmp_path))) == _shown(stored), (
        f"`PYTHONPATH=tests python tests/docs/doc_notebooks.py {path.relative_to(ROOT)}` writes what is true"
    )


def test_it_is_small_and_whole(path):
    stored = nbformat.read(path, as_version=4)
    nbformat.validate(stored)
    assert path.stat().st_size < MOST * 1024
    code = [cell for cell in stored.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1)), "run it from the start"
    assert stored == kept(nbformat.from_dict(stored))


def test_it_tells_nothing_of_the_machine(path):
    text = path.read_text(encoding="utf-8")
    assert not _PLACES.search(text), _PLACES.search(text)
    assert '"stderr"' not in text and '"error"' not in text


def test_its_links_lead_somewhere(path):
    for cell in nbformat.read(path, as_version=4).cells:
        for link in links(cell.source) if cell.cell_type == "markdown" else []:
            assert (path.parent / link).exists(), link
