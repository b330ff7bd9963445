"""Tests that interrupt a process do so however they were started themselves."""

from __future__ import annotations

import signal
import sys
from subprocess import DEVNULL, PIPE

import pytest

from processes import PATIENCE, child

WAITING = f"import time; print('ready', flush=True); time.sleep({PATIENCE})"
COMMAND = [sys.executable, "-c", WAITING]


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
def test_a_child_heeds_an_interrupt_that_the_tests_ignore() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with child(COMMAND, stdout=PIPE, stderr=PIPE, text=True) as run:
            assert run.stdout is not None
            assert run.stdout.readline() == "ready\n"
            run.send_signal(signal.SIGINT)
            _, errors = run.communicate(timeout=PATIENCE)
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
    assert "KeyboardInterrupt" in errors
    assert run.returncode == -signal.SIGINT


def test_a_child_is_gone_in_the_end() -> None:
    with child(COMMAND, stdout=DEVNULL) as run:
        assert run.poll() is None
    assert run.poll() is not None
