"""Generals, pursuit, Needham-Schroeder, book store: texts, verdicts, states, and what the sources say."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from members import comments_tell, confirm, is_clean
from protocols import NeedhamSchroeder, chases

import knower
from knower.families import Family, Number
from knower.families.book_store import BOOK_STORE
from knower.families.byzantine_generals import BYZANTINE_GENERALS
from knower.families.needham_schroeder import NEEDHAM_SCHROEDER
from knower.families.pursuit_evasion import PURSUIT_EVASION

FAMILIES = (BOOK_STORE, BYZANTINE_GENERALS, NEEDHAM_SCHROEDER, PURSUIT_EVASION)
PUBLISHED = [*(Path(__file__).parents[2].parent / "shared" / "corpus" / "models").glob("*book_store*.ispl")]
VARIANTS = ("flawed", "fixed")

#: Small members, by family and parameters.
SMALL: list[tuple[Family, dict[str, Any]]] = [
    *((BYZANTINE_GENERALS, {"n": n}) for n in (2, 3, 4, 9)),
    *((BYZANTINE_GENERALS, {"n": n, "fairness": "first"}) for n in (2, 3, 6)),
    *((BYZANTINE_GENERALS, {"n": n, "fairness": "all"}) for n in (2, 3, 6)),
    *((PURSUIT_EVASION, {"n": n}) for n in (3, 4, 5, 8)),
    *((NEEDHAM_SCHROEDER, {"n": n, "variant": variant}) for n in (1, 2) for variant in VARIANTS),
    *((BOOK_STORE, {"n": n}) for n in (1, 2)),
]
#: Members for the symbolic engine, three sizes of each.
LARGE: list[tuple[Family, dict[str, Any]]] = [
    *((BYZANTINE_GENERALS, {"n": n, "fairness": "all"}) for n in (10, 25, 60)),
    *((PURSUIT_EVASION, {"n": n}) for n in (10, 31, 64)),
    *((NEEDHAM_SCHROEDER, {"n": n, "variant": variant}) for n in (1, 3, 5) for variant in VARIANTS),
    *((BOOK_STORE, {"n": n}) for n in (1, 3, 5)),
]


def _name(value: object) -> str:
    return value.name if isinstance(value, Family) else "-".join(map(str, value.values()))  # type: ignore[attr-defined]


small = pytest.mark.parametrize(("family", "values"), SMALL, ids=_name)
large = pytest.mark.parametrize(("family", "values"), LARGE, ids=_name)
every = pytest.mark.parametrize("family", FAMILIES, ids=_name)


@small
def test_verdicts_and_states_are_the_expected_ones(family: Family, values: dict[str, Any]) -> None:
    confirm(family.instance(**values), "explicit")


@large
def test_larger_members_are_answered_symbolically(family: Family, values: dict[str, Any]) -> None:
    confirm(family.instance(**values), "bdd")


@small
def test_text_is_clean(family: Family, values: dict[str, Any]) -> None:
    is_clean(family.instance(**values))


@small
def test_comments_tell_what_is_expected(family: Family, values: dict[str, Any]) -> None:
    comments_tell(family.instance(**values))


@every
def test_the_bounds_are_accepted(family: Family) -> None:
    numbers = [one for one in family.parameters if isinstance(one, Number)]
    lowest = family.instance(**{one.name: one.low for one in numbers})
    assert len(knower.loads(lowest.ispl).formulae) == len(lowest.expected)


# -- generals -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [2, 3, 4, 5, 8])
def test_generals_know_as_deep_as_messages_have_arrived(n: int) -> None:
    """The steps: message 0 is sent, it arrives, message 1 is sent, … Alice sends those with even numbers."""

    def seen(by_alice: bool, step: int) -> tuple[int, int]:
        """How many messages somebody has sent and received after so many steps."""
        sent, received = (step + 1) // 2, step // 2
        return ((sent + 1) // 2, received // 2) if by_alice else (sent // 2, (received + 1) // 2)

    def known(by_alice: bool, fact: set[int]) -> set[int]:
        wrong = {seen(by_alice, step) for step in range(2 * n + 1) if step not in fact}
        return {step for step in fact if seen(by_alice, step) not in wrong}

    arrived = set(range(2, 2 * n + 1))
    for reader_is_alice in [at % 2 == 1 for at in range(n)]:
        arrived = known(reader_is_alice, arrived)
    assert min(arrived) == 2 * n
    assert BYZANTINE_GENERALS.instance(n=n).states == 2 * n + 1


def test_the_generals_ask_what_the_source_prints() -> None:
    even, odd = (BYZANTINE_GENERALS.instance(n=n).ispl for n in (4, 5))
    assert "AG (rcvmsg1 and !rcvack1 -> K(Alice, K(Bob, K(Alice, rcvmsg0))));" in even
    assert "AG (rcvack1 and !rcvmsg2 -> K(Bob, K(Alice, K(Bob, K(Alice, rcvmsg0)))));" in odd


@pytest.mark.parametrize(("fairness", "constraints"), [("off", 0), ("first", 2), ("all", 7)])
def test_fairness_is_for_none_or_two_or_all_messages(fairness: str, constraints: int) -> None:
    made = BYZANTINE_GENERALS.instance(n=7, fairness=fairness)
    assert len(re.findall(r"^ *!snd\w+ or rcv\w+;$", made.ispl, re.MULTILINE)) == constraints


# -- pursuit ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [3, 4, 5, 10, 17])
def test_the_pursuit_goes_as_the_source_says(n: int) -> None:
    states = chases(n)
    made = PURSUIT_EVASION.instance(n=n)
    assert made.states == len(states)
    ends = [state for state in states if state.found]
    ways = {end.seen: {one.evader - one.pursuer for one in ends if one.seen == end.seen} for end in ends}
    assert all(way <= {0, -1} for way in ways.values())
    assert {right for (_, right, _), way in ways.items() if len(way) == 2} == {True}
    assert made.expected[:2] == (False, False)


# -- Needham and Schroeder ----------------------------------------------------------------------------


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("n", [1, 2])
def test_an_intruder_who_sends_all_he_can_achieves_the_same(n: int, variant: str) -> None:
    protocol = NeedhamSchroeder(n, variant == "fixed")
    agrees = secret = meant = True
    for net in protocol.nets():
        for at, her in enumerate(net.alices):
            name = protocol.alice(at)
            if net.bob.done and net.bob.partner == name:
                agrees &= (her.partner, her.nonce) == ("bob", "nonce of bob")
                secret &= "nonce of bob" not in net.known
            if her.done and her.partner == "bob":
                meant &= (net.bob.partner, net.bob.nonce) == (name, f"nonce of {name}")
    first_of_each = NEEDHAM_SCHROEDER.instance(n=n, variant=variant).expected[::n]
    assert (agrees, meant, secret) == (first_of_each[0], first_of_each[3], first_of_each[6])
    assert meant and agrees == secret == (variant == "fixed")


def test_the_counterexample_is_the_attack_of_lowe() -> None:
    system = knower.loads(NEEDHAM_SCHROEDER.instance().ispl)
    (answer,) = system.check("AG (bob_trusts1 -> agreed1)", engine="bdd")
    assert answer.evidence is not None
    assert answer.evidence.kind == "counterexample"
    (run,) = [one.proof.run for one in answer.evidence.cases]  # type: ignore[union-attr]
    done = [{*step} - {"wait", "show_zero", "show_one"} for step in run.actions]
    told = ["hello_mallory", "hello1", "answer_alice1", "relay1", "confirm_mallory", "confirm"]
    assert done == [{one} for one in told]


# -- the book store -----------------------------------------------------------------------------------


def test_one_customer_is_the_published_book_store() -> None:
    made = BOOK_STORE.instance(n=1)
    assert made.states == 20
    assert made.expected[:4] == (False, True, False, False)


@pytest.mark.skipif(not PUBLISHED, reason="../shared/corpus is not here")
def test_one_customer_has_the_answers_of_the_published_model() -> None:
    ours = knower.loads(BOOK_STORE.instance(n=1).ispl).check(engine="explicit")
    # Those that speak of what both models name.
    asked = [one.text for one in ours][:5] + [one.text for one in ours][6:11]
    theirs = knower.loads(PUBLISHED[0].read_text()).check(*asked, engine="explicit")
    assert theirs.states == ours.states
    assert [one.verdict for one in theirs] == [one.verdict for one in [*ours][:5] + [*ours][6:11]]


def test_customers_do_not_change_the_answers() -> None:
    assert len({BOOK_STORE.instance(n=n).expected for n in (1, 2, 7, 30)}) == 1
