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
    ends = np.cumsum(_lengths(chunks))
    failed = flat.field("error").is_valid().to_numpy(zero_copy_only=False)
    kept = np.flatnonzero(~failed)
    kept_ends = np.searchsorted(kept, ends)
    elements = _document_elements(flat, np.concatenate([[0], ends]))
    order = np.insert(kept, kept_ends, np.arange(len(flat), len(flat) + len(ends)))
    offsets = np.concatenate([[0], kept_ends + np.arange(1, len(ends) + 1)])
    rows = pa.concat_arrays([flat, elements]).take(pa.array(order))
    return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), rows)


def _lengths(chunks: pa.ListArray) -> npt.NDArray[np.int64]:
    return np.asarray(chunks.value_lengths().fill_null(0), np.int64)


def _document_elements(flat: pa.StructArray, bounds: npt.NDArray[np.int64]) -> pa.StructArray:
    count = len(bounds) - 1
    embedded = flat.field("level").fill_null(DOCUMENT_LEVEL).to_numpy(zero_copy_only=False) == 0
    tokens = flat.field("token_count")
    counted = tokens.is_valid().to_numpy(zero_copy_only=False)
    sums = _sums(np.where(embedded, tokens.fill_null(0).to_numpy(zero_copy_only=False), 0), bounds)
    chunk_counts = _sums(embedded, bounds)
    columns = {
        "level": pa.array(np.full(count, DOCUMENT_LEVEL), pa.int32()),
        "chunk_count": pa.array(chunk_counts, pa.int32()),
        "token_count": pa.array(sums, pa.int32(), mask=_sums(embedded & ~counted, bounds) > 0),
        "error": _errors(flat.field("error"), bounds),
    }
    children = [columns[field.name] if field.name in columns else pa.nulls(count, field.type) for field in CHUNK_TYPE]
    return pa.StructArray.from_arrays(children, fields=list(CHUNK_TYPE))


def _sums(values: npt.NDArray[np.generic], bounds: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The sum of the values of each document (n)."""
    totals = np.zeros(len(values) + 1, np.int64)
    np.cumsum(values, out=totals[1:])
    return np.asarray(totals[bounds[1:]] - totals[bounds[:-1]], np.int64)


def _errors(errors: pa.StringArray, bounds: npt.NDArray[np.int64]) -> pa.StringArray:
    """The error of each document (n): that of its first element."""
    first = pa.array(bounds[:-1], mask=bounds[:-1] == bounds[1:])
    return errors.take(first)
