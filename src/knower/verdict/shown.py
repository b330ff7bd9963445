"""Values that can be looked at: by functions of `report`, which are found by name when somebody looks.

A value knows nothing of reports, and reports import values: so the place of a function is written
`module:name`, as the table of engines writes it. Notebooks call `_repr_html_` of what a cell gives.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, ClassVar


def shown(place: str, value: object, **options: object) -> Any:
    """What a function of `report` makes of a value."""
    module, _, name = place.partition(":")
    return getattr(import_module(f"knower.report.{module}"), name)(value, **options)


class Shown:
    """A value with a picture of it for notebooks; `_html` is the place of what draws it."""

    __slots__ = ()
    _html: ClassVar[str]

    def _repr_html_(self) -> str:
        return str(shown(self._html, self))
