"""`sentence_window`: every sentence a chunk, with the span of its neighbours."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np

from chunkers.chunk import Context, Spans
from chunkers.languages import LanguageChunker
from chunkers.parameters import parameter
from chunkers.unsized import UnsizedChunker


@dataclass(frozen=True, kw_only=True)
class SentenceWindow(LanguageChunker, UnsizedChunker):
    """A chunk for each sentence; its window is the sentence with `window` others before and behind it.

    The sentence is what gets embedded, the window what is given to the model. At the edges of a document
    a window is shorter. Source of the method: LlamaIndex's sentence window retrieval.
    """

    name = "sentence_window"
    summary = "Every sentence a chunk, with the span of its neighbours."

    window: int = parameter(3, minimum=0, doc="Sentences on each side that the window takes in.")

    def divide(self, text: str, context: Context) -> Spans:
        starts = self.sentence_starts(text)
        ends = np.append(starts[1:], len(text))
        rows = np.arange(len(starts))
        return Spans(
            starts,
            ends,
            window_starts=starts[np.maximum(rows - self.window, 0)],
            window_ends=ends[np.minimum(rows + self.window, len(starts) - 1)],
        )

    def pieces(self, text: str, context: Context) -> Spans:
        # White space may have changed hands.
        return _holding(super().pieces(text, context))

    def without_said(self, text: str, spans: Spans) -> Spans:
        return _holding(super().without_said(text, spans))

    def first(self, text: str, spans: Spans, count: int) -> Spans:
        return _holding(super().first(text, spans, count))


def _holding(spans: Spans) -> Spans:
    """The spans with windows that hold them."""
    if spans.window_starts is None or spans.window_ends is None:
        return spans
    return dataclasses.replace(
        spans,
        window_starts=np.minimum(spans.window_starts, spans.starts),
        window_ends=np.maximum(spans.window_ends, spans.ends),
    )
