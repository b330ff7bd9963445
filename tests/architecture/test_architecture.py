"""The shape of the package: who imports whom, how large things are, what is documented."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import pytest

import knower
from slow import SLOW

SRC = Path(knower.__file__).parent
MODULES = sorted(path for path in SRC.rglob("*.py"))
TESTS = Path(__file__).parents[1]

#: A part of the package -> the parts it may import (beside itself). Nothing else.
_GROUND = {"errors", "source", "limits", "options"}
MAY_IMPORT = {
    "source": set(),
    "errors": {"source"},
    "options": set(),
    "limits": {"errors"},
    "logic": {"errors", "source"},
    "syntax": {"logic", "errors", "source"},
    "verdict": {"logic", *_GROUND},
    "system": {"logic", *_GROUND},
    "reference": {"system", "logic", "verdict", *_GROUND},
    "functions": set(),
    "symbolic": {"functions", "system", "logic", "verdict", *_GROUND},
    "checking": {"symbolic", "functions.protocol", "system", "logic", "verdict", *_GROUND},
    "evidence": {"reference", "system", "logic", "verdict", "syntax.printing", *_GROUND},
    "execution": {
        "checking",
        "cluster",
        "reference",
        "sat",
        "evidence",
        "functions.registry",
        "system",
        "logic",
        "verdict",
        *_GROUND,
    },
    "sat": {"symbolic", "functions.circuit", "system", "logic", "verdict", *_GROUND},
    "cluster": {
        "checking",
        "symbolic",
        "functions.protocol",
        "functions.transport",
        "system",
        "logic",
        "verdict",
        *_GROUND,
    },
    "choices": {"functions.registry", *_GROUND},
    "portfolio": {"execution", "supervision", "functions.registry", "verdict", *_GROUND},
    "simulation": {"execution", "checking", "reference", "system", "logic", "verdict", *_GROUND},
    "supervision": {"execution", "verdict", *_GROUND},
    "session": {
        "execution",
        "choices",
        "portfolio",
        "supervision",
        "simulation",
        "functions.registry",
        "system",
        "syntax",
        "logic",
        "verdict",
        *_GROUND,
    },
    "builder": {"session", "system"},
    "families": {"syntax.formatting", "errors", "source"},
    "bench": {"families", "errors", "options"},
    "report": {"verdict", "logic", "errors", "syntax.printing"},
    "cli": {"session", "simulation", "families", "bench", "report", "verdict", *_GROUND},
    "__main__": {"cli"},
    "__init__": {"session", "builder", "errors", "logic", "syntax", "verdict"},
}
FINDERS = ("account", "explain", "follow", "games", "goals", "plans", "tracks", "view", "ways")
#: Modules, by how their names start, with a wider licence than their package.
ALSO = {
    "system.elaborate": {"syntax"},
    "system.resolve": {"syntax"},
    "system.lint": {"syntax"},
    "execution": {"syntax.printing"},
    # What finds evidence is generic over Boolean functions; what judges it knows no engine.
    **{f"evidence.{name}": {"functions.protocol"} for name in FINDERS},
    "checking.diagram": {"functions"},
    "session": {"checking.diagram"},
    "sat": {"evidence.names", "evidence.words"},
    "cli.stepper": {"logic"},
    "cli.main": {"__init__"},
    "cli.bench": {"__init__"},
}


def _dotted(path: Path) -> str:
    return ".".join(path.relative_to(SRC).with_suffix("").parts)


def _part(dotted: str) -> str:
    return dotted.split(".")[0]


def _imports(path: Path) -> set[str]:
    """What a module imports of the package, without the leading `knower.`."""
    found = set()
    for item in ast.walk(ast.parse(path.read_text())):
        if isinstance(item, ast.ImportFrom) and item.module and item.module.split(".")[0] == "knower":
            inner = item.module.removeprefix("knower").lstrip(".")
            found |= {inner} if inner else {_submodule(alias.name) for alias in item.names}
    return found


def _submodule(name: str) -> str:
    return name if (SRC / name).exists() or (SRC / f"{name}.py").exists() else "__init__"


@pytest.mark.parametrize("path", MODULES, ids=_dotted)
def test_imports_go_one_way(path):
    here = _dotted(path)
    allowed = MAY_IMPORT[_part(here)].union(*(more for name, more in ALSO.items() if here.startswith(name)))
    for target in _imports(path):
        fine = _part(target) == _part(here) or _part(target) in allowed or target in allowed
        assert fine, f"{here} must not import {target}"


def test_there_are_no_import_cycles():
    graph = {_dotted(path): _imports(path) for path in MODULES}
    done: set[str] = set()

    def visit(name: str, above: tuple[str, ...]) -> None:
        assert name not in above, f"import cycle: {' -> '.join((*above, name))}"
        if name in done or name not in graph:
            return
        for target in graph[name]:
            visit(target, (*above, name))
        done.add(name)

    for name in graph:
        if name != "__init__":
            visit(name, ())


@pytest.mark.parametrize("path", MODULES, ids=_dotted)
def test_pieces_are_small(path):
    text = path.read_text()
    assert text.count("\n") <= 420, "split the file"
    for item in ast.walk(ast.parse(text)):
        if isinstance(item, ast.FunctionDef):
            assert item.end_lineno - item.lineno < 65, f"split {item.name}"


@pytest.mark.parametrize("path", MODULES, ids=_dotted)
def test_every_module_says_what_it_is(path):
    if path.name == "__init__.py" and not path.read_text().strip():
        return
    assert ast.get_docstring(ast.parse(path.read_text())), "a module docstring is missing"


@pytest.mark.parametrize("name", [n for n in knower.__all__ if n != "__version__"])
def test_public_names_exist_and_are_documented(name):
    assert inspect.getdoc(getattr(knower, name))


def test_no_module_is_a_drawer():
    for path in MODULES:
        assert path.stem not in {"utils", "helpers", "common", "misc", "shared"}


# -- tests ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("slow", SLOW)
def test_what_is_left_out_of_a_quick_run_exists(slow):
    place, _, test = slow.partition("::")
    found = TESTS / place
    assert found.exists()
    assert not test or f"def {test}(" in found.read_text()
