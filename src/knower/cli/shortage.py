"""What the machine has run out of, if that is behind an error."""

from __future__ import annotations

import errno
import mmap
import os

from knower.errors import Diagnostic

_NO_MEMORY = Diagnostic("E630", "out of memory", cure="free some, or raise the limit (`ulimit -v`)")
_NO_FILES = Diagnostic("E631", "too many open files", cure="raise the limit (`ulimit -n`)")
#: Where so much cannot be had, an error without a name is put down to that: threads and libraries ask for it.
_LITTLE = 64 << 20


def shortage(error: BaseException) -> Diagnostic | None:
    """The shortage behind an error; None if there is none."""
    number = error.errno if isinstance(error, OSError) else None
    if isinstance(error, MemoryError) or number == errno.ENOMEM:
        return _NO_MEMORY
    if number in (errno.EMFILE, errno.ENFILE):
        return _NO_FILES
    return _tried()


def _tried() -> Diagnostic | None:
    """Libraries that cannot be loaded and threads that cannot be started do not say why: try."""
    try:
        os.close(os.open(os.devnull, os.O_RDONLY))
        mmap.mmap(-1, _LITTLE).close()
    except OSError as error:
        return _NO_FILES if error.errno in (errno.EMFILE, errno.ENFILE) else _NO_MEMORY
    return None
