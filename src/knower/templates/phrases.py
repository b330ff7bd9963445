"""Phrases of a template into plain ones, which can still say where their parts stand."""

from __future__ import annotations

from typing import cast

from knower.logic.node import Node
from knower.records import dataclass
from knower.syntax.places import Located, as_written
from knower.syntax.tree import Expr, Phrase
from knower.templates.mistakes import Mistake
from knower.templates.nodes import PlacedNodes
from knower.templates.reading import Reading
from knower.templates.unfold import Unfolder
from knower.templates.values import Environment


def unfolded(phrase: Phrase, unfolder: Unfolder, env: Environment) -> Phrase:
    """A plain phrase for an instance; raises `Mistake`."""
    expanded = Expanded(unfolder.reading, phrase, env)
    try:
        expr = unfolder.expr(phrase, env)
    except Mistake:
        expanded.located()  # raises it again, with its place
        raise
    return Phrase(expr, unfolder.place(phrase, env), expanded)


class PlacingUnfolder(Unfolder):
    """The same with a place for every node."""

    nodes: PlacedNodes

    def _in_phrase(self, phrase: Phrase, env: Environment) -> Expr:
        outer = getattr(self, "_places", None)
        self._places: Located | None = as_written(phrase)
        try:
            return self._of(self._places.expr, env)
        finally:
            self._places = outer

    def _of(self, item: Expr, env: Environment) -> Expr:
        outside = self.nodes.at
        if self._places is not None:
            self.nodes.at = self._places.span(item)._replace(instance=self.instance(env))
        try:
            return super()._of(item, env)
        finally:
            self.nodes.at = outside

    def _again(self, phrase: Phrase) -> Expr:
        made = phrase.expansion
        if isinstance(made, Expanded):
            return type(self)(made.reading, self.nodes).expr(made.phrase, made.env)
        plain = as_written(phrase).expr
        parts: list[Node] = [plain]
        for part in parts:  # grows while it is read
            self.nodes.keep(None, cast("Expr", part))
            parts += part.children
        return plain


@dataclass(frozen=True)
class Expanded:
    """What a plain expression was made of: a phrase of the template, read for an instance."""

    reading: Reading
    phrase: Phrase
    env: Environment

    def located(self) -> Located:
        nodes = PlacedNodes(self.reading.world.source)
        expr = PlacingUnfolder(self.reading, nodes).expr(self.phrase, self.env)
        return Located(expr, nodes.spans)
