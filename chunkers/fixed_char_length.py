"""`fixed_char_length`: a cut every N code points."""

from __future__ import annotations

import functools
from dataclasses import dataclass

from chunkers.parameters import parameter
from chunkers.sized import OverlappingChunker, Packing, PackingChunker
from chunkers.text.packing import pack_parts
from chunkers.text.sizes import CharacterSizes, Sizes


@dataclass(frozen=True, kw_only=True)
class FixedCharLength(OverlappingChunker, PackingChunker):
    """Chunks of `char_limit` code points, as OpenSearch's `fixed_char_length`, but no cut inside a character."""

    name = "fixed_char_length"
    summary = "A cut every N code points."

    char_limit: int = parameter(2048, minimum=1, doc="Most code points of a chunk, context included.")

    @property
    def limit(self) -> int:
        return self.char_limit

    @property
    def unit(self) -> str:
        return "characters"

    def sizes(self, text: str) -> Sizes:
        return CharacterSizes(text)

    def packing(self, sizes: Sizes) -> Packing:
        return functools.partial(pack_parts, sizes, self.budget, None)
