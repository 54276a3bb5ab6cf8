"""Tokens between white space, as Lucene's WhitespaceTokenizer cuts."""

from __future__ import annotations

import functools

from chunkers.chunk import IntArray
from chunkers.tokenizers.base import WordTokenizer
from chunkers.tokenizers.character_classes import ClassTable
from chunkers.tokenizers.runs import runs

# What Java takes for white space: separators except the three that do not break, and some controls.
_WHITE_SPACE = [
    *(range(0x09, 0x0E), range(0x1C, 0x21), range(0x1680, 0x1681), range(0x2000, 0x2007), range(0x2008, 0x200B)),
    *(range(0x2028, 0x202A), range(0x205F, 0x2060), range(0x3000, 0x3001)),
]


class WhitespaceTokenizer(WordTokenizer):
    """Runs of anything but white space."""

    name = "whitespace"

    def spans(self, text: str) -> tuple[IntArray, IntArray]:
        return runs(text, _table())


@functools.cache
def _table() -> ClassTable:
    table = ClassTable()
    table.assign([range(0x110000)], 1)
    table.assign(_WHITE_SPACE, 0)
    return table
