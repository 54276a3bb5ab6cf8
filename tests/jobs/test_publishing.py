"""One run at a time, one pointer, and nothing left of a run that failed."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from jobs import publishing
from jobs.errors import InputError, OutputBusyError
from jobs.publishing import (
    CURRENT,
    LOCK,
    current,
    current_run,
    exclusive,
    new_run,
    publish,
    removed_on_failure,
    write_manifest,
)
from jobs.storage import LocalStorage

EARLIER, FASTER = "20260131T100000Z-0a1b2c", "20260131T100001Z-3d4e5f"


@pytest.fixture
def storage(tmp_path: Path) -> LocalStorage:
    return LocalStorage(str(tmp_path))


def _dead_process() -> int:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def _hold(storage: LocalStorage, **values: Any) -> None:
    holder = {
        "run_id": EARLIER,
        "host": socket.gethostname(),
        "pid": os.getpid(),
        "process": "of another process",
        "started_at": "2026-01-31T10:00:00+00:00",
        **values,
    }
    storage.create(LOCK, json.dumps(holder))


def test_run_ids_sort_by_time_and_differ(storage: LocalStorage) -> None:
    first, second = new_run(storage), new_run(storage)
    assert first.run_id != second.run_id
    assert first.run_id[:15] <= second.run_id[:15]
    assert first.run_id.startswith(f"{first.started:%Y%m%dT%H%M%SZ}-")


def test_publishing_moves_the_pointer(storage: LocalStorage) -> None:
    assert current(storage) is None
    assert current_run(storage) is None
    for _ in range(2):
        run = new_run(storage)
        publish(run, {"status": "published"})
        found = current(storage)
        assert found is not None
        assert (found["run_id"], found["path"]) == (run.run_id, f"runs/{run.run_id}")
        assert json.loads(storage.read(found["manifest"]) or "") == {"status": "published"}
        assert current_run(storage) == run


def test_the_pointer_is_written_last(storage: LocalStorage, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []
    monkeypatch.setattr(LocalStorage, "replace", lambda self, name, text: written.append(name))
    publish(new_run(storage), {})
    assert len(written) == 2
    assert written[-1] == CURRENT


def test_a_second_run_is_told_who_holds_the_output(storage: LocalStorage) -> None:
    with exclusive(new_run(storage)) as _:
        holder = json.loads(storage.read(LOCK) or "")
        with pytest.raises(OutputBusyError) as raised, exclusive(new_run(storage)):
            pytest.fail("two runs at once")
        for words in (holder["run_id"], f"process {os.getpid()}", socket.gethostname(), storage.path(LOCK)):
            assert words in str(raised.value)
        assert json.loads(storage.read(LOCK) or "") == holder
    assert storage.read(LOCK) is None


def test_the_lock_goes_whatever_happens(storage: LocalStorage) -> None:
    with pytest.raises(KeyboardInterrupt), exclusive(new_run(storage)):
        raise KeyboardInterrupt
    assert storage.read(LOCK) is None


@pytest.mark.parametrize("pid", ["gone", "mine"])
def test_a_dead_run_is_taken_over_and_its_rest_removed(storage: LocalStorage, pid: str) -> None:
    _hold(storage, pid=_dead_process() if pid == "gone" else os.getpid())
    storage.replace(f"runs/{EARLIER}/_staging/table=chunks/part-0", "unfinished")
    storage.replace("runs/good/manifest.json", "{}")
    with exclusive(new_run(storage)):
        assert storage.sizes(f"runs/{EARLIER}") == []
        assert storage.read("runs/good/manifest.json") == "{}"
    assert [path.name for path in Path(storage.root).iterdir()] == ["runs"]


@pytest.mark.parametrize("holder", [{"host": "elsewhere", "pid": 1}, {"pid": os.getppid()}])
def test_a_run_that_may_be_alive_is_left_alone(storage: LocalStorage, holder: dict[str, Any]) -> None:
    _hold(storage, **holder)
    with pytest.raises(OutputBusyError), exclusive(new_run(storage)):
        pytest.fail("took over a living run")


@pytest.mark.parametrize("text", ["", "{", "[]"])
def test_a_lock_that_is_just_being_written_counts(storage: LocalStorage, text: str) -> None:
    storage.create(LOCK, text)
    with pytest.raises(OutputBusyError, match="another run"), exclusive(new_run(storage)):
        pytest.fail("took over a lock without a holder")


@pytest.mark.parametrize("text", ["", "{", "[]"])
def test_an_old_lock_that_names_nobody_is_taken_over(
    storage: LocalStorage, text: str, caplog: pytest.LogCaptureFixture
) -> None:
    storage.create(LOCK, text)
    os.utime(storage.path(LOCK), (0, 0))
    with exclusive(new_run(storage)) as _:
        assert "run_id" in json.loads(storage.read(LOCK) or "")
    assert "is taken over" in caplog.text
    assert list(Path(storage.root).iterdir()) == []


@pytest.mark.parametrize("text", ["", '{"run_id": "x', "{}", "[]", '{"run_id": 1, "path": "a", "published_at": "b"}'])
def test_a_damaged_pointer_says_what_to_do(storage: LocalStorage, text: str) -> None:
    storage.replace(CURRENT, text)
    for read in (current, current_run):
        with pytest.raises(InputError, match=r"current\.json is damaged.*Delete it"):
            read(storage)


def test_a_pointer_without_a_time_is_damaged_too(storage: LocalStorage) -> None:
    storage.replace(CURRENT, '{"run_id": "r", "path": "runs/r", "published_at": "b", "started_at": "b"}')
    with pytest.raises(InputError, match="is damaged"):
        current_run(storage)


@pytest.mark.parametrize(
    "holder",
    [
        {"run_id": ""},
        {"run_id": "../elsewhere"},
        {"run_id": "good"},
        {"run_id": 7},
        {"pid": "abc"},
        {"pid": 1 << 40},
        {"pid": 0},
        {"pid": None},
    ],
)
def test_a_lock_that_names_no_run_removes_nothing(storage: LocalStorage, holder: dict[str, Any]) -> None:
    storage.replace("runs/good/chunks/part-0", "kept")
    _hold(storage, **{"pid": _dead_process(), **holder})
    with pytest.raises(OutputBusyError, match="another run"), exclusive(new_run(storage)):
        pytest.fail("took over a young lock")
    os.utime(storage.path(LOCK), (0, 0))
    with exclusive(new_run(storage)):
        assert storage.read("runs/good/chunks/part-0") == "kept"


def test_of_two_who_take_over_one_wins(storage: LocalStorage, monkeypatch: pytest.MonkeyPatch) -> None:
    _hold(storage, pid=_dead_process())
    seen = publishing._is_dead

    def other_was_faster(holder: dict[str, Any]) -> bool:
        dead = seen(holder)
        storage.delete(LOCK)
        _hold(storage, run_id=FASTER, host="elsewhere")
        return dead

    monkeypatch.setattr(publishing, "_is_dead", other_was_faster)
    with pytest.raises(OutputBusyError, match=f"run {FASTER}"), exclusive(new_run(storage)):
        pytest.fail("two runs at once")
    assert json.loads(storage.read(LOCK) or "")["run_id"] == FASTER


def test_a_failed_run_leaves_nothing_unless_it_says_why(storage: LocalStorage) -> None:
    silent, rejected = new_run(storage), new_run(storage)
    for run in (silent, rejected):
        storage.replace(run.name("documents/part-0"), "x")
    with pytest.raises(ValueError, match="broken"), removed_on_failure(silent):
        raise ValueError("broken")
    write_manifest(rejected, {"status": "rejected"})
    with pytest.raises(ValueError, match="broken"), removed_on_failure(rejected):
        raise ValueError("broken")
    assert storage.sizes(f"runs/{silent.run_id}") == []
    assert len(storage.sizes(f"runs/{rejected.run_id}")) == 2


@pytest.mark.parametrize("refusals", [2, 9])
def test_what_went_wrong_is_raised_also_when_the_folder_stays(
    storage: LocalStorage, monkeypatch: pytest.MonkeyPatch, refusals: int
) -> None:
    """Tasks of a server that are being stopped write into the folder while it is removed."""
    monkeypatch.setattr("jobs.publishing._PAUSES", (0, 0, 0))
    run, asked = new_run(storage), []
    storage.replace(run.name("documents/part-0"), "x")

    def refuse(name: str) -> None:
        asked.append(name)
        if len(asked) <= refusals:
            raise OSError("Directory not empty")
        LocalStorage.delete(storage, name)

    monkeypatch.setattr(storage, "delete", refuse)
    with pytest.raises(ValueError, match="broken"), removed_on_failure(run):
        raise ValueError("broken")
    assert (storage.sizes(f"runs/{run.run_id}") == []) is (refusals == 2)
