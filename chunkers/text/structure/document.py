"""One source on the way to chunks: its sections packed one after the other."""

from __future__ import annotations

import functools
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from chunkers.chunk import Context, Spans
from chunkers.text.blanks import trimmed
from chunkers.text.context import Location, unsaid
from chunkers.text.gaps import close_gaps
from chunkers.text.markdown import Block, Heading
from chunkers.text.packing import Budget, Front, Packer
from chunkers.text.sizes import Sizes
from chunkers.text.structure.cuts import FinerCuts, SectionCuts
from chunkers.text.structure.introductions import Introductions, is_introduction
from chunkers.text.structure.packing import Fronts, PartSizes
from chunkers.text.structure.sections import Section
from chunkers.text.structure.source import Source

_SHORT = 5
_KINDS = {kind: kind for kind in ("table", "code", "list", "html", "front_matter")} | {"heading": "", "rule": ""}
"""What a chunk of one block is, where that is not `text`: nothing of headings and rules."""


@dataclass
class Rows:
    """Chunks as columns (n each)."""

    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    fronts: list[Front] = field(default_factory=list)
    sections: list[Section] = field(default_factory=list)


class Document:
    """A source, measured, with what its chunks may have and what goes in front of all of them.

    `heading_part` makes a part of context of a heading; a blank one is left out. The first chunk starts at `start`.
    """

    def __init__(
        self,
        source: Source,
        sizes: Sizes,
        budget: Budget,
        context: Context,
        heading_part: Callable[[Heading], str],
        start: int = 0,
    ) -> None:
        self._start = start
        self._source = source
        self._sizes = sizes
        self._budget = budget
        self._context = context
        self._heading_part = heading_part
        self._starts = [block.start for block in source.blocks]
        self._fronts = Fronts(sizes, budget)
        self._introductions = Introductions(source, self._fronts.fits)
        self._rows = Rows()
        self._parts: dict[int, str] = {}

    @functools.cached_property
    def _finer(self) -> FinerCuts:
        """Made for the first section that is no chunk by itself: many documents have none."""
        return FinerCuts(self._source)

    @functools.cached_property
    def _kinds(self) -> list[str]:
        """What each block makes a chunk that goes on behind it; nothing when it is there for what follows."""
        text = self._source.text
        return [
            "" if is_introduction(text, block, after) else _KINDS.get(block.kind, "text")
            for block, after in pairwise(self._source.blocks)
        ]

    def fits(self, section: Section) -> bool:
        """Whether a section is one chunk."""
        return self._whole(section) is not None

    def add(self, section: Section) -> None:
        """Pack a section behind the ones before it."""
        rows = self._rows
        whole = self._whole(section)
        if whole is not None:
            start, end, size, front = whole
            rows.starts.append(start)
            rows.ends.append(end)
            rows.counts.append(size)
            rows.fronts.append(front)
            rows.sections.append(section)
            return
        blocks = self.blocks_of(section.start, section.end)
        sizes = PartSizes(self._sizes, section.start, section.end)
        cuts: SectionCuts = SectionCuts(
            self._source, sizes, blocks, lambda at: self._front(section, cuts, at).room, self._finer
        )
        packer = Packer(
            sizes, self._budget, cuts, lambda at: self._front(section, cuts, at), section.start, section.end
        )
        packer.pack()
        self._leave_out_said(packer)
        rows.starts += packer.starts
        rows.ends += packer.ends
        rows.counts += packer.counts
        rows.fronts += packer.fronts
        rows.sections += [section] * len(packer.starts)

    def _whole(self, section: Section) -> tuple[int, int, int, Front] | None:
        """Span, size and front of a section as one chunk, if it fits."""
        text, start, end = self._sizes.text, section.start, section.end
        if end - start > _SHORT * self._budget.limit:
            return None
        if self._budget.trim:
            start, end = trimmed(text, start, end)
        piece = text[start:end]
        front = self._fronts.whole(unsaid(self._above(section, start), piece))
        size = self._sizes.size_of(front.before + piece)
        return (start, end, size, front) if size <= self._budget.limit and piece.strip() else None

    def _above(self, section: Section, position: int) -> Context:
        """What is in front of all chunks, then the headings of a section that start before a position."""
        parts = [self._part(heading) for heading in section.path if heading.start < position]
        return (*self._context, *filter(None, parts))

    def _part(self, heading: Heading) -> str:
        part = self._parts.get(heading.start)
        if part is None:
            made = self._heading_part(heading)
            part = self._parts[heading.start] = Location(made) if made.strip() else ""
        return part

    def _front(self, section: Section, cuts: SectionCuts, position: int) -> Front:
        number = cuts.number(position)
        block = cuts.blocks[number]
        sentence = cuts.introduction(number) if block.kind == "list" else None
        introduction = "" if sentence is None else f"{self._sizes.text[sentence : block.start].strip()}\n"
        parts = self._introductions.at(position, block, introduction)
        shortened = any(is_shortened for _, is_shortened in parts)
        above = self._above(section, position)
        return self._fronts.of((*above, *(Location(part) for part, _ in parts if part)), shortened)

    def blocks_of(self, start: int, end: int) -> list[Block]:
        """The blocks in which the text from `start` to `end` lies."""
        first, last = self._rows_of(start, end)
        return self._source.blocks[first:last]

    def _rows_of(self, start: int, end: int) -> tuple[int, int]:
        return max(0, bisect_right(self._starts, start) - 1), bisect_left(self._starts, end)

    def kind(self, start: int, end: int) -> str:
        """What a chunk is, headings and sentences that introduce something aside; `text` when it is several things."""
        first, last = self._rows_of(start, end)
        ending = self._source.blocks[last - 1].kind
        kinds = {*self._kinds[first : last - 1], _KINDS.get(ending, "text")}
        kinds.discard("")
        return kinds.pop() if len(kinds) == 1 else "text"

    def shown(self) -> list[Context]:
        """The headings that each chunk shows itself, as they are written in it."""
        rows = self._rows
        return [
            tuple(map(self._written, self._shown(section, start)))
            for section, start in zip(rows.sections, rows.starts, strict=True)
        ]

    def _shown(self, section: Section, start: int) -> list[Heading]:
        return [heading for heading in section.path if heading.start >= start and self._part(heading)]

    def _written(self, heading: Heading) -> str:
        return Location(f"{self._sizes.text[heading.start : heading.end].strip()}\n")

    def spans(self) -> Spans:
        """All chunks so far."""
        rows, text = self._rows, self._sizes.text
        if not self._budget.trim and _has_gap(rows, self._start, len(text)):
            close_gaps(rows.starts, rows.ends, self._start, len(text), self._takes)
        counts = np.array(rows.counts, np.int64)
        return Spans(
            np.array(rows.starts, np.int64),
            np.array(rows.ends, np.int64),
            token_counts=counts if self._sizes.counts_tokens else None,
            contexts=[front.parts for front in rows.fronts],
            section_paths=[tuple([heading.title for heading in section.path]) for section in rows.sections],
            kinds=[self.kind(start, end) for start, end in zip(rows.starts, rows.ends, strict=True)],
            over_limit=counts > self._budget.limit,
            context_cut=np.array([front.cut for front in rows.fronts], np.bool_),
        )

    def _leave_out_said(self, packer: Packer) -> None:
        """Context that a chunk's own text says goes away in the end."""
        text = self._sizes.text
        for row, (start, end, front) in enumerate(zip(packer.starts, packer.ends, packer.fronts, strict=True)):
            kept = unsaid(front.parts, text[start:end])
            if len(kept) == len(front.parts):
                continue
            size = packer.sizes.size(start, end, "".join(kept))
            if size <= self._budget.limit:
                packer.fronts[row] = Front(kept, "".join(kept), front.cut, front.room)
                packer.counts[row] = size

    def _takes(self, row: int, start: int, end: int) -> bool:
        size = self._sizes.size(start, end, self._rows.fronts[row].before)
        if size <= self._budget.limit:
            self._rows.counts[row] = size
        return size <= self._budget.limit


def _has_gap(rows: Rows, low: int, high: int) -> bool:
    edges: Sequence[int] = [low, *rows.ends]
    return any(end < start for end, start in zip(edges, [*rows.starts, high], strict=True))
