"""`sentence`: whole sentences, as many as fit."""

from __future__ import annotations

import functools
from bisect import bisect_left, bisect_right
from dataclasses import dataclass

from chunkers.languages import LanguageChunker
from chunkers.parameters import parameter
from chunkers.sized import Packing, PackingChunker, TokenSizedChunker
from chunkers.text.levels import LevelCuts, Words
from chunkers.text.packing import pack_parts
from chunkers.text.sizes import Sizes


@dataclass(frozen=True, kw_only=True)
class Sentence(LanguageChunker, TokenSizedChunker, PackingChunker):
    """Chunks of whole sentences, packed up to `token_limit`.

    White space behind a sentence belongs to it. A sentence over the limit is cut between words, a word
    over it between tokens.
    """

    name = "sentence"
    summary = "Whole sentences, as many as fit."

    token_limit: int = parameter(512, minimum=1, doc="Most tokens of a chunk, context and special tokens included.")
    overlap_sentences: int = parameter(
        0,
        minimum=0,
        doc="Sentences at the end of a chunk that the next one repeats; fewer where a chunk has no more, or "
        "where the next sentence would fit whole only without them.",
    )

    @property
    def limit(self) -> int:
        return self.token_limit

    def packing(self, sizes: Sizes) -> Packing:
        cuts = _SentenceCuts(sizes.text, self.sentence_starts(sizes.text).tolist(), self.overlap_sentences)
        return functools.partial(pack_parts, sizes, self.budget, cuts)


class _SentenceCuts:
    """Cuts between sentences (`packing.Cuts`); between words where a sentence is too long."""

    def __init__(self, text: str, starts: list[int], shared: int) -> None:
        self._starts = starts
        self._shared = shared
        self._end = len(text)
        self._finer = LevelCuts(text, [Words(text)], keep_end=True)

    def last(self, start: int, low: int, high: int) -> int:
        row = bisect_right(self._starts, high) - 1
        return self._starts[row] if row >= 0 and self._starts[row] > low else self._finer.last(start, low, high)

    def first(self, low: int, position: int, high: int) -> int:
        row = bisect_left(self._starts, position)
        return min(high, self._starts[row]) if row < len(self._starts) else high

    def overlap(self, low: int, position: int, end: int) -> int:
        """The start of the last `shared` sentences, of fewer where the chunk from `low` has no more."""
        row = max(bisect_left(self._starts, end) - self._shared, bisect_right(self._starts, low))
        return min(end, self._starts[row]) if row < len(self._starts) else end

    def less_overlap(self, start: int, end: int) -> int:
        """A sentence less."""
        return self.first(start, start + 1, end)

    def is_torn(self, low: int, position: int) -> bool:
        return False

    def unit_end(self, position: int) -> int:
        """The end of the sentence that starts there."""
        row = bisect_left(self._starts, position)
        if row == len(self._starts) or self._starts[row] != position:
            return position
        return self._starts[row + 1] if row + 1 < len(self._starts) else self._end
