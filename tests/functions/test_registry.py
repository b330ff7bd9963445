"""The libraries of decision diagrams, by name."""

from __future__ import annotations

import pytest

from knower.functions.registry import new_space
from knower.options import LIBRARIES


@pytest.mark.parametrize("name", ["sylvan", "sdd", "CUDD", "auto", ""])
def test_an_unknown_library_is_refused(name: str) -> None:
    known = ", ".join(library for library in LIBRARIES if library != "auto")
    with pytest.raises(ValueError, match=f"{name!r}; known: {known}"):
        new_space(name, [(0,)])
