"""The one idea of chunkmill: a chunk is a span plus context."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from itertools import chain, repeat
from typing import Any

import numpy as np
import numpy.typing as npt

IntArray = npt.NDArray[np.integer[Any]]
BoolArray = npt.NDArray[np.bool_]

Context = tuple[str, ...]
"""Parts that go in front of a text, the farthest first; each ends with one newline."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """One chunk: `text == document[start:end]` (code points, half-open), and what goes in front.

    `token_count` is that of `index_text` as the model sees it, None without a tokenizer. `level` is
    0 for what gets embedded, 1 for a parent; `index` counts within a level, and `parent_index` is that
    of a child's parent. `overlap_chars` are shared with the chunk before. `document[window_start:window_end]`
    is the chunk with its neighbours, where an algorithm gives windows.
    """

    start: int
    end: int
    text: str
    context: str = ""
    token_count: int | None = None
    section_path: tuple[str, ...] = ()
    kind: str = "text"
    level: int = 0
    index: int = 0
    overlap_chars: int = 0
    over_limit: bool = False
    context_cut: bool = False
    parent_index: int | None = None
    window_start: int | None = None
    window_end: int | None = None

    @property
    def index_text(self) -> str:
        """What gets embedded: the context, then the text."""
        return self.context + self.text


@dataclass(slots=True)
class Spans:
    """The spans that an algorithm chose in one text, as columns (n rows).

    `starts` and `ends` are code points of that text, in order. A column that is None has one value
    for all rows: no token count, the context that came in, an empty path, kind "text", False, level 0,
    no parent, no window. Rows of level 1 stand behind those of level 0; `parents` are indexes among them.
    `shown` are headings that a span shows itself, which is context of what is cut from it.
    """

    starts: IntArray
    ends: IntArray
    token_counts: IntArray | None = None
    contexts: Sequence[Context] | None = None
    section_paths: Sequence[tuple[str, ...]] | None = None
    kinds: Sequence[str] | None = None
    over_limit: BoolArray | None = None
    context_cut: BoolArray | None = None
    levels: IntArray | None = None
    parents: IntArray | None = None
    parent_keys: Sequence[str | None] | None = None
    window_starts: IntArray | None = None
    window_ends: IntArray | None = None
    shown: Sequence[Context] | None = None

    def __len__(self) -> int:
        return len(self.starts)

    @property
    def of_level_0(self) -> int:
        """How many rows get embedded; parents stand behind them."""
        return len(self) if self.levels is None else int((self.levels == 0).sum())

    def indexes(self) -> IntArray:
        """The number of each row within its level (n)."""
        indexes = np.arange(len(self))
        indexes[self.of_level_0 :] -= self.of_level_0
        return indexes

    def overlaps(self) -> IntArray:
        """Code points that each span shares with the one before it in its level (n)."""
        shared = np.zeros(len(self), np.int64)
        np.maximum(self.ends[:-1] - self.starts[1:], 0, out=shared[1:])
        shared[self.of_level_0 : self.of_level_0 + 1] = 0
        return shared

    def repeated(self, rows: IntArray, **columns: Any) -> Spans:
        """These rows, one as often as it is named (n), with some columns replaced."""
        kept = {field.name: getattr(self, field.name) for field in fields(self) if field.name not in columns}
        return Spans(**{name: _taken(column, rows) for name, column in kept.items()}, **columns)

    @classmethod
    def none(cls) -> Spans:
        """No span at all: a blank text."""
        return cls(np.empty(0, np.int64), np.empty(0, np.int64))


def _taken(column: Any, rows: IntArray) -> Any:
    if column is None or isinstance(column, np.ndarray):
        return column if column is None else column[rows]
    return [column[row] for row in rows.tolist()]


def joined_values(parts: Sequence[Spans], column: str, default: Any) -> list[Any] | None:
    """A column of many spans as one list, `default` where a part has none; None when no part has it."""
    columns = [getattr(spans, column) for spans in parts]
    if all(values is None for values in columns):
        return None
    filled = (repeat(default, len(s)) if v is None else v for s, v in zip(parts, columns, strict=True))
    return list(chain.from_iterable(filled))


def joined_numbers(parts: Sequence[Spans], column: str, missing: int = 0) -> npt.NDArray[Any] | None:
    """As `joined_values`, for a column of numbers or flags; `missing` (False for 0) where a part has none."""
    columns = [getattr(spans, column) for spans in parts]
    given = next((values for values in columns if values is not None), None)
    if given is None:
        return None
    filled = [np.full(len(s), missing, given.dtype) if v is None else v for s, v in zip(parts, columns, strict=True)]
    return np.concatenate(filled)
