"""Tests that start clusters of processes run only when asked for: `make cluster`."""

from __future__ import annotations

import os

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if os.environ.get("KNOWER_CLUSTER"):
        return
    for item in items:
        if item.path.parent.name == "cluster" and item.path.stem in ("test_cluster", "test_worker"):
            item.add_marker(
                pytest.mark.skip(reason="starts processes: KNOWER_CLUSTER=1 (make cluster) runs it")
            )
