"""Context that depends on where a chunk starts: the headings above that place."""

from __future__ import annotations

import dataclasses
from bisect import bisect_right
from dataclasses import dataclass
from typing import Self

from chunkers.chunk import Context, Spans
from chunkers.text.blanks import words_start
from chunkers.text.context import Location
from chunkers.text.markdown import parse

Path = tuple[str, ...]


@dataclass(frozen=True)
class Outline:
    """The headings of a Markdown text: `starts` (n, code points), and of each the path from the root down to it.

    `paths` are titles, `parts` the headings as they are written, each as a part of context.
    """

    text: str
    starts: list[int]
    paths: list[Path]
    parts: list[Context]

    @classmethod
    def of(cls, text: str) -> Outline:
        starts, paths, parts = [], [], []
        above: list[tuple[int, str, str]] = []
        for heading in parse(text).headings:
            while above and above[-1][0] >= heading.level:
                above.pop()
            above.append((heading.level, heading.title, Location(f"{text[heading.start : heading.end].strip()}\n")))
            starts.append(heading.start)
            paths.append(tuple(title for _, title, _ in above))
            parts.append(tuple(part for _, _, part in above))
        return cls(text, starts, paths, parts)

    def row(self, position: int) -> int:
        """Which heading the text at a position, or the first behind it, stands under; -1 for none."""
        return bisect_right(self.starts, words_start(self.text, position, len(self.text))) - 1


class PlacedContext(tuple[str, ...]):
    """The context of all chunks, and an outline; algorithms that know nothing of places see the former alone."""

    outline: Outline
    offset: int

    def __new__(cls, context: Context, outline: Outline, offset: int = 0) -> Self:
        """`offset` is where the text that is cut starts in the outline's."""
        made = super().__new__(cls, context)
        made.outline = outline
        made.offset = offset
        return made

    def behind(self, start: int) -> PlacedContext:
        """The same for a part of the text that starts there."""
        return PlacedContext(self, self.outline, self.offset + start)

    def row(self, position: int) -> int:
        return self.outline.row(position + self.offset)

    def of_row(self, row: int) -> Context:
        return tuple(self) if row < 0 else (*self, *self.outline.parts[row])

    def path_of_row(self, row: int) -> Path:
        return () if row < 0 else self.outline.paths[row]


def context_at(context: Context, position: int) -> Context:
    """The context of a chunk that starts at a position."""
    return context.of_row(context.row(position)) if isinstance(context, PlacedContext) else context


def part_of(context: Context, start: int) -> Context:
    """The context of a part of a text that starts there, to be cut by itself."""
    return context.behind(start) if isinstance(context, PlacedContext) else context


def placed(spans: Spans, context: Context) -> Spans:
    """The headings above each span, where the algorithm has none of its own."""
    if spans.section_paths is not None or not isinstance(context, PlacedContext):
        return spans
    rows = [context.row(start) for start in spans.starts.tolist()]
    contexts = spans.contexts if spans.contexts is not None else [context.of_row(row) for row in rows]
    return dataclasses.replace(spans, contexts=contexts, section_paths=[context.path_of_row(row) for row in rows])


def located(pieces: Spans, context: Context) -> Spans:
    """Pieces of a text with this context, their context being that of what is cut from them.

    Where headings are known by place, they are found anew; else those that a piece shows itself come too.
    """
    if isinstance(context, PlacedContext) and pieces.section_paths is None:
        contexts: list[Context] = [context.behind(start) for start in pieces.starts.tolist()]
        return dataclasses.replace(pieces, contexts=contexts, context_cut=None)
    if pieces.shown is None:
        return pieces
    own = pieces.contexts if pieces.contexts is not None else [()] * len(pieces)
    contexts = [(*parts, *shown) for parts, shown in zip(own, pieces.shown, strict=True)]
    return dataclasses.replace(pieces, contexts=contexts, shown=None)
