"""How far a running job is: a bar on a terminal, a line now and then in a log.

The other place that looks below Spark's public interface: the numbers are those of Spark's SQL tab. That is
out of reach for Spark Connect, whose server tells how many tasks are done, and before Spark 4.0 nothing.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TextIO

from pyspark.sql import SparkSession

from jobs.connect import is_remote

_TERMINAL_SECONDS = 0.5
_LOG_SECONDS = 30.0
_BAR_CELLS = 30


@dataclass(frozen=True)
class Counts:
    """What is done so far."""

    documents: int
    chunks: int

    def share(self, documents: int) -> float:
        return self.documents / max(documents, 1)

    def words(self, documents: int) -> list[str]:
        return [f"{self.documents:,} of {documents:,} documents", f"{self.chunks:,} chunks"]


@dataclass(frozen=True)
class Tasks:
    """What is done so far, where Spark tells no more: tasks of the query that runs."""

    done: int
    known: int

    def share(self, documents: int) -> float:
        return self.done / max(self.known, 1)

    def words(self, documents: int) -> list[str]:
        return [f"{self.done:,} of {self.known:,} tasks ({documents:,} documents)"]


Reader = Callable[[], Counts | Tasks | None]
"""Gives the numbers of now, or None while there are none."""


@contextmanager
def progress(spark: SparkSession, documents: int, stream: TextIO | None = None) -> Iterator[None]:
    """Show how the write inside goes on; `documents` is how many there are."""
    stream = stream if stream is not None else sys.stderr
    with _reader(spark) as read:
        show = _Show(stream, documents, read)
        thread = threading.Thread(target=show.run, name="chunkmill-progress", daemon=True)
        thread.start()
        try:
            yield
        finally:
            show.done.set()
            thread.join()


def line(counts: Counts | Tasks, documents: int, seconds: float) -> str:
    """`1,200 of 5,000 documents, 9,876 chunks, 0:40, about 2:06 left`"""
    parts = [*counts.words(documents), clock(seconds)]
    share = counts.share(documents)
    if 0 < share < 1:
        parts.append(f"about {clock(seconds * (1 - share) / share)} left")
    return ", ".join(parts)


def bar(share: float) -> str:
    full = round(min(share, 1.0) * _BAR_CELLS)
    return f"[{'=' * full}{' ' * (_BAR_CELLS - full)}]"


def clock(seconds: float) -> str:
    """`1:02:03`, or `2:03` below an hour."""
    whole = int(seconds)
    minutes = f"{whole // 60 % 60:02}:{whole % 60:02}"
    return f"{whole // 3600}:{minutes}" if whole >= 3600 else minutes.removeprefix("0")


class _Show:
    """Reads and prints until the write is done."""

    def __init__(self, stream: TextIO, documents: int, read: Reader) -> None:
        self.done = threading.Event()
        self._stream = stream
        self._documents = documents
        self._read = read
        self._on_terminal = stream.isatty()
        self._started = time.monotonic()

    def run(self) -> None:
        while not self.done.wait(_TERMINAL_SECONDS if self._on_terminal else _LOG_SECONDS):
            counts = self._read()
            if counts is not None:
                self._print(counts)
        if self._on_terminal:
            self._stream.write("\r\x1b[K")
            self._stream.flush()

    def _print(self, counts: Counts | Tasks) -> None:
        words = line(counts, self._documents, time.monotonic() - self._started)
        if self._on_terminal:
            self._stream.write(f"\r\x1b[K{bar(counts.share(self._documents))} {words}")
        else:
            self._stream.write(f"chunkmill: {words}\n")
        self._stream.flush()


@contextmanager
def _reader(spark: SparkSession) -> Iterator[Reader]:
    """What reads the numbers, as far as the session has any."""
    if not is_remote(spark):
        yield _SqlMetrics(spark).read
    elif hasattr(spark, "registerProgressHandler"):
        messages: Any = _Messages()
        spark.registerProgressHandler(messages)
        try:
            yield messages.read
        finally:
            spark.removeProgressHandler(messages)
    else:
        yield lambda: None


class _Messages:
    """The last message of a Spark Connect server about the query that runs."""

    def __init__(self) -> None:
        self._tasks: Tasks | None = None

    def __call__(self, stages: Iterable[Any] | None, inflight_tasks: int, operation_id: str | None, done: bool) -> None:
        found = list(stages or [])
        known = sum(stage.num_tasks for stage in found)
        self._tasks = Tasks(sum(stage.num_completed_tasks for stage in found), known) if known else None

    def read(self) -> Tasks | None:
        return self._tasks


class _SqlMetrics:
    """Rows out of the Python UDF and out of the generator around it, in the query that runs."""

    def __init__(self, spark: Any) -> None:
        self._spark = spark

    def read(self) -> Counts | None:
        try:
            return self._counts()
        except Exception:
            # What only shows how the job goes on must never stop it.
            return None

    def _counts(self) -> Counts | None:
        store = self._spark._jsparkSession.sharedState().statusStore()
        for execution in _newest_first(store.executionsList()):
            if execution.completionTime().isEmpty():
                rows = self._output_rows(store, execution.executionId())
                evaluated = [count for name, count in rows.items() if name.endswith("EvalPython")]
                if evaluated:
                    return Counts(evaluated[0], max(rows.get("Generate", 0) - evaluated[0], 0))
        return None

    @staticmethod
    def _output_rows(store: Any, execution_id: int) -> dict[str, int]:
        """How many rows each node of the plan has given."""
        values = store.executionMetrics(execution_id)
        rows = {}
        for node in _newest_first(store.planGraph(execution_id).allNodes()):
            for metric in _newest_first(node.metrics()):
                if metric.name() == "number of output rows":
                    value = values.get(metric.accumulatorId())
                    rows[str(node.name())] = int(value.get().replace(",", "")) if value.isDefined() else 0
        return rows


def _newest_first(items: Any) -> Iterator[Any]:
    """The items of a Scala sequence from the last one on."""
    return (items.apply(n) for n in range(items.size() - 1, -1, -1))
