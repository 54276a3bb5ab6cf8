"""The one row a document that travels with its chunks, so that one pass over the texts gives both.

The UDF of the job appends a *document element* to the chunks of every document, also of a blank or failed
one. It has the type of a chunk, and means:

    level         DOCUMENT_LEVEL, by which it is told from chunks
    chunk_count   how many chunks the document has (level 0)
    token_count   the sum of their tokens, null when they have none
    error         `reason: detail` of a failed document
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from chunkers import CHUNK_TYPE

DOCUMENT_LEVEL = -1


def append_document_elements(chunks: pa.ListArray) -> pa.ListArray:
    """The same lists (n), each with its document element behind the chunks; errors are in that alone."""
    flat = chunks.flatten()
    bounds = np.concatenate([[0], np.cumsum(_lengths(chunks))])
    failed = flat.field("error").is_valid().to_numpy(zero_copy_only=False)
    kept = np.flatnonzero(~failed)
    kept_ends = np.searchsorted(kept, bounds[1:])
    order = np.insert(kept, kept_ends, _DOCUMENT)
    elements = _document_elements(flat, bounds)
    columns = [
        _with_elements(flat.field(field.name), order, elements.get(field.name), field.type) for field in CHUNK_TYPE
    ]
    offsets = np.concatenate([[0], kept_ends + np.arange(1, len(bounds))])
    rows = pa.StructArray.from_arrays(columns, fields=list(CHUNK_TYPE))
    return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), rows)


def document_element(chunks: int, tokens: int | None, error: str | None) -> pa.StructArray:
    """The document element of one document (1 row)."""
    element = {"level": DOCUMENT_LEVEL, "chunk_count": chunks, "token_count": tokens, "error": error}
    return pa.array([element], CHUNK_TYPE)


_DOCUMENT = -1
"""Marks the place of a document element among row numbers."""


def _with_elements(
    column: pa.Array, order: npt.NDArray[np.int64], elements: pa.Array | None, kind: pa.DataType
) -> pa.Array:
    """The rows `order` of a column, with the elements (nulls, when there are none) at the marked places."""
    is_element = order == _DOCUMENT
    if elements is not None:
        rows = np.where(is_element, len(column) + np.cumsum(is_element) - 1, order)
        return pa.concat_arrays([column, elements]).take(pa.array(rows))
    if pa.types.is_string(kind):
        return _strings_with_nulls(column, order, is_element)
    return column.take(pa.array(order, mask=is_element))


def _strings_with_nulls(
    column: pa.StringArray, order: npt.NDArray[np.int64], is_element: npt.NDArray[np.bool_]
) -> pa.StringArray:
    """As `take`, but the characters stay where they are: rows left out are null, so they have none."""
    _, offset_buffer, characters = column.buffers()
    starts = np.frombuffer(offset_buffer, np.int32)[column.offset : column.offset + len(column) + 1]
    valid = column.is_valid().to_numpy(zero_copy_only=False)
    rows = np.where(is_element, 0, order)
    lengths = np.where(is_element, 0, np.diff(starts).take(rows)) if len(column) else np.zeros(len(order), np.int32)
    offsets = np.full(len(order) + 1, starts[0], np.int32)
    offsets[1:] += np.cumsum(lengths, dtype=np.int32)
    bitmap = pa.array(~is_element & valid.take(rows) if len(column) else ~is_element).buffers()[1]
    return pa.StringArray.from_buffers(len(order), pa.py_buffer(offsets), characters, bitmap)


def _lengths(chunks: pa.ListArray) -> npt.NDArray[np.int64]:
    return np.asarray(chunks.value_lengths().fill_null(0), np.int64)


def _document_elements(flat: pa.StructArray, bounds: npt.NDArray[np.int64]) -> dict[str, pa.Array]:
    """The columns of the document elements (n rows each) that are not null."""
    count = len(bounds) - 1
    embedded = flat.field("level").fill_null(DOCUMENT_LEVEL).to_numpy(zero_copy_only=False) == 0
    tokens = flat.field("token_count")
    counted = tokens.is_valid().to_numpy(zero_copy_only=False)
    sums = _sums(np.where(embedded, tokens.fill_null(0).to_numpy(zero_copy_only=False), 0), bounds)
    chunk_counts = _sums(embedded, bounds)
    return {
        "level": pa.array(np.full(count, DOCUMENT_LEVEL), pa.int32()),
        "chunk_count": pa.array(chunk_counts, pa.int32()),
        "token_count": pa.array(sums, pa.int32(), mask=_sums(embedded & ~counted, bounds) > 0),
        "error": _errors(flat.field("error"), bounds),
    }


def _sums(values: npt.NDArray[np.generic], bounds: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The sum of the values of each document (n)."""
    totals = np.zeros(len(values) + 1, np.int64)
    np.cumsum(values, out=totals[1:])
    return np.asarray(totals[bounds[1:]] - totals[bounds[:-1]], np.int64)


def _errors(errors: pa.StringArray, bounds: npt.NDArray[np.int64]) -> pa.StringArray:
    """The error of each document (n): that of its first element."""
    first = pa.array(bounds[:-1], mask=bounds[:-1] == bounds[1:])
    return errors.take(first)
