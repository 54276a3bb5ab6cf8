"""Text on a terminal: colours, widths in cells, rows, and nothing that could take the terminal over."""

from __future__ import annotations

import os
import shutil
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TextIO

import regex

_CLUSTER = regex.compile(r"\X")


@dataclass(frozen=True)
class Style:
    """What a stream can show."""

    width: int = 100
    colour: bool = False
    unicode: bool = True

    def glyph(self, unicode: str, plain: str) -> str:
        return unicode if self.unicode else plain

    def plain(self, text: str) -> str:
        return text

    def dim(self, text: str) -> str:
        return self._painted(text, "2")

    def bold(self, text: str) -> str:
        return self._painted(text, "1")

    def warn(self, text: str) -> str:
        return self._painted(text, "33")

    def shared(self, text: str) -> str:
        return self._painted(text, "36")

    def _painted(self, text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour and text else text


def style_of(stream: TextIO) -> Style:
    """Colours on a terminal only (and not under NO_COLOR), line drawing where the encoding has it."""
    colour = stream.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
    width = min(shutil.get_terminal_size().columns, 120) if stream.isatty() else 100
    return Style(max(40, width), colour, (stream.encoding or "").lower().replace("-", "").startswith("utf"))


def safe(text: str) -> str:
    """Text that can't move the cursor, set colours or turn the writing direction around.

    Control characters become escapes, a tab four spaces.
    """
    return text if text.isprintable() else "".join(map(_safe_character, text))


def cells(text: str) -> int:
    """Cells that the text takes: wide characters two, marks none."""
    return len(text) if text.isascii() else sum(map(_cluster_cells, _CLUSTER.findall(text)))


def clipped(text: str, width: int, dots: str) -> str:
    """The end of the text that fits into `width` cells; `dots` stand for what is missing."""
    if len(text) <= 8 * width and cells(text) <= width:
        return text
    kept, room = 0, width - len(dots)
    for cluster in reversed(_CLUSTER.findall(text[-8 * width :])):
        room -= cells(cluster)
        if room < 0:
            break
        kept += len(cluster)
    return dots + text[len(text) - kept :]


def rows(text: str, start: int, end: int, width: int) -> Iterator[tuple[int, int]]:
    """Spans of the rows that show `text[start:end]` in `width` cells: whole lines, broken after spaces."""
    while start < end:
        stop = text.find("\n", start, end)
        stop = end if stop < 0 else stop
        yield from _line_rows(text, start, stop, width)
        start = stop + 1


def _line_rows(text: str, start: int, end: int, width: int) -> Iterator[tuple[int, int]]:
    taken, space = 0, -1
    for cluster in _CLUSTER.finditer(text, start, end):
        wide = cells(safe(cluster.group()))
        while taken + wide > width and cluster.start() > start:
            cut = space if space > start else cluster.start()
            yield start, cut
            start, taken, space = cut, cells(safe(text[cut : cluster.start()])), -1
        taken += wide
        if cluster.group() == " ":
            space = cluster.end()
    yield start, end


def _cluster_cells(cluster: str) -> int:
    if cluster.isascii():
        return len(cluster)
    if any(unicodedata.east_asian_width(character) in "WF" for character in cluster):
        return 2
    return int(any(unicodedata.category(character) not in ("Mn", "Me", "Cf") for character in cluster))


def _safe_character(character: str) -> str:
    if character in "\t\r":
        return "    " if character == "\t" else ""
    turns = "\u202a" <= character <= "\u202e" or "\u2066" <= character <= "\u2069"
    if turns or unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp"):
        return character.encode("unicode_escape").decode()
    return character
