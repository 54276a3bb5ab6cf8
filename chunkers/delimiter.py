"""`delimiter`: a cut after each literal delimiter, which ends its chunk."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

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

    def cut(self, text: str, context: Context) -> Spans:
        ends = [match.end() for match in re.finditer(re.escape(self.delimiter), text)]
        if not text.isascii() or self.delimiter.endswith("\r"):
            ends = graphemes.boundaries(text, ends)
        cuts = not_blank(text, ends)
        return Spans(np.array([0, *cuts]), np.array([*cuts, len(text)]))


def not_blank(text: str, cuts: list[int]) -> list[int]:
    """The inner cuts of a text that is not blank, less those that leave a blank piece.

    A blank piece joins the one before it; at the beginning of the text, the one after.
    """
    edges = [0, *cuts, len(text)]
    kept = [cut for cut, after in pairwise(edges) if not text[cut:after].isspace() and cut < after]
    return kept[1:]
