"""Runs of one kind of character, and the length that Lucene lets a token have."""

from __future__ import annotations

import numpy as np

from chunkers.chunk import IntArray
from chunkers.tokenizers.character_classes import ClassTable

MAX_TOKEN_UNITS = 255
"""Longest token, in UTF-16 code units."""


class Utf16:
    """Lengths and positions in UTF-16 code units within one text."""

    def __init__(self, text: str) -> None:
        self._offsets: IntArray | None = None
        if not text.isascii() and len(text.encode("utf-16-le", "surrogatepass")) > 2 * len(text):
            points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")
            self._offsets = np.zeros(len(points) + 1, np.int64)
            np.cumsum((points > 0xFFFF) + 1, out=self._offsets[1:])

    def lengths(self, starts: IntArray, ends: IntArray) -> IntArray:
        """Lengths of spans in code units."""
        return ends - starts if self._offsets is None else self._offsets[ends] - self._offsets[starts]

    def points(self, units: IntArray) -> IntArray:
        """The positions of code units; one inside a surrogate pair is moved to the pair's start."""
        return units if self._offsets is None else self._offsets.searchsorted(units, "right") - 1

    def floor(self, start: int) -> int:
        """The last position at most 255 code units from `start`; it may be beyond the text."""
        if self._offsets is None:
            return start + MAX_TOKEN_UNITS
        return int(self._offsets.searchsorted(self._offsets[start] + MAX_TOKEN_UNITS, "right")) - 1

    def ceil(self, start: int) -> int:
        """The first position at least 255 code units from `start`; it may be beyond the text."""
        if self._offsets is None:
            return start + MAX_TOKEN_UNITS
        return int(self._offsets.searchsorted(self._offsets[start] + MAX_TOKEN_UNITS))


def runs(text: str, table: ClassTable) -> tuple[IntArray, IntArray]:
    """Starts and ends of the maximal runs of characters with a number other than 0.

    A run goes on as a new token once it is 255 code units long, or 256 where the last character
    takes two.
    """
    inside = np.frombuffer(table.of(text), np.bool_)
    edges = np.flatnonzero(np.diff(inside, prepend=False, append=False))
    starts, ends = edges[::2], edges[1::2]
    long = np.flatnonzero(ends - starts > MAX_TOKEN_UNITS // 2)
    if not len(long):
        return starts, ends
    utf16 = Utf16(text)
    cuts = [cut for n in long for cut in _cuts(utf16, int(starts[n]), int(ends[n]))]
    return np.sort(np.append(starts, cuts).astype(np.int64)), np.sort(np.append(ends, cuts).astype(np.int64))


def _cuts(utf16: Utf16, start: int, end: int) -> list[int]:
    """Where the run `[start, end)` is cut."""
    cuts: list[int] = []
    while (start := utf16.ceil(start)) < end:
        cuts.append(start)
    return cuts


def replaced(
    starts: IntArray, ends: IntArray, stretches: list[tuple[int, int]], spans: list[tuple[int, int]]
) -> tuple[IntArray, IntArray]:
    """The tokens with those that start in a stretch taken out and `spans` put in."""
    kept = np.ones(len(starts), np.bool_)
    for first, last in starts.searchsorted(np.array(stretches)):
        kept[first:last] = False
    added = np.array(spans, np.int64).reshape(-1, 2)
    return np.sort(np.append(starts[kept], added[:, 0])), np.sort(np.append(ends[kept], added[:, 1]))
