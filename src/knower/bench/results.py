"""Results are kept in a file for each table, written anew after every run."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterator
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from knower.bench.measure import Limits, Measured
from knower.bench.prepare import Job
from knower.bench.table import Row
from knower.errors import UsageError
from knower.files import make_folder, write_file
from knower.records import dataclass


@dataclass(frozen=True, slots=True)
class Result:
    """A measured row: which job it was, under which limits, by which version of Knower."""

    key: str
    digest: str
    version: str
    limits: Limits
    expected: tuple[bool, ...]
    measured: Measured

    @property
    def wrong(self) -> bool:
        """Whether a verdict is not the expected one; an unknown verdict is not wrong."""
        words = ("true" if one else "false" for one in self.expected)
        pairs = zip(self.measured.verdicts, words, strict=False)
        return any(verdict not in (word, "unknown") for verdict, word in pairs)

    def answers(self, job: Job, limits: Limits, version: str) -> bool:
        """Whether running the job under these limits could tell nothing new."""
        if (self.digest, self.version) != (job.digest, version):
            return False
        more = limits.seconds > self.limits.seconds or limits.megabytes > self.limits.megabytes
        return not (self.measured.at_limit and more)


class Store:
    """The results of one table, in a file of a folder."""

    def __init__(self, folder: Path, table: str) -> None:
        self.path = folder / f"{table}.json"
        self._results = {result.key: result for result in self._read()}

    def find(self, row: Row) -> Result | None:
        """What is known of a row, whatever version has found it."""
        return self._results.get(row.key)

    def keep(self, result: Result) -> None:
        """Add a result, in place of an older one of the row, and write the file."""
        self._results[result.key] = result
        runs = [asdict(one) for one in self._results.values()]
        text = json.dumps({"machine": _machine(), "runs": runs}, indent=1)
        make_folder(self.path.parent)
        write_file(self.path, text + "\n")

    def _read(self) -> Iterator[Result]:
        try:
            data = json.loads(self.path.read_text(encoding="utf-8"))
            yield from map(_result, data["runs"])
        except FileNotFoundError:
            return
        except (OSError, ValueError, KeyError, TypeError) as error:
            cure = "delete the file, or choose another folder with --output"
            raise UsageError("E602", f"no results can be read from {self.path}: {error}", cure) from None


def _result(data: dict[str, Any]) -> Result:
    found = dict(data["measured"])
    found["verdicts"] = tuple(found["verdicts"])
    known = {one.name for one in fields(Measured)}
    measured = Measured(**{name: value for name, value in found.items() if name in known})
    limits, expected = Limits(**data["limits"]), tuple(data["expected"])
    return Result(data["key"], data["digest"], data["version"], limits, expected, measured)


def _machine() -> dict[str, Any]:
    return {
        "machine": platform.machine(),
        "system": platform.system(),
        "python": platform.python_version(),
        "cores": os.cpu_count(),
    }
