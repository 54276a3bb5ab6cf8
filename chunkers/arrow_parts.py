"""The chunks of a long document as Arrow columns, a part at a time, so that what leaves a worker at once is small."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa

from chunkers.arrow import CHUNK_TYPE, check_beside, chunk_rows
from chunkers.chunk import IntArray, Spans

_MOST_CHARS = 1 << 21
_MOST_ROWS = 1 << 16


def chunk_parts(text: str, spans: Spans) -> Iterator[pa.StructArray]:
    """The chunks of one text, some at a time (`CHUNK_TYPE`, n rows): about 2 million characters, and at least one row.

    Together they are what `chunk_batch` gives for that text. Raises DocumentError.
    """
    check_beside(text, spans)
    embedded = spans.of_level_0
    levels = [_occurrences(text, _rows(spans, low, high)) for low, high in ((0, embedded), (embedded, len(spans)))]
    numbers = {
        "chunk_index": spans.indexes(),
        "chunk_count": np.repeat([embedded, len(spans) - embedded], [embedded, len(spans) - embedded]),
        "overlap_chars": spans.overlaps(),
        "occurrence": np.concatenate(levels),
    }
    for low, high in _ranges(spans):
        built = chunk_rows(text, _rows(spans, low, high))
        columns = [
            pa.array(numbers[field.name][low:high], pa.int32()) if field.name in numbers else built.field(field.name)
            for field in CHUNK_TYPE
        ]
        yield pa.StructArray.from_arrays(columns, fields=list(CHUNK_TYPE))


def _ranges(spans: Spans) -> Iterator[tuple[int, int]]:
    """Ranges of rows for a part each."""
    low = 0
    while low < len(spans):
        part = _rows(spans, low, low + _MOST_ROWS)
        sizes = (part.ends - part.starts).astype(np.int64)
        for column in (part.contexts, part.section_paths):
            if column is not None:
                sizes += [sum(map(len, parts)) for parts in column]
        high = low + max(1, int(sizes.cumsum().searchsorted(_MOST_CHARS, "right")))
        yield low, high
        low = high


def _rows(spans: Spans, low: int, high: int) -> Spans:
    columns = {field.name: getattr(spans, field.name) for field in dataclasses.fields(spans)}
    kept: dict[str, Any] = {name: None if column is None else column[low:high] for name, column in columns.items()}
    return Spans(**kept)


def _occurrences(text: str, spans: Spans) -> IntArray:
    """How many earlier chunks have the same text (n), by hashes: the texts themselves may be too many to keep."""
    hashes = np.fromiter(map(hash, _pieces(text, spans)), np.int64, len(spans))
    order = hashes.argsort(kind="stable")
    hashes = hashes[order]
    is_first = np.append(True, hashes[1:] != hashes[:-1])[: len(spans)]
    del hashes
    places = np.arange(len(spans))
    counts = np.empty(len(spans), np.int32)
    counts[order] = places - np.maximum.accumulate(np.where(is_first, places, 0))
    again = np.flatnonzero(~is_first)
    pairs = zip(_pieces(text, spans, order[again]), _pieces(text, spans, order[again - 1]), strict=True)
    return counts if all(one == other for one, other in pairs) else _counted(_pieces(text, spans))


def _counted(pieces: Iterable[str]) -> IntArray:
    """The same with a dictionary, for texts that differ and have one hash."""
    seen: Counter[str] = Counter()
    counts = []
    for piece in pieces:
        counts.append(seen[piece])
        seen[piece] += 1
    return np.array(counts, np.int32)


def _pieces(text: str, spans: Spans, rows: IntArray | None = None) -> Iterator[str]:
    """The texts of these rows, else of all; few of the positions are Python's numbers at a time."""
    for low in range(0, len(spans) if rows is None else len(rows), _MOST_ROWS):
        some = slice(low, low + _MOST_ROWS) if rows is None else rows[low : low + _MOST_ROWS]
        for start, end in zip(spans.starts[some].tolist(), spans.ends[some].tolist(), strict=True):
            yield text[start:end]
