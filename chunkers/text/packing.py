"""Packing: one walk over a text, or a range of it, that gives every chunk as much as fits.

What all algorithms with a limit share. The tokens of the whole text say how far a chunk may reach;
a cut is chosen there by rule, or at the last grapheme boundary; and it is moved back while a fresh
count of the slice, context included, is over the limit.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from chunkers.chunk import Context, Spans
from chunkers.text import graphemes
from chunkers.text.blanks import trimmed, words_end, words_start
from chunkers.text.context import fit, once, unsaid
from chunkers.text.gaps import close_gaps
from chunkers.text.placed import PlacedContext, context_at
from chunkers.text.sizes import Sizes


@dataclass(frozen=True)
class Budget:
    """What a chunk may have, in units of a limit.

    `limit` covers context and special tokens; context takes at most `context_share` of it. Neighbours
    share `floor(room * overlap_rate)` units, rounded down to the nearest allowed cut, where `room` is
    what the context leaves of the limit. No chunk is smaller than `min_size` where a neighbour has room.
    """

    limit: int
    overlap_rate: float = 0.0
    context_share: float = 0.5
    min_size: int = 0
    trim: bool = False


class Cuts(Protocol):
    """A rule that says where a chunk may end and start. Cuts are between grapheme clusters."""

    def last(self, start: int, low: int, high: int) -> int:
        """The best cut in `(low, high]` for a chunk from `start`; `low` when there is none."""

    def first(self, low: int, position: int, high: int) -> int:
        """A cut in `[position, high)` near `position`, given that `low` is one; `high` when there is none."""

    def overlap(self, low: int, position: int, end: int) -> int:
        """Where the chunk behind one of `[low, end)` starts; `position > low` is as far back as the budget goes."""

    def less_overlap(self, start: int, end: int) -> int:
        """Where the next chunk starts when it must share less of `[start, end)`; `end` for nothing of it."""

    def unit_end(self, position: int) -> int:
        """Where what starts at a position ends that no overlap is worth cutting; the position when there is none."""

    def is_torn(self, low: int, position: int) -> bool:
        """Whether to end a chunk that takes in `low` at a position, which no rule says, is worse than less overlap."""


Part = tuple[Context, int, int]
"""A range of a text, `[low, high)`, and what goes in front of all that is cut from it."""


def pack(sizes: Sizes, budget: Budget, cuts: Cuts | None = None, context: Context = ()) -> Spans:
    """Spans of a text, each with `context` in front.

    Without `cuts`, or where they allow none, a chunk ends with its last whole grapheme cluster.
    """
    return pack_parts(sizes, budget, cuts, [(context, 0, len(sizes.text))])[0]


def pack_parts(sizes: Sizes, budget: Budget, cuts: Cuts | None, parts: Iterable[Part]) -> tuple[Spans, list[int]]:
    """Spans of ranges of a text as one table (n rows), positions those of the text; and the range of each (n)."""
    packed = Packed()
    rows: list[int] = []
    has_context = False
    for number, (context, low, high) in enumerate(parts):
        before = len(packed.starts)
        packed.extend(_packed(sizes, budget, cuts, context, low, high))
        rows += [number] * (len(packed.starts) - before)
        has_context = has_context or bool(context) or isinstance(context, PlacedContext)
    return packed.spans(budget, sizes.counts_tokens, has_context), rows


def _packed(sizes: Sizes, budget: Budget, cuts: Cuts | None, context: Context, low: int, high: int) -> Packed:
    text = sizes.text
    if high - low <= _SHORT * budget.limit and words_start(text, low, high) < high:
        # Counted first, since then no token need be placed; and what all of the text says is not said again.
        front = Front.whole(unsaid(context_at(context, low), text[low:high]), sizes, budget)
        packer = Packer(sizes, budget, cuts, lambda _: front, low, high)
        if packer.took_whole():
            return packer
    packer = Packer(sizes, budget, cuts, _fronts(sizes, budget, context), low, high)
    packer.pack()
    return packer


@dataclass(frozen=True, slots=True)
class Front:
    """What goes in front of a chunk: the parts that fit, as one text, whether something was cut, the room left."""

    parts: Context
    before: str
    cut: bool
    room: int

    @classmethod
    def of(cls, context: Context, sizes: Sizes, budget: Budget) -> Front:
        """As much of the context as its share of the limit takes."""
        return cls.within(context, sizes, budget, math.floor(budget.limit * budget.context_share))

    @classmethod
    def whole(cls, context: Context, sizes: Sizes, budget: Budget) -> Front:
        """As `of`, for a chunk whose room nobody asks for: what is surely within its share is not counted."""
        before = "".join(context)
        most = len(before.encode()) + sizes.added + _PREFIX
        if most <= math.floor(budget.limit * budget.context_share):
            return cls(tuple(context), before, False, 0)
        return cls.of(context, sizes, budget)

    @classmethod
    def within(cls, context: Context, sizes: Sizes, budget: Budget, share: int) -> Front:
        """As much of the context as has at most `share` units."""
        fitted, cut = fit(tuple(context), sizes.size_of, share)
        before = "".join(fitted)
        room = max(1, budget.limit - (sizes.size_of(before) if before else sizes.added))
        return cls(fitted, before, cut, room)


_PREFIX = 8
"""More tokens than any tokenizer puts in front of a text's own, of which there is at most one a byte."""


def _fronts(sizes: Sizes, budget: Budget, context: Context) -> Callable[[int], Front]:
    """The front of a chunk by its start."""
    if not isinstance(context, PlacedContext):
        front = Front.of(context, sizes, budget)
        return lambda _: front
    of_row = functools.cache(lambda row: Front.of(context.of_row(row), sizes, budget))
    return lambda start: of_row(context.row(start))


Floor = Callable[[str, int, int], int]
"""The last allowed cut of a text at or before a position, not before another."""

_TRIES = 8
_SHORT = 5


def _between_code_points(text: str, position: int, low: int) -> int:
    return max(position, low + 1)


@dataclass
class Packed:
    """Chunks that were packed, as columns (n each)."""

    starts: list[int] = field(default_factory=list, init=False)
    ends: list[int] = field(default_factory=list, init=False)
    counts: list[int] = field(default_factory=list, init=False)
    fronts: list[Front] = field(default_factory=list, init=False)

    def extend(self, other: Packed) -> None:
        self.starts += other.starts
        self.ends += other.ends
        self.counts += other.counts
        self.fronts += other.fronts

    def spans(self, budget: Budget, counts_tokens: bool, has_context: bool) -> Spans:
        counts = np.array(self.counts, np.int64)
        cut = [front.cut for front in self.fronts]
        return Spans(
            np.array(self.starts, np.int64),
            np.array(self.ends, np.int64),
            token_counts=counts if counts_tokens else None,
            contexts=[front.parts for front in self.fronts] if has_context else None,
            over_limit=counts > budget.limit,
            context_cut=np.array(cut) if True in cut else None,
        )


@dataclass
class Packer(Packed):
    """One walk over `sizes.text[low:high]`; `front_at` gives what goes in front of a chunk by its start."""

    sizes: Sizes
    budget: Budget
    cuts: Cuts | None
    front_at: Callable[[int], Front]
    low: int
    high: int

    def __post_init__(self) -> None:
        self.limit = self.budget.limit
        text = self.sizes.text
        # A prepended sign (U+0600) takes in the white space behind it.
        self.last = graphemes.ceil(text, words_end(text, self.low, self.high), self.low, self.high)
        self.enter(self.front_at(self.low))

    def enter(self, front: Front) -> None:
        """Go on with this in front."""
        self.front = front
        self.room = front.room
        self.overlap = math.floor(front.room * self.budget.overlap_rate)

    def took_whole(self) -> bool:
        """Whether all of the range is one chunk."""
        text = self.sizes.text
        start, end = trimmed(text, self.low, self.high) if self.budget.trim else (self.low, self.high)
        size = self.sizes.size(start, end, self.front.before)
        if size <= self.limit:
            self._add(start, end, size)
        return size <= self.limit

    def pack(self) -> None:
        text = self.sizes.text
        start = done = self.low
        while done < self.last:
            if self.budget.trim:
                start = self._unspaced(start)
            front = self.front_at(start)
            if front is not self.front:
                self.enter(front)
            end, size = self._end(start, done)
            if end <= done or (start < done and self._cuts_for_overlap(done, end)):
                start = self._less_overlap(start, done)
            elif text[done:end].isspace():
                # White space alone is no chunk: without overlap it may reach text, else it is left out.
                start, done = (done, done) if start < done else (end, end)
            else:
                self._add(start, end, size)
                done = end
                start = self._overlapped(end)
        if not self.budget.trim:
            close_gaps(self.starts, self.ends, self.low, self.high, self._takes)

    def _unspaced(self, start: int) -> int:
        """Where text begins, from `start` on: white space that is left out takes nothing of the limit."""
        found = words_start(self.sizes.text, start, self.high)
        return start if found == self.high else graphemes.floor(self.sizes.text, found, start)

    def _takes(self, row: int, start: int, end: int) -> bool:
        """Give this row the span, if it fits, be it without what its own text says."""
        for front in self._fronts_without_said(row, start, end):
            self.enter(front)
            size = self._size(start, end)
            if size <= self.limit:
                self.counts[row], self.fronts[row] = size, front
                return True
        return False

    def _fronts_without_said(self, row: int, start: int, end: int) -> Iterator[Front]:
        front = self.fronts[row]
        yield front
        kept = unsaid(once(front.parts), self.sizes.text[start:end])
        if len(kept) < len(front.parts):
            yield dataclasses.replace(front, parts=kept, before="".join(kept))

    def _add(self, start: int, end: int, size: int) -> None:
        if self.budget.trim:
            start, end = trimmed(self.sizes.text, start, end)
        self.starts.append(start)
        self.ends.append(end)
        self.counts.append(size)
        self.fronts.append(self.front)

    def _size(self, start: int, end: int) -> int:
        if self.budget.trim:
            start, end = trimmed(self.sizes.text, start, end)
        return self.sizes.size(start, end, self.front.before)

    def _end(self, start: int, done: int) -> tuple[int, int]:
        """The end of the chunk from `start`, behind `done` if one fits there, and its size."""
        reach = min(self.high, self.sizes.advance(start, self.room))
        if self.cuts is not None:
            end, size = self._ruled(self.cuts, start, max(start, done), reach)
            if start == done and end < (whole := min(self.high, self.cuts.unit_end(start))):
                # It may have fewer tokens by itself than it has in the text.
                whole_size = self._size(start, whole)
                end, size = (whole, whole_size) if whole_size <= self.limit else (end, size)
            if end > done:
                return end, size
        end, size = self._hard(start, reach)
        is_torn = start < done and self.cuts is not None and self.cuts.is_torn(start, end)
        return (start, 0) if is_torn else (end, size)

    def _ruled(self, cuts: Cuts, start: int, low: int, reach: int) -> tuple[int, int]:
        """The end by rule, in `(low, reach]`, and its size; `low` when there is none."""
        if reach >= self.last:
            for end in (self.high, self.last):
                if (size := self._size(start, end)) <= self.limit:
                    return end, size
        least = max(low, self.sizes.advance(start, self.budget.min_size) - 1) if self.budget.min_size else low
        end, size = self._last_fitting(cuts, start, least, reach)
        if end == least > low:
            return self._last_fitting(cuts, start, low, least)
        if end > least and self.budget.min_size and self.sizes.advance(end, self.budget.min_size) >= self.last:
            return self._before_small_tail(cuts, start, least, end, size)
        return end, size

    def _before_small_tail(self, cuts: Cuts, start: int, least: int, end: int, size: int) -> tuple[int, int]:
        """An earlier end that leaves enough for the last chunk, where there is one."""
        earlier = min(end, self.sizes.retreat(self.last, self.budget.min_size))
        found, found_size = self._last_fitting(cuts, start, least, max(earlier, least))
        return (found, found_size) if found > least else (end, size)

    def _last_fitting(self, cuts: Cuts, start: int, low: int, high: int) -> tuple[int, int]:
        """The best cut in `(low, high]` with which a fresh count is within the limit, and that count."""
        end = cuts.last(start, low, high)
        tries = 0
        while end > low:
            size = self._size(start, end)
            if size <= self.limit:
                return end, size
            target = self.sizes.retreat(end, size - self.limit) if tries < _TRIES else (low + end) // 2
            end = cuts.last(start, low, max(low, min(target, end - 1)))
            tries += 1
        return low, 0

    def _hard(self, start: int, reach: int) -> tuple[int, int]:
        """The end between clusters, if one fits at all, else between code points."""
        end = graphemes.floor(self.sizes.text, reach, start)
        if end > start:
            end, size = self._shrunk(start, end, graphemes.floor)
            if end > start:
                return end, size
        cluster = self._cluster_end(start)
        if size := self._beside_less(start, cluster):
            return cluster, size
        end, size = self._shrunk(start, max(reach, start + 1), _between_code_points)
        return end, (size if size <= self.limit else self._beside_less(start, end) or size)

    def _cluster_end(self, start: int) -> int:
        """Where the first cluster ends, or a part of it that is surely too large."""
        high = min(self.high, self.sizes.advance(start, 2 * self.limit + 2))
        return graphemes.ceil(self.sizes.text, start + 1, start, high)

    def _beside_less(self, start: int, end: int) -> int:
        """The size of a span that must not be cut, with as much of the context as leaves it whole; 0 if none does.

        What is left of the context is then in front.
        """
        front = self.front
        while (size := self.sizes.size(start, end, front.before)) > self.limit:
            if not front.before:
                return 0
            share = self.sizes.size_of(front.before) - (size - self.limit)
            front = Front.within(front.parts, self.sizes, self.budget, max(0, share))
        self.front = front
        return size

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
        last = self.starts[-1]
        if end >= self.high:
            return end
        position = max(self.sizes.retreat(end, self.overlap), last + 1) if self.overlap else end
        if self.cuts is None:
            return min(end, graphemes.ceil(self.sizes.text, position, last, end))
        return self.cuts.overlap(last, position, end)

    def _cuts_for_overlap(self, done: int, end: int) -> bool:
        """Whether the overlap is why a chunk ends inside what starts at `done` and would fit whole."""
        whole = done if self.cuts is None else min(self.high, self.cuts.unit_end(done))
        return end < whole and self.sizes.size(done, whole, self.front_at(done).before) <= self.limit

    def _less_overlap(self, start: int, done: int) -> int:
        """Less overlap, when a chunk with all of it would bring nothing new or nothing whole."""
        shorter = (
            graphemes.ceil(self.sizes.text, (start + done + 1) // 2, start, done)
            if self.cuts is None
            else self.cuts.less_overlap(start, done)
        )
        return done if self.sizes.text[shorter:done].isspace() else shorter
