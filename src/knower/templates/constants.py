"""Constants: their defaults, what is given from outside, and what must hold of them."""

from __future__ import annotations

from collections.abc import Mapping

from knower.errors import InputError, UsageError, did_you_mean
from knower.source import Source
from knower.syntax.conditions import ExpressionParser
from knower.syntax.expected import expected
from knower.syntax.lexer import END, Tokens
from knower.syntax.template import ConstDecl, SetOf
from knower.syntax.tree import Phrase
from knower.templates.mistakes import Mistake
from knower.templates.static import Static
from knower.templates.values import Constant, kind, spelt


def constants(
    declared: tuple[ConstDecl, ...], given: Mapping[str, Constant | str], source: Source
) -> dict[str, Constant]:
    """The values of constants; later ones may depend on earlier ones. Raises `InputError`."""
    _refuse_unknown(declared, given)
    found: dict[str, Constant] = {}
    try:
        for decl in declared:
            if decl.name.text in found:
                message = f"constant `{decl.name.text}` is declared twice"
                raise Mistake("E404", message, decl.name.span, "rename or remove one")
            found[decl.name.text] = _value(decl, given, found)
        for decl in declared:
            _require(decl, found)
    except Mistake as mistake:
        raise InputError([mistake.diagnostic(source)]) from None
    return found


def _refuse_unknown(declared: tuple[ConstDecl, ...], given: Mapping[str, Constant | str]) -> None:
    names = [decl.name.text for decl in declared]
    for name in given:
        if name not in names:
            cure = did_you_mean(name, names) if names else "the model has no `Const`"
            raise UsageError("E615", f"the model has no constant `{name}`", cure)


def _value(decl: ConstDecl, given: Mapping[str, Constant | str], known: dict[str, Constant]) -> Constant:
    usual = _worked_out(decl.value, known)
    name = decl.name.text
    if name not in given:
        return usual
    value = given[name]
    chosen = _read(value, known, name) if isinstance(value, str) else _plain(value, name)
    if kind(chosen) != kind(usual):
        cure = f"its default is {spelt(usual)}"
        raise UsageError("E615", f"the constant `{name}` is {kind(usual)}, not {spelt(chosen)}", cure)
    return chosen


def _plain(value: object, name: str) -> Constant:
    """A value that Python gave."""
    if isinstance(value, bool | int):
        return value
    if isinstance(value, tuple | list | set | frozenset) and all(
        isinstance(each, str | int) for each in value
    ):
        return tuple(value)
    raise UsageError(
        "E615", f"the constant `{name}` cannot be {value!r}", "give a number, a boolean or a set"
    )


def _read(text: str, known: dict[str, Constant], name: str) -> Constant:
    """A value that was typed."""
    source = Source(f"<{name}>", text)
    try:
        return _typed(source, known)
    except Mistake as mistake:
        raise InputError([mistake.diagnostic(source)]) from None


def _typed(source: Source, known: dict[str, Constant]) -> Constant:
    tokens = Tokens(source)
    parser = ExpressionParser(tokens)
    value: Phrase | SetOf
    if tokens.kinds[0] == "{":
        value, at = parser.terms.set(0)
    else:
        value, at = parser.parse(0)
    if tokens.kinds[at] != END:
        raise expected(tokens, at, "the end of the value")
    return _worked_out(value, known)


def _worked_out(value: Phrase | SetOf, known: dict[str, Constant]) -> Constant:
    static = Static()
    if isinstance(value, SetOf):
        return static.range(value, known)
    found = static.value(value, known)
    if isinstance(found, str):
        cure = "a constant is a number, a boolean or a set of names"
        raise Mistake("E211", f"`{found}` is no constant", value.span, cure)
    return found


def _require(decl: ConstDecl, known: dict[str, Constant]) -> None:
    if decl.where is not None and not Static().truth(decl.where, known):
        name = decl.name.text
        message = f"`{name}` is {spelt(known[name])}, but what must hold of it does not"
        raise Mistake("E411", message, decl.where.span, "choose another value")


def with_constants(text: str) -> tuple[str, str]:
    """A definition `name=value` as it is typed; raises `UsageError`."""
    name, equals, value = text.partition("=")
    if not equals or not name.strip() or not value.strip():
        raise UsageError("E615", f"`{text}` defines no constant", "write `name=value`")
    return name.strip(), value.strip()
