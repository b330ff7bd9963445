"""The shape of the package: who imports whom, how large things are, what is documented."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import knower
from knower.engine.registry import ROWS
from slow import SLOW

SRC = Path(knower.__file__).parent
MODULES = sorted(path for path in SRC.rglob("*.py"))
TESTS = Path(__file__).parents[1]

#: A part of the package -> the parts it may import (beside itself). Nothing else.
_GROUND = {"errors", "source", "reasons", "limits", "options"}
_MEANING = {"system", "logic", "verdict", *_GROUND}
#: How values are written down, for everybody.
_EVERYWHERE = {"records"}
MAY_IMPORT = {
    "records": set(),
    "source": set(),
    "reasons": set(),
    "errors": {"source", "reasons"},
    "options": {"source"},
    "memory": set(),
    "lifeline": set(),
    "cores": {"errors"},
    "limits": {"errors", "reasons", "options", "memory"},
    "files": {"errors"},
    "logic": {"errors", "source"},
    "syntax": {"logic", "errors", "source"},
    "verdict": {"logic", *_GROUND},
    "system": {"logic", *_GROUND},
    "constraints": {"system", "logic"},
    "query": {"syntax.printing", *_MEANING},
    "functions": set(),
    "evidence": {"reference", "syntax.printing", *_MEANING},
    "engine": {"query", "evidence.view", "functions.registry", *_MEANING},
    "reference": {"engine", "query", *_MEANING},
    "bitset": {"engine", "query", *_MEANING},
    "symbolic": {"functions", *_MEANING},
    "checking": {
        "engine", "query", "symbolic", "functions.covers", "functions.protocol", "functions.solvers",
        *_MEANING,
    },
    "sat": {"engine", "query", "symbolic", "functions.circuit", "functions.solvers", *_MEANING},
    "pdr": {"engine", "query", "sat", "functions.circuit", "functions.solvers", *_MEANING},
    "cluster": {
        "query", "checking", "symbolic", "functions.protocol", "functions.transport", "messages", "memory",
        "pool", "lifeline", "__init__", *_MEANING,
    },
    "ownership": {
        "query", "checking", "symbolic", "functions.protocol", "functions.registry", "functions.transport",
        "cluster.split", *_MEANING,
    },
    "execution": {"engine", "query", "evidence", "functions.registry", *_MEANING},
    "templates": {"syntax", "errors", "source", "logic"},
    "expansion": {"syntax", "constraints", *_MEANING},
    "model": {"syntax", "templates", "expansion", "strategy_file", *_MEANING},
    "strategy_file": _MEANING,
    "messages": set(_MEANING),
    # Inside a worker, and outside of all of them: they know of each other by messages only.
    "desk": {
        "messages", "memory", "lifeline", "model", "engine", "query", "execution", "simulation",
        "checking.diagram", "symbolic.beginning", "syntax", *_MEANING,
    },
    "pool": {"messages", "memory", "verdict", "syntax.printing", "__init__", *_GROUND},
    "portfolio": {"engine.registry", "messages", "pool", "verdict", *_GROUND},
    "simulation": _MEANING,
    "sources": {"errors", "source"},
    "asking": {"engine", "messages", "sources", *_MEANING},
    "notebook_progress": {"limits"},
    "states": {"messages", "model", *_MEANING},
    "session": {
        "states",
        "asking", "cluster.fleet", "cores", "engine.choices", "memory", "messages", "model",
        "notebook_progress", "pool", "portfolio", "simulation", "sources", "syntax", *_MEANING,
    },
    "batch": {"asking", "session", "verdict", "__init__", *_GROUND},
    "builder": {"session", "system", "errors", "source"},
    "formulas": {"logic"},
    "families": {"syntax.formatting", "errors", "source"},
    "bench": {"families", "engine.registry", "errors", "files", "options"},
    "report": {"verdict", "logic", "errors", "reasons", "syntax.printing"},
    "cli": {
        "batch", "session", "sources", "simulation", "families", "bench", "report",
        "engine.registry", "verdict", "cores", "files", *_GROUND,
    },
    "lsp": {
        "session", "messages", "model", "pool.ticket", "pool.waiting", "report", "syntax.lexer",
        "syntax.operators", "system.findings", "verdict", "logic", "__init__", *_GROUND,
    },
    "pygments_lexer": set(),
    "studio": {
        "asking", "engine.registry", "evidence.names", "families", "files", "messages", "model", "pool",
        "lsp", "report", "session", "simulation", "sources", "syntax", "__init__", *_MEANING,
    },
    "__main__": {"cli"},
    "__init__": {"notebook_progress", "options", "pool.ticket",
        "session", "simulation", "builder", "formulas", "report", "errors", "logic", "syntax", "verdict",
    },
}  # fmt: skip
FINDERS = (
    "covers",
    "decisions",
    "merging",
    "plays",
    "defeats",
    "justification",
    "explain",
    "follow",
    "games",
    "goals",
    "plans",
    "product_search",
    "view",
    "ways",
)
#: Modules, by how their names start, with a wider licence than their package.
ALSO = {
    "system.elaborate": {"syntax"},
    "system.asked": {"syntax"},
    "system.resolve": {"syntax"},
    "system.lint": {"syntax", "constraints"},
    # What finds evidence is generic over Boolean functions and answers queries; what judges it knows no
    # engine, and reads specifications by itself.
    **{f"evidence.{name}": {"functions.protocol", "query"} for name in FINDERS},
    "evidence.covers": {"functions.covers", "functions.solvers"},
    "checking.diagram": {"functions"},
    "sat": {"evidence.names", "evidence.words"},
    "pdr": {"evidence.words"},
    "cli.stepper": {"logic"},
    "cli.main": {"__init__"},
    "cli.lsp": {"lsp"},
    "cli.bench": {"__init__"},
    "cli.studio": {"studio"},
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
    also = [more for name, more in ALSO.items() if here.startswith(name)]
    allowed = MAY_IMPORT[_part(here)].union(_EVERYWHERE, *also)
    for target in _imports(path):
        fine = _part(target) == _part(here) or _part(target) in allowed or target in allowed
        assert fine, f"{here} must not import {target}"


#: Modules that only some systems have: they are imported where they are used.
_OF_UNIX = {"fcntl", "grp", "posix", "pty", "pwd", "readline", "resource", "syslog", "termios", "tty"}


@pytest.mark.parametrize("path", MODULES, ids=_dotted)
def test_every_module_can_be_imported_everywhere(path):
    for item in ast.parse(path.read_text()).body:
        if isinstance(item, ast.Import | ast.ImportFrom):
            names = {getattr(item, "module", None), *(alias.name for alias in item.names)}
            assert not names & _OF_UNIX, f"{_dotted(path)} needs a Unix"


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


# -- one table of engines ----------------------------------------------------------------------------------

#: Where a row of the table may be told from another: the table, and the packages the row is made of.
_AT_HOME = {row.name: {row.make.split(".")[1], "engine.registry"} for row in ROWS}


def _compared(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """The texts that something is compared with, looked up by, or matched with."""
    for item in ast.walk(tree):
        match item:
            case ast.Compare(left, _, others):
                parts = [part for side in (left, *others) for part in ast.walk(side)]
            case ast.Dict(keys):
                parts = [key for key in keys if key is not None]
            case ast.MatchValue(value):
                parts = [value]
            case ast.Subscript(_, index):
                parts = [index]
            case _:
                continue
        for part in parts:
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                yield part.value, part.lineno


@pytest.mark.parametrize("path", MODULES, ids=_dotted)
def test_engines_are_told_apart_by_the_table_only(path):
    here = _dotted(path)
    for text, line in _compared(ast.parse(path.read_text())):
        homes = _AT_HOME.get(text, {_part(here)})
        assert _part(here) in homes or here in homes, f"{here}:{line} knows the engine {text} by name"


def test_nobody_asks_what_an_engine_has():
    for path in MODULES:
        for item in ast.walk(ast.parse(path.read_text())):
            if isinstance(item, ast.Call) and isinstance(item.func, ast.Name) and item.func.id == "hasattr":
                what = ast.unparse(item.args[0])
                assert what == "os", f"{_dotted(path)} asks whether {what} has something"


# -- options are spelt where people type them -------------------------------------------------------------

_SPELLERS = {"cli", "report", "families", "bench"}
_FLAG = re.compile(r"(?<![-\w])--[a-z]")


@pytest.mark.parametrize("path", MODULES, ids=_dotted)
def test_options_are_spelt_for_the_command_line_only_there(path):
    if _part(_dotted(path)) in _SPELLERS:
        return
    for item in ast.walk(ast.parse(path.read_text())):
        if isinstance(item, ast.Constant) and isinstance(item.value, str):
            text = item.value.replace("pip install --pre", "")
            assert not _FLAG.search(text), f"{_dotted(path)}:{item.lineno}: {item.value!r}"


def test_no_reason_is_read_by_its_words():
    for path in MODULES:
        for item in ast.walk(ast.parse(path.read_text())):
            if isinstance(item, ast.Compare) and any(isinstance(op, ast.In) for op in item.ops):
                words = [part for part in ast.walk(item) if isinstance(part, ast.Attribute | ast.Name)]
                named = {part.attr if isinstance(part, ast.Attribute) else part.id for part in words}
                assert not named & {"reason", "why", "message"}, f"{_dotted(path)}:{item.lineno}"


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
