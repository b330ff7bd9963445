"""Whether what an implication presupposes ever holds: one intersection, once the states are known."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from knower.logic import formula as f
from knower.logic.formula import Formula
from knower.query.query import Query
from knower.records import dataclass
from knower.syntax.printing import print_formula


@dataclass(frozen=True, slots=True)
class Presupposition:
    """An antecedent, and the question whose answer is yes if it never holds where it is looked at."""

    antecedent: Formula
    never: Query
    at_start: bool

    def text(self, taken: frozenset[str]) -> str:
        return print_formula(self.antecedent, self.never.read.language, taken)


def presuppositions(query: Query) -> Iterator[Presupposition]:
    """Those of `f -> g` and of `AG (f -> g)`, also inside of conjunctions; `A G` is like `AG` here."""
    if query.setting.many_models:
        return
    todo = [(query.formula, True)]
    while todo:
        item, at_start = todo.pop()
        match item:
            case f.And(left, right):
                todo += [(right, at_start), (left, at_start)]
            case f.AG(body) | f.A(f.G(body)) if at_start:
                todo.append((body, False))
            case f.Implies(left) if not (left.is_path or isinstance(left, f.Constant)):
                asked = f.Not(left) if at_start else f.AG(f.Not(left))
                yield Presupposition(left, replace(query, formula=asked), at_start)
            case _:
                pass
