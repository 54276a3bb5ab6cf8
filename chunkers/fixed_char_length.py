"""`fixed_char_length`: a cut every N code points."""

from __future__ import annotations

from dataclasses import dataclass

from chunkers.chunk import Context, Spans
from chunkers.parameters import parameter
from chunkers.sized import SizedChunker
from chunkers.text.sizes import CharacterSizes, Sizes


@dataclass(frozen=True, kw_only=True)
class FixedCharLength(SizedChunker):
    """Chunks of `char_limit` code points, as OpenSearch's `fixed_char_length`, but no cut inside a character."""

    name = "fixed_char_length"
    summary = "A cut every N code points."

    char_limit: int = parameter(2048, minimum=1, doc="Most code points of a chunk, context included.")

    @property
    def limit(self) -> int:
        return self.char_limit

    def sizes(self, text: str) -> Sizes:
        return CharacterSizes(text)

    def cut(self, text: str, context: Context) -> Spans:
        return self.even(text, context)
