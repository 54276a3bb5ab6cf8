"""Markdown headings as one line tells them: where cuts are looked for, the text is not parsed."""

from __future__ import annotations

import re

from chunkers.text.blanks import BLANK_LINE, line_start, words_end, words_start

_ATX = re.compile(r" {0,3}(#{1,6})(?=[ \t\r\n]|\Z)")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*(?=[\r\n]|\Z)")
_UNDERLINE_BEHIND = re.compile(rf"(?:\r\n?|\n)?{_UNDERLINE.pattern}")


def parts_heading(text: str, low: int, cut: int) -> bool:
    """Whether a cut parts a Markdown heading (`## Use`, or an underlined one) from what it heads, or from its line.

    The heading is at the end of `text[low:cut]`, and a heading of the same or a higher level is not headed by it.
    """
    line = line_start(text, low, words_end(text, low, cut) if text[cut - 1].isspace() else cut)
    level = _level(text, low, line)
    if not level:
        return _UNDERLINE_BEHIND.match(text, cut) is not None
    following = words_start(text, cut, len(text))
    if following == len(text):
        return False
    line = line_start(text, cut, following)
    next_level = _level(text, cut, line) or _level(text, line, _next_line(text, following))
    return not next_level or next_level > level


def _level(text: str, low: int, line: int) -> int:
    """The level of the heading whose last line starts there, no other line of it before `low`; 0 when it is none."""
    if text[line : line + 1] not in (" ", "#", "=", "-"):
        return 0
    if heading := _ATX.match(text, line):
        return len(heading[1])
    if line == low or not (heading := _UNDERLINE.match(text, line)):
        return 0
    title_end = words_end(text, low, line)
    if title_end == low or BLANK_LINE.search(text, title_end, line):
        return 0
    return 1 if heading[1][0] == "=" else 2


def _next_line(text: str, position: int) -> int:
    found = text.find("\n", position)
    return len(text) if found < 0 else found + 1
