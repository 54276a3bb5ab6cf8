"""Base of the algorithms that keep every chunk within a size."""

from __future__ import annotations

import dataclasses
from abc import abstractmethod
from dataclasses import dataclass

import numpy as np

from chunkers.chunk import Context, Spans
from chunkers.chunker import Chunker
from chunkers.parameters import parameter
from chunkers.text.even import even_spans
from chunkers.text.sizes import Sizes


@dataclass(frozen=True, kw_only=True)
class SizedChunker(Chunker):
    """An algorithm with a limit, in tokens or in code points, on `index_text`."""

    overlap_rate: float = parameter(
        0.0,
        minimum=0.0,
        maximum=0.5,
        doc="Share of a chunk that the next one repeats: of the limit, less what the context takes.",
    )
    context_share: float = parameter(
        0.5, minimum=0.0, maximum=0.9, doc="Most of the limit that context may take; the rest is for the text."
    )

    @property
    @abstractmethod
    def limit(self) -> int:
        """Most units that `index_text` may have."""

    @abstractmethod
    def sizes(self, text: str) -> Sizes:
        """Measure `text` in the units of the limit."""

    def even(self, text: str, context: Context) -> Spans:
        """Spans at an even distance."""
        sizes = self.sizes(text)
        return even_spans(
            sizes,
            limit=self.limit,
            overlap_rate=self.overlap_rate,
            added=sizes.added,
            context=context,
            context_share=self.context_share,
            trim=self.trim,
        )

    def size_within(self, text: str, context: Context) -> int | None:
        size = self.sizes(text).size(0, len(text), "".join(context))
        return size if size <= self.limit else None

    def resized(self, text: str, spans: Spans) -> Spans:
        """The same spans with the last one's size counted anew."""
        sizes = self.sizes(text)
        before = "" if spans.contexts is None else "".join(spans.contexts[-1])
        size = sizes.size(int(spans.starts[-1]), int(spans.ends[-1]), before)
        over = np.zeros(len(spans), np.bool_) if spans.over_limit is None else spans.over_limit.copy()
        over[-1] = size > self.limit
        counts = None
        if spans.token_counts is not None:
            counts = spans.token_counts.copy()
            counts[-1] = size
        return dataclasses.replace(spans, token_counts=counts, over_limit=over)
