"""Calls about the server itself and the files of its folder."""

from __future__ import annotations

from knower.engine.registry import engines, methods
from knower.options import AtlReading, DeadlockPolicy
from knower.studio import wire
from knower.studio.folder import Conflict, Draft
from knower.studio.workbench import Refused, Tell, Visit, refused


async def hello(visit: Visit, args: wire.Nothing, tell: Tell) -> wire.Hello:
    """What the server is and has."""
    from knower import __version__

    bench = visit.workbench
    return {
        "version": wire.VERSION,
        "knower": __version__,
        "root": bench.folder.root.name or str(bench.folder.root),
        "first": bench.first,
        "files": await visit.aside(bench.folder.files),
        "drafts": await visit.aside(bench.folder.drafts),
        "engines": list(engines()),
        "methods": list(methods()),
        "readings": ["auto", *(each.value for each in AtlReading)],
        "deadlocks": [each.value for each in DeadlockPolicy],
        "seconds": bench.most.seconds or 0.0,
    }


async def files(visit: Visit, args: wire.Nothing, tell: Tell) -> wire.Files:
    """The model files there are."""
    return {"files": await visit.aside(visit.workbench.folder.files)}


async def read(visit: Visit, args: wire.Path, tell: Tell) -> wire.FileText:
    """A file and its draft."""
    folder, path = visit.workbench.folder, args["path"]
    draft = await visit.aside(lambda: folder.draft(path))
    is_new = draft is not None and folder.hash(path) is None
    text, found = ("", None) if is_new else await visit.aside(lambda: folder.read(path))
    kept: wire.DraftText | None = None if draft is None else {"text": draft.text, "base": draft.base}
    return {"path": path, "text": text, "hash": found, "draft": kept}


async def hash_of(visit: Visit, args: wire.Path, tell: Tell) -> wire.Saved:
    """What a file is now: a page asks when it is looked at again."""
    return {"hash": await visit.aside(lambda: visit.workbench.folder.hash(args["path"]))}


async def save(visit: Visit, args: wire.Save, tell: Tell) -> wire.Saved:
    """Write a file that is still what it was, and forget its draft."""
    folder = visit.workbench.folder

    def write() -> str:
        made = folder.write(args["path"], args["text"], args["hash"])
        folder.keep_draft(args["path"], None)
        return made

    try:
        return {"hash": await visit.aside(write)}
    except Conflict as conflict:
        failure = refused("conflict", str(conflict), "compare both, then keep one").failure
        raise Refused({**failure, "found": conflict.found}) from None


async def draft(visit: Visit, args: wire.KeepDraft, tell: Tell) -> wire.Nothing:
    """Keep what was typed, or forget it."""
    given = args["draft"]
    kept = None if given is None else Draft(given["text"], given["base"])
    await visit.aside(lambda: visit.workbench.folder.keep_draft(args["path"], kept))
    return {}
