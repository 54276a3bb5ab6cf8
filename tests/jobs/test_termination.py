"""SIGTERM ends a run as any error does: its lock and its folder go."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession

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


@pytest.mark.classic
def test_sigterm_stops_the_jobs_while_the_driver_waits_for_them(spark: SparkSession, tmp_path: Path) -> None:
    def slowly(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for row in batch.to_pylist():
                (tmp_path / str(row["id"])).touch()
                time.sleep(0.2)
            yield batch

    def terminate() -> None:
        while not list(tmp_path.iterdir()):
            time.sleep(0.1)
        os.kill(os.getpid(), signal.SIGTERM)

    rows = 400
    slow = spark.range(0, rows, 1, 2).mapInArrow(slowly, "id long")
    threading.Thread(target=terminate).start()
    with pytest.raises(SystemExit), sigterm_as_exit(), jobs_stopped_on_exit(spark):
        slow.write.format("noop").mode("overwrite").save()
    assert len(list(tmp_path.iterdir())) < rows
    assert spark.range(3).count() == 3
