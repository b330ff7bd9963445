"""The formulas that a row asks for: questions of its family, and formulas that grow with its size."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from knower.bench.table import All, Asked, Built, Given, Position, Row, Specification, Value
from knower.errors import UsageError
from knower.families.family import Family, Question

#: What `AG`, before a formula about states, is in logics of paths.
_ALWAYS = {"LTL": "LTL G", "CTL*": "CTL* A G", "LDL": "LDL [tt*]", "CDL*": "CDL* A [tt*]"}
#: The logic of a formula without a name in front.
BRANCHING = "CTLK"


def questions(row: Row, family: Family) -> list[Question]:
    """What is asked of a member of the family; `UsageError` where the family has no such question."""
    known = _known(family, row.parameters)
    return [question for asked in row.asked for question in _questions(asked, row, known)]


def _known(family: Family, parameters: Mapping[str, Value]) -> Sequence[Question]:
    """The questions of the family itself."""
    complete = {one.name: parameters.get(one.name, one.default) for one in family.parameters}
    return family.build(**complete).questions


def _questions(asked: Asked, row: Row, known: Sequence[Question]) -> Iterator[Question]:
    match asked:
        case All():
            yield from known
        case Specification():
            yield _specification(asked, known, row)
        case Position(number):
            yield _at(number, known, row)
        case Built(builder, logic):
            yield BUILDERS[builder](row.size, logic)
        case Given(formula, expected):
            yield Question(formula, expected)


def _at(number: int, known: Sequence[Question], row: Row) -> Question:
    if not 0 < number <= len(known):
        raise UsageError("E605", f"the family {row.family} has no question {number} here")
    return known[number - 1]


def _specification(asked: Specification, known: Sequence[Question], row: Row) -> Question:
    group = list(_numbered(asked.number, known))
    if not group:
        raise UsageError("E605", f"the family {row.family} has no specification {asked.number}")
    if asked.logic is None:
        return _at(asked.item, group, row)
    for question in group:
        if logic_of(question.formula) == asked.logic:
            return question
    return _rephrased(group[0], asked.logic, row)


def _numbered(number: int, known: Sequence[Question]) -> Iterator[Question]:
    """The questions from the one whose meaning begins with the number to the next that has a meaning."""
    inside = False
    for question in known:
        if question.meaning:
            inside = question.meaning.startswith(f"{number}.")
        if inside:
            yield question


def _rephrased(question: Question, logic: str, row: Row) -> Question:
    """`AG` of a formula about states, in another logic."""
    word, _, rest = question.formula.partition(" ")
    if word != "AG" or logic not in _ALWAYS:
        message = f"the family {row.family} does not ask this in {logic}: {question.formula}"
        raise UsageError("E605", message)
    return Question(f"{_ALWAYS[logic]} ({rest})", question.expected)


def logic_of(formula: str) -> str:
    """The name in front of a formula; `CTLK` where there is none."""
    prefix = formula.split(maxsplit=1)[0]
    return prefix if prefix.startswith(("LTL", "CTL", "LDL", "CDL")) else BRANCHING


# -- formulas that grow -------------------------------------------------------------------------------


def nested_steps(size: int, logic: str) -> Question:
    """Bit transmission: an acknowledgement is possible after so many steps."""
    step = {BRANCHING: "EX (", "CTL*": "E X (", "CDL*": "E ([tt] "}[logic]
    name = "" if logic == BRANCHING else f"{logic} "
    return Question(f"{name}{step * size}all_acked{')' * size}", size >= 2)


def good_rounds(size: int, logic: str) -> Question:
    """Bit transmission: after so many good rounds an acknowledgement is certain."""
    if logic in ("LDL", "CDL*"):
        after = f"[tt{'; all_work' * size}] all_acked"
        return Question(f"LDL {after}" if logic == "LDL" else f"CDL* A ({after})", size >= 2)
    rounds = f"{'X (all_work and ' * (size - 1)}X all_work{')' * (size - 1)}"
    path = f"({rounds}) -> {'X ' * (size + 1)}all_acked"
    return Question(f"LTL {path}" if logic == "LTL" else f"CTL* A ({path})", size >= 2)


#: By the names that tables use.
BUILDERS: Mapping[str, Callable[[int, str], Question]] = {
    "nested-steps": nested_steps,
    "good-rounds": good_rounds,
}
