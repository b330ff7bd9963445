"""Calls about evidence: what shows a verdict, what holds along a path, which lines of the model fired."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, cast

from knower.errors import InputError, Undecided
from knower.logic import formula as f
from knower.logic.fold import subformulas
from knower.logic.kinds import is_propositional
from knower.logic.language import Language, Specification
from knower.messages import HoldAlong
from knower.report.why_data import Value, why_data
from knower.simulation.lines import fired_lines
from knower.studio import wire
from knower.studio.workbench import Loaded, Tell, Visit, refused
from knower.syntax.tree import Placed
from knower.system.evaluation import compiled
from knower.system.explicit import Explicit
from knower.system.expressions import NoValue, State, Var
from knower.system.propositions import holds_in
from knower.system.resolve_text import parse_term

#: So many expressions are watched at once.
_MOST_WATCHED = 30


async def why(visit: Visit, args: wire.AskWhy, tell: Tell) -> wire.Why:
    """The evidence for one answer of a run."""
    run = visit.run(args["run"])
    found = next((each for each in run.result if each.number == args["number"]), None)
    if found is None or found.evidence is None:
        raise refused("refused", "there is no evidence for this answer")
    evidence = found.evidence
    data = await visit.aside(lambda: why_data(evidence, run.loaded.propositions))
    mentions = [] if found.specification is None else mentioned(run.loaded, found.specification)
    return {"formula": found.text, "verdict": found.verdict.value, "evidence": data, "mentions": mentions}


def mentioned(loaded: Loaded, spec: Specification) -> list[int]:
    """The places of the variables that a formula speaks of, by its propositions."""
    system = loaded.model.interpreted
    atoms = {item.name for item in subformulas(spec.body) if isinstance(item, f.Atom)}
    conditions = [system.propositions[name] for name in atoms if name in system.propositions]
    found = {
        (part.owner, part.name) for each in conditions for part in subformulas(each) if isinstance(part, Var)
    }
    return sorted(place for key, place in system.places.variable.items() if key in found)


# -- what holds along a path ------------------------------------------------------------------------------


async def watch(visit: Visit, args: wire.Watch, tell: Tell) -> wire.Columns:
    """Formulas and terms at states: what is seen there at once, all else by a worker."""
    loaded = visit.workbench.loaded(args["model"])
    states = [loaded.state(values) for values in args["states"]]
    if len(args["expressions"]) > _MOST_WATCHED:
        raise refused("input", f"at most {_MOST_WATCHED} expressions are watched at once")
    return {"columns": [await _column(visit, loaded, text, states) for text in args["expressions"]]}


async def _column(visit: Visit, loaded: Loaded, text: str, states: list[State]) -> wire.Column:
    try:
        values = await _values(visit, loaded, text, states)
    except InputError as error:
        return {"text": text, "values": [], "problem": error.diagnostics[0].message}
    except Undecided as reason:
        return {"text": text, "values": [], "problem": str(reason)}
    return {"text": text, "values": values, "problem": None}


async def _values(visit: Visit, loaded: Loaded, text: str, states: list[State]) -> list[Value | None]:
    """As a formula if it is one, else as a term over the variables of all agents."""
    try:
        spec = loaded.model.parse(text)
    except InputError as no_formula:
        seen = _term(loaded, text, no_formula)
        return await visit.aside(lambda: [seen(state) for state in states])
    if spec.language is Language.PLAIN and is_propositional(spec.body):
        body, explicit = spec.body, Explicit(loaded.model.asked([spec]))
        return await visit.aside(lambda: [holds_in(body, explicit, state) for state in states])
    held = await visit.call(HoldAlong(loaded.text, (spec,), tuple(states)))
    return list(cast("tuple[tuple[bool | None, ...], ...]", held)[0])


def _term(loaded: Loaded, text: str, no_formula: InputError) -> Callable[[State], Value | None]:
    system = loaded.model.interpreted
    try:
        evaluate = compiled(parse_term(text, system), system.places)
    except InputError as error:
        raise (error if "." in text else no_formula) from None

    def value(state: State) -> Value | None:
        try:
            found: Any = evaluate(state, ())
        except NoValue:
            return None
        if isinstance(found, Fraction):
            return int(found) if found.denominator == 1 else str(found)
        return cast("Value", found)

    return value


# -- lines --------------------------------------------------------------------------------------------------


async def fired(visit: Visit, args: wire.AskStep, tell: Tell) -> wire.Fired:
    """The lines that made a step what it was."""
    loaded = visit.workbench.loaded(args["model"])
    before, after = loaded.state(args["before"]), loaded.state(args["after"])
    joint = loaded.joint(args["action"])
    return {"lines": await visit.aside(lambda: list(_fired(loaded, before, joint, after)))}


def _fired(
    loaded: Loaded, before: State, joint: tuple[str | None, ...], after: State
) -> Iterator[wire.SourceLine]:
    declared = loaded.model.module.agents
    for decl, lines in zip(declared, fired_lines(loaded.explicit, before, joint, after), strict=True):
        for number in lines.protocol:
            yield source_line(loaded, lines.agent, "Protocol", decl.protocol[number])
        for number in lines.evolution:
            yield source_line(loaded, lines.agent, "Evolution", decl.evolution[number])


def source_line(loaded: Loaded, agent: str, section: str, placed: Placed) -> wire.SourceLine:
    """Where a line of a model stands, and what it says."""
    source, span = loaded.model.source, placed.span
    return {
        "agent": agent,
        "section": section,  # type: ignore[typeddict-item]
        "line": source.position(span.start).line,
        "last": source.position(max(span.start, span.end - 1)).line,
        "text": " ".join(source.text[span.start : span.end].split())[:400],
    }
