"""Whether evidence is made as its types say and over the names of the system, before it is judged.

Everything the judge takes for granted is looked at here: that tuples have the right lengths, values
lie in their domains, names are known and places are in range. Nothing here asks whether it is true.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, is_dataclass
from functools import cache, partial
from operator import contains
from types import UnionType
from typing import Any, TypeAlias, Union, assert_never, get_args, get_origin, get_type_hints

from knower.evidence.names import vocabulary_of
from knower.logic import formula as f
from knower.logic.fold import subformulas
from knower.logic.formula import Formula
from knower.system.domains import shown
from knower.system.system import InterpretedSystem
from knower.verdict.decisions import DecisionTable
from knower.verdict.evidence import (
    Both,
    Cited,
    Either,
    Evidence,
    Fact,
    Hop,
    ImperfectInformationRefutation,
    IndistinguishableProof,
    Instance,
    Joint,
    PathProof,
    Proof,
    Refusal,
    Reply,
    Row,
    Run,
    State,
    Strategy,
    UniformModelProof,
    UniformRefutation,
    everything,
)


def malformed(evidence: Evidence, system: InterpretedSystem) -> tuple[str, ...]:
    """What is wrong with the form of evidence; nothing if it can be judged."""
    if evidence.vocabulary != vocabulary_of(system):
        return ("the vocabulary is not that of the system",)
    if not all(conforms(getattr(evidence, name), kind) for name, kind in _evidence_fields().items()):
        return ("the evidence is not made of the parts its types declare",)
    form = _Form(system)
    for case in evidence.cases:
        form.look_at(case.run, case.proof)
    return tuple(form.faults)


# -- types ------------------------------------------------------------------------------------------

#: What is looked at later: a value, and whether it is made as it should be.
_Later: TypeAlias = list[tuple[Any, "_Check"]]
#: Whether a value is of a type; parts of it may be left for later.
_Check: TypeAlias = Callable[[Any, _Later], bool]


def conforms(value: object, declared: Any) -> bool:
    """Whether a value is made as a type declares, all the way down.

    Proofs and formulas may be nested to any depth, so that they wait for their turn; the types of their other
    parts are nested as deep as they are written.
    """
    todo: _Later = [(value, _check(declared))]
    seen: set[tuple[int, _Check]] = set()
    while todo:
        item, check = todo.pop()
        if (id(item), check) in seen:
            continue
        seen.add((id(item), check))
        if not check(item, todo):
            return False
    return True


@cache
def _check(kind: Any) -> _Check:
    """The test of a type, which is taken apart once."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return _union(inner)
    if kind in _PLAIN:
        return partial(_is_plain, kind)
    if origin is frozenset or (origin is tuple and inner[-1] is Ellipsis):
        return _repeated(origin, inner[0])
    if origin is tuple:
        return partial(_fixed, [_check(one) for one in inner])
    return partial(_instance, kind, {})


_PLAIN = frozenset({str, int, bool, float, type(None)})


def _is_plain(kinds: Any, item: Any, _: _Later) -> bool:
    return isinstance(item, kinds)


def _union(kinds: tuple[Any, ...]) -> _Check:
    if all(one in _PLAIN for one in kinds):
        return partial(_is_plain, kinds)
    others = [one for one in kinds if one is not type(None)]
    if len(others) == 1:
        return partial(_optional, _check(others[0]))
    return partial(_one_of, kinds, {})


def _optional(check: _Check, item: Any, later: _Later) -> bool:
    return item is None or check(item, later)


def _one_of(kinds: tuple[Any, ...], known: dict[type, _Check], item: Any, later: _Later) -> bool:
    """The first of the types that the value is an instance of says what it has to be."""
    check = known.get(type(item))
    if check is None:
        kind = next((one for one in kinds if isinstance(item, get_origin(one) or one)), None)
        if kind is None:
            return False
        check = known[type(item)] = _check(kind)
    later.append((item, check))
    return True


def _repeated(origin: Any, each: Any) -> _Check:
    kinds = get_args(each) if get_origin(each) in (Union, UnionType) else (each,)
    if all(kind in _PLAIN for kind in kinds):
        return partial(_plain_items, origin, kinds, frozenset(kinds))
    return partial(_items, origin, _check(each))


def _plain_items(
    origin: Any, kinds: tuple[type, ...], exactly: frozenset[type], item: Any, _: _Later
) -> bool:
    if not isinstance(item, origin):
        return False
    return exactly.issuperset(map(type, item)) or all(isinstance(part, kinds) for part in item)


def _items(origin: Any, check: _Check, item: Any, later: _Later) -> bool:
    if not isinstance(item, origin):
        return False
    for part in item:  # noqa: SIM110 - half of the time of a generator
        if not check(part, later):
            return False
    return True


def _fixed(checks: list[_Check], item: Any, later: _Later) -> bool:
    if not isinstance(item, tuple) or len(item) != len(checks):
        return False
    return all(check(part, later) for check, part in zip(checks, item, strict=True))


def _instance(kind: type, known: dict[type, list[tuple[str, _Check]]], item: Any, later: _Later) -> bool:
    """An instance of a class, by the fields that its own class declares."""
    parts = known.get(type(item))
    if parts is None:
        if not isinstance(item, kind):
            return False
        parts = known[type(item)] = [(name, _check(each)) for name, each in _declared(type(item)).items()]
    for name, check in parts:  # noqa: SIM110
        if not check(getattr(item, name), later):
            return False
    return True


@cache
def _evidence_fields() -> dict[str, Any]:
    """Of evidence whose names are known to be right."""
    return {name: kind for name, kind in _declared(Evidence).items() if name != "vocabulary"}


def _declared(cls: type) -> dict[str, Any]:
    """The fields of a class, if it has any, and their types."""
    if not is_dataclass(cls):
        return {}
    hints = get_type_hints(cls)
    return {field.name: hints[field.name] for field in fields(cls)}


# -- names, lengths, domains and places -------------------------------------------------------------


class _Form:
    """The form of evidence over one system: what is wrong is noted in `faults`, once."""

    def __init__(self, system: InterpretedSystem) -> None:
        self.system = system
        self.agents = system.agent_named
        self.faults: dict[str, None] = {}
        self._domains = tuple(system.domains.values())
        self._actions_of = [frozenset(agent.actions or (None,)) for agent in system.agents]
        #: The states that are fine, by identity: one that is equal, (False, 0) to (0, 0), need not be.
        self._fine: set[int] = set()

    def _note(self, faults: Iterable[str]) -> None:
        for fault in faults:
            self.faults[fault] = None

    def _require(self, fine: bool, fault: str) -> None:
        if not fine:
            self.faults[fault] = None

    def look_at(self, run: Run, proof: Proof) -> None:
        self._run(run)
        parts = list(everything(proof))
        self._note(self._unknown(*(part.formula for part in parts)))
        for part in parts:
            self._state(part.state)
            self._require(not part.formula.is_path, "a formula about paths cannot hold at a state")
            self._proof(part)

    def _proof(self, proof: Proof) -> None:
        match proof:
            case Fact() | Cited() | Both() | Either():
                pass
            case PathProof(run=run, proofs=proofs, met=met):
                self._run(run)
                there = all([0 <= place < len(run.states) for place, _ in (*proofs, *met)])  # noqa: C419
                self._require(there, "a proof stands at a position its path does not have")
            case IndistinguishableProof(hops=hops):
                for hop in hops:
                    self._hop(hop)
                self._require(bool(hops), "a doubt without a state")
            case Instance(run=run):
                self._run(run)
            case Strategy():
                self._strategy(proof)
            case Refusal():
                self._refusal(proof)
            case ImperfectInformationRefutation(hop=hop):
                self._hop(hop)
            case UniformRefutation():
                self._defeats(proof)
            case UniformModelProof(rows=rows):
                for row in rows:
                    self._row(row, by_observation=True)
            case _:
                assert_never(proof)

    def _strategy(self, proof: Strategy) -> None:
        self._names(proof.members)
        for state in (*proof.starts, *(state for state, _ in proof.proofs)):
            self._state(state)
        for row in proof.rows:
            self._row(row, proof.by_observation)
        for table in proof.tables:
            self._table(table)

    def _table(self, table: DecisionTable) -> None:
        self._require(bool(table.agents), "a decision table for nobody")
        for key in table.variables:
            self._require(key in self.system.domains, f"no variable is called {'.'.join(key)}")
        for row in table.rows:
            self._actions(table.agents, row.actions)
            for place, values in ((each.place, each.values) for each in row.conditions):
                there = 0 <= place < len(table.variables)
                self._require(there, "a condition on a variable the decision table does not have")
                if there and table.variables[place] in self.system.domains:
                    self._note(self._values((table.variables[place],) * len(values), values))

    def _refusal(self, proof: Refusal) -> None:
        self._names(proof.members)
        self._require(bool(proof.turns), "a refusal without turns")
        for turn in proof.turns:
            self._state(turn.state)
            for reply in turn.replies:
                self._reply(reply, proof)

    def _defeats(self, proof: UniformRefutation) -> None:
        self._names(proof.members)
        for hop in proof.hops:
            self._hop(hop)
        for play in proof.plays:
            self._run(play.run)
            for row in play.choices:
                self._row(row, by_observation=True)
            there = all(0 <= place < len(play.run.states) for place, _ in play.proofs)
            self._require(there, "a proof stands at a position its play does not have")

    def _reply(self, reply: Reply, proof: Refusal) -> None:
        self._actions(proof.members, reply.choice)
        if (reply.joint is None) != (reply.then is None):
            self._note(["a reply has either both a joint action and a turn it leads to, or neither"])
        elif reply.joint is not None and reply.then is not None:
            self._joint(reply.joint)
            if not 0 <= reply.then < len(proof.turns):
                self._note([f"a reply leads to turn {reply.then} of {len(proof.turns)}"])

    def _hop(self, hop: Hop) -> None:
        self._names(hop.agents)
        self._run(hop.run)
        ends = hop.run.end is not None
        self._require(ends, "a confused state is the end of a path, and this path has no end")

    def _row(self, row: Row, by_observation: bool) -> None:
        self._actions(row.agents, row.actions)
        if not by_observation:
            self._state(row.sees)
        elif len(row.agents) != 1:
            self._note(["a row by observation is for one agent"])
        elif row.agents[0] in self.agents:
            self._note(self._values(self.agents[row.agents[0]].observes, row.sees))

    def _run(self, run: Run) -> None:
        for state in run.states:
            self._state(state)
        for joint in run.actions:
            self._joint(joint)
        size = len(run.states)
        if not size or len(run.actions) != (size - 1 if run.loop is None else size):
            self._note([f"a path of {size} states has {len(run.actions)} actions"])
        for name, place in (("loop", run.loop), ("end", run.end)):
            if place is not None and not 0 <= place < size:
                self._note([f"the {name} of a path of {size} states is at {place}"])

    def _joint(self, joint: Joint) -> None:
        if len(joint) != len(self._actions_of) or not all(map(contains, self._actions_of, joint)):
            if joint:
                self._actions(tuple(self.agents), joint)

    def _actions(self, names: tuple[str, ...], actions: Joint) -> None:
        self._names(names)
        if len(names) != len(actions):
            self._note([f"{len(actions)} actions for {len(names)} agents"])
            return
        for name, action in zip(names, actions, strict=True):
            if name in self.agents and action not in (self.agents[name].actions or (None,)):
                self._note([f"{action} is no action of {name}"])

    def _state(self, state: State) -> None:
        if id(state) in self._fine:
            return
        if len(state) == len(self._domains) and all(map(contains, self._domains, state)):
            self._fine.add(id(state))
        else:
            self._note(self._values(tuple(self.system.domains), state))

    def _values(self, variables: tuple[tuple[str, str], ...], values: State) -> Iterator[str]:
        if len(variables) != len(values):
            yield f"{len(values)} values for {len(variables)} variables"
            return
        for (owner, name), value in zip(variables, values, strict=True):
            if value not in self.system.domains[owner, name]:
                yield f"{shown(value)} is no value of {owner}.{name}"

    def _names(self, names: tuple[str, ...]) -> None:
        self._note(self._strangers(names))

    def _strangers(self, names: tuple[str, ...]) -> list[str]:
        return [f"no agent is called {name}" for name in names if name not in self.agents]

    def _unknown(self, *formulas: Formula) -> Iterator[str]:
        """The unknown names in formulas."""
        for part in subformulas(*formulas):
            match part:
                case f.Atom(name):
                    if name not in self.system.propositions:
                        yield f"no proposition is called {name}"
                case f.Green(name) | f.Red(name) | f.OfAgent(name):
                    yield from self._strangers((name,))
                case f.Does(name, action):
                    yield from self._strangers((name,))
                    if name in self.agents and action not in self.system.agent_named[name].actions:
                        yield f"{name} has no action {action}"
                case f.OfGroup(f.Group(members)) | f.CanU(f.Group(members)):
                    yield from self._strangers(members)
                case f.OfGroup(group) | f.CanU(group):
                    yield f"it is not said who is in {group}"
