"""Sentential decision diagrams by the SDD library, through `pysdd`.

A node that Python holds is referenced, and dereferenced when Python lets it go; what nobody holds is
garbage, and is collected when there is much of it. The library would collect garbage only together with
a search for a better vtree; here they are independent.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

from pysdd.sdd import SddManager  # type: ignore[import-untyped]
from pysdd.sdd import Vtree as NativeVtree

from knower.functions.protocol import Variable
from knower.functions.vtree import Branch, Vtree, written

#: Variables to quantify, in the library's numbers.
Places: TypeAlias = tuple[int, ...]
#: Garbage is collected from so many dead nodes on, and only when it outweighs what is alive.
_MUCH_GARBAGE = 100_000
#: A better vtree is looked for when diagrams are so many times as large as after the last time.
_GROWTH, _SMALL = 2.0, 1_000
#: With fewer variables than this the library counts exactly.
_EXACT_BITS = 53
#: The library recurses by the depth of the vtree, and takes some 50 kB for each level.
_STACK = 100 * 2**20


class SddSpace:
    """A manager with the variables of a vtree.

    `minimise`: `off`, `auto` (look for a better vtree as diagrams grow) or `l-subtrees` (only inside
    the left subtrees along the right spine of the vtree).
    """

    name = "sdd"

    def __init__(self, vtree: Vtree, minimise: str = "off") -> None:
        _deepen_stack()
        self._manager = SddManager.from_vtree(_native(vtree))
        self._manager.auto_gc_and_minimize_off()
        self._minimise = minimise
        self._minimise_from = 0
        self.minimisations = 0
        self.true: Any = self._manager.true()
        self.false: Any = self._manager.false()

    def working(self) -> AbstractContextManager[None]:
        """The library knows no bounds; it ends the process where the machine has none left."""
        return nullcontext()

    def var(self, variable: Variable) -> Any:
        return self._manager.literal(variable + 1)

    def extend(self, count: int) -> list[Variable]:
        first = self._manager.var_count()
        for _ in range(count):
            self._manager.add_var_after_last()
        return list(range(first, first + count))

    def xor(self, left: Any, right: Any) -> Any:
        return left & ~right | ~left & right

    def ite(self, condition: Any, then: Any, otherwise: Any) -> Any:
        return condition & then | ~condition & otherwise

    # -- quantification and renaming ----------------------------------------------------------------------

    def quantified(self, variables: Iterable[Variable]) -> Places:
        """Those on the right of the vtree first: there, diagrams are small."""
        place = {variable: k for k, variable in enumerate(self.order())}
        return tuple(v + 1 for v in sorted(variables, key=place.__getitem__, reverse=True))

    def exists(self, function: Any, variables: Places) -> Any:
        self._tidy()
        if not variables:
            return function
        return self._manager.exists_multiple_static(self._marked(variables), function)

    def forall(self, function: Any, variables: Places) -> Any:
        return ~self.exists(~function, variables)

    def and_exists(self, left: Any, right: Any, variables: Places) -> Any:
        return self.exists(left & right, variables)

    def _marked(self, variables: Places) -> array[int]:
        marks = array("i", bytes(4 * (self._manager.var_count() + 1)))
        for variable in variables:
            marks[variable] = 1
        return marks

    def renaming(self, pairs: Mapping[Variable, Variable]) -> dict[int, int]:
        both = {**pairs, **{after: before for before, after in pairs.items()}}
        return {variable + 1: other + 1 for variable, other in both.items()}

    def rename(self, function: Any, renaming: dict[int, int]) -> Any:
        if not renaming or function in (self.true, self.false):
            return function
        names = array("l", range(self._manager.var_count() + 1))
        for variable, other in renaming.items():
            names[variable] = other
        return self._manager.rename_variables(function, names)

    def simplify(self, function: Any, care: Any) -> Any:
        return function

    # -- counting and picking -----------------------------------------------------------------------------

    def count(self, function: Any, variables: Sequence[Variable]) -> int:
        total = int(self._manager.var_count())
        return self._models(function) >> (total - len(variables))

    def _models(self, function: Any) -> int:
        """The models over all variables."""
        total = int(self._manager.var_count())
        if total < _EXACT_BITS:
            return int(self._manager.global_model_count(function))
        counts: dict[int, int] = {}  # by node: its models over the variables of its vtree
        for node in self._from_the_leaves(function):
            if node.is_decision():
                left, right = node.vtree().left().var_count(), node.vtree().right().var_count()
                counts[node.id] = sum(
                    _lifted(counts, prime, left) * _lifted(counts, sub, right)
                    for prime, sub in node.elements()
                )
        return _lifted(counts, function, total)

    def _from_the_leaves(self, function: Any) -> Iterator[Any]:
        """Every node once, after those it is made of."""
        done: set[int] = set()
        todo = [(function, False)]
        while todo:
            node, ready = todo.pop()
            if node.id in done:
                continue
            if ready or not node.is_decision():
                done.add(node.id)
                yield node
                continue
            todo.append((node, True))
            todo += [(part, False) for element in node.elements() for part in element if part.id not in done]

    def pick(self, function: Any, variables: Sequence[Variable]) -> dict[Variable, bool] | None:
        if function == self.false:
            return None
        found = dict.fromkeys(variables, False)
        todo = [function]
        while todo:
            node = todo.pop()
            if node.is_literal():
                found[abs(node.literal) - 1] = node.literal > 0
            elif node.is_decision():
                todo += next(element for element in node.elements() if not element[1].is_false())
        return {variable: found[variable] for variable in variables}

    def branches(self, function: Any) -> tuple[Variable, Any, Any]:
        variable = next(abs(node.literal) for node in self._from_the_leaves(function) if node.is_literal())
        manager = self._manager
        return variable - 1, manager.condition(-variable, function), manager.condition(variable, function)

    def support(self, function: Any) -> frozenset[Variable]:
        nodes = self._from_the_leaves(function)
        return frozenset(abs(node.literal) - 1 for node in nodes if node.is_literal())

    # -- sizes -----------------------------------------------------------------------------------------

    def size(self, function: Any) -> int:
        return max(1, int(function.count()))

    def nodes(self) -> int:
        return int(self._manager.live_count() + self._manager.dead_count())

    def order(self) -> list[Variable]:
        return [variable - 1 for variable in self._manager.var_order()]

    def vtree(self) -> Vtree:
        """The vtree as it is now."""
        return _read(self._manager.vtree())

    def decisions(self, function: Any) -> Iterator[tuple[Any, int, list[tuple[Any, Any]]]]:
        """The decision nodes from the leaves: each with its place in the vtree, and its elements."""
        for node in self._from_the_leaves(function):
            if node.is_decision():
                yield node, int(node.vtree().position()), node.elements()

    # -- garbage and better vtrees ----------------------------------------------------------------------

    def _tidy(self) -> None:
        manager = self._manager
        if manager.dead_count() > max(_MUCH_GARBAGE, manager.live_count()):
            manager.garbage_collect()
        if self._minimise != "off" and manager.live_size() > self._minimise_from:
            self.minimise()

    def details(self) -> dict[str, str | int]:
        return {"minimise": self._minimise, "minimisations": self.minimisations}

    def minimise(self) -> None:
        """Look for a better vtree now."""
        manager = self._manager
        if self._minimise == "l-subtrees":
            self._minimise_left_subtrees()
        else:
            manager.minimize_limited()
        self.minimisations += 1
        self._minimise_from = max(_SMALL, int(_GROWTH * manager.live_size()))

    def _minimise_left_subtrees(self) -> None:
        """Inside each left subtree along the right spine; where they hang stays as it is."""
        here = self._manager.vtree()
        while not here.is_leaf():
            if not here.left().is_leaf():
                better = self._manager.vtree_minimize(here.left())
                better.is_ref = True  # the manager's, not Python's: `pysdd` 1.0 would free it
            here = here.right()


def _deepen_stack() -> None:
    """More stack for the main thread, where the system allows it."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_STACK)
        if soft != resource.RLIM_INFINITY and soft < _STACK:
            most = _STACK if hard == resource.RLIM_INFINITY else min(hard, _STACK)
            resource.setrlimit(resource.RLIMIT_STACK, (most, hard))


def _lifted(counts: Mapping[int, int], node: Any, variables: int) -> int:
    """The models of a node over so many variables, those of its vtree among them."""
    if node.is_false():
        return 0
    if node.is_true():
        return 1 << variables
    if node.is_literal():
        return 1 << (variables - 1)
    return counts[node.id] << (variables - int(node.vtree().var_count()))


def _native(tree: Vtree) -> NativeVtree:
    """The library reads vtrees from files only."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "variables.vtree"
        path.write_text(written(tree))
        return NativeVtree.from_file(str(path))


def _read(native: Any) -> Vtree:
    todo: list[tuple[Any, bool]] = [(native, False)]
    built: list[Vtree] = []
    while todo:
        node, ready = todo.pop()
        if node.is_leaf():
            built.append(node.var() - 1)
        elif ready:
            right, left = built.pop(), built.pop()
            built.append(Branch(left, right))
        else:
            todo += [(node, True), (node.right(), False), (node.left(), False)]
    return built[0]
