"""Chunks as Arrow columns: what a worker hands to Spark."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import repeat
from typing import Any

import numpy as np
import pyarrow as pa

from chunkers.chunk import Context, Spans
from chunkers.errors import ChunkmillError, DocumentError

CHUNK_TYPE = pa.struct(
    [
        ("level", pa.int32()),
        ("chunk_index", pa.int32()),
        ("chunk_count", pa.int32()),
        ("start_char", pa.int32()),
        ("end_char", pa.int32()),
        ("text", pa.string()),
        ("context", pa.string()),
        ("token_count", pa.int32()),
        ("section_path", pa.list_(pa.string())),
        ("kind", pa.string()),
        ("overlap_chars", pa.int32()),
        ("window_start_char", pa.int32()),
        ("window_end_char", pa.int32()),
        ("over_limit", pa.bool_()),
        ("context_cut", pa.bool_()),
        ("occurrence", pa.int32()),
        ("error", pa.string()),
    ]
)
"""One chunk. Positions are code points, `occurrence` counts earlier chunks of the document with the
same text, `error` is set (and all else null) for a document that could not be chunked."""

Cutter = Callable[[str, Context], Spans]


def chunk_batch(cut: Cutter, texts: Sequence[str | None], contexts: Sequence[Context] | None) -> pa.ListArray:
    """Run `cut` over the texts and build one list of `CHUNK_TYPE` structs for each."""
    batch = _Batch()
    for text, context in zip(texts, contexts if contexts is not None else repeat(()), strict=contexts is not None):
        try:
            if text is None:
                raise DocumentError("null_text", "the text is null")
            batch.add(text, cut(text, context))
        except Exception as error:
            batch.add_error(error)
    return batch.build()


def error_text(error: Exception) -> str:
    """`reason: detail` of what went wrong with one document, without its text."""
    if isinstance(error, ChunkmillError):
        return str(error)
    if isinstance(error, UnicodeEncodeError):
        return f"invalid_unicode: a lone surrogate at character {error.start}"
    return f"algorithm_error: {type(error).__name__}: {str(error)[:200]}"


class _Batch:
    """Columns of a batch while it grows."""

    def __init__(self) -> None:
        self.sizes: list[int] = []
        self.texts: list[str | None] = []
        self.errors: list[str | None] = []
        self.contexts: list[str | None] = []
        self.paths: list[Sequence[str] | None] = []
        self.kinds: list[str | None] = []
        self.numbers: dict[str, list[Any]] = {name: [] for name in _NUMBERS}

    def add(self, text: str, spans: Spans) -> None:
        count = len(spans)
        pieces = [text[s:e] for s, e in zip(spans.starts.tolist(), spans.ends.tolist(), strict=True)]
        columns = _columns(spans, pieces)
        self.sizes.append(count)
        self.texts.extend(pieces)
        self.errors.extend(repeat(None, count))
        self.contexts.extend(map("".join, spans.contexts) if spans.contexts is not None else repeat("", count))
        self.paths.extend(spans.section_paths if spans.section_paths is not None else repeat((), count))
        self.kinds.extend(spans.kinds if spans.kinds is not None else repeat("text", count))
        for name, column in columns.items():
            self.numbers[name].append(column)

    def add_error(self, error: Exception) -> None:
        self.sizes.append(1)
        for column in (self.texts, self.contexts, self.paths, self.kinds):
            column.append(None)
        self.errors.append(error_text(error))
        for parts in self.numbers.values():
            parts.append(None)

    def build(self) -> pa.ListArray:
        arrays = {
            "text": pa.array(self.texts, pa.string()),
            "context": pa.array(self.contexts, pa.string()),
            "section_path": pa.array(self.paths, pa.list_(pa.string())),
            "kind": pa.array(self.kinds, pa.string()),
            "error": pa.array(self.errors, pa.string()),
            **{name: _number_array(name, parts, self.sizes) for name, parts in self.numbers.items()},
        }
        children = [arrays[field.name] for field in CHUNK_TYPE]
        offsets = np.zeros(len(self.sizes) + 1, np.int32)
        np.cumsum(self.sizes, out=offsets[1:])
        structs = pa.StructArray.from_arrays(children, fields=list(CHUNK_TYPE))
        return pa.ListArray.from_arrays(pa.array(offsets), structs)


_NUMBERS = {
    "level": pa.int32(),
    "chunk_index": pa.int32(),
    "chunk_count": pa.int32(),
    "start_char": pa.int32(),
    "end_char": pa.int32(),
    "token_count": pa.int32(),
    "overlap_chars": pa.int32(),
    "window_start_char": pa.int32(),
    "window_end_char": pa.int32(),
    "over_limit": pa.bool_(),
    "context_cut": pa.bool_(),
    "occurrence": pa.int32(),
}


def _columns(spans: Spans, pieces: list[str]) -> dict[str, Any]:
    """Arrays of numbers (one a column, n long), or None for a column of nulls."""
    count = len(spans)
    no = np.zeros(count, np.bool_)
    return {
        "level": np.zeros(count, np.int32),
        "chunk_index": np.arange(count, dtype=np.int32),
        "chunk_count": np.full(count, count, np.int32),
        "start_char": spans.starts,
        "end_char": spans.ends,
        "token_count": spans.token_counts,
        "overlap_chars": spans.overlaps,
        "window_start_char": None,
        "window_end_char": None,
        "over_limit": no if spans.over_limit is None else spans.over_limit,
        "context_cut": no if spans.context_cut is None else spans.context_cut,
        "occurrence": _occurrences(pieces),
    }


def _occurrences(pieces: list[str]) -> np.ndarray[Any, np.dtype[np.int32]]:
    """How many earlier pieces are the same (n)."""
    counts = np.zeros(len(pieces), np.int32)
    if len(set(pieces)) < len(pieces):
        seen: dict[str, int] = {}
        for n, piece in enumerate(pieces):
            counts[n] = seen.get(piece, 0)
            seen[piece] = int(counts[n]) + 1
    return counts


def _number_array(name: str, parts: list[Any], sizes: list[int]) -> pa.Array:
    kind = _NUMBERS[name]
    if not parts:
        return pa.array([], kind)
    if all(part is None for part in parts):
        return pa.nulls(sum(sizes), kind)
    if any(part is None for part in parts):
        pieces = [
            pa.nulls(size, kind) if part is None else pa.array(part, kind)
            for part, size in zip(parts, sizes, strict=True)
        ]
        return pa.concat_arrays(pieces)
    joined = np.concatenate(parts)
    return pa.array(joined if name in ("over_limit", "context_cut") else joined.astype(np.int32), kind)
