"""Files that are written whole or not at all, and what is no file but a device or a pipe."""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from knower.errors import UsageError

#: Shortages of the whole program; they are not the file's fault.
_SHORTAGES = {errno.ENOMEM, errno.EMFILE, errno.ENFILE}
#: A folder takes no new file; the one that is there may be writable all the same.
_CLOSED_FOLDER = {errno.EACCES, errno.EPERM, errno.EROFS}
_STREAMS = {"/dev/stdout": 1, "/dev/stderr": 2}
_DESCRIPTOR = re.compile(r"/(?:dev|proc/self)/fd/(\d{1,9})")
#: Of a long name so much is in the name of the draft.
_NAME = 50


def write_file(path: str | Path, content: str | bytes) -> None:
    """Make or replace a file, or leave it as it is if the new content cannot be written.

    What is no regular file (a device, a pipe) is written to, never replaced.
    """
    data = content.encode(errors="backslashreplace") if isinstance(content, str) else content
    with _told_of(path):
        _write(str(path), data)


def make_folder(path: Path) -> None:
    """A folder for files to be written, if it is not there."""
    with _told_of(path):
        path.mkdir(parents=True, exist_ok=True)


@contextmanager
def _told_of(path: str | Path) -> Iterator[None]:
    """What goes wrong is told as an error about the file."""
    try:
        yield
    except OSError as error:
        if error.errno in _SHORTAGES:
            raise
        raise UsageError("E608", f"cannot write {path}: {error.strerror}") from None
    except ValueError as error:  # a zero byte in the name
        raise UsageError("E608", f"cannot write {path}: {error}") from None


def _write(path: str, data: bytes) -> None:
    if not path:
        raise UsageError("E608", "cannot write to a file without a name")
    opened = _descriptor(path)
    if opened is not None:
        _pour(os.dup(opened), data)
        return
    there = _status(path)
    if there is None:
        _replace(Path(path).resolve(), data, None)
    elif stat.S_ISREG(there.st_mode):
        _rewrite(Path(path).resolve(), data, there)
    else:
        _pour(os.open(path, os.O_WRONLY | os.O_NOCTTY), data)


def _descriptor(path: str) -> int | None:
    """What is already open under this name: to open it anew could cut off what is in it."""
    found = _DESCRIPTOR.fullmatch(path)
    return int(found[1]) if found else _STREAMS.get(path)


def _status(path: str) -> os.stat_result | None:
    try:
        return Path(path).stat()
    except FileNotFoundError:
        return None


def _pour(descriptor: int, data: bytes) -> None:
    """Write all, and close."""
    with open(descriptor, "wb", buffering=0) as out:
        left = memoryview(data)
        while left:
            left = left[out.write(left) or 0 :]


def _rewrite(target: Path, data: bytes, there: os.stat_result) -> None:
    """Replace a regular file; in place where its folder takes no other."""
    if not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    try:
        _replace(target, data, there)
    except OSError as error:
        if error.errno not in _CLOSED_FOLDER:
            raise
        _pour(os.open(target, os.O_WRONLY | os.O_TRUNC), data)


def _replace(target: Path, data: bytes, there: os.stat_result | None) -> None:
    """By a draft of a name that nobody has, which is gone whatever happens."""
    draft = target.with_name(f".{target.name[:_NAME]}.{os.urandom(8).hex()}.tmp~")
    try:
        with draft.open("xb") as out:
            out.write(data)
        if there is not None:
            with suppress(OSError):  # only root can give files away
                os.chown(draft, there.st_uid, there.st_gid)
            draft.chmod(stat.S_IMODE(there.st_mode))
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)
