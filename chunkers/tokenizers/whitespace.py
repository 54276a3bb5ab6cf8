"""Tokens between white space, as Lucene's WhitespaceTokenizer cuts."""

from __future__ import annotations

import re

import numpy as np

from chunkers.chunk import IntArray
from chunkers.tokenizers.base import WordTokenizer

_TOKEN = re.compile(r"\S{1,255}")


class WhitespaceTokenizer(WordTokenizer):
    """Runs of anything but white space."""

    name = "whitespace"

    def spans(self, text: str) -> tuple[IntArray, IntArray]:
        found = np.fromiter((edge for m in _TOKEN.finditer(text) for edge in m.span()), np.int64)
        return found[::2], found[1::2]
