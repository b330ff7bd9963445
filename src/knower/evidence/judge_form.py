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
    everything,
)


def malformed(evidence: Evidence, system: InterpretedSystem) -> tuple[str, ...]:
    """What is wrong with the form of evidence; nothing if it can be judged."""
    if not conforms(evidence, Evidence):
        return ("the evidence is not made of the parts its types declare",)
    if evidence.vocabulary != vocabulary_of(system):
        return ("the vocabulary is not that of the system",)
    form = _Form(system)
    return tuple(
        dict.fromkeys(fault for case in evidence.cases for fault in form.of_case(case.run, case.proof))
    )


# -- types ------------------------------------------------------------------------------------------


def conforms(value: object, declared: Any) -> bool:
    """Whether a value is made as a type declares, all the way down."""
    todo, seen = [(value, _pattern(declared))], set()
    while todo:
        item, pattern = todo.pop()
        if not pattern.is_plain:
            if (id(item), pattern) in seen:
                continue
            seen.add((id(item), pattern))
        parts = pattern.parts(item)
        if parts is None:
            return False
        todo += parts
    return True


class _Pattern:
    """A type, taken apart once: what a value must be an instance of, and the patterns of its parts.

    `is_plain`: values of the type have no parts, so that to be an instance is enough.
    """

    def __init__(self, kind: Any) -> None:
        origin, inner = get_origin(kind), get_args(kind)
        self.kind = kind
        self.is_union = origin in (Union, UnionType)
        self.kinds = inner if self.is_union else (kind,)
        self.classes = tuple(get_origin(one) or one for one in self.kinds)
        self.is_plain = all(one in _PLAIN for one in self.classes)
        self.repeats = origin is frozenset or (origin is tuple and inner[-1] is Ellipsis)
        self._inner = inner
        self._of_class: dict[type, _Parts] = {}

    def parts(self, item: Any) -> list[tuple[object, _Pattern]] | None:
        """The parts of a value with their patterns; None if it is not of this type."""
        parts = self._of_class.get(type(item))
        if parts is None:
            if not isinstance(item, self.classes):
                return None
            parts = self._of_class[type(item)] = self._parts_of(type(item))
        return parts(item)

    def _parts_of(self, cls: type) -> _Parts:
        """How to take instances of a class apart, which are of this type by what they are."""
        if self.is_plain:
            return _nothing
        if self.is_union:
            one = next(kind for kind, of in zip(self.kinds, self.classes, strict=True) if issubclass(cls, of))
            return _pattern(one)._parts_of(cls)
        if self.repeats:
            each = _pattern(self._inner[0])
            return partial(_plain_items, each) if each.is_plain else partial(_items, each)
        if self._inner:
            return partial(_fixed, [_pattern(one) for one in self._inner])
        return partial(_fields, [(name, _pattern(kind)) for name, kind in _declared(cls).items()])


_PLAIN = frozenset({str, int, bool, float, type(None)})
_Parts: TypeAlias = Callable[[Any], list[tuple[object, _Pattern]] | None]
_NOTHING: list[tuple[object, _Pattern]] = []


def _nothing(_: Any) -> list[tuple[object, _Pattern]]:
    return _NOTHING


@cache
def _pattern(kind: Any) -> _Pattern:
    return _Pattern(kind)


def _plain_items(each: _Pattern, item: Any) -> list[tuple[object, _Pattern]] | None:
    for part in item:
        if not isinstance(part, each.classes):
            return None
    return _NOTHING


def _items(each: _Pattern, item: Any) -> list[tuple[object, _Pattern]]:
    return [(part, each) for part in item]


def _fixed(inner: list[_Pattern], item: Any) -> list[tuple[object, _Pattern]] | None:
    return list(zip(item, inner, strict=True)) if len(item) == len(inner) else None


def _fields(declared: list[tuple[str, _Pattern]], item: Any) -> list[tuple[object, _Pattern]] | None:
    found: list[tuple[object, _Pattern]] = []
    for name, pattern in declared:
        part = getattr(item, name)
        if not pattern.is_plain:
            found.append((part, pattern))
        elif not isinstance(part, pattern.classes):
            return None
    return found


def _declared(cls: type) -> dict[str, Any]:
    """The fields of a class, if it has any, and their types."""
    if not is_dataclass(cls):
        return {}
    hints = get_type_hints(cls)
    return {field.name: hints[field.name] for field in fields(cls)}


# -- names, lengths, domains and places -------------------------------------------------------------


class _Form:
    """The form of evidence over one system; each function yields what is wrong."""

    def __init__(self, system: InterpretedSystem) -> None:
        self.system = system
        self.agents = system.agent_named
        self._domains = tuple(system.domains.values())
        self._formulas: dict[Formula, tuple[str, ...]] = {}

    def of_case(self, run: Run, proof: Proof) -> Iterator[str]:
        yield from self._run(run)
        for part in everything(proof):
            yield from self._state(part.state)
            yield from self._formula(part.formula)
            if part.formula.is_path:
                yield "a formula about paths cannot hold at a state"
            yield from self._proof(part)

    def _proof(self, proof: Proof) -> Iterator[str]:
        match proof:
            case PathProof(run=run, proofs=proofs, met=met):
                yield from self._run(run)
                if any(not 0 <= place < len(run.states) for place, _ in (*proofs, *met)):
                    yield "a proof stands at a position its path does not have"
            case IndistinguishableProof(hops=hops):
                for hop in hops:
                    yield from self._hop(hop)
                if not hops:
                    yield "a doubt without a state"
            case Instance(run=run):
                yield from self._run(run)
            case Strategy():
                yield from self._strategy(proof)
            case Refusal():
                yield from self._refusal(proof)
            case ImperfectInformationRefutation(hop=hop):
                yield from self._hop(hop)
            case UniformModelProof(rows=rows):
                for row in rows:
                    yield from self._row(row, by_observation=True)
            case Fact() | Cited() | Both() | Either():
                pass
            case _:
                assert_never(proof)

    def _strategy(self, proof: Strategy) -> Iterator[str]:
        yield from self._names(proof.members)
        for state in (*proof.starts, *(state for state, _ in proof.proofs)):
            yield from self._state(state)
        for row in proof.rows:
            yield from self._row(row, proof.by_observation)

    def _refusal(self, proof: Refusal) -> Iterator[str]:
        yield from self._names(proof.members)
        if not proof.turns:
            yield "a refusal without turns"
        for turn in proof.turns:
            yield from self._state(turn.state)
            for reply in turn.replies:
                yield from self._reply(reply, proof)

    def _reply(self, reply: Reply, proof: Refusal) -> Iterator[str]:
        yield from self._actions(proof.members, reply.choice)
        if (reply.joint is None) != (reply.then is None):
            yield "a reply has either both a joint action and a turn it leads to, or neither"
        elif reply.joint is not None and reply.then is not None:
            yield from self._joint(reply.joint)
            if not 0 <= reply.then < len(proof.turns):
                yield f"a reply leads to turn {reply.then} of {len(proof.turns)}"

    def _hop(self, hop: Hop) -> Iterator[str]:
        yield from self._names(hop.agents)
        yield from self._run(hop.run)
        if hop.run.end is None:
            yield "a confused state is the end of a path, and this path has no end"

    def _row(self, row: Row, by_observation: bool) -> Iterator[str]:
        yield from self._actions(row.agents, row.actions)
        if not by_observation:
            yield from self._state(row.sees)
        elif len(row.agents) != 1:
            yield "a row by observation is for one agent"
        elif row.agents[0] in self.agents:
            yield from self._values(self.agents[row.agents[0]].observes, row.sees)

    def _run(self, run: Run) -> Iterator[str]:
        for state in run.states:
            yield from self._state(state)
        for joint in run.actions:
            yield from self._joint(joint)
        size = len(run.states)
        if not size or len(run.actions) != (size - 1 if run.loop is None else size):
            yield f"a path of {size} states has {len(run.actions)} actions"
        for name, place in (("loop", run.loop), ("end", run.end)):
            if place is not None and not 0 <= place < size:
                yield f"the {name} of a path of {size} states is at {place}"

    def _joint(self, joint: Joint) -> Iterator[str]:
        if joint:
            yield from self._actions(tuple(self.agents), joint)

    def _actions(self, names: tuple[str, ...], actions: Joint) -> Iterator[str]:
        yield from self._names(names)
        if len(names) != len(actions):
            yield f"{len(actions)} actions for {len(names)} agents"
            return
        for name, action in zip(names, actions, strict=True):
            if name in self.agents and action not in (self.agents[name].actions or (None,)):
                yield f"{action} is no action of {name}"

    def _state(self, state: State) -> Iterable[str]:
        # Not remembered by state: (False, 0) is found where (0, 0) was fine.
        if len(state) == len(self._domains) and all(map(contains, self._domains, state)):
            return ()
        return self._values(tuple(self.system.domains), state)

    def _values(self, variables: tuple[tuple[str, str], ...], values: State) -> Iterator[str]:
        if len(variables) != len(values):
            yield f"{len(values)} values for {len(variables)} variables"
            return
        for (owner, name), value in zip(variables, values, strict=True):
            if value not in self.system.domains[owner, name]:
                yield f"{shown(value)} is no value of {owner}.{name}"

    def _names(self, names: tuple[str, ...]) -> Iterator[str]:
        return (f"no agent is called {name}" for name in names if name not in self.agents)

    def _formula(self, formula: Formula) -> tuple[str, ...]:
        """The unknown names of a formula."""
        if formula not in self._formulas:
            self._formulas[formula] = tuple(self._unknown(formula))
        return self._formulas[formula]

    def _unknown(self, formula: Formula) -> Iterator[str]:
        for part in subformulas(formula):
            match part:
                case f.Atom(name) if name not in self.system.propositions:
                    yield f"no proposition is called {name}"
                case f.Green(name) | f.Red(name) | f.OfAgent(name) if name not in self.agents:
                    yield f"no agent is called {name}"
                case f.OfGroup(f.Group(members)) | f.CanU(f.Group(members)):
                    yield from self._names(members)
                case f.OfGroup(group) | f.CanU(group):
                    yield f"it is not said who is in {group}"
