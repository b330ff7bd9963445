"""Why a verdict is what it is: trees of steps, each of which can be checked on its own.

A `Proof` says that a formula holds at a state, and why. Formulas are in negation normal form: an
existential operator is proved by what it says exists, a universal one is only cited. Nothing here
knows an engine: states are the values of all variables, in the order of a `Vocabulary`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias, assert_never, cast

from knower.logic.formula import Formula
from knower.reasons import Reason
from knower.records import dataclass
from knower.verdict.decisions import DecisionTable, Value
from knower.verdict.shown import Shown, shown
from knower.verdict.trace import GlobalState, NamedAction

#: The values of all variables, in the order of `Vocabulary.variables`.
State: TypeAlias = tuple[Value, ...]
#: One action per agent, in the order of `Vocabulary.agents`; None for an agent without actions.
#: Empty for the self-loop of a deadlock, where deadlocks have one.
Joint: TypeAlias = tuple[str | None, ...]


@dataclass(frozen=True)
class Vocabulary:
    """The names behind the values. `observes`: what each agent sees, agent by agent."""

    agents: tuple[str, ...]
    variables: tuple[tuple[str, str], ...]
    observes: tuple[tuple[tuple[str, str], ...], ...]

    def state(self, state: State) -> GlobalState:
        named: dict[str, dict[str, Value]] = {agent: {} for agent in self.agents}
        for (owner, name), value in zip(self.variables, state, strict=True):
            named[owner][name] = value
        return named

    def action(self, joint: Joint) -> NamedAction:
        pairs = zip(self.agents, joint, strict=False)
        return {agent: action for agent, action in pairs if action is not None}

    def observation(self, agent: str, seen: State) -> GlobalState:
        """What an agent sees, by name: only the owners of something seen appear."""
        named: dict[str, dict[str, Value]] = {}
        for (owner, name), value in zip(self.observes[self.agents.index(agent)], seen, strict=True):
            named.setdefault(owner, {})[name] = value
        return named


@dataclass(frozen=True)
class Run:
    """A path: `actions[k]` leads from `states[k]` to `states[k+1]`.

    With a `loop` there is one more action, which leads from the last state back to `states[loop]`.
    What the path is shown for ends at position `end`; what follows only shows that it can go on
    fairly. An `end` of None: the path is shown for all of its positions, for ever.
    """

    states: tuple[State, ...]
    actions: tuple[Joint, ...] = ()
    loop: int | None = None
    end: int | None = None

    @property
    def goal(self) -> State:
        """The state the path is shown for."""
        return self.states[-1 if self.end is None else self.end]

    @property
    def steps(self) -> int:
        """The steps up to where the path has shown what it is shown for."""
        return len(self.actions) if self.end is None else self.end


@dataclass(frozen=True)
class ProofNode:
    """What all proofs share; each is one of `Proof`."""

    state: State
    formula: Formula


@dataclass(frozen=True)
class Fact(ProofNode):
    """A propositional formula: look at the state."""


@dataclass(frozen=True)
class Cited(ProofNode):
    """A claim without proof, and why it has none: that it is universal, or that its proof is too long."""

    why: str


@dataclass(frozen=True)
class Both(ProofNode):
    """`f and g`."""

    left: Proof
    right: Proof


@dataclass(frozen=True)
class Either(ProofNode):
    """`f or g`: the one that holds."""

    part: Proof


@dataclass(frozen=True)
class PathProof(ProofNode):
    """`EX EF EG`, `E(f U g)`, `E(f R g)`, `E(f W g)`, or `E` before a path formula: a path from the state.

    `proofs` are by position, for what is not propositional. `R` and `W` have two shapes: a path that
    ends, and one that goes on for ever. A path formula is shown by a path that goes on for ever (from
    its end on, if it has one, as it likes) or, on finite traces, by a trace that ends where the path
    does. `met`: which parts of the path formula are fulfilled at which positions.
    """

    run: Run
    proofs: tuple[tuple[int, Proof], ...] = ()
    met: tuple[tuple[int, Formula], ...] = ()


@dataclass(frozen=True)
class Hop:
    """A state that all of these agents confuse with the one before: the goal of a path from the start."""

    agents: tuple[str, ...]
    run: Run


@dataclass(frozen=True)
class IndistinguishableProof(ProofNode):
    """`M MGK MGCK MDK`: hops (one, but for `MGCK`) to a state where the operand holds."""

    hops: tuple[Hop, ...]
    proof: Proof


@dataclass(frozen=True)
class Instance(ProofNode):
    """`P(i, f)`: a path from the start to a green state of the agent where f holds."""

    run: Run
    proof: Proof


@dataclass(frozen=True)
class Row:
    """What some agents do on seeing something.

    In tables by state all members are in one row, and `sees` is the whole state; in tables by
    observation there is one agent per row, and `sees` is what it observes.
    """

    agents: tuple[str, ...]
    sees: State
    actions: tuple[str | None, ...]


@dataclass(frozen=True)
class Strategy(ProofNode):
    """`<g>X f`, `<g>F f`, `<g>G f`, `<g>(f U h)`: a strategy, for just the states met by following it.

    It is followed from `starts`: the state itself or, under `uniform`, all states some member confuses
    with it. `proofs` are by state, for what is not propositional: of the goal where it is reached, of
    what must hold before elsewhere. `tables` say the same in few rows, if they were found: who follows
    them, and does anything where they are silent, wins as well.
    """

    members: tuple[str, ...]
    starts: tuple[State, ...]
    rows: tuple[Row, ...]
    by_observation: bool = False
    proofs: tuple[tuple[State, Proof], ...] = ()
    tables: tuple[DecisionTable, ...] = ()


@dataclass(frozen=True)
class Reply:
    """What the others do when the coalition chooses so: the joint action, and the turn it leads to.

    Without a joint action: the choice leads nowhere.
    """

    choice: Joint
    joint: Joint | None
    then: int | None


@dataclass(frozen=True)
class Turn:
    """A state in a play against a coalition, with a reply to each of its choices.

    `over`: the goal can no longer be met. `proof`: of what spoils the goal here, unless propositional.
    """

    state: State
    replies: tuple[Reply, ...] = ()
    over: bool = False
    proof: Proof | None = None


@dataclass(frozen=True)
class Refusal(ProofNode):
    """`!<g>…`: whatever the coalition does, the others have an answer. Turn 0 is at the state."""

    members: tuple[str, ...]
    turns: tuple[Turn, ...]


@dataclass(frozen=True)
class ImperfectInformationRefutation(ProofNode):
    """`!<g>…` under `uniform`: in a look-alike of the state not even full knowledge would help."""

    hop: Hop
    proof: Proof


@dataclass(frozen=True)
class LostPlay:
    """A play that is lost, and the choices it relies on: rows by observation, for states of the play.

    It is an outcome of every strategy that makes these choices. A path with a loop is lost for ever. One
    without is lost at its end: what was to hold is broken there; or it `stops`, for the choices lead nowhere;
    or a `Refusal` of the same formula at the end shows that full knowledge would not help either.
    `proofs` are by position, for what is not propositional, and of that refusal.
    """

    run: Run
    choices: tuple[Row, ...]
    stops: bool = False
    proofs: tuple[tuple[int, Proof], ...] = ()


@dataclass(frozen=True)
class UniformRefutation(ProofNode):
    """`!<g>…` under `uniform`: lost plays, such that every strategy makes all the choices of one of them.

    Plays begin in the state, or in one a member confuses with it: the goal of one of the `hops`.
    """

    members: tuple[str, ...]
    hops: tuple[Hop, ...]
    plays: tuple[LostPlay, ...]


@dataclass(frozen=True)
class UniformModelProof(ProofNode):
    """Under `uniform-models`: what everybody does, and a proof in the model where they do just that."""

    rows: tuple[Row, ...]
    proof: Proof


#: The formula holds at the state, and this is why. Closed: a `match` ends in `assert_never`.
Proof: TypeAlias = (
    Fact
    | Cited
    | Both
    | Either
    | PathProof
    | IndistinguishableProof
    | Instance
    | Strategy
    | Refusal
    | ImperfectInformationRefutation
    | UniformRefutation
    | UniformModelProof
)


@dataclass(frozen=True)
class Case:
    """A proof at an initial state; `run` begins there (with fairness: a fair path)."""

    run: Run
    proof: Proof


@dataclass(frozen=True, slots=True)
class Unreplayed:
    """A claim that the judge could not check, in words, and why."""

    what: str
    why: Reason | str


@dataclass(frozen=True)
class Replay:
    """What the judge found: the claims it could not check, and what is wrong, if anything."""

    unreplayed: tuple[Unreplayed, ...] = ()
    mistakes: tuple[str, ...] = ()

    @property
    def status(self) -> str:
        if self.mistakes:
            return "failed"
        return "partial" if self.unreplayed else "ok"


@dataclass(frozen=True)
class Followed:
    """A formula somebody wants to follow: the states of the evidence where it holds.

    `unknown`: those where that is not known, because only a part of the model is.
    """

    text: str
    states: frozenset[State]
    unknown: frozenset[State] = frozenset()


@dataclass(frozen=True)
class Evidence(Shown):
    """Why a formula has its verdict: `kind` is `witness`, `counterexample` or `strategy`.

    A counterexample has one case, a proof of the negation. A witness has a case for each initial
    state, or for some: `others` counts those left out, for which the formula is only said to hold.
    """

    _html = "notebook_evidence:evidence_html"

    kind: str
    vocabulary: Vocabulary
    cases: tuple[Case, ...]
    others: int = 0
    followed: tuple[Followed, ...] = ()
    replay: Replay | None = None

    def to_dict(self) -> dict[str, Any]:
        """The evidence as plain data, states and actions by name."""
        return cast("dict[str, Any]", shown("proof_data:evidence_data", self))


def below(proof: Proof) -> tuple[Proof, ...]:
    """The proofs a proof is made of."""
    match proof:
        case Both():
            return proof.left, proof.right
        case Either():
            return (proof.part,)
        case PathProof() | Strategy():
            return tuple(part for _, part in proof.proofs)
        case IndistinguishableProof() | Instance() | ImperfectInformationRefutation() | UniformModelProof():
            return (proof.proof,)
        case Refusal():
            return tuple(turn.proof for turn in proof.turns if turn.proof is not None)
        case UniformRefutation():
            return tuple(part for play in proof.plays for _, part in play.proofs)
        case Fact() | Cited():
            return ()
        case _:
            assert_never(proof)


def everything(proof: Proof) -> Iterator[Proof]:
    """A proof and all proofs below it, from the top down; each object once though it may be shared."""
    todo, seen = [proof], {id(proof)}
    while todo:
        item = todo.pop()
        yield item
        for part in reversed(below(item)):
            if id(part) not in seen:
                seen.add(id(part))
                todo.append(part)


def states(proof: Proof) -> Iterator[State]:
    """The states a proof itself speaks of, without those of the proofs below it."""
    yield proof.state
    match proof:
        case Strategy():
            yield from () if proof.by_observation else (row.sees for row in proof.rows)
        case Refusal():
            yield from (turn.state for turn in proof.turns)
        case _:
            for run in runs(proof):
                yield from run.states


def runs(proof: Proof) -> tuple[Run, ...]:
    """The paths a proof itself shows, without those of the proofs below it."""
    match proof:
        case PathProof() | Instance():
            return (proof.run,)
        case IndistinguishableProof():
            return tuple(hop.run for hop in proof.hops)
        case ImperfectInformationRefutation():
            return (proof.hop.run,)
        case UniformRefutation():
            return (*(hop.run for hop in proof.hops), *(play.run for play in proof.plays))
        case Fact() | Cited() | Both() | Either() | Strategy() | Refusal() | UniformModelProof():
            return ()
        case _:
            assert_never(proof)
