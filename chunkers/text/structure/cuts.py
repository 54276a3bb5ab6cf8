"""Where the chunks of one section may end and start."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate

from chunkers.text.levels import LevelCuts, Lines, Sentences, Words
from chunkers.text.markdown import Block, Kind
from chunkers.text.markdown.pairs import pairs
from chunkers.text.sentences import sentence_starts
from chunkers.text.sizes import Sizes
from chunkers.text.structure.inner import CELLS, Cut, body_start, inner_cuts, next_line, own_line
from chunkers.text.structure.introductions import is_introduction, last_sentence
from chunkers.text.structure.source import Source

_INTRODUCTION = 100
"""A cut in front of the sentence that introduces a list is finer than one between blocks, however deep they are."""

_INNER = 1_000
"""Cuts inside a block are finer than those between blocks."""

_GLUED = _INNER + CELLS - 1
"""A cut between two blocks that belong together is finer than all others but those inside a row or a sentence."""


class FinerCuts:
    """Cuts inside a sentence, a line or a cell of one source; made once, for each looks at all of the text."""

    def __init__(self, source: Source) -> None:
        text = source.text
        self.words = LevelCuts(text, [Words(text)])
        self._lines = LevelCuts(text, [Lines(text), Words(text)], keep_end=True)
        sentences = Sentences(text, lambda piece: sentence_starts(piece, source.language).tolist())
        self._prose = LevelCuts(text, [sentences, Words(text)])

    def of(self, kind: Kind) -> LevelCuts:
        """Those for a kind of block."""
        if kind == "table":
            return self.words
        return self._lines if kind in ("code", "html", "front_matter") else self._prose


class SectionCuts:
    """The cuts of one section (`packing.Cuts`): between blocks, inside a block by its own rule, inside a sentence.

    A chunk ends at the coarsest cut that it can reach, unless what stands behind that cut has to be cut anyway and
    the chunk is not half full: then it goes on to a finer one. `room_at` gives what the context of a chunk that starts
    at a position leaves of the limit.
    """

    def __init__(
        self, source: Source, sizes: Sizes, blocks: Sequence[Block], room_at: Callable[[int], int], finer: FinerCuts
    ) -> None:
        self.source = source
        self._finer = finer
        self.sizes = sizes
        self.blocks = blocks
        self._room_at = room_at
        self.starts = [block.start for block in blocks]
        self.body = next((block.start for block in blocks if block.kind != "heading"), blocks[-1].end)
        self._between = list(self._block_cuts())
        self._inner: dict[int, list[Cut]] = {}
        self._bodies: dict[int, int] = {}
        self._introductions: dict[int, int] = {}

    def _block_cuts(self) -> Iterator[Cut]:
        depths = _pair_depths(self.source.text, self.blocks)
        for n in range(1, len(self.blocks)):
            if self.blocks[n - 1].kind != "heading":
                yield self.blocks[n].start, _GLUED if self._is_introduced(n) else depths[n]

    def _is_introduced(self, number: int) -> bool:
        blocks = self.blocks
        return number > 0 and is_introduction(self.source.text, blocks[number - 1], blocks[number])

    def introduction(self, number: int) -> int | None:
        """Where the sentence starts that introduces a block; None when there is none."""
        if not self._is_introduced(number):
            return None
        if number not in self._introductions:
            self._introductions[number] = last_sentence(self.source, self.blocks[number - 1])
        return self._introductions[number]

    def number(self, position: int) -> int:
        """Which block a position is in; the start of a block is in it."""
        return max(0, bisect_right(self.starts, position) - 1)

    def inner(self, number: int) -> list[Cut]:
        if number not in self._inner:
            self._inner[number] = [(p, _INNER + level) for p, level in inner_cuts(self.source, self.blocks[number])]
        return self._inner[number]

    def last(self, start: int, low: int, high: int) -> int:
        """The best cut in `(low, high]`; `low` when there is none. None is right behind a heading."""
        least = max(low, self.body)
        if high <= least:
            return self._finer.words.last(start, low, high)
        number = self.number(high)
        between = sorted(_coarsening(self._between, least, high))
        best = self._best([cut for cut in between if cut[0] < _INNER], low, least, high)
        if best is not None:
            return best
        inner = self.inner(number)
        sentence = self.introduction(number)
        before = [(_INTRODUCTION, sentence)] if sentence is not None and sentence > least else []
        ruled = sorted([*between, *before, *_coarsening(inner, least, high)])
        best = self._best(ruled, low, least, high, inner)
        if best is not None:
            return best
        reached = max((position for _, position in ruled), default=low)
        bound = max(least, reached, self.blocks[number].start)
        cut = self._finer.of(self.blocks[number].kind).last(start, bound, high)
        return cut if cut > bound else reached

    def _best(self, levelled: list[Cut], low: int, least: int, high: int, inner: Sequence[Cut] = ()) -> int | None:
        """The first of these `(level, position)` that is right; None when each leaves too much behind it."""
        best = least
        for level, position in levelled:
            if position <= best:
                continue
            best = position
            bound = self._reach(best)
            fits = bound >= self.blocks[-1].end or any(
                _has(cuts, level, high, bound) for cuts in (self._between, inner)
            )
            if fits or best >= self.sizes.advance(low, self._room_at(low) // 2):
                return best
        return None

    def first(self, low: int, position: int, high: int) -> int:
        """A cut in `[position, high)` near `position`, given that `low` is one; `high` when there is none.

        Rows and lines of code stay whole where the text before `high` ends with a whole one.
        """
        position = max(position, self.body)
        if position >= high:
            return high
        number = self.number(position)
        block = self.blocks[number]
        if position == block.start:
            return position
        stop = min(high, block.end)
        start = min(stop, self._inner_start(number, position, stop))
        if block.kind in ("table", "code") and self.is_cut(high):
            return start
        if start - position <= (stop - position) // 2:
            return start
        return self._finer.of(self.blocks[number].kind).first(max(low, block.start), position, stop)

    def _inner_start(self, number: int, position: int, stop: int) -> int:
        """The first row, line of code or item of a block that starts in `[position, stop)`, else its end."""
        block, text, nodes = self.blocks[number], self.source.text, self.source.nodes
        if block.kind == "paragraph":
            return block.end
        body = self._body(number)
        line = body if position <= body else next_line(text, block, position, stop)
        if block.kind not in ("list", "quote", "footnote"):
            return line
        row = bisect_left(nodes.starts, line, block.row, block.last)
        start = own_line(text, nodes.starts[row], block.start) if row < block.last else None
        return block.end if start is None else start

    def _body(self, number: int) -> int:
        if number not in self._bodies:
            self._bodies[number] = body_start(self.source.text, self.blocks[number])
        return self._bodies[number]

    def overlap(self, low: int, position: int, end: int) -> int:
        """As `first`; but what fits whole into the next chunk is not cut for the overlap's sake."""
        start = self.first(low, position, end)
        unit_end = self.unit_end(end)
        if start < end < unit_end and self._reach(start) < unit_end:
            start = self.first(low, max(start, self.sizes.retreat(unit_end, self._room_at(start))), end)
        return start

    def less_overlap(self, start: int, end: int) -> int:
        return self.first(start, (start + end + 1) // 2, end)

    def _reach(self, start: int) -> int:
        """How far a chunk that starts there may go."""
        return self.sizes.advance(start, self._room_at(start))

    def is_cut(self, position: int) -> bool:
        """Whether a position is between two blocks, or a cut inside one by its own rule."""
        return any(_row(cuts, position) is not None for cuts in self._near(position))

    def is_torn(self, low: int, position: int) -> bool:
        return False

    def unit_end(self, position: int) -> int:
        """Where what starts at a cut by a rule ends, if it fits into a chunk; else `position`."""
        bound = self._reach(position)
        for cuts in self._near(position):
            row = _row(cuts, position)
            if row is None:
                continue
            level = cuts[row][1]
            while row + 1 < len(cuts) and cuts[row + 1][0] <= bound:
                row += 1
                if cuts[row][1] <= level:
                    return cuts[row][0]
            end = self.blocks[-1].end if cuts is self._between else self.blocks[self.number(position)].end
            return end if end <= bound else position
        return position

    def _near(self, position: int) -> tuple[list[Cut], list[Cut]]:
        return self._between, self._inner.get(self.number(position), [])


def _coarsening(cuts: list[Cut], low: int, high: int) -> Iterator[Cut]:
    """Level and position of the cuts in `(low, high]` behind which there is none as coarse, the last first."""
    coarsest = math.inf
    at = bisect_right(cuts, (high, math.inf))
    while at and cuts[at - 1][0] > low:
        at -= 1
        position, level = cuts[at]
        if level < coarsest:
            coarsest = level
            yield level, position


def _has(cuts: Sequence[Cut], level: int, low: int, high: int) -> bool:
    """Whether a cut of a level, or a coarser one, is in `(low, high]`."""
    at = bisect_right(cuts, (low, math.inf))
    while at < len(cuts) and cuts[at][0] <= high:
        if cuts[at][1] <= level:
            return True
        at += 1
    return False


def _row(cuts: Sequence[Cut], position: int) -> int | None:
    """Which of the cuts is at a position."""
    row = bisect_left(cuts, (position, 0))
    return row if row < len(cuts) and cuts[row][0] == position else None


def _pair_depths(text: str, blocks: Sequence[Block]) -> list[int]:
    """How many pairs of marks hold each block together with the one before it (n blocks, n numbers)."""
    changes = [0] * (len(blocks) + 1)
    for first, last in pairs(text, blocks):
        changes[first + 1] += 1
        changes[last + 1] -= 1
    return list(accumulate(changes[:-1]))
