"""The first documents of an input: what `preview` needs.

Parquet files are read here, without Spark; tables, other formats, conditions and nested fields by `from_spark`.
"""

from __future__ import annotations

import glob
import itertools
import json
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.dataset

from chunkers.errors import nearest
from jobs.configuration import Configuration, InputConfig, LimitsConfig
from jobs.errors import InputError
from jobs.preview.document import Document

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
            raise FileNotFoundError(f"no file matches {path}")
        return pyarrow.dataset.dataset(place, format="parquet", partitioning="hive")
    except (OSError, pa.ArrowException) as error:
        raise InputError(f"The input {path} can't be read as Parquet: {error}") from error


def _documents(dataset: Any, config: Configuration, text: str) -> Iterator[Document]:
    ids, context = config.input.id, config.context.columns
    names = _resolved((*ids, text, *context), dataset.schema.names, config.input)
    _check_text(dataset.schema.field(names[text]).type, config.input)
    scanner = dataset.scanner(
        sorted(set(names.values())), batch_size=_BATCH_ROWS, batch_readahead=1, fragment_readahead=1
    )
    for batch in scanner.to_batches():
        columns = [batch.column(names[name]).to_pylist() for name in (*ids, *context)]
        texts = batch.column(names[text]).cast(pa.large_binary()).to_pylist()
        for value, *others in zip(texts, *columns, strict=True):
            yield _document(others[: len(ids)], value, tuple(others[len(ids) :]), config.limits)


def _document(ids: list[object], text: bytes | None, values: tuple[object, ...], limits: LimitsConfig) -> Document:
    doc_id = _doc_id(ids)
    return Document(doc_id, (text or b"").decode(errors="replace"), values, _rejection(doc_id, text, limits))


def _rejection(doc_id: str | None, text: bytes | None, limits: LimitsConfig) -> str | None:
    if doc_id is None:
        return "null_id: the id is null"
    if text is None:
        return "null_text: the text is null"
    if len(text) > limits.max_document_bytes:
        return f"too_large: {len(text):,} bytes, allowed are {limits.max_document_mb} MB"
    return None


def _resolved(wanted: tuple[str, ...], present: list[str], source: InputConfig) -> dict[str, str]:
    """The input's own spelling of each column; like Spark, capitals don't matter."""
    spelled = {name.lower(): name for name in present}
    missing = [name for name in dict.fromkeys(wanted) if name.lower() not in spelled]
    if missing:
        lines = "".join(f"\n  {name} ({nearest(name, present)})" for name in missing)
        raise InputError(f"The input {source.path} lacks columns that the configuration names:{lines}")
    return {name: spelled[name.lower()] for name in wanted}


def _check_text(kind: Any, source: InputConfig) -> None:
    if not (pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_null(kind)):
        raise InputError(f"The column {source.text} of {source.path} has the type {kind}; input.text must be a string.")


def _doc_id(values: list[object]) -> str | None:
    if any(value is None for value in values):
        return None
    if len(values) == 1:
        return str(values[0])
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"), default=str)
