"""Selene: votes stand on a board under secret trackers, and a coercer asks for them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import factorial

from knower.families.family import Family, Model, Number, Question
from knower.families.layout import agent, both, counted, either, listed, section
from knower.records import dataclass

_STORY = """There are {voters} and {candidates}. Each voter has a tracker, a secret number. First a coercer
demands one candidate of the first {coerced}. Then all vote at once, and each vote is published under the
tracker of its voter. One after another those who are coerced show a tracker to the coercer: their own, or one
that the election system gives them, or none. He sees the board and what he is shown, but not whose it is. The
system sees all but votes. Others see neither the demand nor the trackers. In the questions of what somebody
can bring about, they see everything; with --atl uniform they must act on what they see themselves. Where that
makes a difference, the comment says so."""


@dataclass(frozen=True, slots=True)
class _Election:
    """So many voters, of whom the first are coerced, and candidates."""

    n: int
    choice: int
    coerced: int

    @property
    def voters(self) -> range:
        return range(1, self.n + 1)

    @property
    def victims(self) -> range:
        return range(1, self.coerced + 1)

    @property
    def candidates(self) -> range:
        return range(1, self.choice + 1)

    @property
    def end(self) -> int:
        """The last round: 0 is for the demand, 1 for the votes, then trackers are shown."""
        return self.coerced + 2

    def claims_in(self, voter: int) -> int:
        """The round in which a voter shows a tracker."""
        return voter + 1

    @property
    def states(self) -> int:
        """The trackers, then the demand, then the votes, then what is shown: some tracker, or none."""
        claims: int = sum((self.n + 1) ** count for count in range(self.coerced + 1))
        votes: int = self.choice**self.n
        return factorial(self.n) * (1 + self.choice + self.choice * votes * claims)


def _selene(*, n: int, candidates: int, coerced: int) -> Model:
    election = _Election(n, candidates, coerced)
    first = "voter" if coerced == 1 else counted(coerced, "voter")
    return Model(
        title=f"Selene with {counted(n, 'voter')}, {counted(candidates, 'candidate')}, {coerced} coerced.",
        story=_STORY.format(
            voters=counted(n, "voter"), candidates=counted(candidates, "candidate"), coerced=first
        ),
        sections=(
            "Semantics = SingleAssignment;",
            _board(election),
            _system(election),
            _coercer(election),
            *(_voter(election, voter) for voter in election.voters),
            section("Evaluation", *_facts(election)),
            section("InitStates", f"{both(_start(election))};"),
            section("Groups", f"defence = {listed('System', *(f'Voter{i}' for i in election.voters))};"),
        ),
        questions=tuple(_questions(election)),
        states=election.states,
    )


# -- agents -------------------------------------------------------------------------------------------


def _board(election: _Election) -> str:
    """What is public, and what some see: trackers, the demand, what is shown to the coercer."""
    n, c = election.n, election.choice
    return agent(
        "Environment",
        section(
            "Obsvars:",
            f"round : 0..{election.end};",
            *(f"board{t} : 0..{c};" for t in election.voters),
        ),
        section(
            "Vars:",
            *(f"tracker{i} : 1..{n};" for i in election.voters),
            f"demand : 0..{c};",
            *(f"claim{i} : 0..{n};" for i in election.victims),
        ),
        "Actions = {};",
        section("Evolution:", *_events(election)),
    )


def _events(election: _Election) -> Iterator[str]:
    yield f"round = round + 1 if round < {election.end};"
    yield from (f"demand = {c} if Coercer.Action = demand{c};" for c in election.candidates)
    for tracker in election.voters:
        for c in election.candidates:
            voted = either(f"tracker{i} = {tracker} and Voter{i}.Action = vote{c}" for i in election.voters)
            yield f"board{tracker} = {c} if round = 1 and ({voted});"
    for i in election.victims:
        yield f"claim{i} = tracker{i} if Voter{i}.Action = show;"
        yield from (
            f"claim{i} = {t} if Voter{i}.Action = deceive and System.Action = give{t};"
            for t in election.voters
        )


def _system(election: _Election) -> str:
    gives = [f"give{t}" for t in election.voters]
    claims = [f"claim{i}" for i in election.victims]
    return agent(
        "System",
        f"Lobsvars = {listed(*(f'tracker{i}' for i in election.voters), 'demand', *claims)};",
        f"Actions = {listed(*gives, 'wait')};",
        section(
            "Protocol:",
            f"Environment.round > 1 and Environment.round < {election.end} : {listed(*gives)};",
            "Other : {wait};",
        ),
    )


def _coercer(election: _Election) -> str:
    demands = [f"demand{c}" for c in election.candidates]
    return agent(
        "Coercer",
        f"Lobsvars = {listed('demand', *(f'claim{i}' for i in election.victims))};",
        f"Actions = {listed(*demands, 'wait')};",
        section("Protocol:", f"Environment.round = 0 : {listed(*demands)};", "Other : {wait};"),
    )


def _voter(election: _Election, number: int) -> str:
    votes = [f"vote{c}" for c in election.candidates]
    is_coerced = number in election.victims
    answers = ["show", "deceive", "refuse"] if is_coerced else []
    claiming = [f"Environment.round = {election.claims_in(number)} : {listed(*answers)};"] if answers else []
    return agent(
        f"Voter{number}",
        section("Vars:", f"vote : 0..{election.choice}; -- 0 before the vote"),
        *([f"Lobsvars = {listed('demand', f'claim{number}')};"] if is_coerced else []),
        f"Actions = {listed(*votes, *answers, 'wait')};",
        section("Protocol:", f"Environment.round = 1 : {listed(*votes)};", *claiming, "Other : {wait};"),
        section("Evolution:", *(f"vote = {c} if Action = vote{c};" for c in election.candidates)),
    )


# -- propositions -------------------------------------------------------------------------------------


def _facts(election: _Election) -> Iterator[str]:
    trackers = election.voters
    yield f"closed if Environment.round = {election.end};"
    others = both(f"Environment.board{t} <> Environment.demand" for t in trackers)
    yield f"nobody if Environment.round > 1 and {others};"
    yield from (f"voted{i}_{c} if Voter{i}.vote = {c};" for i in election.voters for c in election.candidates)
    for i in election.victims:
        shown = either(
            f"Environment.claim{i} = {t} and Environment.board{t} = Environment.demand" for t in trackers
        )
        yield f"obeyed{i} if Voter{i}.vote = Environment.demand and Environment.demand > 0;"
        yield f"believed{i} if Environment.demand > 0 and ({shown});"
        yield f"lied{i} if Environment.claim{i} > 0 and Environment.claim{i} <> Environment.tracker{i};"
    if election.coerced > 1:
        same = [
            f"Environment.claim{i} > 0 and Environment.claim{i} = Environment.claim{j}"
            for i, j in combinations(election.victims, 2)
        ]
        yield f"clash if {either(same)};"


def _start(election: _Election) -> Iterator[str]:
    """Nothing has happened; the trackers are different."""
    yield "Environment.round = 0 and Environment.demand = 0"
    yield from (f"Environment.board{t} = 0" for t in election.voters)
    for i, j in combinations(election.voters, 2):
        yield f"Environment.tracker{i} <> Environment.tracker{j}"
    yield from (f"Environment.claim{i} = 0" for i in election.victims)
    yield from (f"Voter{i}.vote = 0" for i in election.voters)


# -- formulas -----------------------------------------------------------------------------------------


def _questions(election: _Election) -> Iterator[Question]:
    yield Question(_defied(election), election.n >= 2 * election.coerced, _resistance(election))
    yield Question(
        "<Voter1>F (closed and !obeyed1 and believed1)",
        False,
        "Alone she cannot: somebody else must vote so.",
    )
    yield Question(f"<Voter1>F voted1_{election.choice}", True, "A voter can vote as she likes.")
    yield Question("<Coercer>F obeyed1", False, "The coercer cannot force a vote,")
    yield Question(
        "<Coercer>F (closed and (K(Coercer, obeyed1) or K(Coercer, !obeyed1)))",
        False,
        "nor be sure to learn it.",
    )
    yield Question("AG (nobody -> K(Coercer, !obeyed1))", True, "Only if nobody voted so he knows.")
    yield Question(
        "AG (closed and believed1 -> !K(Coercer, !obeyed1))", True, "Who is believed may have obeyed,"
    )
    yield Question("AG (closed and believed1 -> K(Coercer, obeyed1))", False, "or not.")
    if election.coerced > 1:
        lied = either(f"lied{i}" for i in election.victims)
        yield Question(
            f"AG (clash -> K(Coercer, {lied}))", True, "Two who show the same tracker give themselves away."
        )


def _defied(election: _Election) -> str:
    parts = [f"!obeyed{i} and believed{i}" for i in election.victims]
    return f"<defence>F (closed and {both([*parts, *(['!clash'] if election.coerced > 1 else [])])})"


def _resistance(election: _Election) -> str:
    """Who sees the demand needs one vote for each who is coerced; who does not, for each candidate, too."""
    free, few = election.n - election.coerced, election.coerced
    said = "Voters and system can make sure that all who are coerced vote otherwise and are believed, if "
    seen = f"{counted(few, 'other voter')} vote{'s' if few == 1 else ''} as demanded."
    if free < few:
        return f"{said}{seen} There are too few."
    enough = free >= few * election.choice
    reason = (
        "they can vote for every candidate" if enough else "there are too few to vote for every candidate"
    )
    return (
        f"{said}{seen} With --atl uniform: {str(enough).lower()}; they do not see the demand, but {reason}."
    )


SELENE = Family(
    name="selene",
    description="votes under secret trackers, and a coercer who asks for them: resistance to coercion",
    source="Ryan, Rønne, Iovino, Selene (2016), and the models of Jamroga, Knapik, Kurpiewski; simplified",
    parameters=(
        Number("n", "how many voters", 3, 2, 20),
        Number("candidates", "how many candidates", 2, 2, 20),
        Number("coerced", "how many of the voters are coerced", 1, 1, 10, at_most="n"),
    ),
    build=_selene,
    examples=("--n 4 --candidates 3", "--n 6 --coerced 2"),
)
