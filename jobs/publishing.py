"""Runs below one output: a folder each, one pointer to the current one, one run at a time.

<output>/current.json          which run is current; replaced last
<output>/_running.json         there while a run is writing
<output>/runs/<run_id>/        complete when it has a manifest.json
"""

from __future__ import annotations

import json
import logging
import os
import re
import secrets
import socket
import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from jobs.errors import InputError, OutputBusyError
from jobs.storage import Storage

CURRENT, LOCK, MANIFEST = "current.json", "_running.json", "manifest.json"

_THIS_PROCESS = uuid.uuid4().hex
"""Tells this process from an earlier one with the same number, as containers give them."""

_RUN_ID = re.compile(r"\d{8}T\d{6}Z-[0-9a-f]{6}")
_PIDS = 1 << 31

_SECONDS_TO_WRITE_A_LOCK = 60
_PAUSES = (0.1, 0.5, 2.0)
"""Seconds between tries to remove what a stopped run wrote."""

log = logging.getLogger("chunkmill")


@dataclass(frozen=True)
class Run:
    """One run's folder."""

    storage: Storage
    run_id: str
    started: datetime

    def name(self, part: str) -> str:
        """The name in the storage of a part of the run: `chunks`, `manifest.json`."""
        return f"runs/{self.run_id}/{part}"

    def path(self, part: str) -> str:
        return self.storage.path(self.name(part))

    @property
    def folder(self) -> str:
        return self.storage.path(f"runs/{self.run_id}")


def new_run(storage: Storage) -> Run:
    """A run with an id that sorts by time: `20260131T235959Z-1a2b3c`."""
    started = datetime.now(UTC)
    return Run(storage, f"{started:%Y%m%dT%H%M%SZ}-{secrets.token_hex(3)}", started)


def current(storage: Storage) -> dict[str, Any] | None:
    """What `current.json` says: `run_id`, `path`, `published_at`; None before the first run.

    Raises InputError when it is damaged.
    """
    text = storage.read(CURRENT)
    if text is None:
        return None
    found = _parsed(text)
    if not all(isinstance(found.get(name), str) for name in ("run_id", "path", "published_at")):
        raise _damaged(storage)
    return found


def current_run(storage: Storage) -> Run | None:
    """The run that is current; raises InputError when `current.json` is damaged."""
    found = current(storage)
    if found is None:
        return None
    try:
        return Run(storage, found["run_id"], datetime.fromisoformat(found["started_at"]))
    except (KeyError, TypeError, ValueError) as error:
        raise _damaged(storage) from error


def _damaged(storage: Storage) -> InputError:
    return InputError(
        f"{storage.path(CURRENT)} is damaged: it does not say which run is current. Delete it and run again: "
        "that run then counts every chunk as added."
    )


def publish(run: Run, manifest: Mapping[str, Any]) -> None:
    """Make a complete run the current one."""
    write_manifest(run, manifest)
    pointer = {
        "run_id": run.run_id,
        "path": f"runs/{run.run_id}",
        "started_at": run.started.isoformat(),
        "published_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "manifest": run.name(MANIFEST),
    }
    run.storage.replace(CURRENT, as_json(pointer))


def write_manifest(run: Run, manifest: Mapping[str, Any]) -> None:
    run.storage.replace(run.name(MANIFEST), as_json(manifest))


def as_json(values: Mapping[str, Any]) -> str:
    return json.dumps(values, indent=2, ensure_ascii=False, default=str) + "\n"


@contextmanager
def exclusive(run: Run) -> Iterator[None]:
    """Keep other runs off the output; what an unfinished run left behind is removed.

    Raises OutputBusyError while another run is writing. A run whose process died on this machine does
    not count, nor does a lock that has named nobody for a minute, as a full disk leaves it.
    """
    holder = {
        "run_id": run.run_id,
        "host": socket.gethostname(),
        "pid": os.getpid(),
        "process": _THIS_PROCESS,
        "started_at": run.started.isoformat(timespec="seconds"),
    }
    if not run.storage.create(LOCK, as_json(holder)):
        _take_over(run)
        if not run.storage.create(LOCK, as_json(holder)):
            raise _busy(run.storage, run.storage.read(LOCK))
    try:
        yield
    finally:
        run.storage.delete(LOCK)


@contextmanager
def removed_on_failure(run: Run) -> Iterator[None]:
    """Remove the run's folder when something goes wrong before it has a manifest.

    What went wrong is what is raised, also when the folder can't be removed.
    """
    try:
        yield
    except BaseException:
        try:
            if run.storage.read(run.name(MANIFEST)) is None:
                _remove(run)
        except Exception as error:
            log.warning("%s could not be removed: %s", run.folder, error)
        raise


def _remove(run: Run) -> None:
    """Remove the run's folder; tasks that are being stopped may write into it for a moment."""
    for pause in _PAUSES:
        try:
            run.storage.delete(f"runs/{run.run_id}")
            return
        except Exception as error:
            log.debug("%s could not be removed yet", run.folder, exc_info=error)
            time.sleep(pause)
    run.storage.delete(f"runs/{run.run_id}")


def _take_over(run: Run) -> None:
    """Put a dead run's lock aside, so that of several who want to only one succeeds."""
    text = run.storage.read(LOCK)
    holder = _holder(text)
    if text is None:
        return
    if not (_is_dead(holder) if "run_id" in holder else _is_old(run.storage)):
        raise _busy(run.storage, text)
    aside = f"{LOCK}.{run.run_id}"
    if not run.storage.rename(LOCK, aside):
        return
    if run.storage.read(aside) != text:
        run.storage.rename(aside, LOCK)
        raise _busy(run.storage, run.storage.read(LOCK))
    run.storage.delete(aside)
    if "run_id" not in holder:
        log.warning("%s named no run and was old: it is taken over.", run.storage.path(LOCK))
        return
    log.warning("The run %s died without finishing; its lock is taken over.", holder["run_id"])
    left = Run(run.storage, holder["run_id"], run.started)
    if run.storage.read(left.name(MANIFEST)) is None:
        run.storage.delete(f"runs/{left.run_id}")


def _holder(text: str | None) -> dict[str, Any]:
    """Who holds a lock; empty when it names nobody: what it says decides about what is removed."""
    found = _parsed(text)
    run_id, pid = found.get("run_id"), found.get("pid")
    is_run = isinstance(run_id, str) and _RUN_ID.fullmatch(run_id)
    return found if is_run and isinstance(pid, int) and 0 < pid < _PIDS else {}


def _parsed(text: str | None) -> dict[str, Any]:
    """What a lock or `current.json` says; empty when it is damaged or only just being written."""
    try:
        found = json.loads(text or "{}")
    except json.JSONDecodeError:
        return {}
    return found if isinstance(found, dict) else {}


def _is_old(storage: Storage) -> bool:
    """Whether the lock has been there for longer than it takes to write it."""
    modified = storage.modified(LOCK)
    return modified is not None and time.time() - modified > _SECONDS_TO_WRITE_A_LOCK


def _is_dead(holder: Mapping[str, Any]) -> bool:
    """Whether the process was one of this machine and is gone."""
    if not {"run_id", "pid", "process"} <= holder.keys() or holder.get("host") != socket.gethostname():
        return False
    if holder["pid"] == os.getpid():
        return bool(holder["process"] != _THIS_PROCESS)
    try:
        os.kill(holder["pid"], 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False


def _busy(storage: Storage, text: str | None) -> OutputBusyError:
    holder = _holder(text)
    who = (
        f"run {holder['run_id']}, process {holder['pid']} on {holder['host']}, since {holder['started_at']}"
        if {"run_id", "pid", "host", "started_at"} <= holder.keys()
        else "another run"
    )
    return OutputBusyError(
        f"{storage.root} is being written to by {who}. Wait until that run is done; if it is dead, "
        f"delete {storage.path(LOCK)} and run again."
    )
