"""What a reader needs in front of a text that starts inside a block: the header of its table, the fence of its
code, the sentence that introduces its list.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable
from typing import NamedTuple

from chunkers.text.markdown import Block, Kind
from chunkers.text.markdown.pairs import WHOLE_MARK
from chunkers.text.markdown.tables import cells, row_starts
from chunkers.text.sentences import sentence_starts
from chunkers.text.structure.inner import code_inside, own_line
from chunkers.text.structure.source import Source

MARK = "\u2026"
"""What stands in place of the columns that were left out of a header."""

_DEEPEST = 8
_CALLOUT = re.compile(r">[ \t]*+\[![\w-]+\][^\r\n]*")

# Atomic groups, for Python before 3.11.5 fails to match `(?:...)*+`.
_TARGET = r"(?:\([^()]*+(?>(?:\([^()]*+\)[^()]*+)*)\)|\[[^\[\]]*+\])"
_IMAGE = rf"!\[[^\[\]]*+\]{_TARGET}"
_MATH = r"\$\$(?>(?:(?s:.*?)\$\$)?)"
_NO_WORDS = re.compile(rf"(?>(?:[\s\ufeff]|{_IMAGE}|\[\s*+{_IMAGE}\s*+\]{_TARGET}|{_MATH}|{WHOLE_MARK})*)")
_MARK_LINE = re.compile(rf"(?>(?:[\s\ufeff]|{WHOLE_MARK})*)")

_MARKS = " >\t\r\n"
"""What stands at the ends of a line that is no part of it, in a quote too."""

Part = tuple[str, bool]
"""A part of context, and whether it was shortened."""


class Opening(NamedTuple):
    """How a table or fenced code begins: where its body starts, what the body needs in front, whether shortened."""

    body: int
    part: str
    shortened: bool


def is_introduction(text: str, block: Block, after: Block) -> bool:
    """Whether a block introduces the one after it: a paragraph in front of a list, or one that ends with a colon.

    One without words introduces nothing, nor does one whose last line opens or closes something.
    """
    if block.kind != "paragraph" or after.kind not in ("list", "table", "code", "quote"):
        return False
    words = text[block.start : block.end].rstrip(" \t\r\n*_")
    return (after.kind == "list" or words.endswith((":", "\uff1a"))) and not _is_silent(words)


def _is_silent(words: str) -> bool:
    # Most end as sentences do.
    if not words.endswith((">", "}", ")", "]", "$")) and ":::" not in words:
        return False
    last_line = max(words.rfind("\n"), words.rfind("\r")) + 1
    return bool(_NO_WORDS.fullmatch(words) or _MARK_LINE.fullmatch(words, last_line))


def last_sentence(source: Source, block: Block) -> int:
    """Where the last sentence of a paragraph starts."""
    return block.start + int(sentence_starts(source.text[block.start : block.end], source.language)[-1])


def header(text: str, start: int, end: int, fits: Callable[[str], bool]) -> Opening:
    """The first two lines of a table; where they do not fit, as many columns as do, and a mark."""
    names, rules, *rest = [*row_starts(text, start, end), end]
    body = rest[0] if rest else end
    first, second = text[names:rules].strip(_MARKS), text[rules:body].strip(_MARKS)
    whole = f"{first}\n{second}\n"
    if fits(whole):
        return Opening(body, whole, False)
    columns, delimiters = cells(first), cells(second)
    low, high = 0, len(columns) - 1
    while low < high:
        middle = (low + high + 1) // 2
        if fits(_shortened(columns, delimiters, middle)):
            low = middle
        else:
            high = middle - 1
    return Opening(body, _shortened(columns, delimiters, low) if low else "", True)


def _shortened(columns: list[str], delimiters: list[str], count: int) -> str:
    names = "|".join([*columns[:count], f" {MARK} "])
    return f"|{names}|\n|{'|'.join([*delimiters[:count], '---'])}|\n"


def fence(text: str, start: int, end: int) -> Opening:
    """The line that opens fenced code; nothing for other code."""
    inside, _ = code_inside(text, start, end)
    line = text[start:inside].strip(_MARKS)
    return Opening(inside, f"{line}\n" if line else "", False)


class Introductions:
    """What goes in front of texts that start inside the blocks of one source.

    `fits` says whether a part is within what context may take.
    """

    def __init__(self, source: Source, fits: Callable[[str], bool]) -> None:
        self._source = source
        self._fits = fits
        self._openings: dict[int, Opening] = {}
        self._nests: dict[int, _Nest] = {}

    def at(self, position: int, block: Block, sentence: str) -> list[Part]:
        """The parts for a text that starts at `position` in `block`, the farthest first.

        `sentence` is what introduces the block when it is a list.
        """
        if block.kind in ("table", "code"):
            return self._opened(block.kind, block.start, block.end, position)
        if block.kind in ("list", "quote", "footnote"):
            return [*_parts(sentence), *self._nested(position, block)]
        return []

    def _opened(self, kind: Kind, start: int, end: int, position: int) -> list[Part]:
        """The header of a table or the fence of code, for a position in its body."""
        if start not in self._openings:
            text = self._source.text
            made = header(text, start, end, self._fits) if kind == "table" else fence(text, start, end)
            self._openings[start] = made
        body, part, shortened = self._openings[start]
        return [(part, shortened)] if position >= body and (part or shortened) else []

    def _nested(self, position: int, block: Block) -> list[Part]:
        """What the containers around a position, and the table or code it is in, put in front of it."""
        if position == block.start:
            return []
        if block.row not in self._nests:
            self._nests[block.row] = _Nest(self._source, block)
        nest, nodes, text = self._nests[block.row], self._source.nodes, self._source.text
        found: list[Part] = []
        for row in reversed(nest.around(position)):
            kind, start, end = nodes.kinds[row], nodes.starts[row], nodes.ends[row]
            if kind in ("table", "code"):
                found += self._opened(kind, start, end, position)
            elif kind == "item":
                found += _parts(nest.lead(row, position))
            elif kind == "quote" and (callout := _CALLOUT.match(text, start, end)):
                found += _parts(f"{callout[0].strip(_MARKS)}\n")
        return found


def _parts(part: str) -> list[Part]:
    return [(part, False)] if part.strip() else []


class _Nest:
    """Which nodes of a block are around a position."""

    def __init__(self, source: Source, block: Block) -> None:
        nodes = source.nodes
        self._source = source
        self._first = block.row
        self._starts = nodes.starts[block.row : block.last]
        self._parents: list[int] = []
        self._children: dict[int, int] = {}
        """The first child of each node that has one."""
        above: list[int] = []
        for row in range(block.row, block.last):
            del above[nodes.depths[row] :]
            parent = above[-1] if above else -1
            self._parents.append(parent)
            self._children.setdefault(parent, row)
            above.append(row)

    def around(self, position: int) -> list[int]:
        """Rows of the nodes that start before a position and end behind it, the innermost first, a few at most."""
        row = self._first + bisect_left(self._starts, position) - 1
        found: list[int] = []
        while row >= self._first and len(found) < _DEEPEST:
            if self._source.nodes.ends[row] > position:
                found.append(row)
            row = self._parents[row - self._first]
        return found

    def lead(self, item: int, position: int) -> str:
        """The first line of an item, for what starts behind the item's own first paragraph."""
        nodes, text = self._source.nodes, self._source.text
        child = self._children.get(item)
        if child is None:
            return ""
        start = own_line(text, nodes.starts[child], nodes.starts[item])
        end = nodes.ends[child] if start is None else start
        if (nodes.kinds[child] not in ("paragraph", "heading") and start is None) or position < end:
            return ""
        line = text[nodes.starts[item] : end].strip().splitlines()[0]
        starts = sentence_starts(line, self._source.language).tolist()
        return f"{line[: starts[1] if len(starts) > 1 else len(line)].strip()}\n"
