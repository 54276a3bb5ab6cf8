"""Cuts by level: at the coarsest separator that a chunk can reach, at a finer one where there is none.

A *separator* is what stands between two pieces: a blank line, a line end, the space between two
sentences or words, a literal or a pattern. It goes to the piece behind it, or to the one before it.
Each kind of separator is one `Level` over one text; `LevelCuts` asks them from coarse to fine.
"""

from __future__ import annotations

import functools
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from chunkers.text import graphemes
from chunkers.text.blanks import BLANK_LINE, words_end, words_start

Separator = tuple[int, int]
"""Start and end of a separator; they are the same for a mere place between two pieces."""


class Level(Protocol):
    """The separators of one kind in one text."""

    def last(self, low: int, high: int) -> Separator | None:
        """The last one that starts in `(low, high]`."""

    def first(self, low: int, high: int) -> Separator | None:
        """The first one that starts in `[low, high)`."""


class Found:
    """Separators that were looked for beforehand: `starts` and `ends` (n each, ascending)."""

    def __init__(self, starts: Sequence[int], ends: Sequence[int] | None = None) -> None:
        self._starts = starts
        self._ends = starts if ends is None else ends

    def last(self, low: int, high: int) -> Separator | None:
        row = bisect_right(self._starts, high) - 1
        return (self._starts[row], self._ends[row]) if row >= 0 and self._starts[row] > low else None

    def first(self, low: int, high: int) -> Separator | None:
        row = bisect_left(self._starts, low)
        if row < len(self._starts) and self._starts[row] < high:
            return self._starts[row], self._ends[row]
        return None


class Literal:
    """A literal, looked for where it is wanted."""

    def __init__(self, text: str, literal: str) -> None:
        self._text = text
        self._literal = literal

    def last(self, low: int, high: int) -> Separator | None:
        found = self._text.rfind(self._literal, low + 1, high + len(self._literal))
        return None if found < 0 else (found, found + len(self._literal))

    def first(self, low: int, high: int) -> Separator | None:
        found = self._text.find(self._literal, low, high + len(self._literal) - 1)
        return None if found < 0 else (found, found + len(self._literal))


class Lines:
    """Line ends: LF, CRLF, CR."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._ends = ("\n", "\r") if "\r" in text else ("\n",)

    def last(self, low: int, high: int) -> Separator | None:
        found = -1
        for end in self._ends:
            found = max(found, self._text.rfind(end, max(low, found) + 1, high + 1))
        return None if found < 0 else (found, found + 1)

    def first(self, low: int, high: int) -> Separator | None:
        places = [place for end in self._ends if (place := self._text.find(end, low, high)) >= 0]
        return (min(places), min(places) + 1) if places else None


class Words:
    """White space between words."""

    def __init__(self, text: str) -> None:
        self._text = text

    def last(self, low: int, high: int) -> Separator | None:
        piece = self._text[low : high + 1]
        kept = piece.rstrip()
        if len(kept) == len(piece):
            before = kept.rsplit(None, 1)
            kept = before[0] if len(before) == 2 else ""
        end = low + len(kept)
        return (end, end + 1) if kept and end > low else None

    def first(self, low: int, high: int) -> Separator | None:
        found = _SPACE.search(self._text, low, high)
        return found.span() if found else None


_SPACE = re.compile(r"\s")
_LONGEST_BLANK_LINE = 256
_NEAR = 512
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")


_PAIRS = ("\n\n", "\r\n\r\n", "\n\r", "\r\r")
"""Two line ends; with any others of them one of these comes too."""


class BlankLines:
    """Blank lines, looked for where they are wanted: most are two line ends, which are found backwards at once."""

    def __init__(self, text: str) -> None:
        self._text = text
        has_cr = "\r" in text
        self._pairs = [pair for pair in _PAIRS if pair in text] if has_cr else _PAIRS[:1]
        self._line = BLANK_LINE if has_cr else _BLANK_LINE

    def last(self, low: int, high: int) -> Separator | None:
        text = self._text
        found = -1
        for pair in self._pairs:
            found = max(found, text.rfind(pair, max(low, found) + 1, high + len(pair)))
        floor = low + 1 if found < 0 else found + 1
        # One with blanks in it may be behind the pair. From the end on, since there may be thousands.
        start, size = high + 1, _NEAR
        while start > floor:
            start = max(floor, high - size)
            if (spaced := self._last_spaced(start, high)) is not None:
                return spaced
            size *= 4
        return None if found < 0 else (found, found + 2)

    def _last_spaced(self, start: int, high: int) -> Separator | None:
        found = None
        for match in self._line.finditer(self._text, start, high + _LONGEST_BLANK_LINE):
            if match.start() > high:
                break
            found = match.span()
        return found

    def first(self, low: int, high: int) -> Separator | None:
        match = self._line.search(self._text, low, high + _LONGEST_BLANK_LINE)
        return match.span() if match and match.start() < high else None


class Sentences:
    """The white space between sentences, looked for in one paragraph after the other.

    `starts_of` gives the starts of the sentences of a text (n, ascending). A paragraph ends at a blank line.
    """

    def __init__(self, text: str, starts_of: Callable[[str], Sequence[int]]) -> None:
        self._text = text
        self._starts_of = starts_of
        self._low = self._high = 0
        self._found = Found([])

    def last(self, low: int, high: int) -> Separator | None:
        self._look_at(low, high)
        return self._found.last(low, high)

    def first(self, low: int, high: int) -> Separator | None:
        self._look_at(low, high)
        return self._found.first(low, high)

    @functools.cached_property
    def _paragraphs(self) -> Level:
        return BlankLines(self._text)

    def _look_at(self, low: int, high: int) -> None:
        """Find the sentences of all paragraphs that the range touches."""
        if self._low <= low and high <= self._high:
            return
        length = len(self._text)
        before = self._paragraphs.last(-1, low) or (0, 0)
        after = self._paragraphs.first(high, length) or (length, length)
        self._low, self._high = before[1] if before[1] <= low else before[0], after[0]
        starts = [self._low + start for start in self._starts_of(self._text[self._low : self._high])[1:]]
        self._found = Found([words_end(self._text, self._low, start) for start in starts], starts)


@dataclass(frozen=True)
class LevelCuts:
    """Cuts of a text by its levels, coarse to fine (`packing.Cuts`).

    `keep_end` leaves a separator with the piece before it. `tears(low, cut)` turns down a cut that
    parts what belongs together.
    """

    text: str
    levels: Sequence[Level]
    keep_end: bool = False
    tears: Callable[[int, int], bool] | None = None

    def last(self, start: int, low: int, high: int) -> int:
        for level in self.levels:
            cut = self._last_of(level, low, high)
            while cut > low and self.tears is not None and self.tears(start, cut):
                cut = self._last_of(level, low, cut - 1)
            if cut > low:
                return cut
        return low

    def first(self, low: int, position: int, high: int) -> int:
        """From the finest level on, until one leaves more than half of what lies before `high`."""
        first = high
        for level in reversed(self.levels):
            first = self._first_of(level, low, position, first)
            if first - position <= (high - position) // 2:
                break
        return first if first < high else min(high, graphemes.ceil(self.text, position, low, high))

    def overlap(self, low: int, position: int, end: int) -> int:
        return self.first(low, position, end) if position < end else end

    def less_overlap(self, start: int, end: int) -> int:
        return self.first(start, (start + end + 1) // 2, end)

    def unit_end(self, position: int) -> int:
        return position

    def is_torn(self, low: int, position: int) -> bool:
        return self.tears is not None and self.tears(low, position)

    def _last_of(self, level: Level, low: int, high: int) -> int:
        """The last cut of a level in `(low, high]` that leaves text before it; `low` when there is none."""
        bound = high
        while (found := level.last(low, bound)) is not None:
            cut = self._cut(low, found)
            if low < cut <= high and graphemes.floor(self.text, cut, low) == cut and not self.text[low:cut].isspace():
                return cut
            # All separators in one run of white space give the same cut.
            bound = min(found[0], cut, words_end(self.text, low, found[0] + 1)) - 1
        return low

    def _first_of(self, level: Level, low: int, position: int, high: int) -> int:
        """The first cut of a level in `[position, high)`, given that `low` is a cut; `high` when there is none."""
        start = position
        while (found := level.first(start, high)) is not None:
            cut = self._cut(position, found)
            if cut >= high:
                break
            if cut >= position and graphemes.floor(self.text, cut, low) == cut:
                return cut
            start = max(found[0], found[1] - 1) + 1
        return high

    def _cut(self, low: int, separator: Separator) -> int:
        """Where a separator parts its two pieces; white space around it goes where the separator goes."""
        start, end = separator
        if self.keep_end:
            return words_start(self.text, end, len(self.text)) if end > start else end
        if start > low and self.text[start - 1].isspace() and self.text[start : start + 1].isspace():
            return words_end(self.text, low, start)
        return start
