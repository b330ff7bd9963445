"""Several runs, each by a worker that is free: many models, or one with other constants."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from hashlib import blake2b
from pathlib import Path
from typing import Any

import knower
from knower.asking import written
from knower.errors import Diagnostic, InputError, LimitReached, UsageError
from knower.options import Limits
from knower.reasons import Reason, WorkersLost
from knower.records import dataclass
from knower.session import Session
from knower.source import Source
from knower.verdict.verdict import CheckResult

#: How often who waits is shown what is being done, in seconds.
_LOOK = 0.1
#: How each line of a file of results begins.
_BEGINNING = '{"key": "'
#: How often a run is begun again when its worker is lost: the fault may be the model's after all.
_AGAIN = 2


@dataclass(frozen=True, slots=True)
class Job:
    """A model, the values of its constants, and the strategy that is followed in it."""

    source: Source
    constants: tuple[tuple[str, str], ...] = ()
    strategy: Source | None = None

    def key(self, *asked: object) -> str:
        """The same for the same text, constants and questions, asked of the same version."""
        followed = None if self.strategy is None else self.strategy.text
        model = (self.source.name, self.source.text, self.constants, followed)
        told = json.dumps([knower.__version__, *model, asked])
        return blake2b(told.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()

    @property
    def name(self) -> str:
        return " ".join([self.source.name, *(f"{name}={value}" for name, value in self.constants)])


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a job: a result, or what is wrong with it; and where it was done."""

    job: Job
    result: CheckResult | None
    errors: tuple[Diagnostic, ...] = ()
    left: Reason | None = None
    seconds: float = 0.0
    where: str = ""


class Batch:
    """Jobs under way, at most `width` at a time; all are asked the same."""

    def __init__(
        self, session: Session, width: int, formulas: Sequence[str], options: dict[str, Any]
    ) -> None:
        self.session = session
        self.width = width
        self.formulas = tuple(formulas)
        self.options = options
        self._limits = Limits(options.get("time_limit"), options.get("memory_limit"))
        self._is_stopped = False

    def outcomes(self, jobs: Sequence[Job], look: Callable[[], None] = lambda: None) -> Iterator[Outcome]:
        """As they come. `look` is called now and then."""
        with ThreadPoolExecutor(max(self.width, 1), "knower-batch") as threads:
            left: set[Future[Outcome | None]] = {threads.submit(self._outcome, job) for job in jobs}
            try:
                while left:
                    done, left = wait(left, _LOOK, FIRST_COMPLETED)
                    look()
                    yield from (found for future in done if (found := future.result()) is not None)
            finally:
                if left:
                    self._stop()

    def _stop(self) -> None:
        """Nobody waits for the rest."""
        self._is_stopped = True
        self.session.close()

    def _outcome(self, job: Job) -> Outcome | None:
        for _ in range(_AGAIN):
            if self._is_stopped:
                return None
            found = self._tried(job)
            if not _is_lost(found):
                return found
        return self._tried(job)

    def _tried(self, job: Job) -> Outcome:
        began = time.monotonic()
        try:
            text = written(job.source, dict(job.constants), job.strategy)
            system = self.session.opened(text, self._limits, self.options.get("since"))
            ticket = system.submit(*self.formulas, **self.options)
            ticket.wait()
            result = ticket.result()
        except InputError as error:
            return Outcome(job, None, error.diagnostics, seconds=time.monotonic() - began)
        except LimitReached as limit:
            return Outcome(job, None, left=limit.reason, seconds=time.monotonic() - began)
        return Outcome(job, result, seconds=time.monotonic() - began, where=ticket.where)


def _is_lost(found: Outcome) -> bool:
    """Whether it came to nothing because a machine did not answer any more."""
    formulas = () if found.result is None else found.result.formulas
    reasons = [found.left, *(each.reason for each in formulas)]
    return any(isinstance(reason, WorkersLost) for reason in reasons)


class Results:
    """A file of what was found, a line for each job: whoever is stopped goes on from there."""

    def __init__(self, path: str | None) -> None:
        """Raises `UsageError` where it cannot be written, or is something else."""
        self._path = None if path is None else Path(path)
        self.known: dict[str, dict[str, Any]] = {}
        if self._path is not None:
            self._open(self._path)

    def _open(self, path: Path) -> None:
        try:
            path.touch()
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError("E608", f"cannot use `{path}`: {error}", "name another file") from None
        whole, _, rest = text.rpartition("\n")
        for number, line in enumerate(whole.splitlines(), start=1):
            self._read(number, line)
        if rest and not rest.startswith(_BEGINNING[: len(rest)]):
            raise self._is_another(text.count("\n") + 1)
        if rest:  # the program was killed while it wrote that
            path.write_text(text[: len(text) - len(rest)], encoding="utf-8")

    def _read(self, number: int, line: str) -> None:
        try:
            row = json.loads(line)
            self.known[row["key"]] = row["run"]
        except (ValueError, KeyError, TypeError):
            raise self._is_another(number) from None

    def _is_another(self, number: int) -> UsageError:
        why = f"line {number} of `{self._path}` is no result"
        return UsageError("E608", why, "name a file that ‹results› has written, or a new one")

    def add(self, key: str, run: dict[str, Any]) -> None:
        if self._path is not None:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"key": key, "run": run}) + "\n")
