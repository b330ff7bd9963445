"""Files are written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from knower import InputError
from knower import files as written
from knower.files import write_file


def test_a_file_is_made_and_replaced(tmp_path: Path) -> None:
    path = tmp_path / "page"
    write_file(path, "one")
    made = path.stat().st_mode
    path.chmod(0o640)
    write_file(str(path), b"two")
    assert (path.read_text(), path.stat().st_mode & 0o777) == ("two", 0o640)
    plain = tmp_path / "plain"
    plain.touch()
    assert made == plain.stat().st_mode, "as the umask says"
    assert {each.name for each in tmp_path.iterdir()} == {"page", "plain"}


def test_links_are_followed(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    link = tmp_path / "link"
    link.symlink_to("folder/page")
    for text in ("one", "two"):
        write_file(link, text)
        assert link.is_symlink() and (tmp_path / "folder" / "page").read_text() == text


def test_files_of_others_stay(tmp_path: Path) -> None:
    neighbour = tmp_path / "page.tmp~"
    neighbour.write_text("mine")
    write_file(tmp_path / "page", "one")
    assert neighbour.read_text() == "mine"


@pytest.mark.parametrize("failure", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_failure_leaves_all_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failure: BaseException
) -> None:
    path = tmp_path / "page"
    path.write_text("before")

    def fails(*_: object) -> None:
        raise failure

    monkeypatch.setattr(Path, "replace", fails)
    with pytest.raises((InputError, KeyboardInterrupt)):
        write_file(path, "after")
    assert path.read_text() == "before"
    assert [each.name for each in tmp_path.iterdir()] == ["page"]


def test_a_folder_that_takes_no_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "page"
    path.write_text("what was here before")

    def refused(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(written, "_replace", refused)
    write_file(path, "after")
    assert path.read_text() == "after"
    with pytest.raises(InputError, match="E608"):
        write_file(tmp_path / "new", "text")


@pytest.mark.parametrize("path", ["", "no/such/folder", ".", "zero\0byte", "/dev/fd/999"])
def test_what_cannot_be_written(path: str) -> None:
    with pytest.raises(InputError, match="E608"):
        write_file(path, "text")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names")
def test_what_is_no_file_is_written_to(tmp_path: Path) -> None:
    fifo = tmp_path / "pipe"
    os.mkfifo(fifo)
    reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    write_file(fifo, "text")
    assert os.read(reader, 10) == b"text" and fifo.is_fifo()
    os.close(reader)
    write_file("/dev/null", "text")
    assert Path("/dev/null").is_char_device()
