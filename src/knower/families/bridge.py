"""The last tricks of a hand of bridge, played by a declarer who does not see what the defenders hold."""

from __future__ import annotations

from collections.abc import Iterator

from knower.families.family import Family, Model, Number, Question
from knower.families.layout import agent, both, counted, either, listed, section
from knower.records import dataclass

_STORY = """Each of four players has {cards} left, of four suits without trumps; each suit has {n} ranks.
South plays his own cards, which are low, and the high ones of North, which lie open; East and West defend,
and how the other cards are split between them nobody else sees. South leads. Who can must follow suit, the
highest card of the suit led takes the trick, and who takes it leads next. The contract is for {tricks}."""

#: Whose turn follows whose.
_ROUND = {"south": "west", "west": "north", "north": "east", "east": "south"}
_SUITS = range(4)


@dataclass(frozen=True)
class _Card:
    """Cards are numbered suit by suit, so that a higher one of the same suit has a higher number."""

    suit: int
    rank: int
    ranks: int

    @property
    def number(self) -> int:
        return self.suit * self.ranks + self.rank

    @property
    def lowest(self) -> int:
        return self.suit * self.ranks + 1

    @property
    def play(self) -> str:
        return f"play{self.number}"

    @property
    def owner(self) -> str:
        """South and North have every second card, South the lower half of them."""
        if (self.suit + self.rank) % 2:
            return "hidden"
        middle = (self.ranks + 1) / 2
        is_low = self.suit < 2 if self.rank == middle else self.rank < middle
        return "south" if is_low else "north"


@dataclass(frozen=True)
class _Hand:
    """The cards of a player: whose turn it is then, and how it is said that a card is held."""

    turn: str
    cards: tuple[_Card, ...]
    held: str
    missing: str

    def lines(self) -> Iterator[str]:
        """A card may be played that follows suit, or any if there is none."""
        for card in self.cards:
            here = f"Environment.turn = {self.turn} and {self.held.format(card.number)}"
            free = either(["Environment.place = 0", f"Environment.led = {card.suit + 1}", *self._voids()])
            yield f"{here} and ({free}) : {{{card.play}}};"

    def _voids(self) -> Iterator[str]:
        for suit in _SUITS:
            others = [self.missing.format(card.number) for card in self.cards if card.suit == suit]
            yield f"({both([f'Environment.led = {suit + 1}', *others])})"


def _bridge(*, n: int, tricks: int) -> Model:
    deck = [_Card(suit, rank, n) for suit in _SUITS for rank in range(1, n + 1)]
    of = {who: tuple(card for card in deck if card.owner == who) for who in ("south", "north", "hidden")}
    said = counted(n, "card")
    return Model(
        title=f"The last {counted(n, 'trick')} of a hand of bridge.",
        story=_STORY.format(cards=said, n=n, tricks=counted(tricks, "trick")),
        sections=(
            "Semantics = SingleAssignment;",
            _table(deck, of["north"], of["hidden"], n),
            _south(of["south"], of["north"]),
            *(_defender(name, of["hidden"]) for name in ("East", "West")),
            section(
                "Evaluation",
                f"made if Environment.won >= {tricks};",
                "over if Environment.left = 0;",
                f"bare if {both(f'Environment.out{card.number} = true' for card in of['hidden'])};",
                f"short if East.h{of['hidden'][0].number} = 1;",
            ),
            section("InitStates", f"{both(_start(of, n))};"),
            section("Groups", "defenders = {East, West};"),
        ),
        questions=tuple(_questions(n, tricks)),
    )


def _played(card: _Card) -> str:
    if card.owner == "hidden":
        return f"(East.Action = {card.play} or West.Action = {card.play})"
    return f"South.Action = {card.play}"


def _table(deck: list[_Card], north: tuple[_Card, ...], hidden: tuple[_Card, ...], cards: int) -> str:
    players = listed(*_ROUND)
    return agent(
        "Environment",
        section(
            "Obsvars:",
            f"turn : {players};",
            f"winner : {players};",
            "place : 0..3;",
            "led : 0..4;",
            f"best : 0..{len(deck)};",
            f"won : 0..{cards};",
            f"left : 0..{cards};",
            *(f"north{card.number} : boolean;" for card in north),
            *(f"out{card.number} : boolean;" for card in hidden),
        ),
        "Actions = {};",
        section("Evolution:", *_course(deck, cards), *_laid_down(north, hidden)),
    )


def _course(deck: list[_Card], cards: int) -> Iterator[str]:
    """How a trick goes on: after the fourth card it is taken, and who took it leads."""
    higher = either(f"({_played(c)} and best >= {c.lowest} and best < {c.number})" for c in deck)
    on, last = "left > 0 and place < 3", "left > 0 and place = 3"
    for who, then in _ROUND.items():
        yield f"turn = {then} if {on} and turn = {who};"
    yield f"turn = winner if {last} and !({higher});"
    yield f"place = place + 1 if {on};"
    yield f"place = 0 if {last};"
    for suit in _SUITS:
        some = either(_played(card) for card in deck if card.suit == suit)
        yield f"led = {suit + 1} if left > 0 and place = 0 and ({some});"
    yield f"led = 0 if {last};"
    for card in deck:
        beats = f"place = 0 or (best >= {card.lowest} and best < {card.number})"
        yield f"best = {card.number} if {on} and {_played(card)} and ({beats});"
    yield f"best = 0 if {last};"
    yield f"winner = turn if {on} and (place = 0 or {higher});"
    yield f"winner = south if {last};"
    by_turn, by_winner = (f"({name} = south or {name} = north)" for name in ("turn", "winner"))
    taken = f"(({by_turn} and ({higher})) or ({by_winner} and !({higher})))"
    yield f"won = won + 1 if {last} and won < {cards} and {taken};"
    yield f"left = left - 1 if {last};"


def _laid_down(north: tuple[_Card, ...], hidden: tuple[_Card, ...]) -> Iterator[str]:
    for card in north:
        yield f"north{card.number} = false if South.Action = {card.play};"
    for card in hidden:
        yield f"out{card.number} = true if {_played(card)};"


def _south(own: tuple[_Card, ...], north: tuple[_Card, ...]) -> str:
    hands = (
        _Hand("south", own, "h{} = 1", "h{} = 0"),
        _Hand("north", north, "Environment.north{} = true", "Environment.north{} = false"),
    )
    return agent(
        "South",
        section("Vars:", *(f"h{card.number} : 0..1;" for card in own)),
        f"Actions = {listed(*(card.play for card in (*own, *north)), 'wait')};",
        section("Protocol:", *(line for hand in hands for line in hand.lines()), "Other : {wait};"),
        section("Evolution:", *(f"h{card.number} = 0 if Action = {card.play};" for card in own)),
    )


def _defender(name: str, hidden: tuple[_Card, ...]) -> str:
    hand = _Hand(name.lower(), hidden, "h{} = 1", "h{} = 0")
    return agent(
        name,
        section("Vars:", *(f"h{card.number} : 0..1;" for card in hidden)),
        f"Actions = {listed(*(card.play for card in hidden), 'wait')};",
        section("Protocol:", *hand.lines(), "Other : {wait};"),
        section("Evolution:", *(f"h{card.number} = 0 if Action = {card.play};" for card in hidden)),
    )


def _start(of: dict[str, tuple[_Card, ...]], cards: int) -> Iterator[str]:
    yield "Environment.turn = south and Environment.winner = south"
    yield from (f"Environment.{name} = 0" for name in ("place", "led", "best", "won"))
    yield f"Environment.left = {cards}"
    yield from (f"Environment.north{card.number} = true" for card in of["north"])
    yield from (f"South.h{card.number} = 1" for card in of["south"])
    for card in of["hidden"]:
        yield f"Environment.out{card.number} = false"
        yield f"East.h{card.number} + West.h{card.number} = 1"
    yield f"{' + '.join(f'East.h{card.number}' for card in of['hidden'])} = {cards}"


#: The tricks that South can be sure of, by cards in a hand. Full knowledge does not bring him more.
_SURE = {1: 1, 2: 0, 3: 2, 4: 2}


def _questions(cards: int, tricks: int) -> Iterator[Question]:
    if cards in _SURE:
        yield Question(
            "<South> F made",
            tricks <= _SURE[cards],
            "Whether South can make the contract; also on what he sees (--atl uniform).",
        )
    yield Question("AF over", True, "All cards are played.")
    yield Question("AF bare", True, "All cards of the defenders come down.")
    yield Question("<defenders> F over", True)
    yield Question("AG (short -> K(South, short))", False, "South does not see what East holds.")
    yield Question("AG (short -> K(East, short))", True, "But East does.")


BRIDGE = Family(
    name="bridge",
    description="the last tricks of a hand of bridge: what a declarer can make of cards he does not see",
    source="the bridge end-play of Jamroga, Knapik, Kurpiewski and Mikulski (2019), with cards of our own",
    parameters=(
        Number("n", "cards in each hand", 3, 1, 6),
        Number("tricks", "tricks the contract is for", 1, 1, 6, at_most="n"),
    ),
    build=_bridge,
    examples=("--tricks 2", "--n 4 --tricks 2"),
)
