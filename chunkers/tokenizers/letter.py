"""Runs of letters, as Lucene's LetterTokenizer and OpenSearch's `lowercase` tokenizer cut."""

from __future__ import annotations

import functools

from chunkers.chunk import IntArray
from chunkers.tokenizers.base import WordTokenizer
from chunkers.tokenizers.character_classes import ClassTable, ranges
from chunkers.tokenizers.runs import runs


class LetterTokenizer(WordTokenizer):
    """Runs of letters: no digit, no mark, no sign."""

    name = "letter"

    def spans(self, text: str) -> tuple[IntArray, IntArray]:
        return runs(text, _table())


class LowercaseTokenizer(LetterTokenizer):
    """The same spans: lower case is about a token's form, and chunks keep the text as it is."""

    name = "lowercase"


@functools.cache
def _table() -> ClassTable:
    table = ClassTable()
    table.assign(ranges("letter")["Letter"], 1)
    return table
