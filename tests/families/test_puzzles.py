"""Families from the literature on knowledge: cryptographers, children, horses, cards and bits."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from itertools import permutations, product
from typing import Any, TypeVar

import pytest
from members import comments_tell, confirm, is_clean

import knower
from knower.families.bit_transmission import BIT_TRANSMISSION
from knower.families.card_game import CARD_GAME
from knower.families.dining_cryptographers import DINING_CRYPTOGRAPHERS
from knower.families.family import Family
from knower.families.muddy_children import MUDDY_CHILDREN
from knower.families.tian_ji import TIAN_JI

VARIANTS = ("plain", "faulty1", "faulty2")
LINES = ("lossy", "fair")
KINGS = ("known", "shown", "hidden")

#: Small members, by family and parameters.
SMALL: list[tuple[Family, dict[str, Any]]] = [
    *((DINING_CRYPTOGRAPHERS, {"n": n, "steps": steps}) for n in (3, 4) for steps in (2, 4)),
    *((MUDDY_CHILDREN, {"n": n}) for n in (2, 3, 4)),
    *((TIAN_JI, {"n": n, "king": king}) for n in (3, 4) for king in KINGS),
    *((CARD_GAME, {"n": n}) for n in (4, 6)),
    *((CARD_GAME, {"n": n, "deck": "slots"}) for n in (4, 6)),
    *((BIT_TRANSMISSION, {"variant": one, "line": line}) for one in VARIANTS for line in LINES),
    *((BIT_TRANSMISSION, {"steps": 1, "variant": one}) for one in VARIANTS),
    (BIT_TRANSMISSION, {"steps": 3, "line": "fair"}),
]

#: Larger ones.
LARGE: list[tuple[Family, dict[str, Any]]] = [
    *((DINING_CRYPTOGRAPHERS, {"n": n, "steps": steps}) for n, steps in ((5, 4), (10, 2), (16, 2))),
    *((MUDDY_CHILDREN, {"n": n}) for n in (5, 8, 12)),
    *((TIAN_JI, {"n": n, "king": king}) for n, king in ((5, "hidden"), (7, "shown"), (12, "known"))),
    *((CARD_GAME, {"n": n}) for n in (8, 10, 12)),
    *((CARD_GAME, {"n": n, "deck": "slots"}) for n in (8, 10)),
    *((BIT_TRANSMISSION, {"n": 2, "variant": one}) for one in VARIANTS),
    *((BIT_TRANSMISSION, {"n": 3, "variant": one, "line": "fair"}) for one in VARIANTS),
    (BIT_TRANSMISSION, {"n": 6, "steps": 12}),
]


def _name(value: object) -> str:
    if isinstance(value, Family):
        return value.name
    return "-".join(map(str, value.values())) if isinstance(value, Mapping) else str(value)


small = pytest.mark.parametrize(("family", "values"), SMALL, ids=_name)
large = pytest.mark.parametrize(("family", "values"), LARGE, ids=_name)


@small
def test_verdicts_and_states_are_the_expected_ones(family: Family, values: dict[str, Any]) -> None:
    confirm(family.instance(**values), "explicit")


@large
def test_large_members_are_answered_with_diagrams(family: Family, values: dict[str, Any]) -> None:
    confirm(family.instance(**values), "bdd")


@small
def test_text_is_clean(family: Family, values: dict[str, Any]) -> None:
    is_clean(family.instance(**values))


@small
def test_comments_tell_what_is_expected(family: Family, values: dict[str, Any]) -> None:
    comments_tell(family.instance(**values))


# -- what the sources say -----------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "states"), [(4, 400), (5, 960), (6, 2240), (7, 5120), (8, 11520), (9, 25600)])
def test_cryptographers_have_the_published_numbers_of_states(n: int, states: int) -> None:
    assert DINING_CRYPTOGRAPHERS.instance(n=n, steps=4).states == states


def test_two_steps_make_96_states_for_three_cryptographers() -> None:
    assert DINING_CRYPTOGRAPHERS.instance(n=3).states == 96


def test_the_classical_bit_transmission_has_the_published_numbers_of_states() -> None:
    assert BIT_TRANSMISSION.instance().states == 22
    assert BIT_TRANSMISSION.instance(line="fair").states == 18


def test_red_cards_are_sure_to_win_from_eight_cards_on() -> None:
    for deck in ("hands", "slots"):
        sure = {n: CARD_GAME.instance(n=n, deck=deck).expected[0] for n in (4, 6, 8, 10, 12, 14)}
        assert [n for n, expected in sure.items() if expected] == [8, 10, 12, 14]


#: What a blind general cannot do, by the numbers of the formulas.
BLIND = {1, 2, 4, 5}


@pytest.mark.parametrize(
    ("family", "values", "differing"),
    [
        (TIAN_JI, {"king": "known"}, set()),
        (TIAN_JI, {"king": "shown"}, set()),
        (TIAN_JI, {"king": "hidden"}, BLIND),
        (CARD_GAME, {"n": 4}, {7}),
    ],
    ids=_name,
)
def test_strategies_by_what_is_seen(family: Family, values: dict[str, Any], differing: set[int]) -> None:
    made = family.instance(**values)
    result = knower.loads(made.ispl).check(engine="bdd", atl="uniform", evidence="none")
    holds = [one.verdict is knower.Verdict.TRUE for one in result]
    changed = {at for at, pair in enumerate(zip(holds, made.expected, strict=True), 1) if len({*pair}) == 2}
    assert changed == differing


# -- the protocols once more, as programs -------------------------------------------------------------

_State = TypeVar("_State", bound=Hashable)


def _reachable(starts: Iterable[_State], successors: Callable[[_State], Iterable[_State]]) -> int:
    """How many states can be reached."""
    found = set(starts)
    fresh = list(found)
    while fresh:
        after = set(successors(fresh.pop())) - found
        found |= after
        fresh += after
    return len(found)


#: The king's horses that have been at the start, Tian Ji's that have run, the one waiting, races won.
_Races = tuple[frozenset[int], frozenset[int], int, int]


def _race(n: int, state: _Races) -> Iterator[_Races]:
    kings, ours, waiting, wins = state
    if waiting:
        for horse in {*range(1, n + 1)} - ours:
            yield kings, ours | {horse}, 0, wins + (horse < waiting)
    else:
        for horse in {*range(1, n + 1)} - kings:
            yield kings | {horse}, ours, horse, wins


def _orderly(n: int, state: _Races) -> Iterator[_Races]:
    """The same if the king's horses come in order, and at the same time as Tian Ji's."""
    race = len(state[0]) + 1
    if race <= n:
        yield from _race(n, (state[0] | {race}, state[1], race, state[3]))


@pytest.mark.parametrize("n", [3, 4, 5, 6])
def test_horses_do_what_the_source_says(n: int) -> None:
    start: _Races = (frozenset(), frozenset(), 0, 0)
    assert TIAN_JI.instance(n=n).states == _reachable([start], lambda state: _orderly(n, state))
    for king in ("shown", "hidden"):
        assert TIAN_JI.instance(n=n, king=king).states == _reachable([start], lambda state: _race(n, state))


#: Both hands, and the rounds that player 1 has won.
_Game = tuple[frozenset[int], frozenset[int], int]


def _round(state: _Game) -> Iterator[_Game]:
    first, second, wins = state
    for one, two in product(first, second):
        yield first - {one}, second - {two}, wins + (one > two)


@pytest.mark.parametrize("n", [4, 6, 8])
def test_cards_do_what_the_source_says(n: int) -> None:
    owners = (
        [frozenset(card for card in range(n) if deal[card] == player) for player in (1, 2)]
        for deal in product((0, 1, 2), repeat=n)
    )
    deals = [(one, two, 0) for one, two in owners if len(one) == len(two) == n // 2 - 1]
    assert CARD_GAME.instance(n=n).states == _reachable(deals, _round)


#: The cards still to be played by each, as they lie, those aside, and the rounds that player 1 has won.
_Deck = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], int]


def _next_cards(state: _Deck) -> Iterator[_Deck]:
    first, second, deck, wins = state
    if first:
        yield first[1:], second[1:], deck, wins + (first[0] > second[0])


@pytest.mark.parametrize("n", [4, 6])
def test_so_do_cards_in_slots(n: int) -> None:
    hand = n // 2 - 1
    decks = [(deck[:hand], deck[hand : 2 * hand], deck, 0) for deck in permutations(range(n))]
    assert CARD_GAME.instance(n=n, deck="slots").states == _reachable(decks, _next_cards)


#: Whether a receiver has the bit, is acknowledged and has erred, and how its line worked: out and back.
_Local = tuple[bool, bool, bool, tuple[bool, bool]]
_LINE_STATES = tuple(product((False, True), (False, True)))


def _receive(variant: str, sending: bool, local: _Local) -> Iterator[_Local]:
    got, acked, erred, _ = local
    free = variant == ("faulty1" if got else "faulty2")
    for speaks, line in product({got, not got} if free else {got}, _LINE_STATES):
        yield got or (sending and line[0]), acked or (speaks and line[1]), erred or speaks != got, line


def _transmit(variant: str, state: tuple[_Local, ...]) -> Iterator[tuple[_Local, ...]]:
    sending = not all(acked for _, acked, _, _ in state)
    return product(*(_receive(variant, sending, local) for local in state))


@pytest.mark.parametrize("n", [1, 2])
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("line", LINES)
def test_receivers_do_what_the_source_says(n: int, variant: str, line: str) -> None:
    lines = _LINE_STATES if line == "lossy" else ((False, False),)
    starts = product([(False, False, False, one) for one in lines], repeat=n)
    states = _reachable(starts, lambda state: _transmit(variant, state))
    assert BIT_TRANSMISSION.instance(n=n, variant=variant, line=line).states == 2 * states  # for each bit


def test_children_say_yes_when_the_puzzle_says() -> None:
    """By common knowledge of who can still be muddy, without the rule of the model."""
    n = 4
    system = knower.loads(MUDDY_CHILDREN.instance(n=n).ispl)
    for muddy in range(1, n + 1):
        first = _first_yes(n, frozenset(range(muddy)))
        assert first == muddy
        found = system.check(_asked_until_yes(first - 1, muddy, n), engine="explicit")
        assert found[0].verdict is knower.Verdict.TRUE


def _first_yes(n: int, muddy: frozenset[int]) -> int:
    """The question to which a child says yes first: worlds are crossed out by every general no."""
    worlds = {frozenset(at for at in range(n) if bits[at]) for bits in product((0, 1), repeat=n)} - {
        frozenset()
    }
    question = 1
    while not any(_knows(child, muddy, worlds) for child in range(n)):
        worlds = {world for world in worlds if not any(_knows(child, world, worlds) for child in range(n))}
        question += 1
    return question


def _knows(child: int, world: frozenset[int], worlds: set[frozenset[int]]) -> bool:
    return not {world | {child}, world - {child}} <= worlds


def _asked_until_yes(noes: int, muddy: int, n: int) -> str:
    """After the father's words and so many noes, the first children, the muddy ones, say yes."""
    who = " and ".join(f"{'' if child <= muddy else '!'}muddy{child}" for child in range(1, n + 1))
    yes = " and ".join(f"said_yes{child}" for child in range(1, muddy + 1))
    steps = "; ".join(["tt"] * (noes + 1))
    return f"LDL ({who}) -> [{steps}] (none_said_yes and [tt] ({yes}))"


# -- parameters ---------------------------------------------------------------------------------------

FAMILIES = (BIT_TRANSMISSION, CARD_GAME, DINING_CRYPTOGRAPHERS, MUDDY_CHILDREN, TIAN_JI)


@pytest.mark.parametrize(
    ("family", "values"),
    [
        (BIT_TRANSMISSION, {"n": 30, "steps": 100}),
        (CARD_GAME, {"n": 30}),
        (CARD_GAME, {"n": 30, "deck": "slots"}),
        (DINING_CRYPTOGRAPHERS, {"n": 40}),
        (MUDDY_CHILDREN, {"n": 40}),
        (TIAN_JI, {"n": 100, "king": "hidden"}),
    ],
    ids=_name,
)
def test_very_large_members_are_accepted(family: Family, values: dict[str, Any]) -> None:
    made = family.instance(**values)
    assert len(knower.loads(made.ispl).formulae) == len(made.expected)


@pytest.mark.parametrize("family", FAMILIES, ids=_name)
def test_examples_of_the_help_are_members(family: Family) -> None:
    for example in family.examples:
        words = example.split()
        values = {
            name.removeprefix("--"): int(value) if value.isdigit() else value
            for name, value in zip(words[::2], words[1::2], strict=True)
            if name != "--output"
        }
        assert family.instance(**values).expected


@pytest.mark.parametrize(
    ("family", "values", "cure"),
    [
        (DINING_CRYPTOGRAPHERS, {"n": 2}, "allowed: from 3 to 250"),
        (DINING_CRYPTOGRAPHERS, {"steps": 3}, "allowed: from 2 to 4, in steps of 2"),
        (MUDDY_CHILDREN, {"n": 1}, "allowed: from 2 to 120"),
        (TIAN_JI, {"king": "absent"}, "allowed: known or shown or hidden"),
        (CARD_GAME, {"n": 7}, "allowed: from 4 to 100, in steps of 2"),
        (BIT_TRANSMISSION, {"variant": "faulty3"}, "allowed: plain or faulty1 or faulty2"),
    ],
    ids=_name,
)
def test_bad_parameters(family: Family, values: dict[str, Any], cure: str) -> None:
    with pytest.raises(knower.InputError) as caught:
        family.instance(**values)
    (found,) = caught.value.diagnostics
    assert (found.code, found.cure) == ("E605", cure)
