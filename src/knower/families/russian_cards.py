"""Two players who tell each other their cards in front of a third, who learns nothing."""

from __future__ import annotations

from collections.abc import Iterable
from math import comb

from knower.families.family import Choice, Family, Model, Number, Question
from knower.families.layout import agent, both, either, listed, section
from knower.records import dataclass

_STORY = """From a pack with the cards 0 to {last}, Alice and Bob have drawn {hand} each, and Cath has the
one that is left. Alice and Bob want to tell each other openly what they have, and Cath shall not learn of
any card but her own who holds it. {says} Then Bob, who now knows all cards, says which one Cath has. {why}"""

_REMAINDER = "Alice says what remains when the sum of her cards is divided by {pack}."
_SUM = "Alice says what the sum of her cards is."
_GOOD = "All of them know beforehand that this is safe."
_FEW = "With so few cards that is not safe."
_BAD = "That is not safe: if she has the lowest cards, everybody knows it."


@dataclass(frozen=True, slots=True)
class _Game:
    """How many cards Alice and Bob have each, and whether she says the remainder or the sum itself."""

    hand: int
    remainder: bool

    @property
    def pack(self) -> int:
        return 2 * self.hand + 1

    @property
    def cards(self) -> range:
        return range(self.pack)

    @property
    def sums(self) -> range:
        """What the cards of a hand can sum up to."""
        lowest = sum(self.cards[: self.hand])
        highest = sum(self.cards[-self.hand :])
        return range(lowest, highest + 1)

    @property
    def said(self) -> range:
        """What Alice can say."""
        return self.cards if self.remainder else self.sums

    @property
    def safe(self) -> bool:
        """Whether Cath learns nothing, whatever the deal; with two cards, few hands have the same sum."""
        return self.remainder and self.hand > 2

    def sums_of(self, said: int) -> Iterable[int]:
        """The sums of her cards with which Alice says this."""
        return (one for one in self.sums if said == (one % self.pack if self.remainder else one))

    def totals_of(self, card: int) -> Iterable[int]:
        """What Alice's words and Bob's sum add up to if this card is missing.

        With the card they make the sum of the pack, or a number with the same remainder.
        """
        missing = sum(self.cards) - card
        totals = range(self.said[0] + self.sums[0], self.said[-1] + self.sums[-1] + 1)
        return (one for one in totals if one == missing or (self.remainder and self._alike(one, missing)))

    def _alike(self, one: int, other: int) -> bool:
        return (one - other) % self.pack == 0


def _russian_cards(*, n: int, announcement: str) -> Model:
    game = _Game(n, announcement == "good")
    return Model(
        title=f"The Russian cards problem, with {game.pack} cards and a {announcement} announcement.",
        story=_story(game),
        sections=(
            _table(game),
            _alice(game),
            _bob(game),
            agent("Cath", section("Vars:", f"card : 0..{game.pack - 1};")),
            _evaluation(game),
            _deals(game),
            section("Groups", "partners = {Alice, Bob};", "all = {Alice, Bob, Cath};"),
        ),
        questions=_questions(game),
        # Alice's hand, and one of the other cards for Cath; nothing is left to chance after that.
        states=3 * comb(game.pack, n) * (n + 1),
    )


def _story(game: _Game) -> str:
    says = _REMAINDER.format(pack=game.pack) if game.remainder else _SUM
    why = _GOOD if game.safe else _FEW if game.remainder else _BAD
    return _STORY.format(last=game.pack - 1, hand=game.hand, says=says, why=why)


# -- agents -------------------------------------------------------------------------------------------


def _table(game: _Game) -> str:
    """What everybody has heard."""
    return agent(
        "Environment",
        section(
            "Obsvars:",
            "stage : {dealt, announced, answered};",
            f"said : 0..{game.said[-1]}; -- by Alice",
            f"named : 0..{game.pack - 1}; -- by Bob, as Cath's card",
        ),
        section(
            "Evolution:",
            *(f"stage = announced and said = {one} if Alice.Action = say{one};" for one in game.said),
            *(f"stage = answered and named = {card} if Bob.Action = name{card};" for card in game.cards),
        ),
    )


def _alice(game: _Game) -> str:
    return agent(
        "Alice",
        _hand(game),
        f"Actions = {listed(*(f'say{one}' for one in game.said), 'wait')};",
        section(
            "Protocol:",
            *(_line("dealt", "sum", game.sums_of(one), f"say{one}") for one in game.said),
            "Other : {wait};",
        ),
    )


def _bob(game: _Game) -> str:
    total = "Environment.said + sum"
    return agent(
        "Bob",
        _hand(game),
        f"Actions = {listed(*(f'name{card}' for card in game.cards), 'wait')};",
        section(
            "Protocol:",
            *(_line("announced", total, game.totals_of(card), f"name{card}") for card in game.cards),
            "Other : {wait};",
        ),
    )


def _hand(game: _Game) -> str:
    return section(
        "Vars:",
        "-- For each card: 1 if it is in this hand.",
        *(f"card{card} : 0..1;" for card in game.cards),
        f"sum : {game.sums[0]}..{game.sums[-1]}; -- of the cards in this hand",
    )


def _line(stage: str, number: str, values: Iterable[int], action: str) -> str:
    """An action for a stage in which the number has one of the values."""
    return (
        f"Environment.stage = {stage} and ({either(f'{number} = {one}' for one in values)}) : {{{action}}};"
    )


def _deals(game: _Game) -> str:
    """All deals: each has as many cards as are due, and each card is somewhere."""
    once = (f"(Alice.card{c} + Bob.card{c} = 1 or Cath.card = {c})" for c in game.cards)
    hands = (one for player in ("Alice", "Bob") for one in _drawn(player, game))
    before = ("Environment.stage = dealt", "Environment.said = 0", "Environment.named = 0")
    return section("InitStates", f"{both((*hands, *once, *before))};")


def _drawn(player: str, game: _Game) -> tuple[str, str]:
    cards = " + ".join(f"{player}.card{card}" for card in game.cards)
    values = " + ".join([f"{player}.card1", *(f"{c} * {player}.card{c}" for c in game.cards[2:])])
    return f"{cards} = {game.hand}", f"{values} = {player}.sum"


# -- propositions and formulas ------------------------------------------------------------------------


def _evaluation(game: _Game) -> str:
    return section(
        "Evaluation",
        "announced if Environment.stage <> dealt;",
        "answered if Environment.stage = answered;",
        *(f"alice{card} if Alice.card{card} = 1;" for card in game.cards),
        *(f"bob{card} if Bob.card{card} = 1;" for card in game.cards),
        *(f"cath{card} if Cath.card = {card};" for card in game.cards),
        *(f"named{card} if Environment.named = {card};" for card in game.cards),
    )


def _questions(game: _Game) -> tuple[Question, ...]:
    return (*_of_ignorance(game), *_of_success(game), *_of_secrecy(game))


def _of_ignorance(game: _Game) -> tuple[Question, ...]:
    alice, bob, cath = _facts(game)
    return (
        Question(
            _unknown("K(Alice", bob + cath),
            True,
            "When the cards are dealt, Alice knows nobody else's cards, nor does Bob.",
        ),
        Question(_unknown("K(Bob", alice + cath), True),
        Question(
            _known("DK(partners", cath),
            True,
            "Together they know Cath's card, but that is not common knowledge.",
        ),
        Question(_unknown("GCK(partners", cath), True),
    )


def _of_success(game: _Game) -> tuple[Question, ...]:
    alice, bob, cath = _facts(game)
    named = both(f"(named{card} -> cath{card})" for card in game.cards)
    bob_knows, alice_knows = _known("K(Bob", alice), _known("K(Alice", bob)
    return (
        Question(f"AG (announced -> {bob_knows})", True, "Once she has spoken, Bob knows Alice's cards."),
        Question(f"AG (answered -> {named})", True, "Bob names the right card."),
        Question(
            f"AG (answered -> {alice_knows})", True, "Once he has spoken, Alice knows his, and not before."
        ),
        Question(f"AX ({_unknown('K(Alice', bob)})", True),
        Question(
            f"AG (answered -> {_known('GCK(partners', cath)})",
            True,
            "Then Cath's card, and with it all cards, is common knowledge between the two.",
        ),
        Question(
            f"AG (answered -> GCK(all, {bob_knows} and {alice_knows}))",
            True,
            "That they know each other's cards is common knowledge of all three.",
        ),
        Question("LTL F G answered", True, "It always comes to this."),
    )


def _of_secrecy(game: _Game) -> tuple[Question, ...]:
    alice, bob, _ = _facts(game)
    ignorant = _unknown("K(Cath", alice + bob)
    return (
        Question(f"AG ({ignorant})", game.safe, "Cath never learns of a card that Alice has it, or Bob."),
        Question(f"AG K(Alice, {ignorant})", game.safe, "Alice always knows that."),
        Question(f"AG GCK(all, {ignorant})", game.safe, "It is even common knowledge."),
    )


def _facts(game: _Game) -> tuple[list[str], list[str], list[str]]:
    """The propositions that Alice, Bob and Cath have this or that card."""
    alice, bob, cath = ([f"{player}{card}" for card in game.cards] for player in ("alice", "bob", "cath"))
    return alice, bob, cath


def _known(whose: str, facts: Iterable[str]) -> str:
    """Each of these, if it is true, is known; the operator comes with its first argument."""
    return both(f"({fact} -> {whose}, {fact}))" for fact in facts)


def _unknown(whose: str, facts: Iterable[str]) -> str:
    """None of these is known."""
    return both(f"!{whose}, {fact})" for fact in facts)


RUSSIAN_CARDS = Family(
    name="russian-cards",
    description="two players tell each other their cards in public, and a third does not learn them",
    source="van Ditmarsch's analysis of the Russian cards problem",
    parameters=(
        Number("n", "how many cards Alice and Bob have each; Cath has one", 3, 1, 20),
        Choice(
            "announcement", "what Alice says: good is safe for n > 2, bad is not", "good", ("good", "bad")
        ),
    ),
    build=_russian_cards,
    examples=("--n 4", "--announcement bad --output cards.ispl"),
)
