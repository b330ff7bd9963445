"""What `knower check` imports on a small model: start-up is paid by everybody, so it is kept in a list.

`python tests/architecture/test_startup.py` writes the list anew; read the difference before you commit it.
"""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path

LIST = Path(__file__).with_name("imported_by_check.txt")
MODEL = """
Agent A
  Vars: x : boolean; end Vars
  Actions = {a};
  Evolution: x = true if Action = a; end Evolution
end Agent
Evaluation p if A.x = true; end Evaluation
InitStates A.x = false; end InitStates
Formulae AF p; end Formulae
"""
#: A worker that is no process, so that its modules are seen.
SCRIPT = """
import sys

from knower.cli.entry import main
from knower.cli.main import run

early = sorted(sys.modules)

import json, os, queue

import knower.pool.processes
from knower.messages import Ready, Request, Told, VERSION


class Inside:
    pid, where = 0, "here"

    def __init__(self, keeping):
        from knower.desk.serving import Desk

        self.desk, self.told = Desk(keeping), queue.SimpleQueue()
        self.told.put(Ready(VERSION))

    def send(self, message):
        if isinstance(message, Request):
            self.desk.serve(message, lambda reply: self.told.put(Told(message.number, reply)))

    def replies(self):
        return iter(self.told.get, None)

    def kill(self):
        self.told.put(None)

    def reaped(self):
        return None

    abandon = kill


knower.pool.processes.ForkedWorker = knower.pool.processes.FreshWorker = Inside
sys.argv[1:] = ["check", "-"]
status = run()
made = [
    f"{name}.{cls.__qualname__}"
    for name, module in list(sys.modules.items())
    if name.startswith("knower.")
    for cls in vars(module).values()
    if isinstance(cls, type) and cls.__module__ == name
    and "__dataclass_params__" in vars(cls) and vars(cls)["__dataclass_params__"].init
]
print(json.dumps({"status": status, "early": early, "all": sorted(sys.modules), "compiled": made}))
os._exit(0)
"""


@cache
def seen() -> dict[str, list[str]]:
    """Modules loaded before a command is known, and after a check."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], input=MODEL, capture_output=True, text=True, timeout=120, check=False
    )
    found: dict[str, list[str]] = json.loads(done.stdout.splitlines()[-1])
    assert found["status"] == 0, done.stdout + done.stderr
    return found


def own(modules: list[str]) -> list[str]:
    return [name for name in modules if name.split(".")[0] == "knower"]


def foreign(modules: list[str]) -> set[str]:
    """Packages that are neither ours nor Python's; those count not that an environment loads by itself."""
    names = {name.split(".")[0] for name in modules} - {"knower", "__main__"} - set(sys.stdlib_module_names)
    return {name for name in names if not name.startswith(("_distutils", "__editable__"))}


def test_the_list_of_modules_is_kept():
    kept, found = set(LIST.read_text().split()), set(own(seen()["all"]))
    assert not found - kept, "imported by every check now: do it where it is needed, or write the list anew"
    assert not kept - found, "not imported any more: write the list anew"


def test_packages_of_others_are_few():
    # Those that a virtual environment loads by itself do not count.
    of_environment = {
        name for name in foreign(seen()["all"]) if name.startswith(("_distutils", "__editable__"))
    }
    assert foreign(seen()["early"]) - of_environment <= {"click"}
    assert foreign(seen()["all"]) - of_environment <= {"click", "oxidd", "typing_extensions"}


def test_what_takes_long_is_not_imported_before_a_command_is_known():
    slow = {
        "asyncio",
        "email",
        "hashlib",
        "json",
        "multiprocessing",
        "random",
        "secrets",
        "subprocess",
        "tempfile",
    }
    assert not slow & set(seen()["early"])


def test_no_class_is_compiled_before_it_is_used():
    """`knower.records.dataclass`, not the one of the standard library: it takes a tenth of the time."""
    assert seen()["compiled"] == []


if __name__ == "__main__":
    LIST.write_text("\n".join(own(seen()["all"])) + "\n")
