"""The definition of LDL, read aloud: the relation R(r) on the positions of a word.

A word is a finite list of letters (sets of true propositions), either a lasso, whose last letter
is followed by the one at `loop`, or a finite trace. Relations on the infinitely many positions of a
lasso are computed on its finitely many different suffixes.
"""

from __future__ import annotations

from dataclasses import dataclass

from knower.logic import formula as f
from knower.logic.formula import Formula, Program

Relation = frozenset[tuple[int, int]]


@dataclass(frozen=True)
class Word:
    """`loop` is None for a finite trace."""

    letters: tuple[frozenset[str], ...]
    loop: int | None

    def after(self, position: int) -> int | None:
        if position + 1 < len(self.letters):
            return position + 1
        return self.loop

    def satisfies(self, formula: Formula, position: int = 0) -> bool:
        return position in self.where(formula)

    def where(self, formula: Formula) -> frozenset[int]:
        """The positions where a formula holds."""
        everywhere = frozenset(range(len(self.letters)))
        match formula:
            case f.Constant(value):
                return everywhere if value else frozenset()
            case f.Atom(name):
                return frozenset(k for k in everywhere if name in self.letters[k])
            case f.Not(sub):
                return everywhere - self.where(sub)
            case f.And(left, right):
                return self.where(left) & self.where(right)
            case f.Or(left, right):
                return self.where(left) | self.where(right)
            case f.Implies(left, right):
                return everywhere - self.where(left) | self.where(right)
            case f.Diamond(program, sub):
                goal = self.where(sub)
                return frozenset(i for i, j in self.relation(program) if j in goal)
            case f.Box(program, sub):
                bad = everywhere - self.where(sub)
                return everywhere - frozenset(i for i, j in self.relation(program) if j in bad)
            case f.X(sub):
                goal = self.where(sub)
                return frozenset(k for k in everywhere if self.after(k) in goal)
            case f.WX(sub):
                goal = self.where(sub)
                return frozenset(k for k in everywhere if self.after(k) is None or self.after(k) in goal)
            case f.F(sub):
                return self._until(everywhere, self.where(sub))
            case f.G(sub):
                return everywhere - self._until(everywhere, everywhere - self.where(sub))
            case f.U(left, right):
                return self._until(self.where(left), self.where(right))
            case f.R(left, right):
                return everywhere - self._until(everywhere - self.where(left), everywhere - self.where(right))
            case f.W(left, right):
                always = everywhere - self._until(everywhere, everywhere - self.where(left))
                return self._until(self.where(left), self.where(right)) | always
            case _:
                raise TypeError(formula)

    def _until(self, hold: frozenset[int], goal: frozenset[int]) -> frozenset[int]:
        """Walk on from each position: at most once around the loop is needed."""
        found = set()
        for start in range(len(self.letters)):
            position: int | None = start
            for _ in range(2 * len(self.letters)):
                if position is None or position in goal or position not in hold:
                    break
                position = self.after(position)
            if position is not None and position in goal:
                found.add(start)
        return frozenset(found)

    def relation(self, program: Program) -> Relation:
        """R(r), as in docs/logics.md."""
        match program:
            case f.Letter(guard):
                return frozenset((i, j) for i in self.where(guard) if (j := self.after(i)) is not None)
            case f.Test(guard):
                return frozenset((i, i) for i in self.where(guard))
            case f.Choice(left, right):
                return self.relation(left) | self.relation(right)
            case f.Seq(left, right):
                return _composed(self.relation(left), self.relation(right))
            case f.Star(sub):
                step = self.relation(sub)
                closure: Relation = frozenset((i, i) for i in range(len(self.letters)))
                while not (more := _composed(closure, step)) <= closure:
                    closure |= more
                return closure
            case _:
                raise TypeError(program)


def _composed(left: Relation, right: Relation) -> Relation:
    return frozenset((i, k) for i, j in left for j2, k in right if j == j2)
