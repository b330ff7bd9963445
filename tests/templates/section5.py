"""What models of SEMANTICS, section 5, mean: by their states, and by what holds in them."""

from __future__ import annotations

from engines import Asker
from knower.errors import InputError
from knower.model import Model
from knower.source import Source

#: An agent with a number, a truth value, an enumeration and two actions; more of it is put in by tests.
CELL = """
Agent A
  Vars: x : 0..3 init 0; b : boolean init false; c : {red, green} init red; VARS end Vars
  Actions = {go, stay};
  DEFINE
  Protocol: PROTOCOL end Protocol
  Evolution: EVOLUTION end Evolution
end Agent
"""


def cell(
    evolution: str = "",
    *,
    variables: str = "",
    define: str = "",
    protocol: str = "Other : {go, stay};",
    top: str = "",
    end: str = "",
) -> str:
    """A model of one agent."""
    put = {"VARS": variables, "DEFINE": define, "PROTOCOL": protocol, "EVOLUTION": evolution}
    agent = CELL
    for word, text in put.items():
        agent = agent.replace(word, text)
    return f"{top}{agent}{end}"


def read(text: str, **constants: object) -> Model:
    return Model.read(Source("m.ispl", text), constants)  # type: ignore[arg-type]


def explicit(text: str, **constants: object) -> Asker:
    return Asker("explicit", read(text, **constants).interpreted)


def states(text: str, **constants: object) -> int:
    return int(explicit(text, **constants).states)


def holds(text: str, formula: str, **constants: object) -> bool:
    """Whether a formula is true in a model."""
    model = read(text, **constants)
    (spec,) = model.specifications([formula])
    return bool(Asker("explicit", model.asked([spec])).check(spec).verdict.value == "true")


def wrong(text: str, **constants: object) -> list[str]:
    """What a text is refused for, as code and message."""
    try:
        read(text, **constants)
    except InputError as error:
        return [f"{found.code} {found.message}" for found in error.diagnostics]
    return []


def codes(text: str, **constants: object) -> list[str]:
    return [found.partition(" ")[0] for found in wrong(text, **constants)]
