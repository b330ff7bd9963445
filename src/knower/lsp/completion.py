"""What can be written next: names that fit the place, operators, and whole sections."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from lsprotocol import types as lsp

from knower.lsp.meanings import OPERATOR_MEANINGS, WORD_MEANINGS
from knower.lsp.reading import Reading
from knower.lsp.statement import Statement, compared_with, is_of_agents, owner_before
from knower.lsp.symbols import Kind, Section, Symbol
from knower.lsp.text import DocumentText
from knower.source import Span

_KINDS = {
    Kind.AGENT: lsp.CompletionItemKind.Class,
    Kind.VARIABLE: lsp.CompletionItemKind.Field,
    Kind.ACTION: lsp.CompletionItemKind.Event,
    Kind.VALUE: lsp.CompletionItemKind.EnumMember,
    Kind.PROPOSITION: lsp.CompletionItemKind.Variable,
    Kind.GROUP: lsp.CompletionItemKind.Module,
    Kind.LABEL: lsp.CompletionItemKind.Property,
    Kind.CONSTANT: lsp.CompletionItemKind.Constant,
    Kind.PARAMETER: lsp.CompletionItemKind.TypeParameter,
    Kind.DEFINITION: lsp.CompletionItemKind.Function,
    Kind.BOUND: lsp.CompletionItemKind.TypeParameter,
}
#: More are offered only if they begin with what is typed.
_MOST = 1000
_Offer: TypeAlias = Symbol | lsp.CompletionItem
_CONDITION_WORDS = ("and", "or", "xor", "in", "forall", "exists", "sum", "count", "if")
#: Whole sections, with the places to fill in.
AGENT_TEMPLATES = {
    "Vars": "Vars:\n\t${1:x} : ${2:boolean};\nend Vars",
    "Obsvars": "Obsvars:\n\t${1:x} : ${2:boolean};\nend Obsvars",
    "Lobsvars": "Lobsvars = {${1:x}};",
    "RedStates": "RedStates:\n\t${1:condition};\nend RedStates",
    "Actions": "Actions = {${1:act}, ${2:wait}};",
    "Protocol": "Protocol:\n\t${1:condition} : {${2:act}};\n\tOther : {${3:wait}};\nend Protocol",
    "Evolution": "Evolution:\n\t${1:x} = ${2:value} if ${3:Action = act};\nend Evolution",
    "Define": "Define ${1:name} = ${2:expression};",
}
TOP_TEMPLATES = {
    "Agent": (
        "Agent ${1:Name}\n\tVars: ${2:x} : ${3:boolean}; end Vars\n\tActions = {${4:act}, wait};\n"
        "\tProtocol:\n\t\t${5:x = false} : {${4:act}};\n\t\tOther : {wait};\n\tend Protocol\n"
        "\tEvolution:\n\t\t${6:x = true if Action = ${4:act}};\n\tend Evolution\nend Agent"
    ),
    "Const": "Const ${1:n} = ${2:3};",
    "Evaluation": "Evaluation\n\t${1:p} if ${2:condition};\nend Evaluation",
    "InitStates": "InitStates\n\t${1:condition};\nend InitStates",
    "Groups": "Groups\n\t${1:g} = {${2:Agent}};\nend Groups",
    "Fairness": "Fairness\n\t${1:p};\nend Fairness",
    "Formulae": "Formulae\n\t${1:AG p};\nend Formulae",
}


def completions(document: DocumentText, reading: Reading, offset: int) -> lsp.CompletionList:
    """What fits at a place; the word that is being written does not count."""
    word = reading.word_at(offset)
    start = word.start if word is not None and word.start < offset else offset
    if reading.is_prose(offset):
        return lsp.CompletionList(is_incomplete=False, items=[])
    section = reading.survey.section_at(start - 1) if start else None
    if section is None or not _is_inside(document.text, section, start):
        return lsp.CompletionList(is_incomplete=False, items=_templates(reading, start))
    offers = _fitting(reading, section, _before(reading, start), start)
    return _listed(offers, document.text[start:offset])


def _is_inside(text: str, section: Section, offset: int) -> bool:
    """Behind the word of a section and before the end of it; one that is not ended goes on."""
    if offset <= section.extent.start + len(section.word):
        return False
    written = text[section.extent.start : section.extent.end].rstrip()
    closed = written.endswith((f"end {section.word}", ";"))
    return offset < section.extent.end or not closed


def _before(reading: Reading, start: int) -> Statement | None:
    """The pieces before a place: the word there is the one after the last of them."""
    found = reading.statement(max(0, start - 1))
    if found is None or found.text(0) == ";":
        return None
    line = found.line
    at = sum(begun < start for begun in line.starts)
    return Statement(line, at)


def _fitting(reading: Reading, section: Section, statement: Statement | None, start: int) -> Iterator[_Offer]:
    agent = section.agent
    if statement is not None and statement.text(-1) == ".":
        yield from _of_owner(reading, owner_before(statement), section)
        return
    compared = compared_with(statement, agent) if statement is not None else None
    if compared is not None:
        yield from _values(reading, *compared)
    match section.word:
        case "Formulae" | "Fairness":
            yield from _in_formula(reading, statement)
        case "Groups":
            yield from reading.survey.of(Kind.AGENT)
        case "Lobsvars":
            yield from reading.survey.of(Kind.VARIABLE, "Environment")
        case "Actions" | "Semantics":
            pass
        case "Vars" | "Obsvars":
            yield from _words(("boolean", "array"))
        case "Protocol" if statement is not None and ":" in statement.texts[: statement.at]:
            yield from reading.survey.of(Kind.ACTION, agent)
        case _:
            yield from _in_condition(reading, agent)
    yield from _bound(reading, statement, start)
    yield from reading.survey.of(Kind.CONSTANT)


def _of_owner(reading: Reading, owner: str, section: Section) -> Iterator[_Offer]:
    """Behind `Agent.`: what can be said of that agent here."""
    if section.word in ("Protocol", "Evolution", "RedStates", "Define"):
        visible = reading.survey.of(Kind.VARIABLE, owner) if owner == "Environment" else []
    else:
        visible = reading.survey.of(Kind.VARIABLE, owner)
    yield from visible
    yield from reading.survey.of(Kind.DEFINITION, owner)
    if section.word in ("Evolution", "Formulae"):
        yield from _words(("Action",))
    if section.word in ("Formulae", "Fairness"):
        yield from _words(("GreenStates", "RedStates"))


def _values(reading: Reading, owner: str, variable: str) -> Iterator[lsp.CompletionItem]:
    """The values of a variable, or the actions of an agent: they come first."""
    if variable == "Action":
        found = reading.survey.of(Kind.ACTION, owner)
    else:
        found = reading.survey.of(Kind.VALUE, f"{owner}.{variable}")
        declared = next((s for s in reading.survey.of(Kind.VARIABLE, owner) if s.name == variable), None)
        if declared is not None and declared.detail.startswith("boolean"):
            yield from _words(("true", "false"), first=True)
    for item in map(_item, found):
        item.sort_text = f"0{item.label}"
        yield item


def _in_condition(reading: Reading, agent: str) -> Iterator[_Offer]:
    if agent:
        yield from reading.survey.of(Kind.VARIABLE, agent)
        yield from reading.survey.of(Kind.DEFINITION, agent)
        yield from reading.survey.parameters.get(agent, ())
        yield from _words(("Action", "Other"))
    yield from reading.survey.of(Kind.AGENT)
    yield from _words(_CONDITION_WORDS)


def _in_formula(reading: Reading, statement: Statement | None) -> Iterator[_Offer]:
    survey = reading.survey
    if statement is not None and is_of_agents(statement):
        yield from survey.of(Kind.GROUP)
        yield from survey.of(Kind.AGENT)
        return
    yield from survey.of(Kind.PROPOSITION)
    yield from survey.of(Kind.AGENT)
    for word, (use, meaning) in OPERATOR_MEANINGS.items():
        if word.isalpha():
            kind = lsp.CompletionItemKind.Operator
            yield lsp.CompletionItem(word, kind=kind, detail=use, documentation=meaning)
    yield from _words(("true", "false"))


def _bound(reading: Reading, statement: Statement | None, start: int) -> Iterator[_Offer]:
    if statement is not None:
        yield from (s for s in statement.line.bound.values() if s.span.start < start)


def _item(symbol: Symbol) -> lsp.CompletionItem:
    return lsp.CompletionItem(
        symbol.name, kind=_KINDS[symbol.kind], detail=symbol.detail or symbol.kind.value
    )


def _words(words: Iterable[str], *, first: bool = False) -> Iterator[lsp.CompletionItem]:
    for word in words:
        yield lsp.CompletionItem(
            word, kind=lsp.CompletionItemKind.Keyword, documentation=WORD_MEANINGS.get(word),
            sort_text=f"0{word}" if first else f"9{word}",
        )  # fmt: skip


def _templates(reading: Reading, offset: int) -> list[lsp.CompletionItem]:
    """Sections that can begin here."""
    agent = reading.survey.agent_at(offset)
    inside = agent is not None and not _is_ended(reading.text, agent.extent, offset)
    return [
        lsp.CompletionItem(
            word, kind=lsp.CompletionItemKind.Snippet, insert_text=text,
            insert_text_format=lsp.InsertTextFormat.Snippet, documentation=WORD_MEANINGS.get(word),
        )
        for word, text in (AGENT_TEMPLATES if inside else TOP_TEMPLATES).items()
    ]  # fmt: skip


def _is_ended(text: str, extent: Span, offset: int) -> bool:
    """Whether an agent is over before a place."""
    return text[extent.start : offset].rstrip().endswith("end Agent")


def _listed(offers: Iterable[_Offer], typed: str) -> lsp.CompletionList:
    """Each name once, the first that was found for it; of many, those that begin with what is typed."""
    found: dict[str, lsp.CompletionItem] = {}
    incomplete = False
    for offer in offers:
        name = offer.name if isinstance(offer, Symbol) else offer.label
        if name in found:
            continue
        if len(found) >= _MOST and (len(found) >= 2 * _MOST or not name.startswith(typed)):
            incomplete = True
            continue
        found[name] = _item(offer) if isinstance(offer, Symbol) else offer
    return lsp.CompletionList(is_incomplete=incomplete, items=list(found.values()))
