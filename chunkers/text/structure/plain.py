"""Plain text as blocks: paragraphs and lists."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from chunkers.text.markdown import Block, Kind, Nodes
from chunkers.text.structure.source import Source

_LINE = re.compile(r"([^\S\r\n]*)([^\r\n]*)(?:\r\n?|\n|\Z)")
_ITEM = re.compile(r"(?:[-*+\u2022\u2023\u25e6]|\(?(?:\d{1,3}|[a-z])[.)])[^\S\r\n]+\S")


def plain_source(text: str, language: str | None = None) -> Source:
    """Paragraphs, which end at blank lines, and lists, whose items begin with a bullet or a number.

    What is indented below an item belongs to it, and so does what follows it without a blank line.
    """
    lines = _Lines(text)
    for line in _LINE.finditer(text):
        if line.end() > line.start():
            lines.add(line.start(), len(line[1]), line[2])
    return Source(text, lines.blocks(), nodes=lines.nodes, language=language)


@dataclass
class _Lines:
    """Blocks and items as line after line comes in."""

    text: str
    nodes: Nodes = field(default_factory=Nodes)
    kinds: list[Kind] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)
    items: list[tuple[int, int]] = field(default_factory=list)
    """Row and indentation of the items that are open."""
    after_blank: bool = False

    def add(self, start: int, indent: int, words: str) -> None:
        if not words or words.isspace():
            self.after_blank = True
            return
        if _ITEM.match(words):
            self._item(start, indent)
        elif not self._goes_on(indent):
            self._block("paragraph", start)
        self.after_blank = False

    def _goes_on(self, indent: int) -> bool:
        """Whether a line belongs to the block before it."""
        if not self.kinds or not self.after_blank:
            return bool(self.kinds)
        return self.kinds[-1] == "list" and indent > self.items[0][1]

    def _block(self, kind: Kind, start: int) -> None:
        self._close(start, -1)
        self.kinds.append(kind)
        self.starts.append(start)
        self.rows.append(len(self.nodes.kinds))
        self._node(kind, start, 0)

    def _item(self, start: int, indent: int) -> None:
        if not self.kinds or self.kinds[-1] != "list":
            self._block("list", start)
        self._close(start, indent)
        self.items.append((len(self.nodes.kinds), indent))
        self._node("item", start + indent, 2 * len(self.items) - 1)

    def _close(self, position: int, indent: int) -> None:
        """End the items that are indented as far or farther."""
        while self.items and self.items[-1][1] >= indent:
            row, _ = self.items.pop()
            self.nodes.ends[row] = position

    def _node(self, kind: Kind, start: int, depth: int) -> None:
        self.nodes.kinds.append(kind)
        self.nodes.starts.append(start)
        self.nodes.ends.append(len(self.text))
        self.nodes.depths.append(depth)

    def blocks(self) -> list[Block]:
        if not self.kinds:
            return [Block("paragraph", 0, len(self.text), -1, -1)]
        starts = [0, *self.starts[1:]]
        return [
            Block(kind, start, end, row, last)
            for kind, start, end, row, last in zip(
                self.kinds,
                starts,
                [*starts[1:], len(self.text)],
                self.rows,
                [*self.rows[1:], len(self.nodes.kinds)],
                strict=True,
            )
        ]
