"""Evidence as a story for a terminal: where it starts, what happens, and what is true there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import assert_never

from knower.logic.formula import E, P
from knower.report.table import table_of_strategy, table_of_turns, tables_by_agent
from knower.report.view import (
    LONG,
    View,
    conjuncts,
    facts_at_goal,
    facts_on_the_way,
    is_endless,
    last,
    main_steps,
    proofs_at,
)
from knower.report.wording import actions_text, assignments, changes, counted, indented, listed
from knower.report.words import unreplayed_text
from knower.verdict.evidence import (
    Both,
    Case,
    Cited,
    Either,
    Evidence,
    Fact,
    Hop,
    ImperfectInformationRefutation,
    IndistinguishableProof,
    Instance,
    Joint,
    LostPlay,
    PathProof,
    Proof,
    Refusal,
    Replay,
    Run,
    State,
    Strategy,
    UniformModelProof,
    UniformRefutation,
)  # fmt: skip
from knower.verdict.trace import GlobalState, Path

_INDENT = 6
_YES_OR_NO = {True: "yes", False: "no", None: "unknown"}
_STATUS = {"ok": "replayed: ok", "partial": "replayed in part", "failed": "replay failed"}


def path_lines(path: Path) -> Iterator[str]:
    """A path as a story: the first state whole, then what each step does and changes."""
    yield f"    state 0: {assignments(path.states[0])}"
    for step, action in enumerate(path.actions, start=1):
        yield f"      {actions_text(action)}"
        if step < len(path.states):
            yield f"    state {step}: {_changed(path.states[step - 1], path.states[step])}"
        else:
            yield "      leads nowhere"


def _changed(before: GlobalState, after: GlobalState) -> str:
    return assignments(changes(before, after)) or "nothing changes"


def evidence_lines(
    evidence: Evidence,
    propositions: frozenset[str] = frozenset(),
    *,
    show: tuple[str, ...] = (),
    whole: bool = False,
) -> Iterator[str]:
    """Evidence line by line. `show`: of these agents only; `whole`: long paths with their middle.

    `propositions`: those of the model, for formulas to be printed unambiguously.
    """
    view = View.of(evidence, propositions, show, whole)
    yield from indented(_evidence(evidence, view), _INDENT)


def _evidence(evidence: Evidence, view: View) -> Iterator[str]:
    yield _header(evidence)
    yield from indented(_refuted(evidence, view))
    count = len(evidence.cases)
    for number, case in enumerate(evidence.cases, start=1):
        if count > 1:
            yield f"  initial state {number} of {count}"
        yield from indented(_case(case, view), 2 if count == 1 else 4)
    if evidence.others:
        yield f"  and likewise from {counted(evidence.others, 'more initial state')}, not shown"
    if evidence.replay is not None:
        yield from indented(_remarks(evidence.replay))


def _refuted(evidence: Evidence, view: View) -> Iterator[str]:
    """What is true of the path that makes a path formula false."""
    for case in evidence.cases:
        if evidence.kind == "counterexample" and isinstance(case.proof.formula, E):
            yield f"a path on which {view.formula(case.proof.formula.sub)}"


def _header(evidence: Evidence) -> str:
    steps = main_steps(evidence)
    length = "" if steps is None else f", {counted(steps, 'step')}"
    status = "" if evidence.replay is None else f" ({_STATUS[evidence.replay.status]})"
    return f"{evidence.kind}{length}{status}"


def _remarks(replay: Replay) -> Iterator[str]:
    for claim in map(unreplayed_text, replay.unreplayed):
        yield f"not replayed: {claim}"
    for mistake in replay.mistakes:
        yield f"wrong: {mistake}"


def _case(case: Case, view: View) -> Iterator[str]:
    yield f"at the start: {_whole_state(case.run.states[0], view)}"
    parts = list(conjuncts(case.proof))
    if case.run.loop is not None and not _goes_on(case.proof):
        yield _fair_continuation(case.run, 0)
    if len(parts) == 1 and not isinstance(parts[0], Fact | Cited):
        yield from _told(parts[0], view)
    else:
        yield from _claims(case.proof, view, "there")


def _whole_state(state: State, view: View) -> str:
    return (assignments(view.state(state)) or "nothing to show") + _followed(state, view)


def _followed(state: State, view: View) -> str:
    said = [f"{text}: {_YES_OR_NO[holds]}" for text, holds in view.follows(state).items()]
    return f"  [{', '.join(said)}]" if said else ""


# -- claims ---------------------------------------------------------------------------------------


def _claims(proof: Proof, view: View, where: str) -> Iterator[str]:
    """What is shown at a state that the reader has before him: facts first, then what needs telling."""
    parts = list(conjuncts(proof))
    facts = [view.formula(part.formula) for part in parts if isinstance(part, Fact)]
    if facts:
        yield f"{where}: {', '.join(facts)}"
    for part in parts:
        if not isinstance(part, Fact):
            yield from _claim(part, view, where)


def _claim(proof: Proof, view: View, where: str) -> Iterator[str]:
    if isinstance(proof, Cited):
        yield f"{where}: {view.formula(proof.formula)} holds ({proof.why})"
    else:
        yield f"{where}: {view.formula(proof.formula)}"
        yield from indented(_told(proof, view))


def _told(proof: Proof, view: View) -> Iterator[str]:
    """The story behind a claim, which itself has been said."""
    match proof:
        case PathProof():
            yield from _way(proof, view)
        case IndistinguishableProof():
            yield from _doubt(proof, view)
        case Instance():
            yield from _instance(proof, view)
        case Strategy():
            yield from _strategy(proof, view)
        case Refusal():
            yield from _refusal(proof, view)
        case ImperfectInformationRefutation():
            yield from _hop(proof.hop, proof.state, view, "this state")
            yield from _claims(proof.proof, view, "there, even with full knowledge")
        case UniformRefutation():
            yield from _defeats(proof, view)
        case UniformModelProof():
            yield "everybody has one action for all that looks the same:"
            yield from indented(tables_by_agent(proof.rows, view))
            yield from _claims(proof.proof, view, "in the model where they do just that")
        case Fact() | Cited() | Both() | Either():
            yield from _claims(proof, view, "there")
        case _:
            assert_never(proof)


# -- paths ----------------------------------------------------------------------------------------


def _way(way: PathProof, view: View) -> Iterator[str]:
    goal = None if is_endless(way.run) else last(way.run)
    remarks = {place: list(_met(way, place, view)) for place, _ in way.met}
    for place, proofs in proofs_at(way).items():
        if place != goal:
            told = (line for proof in proofs for line in _claims(proof, view, f"at state {place}"))
            remarks.setdefault(place, []).extend(told)
    yield from _steps(way.run, view, remarks)
    between = ", ".join(map(view.formula, facts_on_the_way(way)))
    if goal is None:
        yield from _round_the_loop(way.run, view, between)
    else:
        yield from _at_goal(way, goal, proofs_at(way).get(goal, []), view, between)


def _met(way: PathProof, place: int, view: View) -> Iterator[str]:
    """Which parts of a path formula are fulfilled at a position."""
    parts = [view.formula(part) for at, part in way.met if at == place]
    yield f"meets {listed(parts)}"


def _steps(run: Run, view: View, remarks: Mapping[int, Sequence[str]] | None = None) -> Iterator[str]:
    """The steps of a path whose first state has been told."""
    remarks = remarks or {}
    before = 0
    for place in view.told(run):
        if place > before + 1:
            yield f"  … {counted(place - before, 'step')} …"
        elif place > 0:
            yield f"  {_action(run.actions[before], view)}"
        if place > 0:
            yield f"state {place}: {_change(run.states[before], run.states[place], view)}"
        yield from indented(remarks.get(place, ()))
        before = place


def _action(joint: Joint, view: View) -> str:
    return actions_text(view.action(joint)) if joint else "a deadlock: nothing happens"


def _change(before: State, after: State, view: View) -> str:
    said = assignments(changes(view.state(before), view.state(after)))
    nothing = "nothing changes" if before == after else "nothing of this changes"
    return (said or nothing) + _followed(after, view)


def _round_the_loop(run: Run, view: View, all_along: str) -> Iterator[str]:
    assert run.loop is not None
    yield f"  {_action(run.actions[-1], view)}"
    which = "these steps repeat" if run.loop == 0 else f"the steps from state {run.loop} on repeat"
    yield f"{which} for ever" + (f"; all along: {all_along}" if all_along else "")


def _at_goal(way: PathProof, goal: int, proofs: list[Proof], view: View, before: str) -> Iterator[str]:
    if before and goal > 0:
        yield f"until there: {before}"
    facts = ", ".join(map(view.formula, facts_at_goal(way)))
    if facts:
        yield f"there: {facts}"
    for proof in proofs:
        yield from _claims(proof, view, "there")
    if way.run.loop is None:
        yield from ["the trace ends here"] * isinstance(way.formula, E)
    elif isinstance(way.formula, E):
        yield _continuation(way.run, goal, "and on for ever")
    elif not any(map(_goes_on, proofs)):
        yield _fair_continuation(way.run, goal)


def _goes_on(proof: Proof) -> bool:
    """Whether what is shown at a state already has a path that goes on for ever."""
    return any(isinstance(part, PathProof) and part.run.loop is not None for part in conjuncts(proof))


def _fair_continuation(run: Run, place: int) -> str:
    return _continuation(run, place, "and on for ever, fairly")


def _continuation(run: Run, place: int, how: str) -> str:
    """How a path goes on after a position, in one line."""
    assert run.loop is not None
    length = counted(len(run.states) - run.loop, "step")
    if run.loop < place:
        back = "the start" if run.loop == 0 else f"state {run.loop}"
        return f"{how}: {counted(len(run.states) - place, 'step')} back to {back}"
    if run.loop == place:
        return f"{how}: a loop of {length}"
    return f"{how}: {counted(run.loop - place, 'step')} to a loop of {length}"


def _from_the_start(run: Run, view: View) -> Iterator[str]:
    yield f"at the start: {_whole_state(run.states[0], view)}"
    yield from _steps(run, view)
    if run.loop is not None:
        yield _fair_continuation(run, last(run))


# -- knowledge and obligation ---------------------------------------------------------------------


def _doubt(doubt: IndistinguishableProof, view: View) -> Iterator[str]:
    state, which = doubt.state, "this state"
    for hop in doubt.hops:
        yield from _hop(hop, state, view, which)
        state, which = hop.run.goal, "that state"
    yield from _claims(doubt.proof, view, "there")


def _hop(hop: Hop, state: State, view: View, which: str) -> Iterator[str]:
    alone = len(hop.agents) == 1
    if hop.run.goal == state:
        yield f"{listed(hop.agents)} {'holds' if alone else 'together hold'} {which} itself possible"
        return
    confuse = "confuses" if alone else "together confuse"
    yield f"{listed(hop.agents)} {confuse} {which} with another one, reached so:"
    yield from indented(_from_the_start(hop.run, view))
    yield f"  in both, {_sight(hop, state, view)}"


def _sight(hop: Hop, state: State, view: View) -> str:
    """What the agents see, the same in both states."""
    names, values = view.vocabulary, view.vocabulary.state(state)
    seen = {key for agent in hop.agents for key in names.observes[names.agents.index(agent)]}
    common = {
        agent: {n: v for n, v in local.items() if (agent, n) in seen} for agent, local in values.items()
    }
    sees = "sees" if len(hop.agents) == 1 else "see"
    return f"{listed(hop.agents)} {sees}: {assignments(common) or 'nothing'}"


def _instance(instance: Instance, view: View) -> Iterator[str]:
    assert isinstance(instance.formula, P), "only permission is shown by an instance"
    yield f"a green state of {instance.formula.agent}, reached so:"
    yield from indented(_from_the_start(instance.run, view))
    yield from _claims(instance.proof, view, "there")


# -- strategies -----------------------------------------------------------------------------------


def _strategy(strategy: Strategy, view: View) -> Iterator[str]:
    if not strategy.members:
        yield "whatever anybody does, it comes about"
    else:
        yield from _strategy_of_somebody(strategy, view)
    for state, proof in strategy.proofs:
        yield from _claims(proof, view, _where(state, strategy.state, view))


def _strategy_of_somebody(strategy: Strategy, view: View) -> Iterator[str]:
    by = "what each sees" if strategy.by_observation else "state"
    yield f"strategy of {listed(strategy.members)}, by {by}:"
    if len(strategy.starts) > 1:
        yield f"  (from {len(strategy.starts)} states that look alike to a member)"
    yield from indented(table_of_strategy(strategy, view))


def _where(state: State, here: State, view: View) -> str:
    if state == here:
        return "there"
    differs = assignments(changes(view.state(here), view.state(state)))
    return f"where {differs or 'only what is not shown differs'}"


def _whatever(members: tuple[str, ...]) -> str:
    if not members:
        return "this may happen"
    return f"whatever {listed(members)} {'does' if len(members) == 1 else 'do'}, the others have an answer"


def _refusal(refusal: Refusal, view: View) -> Iterator[str]:
    yield f"{_whatever(refusal.members)}:"
    yield from indented(table_of_turns(refusal, view))
    for number, turn in enumerate(refusal.turns):
        if turn.proof is not None:
            yield from _claims(turn.proof, view, f"at turn {number}")


def _defeats(proof: UniformRefutation, view: View) -> Iterator[str]:
    """The tree of all strategies, then the plays it names."""
    from knower.report.defeats import defeat_tree, tree_lines

    yield f"every strategy of {listed(proof.members)} by what {_each(proof.members)} sees loses:"
    yield from indented(tree_lines(defeat_tree(proof.plays, 10**6 if view.whole else LONG), view))
    hops = {hop.run.goal: hop for hop in proof.hops}
    for number, play in enumerate(proof.plays if view.whole else proof.plays[:LONG], start=1):
        yield f"play {number}"
        yield from indented(_lost_play(play, hops.get(play.run.states[0]), proof.state, view))
    if len(proof.plays) > LONG and not view.whole:
        yield f"… {len(proof.plays) - LONG} more plays …"


def _each(members: tuple[str, ...]) -> str:
    return "each" if len(members) > 1 else "it"


def _lost_play(play: LostPlay, hop: Hop | None, state: State, view: View) -> Iterator[str]:
    if hop is None:
        yield "from this state:"
    else:
        yield from _hop(hop, state, view, "this state")
    proofs: dict[int, list[Proof]] = {}
    for place, proof in play.proofs:
        proofs.setdefault(place, []).append(proof)
    end = len(play.run.states) - 1
    told = {place: [line for part in parts for line in _claims(part, view, f"at state {place}")]
            for place, parts in proofs.items() if place < end or play.run.loop is not None}  # fmt: skip
    yield from _steps(play.run, view, told)
    if play.run.loop is not None:
        yield from _round_the_loop(play.run, view, "")
        return
    for part in proofs.get(end, []):
        yield from _claims(part, view, "there")
    yield "there the choices lead nowhere" if play.stops else "there the goal is out of reach"
