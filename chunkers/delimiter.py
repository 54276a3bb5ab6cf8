"""`delimiter`: a cut after each literal delimiter, which ends its chunk."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass

import numpy as np

from chunkers.chunk import Context, Spans
from chunkers.chunker import Chunker
from chunkers.parameters import parameter
from chunkers.text import graphemes


@dataclass(frozen=True, kw_only=True)
class Delimiter(Chunker):
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

    def cut(self, text: str, context: Context) -> Spans:
        body = len(text.rstrip())
        ends = [match.end() for match in self._pattern.finditer(text, 0, body)]
        if not text.isascii() or self.delimiter.endswith("\r"):
            ends = graphemes.boundaries(text, ends)
        if ends and text[: ends[0]].isspace():
            del ends[0]
        if ends and ends[-1] == body:
            del ends[-1]
        edges = np.array([0, *ends, len(text)])
        return Spans(edges[:-1], edges[1:])
