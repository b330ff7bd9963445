"""A method against the reference on random systems: never another verdict, evidence judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection

from hypothesis import given

from engines import Asker, computing
from knower.errors import LimitReached, Unsupported
from knower.evidence.replay import replay
from knower.limits import Budget
from knower.logic.language import Specification
from knower.options import DeadlockPolicy, Reading, Search
from knower.records import dataclass
from knower.verdict.evidence import Evidence
from knower.verdict.verdict import Answer, Verdict
from strategies import cases
from worlds import questions

#: Seconds for each formula.
SECONDS = 3


@dataclass(frozen=True)
class Compared:
    """What a method found, where the reference found what is expected."""

    model: Asker
    expected: Verdict
    found: Answer
    evidence: Evidence | None


def compared(
    method: str, reference: Asker, spec: Specification, search: Search, tally: Counter[str]
) -> Compared | None:
    """One formula: the verdict is the reference's, or unknown; what shows it stands up."""
    reference.budget.seconds = reference.budget.elapsed + SECONDS
    model = Asker(method, reference.system, computing(SECONDS), reference.reading, search=search)
    tally["pairs"] += 1
    try:
        expected, found = reference.check(spec).verdict, model.check(spec)
        evidence = model.evidence(spec, found.verdict)
    except (Unsupported, LimitReached) as reason:
        tally["refused" if isinstance(reason, Unsupported) else "out of time"] += 1
        return None
    assert found.verdict in (expected, Verdict.UNKNOWN), spec
    tally[found.verdict.value] += 1
    if evidence is not None:
        judged = replay(evidence, spec, found.verdict, model.system, model.reading)
        assert not judged.mistakes, judged.mistakes
        assert judged.status == "ok", spec
        tally["shown"] += 1
    return Compared(model, expected, found, evidence)


def agreement(
    logic: str,
    systems: int,
    compare: Callable[[Asker, Specification, Counter[str]], object],
    *,
    formulas: int = 4,
    strict: bool = False,
    sought: Collection[str] = ("false", "true", "shown"),
) -> Counter[str]:
    """So many random systems and formulas; `strict`: a deadlock forbids verdicts."""
    tally: Counter[str] = Counter()

    @cases(systems)
    @given(questions(logic, formulas))
    def agree(question: tuple[Asker, list[Specification]]) -> None:
        reference, specs = question
        for spec in specs:
            compare(_strict(reference) if strict else reference, spec, tally)

    agree()
    print(logic, dict(tally))
    assert all(tally[each] for each in sought), tally
    return tally


def _strict(reference: Asker) -> Asker:
    reading = Reading(on_deadlock=DeadlockPolicy.FAIL)
    return Asker("explicit", reference.system, Budget(states=300), reading)
