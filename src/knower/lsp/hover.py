"""What is known of a name, for who points at it: Markdown, with all that comes from the text escaped."""

from __future__ import annotations

from lsprotocol import types as lsp

from knower.lsp import values
from knower.lsp.meanings import OPERATOR_MEANINGS, WORD_MEANINGS
from knower.lsp.reading import Reading
from knower.lsp.survey import Survey
from knower.lsp.symbols import Kind, Symbol
from knower.lsp.text import DocumentText
from knower.source import Span

_ENVIRONMENT = "Environment"
#: Names are listed up to so many.
_MOST = 12


def hover(document: DocumentText, reading: Reading, offset: int) -> lsp.Hover | None:
    word = reading.word_at(offset) or reading.sign_at(offset)
    if word is None or reading.is_prose(word.start):
        return None
    symbol = reading.symbol_at(word.start)
    text = _told(reading, word, symbol) if symbol else _word(document.text, reading, word)
    if text is None:
        return None
    return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, text), document.range(word))


def _word(text: str, reading: Reading, place: Span) -> str | None:
    """What an operator or a word of the language means; operators are such in formulas only."""
    word, section = text[place.start : place.end], reading.survey.section_at(place.start)
    if section is not None and section.word in ("Formulae", "Fairness"):
        if word in "<>" and not reading.is_coalition(place):
            return None
        if word in OPERATOR_MEANINGS:
            use, meaning = OPERATOR_MEANINGS[word]
            return f"`{use}`\n\n{meaning}"
    return WORD_MEANINGS.get(word)


def _told(reading: Reading, word: Span, symbol: Symbol) -> str:
    head = _fenced(_declared(symbol))
    return "\n\n".join([head, *_details(reading, word, symbol)])


def _declared(symbol: Symbol) -> str:
    match symbol.kind:
        case Kind.VARIABLE:
            return f"{symbol.owner}.{symbol.name} : {symbol.detail}"
        case Kind.AGENT:
            return f"Agent {symbol.name}{symbol.detail}"
        case Kind.PROPOSITION:
            return f"{symbol.name} if {symbol.detail}"
        case Kind.GROUP | Kind.CONSTANT | Kind.DEFINITION:
            return f"{symbol.name} = {symbol.detail}"
        case Kind.LABEL | Kind.PARAMETER | Kind.BOUND:
            return f"{symbol.name} : {symbol.detail}"
        case Kind.ACTION:
            return f"action {symbol.name} of {symbol.owner}"
        case Kind.VALUE:
            return f"{symbol.name} : a value of {symbol.owner}"


def _details(reading: Reading, word: Span, symbol: Symbol) -> list[str]:
    survey = reading.survey
    match symbol.kind:
        case Kind.VARIABLE:
            return [_seen(survey, symbol), f"It is written by {_code(symbol.owner)}."]
        case Kind.AGENT:
            return [*_instance(reading, word, symbol), _possessions(survey, symbol.name)]
        case Kind.CONSTANT:
            value = values.constants(survey).get(symbol.name)
            told = f"Its value is {_code(value)}; another" if value is not None else "Another value"
            return [f"{told} is given with `-D {symbol.name}=…`."]
        case Kind.PARAMETER:
            return [f"A parameter: there is one {_code(symbol.owner)} for each value."]
        case Kind.ACTION:
            return ["All agents see it being done."]
        case _:
            return []


def _instance(reading: Reading, word: Span, agent: Symbol) -> list[str]:
    """Of `Child(2)` the values of its parameters; of an agent with parameters, which instances there are."""
    parameters = reading.survey.parameters.get(agent.name, ())
    given = reading.arguments(word) if word != agent.span else []
    if parameters and len(given) == len(parameters):
        pairs = zip(parameters, given, strict=True)
        return [", ".join(_code(f"{parameter.name} = {value}") for parameter, value in pairs)]
    made = values.instances(reading.survey, agent)
    return [f"{len(made)} instance{'s' * (len(made) != 1)}: {_listed(made)}"] if made else []


def _seen(survey: Survey, symbol: Symbol) -> str:
    section = survey.section_at(symbol.span.start)
    if symbol.owner != _ENVIRONMENT:
        return f"It is seen by {_code(symbol.owner)} alone."
    if section is not None and section.word == "Obsvars":
        return "It is seen by all agents."
    local = [s for s in survey.sections if s.word == "Lobsvars"]
    seers = [s.agent for s in local if _mentions(survey.text, s.extent, symbol.name)]
    return f"It is seen by {', '.join(map(_code, [_ENVIRONMENT, *seers]))}."


def _mentions(text: str, extent: Span, name: str) -> bool:
    words = "".join(c if c.isalnum() or c == "_" else " " for c in text[extent.start : extent.end])
    return name in words.split()


def _possessions(survey: Survey, agent: str) -> str:
    variables = [s.name for s in survey.of(Kind.VARIABLE, agent)]
    actions = [s.name for s in survey.of(Kind.ACTION, agent)]
    return f"variables: {_listed(variables)}  \nactions: {_listed(actions)}"


def _listed(names: list[str]) -> str:
    if len(names) > _MOST:
        return f"{', '.join(map(_code, names[:_MOST]))} and {len(names) - _MOST} more"
    return ", ".join(map(_code, names)) or "none"


def _code(name: str) -> str:
    """A name; names have no character that ends a piece of code."""
    return f"`{name}`"


def _fenced(text: str) -> str:
    """A block of code, fenced by more backquotes than it has."""
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}ispl\n{text}\n{fence}"
