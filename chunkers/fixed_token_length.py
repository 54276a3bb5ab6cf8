"""`fixed_token_length`: a cut every N tokens."""

from __future__ import annotations

import functools
from dataclasses import dataclass

from chunkers.parameters import parameter
from chunkers.sized import OverlappingChunker, Packing, PackingChunker, TokenSizedChunker
from chunkers.text.packing import pack_parts
from chunkers.text.sizes import Sizes
from chunkers.tokenizers import tokenizer_parameter


@dataclass(frozen=True, kw_only=True)
class FixedTokenLength(TokenSizedChunker, OverlappingChunker, PackingChunker):
    """Chunks of `token_limit` tokens, as OpenSearch's `fixed_token_length` counts them.

    A chunk ends where the token after its last one starts, so what stands between two words stays
    with the first. With a model's tokenizer the limit holds when each chunk is encoded afresh.
    """

    name = "fixed_token_length"
    summary = "A cut every N tokens."

    token_limit: int = parameter(384, minimum=1, doc="Most tokens of a chunk, context and special tokens included.")
    tokenizer: str = tokenizer_parameter("standard")

    @property
    def limit(self) -> int:
        return self.token_limit

    def packing(self, sizes: Sizes) -> Packing:
        return functools.partial(pack_parts, sizes, self.budget, None)
