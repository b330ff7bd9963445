"""How many cores there are to work with."""

from __future__ import annotations

import os

from knower.errors import UsageError


def usual_cores() -> int:
    """As many as this process may use; the environment variable `KNOWER_CORES` can say fewer."""
    try:
        here = len(os.sched_getaffinity(0))
    except AttributeError:  # not Linux
        here = os.cpu_count() or 1
    return min(_number_in("KNOWER_CORES", here), here)


def usual_threads() -> int:
    """How many cores each worker uses where diagrams are large: `KNOWER_THREADS`, else one."""
    return _number_in("KNOWER_THREADS", 1)


def _number_in(variable: str, otherwise: int) -> int:
    """A number of cores in a variable of the environment."""
    wanted = os.environ.get(variable, str(otherwise))
    if not wanted.isdecimal() or not int(wanted):
        raise UsageError("E605", f"{variable} is `{wanted}`", "give a number of cores, from 1")
    return int(wanted)
