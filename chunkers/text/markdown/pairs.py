"""What a pair of marks holds together across blocks: `<Tabs>` and `</Tabs>`, `:::note` and `:::`, `{% tab %}` and
`{% endtab %}`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from chunkers.text.markdown.blocks import Block

_VOID = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr")
)

# Quoted values and braces are bounded, so that a mark that never closes is turned down soon.
_VALUES = r"""(?:[^<>"'{}]|"[^"]{0,500}"|'[^']{0,500}'|\{[^{}]{0,500}(?:\{[^{}]{0,500}\}[^{}]{0,500}){0,16}\})*+"""
_MARK = re.compile(
    r"<!--(?s:.*?)-->"
    rf"|<(?P<tag_end>/)?(?P<tag>[A-Za-z][\w.:-]*){_VALUES}>"
    r"|(?P<colons>:{3,})[ \t]*(?P<name>[^\s:])?"
    r"|(?P<template>\{%|\{\{[<%])-?[ \t]*(?P<template_end>end|/)?(?P<block>[A-Za-z][\w-]*)"
)


def pairs(text: str, tiles: Sequence[Block]) -> list[tuple[int, int]]:
    """First and last tile of every pair that is in two tiles or more, by their last tiles.

    HTML and JSX tags, directives (`:::`) and the block tags of Liquid, Jinja and Hugo open and close at the start
    of a line, in HTML blocks anywhere. What closes without having been opened, or the other way round, is no pair.
    """
    found: list[tuple[int, int]] = []
    opened: list[tuple[str, int]] = []
    for n, tile in enumerate(tiles):
        if tile.kind in ("code", "heading", "table") or not (opened or _may_open(text, tile)):
            continue
        for name, opens in _marks(text, tile):
            if opens:
                opened.append((name, n))
            elif (at := _last(opened, name)) is not None:
                if opened[at][1] < n:
                    found.append((opened[at][1], n))
                del opened[at:]
    return found


def _may_open(text: str, tile: Block) -> bool:
    return tile.kind == "html" or text.startswith(("<", ":", "{"), _words_start(text, tile))


_DEEPEST = 32


def _last(opened: list[tuple[str, int]], name: str) -> int | None:
    """The last of the opened marks of this name, looked for among the innermost ones."""
    return next(
        (at for at in reversed(range(max(0, len(opened) - _DEEPEST), len(opened))) if opened[at][0] == name), None
    )


def _marks(text: str, tile: Block) -> Iterator[tuple[str, bool]]:
    """Name of each mark in a tile, and whether it opens."""
    start = _words_start(text, tile)
    if tile.kind == "paragraph" and (tag := _MARK.match(text, start)) and tag.end() > tile.end:
        # The `>` on a line of its own that ends a tag of several lines is a quote to Markdown.
        yield from _named(text, tag)
        return
    # A comment that is not closed hides what follows; looking for its end at every `<!--` would be quadratic.
    unclosed = text.find("<!--", max(start, text.rfind("-->", start, tile.end)), tile.end)
    for mark in _MARK.finditer(text, start, unclosed if unclosed >= 0 else tile.end):
        if tile.kind == "html" or _starts_line(text, mark.start()):
            yield from _named(text, mark)


def _named(text: str, mark: re.Match[str]) -> Iterator[tuple[str, bool]]:
    if tag := mark["tag"]:
        if tag.lower() not in _VOID and not mark[0].endswith("/>"):
            yield tag, not mark["tag_end"]
    elif mark["colons"]:
        if _starts_line(text, mark.start()):
            yield ":::", mark["name"] is not None
    elif mark["template"]:
        yield mark["template"] + mark["block"], not mark["template_end"]


def _words_start(text: str, tile: Block) -> int:
    start = tile.start
    while start < tile.end and text[start] in " \t\r\n\ufeff":
        start += 1
    return start


def _starts_line(text: str, position: int) -> bool:
    while position and text[position - 1] in " \t>\ufeff":
        position -= 1
    return not position or text[position - 1] in "\r\n"
