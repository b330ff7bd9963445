"""Families in which somebody keeps a secret: votes before a coercer, and cards told in public."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

import pytest
from members import comments_tell, confirm, is_clean

import knower
from knower.families import Family
from knower.families.russian_cards import RUSSIAN_CARDS
from knower.families.voting import VOTING

Member = tuple[Family, dict[str, Any]]

#: Small members, for the explicit engine.
SMALL: list[Member] = [
    *((VOTING, {"n": 1, "candidates": candidates}) for candidates in (2, 3, 5)),
    *((VOTING, {"n": 2, "candidates": candidates}) for candidates in (2, 3)),
    *((RUSSIAN_CARDS, {"n": n}) for n in (1, 2, 3)),
    *((RUSSIAN_CARDS, {"n": n, "announcement": "bad"}) for n in (1, 2, 3)),
]
#: Larger ones, for decision diagrams.
LARGE: list[Member] = [
    (VOTING, {"n": 3}),
    (VOTING, {"n": 5, "candidates": 5}),
    (VOTING, {"n": 15}),
    (RUSSIAN_CARDS, {"n": 4}),
    (RUSSIAN_CARDS, {"n": 4, "announcement": "bad"}),
]


def _name(value: object) -> str:
    if isinstance(value, Family):
        return value.name
    return "-".join(map(str, value.values())) if isinstance(value, Mapping) else str(value)


def _words(verdicts: tuple[bool, ...]) -> list[str]:
    return [str(one).lower() for one in verdicts]


small = pytest.mark.parametrize(("family", "values"), SMALL, ids=_name)
every = pytest.mark.parametrize("family", [VOTING, RUSSIAN_CARDS], ids=_name)


@small
def test_verdicts_and_states_are_the_expected_ones(family: Family, values: dict[str, Any]) -> None:
    confirm(family.instance(**values), "explicit")


@pytest.mark.parametrize(("family", "values"), LARGE, ids=_name)
def test_larger_members_are_answered_by_decision_diagrams(family: Family, values: dict[str, Any]) -> None:
    confirm(family.instance(**values), "bdd")


@small
def test_text_is_clean(family: Family, values: dict[str, Any]) -> None:
    is_clean(family.instance(**values))


@small
def test_comments_tell_what_is_expected(family: Family, values: dict[str, Any]) -> None:
    comments_tell(family.instance(**values))


@every
def test_a_family_describes_itself(family: Family) -> None:
    assert family.description and "\n" not in family.description
    assert family.parameters[0].name == "n"
    assert all(one.help and one.admits(one.default) for one in family.parameters)


@pytest.mark.parametrize(
    ("family", "values"),
    [(VOTING, {"n": 100}), (VOTING, {"n": 2, "candidates": 100}), (RUSSIAN_CARDS, {"n": 20})],
    ids=_name,
)
def test_large_members_are_accepted(family: Family, values: dict[str, Any]) -> None:
    made = family.instance(**values)
    assert len(knower.loads(made.ispl).formulae) == len(made.expected)


# -- voting -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "states"), [(1, 15), (2, 225), (3, 3375), (4, 50625), (5, 759375)])
def test_voting_has_the_published_numbers_of_states(n: int, states: int) -> None:
    assert VOTING.instance(n=n).states == states


@pytest.mark.parametrize("candidates", [2, 3, 7])
def test_a_voter_goes_through_as_many_states_as_are_told(candidates: int) -> None:
    lives = [
        life
        for vote in range(candidates)
        for met in ("shown", "refused")
        for fate in ("punished", "spared")
        for life in ((), (vote,), (vote, met), (vote, met, fate))
    ]
    assert VOTING.instance(n=1, candidates=candidates).states == len({*lives})


def _told_for_uniform_play(text: str) -> Iterator[str]:
    """The verdicts that the comments announce for `--atl uniform`: those expected, if nothing is said."""
    for paragraph in text.split("\nFormulae\n")[1].split("\n\n"):
        plain = " ".join(paragraph.replace("\n  -- ", " ").split())
        told = re.findall(r"; -- expect (true|false)", plain)
        yield from ["false"] if "With --atl uniform: false" in plain else told


@pytest.mark.parametrize(
    ("engine", "n", "candidates", "differ"),
    [("explicit", 1, 2, 1), ("bdd", 1, 4, 1), ("bdd", 2, 2, 3)],
)
def test_who_must_act_on_what_he_sees_can_do_less(engine: str, n: int, candidates: int, differ: int) -> None:
    made = VOTING.instance(n=n, candidates=candidates)
    result = knower.loads(made.ispl).check(engine=engine, atl="uniform", evidence="none")
    found = [one.verdict.value for one in result]
    assert found == list(_told_for_uniform_play(made.ispl))
    assert sum(one != other for one, other in zip(found, _words(made.expected), strict=True)) == differ


@pytest.mark.parametrize("reading", ["objective", "uniform"])
def test_a_coercer_who_waits_for_refusals_treats_those_right_who_show_their_votes(reading: str) -> None:
    system = knower.loads(VOTING.instance(n=1).ispl)
    right = "(spared1 -> vote1_1) and (punished1 -> !vote1_1)"
    result = system.check(f"<Coercer>G ({right})", "EF (refused1 and EG open1)", atl=reading, evidence="none")
    assert [one.verdict.value for one in result] == ["true", "true"]


# -- cards --------------------------------------------------------------------------------------------

Hand = tuple[int, ...]


def _deals(n: int) -> list[tuple[Hand, int]]:
    """Alice's cards and Cath's card, in all ways."""
    pack = range(2 * n + 1)
    return [(hand, cath) for hand in combinations(pack, n) for cath in pack if cath not in hand]


def _said(hand: Hand, announcement: str) -> int:
    return sum(hand) % (2 * len(hand) + 1) if announcement == "good" else sum(hand)


def _learns(deal: tuple[Hand, int], n: int, announcement: str) -> bool:
    """Whether Cath comes to know who has some card that is not hers."""
    hand, cath = deal
    said = _said(hand, announcement)
    alike = [one for one, other in _deals(n) if other == cath and _said(one, announcement) == said]
    cards = {*range(2 * n + 1)} - {cath}
    return any(len({card in one for one in alike}) == 1 for card in cards)


@pytest.mark.parametrize("announcement", ["good", "bad"])
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_cath_learns_what_can_be_found_by_trying_all_deals(n: int, announcement: str) -> None:
    made = RUSSIAN_CARDS.instance(n=n, announcement=announcement)
    deals = _deals(n)
    assert made.states == 3 * len(deals)
    assert made.expected[-1] is not any(_learns(deal, n, announcement) for deal in deals)


def test_the_good_announcement_names_five_hands() -> None:
    alike = [hand for hand in combinations(range(7), 3) if _said(hand, "good") == _said((0, 1, 2), "good")]
    assert alike == [(0, 1, 2), (0, 4, 6), (1, 3, 6), (1, 4, 5), (2, 3, 5)]


def _remainders(cards: set[int], size: int, pack: int) -> set[int]:
    """What can remain of the sum of so many of these cards."""
    found: list[set[int]] = [{0}, *(set() for _ in range(size))]
    for card in cards:
        for chosen in range(size, 0, -1):
            found[chosen] |= {(one + card) % pack for one in found[chosen - 1]}
    return found[size]


@pytest.mark.parametrize("n", range(3, 21))
def test_the_good_announcement_is_safe_for_all_sizes(n: int) -> None:
    # Cath has 0. That is enough: shift all cards, and the sums of all hands are shifted alike.
    pack = 2 * n + 1
    for card in range(1, pack):
        others = {*range(1, pack)} - {card}
        with_card = {(one + card) % pack for one in _remainders(others, n - 1, pack)}
        assert with_card == _remainders(others, n, pack) == {*range(pack)}
    assert all(RUSSIAN_CARDS.instance(n=n).expected)
