"""The Go-Back-N protocol over a line that loses messages."""

from __future__ import annotations

from knower.families.family import Choice, Family, Model, Number, Question
from knower.families.layout import agent, both, either, listed, section
from knower.records import dataclass

_STORY = """A sender has {n} bits for a receiver. It sends them as numbered packets and does not wait for an
answer after each: up to {window} packets may be on their way without acknowledgement. The receiver takes
packets in order only and ignores all others; when a packet arrives, it acknowledges the last one it has taken
before. The sender goes back to the first packet that is not acknowledged when the window is used up, or when
an acknowledgement comes twice. A message is under way for {delay} rounds; in each but the first the line may
lose {losses}."""

#: The values of a bit, and what they are called in names.
_BITS = (("false", "clear"), ("true", "set"))


@dataclass(frozen=True, slots=True)
class _Line:
    """What the line can do: actions, each with what is remembered of it, and which pass or lose things.

    An action that does both leaves it open, for each thing on the line.
    """

    losses: str
    working: dict[str, str]
    out: tuple[str, ...]
    not_out: tuple[str, ...]
    back: tuple[str, ...]
    not_back: tuple[str, ...]
    #: The bit of a packet: its type, its values as those of `_BITS`, and that of no packet.
    data: str
    bits: tuple[str, str]
    nothing: str


#: By the value of the parameter `line`.
_LINES = {
    "bursts": _Line(
        losses="what goes out, what comes back, or both",
        working={"pass_both": "both", "pass_out": "out", "pass_back": "back", "lose_both": "dead"},
        out=("pass_both", "pass_out"),
        not_out=("pass_back", "lose_both"),
        back=("pass_both", "pass_back"),
        not_back=("pass_out", "lose_both"),
        data="boolean",
        bits=("false", "true"),
        nothing="false",
    ),
    "free": _Line(
        losses="everything, nothing, or whatever it likes: numbers, bits and acknowledgements, each alone",
        working={"pass_all": "both", "lose_some": "free", "lose_all": "dead"},
        out=("pass_all", "lose_some"),
        not_out=("lose_some", "lose_all"),
        back=("pass_all", "lose_some"),
        not_back=("lose_some", "lose_all"),
        data="{none, clear, set}",
        bits=("clear", "set"),
        nothing="none",
    ),
}

#: States counted one by one, by (n, window, delay).
_COUNTED: dict[str, dict[tuple[int, int, int], int]] = {
    "bursts": {
        (2, 2, 2): 776, (2, 2, 3): 1416, (2, 2, 4): 2308,
        (3, 2, 2): 3320, (3, 2, 3): 6688, (3, 2, 4): 11416, (3, 3, 3): 10024,
        (4, 2, 3): 26048, (4, 3, 3): 44496,
    },
    "free": {(2, 2, 2): 1564, (2, 2, 3): 14852, (3, 2, 2): 8440},
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Size:
    """How many messages, how many without answer, how many rounds one is under way, and on what line."""

    messages: int
    window: int
    delay: int
    line: _Line

    @property
    def packets(self) -> range:
        return range(1, self.messages + 1)

    @property
    def stages(self) -> range:
        """The places on the line, from those who send to those who see."""
        return range(1, self.delay + 1)


def _go_back_n(*, n: int, window: int, delay: int, line: str) -> Model:
    size, is_free = _Size(n, window, delay, _LINES[line]), line == "free"
    return Model(
        title=f"The Go-Back-N protocol, with {n} packets and a window of {window}.",
        story=_STORY.format(n=n, window=window, delay=delay, losses=size.line.losses),
        sections=(
            "Semantics = SingleAssignment;",
            _line(size),
            _sender(size),
            _receiver(size),
            _evaluation(size),
            _initially(size),
            *(() if is_free else (section("Groups", "partners = {Sender, Receiver};"),)),
        ),
        questions=_linear_questions(size) if is_free else _questions(size),
        # A window that holds all packets is as good as a larger one.
        states=_COUNTED[line].get((n, min(window, n), delay)),
    )


# -- the line -----------------------------------------------------------------------------------------


def _line(size: _Size) -> str:
    line = size.line
    actions = listed(*line.working)
    return agent(
        "Environment",
        section(
            "Vars:",
            f"line : {listed(*line.working.values())}; -- how it worked last",
            *(variable for stage in size.stages for variable in _place(stage, size)),
        ),
        f"Actions = {actions};",
        section("Protocol:", f"Other : {actions};"),
        section(
            "Evolution:",
            *(f"line = {worked} if Action = {action};" for action, worked in line.working.items()),
            *_sent(size),
            *(passed for stage in size.stages[1:] for passed in _passed_on(stage, line)),
        ),
    )


def _place(stage: int, size: _Size) -> list[str]:
    """What can be at a place on the line."""
    return [
        f"-- In round {stage} under way; 0 is nothing.",
        f"packet{stage} : 0..{size.messages};",
        f"data{stage} : {size.line.data};",
        f"ack{stage} : 0..{size.messages};",
    ]


def _sent(size: _Size) -> list[str]:
    """What the two put on the line."""
    sends = [f"Sender.Action = send{k}_clear or Sender.Action = send{k}_set" for k in size.packets]
    return [
        "\n-- What is sent.",
        "packet1 = 0 if Sender.Action = rest;",
        *(f"packet1 = {k} if {sends[k - 1]};" for k in size.packets),
        *_sent_bit(size),
        "ack1 = 0 if Receiver.Action = rest;",
        *(f"ack1 = {k} if Receiver.Action = confirm{k};" for k in size.packets),
    ]


def _sent_bit(size: _Size) -> list[str]:
    """The bit that is put on the line; without a packet it is false, or none where there is such a value."""
    clear, bit_set = (either(f"Sender.Action = send{k}_{word}" for k in size.packets) for _, word in _BITS)
    line = size.line
    if line.nothing in line.bits:
        return [f"data1 = true if {bit_set};", f"data1 = false if !({bit_set});"]
    return [
        f"data1 = {line.nothing} if Sender.Action = rest;",
        f"data1 = {line.bits[0]} if {clear};",
        f"data1 = {line.bits[1]} if {bit_set};",
    ]


def _passed_on(stage: int, line: _Line) -> list[str]:
    """What comes to a place on the line from the one before, or is lost."""
    out, not_out, back, not_back = (
        either(f"Action = {action}" for action in actions)
        for actions in (line.out, line.not_out, line.back, line.not_back)
    )
    return [
        "\n-- What moves on, or is lost.",
        f"packet{stage} = packet{stage - 1} if {out};",
        f"packet{stage} = 0 if {not_out};",
        f"data{stage} = data{stage - 1} if {out};",
        f"data{stage} = {line.nothing} if {not_out};",
        f"ack{stage} = ack{stage - 1} if {back};",
        f"ack{stage} = 0 if {not_back};",
    ]


# -- sender and receiver ------------------------------------------------------------------------------


def _sender(size: _Size) -> str:
    last = size.messages
    return agent(
        "Sender",
        f"Lobsvars = {listed('packet1', 'data1', f'ack{size.delay}')};",
        section(
            "Vars:",
            *(f"bit{k} : boolean;" for k in size.packets),
            f"acked : 0..{last}; -- the last packet that has been acknowledged",
            f"next : 1..{last}; -- the packet to send now",
        ),
        f"Actions = {listed(*(f'send{k}_{word}' for k in size.packets for _, word in _BITS), 'rest')};",
        section(
            "Protocol:",
            *(
                f"acked < {last} and next = {k} and bit{k} = {value} : {{send{k}_{word}}};"
                for k in size.packets
                for value, word in _BITS
            ),
            "Other : {rest};",
        ),
        section("Evolution:", *_sender_evolution(size)),
    )


def _sender_evolution(size: _Size) -> list[str]:
    last, window, ack = size.messages, size.window, f"Environment.ack{size.delay}"
    news, silence = f"{ack} > acked", f"({ack} < acked or {ack} = 0)"
    on = f"next = next + 1 if {news} and next > {ack} and next < {last} and next < {ack} + {window};"
    return [
        f"acked = {ack} if {news};",
        "\n-- News: go on in the window, or start behind what is acknowledged.",
        *([on] if last > 2 else []),
        f"next = {ack} + 1 if {news} and {ack} < {last} and "
        f"(next <= {ack} or next = {last} or next >= {ack} + {window});",
        "-- The same acknowledgement again: go back.",
        f"next = acked + 1 if {ack} = acked and acked > 0 and acked < {last};",
        "-- No news: go on in the window, or go back.",
        f"next = next + 1 if {silence} and next < {last} and next < acked + {window};",
        f"next = acked + 1 if {silence} and acked < {last} and (next = {last} or next >= acked + {window});",
    ]


def _receiver(size: _Size) -> str:
    arrived = f"Environment.packet{size.delay}"
    return agent(
        "Receiver",
        f"Lobsvars = {listed('ack1', f'packet{size.delay}', f'data{size.delay}')};",
        section("Vars:", *(f"copy{k} : {{missing, clear, set}};" for k in size.packets)),
        f"Actions = {listed(*(f'confirm{k}' for k in size.packets), 'rest')};",
        section(
            "Protocol:",
            *(f"{_taken(k, size)} and {arrived} > 0 : {{confirm{k}}};" for k in size.packets),
            "Other : {rest};",
        ),
        section("Evolution:", *(line for k in size.packets for line in _takes(k, size))),
    )


def _taken(k: int, size: _Size) -> str:
    """That packet `k` is the last one taken."""
    following = [] if k == size.messages else [f"copy{k + 1} = missing"]
    return both([f"copy{k} <> missing", *following])


def _takes(k: int, size: _Size) -> list[str]:
    """The receiver takes packet `k`, with either bit, if it has the one before."""
    before = [] if k == 1 else [f"copy{k - 1} <> missing"]
    arrives = [*before, f"copy{k} = missing", f"Environment.packet{size.delay} = {k}"]
    data = f"Environment.data{size.delay}"
    bits = zip(size.line.bits, (word for _, word in _BITS), strict=True)
    return [f"copy{k} = {word} if {both(arrives)} and {data} = {value};" for value, word in bits]


# -- propositions and formulas ------------------------------------------------------------------------


def _evaluation(size: _Size) -> str:
    wrong = (
        f"mismatch{k} if (Receiver.copy{k} = clear and Sender.bit{k} = true) or "
        f"(Receiver.copy{k} = set and Sender.bit{k} = false);"
        for k in size.packets
    )
    return section(
        "Evaluation",
        *wrong,
        f"last_clear if Receiver.copy{size.messages} = clear;",
        f"last_set if Receiver.copy{size.messages} = set;",
        "line_works if Environment.line = both;",
        "line_dead if Environment.line = dead;",
    )


def _initially(size: _Size) -> str:
    nothing = [
        *(f"Receiver.copy{k} = missing" for k in size.packets),
        "Sender.acked = 0",
        "Sender.next = 1",
        *(f"Environment.packet{stage} = 0" for stage in size.stages),
        *(f"Environment.data{stage} = {size.line.nothing}" for stage in size.stages),
        *(f"Environment.ack{stage} = 0" for stage in size.stages),
    ]
    return section("InitStates", "-- The bits may be any, and so may the line.", f"{both(nothing)};")


def _questions(size: _Size) -> tuple[Question, ...]:
    """The three specifications of the source, on infinite and on finite runs, and what it says beside."""
    right = f"[tt*] ({both(f'!mismatch{k}' for k in size.packets)})"
    arrived = "K(Receiver, last_clear) or K(Receiver, last_set)"
    success = f"([tt*] line_works) -> <tt*> GK(partners, {arrived})"
    bursts = "<((line_works; line_dead) + (line_works; line_works; line_dead))*>"
    lucky = f"line_works -> E ({bursts} GK(partners, {arrived}))"
    crosses = size.delay <= 3
    return (
        Question(f"LDL {right}", True, "1. The receiver never has a wrong bit."),
        Question(f"LDLf {right}", True),
        Question(
            f"LDL {success}",
            True,
            "2. If the line always works, both come to know that the receiver knows the last bit: on "
            "infinite runs; a finite run may stop before.",
        ),
        Question(f"LDLf {success}", False),
        Question(
            f"CDL* {lucky}",
            crosses,
            "3. They can get there though the line dies after every one or two good rounds, if these are "
            "enough for a message to come across.",
        ),
        Question(f"CDLf* {lucky}", crosses),
        Question(
            f"EF GCK(partners, {arrived})",
            False,
            "It never becomes common knowledge: acknowledgements are not acknowledged.",
        ),
    )


def _linear_questions(size: _Size) -> tuple[Question, ...]:
    """What is asked of a line that may do anything: of paths, and without knowledge."""
    last, done = size.messages, "(last_clear or last_set)"
    return (
        Question(f"LTL G !mismatch{last}", True, "The last bit is never wrong: an invariant."),
        Question(f"LTL G line_works -> F {done}", True, "It arrives if the line always works,"),
        Question(f"LTL F G line_works -> F {done}", True, "or does so from some time on,"),
        Question(f"LTL G F line_works -> F {done}", False, "but not if it only works again and again."),
        Question(f"LTL G ({done} -> X {done})", True, "What has arrived stays."),
    )


GO_BACK_N = Family(
    name="go-back-n",
    description="packets over a line that loses them: what both know, on infinite and finite runs",
    source="Kong's report on MCMAS-Dynamic, section 8.8",
    parameters=(
        Number("n", "how many messages, one bit each", 3, 2, 100),
        Number("window", "how many may be sent without an answer", 2, 2, 100),
        Number("delay", "the rounds a message is under way", 3, 2, 10),
        Choice("line", "whether it loses all in a direction, or anything", "bursts", tuple(_LINES)),
    ),
    build=_go_back_n,
    examples=("--n 4 --window 3", "--n 2 --delay 2 --output small.ispl"),
)
