"""One studio and one browser for the tests of a module."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from studio.studios import EXAMPLES, Page, Studio, Talk, chromium, need_page, studio_of, talk_with


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of models that tests may change."""
    folder = tmp_path_factory.mktemp("studio") / "models"
    shutil.copytree(EXAMPLES, folder, ignore=shutil.ignore_patterns("*.ipynb", "*.py", "__pycache__"))
    return folder


@pytest.fixture(scope="module")
def studio(models: Path) -> Iterator[Studio]:
    need_page()
    with studio_of(models, models.parent, place="bit_transmission_faulty.ispl") as made:
        yield made


@pytest.fixture
def talk(studio: Studio) -> Iterator[Talk]:
    with talk_with(studio) as made:
        yield made


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    made = chromium()
    yield made
    made.quit()


@pytest.fixture
def page(browser: Any) -> Page:
    made = Page(browser)
    made.size(1280)
    return made
