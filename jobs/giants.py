"""Giants: documents that are too large for one row of chunks.

The first pass postpones them: their text does not even leave the JVM, or, where only the chunks turn out to be
too many, those stay in the worker. They are left as document elements with the error `POSTPONED`. A second pass
over them alone hands on a part of their chunks at a time. Without giants there is no second pass.
"""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import StringType, StructField, StructType

from chunkers import DocumentError, Spans
from chunkers.arrow import Cutter, error_text, out_of_memory
from chunkers.arrow_parts import chunk_parts
from chunkers.memory import check_memory
from jobs.document_rows import document_element
from jobs.schemas import CHUNK_STRUCT
from jobs.session import bounds_batches_by_bytes

if TYPE_CHECKING:
    from jobs.udf import Task

GIANT_BYTES = 16_000_000
"""A text above this is not sent to the first pass."""
GIANT_BYTES_WITHOUT_BOUND = 1_000_000
"""The same where Spark bounds a batch by its rows only (before 4.1)."""


@dataclass(frozen=True)
class RowLimit:
    """What one row of the first pass may hold: chunks, and characters of them with all that goes in front."""

    chunks: int
    characters: int


ROW_LIMIT = RowLimit(100_000, 1 << 26)

_REASON, _DETAIL = "postponed", "chunkmill chunks it in a second pass"
POSTPONED = f"{_REASON}: {_DETAIL}"
"""The error of the document element that stands for a giant after the first pass."""

KEY = "id_json"


def giant_bytes(spark: SparkSession) -> int:
    """Above how many bytes a document is a giant in this session."""
    return GIANT_BYTES if bounds_batches_by_bytes(spark) else GIANT_BYTES_WITHOUT_BOUND


def postponing(cut: Cutter, most: RowLimit) -> Cutter:
    """`cut`, but a text whose chunks are too many or too large for one row fails as `POSTPONED`."""

    def checked(text: str, given: Any) -> Spans:
        spans = cut(text, given)
        if len(spans) > most.chunks or _characters(spans) > most.characters:
            raise DocumentError(_REASON, _DETAIL)
        return spans

    return checked


def _characters(spans: Spans) -> int:
    """Characters of all chunks with their contexts and paths."""
    total = int((spans.ends - spans.starts).sum(dtype=np.int64))
    for column in (spans.contexts, spans.section_paths):
        if column is not None:
            total += sum(len(part) for parts in column for part in parts)
    return total


def chunk_giants(texts: DataFrame, task: Task) -> DataFrame:
    """The chunks of each text, and its document element behind them: `KEY`, and the columns of a chunk.

    `texts` has `KEY`, `text` and, where context needs it, `metadata`.
    """
    return texts.mapInArrow(_in_parts(task), StructType([StructField(KEY, StringType()), *CHUNK_STRUCT]))


def _in_parts(task: Task) -> Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    def in_parts(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in _read(batches):
            for row in range(batch.num_rows):
                key = batch.column(0)[row].as_py()
                for part in _document(task, key, batch, row):
                    keys = pa.repeat(pa.scalar(key, pa.string()), len(part))
                    yield pa.RecordBatch.from_arrays([keys, *part.flatten()], [KEY, *CHUNK_STRUCT.names])

    return in_parts


def _read(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    try:
        yield from batches
    except MemoryError as error:
        raise RuntimeError(
            "a document does not even fit into a worker as it came: give workers more (spark.executor.pyspark.memory), "
            "or set such documents aside (limits.max_document_mb)"
        ) from error


def _document(task: Task, key: str, batch: pa.RecordBatch, row: int) -> Iterator[pa.StructArray]:
    """The parts of one document."""
    encoded = _encoded(batch.column(1), row)
    try:
        check_memory()
        text = str(encoded, "utf-8")
        spans = task.spans(text, (batch.column(2)[row].as_py() if batch.num_columns > 2 else None) or {})
        if task.own:
            # What somebody's own algorithm gives may fit into no column: seen before the first part is handed on.
            collections.deque(chunk_parts(text, spans), 0)
        parts = chunk_parts(text, spans)
        first = next(parts, None)
    except MemoryError:
        yield document_element(0, 0, str(out_of_memory(len(encoded), "bytes")))
    except (Exception, SystemExit) as error:
        yield document_element(0, 0, error_text(error))
    else:
        if first is not None:
            yield first
        yield from _others(parts, key)
        yield document_element(spans.of_level_0, _tokens(spans), None)


def _encoded(column: pa.StringArray, row: int) -> memoryview:
    """The bytes of a row's text; `as_py` would copy them."""
    _, offsets, characters = column.buffers()
    kind = np.int64 if pa.types.is_large_string(column.type) else np.int32
    start, end = np.frombuffer(offsets, kind)[column.offset + row :][:2]
    return memoryview(characters)[start:end]


def _tokens(spans: Spans) -> int | None:
    """Tokens of what gets embedded; None when they are not counted."""
    if spans.token_counts is None:
        return None if len(spans) else 0
    return int(spans.token_counts[: spans.of_level_0].sum())


def _others(parts: Iterator[pa.StructArray], key: str) -> Iterator[pa.StructArray]:
    """What follows a first part: too late for a failure of the document alone."""
    try:
        yield from parts
    except Exception as error:
        raise RuntimeError(f"document {key}: {error_text(error)}") from error
