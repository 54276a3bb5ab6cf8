"""Chunking as a column expression: texts in, arrays of chunks out.

    docs.select("doc_id", inline(chunk_udf({"fixed_char_length": {"char_limit": 2048}})("text")))

Keep the generator around the UDF in one `select`: `withColumn` and then `explode` chunks everything twice.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Union, cast

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import Column, SparkSession, functions
from pyspark.sql.types import DataType

from chunkers import Algorithm, Chunker, Context, Spans, create_algorithm, names
from chunkers import register as register_algorithm
from chunkers.arrow import Cutter, chunk_batch
from chunkers.chunk import IntArray
from chunkers.memory import reserve_no_memory
from chunkers.registry import algorithm
from chunkers.text.placed import Outline, PlacedContext
from chunkers.tokenizers import TokenizerFile, asked_for, supply, tokenizer_file
from jobs import giants
from jobs.connect import send_code
from jobs.document_context import document_context
from jobs.document_rows import append_document_elements
from jobs.errors import ArgumentsError
from jobs.giants import RowLimit, postponing
from jobs.schemas import CHUNKS
from jobs.udf_arguments import arrow_arguments, null_fields, pandas_arguments

Rows = Sequence[Mapping[str, object]]

# Here, since a worker imports this module before it reads its first batch.
reserve_no_memory()


def chunk_udf(definition: Any, *, lead_chars: int = 0, headings: bool = False) -> Callable[..., Column]:
    """A vectorized UDF that chunks with `definition`: one algorithm with its parameters, or a list of those.

    It takes a text column and, if wanted, a struct of strings, the *metadata*: columns that the definition
    names (for `by`, or as a `language_column`) are found there by their names, and choose only; the values of
    all others go in front of every chunk in their order, behind them the first `lead_chars` characters of the
    text and, with `headings`, the Markdown headings above the chunk. A query without a column that the
    definition names fails with ArgumentsError.

    It gives an array of `CHUNK_STRUCT`: empty for a blank text; one element with `error` set and the rest
    null for a text that fails. A text must be valid UTF-8 (`make_valid_utf8`), else Spark fails the batch
    before it comes here. Raises ConfigurationError for a wrong definition.
    """
    return _as_expression(Task.of(definition, lead_chars, headings))


def job_udf(definition: Any, *, lead_chars: int = 0, headings: bool = False) -> Callable[..., Column]:
    """As `chunk_udf`, with a document element behind the chunks of each text (see `jobs.document_rows`)."""
    return _as_expression(job_task(definition, lead_chars, headings))


def job_task(definition: Any, lead_chars: int, headings: bool) -> Task:
    """What `job_udf` does, for those who hand it to Spark themselves."""
    task = Task.of(definition, lead_chars, headings, document_elements=True)
    return dataclasses.replace(task, row_limit=giants.ROW_LIMIT)


def register(spark: SparkSession, name: str, definition: Any, *, lead_chars: int = 0, headings: bool = False) -> None:
    """Make `chunk_udf` known to SQL: `SELECT inline(chunk(text, struct(title))) FROM docs`."""
    send_code(spark)
    spark.udf.register(name, vectorized(Task.of(definition, lead_chars, headings)))


class BatchTask(Protocol):
    """What a UDF does with a batch of texts (n), each of which gives a list of structs."""

    @property
    def returns(self) -> DataType: ...

    def chunk(self, texts: Sequence[str | None], metadata: Rows | None) -> pa.ListArray: ...


@dataclass(frozen=True)
class Task:
    """What a worker is told and given: plain data, classes of algorithms that are not chunkmill's own, and files.

    Workers need no network, no vocabulary and no tokenizer file: those that the definition names are in `files`.
    """

    definition: str
    own: tuple[tuple[str, type[Chunker]], ...]
    files: tuple[TokenizerFile, ...]
    lead_chars: int
    headings: bool
    document_elements: bool
    row_limit: RowLimit | None = None

    @classmethod
    def of(cls, definition: Any, lead_chars: int, headings: bool = False, document_elements: bool = False) -> Task:
        with asked_for() as checked:
            needed = create_algorithm(definition).tokenizers()
        files = map(tokenizer_file, sorted(needed | checked))
        named = _keys(definition)
        known = [(name, algorithm(name)) for name in names() if name in named]
        own = tuple((name, kind) for name, kind in known if not kind.__module__.startswith("chunkers."))
        given = tuple(filter(None, files))
        return cls(json.dumps(definition), own, given, lead_chars, headings, document_elements)

    @property
    def returns(self) -> DataType:
        return CHUNKS

    def chunk(self, texts: Sequence[str | None], metadata: Rows | None) -> pa.ListArray:
        """The chunks of n texts; `metadata` are the values of n rows by their names."""
        rows = metadata if metadata is not None else [_NOTHING] * len(texts)
        for row in rows[:1]:
            self._check_columns(row)
        for row in rows:
            _check_strings(row)
        cut: Cutter = self._spans_of
        if self.row_limit is not None:
            cut = postponing(cut, self.row_limit)
        given = [self._given(text, row) for text, row in zip(texts, rows, strict=True)]
        chunks = chunk_batch(cut, texts, given)
        return append_document_elements(chunks) if self.document_elements else chunks

    def spans(self, text: str, row: Mapping[str, object]) -> Spans:
        """The spans of one text; `row` is its metadata."""
        _check_strings(row)
        return self._spans_of(text, self._given(text, row))

    def _check_columns(self, row: Mapping[str, object]) -> None:
        """A column that is not passed is no null: the query is wrong, and no document is to blame."""
        missing = sorted(self._algorithm().columns - row.keys())
        if missing:
            names, fields = " and ".join(map(repr, missing)), ", ".join(map(repr, row))
            has = f"the struct behind the text has the fields {fields}" if row else "there is no struct behind the text"
            raise ArgumentsError(
                f"The definition chooses by {names} (column of by, or language_column), but {has}. Pass what is "
                f"missing there, spelled as in the definition, capitals too: chunk(text, struct({', '.join(missing)}))."
            )

    def _spans_of(self, text: str, given: tuple[Context, Mapping[str, str | None]]) -> Spans:
        context, row = given
        if self.headings:
            context = PlacedContext(context, Outline.of(text))
        return self._algorithm().spans_of(text, (context, row))

    def _algorithm(self) -> Algorithm:
        return _worker_algorithm(self.definition, self.own, self.files)

    def _given(self, text: str | None, row: Mapping[str, Any]) -> tuple[Context, Mapping[str, str | None]]:
        """The context of a document, and what its algorithm asks for."""
        if text is None:
            return (), row
        asked = self._algorithm().columns
        return document_context(text, [row[name] for name in row if name not in asked], self.lead_chars), row


_NOTHING: Mapping[str, str | None] = {}


def _keys(definition: Any) -> set[str]:
    """The keys at any depth of a definition: the algorithms that it names are among them."""
    if isinstance(definition, Mapping):
        return {str(key) for key in definition}.union(*map(_keys, definition.values()))
    return set().union(*map(_keys, definition)) if isinstance(definition, (list, tuple)) else set()


def _check_strings(row: Mapping[str, object]) -> None:
    """Numbers with nulls come as different ones in Arrow and pandas, so only text is taken."""
    for name, value in row.items():
        if not isinstance(value, str) and value is not None:
            raise ArgumentsError(
                f"The field {name} of the struct behind the text has a value of type {type(value).__name__}, expected "
                f"a string: pass CAST({name} AS STRING) AS {name}."
            )


@functools.cache
def _worker_algorithm(
    definition: str, own: tuple[tuple[str, type[Chunker]], ...], files: tuple[TokenizerFile, ...]
) -> Algorithm:
    """Made once in each Python worker, so that a vocabulary is loaded once."""
    for file in files:
        supply(file)
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

    def chunk(batches: Iterator[tuple[pa.Array, ...]]) -> Iterator[pa.Array]:
        for columns in batches:
            text, metadata = arrow_arguments(columns)
            nulls = null_fields(metadata)
            for rows in _runs(pc.binary_length(text).fill_null(0).to_numpy()):
                values = None if metadata is None else [row or nulls for row in metadata[rows].to_pylist()]
                yield task.chunk(text[rows].to_pylist(), values)

    return functions.arrow_udf(chunk, task.returns)  # type: ignore[attr-defined]


_Column = Union[pd.Series, pd.DataFrame]  # noqa: UP007 - Spark 3.5 reads the annotation, and knows no other way


def pandas_form(task: BatchTask) -> Any:
    """pandas in and out; structs as tuples, which Spark converts faster than dictionaries."""

    def chunk(batches: Iterator[tuple[_Column, ...]]) -> Iterator[pd.Series]:
        for columns in cast(Iterator[Any], batches):
            text, metadata = pandas_arguments(columns)
            # A null is None in pandas 2 and NaN in pandas 3.
            texts = [value if isinstance(value, str) else None for value in text]
            values: Any = None if metadata is None else metadata.to_dict(orient="records")
            for rows in _runs(np.array([len(value or "") for value in texts])):
                yield pd.Series(as_tuples(task.chunk(texts[rows], values[rows] if values else None)))

    return functions.pandas_udf(chunk, task.returns)  # type: ignore[attr-defined]


_RUN = 1 << 22


def _runs(sizes: IntArray) -> Iterator[slice]:
    """Runs of the rows (n) of a batch, each of about 4 MB of text, so that what is made of it at once is small."""
    reached = sizes.cumsum()
    low = 0
    while low < len(sizes):
        before = int(reached[low - 1]) if low else 0
        high = max(low + 1, int(reached.searchsorted(before + _RUN, "right")))
        yield slice(low, high)
        low = high


def as_tuples(chunks: pa.ListArray) -> list[list[tuple[object, ...]]]:
    """Lists of structs as lists of tuples."""
    columns = [column.to_pylist() for column in chunks.flatten().flatten()]
    rows = list(zip(*columns, strict=True))
    offsets = chunks.offsets.to_pylist()
    first = offsets[0]
    return [rows[start - first : end - first] for start, end in itertools.pairwise(offsets)]
