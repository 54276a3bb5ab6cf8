"""Chunks as Arrow columns: what a worker hands to Spark."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import repeat
from typing import Any

import numpy as np
import pyarrow as pa

from chunkers.chunk import BoolArray, IntArray, Spans, joined_numbers, joined_values
from chunkers.errors import ChunkmillError, DocumentError, invalid_unicode
from chunkers.memory import check_memory

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
        ("parent_index", pa.int32()),
        ("parent_key", pa.string()),
        ("error", pa.string()),
    ]
)
"""One chunk. Positions are code points; `occurrence` counts earlier chunks of the document and level with
the same text; `parent_key` is the parent's `occurrence`, a line break and the SHA-256 of its text; `error`
is set (and all else null) for a document that could not be chunked."""

Cutter = Callable[[str, Any], Spans]


def chunk_batch(cut: Cutter, texts: Sequence[str | None], contexts: Sequence[Any] | None) -> pa.ListArray:
    """Run `cut` over the texts, each with its context, and build one list of `CHUNK_TYPE` structs for each."""
    paired = list(zip(texts, contexts if contexts is not None else repeat(()), strict=contexts is not None))
    try:
        return _filled(cut, paired).build()
    except Exception:
        # What one document gave fits into no column: each by itself, so that it alone fails.
        return pa.concat_arrays([_alone(cut, text, context) for text, context in paired])


def chunk_rows(text: str, spans: Spans) -> pa.StructArray:
    """These spans of a text as `CHUNK_TYPE` structs (n), numbered as if they were all of it."""
    batch = _Batch()
    batch.add(text, spans)
    return batch.build().flatten()


def out_of_memory(size: int, unit: str = "characters") -> DocumentError:
    """The failure of a document of this size, for which the process has not the memory."""
    return DocumentError(
        "out_of_memory",
        f"{size:,} {unit} take more memory than a worker may have: give workers more "
        "(spark.executor.pyspark.memory), or set such documents aside (limits.max_document_mb)",
    )


def error_text(error: BaseException) -> str:
    """`reason: detail` of what went wrong with one document."""
    if isinstance(error, ChunkmillError):
        text = str(error)
    else:
        text = f"algorithm_error: {type(error).__name__}: {str(error)[:200]}"
    return text.encode(errors="replace").decode()


_CHECKED_EVERY = 1 << 16
"""Characters: to ask the system takes as long as to cut a short text."""


def _filled(cut: Cutter, paired: list[tuple[str | None, Any]]) -> _Batch:
    batch = _Batch()
    unchecked = _CHECKED_EVERY
    for text, context in paired:
        try:
            if text is None:
                raise DocumentError("null_text", "the text is null")
            unchecked += len(text)
            if unchecked >= _CHECKED_EVERY:
                check_memory()
                unchecked = 0
            batch.add(text, cut(text, context))
        except MemoryError:
            batch.add_error(out_of_memory(len(text or "")))
        except UnicodeEncodeError:
            batch.add_error(invalid_unicode(text or ""))
        except (Exception, SystemExit) as error:
            batch.add_error(error)
    return batch


def _alone(cut: Cutter, text: str | None, context: Any) -> pa.ListArray:
    try:
        if text is not None:
            text.encode()
        return _filled(cut, [(text, context)]).build()
    except MemoryError:
        return failed(out_of_memory(len(text or "")))
    except UnicodeEncodeError:
        return failed(invalid_unicode(text or ""))
    except Exception as error:
        return failed(error)


def failed(error: BaseException) -> pa.ListArray:
    """The list of one document that could not be chunked."""
    batch = _Batch()
    batch.add_error(error)
    return batch.build()


_MOST_BESIDE = 32
_SMALL = 1 << 16


def check_beside(text: str, spans: Spans) -> None:
    """Raise DocumentError when context and paths are thousands of times the text: a long title for every chunk."""
    contexts, paths = spans.contexts or (), spans.section_paths or ()
    total = sum(len(part) for parts in (*contexts, *paths) for part in parts)
    if total > _MOST_BESIDE * max(len(text), _SMALL):
        raise DocumentError(
            "context_too_large",
            f"{len(spans)} chunks would carry {total} characters of context and headings for a text of {len(text)}; "
            "let a stage with a token_limit follow, or shorten the context",
        )


_NOTHING = np.empty(0, np.int64)
_ERROR_ROW = Spans(np.zeros(1, np.int64), np.zeros(1, np.int64))


class _Batch:
    """Columns of a batch while it grows: an entry a text in `spans`, an entry a chunk in `texts`."""

    def __init__(self) -> None:
        self.spans: list[Spans] = []
        self.texts: list[str | None] = []
        self.occurrences: dict[int, int] = {}
        self.errors: dict[int, str] = {}

    def add(self, text: str, spans: Spans) -> None:
        if spans.contexts is not None or spans.section_paths is not None:
            check_beside(text, spans)
        pieces = [text[s:e] for s, e in zip(spans.starts.tolist(), spans.ends.tolist(), strict=True)]
        if len(set(pieces)) < len(pieces):
            self._count_repeated(pieces[: spans.of_level_0], len(self.texts))
            self._count_repeated(pieces[spans.of_level_0 :], len(self.texts) + spans.of_level_0)
        self.spans.append(spans)
        self.texts.extend(pieces)

    def add_error(self, error: BaseException) -> None:
        self.errors[len(self.texts)] = error_text(error)
        self.spans.append(_ERROR_ROW)
        self.texts.append(None)

    def _count_repeated(self, pieces: list[str], first_row: int) -> None:
        seen: dict[str, int] = {}
        for row, piece in enumerate(pieces, first_row):
            before = seen.get(piece, 0)
            seen[piece] = before + 1
            if before:
                self.occurrences[row] = before

    def build(self) -> pa.ListArray:
        sizes = np.array([len(spans) for spans in self.spans], np.int32)
        offsets = np.zeros(len(sizes) + 1, np.int32)
        np.cumsum(sizes, out=offsets[1:])
        failed = np.zeros(len(self.texts), np.bool_)
        failed[list(self.errors)] = True
        columns = {**self._strings(failed), **self._numbers(sizes, offsets, failed)}
        structs = pa.StructArray.from_arrays([columns[f.name] for f in CHUNK_TYPE], fields=list(CHUNK_TYPE))
        return pa.ListArray.from_arrays(pa.array(offsets), structs)

    def _strings(self, failed: BoolArray) -> dict[str, pa.Array]:
        contexts = joined_values(self.spans, "contexts", ())
        joined = None if contexts is None else ["".join(parts) for parts in contexts]
        errors = pa.nulls(len(failed), pa.string())
        if self.errors:
            errors = pa.array([self.errors.get(row) for row in range(len(failed))], pa.string())
        return {
            "text": pa.array(self.texts, pa.string()),
            "context": _strings("", joined, failed, pa.string()),
            "section_path": _strings([], joined_values(self.spans, "section_paths", ()), failed, pa.list_(pa.string())),
            "kind": _strings("text", joined_values(self.spans, "kinds", "text"), failed, pa.string()),
            "parent_key": self._parent_keys(),
            "error": errors,
        }

    def _parent_keys(self) -> pa.Array:
        keys = joined_values(self.spans, "parent_keys", None)
        return pa.nulls(len(self.texts), pa.string()) if keys is None else pa.array(keys, pa.string())

    def _numbers(self, sizes: IntArray, offsets: IntArray, failed: BoolArray) -> dict[str, pa.Array]:
        starts = np.concatenate([_NOTHING, *(spans.starts for spans in self.spans)])
        ends = np.concatenate([_NOTHING, *(spans.ends for spans in self.spans)])
        occurrences = np.zeros(len(failed), np.int32)
        occurrences[list(self.occurrences)] = list(self.occurrences.values())
        numbers = {**self._numbering(sizes, offsets, starts, ends), "start_char": starts, "end_char": ends}
        numbers["occurrence"] = occurrences
        mask = failed if self.errors else None
        return {
            **{name: pa.array(column.astype(np.int32), pa.int32(), mask=mask) for name, column in numbers.items()},
            "token_count": self._optional("token_counts"),
            "window_start_char": self._optional("window_starts"),
            "window_end_char": self._optional("window_ends"),
            "parent_index": self._optional("parents"),
            "over_limit": pa.array(self._flags("over_limit"), pa.bool_(), mask=mask),
            "context_cut": pa.array(self._flags("context_cut"), pa.bool_(), mask=mask),
        }

    def _numbering(self, sizes: IntArray, offsets: IntArray, starts: IntArray, ends: IntArray) -> dict[str, IntArray]:
        """Level, number and overlap of each row: parents are numbered by themselves."""
        levels = joined_numbers(self.spans, "levels")
        if levels is not None:
            embedded = np.array([spans.of_level_0 for spans in self.spans])
            counts = np.where(levels == 0, np.repeat(embedded, sizes), np.repeat(sizes - embedded, sizes))
            indexes = np.concatenate([spans.indexes() for spans in self.spans])
            overlaps = np.concatenate([spans.overlaps() for spans in self.spans])
            return {"level": levels, "chunk_index": indexes, "chunk_count": counts, "overlap_chars": overlaps}
        overlaps = np.zeros(len(starts), np.int64)
        np.maximum(ends[:-1] - starts[1:], 0, out=overlaps[1:])
        overlaps[offsets[:-1][sizes > 0]] = 0
        return {
            "level": np.zeros(len(starts), np.int32),
            "chunk_index": np.arange(len(starts)) - np.repeat(offsets[:-1], sizes),
            "chunk_count": np.repeat(sizes, sizes),
            "overlap_chars": overlaps,
        }

    def _optional(self, column: str) -> pa.Array:
        """A column of numbers that is null where there is none: -1, or no column."""
        values = joined_numbers(self.spans, column, missing=-1)
        if values is None:
            return pa.nulls(len(self.texts), pa.int32())
        return pa.array(values.astype(np.int32), pa.int32(), mask=values < 0)

    def _flags(self, name: str) -> BoolArray:
        flags = joined_numbers(self.spans, name)
        return np.zeros(len(self.texts), np.bool_) if flags is None else flags


def _strings(default: Any, values: list[Any] | None, failed: BoolArray, kind: pa.DataType) -> pa.Array:
    """A column of `values`, or of the default, null where the document failed."""
    if values is None and not failed.any():
        return _constant(default, len(failed), kind)
    given = repeat(default) if values is None else values
    return pa.array([None if bad else value for bad, value in zip(failed.tolist(), given, strict=False)], kind)


def _constant(value: Any, count: int, kind: pa.DataType) -> pa.Array:
    if pa.types.is_list(kind):
        return pa.ListArray.from_arrays(pa.array(np.zeros(count + 1, np.int32)), pa.array([], kind.value_type))
    return pa.repeat(pa.scalar(value, kind), count)
