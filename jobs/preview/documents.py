"""The first documents of an input: what `preview` needs.

Parquet files are read here, without Spark; tables, other formats, conditions and nested fields by `from_spark`.
"""

from __future__ import annotations

import glob
import itertools
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.dataset

from chunkers import create_algorithm
from chunkers.errors import Problem, nearest
from jobs.configuration import Configuration, InputConfig, LimitsConfig
from jobs.errors import InputError
from jobs.preview.document import Document
from jobs.preview.values import as_text, id_words, read_column, words

_BATCH_ROWS = 64


def read_documents(config: Configuration, count: int, doc_id: str | None = None) -> Iterator[Document]:
    """The first `count` documents, or the one called `doc_id`.

    Raises InputError when the input can't be read, lacks a column, or has no such document.
    """
    found = _found(config, count, doc_id)
    first = next(found, None)
    if first is None:
        place = config.input.table or config.input.path
        raise InputError(f"The input {place} has no document{f' with the id {doc_id!r}' if doc_id else 's'}.")
    return itertools.chain([first], found)


def _found(config: Configuration, count: int, doc_id: str | None) -> Iterator[Document]:
    source = config.input
    if source.path is None or source.text is None or source.format != "parquet" or source.where is not None:
        from jobs.preview.from_spark import documents_from_spark

        return documents_from_spark(config, count, doc_id)
    documents = _documents(_dataset(source.path), config, source.text)
    wanted = documents if doc_id is None else (document for document in documents if document.doc_id == doc_id)
    return itertools.islice(wanted, count)


def _dataset(path: str) -> Any:
    """The Parquet files at a path as one Arrow dataset."""
    is_pattern = "://" not in path and any(sign in path for sign in "*?[")
    place = sorted(glob.glob(path)) if is_pattern else path  # noqa: PTH207 - takes absolute patterns too
    try:
        if not place:
            raise InputError(f"No file fits the pattern {path}: {_advice(path)}")
        return pyarrow.dataset.dataset(place, format="parquet", partitioning="hive")
    except FileNotFoundError as error:
        raise InputError(f"The input {path} does not exist: {_advice(path)}") from error
    except (OSError, pa.ArrowException) as error:
        raise InputError(f"The input {path} can't be read as Parquet: {error}") from error


def _advice(path: str) -> str:
    """What to do about a path where nothing is."""
    is_relative = "://" not in path and not Path(path).is_absolute()
    return f"correct input.path{f', which starts in {Path.cwd()}' if is_relative else ''}."


def _documents(dataset: Any, config: Configuration, text: str) -> Iterator[Document]:
    ids, context, asked = config.input.id, config.context.columns, sorted(create_algorithm(config.chunk).columns)
    # Carried columns are not shown, but a job would fail for one that is not there.
    wanted = {
        "input.columns": config.input.columns,
        "input.id": ids,
        "input.text": (text,),
        "context.columns": context,
        "chunk": asked,
    }
    names = _resolved(wanted, dataset.schema.names, config.input)
    _check_text(dataset.schema.field(names[text]).type, config.input)
    scanner = dataset.scanner(
        sorted({names[name] for name in (*ids, text, *context, *asked)}),
        batch_size=_BATCH_ROWS,
        batch_readahead=1,
        fragment_readahead=1,
    )
    for batch in scanner.to_batches():
        read = {name: read_column(batch.column(names[name])) for name in (*ids, *context, *asked)}
        texts = batch.column(names[text]).cast(pa.large_binary()).to_pylist()
        for n, value in enumerate(texts):
            id_values = [read[name][0][n] for name in ids]
            invalid = any(read[name][1][n] for name in ids)
            shown = tuple(words(read[name][0][n]) for name in context)
            rejection = _rejection(None in id_values, invalid, value, config.limits)
            values = {name: as_text(read[name][0][n]) for name in asked}
            yield Document(id_words(id_values), (value or b"").decode(errors="replace"), shown, rejection, values)


def _rejection(null_id: bool, invalid_id: bool, text: bytes | None, limits: LimitsConfig) -> str | None:
    if null_id:
        return "null_id: the id is null"
    if invalid_id:
        return "invalid_id: the id is not valid UTF-8"
    if text is None:
        return "null_text: the text is null"
    if len(text) > limits.max_document_bytes:
        return f"too_large: {len(text):,} bytes, allowed are {limits.max_document_mb} MB"
    return None


def _resolved(wanted: Mapping[str, Sequence[str]], present: list[str], source: InputConfig) -> dict[str, str]:
    """The input's own spelling of each column that a key names; like Spark, capitals don't matter."""
    spelled = {name.lower(): name for name in present}
    named = [(path, name) for path, names in wanted.items() for name in names]
    problems = [
        Problem(path, f"the input has no column {name!r}", nearest(name, present))
        for path, name in named
        if name.lower() not in spelled
    ]
    if problems:
        lines = "".join(f"\n  {problem}" for problem in problems)
        raise InputError(f"The input {source.path} lacks columns that the configuration names:{lines}")
    return {name: spelled[name.lower()] for _, name in named}


def _check_text(kind: Any, source: InputConfig) -> None:
    if not (pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_null(kind)):
        raise InputError(f"The column {source.text} of {source.path} has the type {kind}; input.text must be a string.")
