"""Base of the algorithms that keep every chunk within a size."""

from __future__ import annotations

import dataclasses
import functools
from abc import abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from chunkers.chunk import Context, Spans
from chunkers.chunker import Chunker
from chunkers.errors import Problem
from chunkers.parameters import parameter
from chunkers.text.packing import Budget, Part
from chunkers.text.sizes import Sizes, TokenSizes
from chunkers.tokenizers import Tokenizer, create_tokenizer, tokenizer_parameter

Packing = Callable[[Iterable[Part]], tuple[Spans, list[int]]]
"""Cuts parts of one text: spans of the whole text (n), and which part each is of (n)."""


@dataclass(frozen=True, kw_only=True)
class SizedChunker(Chunker):
    """An algorithm with a limit, in tokens or in code points, on `index_text`."""

    context_share: float = parameter(
        0.5, minimum=0.0, maximum=0.9, doc="Most of the limit that context may take; the rest is for the text."
    )

    @property
    @abstractmethod
    def limit(self) -> int:
        """Most units that `index_text` may have."""

    @property
    @abstractmethod
    def unit(self) -> str:
        """What the limit counts: `characters`, or the tokens of a tokenizer, by its name."""

    @abstractmethod
    def sizes(self, text: str) -> Sizes:
        """Measure `text` in the units of the limit."""

    @property
    def budget(self) -> Budget:
        """What a chunk may have."""
        return Budget(self.limit, context_share=self.context_share, trim=self.trim)

    def size_within(self, text: str, context: Context) -> int | None:
        return size_within(self.sizes(text), self.limit, context)

    def resized(self, text: str, spans: Spans) -> Spans:
        return resized(self.sizes(text), self.limit, spans)


def size_within(sizes: Sizes, limit: int, context: Context) -> int | None:
    """The size of a text with this context in front, None when that is over the limit."""
    size = sizes.size(0, len(sizes.text), "".join(context))
    return size if size <= limit else None


def resized(sizes: Sizes, limit: int, spans: Spans) -> Spans:
    """The same spans with the last one's size counted anew."""
    before = "" if spans.contexts is None else "".join(spans.contexts[-1])
    size = sizes.size(int(spans.starts[-1]), int(spans.ends[-1]), before)
    over = np.zeros(len(spans), np.bool_) if spans.over_limit is None else spans.over_limit.copy()
    over[-1] = size > limit
    counts = None
    if spans.token_counts is not None:
        counts = spans.token_counts.copy()
        counts[-1] = size
    return dataclasses.replace(spans, token_counts=counts, over_limit=over)


def room_problems(limit: int, tokenizer: Tokenizer, path: str) -> list[Problem]:
    """A limit must leave room beside the special tokens."""
    added = tokenizer.added_tokens
    if limit > added:
        return []
    message = f"{limit} leaves no room: the tokenizer itself adds {added} special tokens to every text"
    return [Problem(f"{path}.token_limit", message, f"allowed: {added + 1} or more")]


@dataclass(frozen=True, kw_only=True)
class PackingChunker(SizedChunker):
    """An algorithm that packs a text, or any parts of it, from left to right."""

    @abstractmethod
    def packing(self, sizes: Sizes) -> Packing:
        """What cuts parts of this text, which is measured once."""

    def cut(self, text: str, context: Context) -> Spans:
        return self.packing(self.sizes(text))([(context, 0, len(text))])[0]


@dataclass(frozen=True, kw_only=True)
class OverlappingChunker(SizedChunker):
    """An algorithm whose chunks share a part of the limit."""

    overlap_rate: float = parameter(
        0.0,
        minimum=0.0,
        maximum=0.5,
        doc="Share of a chunk that the next one repeats: of the limit, less what the context takes.",
    )

    @property
    def budget(self) -> Budget:
        return dataclasses.replace(super().budget, overlap_rate=self.overlap_rate)


@dataclass(frozen=True, kw_only=True)
class TokenSizedChunker(SizedChunker):
    """An algorithm with a limit in tokens."""

    tokenizer: str = tokenizer_parameter("cl100k_base")

    @functools.cached_property
    def _tokenizer(self) -> Tokenizer:
        return create_tokenizer(self.tokenizer)

    @property
    def unit(self) -> str:
        return self.tokenizer

    def sizes(self, text: str) -> Sizes:
        return TokenSizes(text, self._tokenizer)

    def check(self, path: str) -> list[Problem]:
        return room_problems(self.limit, self._tokenizer, path)
