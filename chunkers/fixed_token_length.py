"""`fixed_token_length`: a cut every N tokens."""

from __future__ import annotations

import functools
from dataclasses import dataclass

from chunkers.chunk import Context, Spans
from chunkers.errors import Problem
from chunkers.parameters import parameter
from chunkers.sized import SizedChunker
from chunkers.text.sizes import Sizes, TokenSizes
from chunkers.tokenizers import Tokenizer, create_tokenizer, tokenizer_parameter


@dataclass(frozen=True, kw_only=True)
class FixedTokenLength(SizedChunker):
    """Chunks of `token_limit` tokens, as OpenSearch's `fixed_token_length` counts them.

    A chunk ends where the token after its last one starts, so what stands between two words stays
    with the first. With a model's tokenizer the limit holds when each chunk is encoded afresh.
    """

    name = "fixed_token_length"
    summary = "A cut every N tokens."

    token_limit: int = parameter(384, minimum=1, doc="Most tokens of a chunk, context and special tokens included.")
    tokenizer: str = tokenizer_parameter("standard")

    @functools.cached_property
    def _tokenizer(self) -> Tokenizer:
        return create_tokenizer(self.tokenizer)

    @property
    def limit(self) -> int:
        return self.token_limit

    def sizes(self, text: str) -> Sizes:
        return TokenSizes(text, self._tokenizer)

    def check(self, path: str) -> list[Problem]:
        """A limit must leave room beside the special tokens."""
        added = self._tokenizer.added_tokens
        if self.token_limit > added:
            return []
        message = f"{self.token_limit} leaves no room: the tokenizer itself adds {added} special tokens to every text"
        return [Problem(f"{path}.token_limit", message, f"allowed: {added + 1} or more")]

    def cut(self, text: str, context: Context) -> Spans:
        return self.even(text, context)
