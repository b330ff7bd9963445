"""The models of one folder: listed, read, and written back only where nobody has changed them meanwhile."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from hashlib import sha256
from itertools import islice
from pathlib import Path

from knower.errors import UsageError
from knower.files import write_file
from knower.records import dataclass
from knower.sources import read_source
from knower.studio.residence import private_folder, state_folder, write_private

#: So many files are listed, so deep in the folder; so large may they be.
_MOST_FILES, _DEEPEST, _LARGEST = 2_000, 6, 4_000_000
_SUFFIX = ".ispl"


class Conflict(Exception):
    """The file is not what it was when it was read; `hash` is what it is now, None where it is gone."""

    def __init__(self, found: str | None) -> None:
        super().__init__("the file was changed by somebody else meanwhile")
        self.found = found


@dataclass(frozen=True)
class Draft:
    """A text that was not saved, and the hash of the file it began from."""

    text: str
    base: str | None


@dataclass(frozen=True)
class Folder:
    """A root, and the model files below it. No path leads out of it, by dots or by symbolic links."""

    root: Path

    def files(self) -> list[str]:
        """The models there are, by path from the root."""
        return sorted(self._walk())

    def _walk(self) -> Iterator[str]:
        count = 0
        for where, folders, names in os.walk(self.root):
            here = Path(where).relative_to(self.root)
            deep = len(here.parts) >= _DEEPEST
            folders[:] = [] if deep else sorted(each for each in folders if not each.startswith("."))
            for name in sorted(names):
                if name.endswith(_SUFFIX) and not name.startswith(".") and self._is_inside(Path(where, name)):
                    yield (here / name).as_posix()
                    count += 1
                    if count >= _MOST_FILES:
                        return

    def _is_inside(self, path: Path) -> bool:
        return path.resolve().is_relative_to(self.root.resolve())

    def _place(self, path: str) -> Path:
        """Where a path leads, through all symbolic links; raises `UsageError` if that is outside."""
        if not path or "\0" in path or Path(path).is_absolute():
            raise UsageError("E602", "a path from the folder of Studio is needed")
        place = (self.root / path).resolve()
        if not place.is_relative_to(self.root.resolve()):
            raise UsageError("E602", f"{path} is outside of the folder of Studio")
        if place.suffix != _SUFFIX:
            raise UsageError("E602", f"{path} is no model", f"models are files named *{_SUFFIX}")
        return place

    def read(self, path: str) -> tuple[str, str]:
        """The text of a model and the hash of the file."""
        place = self._place(path)
        if place.is_file() and place.stat().st_size > _LARGEST:
            raise UsageError("E602", f"{path} is too large for an editor")
        return read_source(place).text, _hash(place) or ""

    def hash(self, path: str) -> str | None:
        """What the file is now; None where there is none."""
        return _hash(self._place(path))

    def write(self, path: str, text: str, known: str | None) -> str:
        """Replace what has the known hash (None: make a new file); its new hash. Raises `Conflict`."""
        place = self._place(path)
        found = _hash(place)
        if found != known:
            raise Conflict(found)
        write_file(place, text)
        return _hash(place) or ""

    # -- drafts -----------------------------------------------------------------------------------------

    def draft(self, path: str) -> Draft | None:
        """What was typed and not saved."""
        try:
            data = json.loads(self._draft_place(path).read_text(encoding="utf-8"))
            return Draft(str(data["text"]), data["base"])
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def keep_draft(self, path: str, draft: Draft | None) -> None:
        """Keep a draft, or forget the one there is."""
        place = self._draft_place(path)
        if draft is None:
            place.unlink(missing_ok=True)
        elif len(draft.text) <= _LARGEST:
            write_private(place, json.dumps({"path": path, "text": draft.text, "base": draft.base}))

    def drafts(self) -> list[str]:
        """The files of this folder that have drafts, whether they are there or not yet."""
        found = islice(self._draft_folder().glob("*.json"), _MOST_FILES)
        return sorted(path for path in map(self._path_of_draft, found) if path is not None)

    def _path_of_draft(self, place: Path) -> str | None:
        """What a draft is of; None if that is no file of this folder."""
        try:
            path = str(json.loads(place.read_text(encoding="utf-8"))["path"])
            return path if self._draft_place(path) == place else None
        except (OSError, ValueError, KeyError, TypeError, UsageError):
            return None

    def _draft_folder(self) -> Path:
        return private_folder(state_folder() / "drafts")

    def _draft_place(self, path: str) -> Path:
        name = sha256(str(self._place(path)).encode()).hexdigest()[:32]
        return self._draft_folder() / f"{name}.json"


def _hash(place: Path) -> str | None:
    try:
        return sha256(place.read_bytes()).hexdigest()
    except FileNotFoundError:
        return None
