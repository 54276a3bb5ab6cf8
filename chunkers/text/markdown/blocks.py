"""The blocks of a Markdown text as chunking looks at them: headings, and blocks that tile the text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from chunkers.text.front_matter import BOM, front_matter_span
from chunkers.text.markdown.nodes import Kind, Nodes, nodes
from chunkers.text.markdown.tables import table_in_paragraph


class Heading(NamedTuple):
    """A heading of the document itself, not of a quote, list or footnote in it.

    `start` is where its first line starts, `end` is behind its last line's end. `title` is what a
    reader sees of it, on one line.
    """

    level: int
    start: int
    end: int
    title: str


class Block(NamedTuple):
    """A block in no container: from the start of its first line to where the next block starts.

    `row` is its row among the nodes, -1 for what is none; the rows before `last` are in it.
    """

    kind: Kind
    start: int
    end: int
    row: int
    last: int


@dataclass(frozen=True, slots=True)
class Blocks:
    """What was found in one Markdown text; all positions are code points of it."""

    text: str
    body_start: int
    front_matter: tuple[int, int] | None
    headings: list[Heading]
    nodes: Nodes

    def tiles(self) -> list[Block]:
        """The blocks in no container; together they are the text.

        White space belongs to the block before it, at the very start to the one after. Link reference
        definitions are no nodes: they are a paragraph.
        """
        tops = list(self._tops())
        if not tops:
            return [Block("paragraph", 0, len(self.text), -1, -1)] if self.text else []
        kinds, starts, rows, lasts = zip(*tops, strict=True)
        return list(map(Block, kinds, (0, *starts[1:]), (*starts[1:], len(self.text)), rows, lasts))

    def _tops(self) -> Iterator[tuple[Kind, int, int, int]]:
        """Kind and start of the blocks in no container, and their rows among the nodes."""
        text, nodes = self.text, self.nodes
        kinds, starts, ends = nodes.kinds, nodes.starts, nodes.ends
        tops = [row for row, depth in enumerate(nodes.depths) if not depth]
        if self.front_matter:
            yield "front_matter", self.front_matter[0], -1, -1
        end = self.body_start
        for row, last in pairwise([*tops, len(nodes.depths)]):
            kind, start = kinds[row], starts[row]
            if start > end and not (gap := text[end:start]).isspace():
                yield "paragraph", line_start(text, start - len(gap.lstrip())), -1, -1
            end = ends[row]
            table = None
            if kind == "paragraph" and text.find("|", start, end) >= 0:
                table = table_in_paragraph(text, line_start(text, start), end)
            if table is None or table > start:
                yield kind, line_start(text, start), row, last
            if table is not None:
                yield "table", table, -1, -1
        if (gap := text[end:]) and not gap.isspace():
            yield "paragraph", line_start(text, len(text) - len(gap.lstrip())), -1, -1


def parse(text: str) -> Blocks:
    """Find the blocks of a Markdown text: CommonMark, with GFM's tables and footnotes."""
    front_matter = front_matter_span(text)
    if front_matter:
        body_start = front_matter[1]
    else:
        body_start = len(BOM) if text.startswith(BOM) else 0
    found = nodes(text, body_start)
    headings = [
        Heading(level, line_start(text, found.starts[row]), found.ends[row], title)
        for row, (level, title) in found.titles.items()
    ]
    return Blocks(text, body_start, front_matter, headings, found)


def line_start(text: str, position: int) -> int:
    """Where the line starts, given where its indentation ends."""
    while position and text[position - 1] in " \t":
        position -= 1
    return position
