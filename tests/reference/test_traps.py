"""The traps (docs/traps.md) that concern meaning: 1, 2 and 4."""

from __future__ import annotations

from knower import loads
from knower.verdict.verdict import Verdict

_CHAIN = """
Agent Environment
  Vars: at : 0..{last}; end Vars
  Actions = {{ go }};
  Protocol: Other : {{ go }}; end Protocol
  Evolution:
    at = at + 1 if at < {last};
    at = {back} if at = {last};
  end Evolution
end Agent
Agent Watcher
  Vars: idle : boolean; end Vars
  Actions = {{ }};
end Agent
Evaluation
  {evaluation}
end Evaluation
InitStates Environment.at = 0 and Watcher.idle = true; end InitStates
"""


def _chain(last: int, back: int, **propositions: tuple[int, ...]):
    """A line of states 0, 1, …, `last` that goes on at `back`, with propositions true at some."""
    lines = []
    for name, places in propositions.items():
        condition = " or ".join(f"Environment.at = {k}" for k in places) or "false"
        lines.append(f"{name} if {condition};")
    return loads(_CHAIN.format(last=last, back=back, evaluation="\n  ".join(lines)))


def _verdict(system, formula: str) -> Verdict:
    return system.check(formula)[0].verdict


def test_trap_1_fewer_tests_make_the_stronger_box():
    system = _chain(1, 1, p=(0,), q=(), r=(0,))
    assert _verdict(system, "LDL [(p?+(p?;q?));tt]r") is Verdict.FALSE
    assert _verdict(system, "LDL [(p?;q?);tt]r") is Verdict.TRUE
    assert _verdict(system, "CDL* A [(p?+(p?;q?));tt]r") is Verdict.FALSE


def test_trap_2_knowledge_never_sees_dead_copies():
    system = _chain(3, 0, p=(2,))
    assert _verdict(system, "CDLf* K(Watcher, E(<tt*>p))") is Verdict.TRUE
    # The test inside the program sees the same end of the trace.
    assert _verdict(system, "CDLf* E(<(<tt>tt)?;tt>p)") is Verdict.FALSE
    assert _verdict(system, "CDLf* E(<([tt]ff)?>tt)") is Verdict.TRUE
    assert _verdict(system, "CDLf* E(<([tt]ff)?;tt>tt)") is Verdict.FALSE


def test_trap_4_until_is_a_star_of_tests_not_of_letters():
    # (p U q) U r at 0: p p q r. At position 0, 1 `p U q` holds by looking ahead.
    system = _chain(3, 3, p=(0, 1), q=(2,), r=(3,))
    assert _verdict(system, "LTL (p U q) U r") is Verdict.TRUE
    assert _verdict(system, "LDL <((p U q)?;tt)*>r") is Verdict.TRUE
    # The wrong translation would need q itself at the positions before r.
    assert _verdict(system, "LDL <q*>r") is Verdict.FALSE
    other = _chain(3, 3, p=(0,), q=(2,), r=(3,))
    assert _verdict(other, "LTL (p U q) U r") is Verdict.FALSE
