"""The notebooks of `examples` as something to run.

`PYTHONPATH=tests python tests/docs/doc_notebooks.py NOTEBOOK …` runs notebooks and writes their true outputs
into them, without a trace of the machine.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient

from kernels import environment
from processes import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))


def executed(path: Path, folder: Path) -> nbformat.NotebookNode:
    """A notebook with what its cells give, run in a copy of its folder; raises if a cell does."""
    shutil.copytree(path.parent, folder / "examples")
    notebook = nbformat.read(folder / "examples" / path.name, as_version=4)
    client = NotebookClient(notebook, timeout=PATIENCE, resources={"metadata": {"path": folder / "examples"}})
    client.execute(env=environment(folder))
    return notebook


def kept(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """What is worth keeping: outputs that show something, and nothing of when and by what they were made."""
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    for cell in notebook.cells:
        cell.metadata = {}
        if cell.cell_type == "code":
            cell.outputs = _joined([output for output in cell.outputs if output.get("data") != {}])
    return notebook


def _joined(outputs: list[nbformat.NotebookNode]) -> list[nbformat.NotebookNode]:
    """The same with texts in one piece that a line of progress has parted."""
    found: list[nbformat.NotebookNode] = []
    for output in outputs:
        if (
            found
            and output.output_type == "stream" == found[-1].output_type
            and output.name == found[-1].name
        ):
            found[-1].text += output.text
        else:
            found.append(output)
    return found


if __name__ == "__main__":
    for path in [Path(name).resolve() for name in sys.argv[1:]] or NOTEBOOKS:
        with tempfile.TemporaryDirectory() as scratch:
            nbformat.write(kept(executed(path, Path(scratch))), path)
        print(f"wrote {path.relative_to(ROOT)}")
