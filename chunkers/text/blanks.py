"""White space at the ends of a span, found without a copy of a long text."""

from __future__ import annotations

import re

from chunkers.text import graphemes

_WINDOW = 256
_WORD = re.compile(r"\S")

# Possessive, since CRLF is one line end and never two.
BLANK_LINE = re.compile(r"(?:\r\n?+|\n)[^\S\r\n]*(?:\r\n?+|\n)")


def words_end(text: str, low: int, high: int) -> int:
    """Where the last character of `text[low:high]` that is not white space ends; `low` when all are."""
    while high > low:
        window = max(low, high - _WINDOW)
        if kept := text[window:high].rstrip():
            return window + len(kept)
        high = window
    return low


def words_start(text: str, low: int, high: int) -> int:
    """Where the first character of `text[low:high]` that is not white space starts; `high` when all are."""
    found = _WORD.search(text, low, high)
    return found.start() if found else high


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """The span without the white space at its ends (the same span when it is blank).

    White space that carries a mark or follows a joining sign stays with its cluster.
    """
    first = words_start(text, start, end)
    if first == end:
        return start, end
    low = graphemes.floor(text, first, start)
    return low, graphemes.ceil(text, words_end(text, first, end), low, end)


def line_start(text: str, low: int, position: int) -> int:
    """Where the line of a position starts, not before `low`."""
    line = max(low, text.rfind("\n", low, position) + 1)
    return max(line, text.rfind("\r", line, position) + 1)
