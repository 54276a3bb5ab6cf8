"""Chunking as a column expression: texts in, arrays of chunks out.

    docs.select("doc_id", inline(chunk_udf({"fixed_char_length": {"char_limit": 2048}})("text")))

Keep the generator around the UDF in one `select`: `withColumn` and then `explode` chunks everything twice.
"""

from __future__ import annotations

import functools
import itertools
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import pandas as pd
import pyarrow as pa
from pyspark.sql import Column, SparkSession, functions
from pyspark.sql.types import DataType

from chunkers import Algorithm, Chunker, create_algorithm, names
from chunkers import register as register_algorithm
from chunkers.registry import algorithm
from jobs.document_context import document_context
from jobs.document_rows import append_document_elements
from jobs.schemas import CHUNKS

Rows = Sequence[Sequence[object]]


def chunk_udf(definition: Any, *, lead_chars: int = 0) -> Callable[..., Column]:
    """A vectorized UDF that chunks with `definition`: one algorithm with its parameters, or a list of those.

    It takes a text column and, if wanted, a struct of columns whose values go in front of every chunk in
    their order (strings), behind them the first `lead_chars` characters of the text. It gives an array of
    `CHUNK_STRUCT`: empty for a blank text; one element with `error` set and the rest null for a text that
    fails. A text must be valid UTF-8 (`make_valid_utf8`), else Spark fails the batch before it comes here.
    Raises ConfigurationError for a wrong definition.
    """
    return _as_expression(Task.of(definition, lead_chars))


def job_udf(definition: Any, *, lead_chars: int = 0) -> Callable[..., Column]:
    """As `chunk_udf`, with a document element behind the chunks of each text (see `jobs.document_rows`)."""
    return _as_expression(Task.of(definition, lead_chars, document_elements=True))


def register(spark: SparkSession, name: str, definition: Any, *, lead_chars: int = 0) -> None:
    """Make `chunk_udf` known to SQL: `SELECT inline(chunk(text)) FROM docs`."""
    spark.udf.register(name, vectorized(Task.of(definition, lead_chars)))


class BatchTask(Protocol):
    """What a UDF does with a batch of texts (n), each of which gives a list of structs."""

    @property
    def returns(self) -> DataType: ...

    def chunk(self, texts: Sequence[str | None], metadata: Rows | None) -> pa.ListArray: ...


@dataclass(frozen=True)
class Task:
    """What a worker is told: plain data, and classes of algorithms that are not chunkmill's own."""

    definition: str
    own: tuple[tuple[str, type[Chunker]], ...]
    lead_chars: int
    document_elements: bool

    @classmethod
    def of(cls, definition: Any, lead_chars: int, document_elements: bool = False) -> Task:
        create_algorithm(definition)
        named = _keys(definition)
        known = [(name, algorithm(name)) for name in names() if name in named]
        own = tuple((name, kind) for name, kind in known if not kind.__module__.startswith("chunkers."))
        return cls(json.dumps(definition), own, lead_chars, document_elements)

    @property
    def returns(self) -> DataType:
        return CHUNKS

    def chunk(self, texts: Sequence[str | None], metadata: Rows | None) -> pa.ListArray:
        """The chunks of n texts; `metadata` are the values of n rows."""
        contexts = None
        if metadata is not None or self.lead_chars:
            rows = metadata if metadata is not None else [()] * len(texts)
            _check_strings(rows)
            contexts = [
                document_context(text, values, self.lead_chars) if text is not None else ()
                for text, values in zip(texts, rows, strict=True)
            ]
        chunks = _worker_algorithm(self.definition, self.own).chunk_batch(texts, contexts)
        return append_document_elements(chunks) if self.document_elements else chunks


def _keys(definition: Any) -> set[str]:
    """The keys at any depth of a definition: the algorithms that it names are among them."""
    if isinstance(definition, Mapping):
        return {str(key) for key in definition}.union(*map(_keys, definition.values()))
    return set().union(*map(_keys, definition)) if isinstance(definition, (list, tuple)) else set()


def _check_strings(rows: Rows) -> None:
    """Numbers with nulls come as different ones in Arrow and pandas, so only text is taken."""
    for row in rows:
        for value in row:
            if not isinstance(value, str) and value is not None:
                raise TypeError(f"metadata has a value of type {type(value).__name__}: CAST its columns AS STRING")


@functools.cache
def _worker_algorithm(definition: str, own: tuple[tuple[str, type[Chunker]], ...]) -> Algorithm:
    """Made once in each Python worker, so that a vocabulary is loaded once."""
    for name, kind in own:
        register_algorithm(name, kind)
    return create_algorithm(json.loads(definition))


def _as_expression(task: Task) -> Callable[..., Column]:
    function = vectorized(task)

    def expression(text: Column | str, metadata: Column | str | None = None) -> Column:
        made: Column = function(text) if metadata is None else function(text, metadata)
        return made

    return expression


def vectorized(task: BatchTask) -> Any:
    """The UDF in the form that costs least: Arrow arrays where Spark has them (4.1), else pandas."""
    return arrow_form(task) if hasattr(functions, "arrow_udf") else pandas_form(task)


def arrow_form(task: BatchTask) -> Any:
    """Arrow arrays in and out, as chunkers builds them: no row is touched on the way to Spark."""

    def chunk(text: pa.Array, *metadata: pa.Array) -> pa.Array:
        rows = [list(row.values()) if row else [] for row in metadata[0].to_pylist()] if metadata else None
        return task.chunk(text.to_pylist(), rows)

    return functions.arrow_udf(chunk, task.returns)  # type: ignore[attr-defined]


def pandas_form(task: BatchTask) -> Any:
    """pandas in and out; structs as tuples, which Spark converts faster than dictionaries."""

    def chunk(text: pd.Series, *metadata: pd.DataFrame) -> pd.Series:
        # A null is None in pandas 2 and NaN in pandas 3.
        texts = [value if isinstance(value, str) else None for value in text]
        rows = list(metadata[0].itertuples(index=False, name=None)) if metadata else None
        return pd.Series(as_tuples(task.chunk(texts, rows)))

    return functions.pandas_udf(chunk, task.returns)  # type: ignore[attr-defined]


def as_tuples(chunks: pa.ListArray) -> list[list[tuple[object, ...]]]:
    """Lists of structs as lists of tuples."""
    columns = [column.to_pylist() for column in chunks.flatten().flatten()]
    rows = list(zip(*columns, strict=True))
    offsets = chunks.offsets.to_pylist()
    first = offsets[0]
    return [rows[start - first : end - first] for start, end in itertools.pairwise(offsets)]
