"""Small systems written down, and what bounded checking says of them, with its evidence judged."""

from __future__ import annotations

from engines import Asker, computing
from knower.errors import LimitReached, Unsupported
from knower.evidence.replay import replay
from knower.logic.language import Specification
from knower.options import Reading, Search
from knower.source import Source
from knower.syntax.formulas import parse_formula
from knower.syntax.ispl import parse_ispl
from knower.syntax.tree import Names
from knower.system.elaborate import elaborate
from knower.system.system import InterpretedSystem
from knower.verdict.evidence import Evidence
from knower.verdict.verdict import Answer, Verdict


def system_of(text: str) -> InterpretedSystem:
    source = Source("<test>", text)
    return elaborate(parse_ispl(source), source)


def line(
    last: int, back: int | None, fairness: str = "", initial: str = "at = 0", **true_at: tuple[int, ...]
):
    """Places 0, 1, …, `last`, then `back` again (None: a deadlock), with propositions true at some.

    Watcher sees whether the place is an even one.
    """
    places = {name: " or ".join(f"Environment.at = {k}" for k in at) for name, at in true_at.items()}
    evaluation = " ".join(f"{name} if {condition or 'false'};" for name, condition in places.items())
    returns = "" if back is None else f"at = {back} if at = {last}; even = {_even(back)} if at = {last};"
    enabled = f"at < {last}" if back is None else "true"
    initially = initial.replace("at", "Environment.at")
    return system_of(f"""
        Semantics = SingleAssignment;
        Agent Environment
          Vars: at : 0..{last}; even : boolean; end Vars
          Actions = {{ go }};
          Protocol: {enabled} : {{ go }}; end Protocol
          Evolution:
            at = at + 1 if at < {last}; even = ~even if at < {last}; {returns}
          end Evolution
        end Agent
        Agent Watcher Lobsvars = {{ even }}; Vars: idle : boolean; end Vars Actions = {{ }}; end Agent
        Evaluation {evaluation} end Evaluation
        InitStates ({initially}) and Watcher.idle = true and ({_parity(last)}); end InitStates
        {f"Fairness {fairness}; end Fairness" if fairness else ""}
    """)


def _even(place: int) -> str:
    return "true" if place % 2 == 0 else "false"


def _parity(last: int) -> str:
    """`even` tells the truth."""
    places = range(last + 1)
    return " or ".join(f"Environment.at = {k} and Environment.even = {_even(k)}" for k in places)


def asked(text: str, system: InterpretedSystem) -> Specification:
    names = Names(frozenset(system.agent_named), frozenset(system.groups), frozenset(system.propositions))
    return parse_formula(text, names).specification


def judged(evidence: Evidence, spec: Specification, verdict: Verdict, model: Asker) -> str:
    """What the judge makes of evidence; its first mistake, if it finds one."""
    found = replay(evidence, spec, verdict, model.system, model.reading)
    return found.mistakes[0] if found.mistakes else found.status


def answer(
    system: InterpretedSystem,
    spec: Specification,
    reading: Reading | None = None,
    search: Search | None = None,
) -> Answer:
    """An answer; its evidence, if it has some, stands up."""
    model = Asker("sat", system, computing(60), reading, search=search)
    found = model.check(spec)
    evidence = model.evidence(spec, found.verdict)
    if evidence is not None:
        assert judged(evidence, spec, found.verdict, model) == "ok"
    return found


def verdict(text: str, system: InterpretedSystem, reading: Reading | None = None, **search: object) -> str:
    """`true`, `false`, `unknown` or `unsupported`, for a formula as it is written."""
    try:
        return answer(system, asked(text, system), reading, Search(**search)).verdict.value  # type: ignore[arg-type]
    except Unsupported:
        return "unsupported"
    except LimitReached:
        return "unknown"
