"""Formulas of all logics by operator precedence, with an explicit stack.

Tightest first: comparisons of states, `!` and the unary operators, `U W R` (to the right), `and`, `xor`,
`or`, `->` (to the right), `<->`; inside programs `?` and `*`, then `;`, then `+`. A reserved word is an
operator where something follows that it can apply to, and a proposition elsewhere.
"""

from __future__ import annotations

from functools import reduce as joined

from knower.errors import did_you_mean
from knower.logic import formula as f
from knower.logic.formula import Formula
from knower.logic.language import Language, Specification
from knower.source import Source
from knower.syntax import operators as ops
from knower.syntax.conditions import COMPARISON, INFIX, ExpressionParser
from knower.syntax.expected import expected
from knower.syntax.foreign_syntax import foreign_formula
from knower.syntax.lexer import END, NAME, NUMBER, Tokens
from knower.syntax.modalities import ModalityParser
from knower.syntax.naming import AsWritten, Naming
from knower.syntax.stack import Operand, Waiting
from knower.syntax.template import Reference
from knower.syntax.terms import FUNCTIONS, QUANTIFIERS, binds_name
from knower.syntax.tree import Expr, FormulaDecl, Name, Names, NameUse, Phrase

#: Behind an operand these make a comparison of it.
_COMPARING = frozenset(word for word, level in INFIX.items() if level >= COMPARISON)
_RELATIONS = frozenset({"=", "!=", "<>", "<", "<=", ">", ">=", "in"})
#: Above all infix operators: one term.
_SINGLE = max(INFIX.values())
_COLOURS = ("GreenStates", "RedStates")
#: In the place of what is not there; a formula that is left with it is refused.
_MISSING: Formula = f.Atom("missing")


def parse_formula(
    text: str, names: Names | None = None, *, name: str = "<formula>", naming: Naming | None = None
) -> FormulaDecl:
    """The one formula a text holds, with or without a final `;`."""
    return _only_formula(ExpressionParser(Tokens(Source(name, text))), names, naming)


def parse_question(text: str, names: Names) -> tuple[FormulaDecl, bool]:
    """The formula of a text, and whether it is plain: else it is to be read with what names mean."""
    expressions = ExpressionParser(Tokens(Source("<formula>", text)))
    return _only_formula(expressions, names, None), not expressions.terms.used


def _only_formula(expressions: ExpressionParser, names: Names | None, naming: Naming | None) -> FormulaDecl:
    tokens = expressions.tokens
    decl, at = parse_formula_at(tokens, 0, names, expressions, naming)
    at += tokens.kinds[at] == ";"
    if tokens.kinds[at] != END:
        raise expected(tokens, at, "an operator or the end of the formula", foreign_formula(tokens, at))
    return decl


def parse_formula_at(
    tokens: Tokens,
    at: int,
    names: Names | None,
    expressions: ExpressionParser | None = None,
    naming: Naming | None = None,
) -> tuple[FormulaDecl, int]:
    """The formula that starts at a token, and the token after it."""
    return _FormulaParser(
        expressions or ExpressionParser(tokens), names, naming or AsWritten(), Language.PLAIN
    ).parse(at)


class _FormulaParser(ModalityParser):
    """Reads one formula, or the body of a quantifier."""

    mcmas_ambiguity: list[tuple[int, int]]
    copies: list[tuple[Formula, tuple[Formula, ...]]]

    # -- the loop -------------------------------------------------------------------------

    def parse(self, at: int) -> tuple[FormulaDecl, int]:
        first = at
        self.language, at = self._language(at)
        whole, at = self.body(at)
        if self.language is Language.PLAIN:
            self.refuse_path(whole)
        for _, missing in self.missing:
            raise missing
        spec = Specification(self.formula(whole), self.language, copies=tuple(self.copies))
        ambiguous = self.mcmas_ambiguity if self.language is Language.CTL_STAR else ()
        spans = tuple(self.tokens.span(*tokens) for tokens in ambiguous)
        place = self.place(first, at - 1)
        made = FormulaDecl(spec, place, tuple(self.uses), spans, self.naming.conditions)
        made.written = self._written(first, at) if self.abbreviated else ""
        return made, at

    def _written(self, first: int, behind: int) -> str:
        """The tokens of the formula as they stand there, on one line, with values for names of its line."""
        tokens, text = self.tokens, ""
        for at in range(first, behind):
            word = tokens.texts[at]
            is_name = tokens.kinds[at] == NAME and tokens.kinds[at - 1] != "."
            apart = text and tokens.span(at - 1).end < tokens.span(at).start
            text += (" " if apart else "") + (self.naming.spelt(word) if is_name else word)
        return text

    def body(self, at: int) -> tuple[Operand, int]:
        """The longest formula from a token on, and the token after it."""
        self.mcmas_ambiguity, self.copies = [], []
        while True:
            at = self._operand(at)
            at, closed_program = self._after(at)
            if closed_program:
                continue
            operator = self._infix(at)
            if operator is None:
                break
            self.reduce(ops.INFIX[operator] + (operator in ops.RIGHT or operator == "<->"))
            if operator == "<->" and self.waiting and self.waiting[-1].text == "<->":
                cure = "write `(p <-> q) and (q <-> r)`, or parentheses"
                self.fail("E105", "`<->` cannot be chained", self.tokens.span(at), cure)
            if operator in ops.SWALLOWERS and self.operands[-1].tail:
                self.mcmas_ambiguity.append((self.operands[-1].first, at))
            self.abbreviated |= operator in ("<->", "xor")
            self.waiting.append(Waiting(operator, ops.INFIX[operator], at))
            at += 1
        self.reduce(1)
        if self.waiting:
            raise self.unclosed(at)
        return self.operands.pop(), at

    def _language(self, at: int) -> tuple[Language, int]:
        text, following = self.tokens.texts[at], self.tokens.kinds[at + 1 : at + 2]
        if following == ["*"] and text in ("CTL", "CDL", "CDLf"):
            return Language(text + "*"), at + 2
        if text in ("LTL", "LDL", "LTLf", "LDLf") and self.starts_operand(at + 1):
            return Language(text), at + 1
        return Language.PLAIN, at

    def _infix(self, at: int) -> str | None:
        """The infix operator at a token, if one stands there."""
        text = self.tokens.texts[at]
        if text in ops.PROGRAM_INFIX:
            return text if self.programs and not self.in_call() else None
        return text if text in ops.INFIX else None

    def _after(self, at: int) -> tuple[int, bool]:
        """Apply postfix operators and closing brackets; the token after them.

        And whether the last was the bracket of a program, which wants another operand.
        """
        kinds = self.tokens.kinds
        while True:
            kind = kinds[at]
            if kind in ("*", "?") and self.programs and not self.in_call():
                self.postfix(kind, at)
            elif kind == ")" and self.brackets[-1] not in ("", "<", "["):
                self.close(at)
            elif (kind == ">" and self.brackets[-1] == "<") or (kind == "]" and self.brackets[-1] == "["):
                self.close_program()
                return at + 1, True
            else:
                return at, False
            at += 1

    # -- operands ---------------------------------------------------------------------------

    def _operand(self, at: int) -> int:
        """Push one operand with the prefixes and brackets before it; the token after it."""
        tokens = self.tokens
        while True:
            kind, text = tokens.kinds[at], tokens.texts[at]
            if kind == "(":
                if tokens.texts[at + 1] == "if" or (not self.programs and self._is_term(at)):
                    return self._comparison(at)
                self.open("(", at)
                at += 1
            elif kind == "!":
                self.prefix("!", at, f.Not)
                at += 1
            elif kind in ("<", "[", "<>"):
                at = self.modality(at)
            elif kind == NAME and text in ops.CALLS and tokens.kinds[at + 1] == "(":
                at = self.call(at)
            elif kind == NAME and text in ops.PREFIX_WORDS and self.starts_operand(at + 1):
                self.prefix(text, at, ops.PREFIX_WORDS[text])
                at += 1
            else:
                return self._atom(at)

    def _is_term(self, at: int) -> bool:
        """Whether a parenthesis holds a term that is compared with another."""
        return self.tokens.texts[self.tokens.closing(at) + 1] in _COMPARING

    def _atom(self, at: int) -> int:
        tokens = self.tokens
        text, kind = tokens.texts[at], tokens.kinds[at]
        if kind != NAME or text in ops.KEYWORDS:
            return self._number(at)
        if text in ("forall", "exists") and binds_name(tokens, at):
            return self._quantified(at)
        if self._begins_term(at):
            return self._comparison(at)
        if text in ops.CONSTANTS and not self.is_proposition(text):
            self.operands.append(Operand(f.Constant(ops.CONSTANTS[text]), at, at))
            return at + 1
        constant = self.naming.constant(text)
        if constant is not None:
            self.operands.append(Operand(f.Constant(constant), at, at))
            return at + 1
        self.uses.append(NameUse("proposition", text, self.place(at, at)))
        self.operands.append(Operand(f.Atom(text), at, at))
        return at + 1

    def _number(self, at: int) -> int:
        """What begins with a number or a sign can only be compared."""
        if self.tokens.kinds[at] in (NUMBER, "-", "~") and not self._is_letter:
            return self._comparison(at)
        raise expected(self.tokens, at, "a formula", foreign_formula(self.tokens, at))

    @property
    def _is_letter(self) -> bool:
        """Whether this is a program, outside of parentheses: comparisons stand in those there."""
        return self.brackets[-1] in ("<", "[")

    def _begins_term(self, at: int) -> bool:
        """Whether a name begins something over states, and is no proposition by itself."""
        kinds, text = self.tokens.kinds, self.tokens.texts[at]
        following = kinds[at + 1]
        if text in ops.RESERVED:
            return following == "." and kinds[at + 2] == NAME
        if following in ("(", "[") or (following == "." and kinds[at + 2] == NAME):
            return True
        if text in QUANTIFIERS | FUNCTIONS and binds_name(self.tokens, at):
            return True
        relations = _RELATIONS if self.programs else _COMPARING
        return self.tokens.texts[at + 1] in relations and not self._is_letter

    # -- comparisons --------------------------------------------------------------------------

    def _comparison(self, at: int) -> int:
        """Push a condition over states, a proposition with arguments or a colour; the token after it."""
        phrase, behind = self._condition(at)
        expr = phrase.expr
        value = self._coloured(phrase, at, behind)
        self.expressions.terms.used |= value is None
        if value is None and isinstance(expr, Reference) and expr.member is None and not expr.indices:
            value = self.present(at, lambda: self._proposition(phrase, at, behind), _MISSING)
        if value is None:
            value = self.present(at, lambda: self.naming.condition(phrase), _MISSING)
        self.operands.append(Operand(value, at, behind - 1))
        return behind

    def _proposition(self, phrase: Phrase, at: int, behind: int) -> Formula:
        """`muddy(i)`."""
        name = self.naming.name(phrase)
        self.uses.append(NameUse("proposition", name, self.place(at, behind - 1)))
        return f.Atom(name)

    def _condition(self, at: int) -> tuple[Phrase, int]:
        """A comparison, or one term; inside of programs, `+` and `*` are theirs."""
        parse = self.expressions.parse
        if not self.programs:
            return parse(at, COMPARISON - 1)
        left, behind = parse(at, _SINGLE)
        if self._is_letter or self.tokens.texts[behind] not in _RELATIONS:
            return left, behind
        return self._related(at, left, behind)

    def _related(self, first: int, left: Phrase, at: int) -> tuple[Phrase, int]:
        """One term compared with another, by the token of the operator."""
        operator, expressions = self.tokens.texts[at], self.expressions
        if operator == "in":
            right, behind = expressions.terms.collection(at + 1)
        else:
            phrase, behind = expressions.parse(at + 1, _SINGLE)
            right = phrase.expr
        made = expressions.joined(operator, left.expr, right)
        return Phrase(made, (self.tokens, first, behind - 1)), behind

    def _coloured(self, phrase: Phrase, at: int, behind: int) -> Formula | None:
        """`Agent.GreenStates` or `Agent.RedStates`, if it is that."""
        match phrase.expr:
            case Name(colour, str()) | Reference(member=str(colour), indices=()):
                pass
            case _:
                return None
        tokens = self.tokens
        if colour not in _COLOURS and colour.casefold() in map(str.casefold, _COLOURS):
            message, span = f"`{tokens.texts[at]}.{colour}` is not a proposition", tokens.span(at, behind - 1)
            self.fail("E502", message, span, did_you_mean(colour, _COLOURS))
        if colour not in _COLOURS:
            return None
        agent = self._owner(phrase.expr, at)
        return f.Green(agent) if colour == "GreenStates" else f.Red(agent)

    def _owner(self, term: Expr, at: int) -> str:
        """The agent of `Agent(i).x`."""
        agent, last = self.tokens.texts[at], at
        if isinstance(term, Reference):
            last = self.tokens.closing(at + 1)
            head = Reference(term.name, term.arguments, place=(self.tokens, at, last))
            found = self.present(at, lambda: self.naming.name(Phrase(head, head.place)), None)
            if found is None:
                return agent
            agent = found
        self.uses.append(NameUse("agent", agent, self.place(at, last)))
        return agent

    # -- quantifiers --------------------------------------------------------------------------

    def _quantified(self, at: int) -> int:
        """`forall i : R (f)`: the body is read once for each value."""
        first, tokens = at, self.tokens
        self.abbreviated = True
        binds, at = self.expressions.terms.binds(at + 1)
        if tokens.kinds[at] != "(":
            raise expected(tokens, at, "`(`", "the body of a quantifier stands in parentheses")
        behind = self.tokens.closing(at)
        found: list[Formula] = []
        for _ in self.naming.each(binds):
            body = _FormulaParser(self.expressions, self.names, self.naming, self.language)
            inner, behind = body.body(at + 1)
            if tokens.kinds[behind] != ")":
                raise expected(tokens, behind, "an operator or `)`")
            found.append(body.formula(inner))
            self.uses += body.uses
            self.missing += body.missing
            self.mcmas_ambiguity += body.mcmas_ambiguity
            self.copies += body.copies
        everywhere = tokens.texts[first] == "forall"
        value = joined(f.And if everywhere else f.Or, found) if found else f.Constant(everywhere)
        self.copies += [(value, tuple(found))] if found[1:] else []
        self.operands.append(Operand(value, first, behind))
        return behind + 1
