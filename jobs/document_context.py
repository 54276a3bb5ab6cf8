"""The context of one document: what its columns and its beginning put in front of every chunk."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from chunkers.chunk import Context
from chunkers.text import graphemes
from chunkers.text.context import as_parts

_WORD_REACH = 24


def document_context(text: str, values: Sequence[object], lead_chars: int = 0) -> Context:
    """Context parts: the values of the context columns in their order, then the document's lead.

    A null value gives no part, any other its words. The lead is at most the first `lead_chars` code
    points of `text`, cut between grapheme clusters, and between words where that is near.
    """
    lead = text[: _lead_end(text, lead_chars)] if lead_chars else None
    return as_parts([*map(_words, values), lead])


def _words(value: object) -> str | None:
    """A value of a column as text; None for null, also when pandas writes it as NaN or NaT."""
    if isinstance(value, str):
        return value
    if isinstance(value, (list, tuple, np.ndarray)):
        return ", ".join(words for item in value if (words := _words(item)) is not None)
    if value is None or value != value:
        return None
    return str(value).lower() if isinstance(value, (bool, np.bool_)) else str(value)


def _lead_end(text: str, lead_chars: int) -> int:
    end = graphemes.floor(text, lead_chars, 0)
    if end == len(text) or text[end].isspace():
        return end
    for back in range(end, max(end - _WORD_REACH, 0), -1):
        if text[back - 1].isspace():
            return back
    return end
