"""Voters, and a coercer who wants to know how they vote."""

from __future__ import annotations

from knower.families.family import Family, Model, Number, Question
from knower.families.layout import agent, both, counted, either, listed, section
from knower.records import dataclass

_STORY = """There are {voters} and {candidates}. A voter goes to the polls when she likes and votes. Then a
coercer waits for her, who wants the first candidate to win: she shows him a proof of her vote, or refuses.
After that he may punish her, or spare her; he deals with one voter at a time. He sees who has voted and who
has refused, but of the votes only those that he is shown. A voter sees what she does and what he does to her.
Everybody may wait as long as he or she likes. In the questions of what somebody can bring about, they see
everything; with --atl uniform they must act on what they see themselves. Where that makes a difference, the
comment says so."""


@dataclass(frozen=True, slots=True)
class _Voter:
    """A voter by number, and among how many candidates she can choose."""

    number: int
    choice: int

    @property
    def name(self) -> str:
        return f"Voter{self.number}"

    @property
    def candidates(self) -> range:
        return range(1, self.choice + 1)

    def voted(self, candidate: int) -> str:
        """The proposition that she has voted for this candidate."""
        return f"vote{self.number}_{candidate}"

    @property
    def deserved(self) -> str:
        """She is treated as the coercer thinks right: spared if she voted for the first, else punished."""
        return f"(spared{self.number} and {self.voted(1)} or punished{self.number} and !{self.voted(1)})"


_Voters = tuple[_Voter, ...]


def _voting(*, n: int, candidates: int) -> Model:
    voters = tuple(_Voter(number, candidates) for number in range(1, n + 1))
    return Model(
        title=f"A vote with {counted(n, 'voter')}, {counted(candidates, 'candidate')} and a coercer.",
        story=_STORY.format(voters=counted(n, "voter"), candidates=counted(candidates, "candidate")),
        sections=(
            "Semantics = SingleAssignment;",
            _fates(voters),
            _coercer(voters),
            *map(_agent, voters),
            _evaluation(voters),
            _initially(voters),
            section(
                "Groups",
                f"voters = {listed(*(voter.name for voter in voters))};",
                "deal = {Coercer, Voter1};",
            ),
        ),
        questions=_questions(voters),
        states=(1 + 7 * candidates) ** n,
    )


# -- agents -------------------------------------------------------------------------------------------


def _fates(voters: _Voters) -> str:
    """What the coercer has done to each, which he and she see."""
    return agent(
        "Environment",
        section("Vars:", *(f"fate{v.number} : {{open, punished, spared}};" for v in voters)),
        section(
            "Evolution:",
            *(f"fate{v.number} = punished if Coercer.Action = punish{v.number};" for v in voters),
            *(f"fate{v.number} = spared if Coercer.Action = spare{v.number};" for v in voters),
        ),
    )


def _coercer(voters: _Voters) -> str:
    measures = [f"{measure}{v.number}" for v in voters for measure in ("punish", "spare")]
    return agent(
        "Coercer",
        section("Vars:", "-- What he has seen of each.", *map(_seen, voters)),
        f"Lobsvars = {listed(*(f'fate{v.number}' for v in voters))};",
        f"Actions = {listed(*measures, 'wait')};",
        section("Protocol:", *map(_measures, voters), "true : {wait};"),
        section("Evolution:", *(line for voter in voters for line in _sees(voter))),
    )


def _seen(voter: _Voter) -> str:
    proofs = (f"proof{c}" for c in voter.candidates)
    return f"seen{voter.number} : {listed('nothing', 'voted', 'refused', *proofs)};"


def _measures(voter: _Voter) -> str:
    i = voter.number
    met = f"seen{i} <> nothing and seen{i} <> voted and Environment.fate{i} = open"
    return f"{met} : {{punish{i}, spare{i}}};"


def _sees(voter: _Voter) -> list[str]:
    does, seen = f"{voter.name}.Action =", f"seen{voter.number} ="
    return [
        f"{seen} voted if {either(f'{does} vote{c}' for c in voter.candidates)};",
        f"{seen} refused if {does} refuse;",
        *(f"{seen} proof{c} if {does} show{c};" for c in voter.candidates),
    ]


def _agent(voter: _Voter) -> str:
    votes = [f"vote{c}" for c in voter.candidates]
    shows = [f"show{c}" for c in voter.candidates]
    return agent(
        voter.name,
        section(
            "Vars:", f"vote : 0..{voter.choice}; -- 0 before she votes", "met : {not_yet, refused, shown};"
        ),
        f"Lobsvars = {{fate{voter.number}}};",
        f"Actions = {listed(*votes, *shows, 'refuse', 'wait')};",
        section(
            "Protocol:",
            f"vote = 0 : {listed(*votes)};",
            *(f"vote = {c} and met = not_yet : {{show{c}, refuse}};" for c in voter.candidates),
            "true : {wait};",
        ),
        section(
            "Evolution:",
            *(f"vote = {c} if Action = vote{c};" for c in voter.candidates),
            f"met = shown if {either(f'Action = {show}' for show in shows)};",
            "met = refused if Action = refuse;",
        ),
    )


# -- propositions -------------------------------------------------------------------------------------


def _evaluation(voters: _Voters) -> str:
    return section("Evaluation", *(line for voter in voters for line in _facts(voter)))


def _facts(voter: _Voter) -> list[str]:
    i, name = voter.number, voter.name
    return [
        *(f"{voter.voted(c)} if {name}.vote = {c};" for c in voter.candidates),
        f"shown{i} if {name}.met = shown;",
        f"refused{i} if {name}.met = refused;",
        f"open{i} if Environment.fate{i} = open;",
        f"punished{i} if Environment.fate{i} = punished;",
        f"spared{i} if Environment.fate{i} = spared;",
    ]


def _initially(voters: _Voters) -> str:
    start = ("Environment.fate{0} = open", "Coercer.seen{0} = nothing", "Voter{0}.vote = 0")
    nothing = (*start, "Voter{0}.met = not_yet")
    return section("InitStates", f"{both(part.format(v.number) for v in voters for part in nothing)};")


# -- formulas -----------------------------------------------------------------------------------------


def _questions(voters: _Voters) -> tuple[Question, ...]:
    first = voters[0]
    return (*_of_the_coercer(voters), *_of_a_voter(first), *_of_knowledge(first), *_of_coalitions(voters))


def _of_the_coercer(voters: _Voters) -> tuple[Question, ...]:
    first = voters[0]
    only_the_obedient = both(f"(spared{v.number} -> {v.voted(1)})" for v in voters)
    return (
        Question(
            f"<Coercer>G ({only_the_obedient})",
            True,
            "The coercer can make sure that nobody is spared who did not vote for the first candidate.",
        ),
        Question(
            f"<Coercer>F {first.voted(1)}",
            False,
            "He cannot force a vote, nor that she comes to meet him.",
        ),
        Question("<Coercer>F (shown1 or refused1)", False),
        Question(
            f"AG (shown1 and open1 -> <Coercer>X {first.deserved})",
            True,
            "If she shows her vote, he can spare her if it was for the first candidate, else punish her.",
        ),
        Question(
            f"AG (refused1 and open1 -> <Coercer>X {first.deserved})",
            True,
            "The same if she refuses. With --atl uniform: false, he does not know what she deserves.",
        ),
    )


def _of_a_voter(voter: _Voter) -> tuple[Question, ...]:
    return (
        Question(f"<Voter1>F {voter.voted(1)}", True, "A voter can vote as she likes."),
        Question(f"<Voter1>F {voter.voted(voter.choice)}", True),
        Question(
            f"<Voter1>F (spared1 and !{voter.voted(1)})",
            False,
            "She cannot make sure that she is spared, whether she votes for another or not.",
        ),
        Question("<Voter1>F spared1", False),
        Question(
            "<Voter1>G !punished1",
            True,
            "She can escape by not meeting him; once she has, even all voters together cannot help her.",
        ),
        Question("AG ((shown1 or refused1) and open1 -> !<voters>G !punished1)", True),
    )


def _of_knowledge(voter: _Voter) -> tuple[Question, ...]:
    votes = [voter.voted(c) for c in voter.candidates]
    unknown = both(f"!K(Coercer, {vote})" for vote in votes)
    common = both(f"({vote} -> GCK(deal, {vote}))" for vote in votes)
    return (
        Question(f"AG (refused1 -> {unknown})", True, "If she refuses, he does not know her vote."),
        Question(
            f"AG (shown1 -> {common})",
            True,
            "If she shows it, it is common knowledge between him and her.",
        ),
        Question(
            f"<Voter1>F ({votes[-1]} and <Voter1>G !K(Coercer, {votes[-1]}))",
            True,
            "She can vote as she likes and keep it to herself for ever.",
        ),
    )


def _of_coalitions(voters: _Voters) -> tuple[Question, ...]:
    last = voters[0].choice
    return (
        *([_imitates(voters[0], voters[1]), _all_alike(voters, last)] if len(voters) > 1 else []),
        Question(
            f"<deal>F ({voters[0].voted(last)} and spared1)",
            True,
            "The coercer and a voter can trade: her vote, even for the last candidate, and his mercy.",
        ),
    )


def _all_alike(voters: _Voters, candidate: int) -> Question:
    return Question(
        f"<voters>F ({both(voter.voted(candidate) for voter in voters)})",
        True,
        "The voters can all vote for the last candidate. With --atl uniform: false, for all that one of "
        "them sees, another may have voted already.",
    )


def _imitates(one: _Voter, other: _Voter) -> Question:
    voted = either(other.voted(c) for c in other.candidates)
    free = both(f"!{one.voted(c)}" for c in one.candidates)
    alike = either(f"{one.voted(c)} and {other.voted(c)}" for c in one.candidates)
    return Question(
        f"AG (({voted}) and {free} -> <{one.name}>F ({alike}))",
        True,
        "A voter can vote as another has done. With --atl uniform: false, she does not see that.",
    )


VOTING = Family(
    name="voting",
    description="voters and a coercer: what each of them can bring about, and on what they see",
    source="the simple voting scenario of Jamroga, Knapik and Kurpiewski",
    parameters=(
        Number("n", "how many voters", 2, 1, 500),
        Number("candidates", "how many candidates", 2, 2, 100),
    ),
    build=_voting,
    examples=("--n 3", "--n 2 --candidates 4 --output voting.ispl"),
)
