"""Where a block that is too big may be cut, coarse to fine."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import repeat

from chunkers.text.blanks import line_start
from chunkers.text.code import code_levels, known_language, plain_code_levels
from chunkers.text.markdown import Block
from chunkers.text.markdown.tables import cell_starts, row_starts
from chunkers.text.structure.source import Source

Cut = tuple[int, int]
"""A position and its level: the smaller, the coarser."""

CELLS = 10_000
"""The level of cuts between cells: finer than all others."""

_DEEPER = 100
"""How much finer a cut is for each container around it."""

_FENCE = re.compile(r"[ \t>]*(?:`{3,}|~{3,})")
_CLOSING = re.compile(r"[ \t]*(?:`{3,}|~{3,})\s*\Z")
_LINE_END = re.compile(r"\r\n?|\n")
_NEXT_LINE = re.compile(r"(?:\r\n?|\n)(?=[^\S\r\n]*\S)")
_LONGEST_INDENT = 256


def inner_cuts(source: Source, block: Block) -> list[Cut]:
    """Cuts inside a block, ascending, each at the start of a line or between two cells of a table."""
    # The coarsest cut of a position comes last: that is the one which a mapping keeps.
    found = dict(sorted(_cuts(source, block), reverse=True))
    return [cut for cut in reversed(found.items()) if block.start < cut[0] < block.end]


def _cuts(source: Source, block: Block) -> Iterator[Cut]:
    if block.kind == "table":
        return _table(source.text, block.start, block.end, 0)
    if block.kind == "code":
        info = source.code_language or source.nodes.infos.get(block.row, "")
        return _code(source.text, block.start, block.end, info, 0)
    if block.kind in ("html", "front_matter"):
        return _lines(source.text, block.start, block.end)
    return _container(source, block)


def _table(text: str, start: int, end: int, level: int) -> Iterator[Cut]:
    """Before each row but the first, and between the cells of each."""
    rows = row_starts(text, start, end)
    for row in rows[3:]:
        yield row, level
    for low, high in zip(rows, [*rows[1:], end], strict=True):
        yield from zip(cell_starts(text, low, high), repeat(CELLS))


def _code(text: str, start: int, end: int, info: str, level: int) -> Iterator[Cut]:
    """By the grammar of its language where one is installed, else by blank lines and indentation."""
    low, high = code_inside(text, start, end)
    language = known_language(info)
    found = code_levels(text, low, high, language) if language else None
    for n, positions in enumerate(plain_code_levels(text, low, high) if found is None else found):
        yield from zip(positions.tolist(), repeat(level + n))


def _lines(text: str, start: int, end: int) -> Iterator[Cut]:
    for n, positions in enumerate(plain_code_levels(text, start, end)):
        yield from zip(positions.tolist(), repeat(n))


def code_inside(text: str, start: int, end: int) -> tuple[int, int]:
    """The code of a block without its fences; all of it when it has none."""
    if not _FENCE.match(text, start, end):
        return start, end
    opening = _LINE_END.search(text, start, end)
    low = opening.end() if opening else end
    while end > low and text[end - 1] in "> \t\r\n":
        end -= 1
    last = max(text.rfind("\n", low - 1, end), text.rfind("\r", low - 1, end)) + 1
    return low, last if last >= low and _FENCE.match(text, last) else end


def _container(source: Source, block: Block) -> Iterator[Cut]:
    """Before items and other blocks by how deep they are nested, in tables and code by their own rules.

    A list in an item begins with the line that introduces it: no cut is before its first item.
    """
    nodes, text = source.nodes, source.text
    for row in range(block.row + 1, block.last):
        kind, end, level = nodes.kinds[row], nodes.ends[row], nodes.depths[row] * _DEEPER
        is_first = _LINE_END.search(text, nodes.starts[row - 1], nodes.starts[row]) is not None
        start = own_line(text, nodes.starts[row], block.start) if is_first else None
        if start is not None and kind != "list" and not (kind == "item" and nodes.kinds[row - 1] == "list"):
            yield start, level
        if kind == "table":
            yield from _table(text, nodes.starts[row] if start is None else start, end, level + 1)
        elif kind == "code":
            yield from _code(
                text, nodes.starts[row] if start is None else start, end, nodes.infos.get(row, ""), level + 1
            )


def own_line(text: str, position: int, low: int) -> int | None:
    """Where the line of a block in a container starts; None when the mark of an item is in front of it."""
    start = line_start(text, low, position)
    return None if text[start:position].strip(" \t>") else start


def body_start(text: str, block: Block) -> int:
    """Where the lines of a block start behind those that begin a table or open code; its end when it has no more."""
    skipped = 2 if block.kind == "table" else 1 if block.kind == "code" and _FENCE.match(text, block.start) else 0
    body = block.start
    for _ in range(skipped):
        line = _NEXT_LINE.search(text, body, block.end)
        body = line.end() if line else block.end
    return body


def next_line(text: str, block: Block, position: int, stop: int) -> int:
    """The first line in `[position, stop)` that is not blank, given that its body starts before; else the block's end.

    The fence that closes code is none.
    """
    line = _NEXT_LINE.search(text, position - 1, min(block.end, stop + _LONGEST_INDENT))
    if not line or (block.kind == "code" and _CLOSING.match(text, line.end(), block.end)):
        return block.end
    return line.end()
