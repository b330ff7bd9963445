"""Marks the tests that `make quick` leaves out."""

from __future__ import annotations

from pathlib import Path

import pytest

from slow import SLOW

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if _is_slow(item):
            item.add_marker(pytest.mark.slow)


def _is_slow(item: pytest.Item) -> bool:
    place = item.path.relative_to(HERE).as_posix()
    test = f"{place}::{getattr(item, 'originalname', item.name)}"
    return any(slow in (place, test) or place.startswith(f"{slow}/") for slow in SLOW)
