"""Vtrees by name: which variables are decided together, and which before which.

The shapes and the partitions by agents are those of the report on SDDs in MCMAS (sections 3.1.2 and 4.3):
a vtree is a right-linear row of subtrees, one for each agent, or smaller ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from math import ceil, log2, sqrt

from knower.functions.protocol import Order, Variable
from knower.functions.vtree import Vtree, balanced, left_linear, right_linear, vertical
from knower.symbolic.encode import Encoding
from knower.symbolic.layout import Layout
from knower.symbolic.order import arranged

#: The vtree, and the order of the variables, unless others are asked for: the best of those measured.
VTREE, ORDER = "bounded", "replicas"


def planted(name: str, order: str, encoding: Encoding) -> Vtree:
    """The vtree of that name; its shape over an order, or its own partition of the variables."""
    chosen = arranged(ORDER if order == "auto" else order, encoding)
    return VTREES[name](chosen, encoding.layout) if chosen else 0  # a variable that nobody uses


def _flat(order: Order) -> list[Variable]:
    return [variable for group in order for variable in group]


def _shape(build: Callable[[Sequence[Vtree]], Vtree]) -> Callable[[Order, Layout], Vtree]:
    return lambda order, _: build(_flat(order))


# -- partitions by agents -----------------------------------------------------------------------------------


def _by_agent(order: Order, layout: Layout) -> list[Order]:
    """The groups of each agent's variables, in the order given; the smallest agents first."""
    owner = {bit: key[0] for key, field in layout.fields.items() for bit in (*field.now, *field.after)}
    owner |= {bit: agent for agent, bits in layout.action_bits.items() for bit in bits}
    parts: dict[str, list[Sequence[Variable]]] = {}
    for group in order:
        parts.setdefault(owner[group[0]], []).append(group)
    return sorted(parts.values(), key=lambda groups: len(_flat(groups)))


def _agents(build: Callable[[Sequence[Vtree]], Vtree]) -> Callable[[Order, Layout], Vtree]:
    """One subtree for each agent."""
    return lambda order, layout: right_linear([build(_flat(part)) for part in _by_agent(order, layout)])


def _bounded(bound: Callable[[int], float]) -> Callable[[Order, Layout], Vtree]:
    """Balanced subtrees for each agent, none larger than a function of the number of variables."""

    def plant(order: Order, layout: Layout) -> Vtree:
        most = max(2, ceil(bound(len(_flat(order)))))
        parts = [piece for part in _by_agent(order, layout) for piece in _split(part, most)]
        return right_linear([balanced(piece) for piece in parts])

    return plant


def _split(groups: Order, most: int) -> Iterator[list[Variable]]:
    """Pieces of at most so many variables; what stands together stays so, if it is not larger itself."""
    piece: list[Variable] = []
    for group in (part for whole in groups for part in _pieces(whole, most)):
        if piece and len(piece) + len(group) > most:
            yield piece
            piece = []
        piece = [*piece, *group]
    if piece:
        yield piece


def _pieces(group: Sequence[Variable], most: int) -> Iterator[Sequence[Variable]]:
    return (group[k : k + most] for k in range(0, len(group), most))


def _interleaved(order: Order, layout: Layout) -> Vtree:
    """A bit of each agent, now and next, then another of each; all actions last."""
    actions = set(layout.actions)
    rows = [[v for v in _flat(part) if v not in actions] for part in _by_agent(order, layout)]
    pairs = [[row[k : k + 2] for k in range(0, len(row), 2)] for row in rows]
    layers = [[v for pair in layer if pair for v in pair] for layer in zip_longest(*pairs)]
    last = [v for v in _flat(order) if v in actions]
    return right_linear([balanced(layer) for layer in [*layers, last] if layer])


def _along_the_order(order: Order, _: Layout) -> Vtree:
    """Ours: balanced subtrees of log2 n variables along the order, whoever owns them."""
    most = max(2, ceil(log2(len(_flat(order)))))
    return right_linear([balanced(piece) for piece in _split(order, most)])


VTREES: dict[str, Callable[[Order, Layout], Vtree]] = {
    "right-linear": _shape(right_linear),
    "left-linear": _shape(left_linear),
    "balanced": _shape(balanced),
    "vertical": _shape(vertical),
    "agents": _agents(balanced),
    "agents-right-linear": _agents(right_linear),
    "agents-log": _bounded(log2),
    "agents-sqrt": _bounded(sqrt),
    "agents-2log": _bounded(lambda n: 2 * log2(n)),
    "interleaved": _interleaved,
    "bounded": _along_the_order,
}
