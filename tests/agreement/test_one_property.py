"""One property in several logics: all of them give the same verdict, and hold in the same states.

The properties of the line are those by which a report on LDL and CDL* compared its five checkers, and more;
the verdicts are known by thought.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

import knower
from knower import families
from knower.functions.registry import available
from knower.logic import formula as f
from knower.logic.language import Language, Specification
from knower.logic.rewrite import quantified

ENGINES = ["explicit", *(["bdd"] if available() else [])]
_FINITE = ("LTLf", "LDLf", "CDLf*")


@dataclass(frozen=True)
class Property:
    """What several formulas say, and whether it is true."""

    verdict: str
    formulas: tuple[str, ...]

    @property
    def finite(self) -> Property:
        """The same without what is said of infinite runs."""
        return Property(self.verdict, tuple(text for text in self.formulas if text.startswith(_FINITE)))


def true(*formulas: str) -> Property:
    return Property("true", formulas)


def false(*formulas: str) -> Property:
    return Property("false", formulas)


# -- a line that loses messages ------------------------------------------------------------------------

#: A bit is sent until it is acknowledged. In every round the line passes both messages, one or none; what it
#: did last may at first be anything. The sender ought to have its acknowledgement.
LINE = """
Agent Environment
  Vars: last : {both, out, back, none}; end Vars
  Actions = {both, out, back, none};
  Evolution:
    last = both if Action = both; last = out  if Action = out;
    last = back if Action = back; last = none if Action = none;
  end Evolution
end Agent
Agent Sender
  Vars: bit : 0..1; acked : boolean; end Vars
  RedStates: acked = false; end RedStates
  Actions = {send0, send1, rest};
  Protocol: acked = true : {rest}; acked = false and bit = 0 : {send0}; Other : {send1}; end Protocol
  Evolution:
    acked = true if Receiver.Action = confirm and (Environment.Action = both or Environment.Action = back);
  end Evolution
end Agent
Agent Receiver
  Vars: copy : 0..2; end Vars  -- 2: nothing yet
  Actions = {listen, confirm};
  Protocol: copy = 2 : {listen}; Other : {confirm}; end Protocol
  Evolution:
    copy = 0 if copy=2 and Sender.Action = send0 and (Environment.Action = both or Environment.Action = out);
    copy = 1 if copy=2 and Sender.Action = send1 and (Environment.Action = both or Environment.Action = out);
  end Evolution
end Agent
Evaluation
  zero if Sender.bit = 0; one if Sender.bit = 1;
  received if Receiver.copy < 2; acked if Sender.acked = true;
  works if Environment.last = both;
end Evaluation
InitStates Sender.acked = false and Receiver.copy = 2; end InitStates
Groups partners = {Sender, Receiver}; end Groups
"""
FAIR_LINE = LINE + "Fairness works; end Fairness"

_LEARNT = "(K(Receiver, zero) or K(Receiver, one))"
_CONFIRMED = f"(acked -> K(Sender, {_LEARNT}))"
_UNSURE = "M(Sender, !received)"

#: The groups of the report, completed in the logics that can say them.
PUBLISHED = [
    false("AF received", "LTL F received", "CTL* A F received", "LDL <tt*>received", "CDL* A <tt*>received"),
    true(f"AG {_CONFIRMED}", f"LTL G {_CONFIRMED}", f"CTL* A G {_CONFIRMED}",
         f"LDL [tt*]{_CONFIRMED}", f"CDL* A [tt*]{_CONFIRMED}"),
    true("EF received", "CTL* E F received", "CDL* E <tt*>received"),
    true("AG EF received", "CTL* A G E F received", "CDL* A [tt*]E <tt*>received"),
    false("LTL (F received) -> F acked", "CTL* A ((F received) -> F acked)",
          "LDL (<tt*>received) -> <tt*>acked", "CDL* A ((<tt*>received) -> <tt*>acked)"),
    true("LDL ([(tt;tt)*]works) -> <tt*>acked", "CDL* A (([(tt;tt)*]works) -> <tt*>acked)",
         "CDL* !E ([(tt;tt)*]works and [tt*]!acked)"),
    false("LDL ([(tt;tt)*]works) -> <(tt;tt)*>(!acked and <tt>acked)",
          "CDL* A (([(tt;tt)*]works) -> <(tt;tt)*>(!acked and <tt>acked))"),
    false("LDL ([(tt;tt)*]works) -> <tt;(tt;tt)*>(!acked and <tt>acked)",
          "CDL* A (([(tt;tt)*]works) -> <tt;(tt;tt)*>(!acked and <tt>acked))"),
]  # fmt: skip

STEPS = [
    true("EX EX acked", "CTL* E X X acked", "CTL* E X E X acked", "CDL* E <tt;tt>acked",
         "CDL* E [tt]E [tt]acked", "CDL* E <tt>X acked"),
    false("EX acked", "CTL* E X acked", "CDL* E <tt>acked", "CDL* E [tt]acked"),
    true("AX (works -> AX (works -> AX acked))", "LTL X (works -> X (works -> X acked))",
         "LTL X (works and X works) -> X X X acked", "CTL* A X (works -> A X (works -> A X acked))",
         "LDL [tt;works;works]acked", "CDL* A [tt;works]A [works]acked"),
    false("AX (works -> AX acked)", "LTL X works -> X X acked", "LDL [tt;works]acked",
          "LDL <(tt;(!works)?) + (tt;tt;acked?)>tt"),
    true("AG (received -> EX acked)", "CTL* A G (received -> E X acked)", "LTL G (received -> E X acked)",
         "LDL [tt*;received?]E <tt>acked", "CDL* A [tt*](received -> E <tt>acked)"),
    true("AG (acked -> AX acked)", "LTL G (acked -> X acked)", "LTL G (acked -> G acked)",
         "LDL [tt*;acked]acked", "LDL [tt*;acked*;acked?;tt]acked", "CDL* A [tt*;acked?]A [tt*]acked"),
]  # fmt: skip

UNTILS = [
    false("A(!acked U received)", "LTL !acked U received", "CTL* A(!acked U received)",
          "LDL <(!acked)*>received", "LDL <((!acked)?;tt)*>received"),
    true("E(!acked U received)", "CTL* E(!acked U received)", "CDL* E <(!acked)*>received",
         "CDL* E <((!acked)?;tt)*>received"),
    true("A(!acked W received)", "A(received R (received or !acked))", "LTL !acked W received",
         "LTL (G !acked) or !acked U received", "LTL received R (received or !acked)",
         "LTL !(!received U (acked and !received))", "LDL [(!received)*](received or !acked)",
         "CDL* !E <(!received)*>(acked and !received)"),
    true("E(acked R !acked)", "EG !acked", "CTL* E(acked R !acked)", "CTL* E G !acked", "CTL* E(!acked W ff)",
         "CDL* E [tt*]!acked", "CDL* E [(!acked)*]!acked", "CDL* !A <tt*>acked"),
    # A path formula on the left of U is no letter: `<f*>g` would not say the same.
    false("LTL (works U received) U acked", "CTL* A((works U received) U acked)",
          "LDL <((works U received)?;tt)*>acked", "LDL <((<works*>received)?;tt)*>acked"),
    false("CTL* E((works U received) U acked)", "CDL* E <((<works*>received)?;tt)*>acked"),
    true("CTL* works -> E((works U received) U acked)", "CDL* works -> E <((<works*>received)?;tt)*>acked"),
    true("LTL (G F works) -> F acked", "LTL (F G !works) or F acked", "CTL* A ((G F works) -> F acked)",
         "LDL ([tt*]<tt*>works) -> <tt*>acked", "LDL [tt*]<tt*>works -> <(!acked)*>acked"),
    false("LTL (F G works) or G F !acked -> F received",
          "LDL (<tt*>[tt*]works) or [tt*]<tt*>!acked -> <tt*>received"),
    true("LTL F received -> (!received U (received and !acked))",
         "LDL <tt*>received -> <(!received)*>(received and !acked)", "LDL [(!received)*;received?]!acked",
         "A((received and !acked) R (!received or !acked))"),
]  # fmt: skip

QUANTIFIERS = [
    true("AF EG !received", "CTL* A F E G !received", "CDL* A <tt*>E [tt*]!received", "LTL F E G !received"),
    true("AG EF AG acked", "CTL* A G E F A G acked", "CDL* A [tt*]E <tt*>A [tt*]acked",
         "LDL [tt*]E <tt*>A [tt*]acked", "LTL G E F AG acked", "LDL [tt*]EF A G acked"),
    true("EG EF acked", "CTL* E G E F acked", "CDL* E [tt*]E <tt*>acked"),
    true("EF EG (received and !acked)", "CTL* E F G (received and !acked)",
         "CDL* E <tt*>[tt*](received and !acked)",
         "CDL* E <tt*>E [(tt;tt)*](received and !acked and EX EG !acked)"),
    true("E(EG !acked U acked)", "CTL* E((E G !acked) U acked)", "CDL* E <((E [tt*]!acked)?;tt)*>acked"),
    false("AF AG acked", "LTL F G acked", "CTL* A F A G acked", "LDL <tt*>[tt*]acked"),
]  # fmt: skip

KNOWLEDGE = [
    true("AG (acked -> GK(partners, received))", "LTL G (acked -> GK(partners, received))",
         "LDL [tt*;acked?]GK(partners, received)", "CDL* A [tt*](acked -> GK(partners, received))"),
    false("EF GCK(partners, received)", "CTL* E F GCK(partners, received)",
          "CDL* E <tt*>GCK(partners, received)"),
    true("AG (received -> DK(partners, received))", "LTL G (received -> DK(partners, received))",
         "LDL [tt*;received?]DK(partners, received)"),
    true("AG K(Sender, EF acked)", "CTL* A G K(Sender, E F acked)", "CDL* A [tt*]K(Sender, E <tt*>acked)",
         "LDL [tt*]K(Sender, E F acked)"),
    false("AG K(Sender, AF acked)", "LTL G K(Sender, F acked)", "LDL [tt*]K(Sender, <tt*>acked)"),
    true(f"EF ({_LEARNT} and !K(Sender, {_LEARNT}))", f"CTL* E F ({_LEARNT} and !K(Sender, {_LEARNT}))",
         f"CDL* E <tt*;{_LEARNT}?>!K(Sender, {_LEARNT})"),
    true(f"E({_UNSURE} U acked)", f"CTL* E({_UNSURE} U acked)", f"CDL* E <({_UNSURE}?;tt)*>acked"),
    true(f"A({_UNSURE} W acked)", f"LTL {_UNSURE} W acked", f"LTL acked R (acked or {_UNSURE})",
         f"LDL [(!acked)*](acked or {_UNSURE})"),
]  # fmt: skip

STRATEGIES = [
    true("AG (received -> <Environment>X acked)", "LTL G (received -> <Environment>X acked)",
         "CTL* A G (received -> <Environment>X acked)", "LDL [tt*;received?]<Environment>X acked"),
    true("AG <Environment>F acked", "LTL G <Environment>F acked", "CDL* A [tt*]<Environment>F acked"),
    false("EX <partners>F acked", "CTL* E X <partners>F acked", "CDL* E <tt><partners>F acked"),
    true("E(!<partners>G acked U acked)", "CTL* E(!<partners>G acked U acked)",
         "CDL* E <((!<partners>G acked)?;tt)*>acked"),
]  # fmt: skip

OBLIGATIONS = [
    true("AG O(Sender, received)", "LTL G O(Sender, received)", "CDL* A [tt*]O(Sender, received)",
         "CTL* A G (Sender.GreenStates -> received)", "LDL [tt*;(Sender.GreenStates)?]received"),
    false("AF (O(Sender, acked) and Sender.GreenStates)", "LTL F (O(Sender, acked) and Sender.GreenStates)",
          "LDL <tt*>(O(Sender, acked) and Sender.GreenStates)"),
    true("E(P(Sender, zero) U O(Sender, acked))", "CTL* E(P(Sender, zero) U O(Sender, acked))",
         "CDL* E <(P(Sender, zero)?;tt)*>O(Sender, acked)"),
]  # fmt: skip

#: What finite runs can say, and CTL on the same states.
FINITE = [
    true("LTLf G (acked -> received)", "LDLf [tt*](acked -> received)", "LDLf [tt*;acked?]received",
         "CDLf* A G (acked -> received)", "AG (acked -> received)"),
    false("LTLf F received", "LDLf <tt*>received", "CDLf* A <tt*>received"),
    true("CDLf* E F received", "CDLf* E <tt*>received", "EF received"),
    false("LTLf X true", "LDLf <tt>tt", "CDLf* A X true"),
    true("CDLf* E X true", "CDLf* E <tt>tt", "EX true"),
    true("LTLf WX (works -> WX (works -> WX acked))", "LDLf [tt;works;works]acked",
         "LTLf !X (works and X (works and X !acked))", "AX (works -> AX (works -> AX acked))"),
    false("LTLf X works -> X X acked", "LDLf (<tt>works) -> <tt;tt>acked",
          "CDLf* A (<tt>works -> X <tt>acked)"),
    true("LTLf !acked W received", "LTLf received R (received or !acked)",
         "LDLf [(!received)*](received or !acked)", "A(!acked W received)"),
    false("LTLf !acked U received", "LDLf <(!acked)*>received", "CDLf* A <((!acked)?;tt)*>received"),
    true("CDLf* E(!acked U received)", "CDLf* E <(!acked)*>received", "E(!acked U received)"),
    true("LTLf F !X true", "LDLf <tt*>[tt]ff", "CDLf* A <tt*>WX ff", "LDLf <tt*>!<tt>tt"),
    # Infinitely often, or from some time on: in the last state.
    false("LTLf G F works", "LTLf F G works", "LTLf F (works and WX ff)", "LDLf [tt*]<tt*>works",
          "LDLf <tt*>(works and [tt]ff)"),
    true("CDLf* E G F works", "CDLf* E <tt*>(works and [tt]ff)", "EF works"),
    false("LDLf [(tt;tt)*]works -> <tt*>acked", "CDLf* A ([(tt;tt)*]works -> F acked)"),
    true("CDLf* works -> E ([(tt;tt)*]works and <tt*>acked)",
         "CDLf* works -> E ([(tt;tt)*]works and F acked)"),
    # The test sees the end of the run as well.
    false("LDLf <(tt;(<tt>tt)?)*>works", "LTLf works or F (works and X true)"),
    true("CDLf* E <(tt;(<tt>tt)?)*>works", "CDLf* works or E F (works and X true)", "EF works"),
    false("LDLf [tt;([tt]ff)?]works", "LTLf WX (X true or works)", "LTLf X !X true -> X works", "AX works"),
    true("CDLf* A [tt*]K(Sender, E <tt*>acked)", "LTLf G K(Sender, E F acked)", "AG K(Sender, EF acked)"),
    false("LTLf G K(Receiver, F acked)", "LDLf [tt*]K(Receiver, <tt*>acked)", "LDLf [tt*]K(Receiver, acked)"),
    true("LTLf G (received -> <Environment>X acked)", "LDLf [tt*;received?]<Environment>X acked",
         "AG (received -> <Environment>X acked)"),
    true("LTLf G O(Sender, received)", "LDLf [tt*]O(Sender, received)", "AG O(Sender, received)"),
]  # fmt: skip

#: On the line that works again and again.
FAIR = [
    true("AF acked", "LTL F acked", "CTL* A F acked", "LDL <tt*>acked", "CDL* A <tt*>acked"),
    false("EG !received", "CTL* E G !received", "CDL* E [tt*]!received", "CDL* E [(!received)*]!received"),
    true("AG AF works", "LTL G F works", "CTL* A G F works", "LDL [tt*]<tt*>works",
         "LDL [tt*]<(!works)*>works"),
    true("AF AG acked", "LTL F G acked", "CTL* A F A G acked", "LDL <tt*>[tt*]acked"),
    false("AF AG works", "LTL F G works", "CTL* A F G works", "LDL <tt*>[tt*]works"),
    true("A(!acked U received)", "LTL !acked U received", "LDL <(!acked)*>received",
         "CDL* A <((!acked)?;tt)*>received"),
    true("AG (received -> AF acked)", "LTL G (received -> F acked)", "LTL F received -> F acked",
         "LDL [tt*;received?]<tt*>acked", "CDL* A [tt*](received -> A <tt*>acked)"),
    true("AG K(Sender, AF acked)", "LTL G K(Sender, F acked)", "LDL [tt*]K(Sender, <tt*>acked)",
         "CTL* A G K(Sender, A F acked)"),
    true(f"AF K(Sender, {_LEARNT})", f"LTL F K(Sender, {_LEARNT})", f"LDL <tt*>K(Sender, {_LEARNT})"),
    true("LDL [(tt;tt)*]!works -> <tt*>acked", "CDL* A ([(tt;tt)*]!works -> F acked)", "LTL F acked"),
    true("EF EX (works and EG EF works)", "CTL* E F X (works and E G F works)",
         "CDL* E <tt*;tt>(works and E [tt*]<tt*>works)"),
]  # fmt: skip


# -- a climb with a fall -------------------------------------------------------------------------------

#: From the camp over the ridge to the summit; who falls from the ridge makes no further step. The watcher
#: sees nothing.
CLIMB = """
Agent Environment
  Vars: at : {camp, ridge, summit, crevasse}; end Vars
  Actions = {rest, climb, slip};
  Protocol:
    at = camp   : {rest, climb};
    at = ridge  : {climb, slip};
    at = summit : {rest};
  end Protocol
  Evolution:
    at = ridge    if at = camp and Action = climb;
    at = summit   if at = ridge and Action = climb;
    at = crevasse if at = ridge and Action = slip;
  end Evolution
end Agent
Agent Watcher
  Actions = {watch};
end Agent
Evaluation
  camp if Environment.at = camp; ridge if Environment.at = ridge;
  summit if Environment.at = summit; fallen if Environment.at = crevasse;
end Evaluation
InitStates Environment.at = camp; end InitStates
"""
FAIR_CLIMB = CLIMB + "Fairness summit; end Fairness"

#: Path formulas see infinite paths only; `EG tt` says in CTL that there is one.
DEADLOCK = [
    true("EF fallen", "CDLf* E F fallen", "CDLf* E <tt*>fallen", "EF !EG tt"),
    false("CTL* E F fallen", "CDL* E <tt*>fallen", "EF (fallen and EG tt)"),
    false("AG !fallen", "LTLf G !fallen", "LDLf [tt*]!fallen", "CDLf* A [tt*]!fallen"),
    true("LTL G !fallen", "CTL* A G !fallen", "LDL [tt*]!fallen", "AG (EG tt -> !fallen)"),
    true("AG (ridge -> EX fallen)", "LDLf [tt*;ridge?]E <tt>fallen", "AG (ridge -> <Environment>X fallen)"),
    false("LTL G (ridge -> E X fallen)", "LDL [tt*;ridge?]E <tt>fallen",
          "AG (ridge -> EX (fallen and EG tt))"),
    true("LTL G (ridge -> EX fallen)", "LDL [tt*;ridge?]<Environment>X fallen"),
    true("LTL G (ridge -> X summit)", "LDL [tt*;ridge]summit", "CTL* A G (ridge -> A X summit)",
         "AG (ridge -> AX (EG tt -> summit))"),
    false("AG (ridge -> AX summit)", "LTLf G (ridge -> WX summit)", "LDLf [tt*;ridge]summit"),
    true("E(!summit U fallen)", "CDLf* E(!summit U fallen)", "CDLf* E <(!summit)*>fallen"),
    false("CTL* E(!summit U fallen)", "CDL* E <(!summit)*>fallen", "E(!summit U (fallen and EG tt))"),
    false("A(!fallen W summit)", "LTLf !fallen W summit", "LDLf [(!summit)*](summit or !fallen)"),
    true("CTL* A(!fallen W summit)", "LTL !fallen W summit", "LDL [(!summit)*](summit or !fallen)"),
    true("AG (ridge -> AF summit)", "CTL* A G (ridge -> A F summit)", "LTL G (ridge -> F summit)",
         "LDL [tt*;ridge?]<tt*>summit"),
    true("EG camp", "CTL* E G camp", "CDL* E [tt*]camp", "CDL* !A <tt*>!camp"),
    # Where no infinite path starts, all of them satisfy everything.
    true("EF !EG tt", "EF A X ff", "EF A ff", "CDL* EF (fallen and A [tt*]ff)"),
    false("CTL* E F A ff", "CDL* E <tt*>A ff", "CDL* E <tt*>!E tt"),
    true("CDLf* AG E [tt]ff", "CDLf* A [tt*]E WX ff"),
    true("CDLf* EF A [tt]ff", "CDLf* E <tt*>A WX ff", "EF AX ff", "EF (fallen and !EX tt)"),
    # Knowledge ranges over all states, those without infinite path too.
    false("AG K(Watcher, !fallen)", "LTLf G K(Watcher, !fallen)", "LDLf [tt*]K(Watcher, !fallen)"),
    false("LTL G K(Watcher, !fallen)", "LDL [tt*]K(Watcher, !fallen)", "CTL* A G K(Watcher, !fallen)",
          "AG (EG tt -> K(Watcher, !fallen))"),
    true("AG K(Watcher, A G !fallen)", "LTL G K(Watcher, G !fallen)", "LDL [tt*]K(Watcher, [tt*]!fallen)"),
    true("LTL F G !ridge", "CTL* A F G !ridge", "LDL <tt*>[tt*]!ridge"),
    false("AF AG !ridge", "CTL* A F A G !ridge", "CDL* A <tt*>A [tt*]!ridge"),
    true("LTL F summit or G camp", "LDL <tt*>summit or [tt*]camp", "CTL* A (G camp or F summit)"),
    true("LTL camp W (ridge and X summit)", "LDL <camp*;ridge>summit or [tt*]camp"),
]  # fmt: skip

#: With a step from the crevasse into itself all paths are infinite.
LOOP = [
    true("EF fallen", "CTL* E F fallen", "CDL* E <tt*>fallen", "CDLf* E <tt*>fallen", "EF EG fallen"),
    false("AG !fallen", "LTL G !fallen", "LDL [tt*]!fallen", "LTLf G !fallen"),
    false("AG (ridge -> AX summit)", "LTL G (ridge -> X summit)", "LDL [tt*;ridge]summit",
          "LDLf [tt*;ridge]summit"),
    true("E(!summit U fallen)", "CTL* E(!summit U fallen)", "CDL* E <(!summit)*>fallen"),
    true("AG EX tt", "LTL G X tt", "LDL [tt*]<tt>tt"),
    true("LTL G (ridge -> F (summit or fallen))", "AG (ridge -> AF (summit or fallen))",
         "LDL [tt*;ridge;tt](summit or fallen)"),
]  # fmt: skip

#: Only who gets to the summit is fair: nobody falls, and nobody stays in the camp.
FAIR_DEADLOCK = [
    false("EF fallen", "CTL* E F fallen", "CDL* E <tt*>fallen", "CTL* E X X fallen"),
    true("AG !fallen", "LTL G !fallen", "LDL [tt*]!fallen", "CTL* A G !fallen"),
    true("AF summit", "LTL F summit", "CTL* A F summit", "LDL <tt*>summit"),
    true("AG (ridge -> AX summit)", "LTL G (ridge -> X summit)", "LDL [tt*;ridge]summit"),
    false("EG camp", "CTL* E G camp", "CDL* E [tt*]camp"),
    true("AG K(Watcher, !fallen)", "LTL G K(Watcher, !fallen)", "LDL [tt*]K(Watcher, !fallen)"),
    true("AF AG !ridge", "LTL F G !ridge", "CTL* A F A G !ridge", "LDL <tt*>[tt*]!ridge"),
    # Finite runs need not be fair.
    true("CDLf* E F fallen", "CDLf* E <tt*>fallen", "CDLf* E <(!summit)*>fallen"),
    false("LTLf G K(Watcher, !fallen)", "LDLf [tt*]K(Watcher, !fallen)"),
]  # fmt: skip


# -- the tests -----------------------------------------------------------------------------------------

INFINITE = [*PUBLISHED, *STEPS, *UNTILS, *QUANTIFIERS, *KNOWLEDGE, *STRATEGIES, *OBLIGATIONS]
#: The name of a model, its text, how it is read, and the properties that are asked.
SETTINGS: list[tuple[str, str, dict[str, Any], list[Property]]] = [
    ("line", LINE, {}, INFINITE + FINITE),
    ("fair line", FAIR_LINE, {}, FAIR + [one.finite for one in FINITE]),
    ("climb", CLIMB, {}, DEADLOCK),
    ("climb with loop", CLIMB, {"on_deadlock": "loop"}, LOOP),
    ("fair climb", FAIR_CLIMB, {}, FAIR_DEADLOCK),
]


def _cases() -> Iterator[Any]:
    for name, text, reading, properties in SETTINGS:
        for one in properties:
            yield pytest.param(text, reading, one, id=f"{name}: {one.formulas[0]}")


properties = pytest.mark.parametrize(("text", "reading", "asked"), list(_cases()))
engines = pytest.mark.parametrize("engine", ENGINES)


@engines
@properties
def test_verdicts_are_the_same(text: str, reading: dict[str, Any], asked: Property, engine: str) -> None:
    result = knower.loads(text).check(*asked.formulas, engine=engine, evidence="none", **reading)
    found = {formula: one.verdict.value for formula, one in zip(asked.formulas, result, strict=True)}
    assert found == dict.fromkeys(asked.formulas, asked.verdict)


@engines
@properties
def test_states_are_the_same(text: str, reading: dict[str, Any], asked: Property, engine: str) -> None:
    """`AG` of what makes two formulas equivalent, in a language that has both of them."""
    system = knower.loads(text)
    specs = [system.parse(formula) for formula in asked.formulas]
    claims = [_equivalent(specs[0], other) for other in specs[1:]]
    if claims:
        result = system.check(*claims, engine=engine, evidence="none", **reading)
        assert [str(one) for one in result if one.verdict.value != "true"] == []


@engines
@pytest.mark.parametrize(("text", "states"), [(LINE, 22), (FAIR_LINE, 22), (CLIMB, 4), (FAIR_CLIMB, 4)])
def test_models_have_the_states_that_were_thought_of(text: str, states: int, engine: str) -> None:
    assert knower.loads(text).check("true", engine=engine).states == states


def _equivalent(one: Specification, other: Specification) -> Specification:
    left, right = (quantified(each.body, linear=each.language.linear) for each in (one, other))
    finite = one.language.finite or other.language.finite
    both_ways = f.And(f.Implies(left, right), f.Implies(right, left))
    return Specification(f.AG(both_ways), Language.CDLF_STAR if finite else Language.CDL_STAR)


# -- families ------------------------------------------------------------------------------------------


@pytest.mark.skipif(not available(), reason="no library of decision diagrams is installed")
@pytest.mark.parametrize(
    ("name", "n"), [("counter", 2), ("counter", 4), ("counter", 16), ("prisoners", 3), ("go-back-n", 2)]
)
def test_families_by_diagrams(name: str, n: int) -> None:
    """As in the tests of families, where the reference is asked."""
    made = families.instance(name, n=n)
    result = knower.loads(made.ispl).check(engine="bdd", evidence="none")
    assert [one.verdict.value for one in result] == [str(one).lower() for one in made.expected]
    assert result.states == made.states
