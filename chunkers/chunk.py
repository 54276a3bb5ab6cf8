"""The one idea of chunkmill: a chunk is a span plus context."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
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
    0 for what gets embedded, 1 for a parent. `overlap_chars` are shared with the chunk before.
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

    @property
    def index_text(self) -> str:
        """What gets embedded: the context, then the text."""
        return self.context + self.text


@dataclass(slots=True)
class Spans:
    """The spans that an algorithm chose in one text, as columns (n rows).

    `starts` and `ends` are code points of that text, in order. A column that is None has one value
    for all rows: no token count, the context that came in, an empty path, kind "text", False.
    """

    starts: IntArray
    ends: IntArray
    token_counts: IntArray | None = None
    contexts: Sequence[Context] | None = None
    section_paths: Sequence[tuple[str, ...]] | None = None
    kinds: Sequence[str] | None = None
    over_limit: BoolArray | None = None
    context_cut: BoolArray | None = None

    def __len__(self) -> int:
        return len(self.starts)

    def overlaps(self) -> IntArray:
        """Code points that each span shares with the one before it (n)."""
        shared = np.zeros(len(self), np.int64)
        np.maximum(self.ends[:-1] - self.starts[1:], 0, out=shared[1:])
        return shared

    @classmethod
    def none(cls) -> Spans:
        """No span at all: a blank text."""
        return cls(np.empty(0, np.int64), np.empty(0, np.int64))


def joined_values(parts: Sequence[Spans], column: str, default: Any) -> list[Any] | None:
    """A column of many spans as one list, `default` where a part has none; None when no part has it."""
    columns = [getattr(spans, column) for spans in parts]
    if all(values is None for values in columns):
        return None
    filled = (repeat(default, len(s)) if v is None else v for s, v in zip(parts, columns, strict=True))
    return list(chain.from_iterable(filled))


def joined_numbers(parts: Sequence[Spans], column: str) -> npt.NDArray[Any] | None:
    """As `joined_values`, for a column of numbers or flags; 0 or False where a part has none."""
    columns = [getattr(spans, column) for spans in parts]
    given = next((values for values in columns if values is not None), None)
    if given is None:
        return None
    filled = [np.zeros(len(s), given.dtype) if v is None else v for s, v in zip(parts, columns, strict=True)]
    return np.concatenate(filled)
