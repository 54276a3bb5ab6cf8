"""Base of the algorithms whose rule knows no size: a limit is an option."""

from __future__ import annotations

import functools
from abc import abstractmethod
from dataclasses import dataclass

import numpy as np

from chunkers.chunk import Context, Spans
from chunkers.chunker import Chunker
from chunkers.errors import Problem
from chunkers.parameters import parameter
from chunkers.sized import resized, room_problems, size_within
from chunkers.text.gaps import gapless
from chunkers.text.headings import parts_heading
from chunkers.text.levels import LevelCuts
from chunkers.text.packing import Budget, pack_parts
from chunkers.text.separators import levels
from chunkers.text.sizes import Sizes, TokenSizes
from chunkers.tokenizers import Tokenizer, create_tokenizer, tokenizer_parameter


@dataclass(frozen=True, kw_only=True)
class UnsizedChunker(Chunker):
    """An algorithm that divides a text by a rule of its own; with `token_limit`, a piece over it is cut on.

    The pieces are cut as `recursive` cuts plain text. An algorithm writes `divide`.
    """

    token_limit: int | None = parameter(
        None,
        minimum=1,
        doc="Most tokens of a chunk, context and special tokens included: a piece over it is cut on as `recursive` "
        "would. Not given, a piece is as long as it is.",
    )
    tokenizer: str = tokenizer_parameter(
        "cl100k_base", use="Used with token_limit only: without one no tokens are counted, and `token_count` is null."
    )
    context_share: float = parameter(
        0.5, minimum=0.0, maximum=0.9, doc="Most of token_limit that context may take; the rest is for the text."
    )

    @abstractmethod
    def divide(self, text: str, context: Context) -> Spans:
        """Choose the pieces of a text that is not blank."""

    @functools.cached_property
    def _tokenizer(self) -> Tokenizer:
        return create_tokenizer(self.tokenizer)

    def tokenizers(self) -> set[str]:
        return set() if self.token_limit is None else super().tokenizers()

    def check(self, path: str) -> list[Problem]:
        if self.token_limit is not None:
            return room_problems(self.token_limit, self._tokenizer, path)
        # A tokenizer that is the default may not have been given at all.
        if self.tokenizer == type(self).tokenizer:
            return []
        hint = "give token_limit, or leave tokenizer out: without a limit no tokens are counted"
        return [Problem(f"{path}.tokenizer", "is given, but token_limit is not", hint)]

    def cut(self, text: str, context: Context) -> Spans:
        pieces = self.divide(text, context)
        return pieces if self.token_limit is None else self._cut_on(self.token_limit, text, context, pieces)

    def _cut_on(self, limit: int, text: str, context: Context, pieces: Spans) -> Spans:
        """The pieces with those over the limit cut; what else a piece has goes to all that is cut from it."""
        sizes = self._sizes(text)
        budget = Budget(limit, context_share=self.context_share, trim=self.trim)
        cuts = LevelCuts(text, levels(text, "plaintext"), tears=functools.partial(parts_heading, text))
        # A placed context finds the headings above each chunk by itself, where the rule gives none.
        contexts = [context] * len(pieces) if pieces.contexts is None else pieces.contexts
        packed, rows = pack_parts(
            sizes, budget, cuts, zip(contexts, pieces.starts.tolist(), pieces.ends.tolist(), strict=True)
        )
        found = pieces.repeated(
            np.array(rows, np.int64),
            starts=packed.starts,
            ends=packed.ends,
            token_counts=packed.token_counts,
            contexts=packed.contexts,
            over_limit=packed.over_limit,
            context_cut=packed.context_cut,
        )
        return found if self.trim else gapless(text, found, self.size_within)

    def without_said(self, text: str, spans: Spans) -> Spans:
        found = super().without_said(text, spans)
        # White space that was left for want of room may have it now.
        return found if self.trim or self.token_limit is None else gapless(text, found, self.size_within)

    def size_within(self, text: str, context: Context) -> int | None:
        if self.token_limit is None:
            return super().size_within(text, context)
        return size_within(self._sizes(text), self.token_limit, context)

    def resized(self, text: str, spans: Spans) -> Spans:
        return spans if self.token_limit is None else resized(self._sizes(text), self.token_limit, spans)

    def _sizes(self, text: str) -> Sizes:
        return TokenSizes(text, self._tokenizer)
