"""What constants and parameters of a text stand for, read without the rest of it, which may be wrong."""

from __future__ import annotations

from knower.errors import InputError
from knower.lsp.survey import Survey
from knower.lsp.symbols import Kind, Symbol
from knower.model import Model
from knower.source import Source

#: The least that an agent has.
_AGENT = "Agent {head} Actions = {{a}}; Protocol: Other : {{a}}; end Protocol end Agent\n"


def constants(survey: Survey) -> dict[str, str]:
    """The values of the constants, as they are written; none if one is wrong."""
    model = _read(survey, "Environment")
    return {} if model is None or model.vocabulary is None else dict(model.vocabulary.constants)


def instances(survey: Survey, agent: Symbol) -> list[str]:
    """`Child(1)`, `Child(2)`: what there is for an agent with parameters."""
    model = _read(survey, f"{agent.name}{agent.detail}") if agent.detail else None
    return [] if model is None else [made.name for made in model.interpreted.agents]


def _read(survey: Survey, head: str) -> Model | None:
    """A model of the constants and of one agent."""
    written = [survey.text[s.extent.start : s.extent.end] for s in survey.sections if s.word == "Const"]
    if not written and not survey.of(Kind.PARAMETER):
        return None
    try:
        return Model.read(Source("<constants>", "\n".join([*written, _AGENT.format(head=head)])))
    except InputError:
        return None
