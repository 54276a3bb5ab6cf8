"""Cuts at an even distance: every N units, with overlap, never over the limit.

What `fixed_token_length` and `fixed_char_length` share. The whole text says where to try a cut
(token N from here); the cut is then moved back to a grapheme boundary, and further back while a
fresh count of the slice, context included, is over the limit.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from chunkers.chunk import Context, Spans
from chunkers.text import graphemes
from chunkers.text.context import fit, unsaid
from chunkers.text.gaps import close_gaps
from chunkers.text.sizes import Sizes


def even_spans(
    sizes: Sizes,
    *,
    limit: int,
    overlap_rate: float,
    added: int = 0,
    context: Context = (),
    context_share: float = 0.5,
    trim: bool = False,
) -> Spans:
    """Spans of at most `limit` units each, context and `added` special tokens included.

    Neighbours share `floor(room * overlap_rate)` units, rounded down to the nearest allowed cut,
    where `room` is what the context leaves of the limit.
    """
    budget = math.floor(limit * context_share)
    if len(sizes.text) <= _SHORT * limit and sizes.text.strip():
        # Counted first, since then no token need be placed; and what all of the text says is not said again.
        packer, fitted, cut = _packer(sizes, limit, overlap_rate, added, unsaid(context, sizes.text), budget, trim)
        if packer.took_whole():
            return packer.spans(fitted if context else None, cut)
    packer, fitted, cut = _packer(sizes, limit, overlap_rate, added, context, budget, trim)
    packer.pack()
    return packer.spans(fitted if context else None, cut)


def _packer(
    sizes: Sizes, limit: int, overlap_rate: float, added: int, context: Context, budget: int, trim: bool
) -> tuple[_Packer, Context, bool]:
    """A packer with the context that fits into `budget`, that context, and whether it was cut."""
    fitted, cut = fit(context, sizes.size_of, budget)
    before = "".join(fitted)
    taken = sizes.size_of(before) if before else added
    room = max(1, limit - taken)
    return _Packer(sizes, limit, room, math.floor(room * overlap_rate), before, trim), fitted, cut


Floor = Callable[[str, int, int], int]
"""The last allowed cut of a text at or before a position, not before another."""

_TRIES = 8
_SHORT = 5
_TEXT = re.compile(r"\S")


def _between_code_points(text: str, position: int, low: int) -> int:
    return max(position, low + 1)


@dataclass
class _Packer:
    """One walk over one text."""

    sizes: Sizes
    limit: int
    room: int
    overlap: int
    before: str
    trim: bool
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)

    def took_whole(self) -> bool:
        """Whether all of the text is one chunk."""
        text = self.sizes.text
        start, end = trimmed(text, 0, len(text)) if self.trim else (0, len(text))
        size = self.sizes.size_of(self.before + text[start:end])
        if size <= self.limit:
            self._add(start, end, size)
        return size <= self.limit

    def pack(self) -> None:
        text = self.sizes.text
        last = len(text.rstrip())
        start = done = 0
        while done < last:
            if self.trim:
                start = self._unspaced(start)
            end, size = self._end(start)
            if end <= done:
                start = self._less_overlap(start, done)
            elif text[done:end].isspace():
                # White space alone is no chunk: without overlap it may reach text, else it is left out.
                start, done = (done, done) if start < done else (end, end)
            else:
                self._add(start, end, size)
                done = end
                start = self._overlapped(end)
        if not self.trim:
            close_gaps(self.starts, self.ends, len(text), self._takes)

    def _unspaced(self, start: int) -> int:
        """Where text begins, from `start` on: white space that is left out takes nothing of the limit."""
        found = _TEXT.search(self.sizes.text, start)
        return start if found is None else graphemes.floor(self.sizes.text, found.start(), start)

    def _takes(self, row: int, start: int, end: int) -> bool:
        """Give this row the span, if it fits."""
        size = self._size(start, end)
        if size <= self.limit:
            self.counts[row] = size
        return size <= self.limit

    def _add(self, start: int, end: int, size: int) -> None:
        if self.trim:
            start, end = trimmed(self.sizes.text, start, end)
        self.starts.append(start)
        self.ends.append(end)
        self.counts.append(size)

    def _size(self, start: int, end: int) -> int:
        if self.trim:
            start, end = trimmed(self.sizes.text, start, end)
        return self.sizes.size(start, end, self.before)

    def _end(self, start: int) -> tuple[int, int]:
        """The end of the chunk from `start`, and its size: between clusters, if one fits at all."""
        text, sizes = self.sizes.text, self.sizes
        reach = sizes.advance(start, self.room)
        end = graphemes.floor(text, reach, start)
        if end <= start:
            end = graphemes.ceil(text, start + 1, start, sizes.advance(start, 2 * self.room + 2))
        end, size = self._shrunk(start, end, graphemes.floor)
        if end > start:
            return end, size
        return self._shrunk(start, max(reach, start + 1), _between_code_points)

    def _shrunk(self, start: int, end: int, floor: Floor) -> tuple[int, int]:
        """The cut at or before `end` up to which a fresh count is within the limit.

        Goes back by the excess, after a few tries by half; gives `start` when no cut is left.
        """
        size = self._size(start, end)
        tries = 0
        while size > self.limit:
            target = self.sizes.retreat(end, size - self.limit) if tries < _TRIES else (start + end) // 2
            shorter = floor(self.sizes.text, min(target, end - 1), start)
            if shorter in (start, end):
                return shorter, size
            end, tries = shorter, tries + 1
            size = self._size(start, end)
        return end, size

    def _overlapped(self, end: int) -> int:
        """Where the next chunk starts so that it shares the overlap with the one that ends here."""
        if not self.overlap or end >= len(self.sizes.text):
            return end
        last = self.starts[-1]
        back = max(self.sizes.retreat(end, self.overlap), last + 1)
        return min(end, graphemes.ceil(self.sizes.text, back, last, end))

    def _less_overlap(self, start: int, done: int) -> int:
        """Half the overlap, when a chunk with all of it would bring nothing new."""
        return graphemes.ceil(self.sizes.text, (start + done + 1) // 2, start, done)

    def spans(self, context: Context | None, context_cut: bool) -> Spans:
        counts = np.array(self.counts, np.int64)
        return Spans(
            np.array(self.starts, np.int64),
            np.array(self.ends, np.int64),
            token_counts=counts if self.sizes.counts_tokens else None,
            contexts=None if context is None else [context] * len(counts),
            over_limit=counts > self.limit,
            context_cut=np.full(len(counts), context_cut),
        )


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """The span without the white space at its ends (the same span when it is blank).

    White space that carries a mark or follows a joining sign stays with its cluster.
    """
    piece = text[start:end]
    stripped = piece.lstrip()
    if not stripped:
        return start, end
    low = graphemes.floor(text, end - len(stripped), start)
    return low, graphemes.ceil(text, end - len(stripped) + len(stripped.rstrip()), low, end)
