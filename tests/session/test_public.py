"""The public names: listed, typed, and usable under the strictest rules of a type checker."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest

import knower

SRC = Path(knower.__file__).parents[1]

SCRIPT = """
from pathlib import Path
from typing import assert_type

import knower
from knower import AG, EF, CheckResult, FormulaResult, K, Verdict, atoms
from knower.formulas import A, Diamond, Formula, G, Letter, Star, U

system: knower.System = knower.load(Path("model.ispl"))
p, q = atoms("p q")
safe = AG(p >> K("Sender", q & ~p | True))
paths: list[Formula] = [G(p), A(U(p, q)), Diamond(Star(Letter(p)), q), EF(False | p), knower.Atom("r")]
assert_type(safe, AG)
asked: list[knower.Specification] = [knower.specification(formula) for formula in paths]


def every(system: knower.System) -> dict[str, bool]:
    result: CheckResult = system.check("AG p", asked[0], time_limit=10.0, progress=knower.silent)
    if result:
        print(result.as_expected, result.to_json(), len(result.to_html()))
    verdicts: list[Verdict] = [each.verdict for each in result]
    first: FormulaResult = result[0]
    if first.evidence is not None:
        kind: str = first.evidence.kind
        print(kind, first.evidence.to_dict()["kind"], verdicts)
    graph: knower.StateGraph = system.graph()
    walk: knower.Simulation = system.simulate().begin(1)
    print(graph.to_dict(), walk.here, result.to_pandas())
    return {each.text: bool(each) for each in result}


try:
    every(knower.loads("Agent"))
except knower.InputError as error:
    print([found.line for found in error.diagnostics])
"""


def test_dir_shows_the_public_names() -> None:
    assert dir(knower) == sorted(knower.__all__)
    assert {"load", "check", "AG", "K", "atoms", "formulas", "CheckResult", "Builder"} <= set(dir(knower))
    assert all(hasattr(knower, name) for name in dir(knower))


def test_names_are_found_once() -> None:
    from knower import _PUBLIC

    assert set(knower.__all__) == {*_PUBLIC, "__version__", "formulas"}


def test_other_names_are_not() -> None:
    with pytest.raises(AttributeError, match="no attribute 'lod'"):
        _ = knower.lod


def test_importing_knower_imports_nothing_large() -> None:
    code = "import sys, knower; print([name for name in sys.modules if name.startswith('knower.')])"
    assert _python("-c", code).stdout.strip() == "[]"


def test_the_package_says_that_it_is_typed() -> None:
    """In the wheel too, which takes the whole package."""
    assert (SRC / "knower" / "py.typed").exists()
    project = SRC.parent / "pyproject.toml"
    if project.exists():
        build = tomllib.loads(project.read_text())["tool"]["hatch"]["build"]
        assert build["targets"]["wheel"] == {"packages": ["src/knower"]}


def test_a_script_of_a_user_is_typed(tmp_path: Path) -> None:
    if find_spec("mypy") is None:
        pytest.skip("MYPY IS NOT INSTALLED: that users' scripts are typed is not tested")
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    (tmp_path / "mypy.ini").write_text(f"[mypy]\nstrict = True\nmypy_path = {SRC}\n")
    found = _python("-m", "mypy", "--config-file", str(tmp_path / "mypy.ini"), str(script), cwd=tmp_path)
    assert found.returncode == 0, found.stdout + found.stderr


def test_a_wrong_script_is_refused(tmp_path: Path) -> None:
    if find_spec("mypy") is None:
        pytest.skip("MYPY IS NOT INSTALLED: that users' mistakes are found is not tested")
    script = tmp_path / "script.py"
    script.write_text('import knower\nknower.AG("p")\nknower.Atom("p") & "q"\nknower.lod("x")\n')
    (tmp_path / "mypy.ini").write_text(f"[mypy]\nstrict = True\nmypy_path = {SRC}\n")
    found = _python("-m", "mypy", "--config-file", str(tmp_path / "mypy.ini"), str(script), cwd=tmp_path)
    assert [line.split(":")[1] for line in found.stdout.splitlines() if "error:" in line] == ["2", "3", "4"]


def _python(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = {"PYTHONPATH": str(SRC), "PATH": "/usr/bin:/bin"}
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, cwd=cwd, env=environment, check=False
    )
