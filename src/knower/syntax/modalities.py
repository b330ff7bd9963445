"""Operators of formulas with brackets: `K(i, f)` and its kin, coalitions and programs."""

from __future__ import annotations

from typing import NoReturn

from knower.logic import formula as f
from knower.logic.group import Group, GroupRef
from knower.logic.language import Language
from knower.syntax import operators as ops
from knower.syntax.conditions import ExpressionParser
from knower.syntax.expected import expected
from knower.syntax.foreign_syntax import foreign_modality
from knower.syntax.lexer import NAME, NUMBER
from knower.syntax.naming import Naming
from knower.syntax.stack import FormulaStack, Operand, Waiting
from knower.syntax.template import SetOf
from knower.syntax.tree import NameKind, Names, NameUse, Phrase, Place

#: What begins an operand: `-` and `~` begin a comparison.
_BEGINNINGS = frozenset({"(", "!", "<", "[", "<>", NUMBER, "-", "~"})


class ModalityParser(FormulaStack):
    """Reads brackets of agents, groups and programs."""

    def __init__(
        self, expressions: ExpressionParser, names: Names | None, naming: Naming, language: Language
    ) -> None:
        super().__init__(expressions.tokens, language)
        self.expressions = expressions
        self.names = names
        self.naming = naming

    def starts_operand(self, at: int) -> bool:
        """Whether an operand can start at a token; `U`, `W`, `R` do only where they are names."""
        flip = False
        while self.tokens.kinds[at] == NAME and self.tokens.texts[at] in ops.UNTIL_WORDS:
            at, flip = at + 1, not flip
        kind, text = self.tokens.kinds[at], self.tokens.texts[at]
        starts = kind in _BEGINNINGS or (kind == NAME and text not in ops.KEYWORDS)
        return starts != flip

    def place(self, first: int, last: int) -> Place:
        """Tokens of this formula, as it is read for an instance."""
        instance = self.naming.instance
        return (self.tokens, first, last, instance) if instance else (self.tokens, first, last)

    def is_proposition(self, name: str) -> bool:
        return self.names is not None and name in self.names.propositions

    # -- agents and groups --------------------------------------------------------------------

    def call(self, at: int) -> int:
        """`K(i, f)` and its kin: open a bracket that builds the operator when it closes."""
        tokens = self.tokens
        text, first = tokens.texts[at], at
        who: GroupRef
        who, behind = self._who(text, at + 2)

        def build(inner: Operand) -> Operand:
            return Operand(ops.CALLS[text](who, self.state(inner)), first, inner.last + 1)

        self.open(text, at, build)
        return behind + 1

    def _who(self, word: str, at: int) -> tuple[str, int]:
        """The agent or the group of an operator, and the comma behind it."""
        tokens = self.tokens
        kind: NameKind = "agent" if word in ops.AGENT_CALLS else "group"
        who: GroupRef | None = None
        if tokens.kinds[at] == NAME and tokens.kinds[at + 1] in (",", "("):
            who, behind = self.named(kind, at)
        elif tokens.kinds[at] == "{" and kind == "group":
            members, behind = self.expressions.terms.set(at)
            who = self._group(members, at, kind)
        if who is None or tokens.kinds[behind] != ",":
            article = "an agent" if kind == "agent" else "a group"
            raise expected(
                tokens, behind if who else at, f"{article} and a comma", f"write `{word}({kind}, formula)`"
            )
        return who, behind  # type: ignore[return-value]

    def named(self, kind: NameKind, at: int) -> tuple[str, int]:
        """An agent or a group by its name, perhaps with arguments; the token after it."""
        tokens = self.tokens
        name, behind = tokens.texts[at], at + 1
        if tokens.kinds[behind] == "(":
            made, behind = self.expressions.terms.reference(at)
            phrase = Phrase(made, (tokens, at, behind - 1))
            found = self.present(at, lambda: self.naming.name(phrase), None)
            if found is None:
                return name, behind
            name = found
        self.uses.append(NameUse(kind, name, self.place(at, behind - 1)))
        return name, behind

    def _group(self, members: SetOf, at: int, kind: NameKind) -> Group:
        last, missing = members.place[2] if members.place else at, len(self.missing)
        nobody: tuple[str, ...] = ()
        found = self.present(at, lambda: self.naming.members(members), nobody)
        if len(self.missing) > missing:
            return Group(found)
        self.uses += [NameUse("agent", member, self.place(at, last)) for member in found]
        if not found and kind == "group":
            message = "the group is empty"
            self.fail("E409", message, self.tokens.span(at, last), "add members, or name an agent")
        return Group(found)

    # -- coalitions and programs ----------------------------------------------------------------

    def modality(self, at: int) -> int:
        """`<g>X f`, `<g>(f U h)`, `<r>f` or `[r]f`."""
        tokens = self.tokens
        if tokens.kinds[at] in ("<", "<>"):
            end = self._coalition_end(at)
            if end is not None and self._is_coalition(at, end):
                return self._coalition(at, end)
        if not self.language.dynamic or tokens.kinds[at] == "<>":
            self._fail_undynamic(at)
        self.programs += 1
        self.open(tokens.kinds[at], at)
        return at + 1

    def _fail_undynamic(self, at: int) -> NoReturn:
        tokens = self.tokens
        if (cure := foreign_modality(tokens, at)) is not None:
            pass
        elif tokens.kinds[at] == "<>" or self._coalition_end(at) is not None:
            cure = "a coalition is followed by `X`, `F`, `G` or `(f U g)`; programs need `LDL` or `CDL*`"
        else:
            cure = "programs need the prefix `LDL` or `CDL*`; coalitions are written `<group>F formula`"
        self.fail("E503", f"`{tokens.kinds[at]}` cannot start a formula here", tokens.span(at), cure)

    def _coalition_end(self, at: int) -> int | None:
        """The `>` behind `<A, B(i)` or `<{…}`; None if something else stands there."""
        kinds, texts = self.tokens.kinds, self.tokens.texts
        if kinds[at] == "<>":
            return at
        at += 1
        if kinds[at] == "{":
            at = self.tokens.closing(at) + 1
            return at if texts[at] == ">" else None
        while kinds[at] == NAME:
            at += 1
            if kinds[at] == "(":
                at = self.tokens.closing(at) + 1
            if kinds[at] == ">":
                return at
            if kinds[at] != ",":
                return None
            at += 1
        return at if kinds[at] == ">" and kinds[at - 1] == "<" else None

    def _is_coalition(self, at: int, end: int) -> bool:
        tokens = self.tokens
        name, after = tokens.texts[at + 1], end + 1
        word = tokens.texts[after] in ops.COALITION_WORDS and self.starts_operand(after + 1)
        if not (word or tokens.kinds[after] == "("):
            return False
        single = tokens.kinds[at + 1] == NAME and self._reference_end(at + 1) == end
        if not self.language.dynamic or not single:
            return True
        if self.names is None or name not in self.names.groups | self.names.agents:
            return False
        if word and self.is_proposition(name):
            self._fail_ambiguous(name, at)
        return True

    def _fail_ambiguous(self, name: str, at: int) -> NoReturn:
        self.fail(
            "E505", f"`{name}` is both a proposition and a group or agent", self.tokens.span(at, at + 2),
            f"rename one, or write `<({name})>` for the program",
        )  # fmt: skip

    def _coalition(self, at: int, end: int) -> int:
        """`<g>X f` waits for `f`; `<g>(…)` is a coalition or a program, which its parenthesis tells."""
        tokens = self.tokens
        known = len(self.uses)
        group = self._members(at, end)
        uses, self.uses[known:] = self.uses[known:], []
        word = tokens.texts[end + 1]
        if tokens.kinds[end + 1] == NAME:
            self.uses += uses

            def can(inner: Operand) -> Operand:
                value = ops.COALITION_WORDS[word](group, self.state(inner))  # type: ignore[arg-type]
                return Operand(value, at, inner.last, tail=inner.tail)

            self.waiting.append(Waiting(word, ops.PREFIX_LEVEL, at, can))
            return end + 2

        def can_until(inner: Operand) -> Operand:
            return self._until(group, inner, uses, at, end)

        self.waiting.append(Waiting("<>", ops.PREFIX_LEVEL, at, can_until))
        return end + 1

    def _until(self, group: GroupRef, inner: Operand, uses: list[NameUse], at: int, end: int) -> Operand:
        """`<g>(f U h)`, or `<p>(f)` where `p` is a letter."""
        name = self.tokens.texts[at + 1]
        if inner.until and isinstance(inner.value, f.U):
            if self.language.dynamic and end == at + 2 and self.is_proposition(name):
                self._fail_ambiguous(name, at)
            self.uses += uses
            left, right = inner.value.left, inner.value.right
            self.refuse_inner_path(left, inner)
            self.refuse_inner_path(right, inner)
            return Operand(f.CanU(group, left, right), at, inner.last)
        if not self.language.dynamic or end != at + 2:
            self._fail_undynamic(at)
        self.uses.append(NameUse("proposition", name, self.place(at + 1, at + 1)))
        letter = f.Letter(f.Atom(name))
        return Operand(f.Diamond(letter, self.formula(inner)), at, inner.last)

    def _members(self, at: int, end: int) -> GroupRef:
        """The coalition between two tokens: the name of one, or its members."""
        kinds = self.tokens.kinds
        if end <= at + 1:
            return Group(())
        if kinds[at + 1] == "{":
            members, _ = self.expressions.terms.set(at + 1)
            return self._group(members, at + 1, "coalition")
        named: list[str] = []
        at += 1
        while True:
            alone = not named and self._reference_end(at) == end
            name, at = self.named("coalition" if alone else "agent", at)
            if alone:
                return name
            named.append(name)
            if at == end:
                self.expressions.terms.used = True
                return Group(tuple(dict.fromkeys(named)))
            at += 1

    def _reference_end(self, at: int) -> int:
        return self.tokens.closing(at + 1) + 1 if self.tokens.kinds[at + 1] == "(" else at + 1
