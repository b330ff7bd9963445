"""Where expressions are read, and what names mean there."""

from __future__ import annotations

from knower.records import dataclass
from knower.syntax.template import Bind
from knower.templates.mistakes import Mistake
from knower.templates.scope import Member, World
from knower.templates.values import Environment


@dataclass(frozen=True)
class Reading:
    """Where expressions are read: by an agent, whose own variables are bare names, or by nobody.

    `is_formula`: bare names are propositions. `qualified`: it is read for others, who name the agent.
    """

    world: World
    reader: Member | None = None
    is_formula: bool = False
    qualified: bool = False

    def means(self, name: str) -> str | None:
        """What a name is here already, in words."""
        found = None if self.reader is None else self.reader.means(name)
        if found is None and self.reader is None and name in self.world.taken:
            return "an agent, a group, a proposition or a label"
        return found

    def refuse(self, bind: Bind, env: Environment) -> None:
        """Raise where a bound name means something already."""
        found = self.means(bind.name.text)
        if found is not None:
            message = f"`{bind.name.text}` is {found} here already"
            raise Mistake("E210", message, bind.name.span, "choose another name")
