"""What a pair of marks holds together across blocks: `<Tabs>` and `</Tabs>`, `:::note` and `:::`, `{% tab %}` and
`{% endtab %}`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from chunkers.text.markdown.blocks import Block

_BLANKS = " \t\r\n\ufeff"
_PARTED = ("html", "paragraph")
_VOID = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr")
)

# Quoted values and braces are bounded, so that a mark that never closes is turned down soon.
# Atomic groups, for Python before 3.11.5 fails to match `(?:...)*+`.
_VALUES = r"""(?>(?:[^<>"'{}]|"[^"]{0,500}"|'[^']{0,500}'|\{[^{}]{0,500}(?:\{[^{}]{0,500}\}[^{}]{0,500}){0,16}\})*)"""
_COMMENT = "!--(?s:.*?)-->"
# What begins with a set of characters is searched for much faster than what begins with alternatives.
_MARK = re.compile(
    r"[<:{](?:"
    rf"(?<=<){_COMMENT}"
    rf"|(?<=<)(?P<tag_end>/)?(?P<tag>[A-Za-z][\w.:-]*){_VALUES}>"
    r"|(?<=:)(?P<colons>::+)[ \t]*(?P<name>[^\s:])?"
    r"|(?<=\{)(?P<template>%|\{[<%])-?[ \t]*(?P<template_end>end|/)?(?P<block>[A-Za-z][\w-]*)"
    r")"
)
WHOLE_MARK = (
    rf"<{_COMMENT}"
    rf"|</?[A-Za-z][\w.:-]*+(?=\s|/?>){_VALUES}>"
    r"|:{3,}[^\r\n]*+"
    r"|\{%(?>(?:[^%\r\n]|%(?!\}))*)%\}"
    r"|\{\{[<%](?>(?:[^}\r\n]|\}(?!\}))*)\}\}"
)
"""A whole mark, given that one starts there: what a line is that says nothing else."""

_OPENING = re.compile(rf"[<:{{{_BLANKS}]")
_LINE_END = re.compile(r"\r\n?+|\n")
_LINE_OPENS = {end: re.compile(rf"{end}[ \t]*+(?:<[A-Za-z]|:::|\{{[{{%])") for end in "\n\r"}
"""A line that may open something, by what ends the one before it."""


class _Mark(NamedTuple):
    name: str
    opens: bool
    start: int
    end: int


_Opened = tuple[int, _Mark]
"""A tile and a mark in it."""

_DEEPEST = 32


def pairs(text: str, tiles: Sequence[Block]) -> list[tuple[int, int]]:
    """First and last tile of every pair that is in two tiles or more, by their last tiles.

    HTML and JSX tags, directives (`:::`) and the block tags of Liquid, Jinja and Hugo open and close at the start
    of a line, in HTML blocks anywhere. What closes without having been opened, or the other way round, is no pair.
    """
    return [(first, last) for first, _, last, _ in _pairs(text, tiles)]


def parted(text: str, tiles: list[Block]) -> list[Block]:
    """The tiles, where one that ends a pair and on a later line begins another is two: `</Tab>` and `<Tab>`."""
    if not _has_turn(text, tiles):
        return tiles
    closed: dict[int, int] = {}
    opened: dict[int, int] = {}
    for first, opening, last, closing in _pairs(text, tiles):
        closed[last] = closing.end
        opened[first] = opening.start
    found: list[Block] = []
    for n, tile in enumerate(tiles):
        if tile.kind in _PARTED and n in closed and n in opened:
            line_end = _LINE_END.search(text, closed[n], opened[n])
            if line_end:
                cut = line_end.end()
                found += tile._replace(end=cut), tile._replace(start=cut)
                continue
        found.append(tile)
    return found


def _has_turn(text: str, tiles: Sequence[Block]) -> bool:
    """Whether a tile closes what it has not opened and then opens what it does not close. Few texts have one."""
    line_opens = _LINE_OPENS["\n" if "\n" in text else "\r"].search
    opening = _OPENING.search("".join([text[tile.start] for tile in tiles]))
    return opening is not None and any(
        line_opens(text, tile.start, tile.end) and _turns(text, tile)
        for tile in tiles[opening.end() :]
        if tile.kind in _PARTED
    )


def _turns(text: str, tile: Block) -> bool:
    opened: list[_Opened] = []
    closes = False
    for mark in _marks(text, tile):
        if mark.opens:
            opened.append((0, mark))
        else:
            closes = _close(opened, mark.name) is None or closes
    return closes and bool(opened)


def _pairs(text: str, tiles: Sequence[Block]) -> Iterator[tuple[int, _Mark, int, _Mark]]:
    """As `pairs`, each tile with its mark."""
    opened: list[_Opened] = []
    for n, tile in enumerate(tiles):
        if tile.kind in ("code", "heading", "table") or not (opened or _may_open(text, tile)):
            continue
        for mark in _marks(text, tile):
            if mark.opens:
                opened.append((n, mark))
            elif (found := _close(opened, mark.name)) and found[0] < n:
                yield *found, n, mark


def _may_open(text: str, tile: Block) -> bool:
    return tile.kind == "html" or text.startswith(("<", ":", "{"), _words_start(text, tile))


def _close(opened: list[_Opened], name: str) -> _Opened | None:
    """Take off the last mark of this name, looked for among the innermost ones, and what was opened behind it."""
    for at in reversed(range(max(0, len(opened) - _DEEPEST), len(opened))):
        if opened[at][1].name == name:
            found = opened[at]
            del opened[at:]
            return found
    return None


def _marks(text: str, tile: Block) -> Iterator[_Mark]:
    """The marks in a tile that open or close."""
    start = _words_start(text, tile)
    if tile.kind == "paragraph" and (tag := _MARK.match(text, start)) and tag.end() > tile.end:
        # The `>` on a line of its own that ends a tag of several lines is a quote to Markdown.
        if found := _named(text, tag):
            yield found
        return
    end = tile.end
    if text.find("<!--", start, end) >= 0:
        # A comment that is not closed hides what follows; looking for its end at every `<!--` would be quadratic.
        unclosed = text.find("<!--", max(start, text.rfind("-->", start, end)), end)
        end = unclosed if unclosed >= 0 else end
    for mark in _MARK.finditer(text, start, end):
        if (tile.kind == "html" or _starts_line(text, mark.start())) and (found := _named(text, mark)):
            yield found


def _named(text: str, mark: re.Match[str]) -> _Mark | None:
    """None for what neither opens nor closes anything."""
    start, end = mark.span()
    if tag := mark["tag"]:
        is_alone = tag.lower() in _VOID or text[end - 2] == "/"
        return None if is_alone else _Mark(tag, not mark["tag_end"], start, end)
    if mark["colons"]:
        return _Mark(":::", mark["name"] is not None, start, end) if _starts_line(text, start) else None
    return _Mark(mark["template"] + mark["block"], not mark["template_end"], start, end) if mark["template"] else None


def _words_start(text: str, tile: Block) -> int:
    start = tile.start
    while start < tile.end and text[start] in _BLANKS:
        start += 1
    return start


def _starts_line(text: str, position: int) -> bool:
    while position and text[position - 1] in " \t>\ufeff":
        position -= 1
    return not position or text[position - 1] in "\r\n"
