"""Kernels of notebooks that tests start, talk to and interrupt."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import knower
from processes import PATIENCE, heeding_interrupts


def needed() -> None:
    """Skip the tests of a module, aloud, where there is no Jupyter."""
    for name in ("nbformat", "nbclient", "jupyter_client", "ipykernel", "matplotlib"):
        pytest.importorskip(name, reason=f"{name.upper()} IS NOT INSTALLED: notebooks are not tested")


def environment(folder: Path) -> dict[str, str]:
    """For kernels: this very Knower, and nothing written outside of a folder."""
    places = {
        name: str(folder / name.lower()) for name in ("IPYTHONDIR", "JUPYTER_RUNTIME_DIR", "MPLCONFIGDIR")
    }
    return {**os.environ, **places, "PYTHONPATH": str(Path(knower.__file__).parents[1])}


@dataclass
class Told:
    """What a cell has written, shown and raised."""

    text: str = ""
    shown: list[dict[str, Any]] = field(default_factory=list)
    error: str = ""

    def hear(self, kind: str, content: dict[str, Any]) -> None:
        match kind:
            case "stream":
                self.text += content["text"]
            case "display_data" | "update_display_data":
                self.shown.append({"kind": kind, "data": content["data"], **content["transient"]})
            case "error":
                self.error = f"{content['ename']}: {content['evalue']}"


class Kernel:
    """A kernel that runs, and the one client it has."""

    def __init__(self, manager: Any, client: Any) -> None:
        self._manager, self._client = manager, client

    def run(self, code: str, *, interrupt_when: str = "") -> Told:
        """Run a cell to its end; `interrupt_when`: interrupt it at the first message of this kind."""
        asked, told = self._client.execute(code), Told()
        while True:
            message = self._client.get_iopub_msg(timeout=PATIENCE)
            if message["parent_header"].get("msg_id") != asked:
                continue
            kind, content = message["msg_type"], message["content"]
            if kind == "status" and content["execution_state"] == "idle":
                return told
            told.hear(kind, content)
            if kind == interrupt_when:
                self._manager.interrupt_kernel()
                interrupt_when = ""


@contextmanager
def kernel(folder: Path) -> Iterator[Kernel]:
    """A kernel of this Python; it has ended when this is left."""
    from jupyter_client.manager import KernelManager

    manager = KernelManager(kernel_name="python3", connection_file=str(folder / "connection.json"))
    with heeding_interrupts():
        manager.start_kernel(env=environment(folder), cwd=str(folder))
    client = manager.blocking_client()
    try:
        client.start_channels()
        client.wait_for_ready(timeout=PATIENCE)
        yield Kernel(manager, client)
    finally:
        client.stop_channels()
        manager.shutdown_kernel()
        manager.context.destroy()
