"""Another path for the same "no": from another initial state, or on by another step, and completed.

The model stays as it is, for what agents know depends on all of it. What is asked is weaker: the formula, of
paths that do not begin as those that were seen.
"""

from __future__ import annotations

from dataclasses import replace

from knower.logic import formula as f
from knower.logic.language import Language, Specification
from knower.pool.ticket import Order
from knower.pool.waiting import settled
from knower.studio import wire
from knower.studio.why_calls import why
from knower.studio.workbench import KeptRun, Loaded, Tell, Visit, refused
from knower.system.expressions import State
from knower.verdict.verdict import FormulaResult, Verdict

#: So far along a path another step is sought: each state before it is written into the question.
_FURTHEST = 40


async def another(visit: Visit, args: wire.AskAnother, tell: Tell) -> wire.Another:
    """Other evidence; refused where there is none, or where it cannot be asked for."""
    run = visit.run(args["run"])
    found = next((each for each in run.result if each.number == args["number"]), None)
    if found is None or found.specification is None or found.verdict is not Verdict.FALSE:
        raise refused("refused", "another path is sought only for what is false")
    text = _question(run.loaded, found.specification, args)
    asked = replace(run.check, formulas=(text,), of_the_file=0, also=(), sought=(), evidence="all")
    limits = visit.workbench.limits()
    ticket, begin = visit.workbench.session.asked(Order(asked, limits, asker=id(visit)))
    begin()
    await settled(ticket)
    result = ticket.result()
    _require_path(next(iter(result)))
    number = visit.keep(KeptRun(run.loaded, asked, result))
    shown = await why(visit, {"run": number, "number": 1}, tell)
    return {"run": number, "number": 1, "why": {**shown, "formula": found.text}}


def _require_path(answer: FormulaResult) -> None:
    if answer.verdict is Verdict.TRUE:
        raise refused("refused", "there is no other")
    if answer.evidence is None:
        raise refused("refused", "another could not be found in time")


def _question(loaded: Loaded, spec: Specification, args: wire.AskAnother) -> str:
    before = [_condition(loaded, loaded.state(values)) for values in args["states"]]
    other = " and ".join(f"!({_condition(loaded, loaded.state(values))})" for values in args["avoid"])
    if len(before) > _FURTHEST:
        raise refused("refused", f"so far along a path (more than {_FURTHEST} steps) no other is sought")
    if before:
        return _along(loaded, spec, _begins(before, other or "true"))
    text = loaded.model.print(spec).removeprefix(f"{spec.language.value} ")
    return f"{spec.language.value} ({other or 'true'}) -> ({text})".strip()


def _begins(before: list[str], other: str) -> str:
    """A path through these states, and then not to those."""
    text = f"X ({other})"
    for condition in reversed(before):
        text = f"{condition} and {text}" if text.startswith("X") else f"{condition} and X ({text})"
    return text


def _along(loaded: Loaded, spec: Specification, begins: str) -> str:
    body, language = spec.body, spec.language
    if language is Language.LTL:
        text = loaded.model.print(spec).removeprefix("LTL ")
        return f"LTL ({begins}) -> ({text})"
    if language not in (Language.PLAIN, Language.CTL_STAR):
        raise refused("refused", f"another step is not sought for formulas of {language.value}")
    return f"CTL* A (({begins}) -> ({_path_formula(loaded, body, language)}))"


def _path_formula(loaded: Loaded, body: f.Formula, language: Language) -> str:
    """What a formula says of every path; refused for one that says something else."""

    def said(part: f.Formula) -> str:
        return loaded.model.print(Specification(part, language)).removeprefix(f"{language.value} ")

    match body:
        case f.AG(sub) | f.AF(sub) | f.AX(sub):
            return f"{type(body).__name__[1]} ({said(sub)})"
        case f.AU(left, right) | f.AR(left, right) | f.AW(left, right):
            return f"({said(left)}) {type(body).__name__[1]} ({said(right)})"
        case f.A(sub):
            return said(sub)
        case _:
            raise refused("refused", "another step is sought only for formulas about all paths")


def _condition(loaded: Loaded, state: State) -> str:
    """A state as a condition that no other satisfies."""
    variables = loaded.model.interpreted.variables
    pairs = zip(variables, state, strict=True)
    return " and ".join(f"{each.owner}.{each.name} = {_spelt(value)}" for each, value in pairs)


def _spelt(value: bool | int | str) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
