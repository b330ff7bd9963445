"""Tests with clusters of processes: the rest of them run only when asked for, `make cluster`."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator

import pytest

#: All that a cluster must do is tested elsewhere with few models; here are more of them, and more accidents.
LENGTHY = ("test_at_length", "test_faults", "test_fleet")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if os.environ.get("KNOWER_CLUSTER"):
        return
    for item in items:
        if item.path.parent.name == "cluster" and item.path.stem in LENGTHY:
            item.add_marker(
                pytest.mark.skip(reason="takes a minute: KNOWER_CLUSTER=1 (make cluster) runs it")
            )


@pytest.fixture(scope="module", autouse=True)
def collected() -> Iterator[None]:
    """What dask leaves behind is collected here, not in the tests of others."""
    yield
    gc.collect()
