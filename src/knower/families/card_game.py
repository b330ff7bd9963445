"""Two players, red cards and black cards: a game of luck, and what a hand tells about it.

The deck is written down in one of two ways. `hands`: for each player and card, whether he holds it; he plays
which he likes. `slots`: for each place in the shuffled deck, which card lies there; cards are played as they
lie. Those are n variables of ⌈log₂ n⌉ bits that all differ: as in table 6, by the number of its variables,
and far harder for diagrams.
"""

from __future__ import annotations

from math import comb, factorial

from knower.families.family import Choice, Family, Model, Number, Question
from knower.families.layout import agent, both, either, listed, section

_STORY = """There are {n} cards of increasing rank: {half} black ones, and {half} red ones that beat all the
black. Two players get {hand} each; the two that are left are put aside, face down. In each of the {hand}
rounds both play {which} at the same time, and the higher one wins the round. Whoever wins more rounds has won
the game. A player sees his own hand and the score."""


def _card_game(*, n: int, deck: str) -> Model:
    return _DECKS[deck](n, n // 2 - 1)


def _of_hands(n: int, hand: int) -> Model:
    return Model(
        title=f"A game with {n} red and black cards.",
        story=_STORY.format(n=n, half=n // 2, hand=hand, which="a card"),
        sections=(
            "Semantics = SingleAssignment;",
            _table(n, hand),
            _player(1, n),
            _player(2, n),
            _evaluation(n, hand),
            _initially(n, hand),
            section("Groups", "players = {Player1, Player2};"),
        ),
        questions=_questions(hand),
        states=_states(n, hand),
    )


def _states(n: int, hand: int) -> int:
    """How many states can be reached.

    With `left` cards on each hand, whatever they are, all results of the earlier rounds are possible:
    enough cards have been played.
    """
    return sum(comb(n, left) * comb(n - left, left) * (hand - left + 1) for left in range(hand + 1))


def _cards(n: int) -> range:
    """The cards by rank; the upper half is red."""
    return range(1, n + 1)


# -- agents -------------------------------------------------------------------------------------------


def _table(n: int, hand: int) -> str:
    return agent(
        "Environment",
        section(
            "Obsvars:",
            f"rounds : 0..{hand}; -- how many have been played",
            f"wins : 0..{hand}; -- how many player 1 has won",
        ),
        "Actions = {};",
        section(
            "Evolution:",
            f"rounds = rounds + 1 if rounds < {hand};",
            *(f"wins = wins + 1 if wins < {hand} and {_beats(card)};" for card in _cards(n)[1:]),
        ),
    )


def _beats(card: int) -> str:
    """Player 1 plays this card, player 2 a lower one."""
    lower = either(f"Player2.Action = play{other}" for other in range(1, card))
    return f"Player1.Action = play{card} and ({lower})"


def _player(number: int, n: int) -> str:
    return agent(
        f"Player{number}",
        section(
            "Vars:",
            f"-- 1: he holds this card; from card{n // 2 + 1} on they are red.",
            *(f"card{card} : 0..1;" for card in _cards(n)),
        ),
        f"Actions = {listed(*(f'play{card}' for card in _cards(n)), 'rest')};",
        section("Protocol:", *(f"card{card} = 1 : {{play{card}}};" for card in _cards(n)), "Other : {rest};"),
        section("Evolution:", *(f"card{card} = 0 if Action = play{card};" for card in _cards(n))),
    )


# -- propositions and formulas ------------------------------------------------------------------------


def _held(number: int, cards: range) -> str:
    """How many of these cards a player holds."""
    return " + ".join(f"Player{number}.card{card}" for card in cards)


def _evaluation(n: int, hand: int) -> str:
    return section(
        "Evaluation",
        "-- The hand player 1 has been dealt: red cards only, and the best of all.",
        f"all_red1 if {_held(1, _cards(n)[n // 2 :])} = {hand};",
        f"best1 if {both(f'Player1.card{card} = 1' for card in _cards(n)[-hand:])};",
        *_results(hand),
    )


def _results(hand: int) -> tuple[str, ...]:
    over = f"Environment.rounds = {hand}"
    return (
        f"over if {over};",
        f"win1 if {over} and Environment.wins > {hand // 2};",
        f"win2 if {over} and Environment.wins < {(hand + 1) // 2};",
        f"every_round1 if {over} and Environment.wins = {hand};",
    )


def _initially(n: int, hand: int) -> str:
    once = [f"Player1.card{card} + Player2.card{card} <= 1" for card in _cards(n)]
    sizes = [f"{_held(number, _cards(n))} = {hand}" for number in (1, 2)]
    return section(
        "InitStates",
        "-- The cards have been dealt, in any way.",
        f"{both(['Environment.rounds = 0', 'Environment.wins = 0', *sizes, *once])};",
    )


def _questions_of_red(hand: int) -> tuple[Question, ...]:
    # The other player has one red card at most, and wins one round at most.
    enough = hand > 2
    return (
        Question(
            "AG (all_red1 -> AF win1)",
            enough,
            f"With red cards only, player 1 will win, if there are at least three rounds: here {hand}. "
            "And he knows it.",
        ),
        Question("LTL G (all_red1 -> F win1)", enough),
        Question("LDL [tt*] (all_red1 -> <tt*> win1)", enough),
        Question("AG (all_red1 -> K(Player1, AF win1))", enough),
        Question(
            "AG (best1 -> K(Player1, AF every_round1))", True, "With the best cards he wins every round."
        ),
    )


def _questions_of_the_end(hand: int) -> tuple[Question, ...]:
    return (
        Question("AF over", True, "The game ends; without a winner only if the number of rounds is even."),
        Question("AG (over -> (win1 or win2))", hand % 2 == 1),
    )


def _questions(hand: int) -> tuple[Question, ...]:
    return (
        *_questions_of_red(hand),
        Question(
            "AG ((<Player1> F win1) -> AF win1)",
            True,
            "There is no skill in it: as the cards are played at the same time, he can make sure that he "
            "wins only where he wins whatever he plays.",
        ),
        Question(
            "AG ((AF win1) -> <Player1> F win1)",
            True,
            "And where he does so, he can make sure of it, if he is asked with the eyes of one who sees both "
            "hands. With --atl uniform it is false: he would have to know that he wins.",
        ),
        Question("AG ((AF win1) -> K(Player1, AF win1))", False, "He need not know it; the two together do."),
        Question("AG ((AF win1) -> DK(players, AF win1))", True),
        Question(
            "<players> F win1", False, "A bad hand cannot win, not even with the help of the other player."
        ),
        *_questions_of_the_end(hand),
    )


# -- the deck in slots ----------------------------------------------------------------------------------


def _of_slots(n: int, hand: int) -> Model:
    return Model(
        title=f"A game with a shuffled deck of {n} red and black cards.",
        story=_STORY.format(n=n, half=n // 2, hand=hand, which="the next of their cards, as they lie,"),
        sections=(
            "Semantics = SingleAssignment;",
            _deck(n, hand),
            *(_onlooker(number, hand) for number in (1, 2)),
            _evaluation_of_slots(n, hand),
            _shuffled(n),
            section("Groups", "players = {Player1, Player2};"),
        ),
        questions=_questions_of_slots(hand),
        states=factorial(n) * (hand + 1),  # the deck decides all
    )


def _slots(number: int, hand: int) -> list[str]:
    """The slots with the cards of a player, in the order he plays them."""
    return [f"slot{(number - 1) * hand + k}" for k in range(1, hand + 1)]


def _deck(n: int, hand: int) -> str:
    rounds = enumerate(zip(_slots(1, hand), _slots(2, hand), strict=True))
    return agent(
        "Environment",
        section(
            "Obsvars:",
            f"rounds : 0..{hand}; -- how many have been played",
            f"wins : 0..{hand}; -- how many player 1 has won",
        ),
        section(
            "Vars:",
            f"-- The card in each slot, red from {n // 2 + 1} on: player 1's come first, then player 2's.",
            *(f"slot{k} : 1..{n};" for k in _cards(n)),
        ),
        "Actions = {};",
        section(
            "Evolution:",
            f"rounds = rounds + 1 if rounds < {hand};",
            *(
                f"wins = wins + 1 if wins < {hand} and rounds = {k} and {one} > {two};"
                for k, (one, two) in rounds
            ),
        ),
    )


def _onlooker(number: int, hand: int) -> str:
    return agent(f"Player{number}", f"Lobsvars = {listed(*_slots(number, hand))};", "Actions = {};")


def _evaluation_of_slots(n: int, hand: int) -> str:
    cards = [f"Environment.{slot}" for slot in _slots(1, hand)]
    return section(
        "Evaluation",
        "-- The hand of player 1: red cards only, and the best of all.",
        f"all_red1 if {both(f'{card} > {n // 2}' for card in cards)};",
        f"best1 if {both(f'{card} > {n - hand}' for card in cards)};",
        f"red_aside if {both(f'Environment.slot{k} > {n // 2}' for k in (n - 1, n))};",
        *_results(hand),
    )


def _shuffled(n: int) -> str:
    slots = [f"Environment.slot{k}" for k in _cards(n)]
    differ = [f"{one} != {other}" for k, one in enumerate(slots) for other in slots[k + 1 :]]
    return section(
        "InitStates",
        "-- No card lies in two slots.",
        f"{both(['Environment.rounds = 0', 'Environment.wins = 0', *differ])};",
    )


def _questions_of_slots(hand: int) -> tuple[Question, ...]:
    return (
        *_questions_of_red(hand),
        Question("AG ((AF win1) -> K(Player1, AF win1))", False, "He need not know it; the two together do."),
        Question("AG ((AF win1) -> DK(players, AF win1))", True),
        Question("EF win1", False, "A bad hand cannot win."),
        Question("AG !(all_red1 and red_aside)", True, "One more red card is left at most."),
        *_questions_of_the_end(hand),
    )


_DECKS = {"hands": _of_hands, "slots": _of_slots}

CARD_GAME = Family(
    name="card-game",
    description="red and black cards: when a hand must win, and when its holder knows",
    source="Cohen, Dam, Lomuscio, Russo (2009) and the paper on MCMAS, table 6",
    parameters=(
        Number("n", "how many cards, an even number", 8, 4, 100, step=2),
        Choice("deck", "who holds each card, or which card lies in each slot", "hands", tuple(_DECKS)),
    ),
    build=_card_game,
    examples=("--n 10", "--n 8 --deck slots", "--n 6 --output cards.ispl"),
)
