"""Propositions, groups, fairness and formulas in plain ISPL; formulas that MCMAS lacks become comments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from knower.expansion.formulas import Spelling, formula_text, lacking, without_duals
from knower.expansion.naming import described
from knower.expansion.work import Work
from knower.logic.group import Group, GroupRef
from knower.logic.language import Specification
from knower.source import NOWHERE
from knower.syntax.printing import print_specification
from knower.system.expressions import Condition, Truth

#: A group whose name would be longer gets a number.
_READABLE = 40


class Questions:
    """Writes formulas, and remembers which propositions and groups they need."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self._named: dict[str, str] = {}
        self._constants: dict[bool, str] = {}
        self._groups: dict[Group, str] = {}
        for name, members in reversed(list(work.system.groups.items())):
            self._groups[Group(members)] = work.names.outer(name)
        self._declared = set(self._groups.values())
        self._spelling = Spelling(self._atom, work.names.outer, self._group, self._constant)

    # -- formulas -----------------------------------------------------------------------------------------

    def fairness(self) -> Iterator[str]:
        for spec in self.work.system.fairness:
            plain = replace(spec, body=without_duals(spec.body))
            missing = lacking(plain)
            if missing is None:
                yield formula_text(plain, self._spelling) + ";"
            else:
                message = f"MCMAS has no fairness constraint with {missing}"
                cure = "say it with a proposition, or with another formula"
                self.work.refuse("E419", message, spec.span or NOWHERE, cure)

    def formulae(self) -> Iterator[tuple[str, bool]]:
        """Lines, each with whether it is a formula; the others are comments."""
        for spec in self.work.system.formulae:
            note = _note(spec)
            if note:
                yield note, False
            missing = lacking(spec)
            if missing is None:
                yield self.work.line(formula_text(spec, self._spelling) + ";", spec.span or NOWHERE), True
            else:
                yield f"-- left out, it has {missing}: {self._original(spec)};", False

    def _original(self, spec: Specification) -> str:
        return print_specification(spec, frozenset(self.work.system.propositions))

    # -- what they speak of ---------------------------------------------------------------------------------

    def _atom(self, name: str) -> str:
        if name not in self.work.system.unnamed:
            return self.work.names.outer(name)
        if name not in self._named:
            number = len(self._named) + 1
            self._named[name] = self.work.names.fresh(described(name) or f"condition_{number}")
        return self._named[name]

    def _constant(self, value: bool) -> str:
        if value not in self._constants:
            self._constants[value] = self.work.names.fresh("always" if value else "never")
        return self._constants[value]

    def _group(self, group: GroupRef) -> str:
        if isinstance(group, str):
            return self.work.names.outer(group)
        if group not in self._groups:
            self._groups[group] = self.work.names.fresh(self._described(group))
        return self._groups[group]

    def _described(self, group: Group) -> str:
        if len(group.members) < 2:
            return f"only_{self.work.names.outer(group.members[0])}" if group.members else "nobody"
        whole = "_and_".join(map(self.work.names.outer, group.members))
        return whole if len(whole) <= _READABLE else f"group_{len(self._groups) + 1}"

    @property
    def groups(self) -> Mapping[str, tuple[str, ...]]:
        """Names and members of the groups that were added."""
        added = {name: group.members for group, name in self._groups.items()}
        return {name: members for name, members in added.items() if name not in self._declared}

    @property
    def conditions(self) -> Iterator[tuple[str, Condition, str]]:
        """Propositions that were added: their names, conditions, and what they are in the text."""
        for text, name in self._named.items():
            yield name, self.work.system.looked_at[text], text
        for value, name in self._constants.items():
            yield name, Truth(value), str(value).lower()


def _note(spec: Specification) -> str:
    """The label and what is expected, as a comment."""
    entry = spec.entry
    parts = [f"{entry.name}:"] if entry.name else []
    parts += [f"expect {entry.expected}"] if entry.expected else []
    parts += [f'"{entry.because}"'] if entry.because else []
    return f"-- {' '.join(parts)}".rstrip(":") if parts else ""
