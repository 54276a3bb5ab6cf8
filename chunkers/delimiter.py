"""`delimiter`: a cut after each literal delimiter, which ends its chunk."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain

import numpy as np

from chunkers.chunk import Context, Spans
from chunkers.parameters import parameter
from chunkers.text import graphemes
from chunkers.text.blanks import words_end, words_start
from chunkers.unsized import UnsizedChunker


@dataclass(frozen=True, kw_only=True)
class Delimiter(UnsizedChunker):
    """Pieces that end with the delimiter, as OpenSearch's `delimiter` algorithm cuts.

    The delimiter is found from left to right, literally and without overlap. A blank piece joins
    the chunk before it (the first one the chunk after), and a delimiter that ends inside a grapheme
    cluster is no place to cut.
    """

    name = "delimiter"
    summary = "A cut after each literal delimiter, which ends its chunk."

    delimiter: str = parameter("\n\n", not_empty=True, doc="The text to cut after; literal, never a pattern.")

    @functools.cached_property
    def _pattern(self) -> re.Pattern[str]:
        """The delimiter, with the blank pieces behind it when it is white space itself."""
        literal = re.escape(self.delimiter)
        return re.compile(rf"{literal}(?:\s*?{literal})*" if self.delimiter.isspace() else literal)

    def divide(self, text: str, context: Context) -> Spans:
        body = words_end(text, 0, len(text))
        cuts: Iterable[int] = (match.end() for match in self._pattern.finditer(text, 0, body))
        if not text.isascii() or self.delimiter.endswith("\r"):
            cuts = graphemes.boundaries(text, cuts)
        # Straight into an array: a list of numbers can take more than the text.
        edges = np.fromiter(chain((0,), cuts, (len(text),)), np.int32)
        if len(edges) > 2 and edges[1] <= words_start(text, 0, len(text)):
            edges = edges[1:]
            edges[0] = 0
        if len(edges) > 2 and edges[-2] == body:
            edges = edges[:-1]
            edges[-1] = len(text)
        return Spans(edges[:-1], edges[1:])
