"""Where the program starts: what must hold from the first moment, before anything large is imported."""

from __future__ import annotations

# What `signal` is made of, without the time that its import takes.
import _signal as bare  # type: ignore[import-not-found]

# Ctrl-C would raise an exception, of which nobody takes care yet: until `main` it ends the process.
if bare.getsignal(bare.SIGINT) is bare.default_int_handler:
    bare.signal(bare.SIGINT, bare.SIG_DFL)

import atexit
import gc
import os
import sys
from collections.abc import Sequence
from contextlib import suppress

from knower.cli import signals, streams


def main() -> None:
    """The command `knower`: no traceback and no wrong exit status, also while it starts and while it ends."""
    signals.leave_at_once()  # nothing is begun yet
    gc.disable()  # modules are no garbage; a session turns it on again
    ends = list[int]()
    atexit.register(_leave, ends)  # what is registered first is done last
    streams.fill_gaps()
    streams.guard()
    ends.append(signals.ending(_status()))
    signals.leave_at_once(ends[0])
    sys.exit(ends[0])


def _status() -> int:
    try:
        from knower.cli.main import run

        with signals.interrupting():
            return run()
    except KeyboardInterrupt:  # a second one
        return signals.INTERRUPTED
    except (ImportError, MemoryError, OSError) as error:
        return _not_begun(error)


def _not_begun(error: Exception) -> int:
    """The program could not even be loaded: say so, with what little there is."""
    from knower.cli.shortage import shortage
    from knower.report.diagnostics import error_data, to_json

    trouble = shortage(error)
    if trouble is None:
        raise error
    if {"--format=json", "json"} & set(sys.argv):
        print(to_json(error_data([trouble])), flush=True)
    else:
        print(trouble.render(), file=sys.stderr)
    return 2


def _leave(ends: Sequence[int]) -> None:
    """The very end: nothing is taken to pieces, which takes long after large models and hears no signals."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(Exception):
            stream.flush()
    for status in ends:
        os._exit(status)
