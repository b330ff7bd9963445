"""A bit for receivers at the end of lines that lose messages, and receivers that misbehave."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from knower.families.family import Choice, Family, Model, Number, Question
from knower.families.layout import agent, both, counted, either, listed, section
from knower.records import dataclass

_STORY = """A sender wants {receivers} to learn one bit, over {lines} but not alter them. The sender repeats
the bit until it has all acknowledgements. A receiver keeps silent until it has the bit; from then on it
acknowledges in every round.{fault}"""

#: What lines do, by their kind, if there are several and if there is one.
_LINE = {
    "lossy": "lines that may lose messages, for ever if they like,",
    "fair": "lines that may lose messages, though each works in both directions again and again,",
}
_LINE_ALONE = {
    "lossy": "a line that may lose messages, for ever if it likes,",
    "fair": "a line that may lose messages, though it works in both directions again and again,",
}

#: What a receiver may do that it ought not to, by variant. Having done so, it is red.
_FAULT = {
    "plain": "",
    "faulty1": " This is what it ought to do. It may also keep silent though it has the bit.",
    "faulty2": " This is what it ought to do. It may also acknowledge a bit that it has not got.",
}

#: How many local states of receiver and line there are for each bit, by variant: in all while the sender
#: sends, of these with acknowledgement, and with acknowledgement when the sender rests.
_LOCAL = {"plain": (9, 4, 4), "faulty1": (17, 8, 8), "faulty2": (20, 10, 12)}


@dataclass(frozen=True, slots=True)
class _Case:
    """How many receivers, what they may do, what the lines do, and how many steps formulas look ahead."""

    receivers: int
    variant: str
    line: str
    steps: int

    @property
    def numbers(self) -> range:
        return range(1, self.receivers + 1)

    @property
    def faulty(self) -> bool:
        return self.variant != "plain"

    @property
    def silent(self) -> bool:
        """Whether a receiver may keep a bit for itself."""
        return self.variant == "faulty1"

    @property
    def lying(self) -> bool:
        """Whether a receiver may acknowledge what it has not got."""
        return self.variant == "faulty2"

    @property
    def fair(self) -> bool:
        return self.line == "fair"

    @property
    def states(self) -> int:
        """How many states can be reached.

        All receivers are independent while the sender sends, and again when it has come to rest. Lines
        that start in any state add the states of the start that do not come again.
        """
        sending, acked, resting = _LOCAL[self.variant]
        n = self.receivers
        start = 0 if self.fair else 4**n - 2**n
        return int(2 * (sending**n - acked**n + resting**n + start))


def _bit_transmission(*, n: int, variant: str, line: str, steps: int) -> Model:
    case = _Case(n, variant, line, steps)
    return Model(
        title=f"The transmission of a bit to {counted(n, 'receiver')}.",
        story=_story(case),
        sections=(
            "Semantics = SingleAssignment;",
            *(_line(i) for i in case.numbers),
            _sender(case),
            *(_receiver(i, case) for i in case.numbers),
            _evaluation(case),
            _initially(case),
            _groups(case),
            *([section("Fairness", *(f"works{i};" for i in case.numbers))] if case.fair else []),
        ),
        questions=tuple(_questions(case)),
        states=case.states,
    )


def _story(case: _Case) -> str:
    receivers, lines = f"{case.receivers} receivers", _LINE[case.line]
    if case.receivers == 1:
        receivers, lines = "a receiver", _LINE_ALONE[case.line]
    return _STORY.format(receivers=receivers, lines=lines, fault=_FAULT[case.variant])


# -- agents -------------------------------------------------------------------------------------------


def _line(i: int) -> str:
    words = ("both", "out", "back", "none")
    passes = [f"pass_{word}" for word in words]
    return agent(
        f"Line{i}",
        section("Vars:", f"last : {listed(*words)}; -- the directions in which it worked"),
        f"Actions = {listed(*passes)};",
        section("Protocol:", f"Other : {listed(*passes)};"),
        section("Evolution:", *(f"last = {word} if Action = pass_{word};" for word in words)),
    )


def _sender(case: _Case) -> str:
    missing = either(f"acked{i} = false" for i in case.numbers)
    waiting = missing if case.receivers == 1 else f"({missing})"
    return agent(
        "Sender",
        section("Vars:", "bit : {zero, one};", *(f"acked{i} : boolean;" for i in case.numbers)),
        "Actions = {send_zero, send_one, rest};",
        section(
            "Protocol:",
            f"bit = zero and {waiting} : {{send_zero}};",
            f"bit = one and {waiting} : {{send_one}};",
            "Other : {rest};",
        ),
        section(
            "Evolution:",
            *(
                f"acked{i} = true if Receiver{i}.Action = acknowledge and {_open(i, 'back')};"
                for i in case.numbers
            ),
        ),
    )


def _open(i: int, direction: str) -> str:
    return f"(Line{i}.Action = pass_both or Line{i}.Action = pass_{direction})"


def _receiver(i: int, case: _Case) -> str:
    sent = f"received = nothing and {_open(i, 'out')} and Sender.Action"
    return agent(
        f"Receiver{i}",
        section(
            "Vars:",
            "received : {nothing, zero, one};",
            *(["erred : boolean; -- it has done what it ought not to do"] if case.faulty else []),
        ),
        *([section("RedStates:", "erred = true;")] if case.faulty else []),
        "Actions = {listen, acknowledge};",
        section(
            "Protocol:",
            f"received = nothing : {'{listen, acknowledge}' if case.lying else '{listen}'};",
            f"Other : {'{listen, acknowledge}' if case.silent else '{acknowledge}'};",
        ),
        section(
            "Evolution:",
            *(f"received = {bit} if {sent} = send_{bit};" for bit in ("zero", "one")),
            *(["erred = true if received <> nothing and Action = listen;"] if case.silent else []),
            *(["erred = true if received = nothing and Action = acknowledge;"] if case.lying else []),
        ),
    )


# -- propositions -------------------------------------------------------------------------------------


def _evaluation(case: _Case) -> str:
    return section(
        "Evaluation",
        "bit0 if Sender.bit = zero;",
        "bit1 if Sender.bit = one;",
        *(f"received{i} if Receiver{i}.received <> nothing;" for i in case.numbers),
        f"all_received if {both(f'Receiver{i}.received <> nothing' for i in case.numbers)};",
        *(f"acked{i} if Sender.acked{i} = true;" for i in case.numbers),
        f"all_acked if {both(f'Sender.acked{i} = true' for i in case.numbers)};",
        *(f"works{i} if Line{i}.last = both;" for i in case.numbers),
        f"all_work if {both(f'Line{i}.last = both' for i in case.numbers)};",
    )


def _initially(case: _Case) -> str:
    values = [
        *(f"Sender.acked{i} = false" for i in case.numbers),
        *(f"Receiver{i}.received = nothing" for i in case.numbers),
        *([f"Receiver{i}.erred = false" for i in case.numbers] if case.faulty else []),
        *([f"Line{i}.last = none" for i in case.numbers] if case.fair else []),
    ]
    what = (
        "The bit may be either."
        if case.fair
        else "The bit may be either, and the lines may have done anything."
    )
    return section("InitStates", f"-- {what}", f"{both(values)};")


def _groups(case: _Case) -> str:
    receivers = [f"Receiver{i}" for i in case.numbers]
    return section(
        "Groups",
        f"receivers = {listed(*receivers)};",
        f"everybody = {listed('Sender', *receivers)};",
    )


# -- formulas -----------------------------------------------------------------------------------------

#: That every receiver knows the bit.
_KNOWN = "(GK(receivers, bit0) or GK(receivers, bit1))"


def _questions(case: _Case) -> Iterator[Question]:
    yield from _knowledge(case)
    yield from _progress(case)
    if not case.fair:
        yield from _parity(case)
    yield from _ahead(case)
    if case.faulty:
        yield from _duties(case)


def _knowledge(case: _Case) -> Iterator[Question]:
    honest = not case.lying
    told = f"all_acked -> K(Sender, {_KNOWN})"
    yield from _in_all_logics(
        "With all acknowledgements the sender knows that the receivers know the bit"
        f"{'.' if honest else ', or would if they were honest.'}",
        honest,
        f"AG ({told})", f"LTL G ({told})", f"CTL* A (G ({told}))",
        f"LDL [tt*] ({told})", f"CDL* A ([tt*] ({told}))",
        "AG ((all_acked and bit0) -> K(Sender, GK(receivers, bit0)))",
    )  # fmt: skip
    yield Question(
        "AG ((all_acked and bit0) -> GCK(everybody, bit0))",
        False,
        "The bit never becomes common knowledge: acknowledgements are not acknowledged.",
    )


def _in_all_logics(meaning: str, expected: bool, *formulas: str) -> Iterable[Question]:
    """The same in several logics, or nearly so."""
    return (Question(formula, expected, "" if at else meaning) for at, formula in enumerate(formulas))


def _progress(case: _Case) -> Iterator[Question]:
    arrives = case.fair and not case.lying
    yield from _in_all_logics(
        "The bit will reach everybody, and everybody will know it: if the lines are fair, and no receiver "
        "can make the sender stop too early.",
        arrives,
        "AF all_received", "LTL F all_received", "CTL* A (F all_received)",
        "LDL <tt*> all_received", "CDL* A (<tt*> all_received)", f"AF {_KNOWN}",
    )  # fmt: skip
    yield Question(
        f"AF K(Sender, {_KNOWN})", case.fair and not case.faulty, "The sender will know that they do."
    )
    yield from _in_all_logics(
        "The bit may arrive.",
        True,
        "EF all_received", "CTL* E (F all_received)", "CDL* E (<tt*> all_received)",
    )  # fmt: skip
    yield from _in_all_logics(
        "It may always do so.",
        not case.lying,
        "AG EF all_received", "CTL* A (G E (F all_received))", "CDL* A ([tt*] E (<tt*> all_received))",
    )  # fmt: skip
    yield from _in_all_logics(
        "If the bit arrives, the acknowledgements do.",
        case.fair and not case.silent,
        "LTL (F all_received) -> F all_acked", "LDL (<tt*> all_received) -> <tt*> all_acked",
        "CDL* A ((<tt*> all_received) -> <tt*> all_acked)",
    )  # fmt: skip


def _parity(case: _Case) -> Iterator[Question]:
    """What takes an even number of steps."""
    works = "([(tt; tt)*] all_work)"
    yield from _in_all_logics(
        "If the lines work in every other round, the acknowledgements arrive.",
        not case.silent,
        f"LDL {works} -> <tt*> all_acked", f"CDL* A ({works} -> <tt*> all_acked)",
    )  # fmt: skip
    yield from _in_all_logics(
        "They may do so in an odd round or in an even one, as nothing is said about the rounds between.",
        False,
        f"LDL {works} -> <(tt; tt)*> (!all_acked and <tt> all_acked)",
        f"LDL {works} -> <tt; (tt; tt)*> (!all_acked and <tt> all_acked)",
    )


def _ahead(case: _Case) -> Iterator[Question]:
    """Formulas that grow with the number of steps."""
    steps = case.steps
    yield from _in_all_logics(
        f"Every acknowledgement can be there after {counted(steps, 'step')}.",
        steps >= 2 or case.lying,
        f"{'EX ' * steps}all_acked",
        f"CTL* {'E X (' * steps}all_acked{')' * steps}",
        f"CDL* {'E ([tt] (' * steps}all_acked{'))' * steps}",
    )
    works = "X (all_work)"
    for _ in range(steps - 1):
        works = f"X (all_work and {works})"
    yield from _in_all_logics(
        f"If the lines work in the first {counted(steps, 'round')}, every acknowledgement is there after one "
        "more; one round is not enough.",
        steps >= 2 and not case.silent,
        f"LTL {works} -> {'X ' * (steps + 1)}all_acked",
        f"LDL [{'; '.join(['tt', *(['all_work'] * steps)])}] all_acked",
    )


def _duties(case: _Case) -> Iterator[Question]:
    knows = "(K(Receiver1, bit0) or K(Receiver1, bit1))"
    yield Question(
        f"AG (acked1 -> K(Sender, Receiver1.GreenStates -> {knows}))",
        True,
        "The sender knows that the receiver knows the bit, if this has done what it ought to do.",
    )
    yield Question(
        "O(Receiver1, acked1 -> received1)", True, "It ought not to acknowledge what it has not got."
    )
    yield Question("EF (acked1 and !received1)", case.lying, f"It {'may' if case.lying else 'cannot'} do so.")
    yield Question("O(Receiver1, acked1 -> K(Sender, received1))", case.silent)
    yield Question("EF Receiver1.RedStates", True, "It may go wrong, and need not; the sender never knows.")
    yield Question("EG Receiver1.GreenStates", True)
    yield Question("EF K(Sender, Receiver1.GreenStates)", False)
    yield Question(
        "CTL* A ((G Receiver1.GreenStates) -> G (acked1 -> received1))",
        True,
        "As long as it does not, its acknowledgement means something.",
    )


BIT_TRANSMISSION = Family(
    name="bit-transmission",
    description="a bit over lines that lose messages, to receivers that may misbehave: knowledge and duty",
    source="Fagin, Halpern, Moses, Vardi (1995), Lomuscio, Sergot (2002), Kong's report on MCMAS-Dynamic, "
    "section 8.6 and appendix A, and the papers on MCMAS and on SDDs for MCMAS",
    parameters=(
        Number("n", "how many receivers; with one it is the classical problem", 1, 1, 100),
        Choice("variant", "what receivers may do: faulty1 keep silent, faulty2 lie", "plain", tuple(_FAULT)),
        Choice("line", "whether lines may fail for ever", "lossy", tuple(_LINE)),
        Number("steps", "how many steps ahead some formulas look", 2, 1, 500),
    ),
    build=_bit_transmission,
    examples=("--n 5 --line fair", "--variant faulty2 --output liar.ispl"),
)
