"""The reachable states of a model as a sentential decision diagram to look at."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from knower.functions.protocol import Variable
from knower.functions.sdd import SddSpace
from knower.functions.vtree import Branch, Vtree
from knower.limits import Budget
from knower.options import Tuning
from knower.symbolic.encode import Encoding
from knower.symbolic.exploration import explored
from knower.symbolic.layout import Layout
from knower.symbolic.order_search import OrderSearch
from knower.symbolic.system import TransitionSystem
from knower.system.system import InterpretedSystem
from knower.verdict.diagram import Decision, Diagram, Part, VtreeNode


def sdd_diagram(system: InterpretedSystem, name: str, tuning: Tuning, budget: Budget) -> Diagram:
    """The diagram by the engine `sdd`."""
    encoding = Encoding(system)
    search = OrderSearch(encoding, replace(tuning, library="pysdd"))
    model = search.made(lambda steps, _: explored(TransitionSystem(steps), budget))
    space = model.space
    assert isinstance(space, SddSpace)
    names = bit_names(encoding.layout)
    drawn = _Drawn(space, names)
    root = drawn.part(model.reachable)
    return Diagram(name, _numbered(space.vtree(), names), tuple(drawn.decisions), root)


def bit_names(layout: Layout) -> dict[Variable, str]:
    """`Sender.bit`, `Sender.bit'` in the next state; with a place if there are several bits."""
    found: dict[Variable, str] = {}
    for (agent, variable), field in layout.fields.items():
        for place, (now, after) in enumerate(zip(field.now, field.after, strict=True)):
            name = f"{agent}.{variable}{_place(place, len(field.now))}"
            found |= {now: name, after: f"{name}'"}
    for agent, bits in layout.action_bits.items():
        found |= {bit: f"{agent}.Action{_place(place, len(bits))}" for place, bit in enumerate(bits)}
    return found


def _place(place: int, count: int) -> str:
    return f"[{place}]" if count > 1 else ""


def _numbered(tree: Vtree, names: dict[Variable, str]) -> tuple[VtreeNode, ...]:
    """The nodes from left to right, as the library numbers them: a parent between its children."""
    place: dict[int, int] = {}  # of nodes, by identity
    order: list[Vtree] = []
    todo: list[tuple[Vtree, bool]] = [(tree, False)]
    while todo:
        item, ready = todo.pop()
        if isinstance(item, Branch) and not ready:
            todo += [(item.right, False), (item, True), (item.left, False)]
        else:
            place[id(item)] = len(order)
            order.append(item)
    return tuple(
        VtreeNode(None, (place[id(item.left)], place[id(item.right)]))
        if isinstance(item, Branch)
        else VtreeNode(names[item])
        for item in order
    )


class _Drawn:
    """Decisions numbered from the leaves."""

    def __init__(self, space: SddSpace, names: dict[Variable, str]) -> None:
        self.space = space
        self.names = names
        self.decisions: list[Decision] = []
        self._number: dict[Any, int] = {}

    def part(self, function: Any) -> Part:
        for node, position, elements in self.space.decisions(function):
            parts = tuple((self._known(prime), self._known(sub)) for prime, sub in elements)
            self._number[node] = len(self.decisions)
            self.decisions.append(Decision(position, parts))
        return self._known(function)

    def _known(self, function: Any) -> Part:
        if function in (self.space.true, self.space.false):
            return "true" if function == self.space.true else "false"
        if function in self._number:
            return self._number[function]
        (variable,) = self.space.support(function)
        positive = function == self.space.var(variable)
        return self.names[variable] if positive else f"!{self.names[variable]}"
