"""Questions asked in notebooks: a real kernel, with its event loop, its interrupts and its end."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import kernels
from processes import PATIENCE, is_alive

kernels.needed()

BEGIN = """
import asyncio, threading
import knower
from knower.families import generate
from knower.session import usual_session

small = knower.loads(generate("muddy-children", n=3), "children")
endless = knower.loads(generate("train-gate", n=60), "trains")
"""
LONG = "result = endless.check('AG !(train1_in_tunnel and train2_in_tunnel)', evidence='none')"


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[kernels.Kernel]:
    with kernels.kernel(tmp_path_factory.mktemp("kernel")) as made:
        assert made.run(BEGIN) == kernels.Told()
        yield made


def test_cells_check_on_the_main_thread_under_a_running_loop(kernel):
    for formula in ("EF all_said_yes", "AG all_said_yes"):
        told = kernel.run(
            "main = threading.current_thread() is threading.main_thread()\n"
            "print(main, asyncio.get_running_loop().is_running(), "
            f"small.check('{formula}')[0].verdict.value)"
        )
        assert (told.text, told.error) == (f"True True {str(formula[0] == 'E').lower()}\n", "")


def test_cells_can_await(kernel):
    told = kernel.run(
        "both = await asyncio.gather(small.acheck('EF all_said_yes'), small.acheck('AG all_said_yes'))\n"
        "print([each[0].verdict.value for each in both])"
    )
    assert (told.text, told.error) == ("['true', 'false']\n", "")


def test_an_interrupt_ends_a_check_and_its_line_is_wiped(kernel):
    told = kernel.run(
        f"{LONG}\nprint(result.interrupted, result[0].verdict.value)", interrupt_when="display_data"
    )
    assert (told.text, told.error) == ("True unknown\n", "")
    assert told.shown[0]["data"]["text/plain"].endswith(" …")
    assert told.shown[-1] == {**told.shown[0], "kind": "update_display_data", "data": {}}
    assert kernel.run("print(bool(small.check('EF all_said_yes')))").text == "True\n"


def test_progress_may_be_silent(kernel):
    told = kernel.run(LONG.replace("evidence", "progress=knower.silent, time_limit=2, evidence"))
    assert told == kernels.Told()


def test_no_worker_outlives_its_kernel(tmp_path: Path):
    with kernels.kernel(tmp_path) as made:
        made.run(BEGIN)
        told = made.run("ticket = endless.submit()\nprint(*usual_session().workers())")
        workers = [int(word) for word in told.text.split()]
        assert workers and all(map(is_alive, workers))
    deadline = time.monotonic() + PATIENCE
    while any(map(is_alive, workers)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(is_alive, workers))
