"""Paths and traces for path formulas, about models that are small enough to know them all."""

from __future__ import annotations

import knower
from knower.logic import formula as f
from knower.verdict.evidence import Evidence, PathProof, everything
from knower.verdict.verdict import FormulaResult, Verdict

# -- models ----------------------------------------------------------------------------------------------


def transmission(line: str = "", seen: str = "", fairness: str = "") -> knower.System:
    """A sender repeats a bit until it is acknowledged, over a line that may lose what is sent."""
    return knower.loads(f"""
    Agent Environment {line} Actions = {{lose, carry}}; {line and _REMEMBERED} end Agent
    Agent Sender
      Vars: acked : boolean; end Vars
      Actions = {{send, rest}};
      Protocol: acked = false : {{send}}; Other : {{rest}}; end Protocol
      Evolution: acked = true if Receiver.Action = answer and Environment.Action = carry; end Evolution
    end Agent
    Agent Receiver
      Vars: received : boolean; end Vars
      Actions = {{listen, answer, sleep}};
      Protocol: received = false : {{listen}}; Other : {{answer, sleep}}; end Protocol
      Evolution: received = true if Sender.Action = send and Environment.Action = carry; end Evolution
    end Agent
    Evaluation recbit if Receiver.received = true; recack if Sender.acked = true; {seen} end Evaluation
    InitStates Sender.acked = false and Receiver.received = false; end InitStates
    Fairness {fairness} end Fairness
    """)


_REMEMBERED = "Evolution: lost = true if Action = lose; lost = false if Action = carry; end Evolution"
BIT = transmission()
FAIR_BIT = transmission("Vars: lost : boolean; end Vars", "lost if Environment.lost = true;", "lost; !lost;")

#: From 0 the way by 1 is the shorter one to `goal`, but nothing follows 2.
FORK = knower.loads("""
Agent Walker
  Vars: at : 0..4; end Vars
  Actions = {left, right};
  Protocol: at = 0 : {left, right}; at = 1 : {left}; at = 3 or at = 4 : {right}; end Protocol
  Evolution:
    at = 1 if at = 0 and Action = left;
    at = 2 if at = 1;
    at = 3 if at = 0 and Action = right;
    at = 4 if at = 3;
    at = 0 if at = 4;
  end Evolution
end Agent
Evaluation goal if Walker.at = 1 or Walker.at = 4; stuck if Walker.at = 2; end Evaluation
InitStates Walker.at = 0; end InitStates
""")


# -- evidence --------------------------------------------------------------------------------------------

#: Paths and traces, of every shape, and whether the formula is true.
PIECES: list[tuple[knower.System, str, bool]] = [
    (BIT, "LTL G (recbit -> F recack)", False),
    (BIT, "CTL* E X X (recbit and E G recbit)", True),
    (BIT, "CTL* E F (recbit and M(Sender, !recbit))", True),
    (BIT, "LDL [(tt;tt)*]!recack", False),
    (BIT, "CTL* E G M(Sender, !recbit)", True),
    (FAIR_BIT, "CTL* E F recack", True),
    (FORK, "CTL* E F goal", True),
    (FORK, "LDLf [tt*]!stuck", False),
    (BIT, "CDLf* E <tt*>(recack and K(Sender, recbit))", True),
    (BIT, "LTLf F X recbit", False),
    (BIT, "LTLf !(X X recack)", False),
    (BIT, "LDL <(X recbit)?>recack", False),  # what meets the negation of a test in a box
]


def checked(system: knower.System, text: str, engine: str, verdict: bool) -> FormulaResult:
    (result,) = system.check(text, engine=engine)
    assert result.verdict is (Verdict.TRUE if verdict else Verdict.FALSE)
    assert result.evidence is not None and result.evidence.replay is not None
    assert result.evidence.replay.status == "ok"
    return result


def track(result: FormulaResult) -> PathProof:
    """The path on which a path formula is shown, at the top of the only case."""
    assert result.evidence is not None
    (case,) = result.evidence.cases
    assert isinstance(case.proof, PathProof) and isinstance(case.proof.formula, f.E)
    return case.proof


def parsed(system: knower.System, *texts: str) -> list[f.Formula]:
    return [system.parse(f"LDLf {text}").body for text in texts]


def tracks(evidence: Evidence) -> list[PathProof]:
    """All paths on which path formulas are shown."""
    proofs = (proof for case in evidence.cases for proof in everything(case.proof))
    return [proof for proof in proofs if isinstance(proof, PathProof) and isinstance(proof.formula, f.E)]
