"""SIGTERM ends a run as any error does: its lock and its folder go."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path
from typing import Any, cast

import pytest

from jobs.publishing import exclusive, new_run, removed_on_failure
from jobs.storage import LocalStorage
from jobs.termination import jobs_stopped_on_exit, sigterm_as_exit


class Session:
    """What is asked of a Spark session."""

    _jvm = object()

    def __init__(self) -> None:
        self.sparkContext = self
        self.cancelled = 0

    def cancelAllJobs(self) -> None:  # noqa: N802
        self.cancelled += 1


def test_sigterm_leaves_nothing(tmp_path: Path) -> None:
    earlier = signal.getsignal(signal.SIGTERM)
    storage, session = LocalStorage(str(tmp_path)), Session()
    run = new_run(storage)

    def work() -> None:
        with sigterm_as_exit(), exclusive(run), removed_on_failure(run), jobs_stopped_on_exit(cast(Any, session)):
            storage.replace(run.name("_staging/part-0"), "x")
            os.kill(os.getpid(), signal.SIGTERM)

    with pytest.raises(SystemExit) as raised:
        work()
    assert raised.value.code == 143
    assert session.cancelled == 1
    assert [path.name for path in tmp_path.rglob("*")] == ["runs"]
    assert signal.getsignal(signal.SIGTERM) is earlier


def test_other_threads_are_left_alone() -> None:
    seen: list[object] = []
    earlier = signal.getsignal(signal.SIGTERM)

    def work() -> None:
        with sigterm_as_exit():
            seen.append(signal.getsignal(signal.SIGTERM))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [earlier]
