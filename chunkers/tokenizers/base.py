"""What every tokenizer offers: spans, counts, and a text tokenized once."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Callable

import numpy as np

from chunkers.chunk import IntArray
from chunkers.tokenizers.blocks import blocks, joined


class Tokenizer(ABC):
    """Cuts a text into tokens.

    `added_tokens` is how many special tokens the tokenizer itself puts around every text (0 for
    most); `count` includes them, `spans` does not.
    """

    name: str
    added_tokens: int = 0

    @abstractmethod
    def spans(self, text: str) -> tuple[IntArray, IntArray]:
        """Starts and ends of the tokens (n each, code points).

        An end inside a character is moved back to that character's start.
        """

    def count(self, text: str) -> int:
        """Tokens of a fresh encode of `text`, as the model sees it."""
        return len(self.spans(text)[0]) + self.added_tokens

    def tokenize(self, text: str) -> Tokens:
        """Tokenize `text` once, to cut and count in it afterwards."""
        return Tokens(text, self.spans(text)[0], self.count)

    def part(self, tokens: Tokens, start: int, end: int) -> Tokens:
        """What `tokenize(tokens.text[start:end])` gives, made of `tokens` where that costs less."""
        return self.tokenize(tokens.text[start:end])


class Tokens:
    """A text tokenized once.

    `starts` are the code points at which its tokens start (n, ascending).
    """

    def __init__(self, text: str, starts: IntArray, count: Callable[[str], int]) -> None:
        self.text = text
        self.starts = starts
        self._count = count
        self._starts = starts.data
        self._known: dict[int, int] = {0: 0, len(text): len(starts)}

    def __len__(self) -> int:
        return len(self.starts)

    def index(self, position: int) -> int:
        """How many tokens start before `position`."""
        found = self._known.get(position)
        return bisect_left(self._starts, position) if found is None else found

    def position(self, index: int) -> int:
        """Where token `index` starts; the end of the text when there is no such token."""
        starts = self._starts
        if index >= len(starts):
            return len(self.text)
        position = starts[index]
        if index == 0 or starts[index - 1] < position:
            self._known[position] = index
        return position

    def count(self, start: int, end: int, before: str = "") -> int:
        """Tokens of a fresh encode of `before + text[start:end]`."""
        return self._count(before + self.text[start:end])


class WordTokens(Tokens):
    """Tokens that a cut at one's start does not change: those of word tokenizers.

    Counting between two token starts is then a subtraction.
    """

    def count(self, start: int, end: int, before: str = "") -> int:
        if before or not self.is_whole(start, end):
            return super().count(start, end, before)
        return self.index(end) - self.index(start)

    def is_whole(self, start: int, end: int) -> bool:
        """Whether tokens start at both ends of a slice."""
        starts_whole = start == 0 or self.position(self.index(start)) == start
        return starts_whole and (end == len(self.text) or self.position(self.index(end)) == end)


class WordTokenizer(Tokenizer):
    """A tokenizer whose tokens stay the same when the text is cut at a token's start."""

    def tokenize(self, text: str) -> Tokens:
        starts = (start + self.spans(text[start:end])[0] for start, end in blocks(text, _BETWEEN_WORDS))
        return WordTokens(text, joined(starts), self.count)

    def part(self, tokens: Tokens, start: int, end: int) -> Tokens:
        if not (isinstance(tokens, WordTokens) and tokens.is_whole(start, end)):
            return super().part(tokens, start, end)
        starts = tokens.starts[tokens.index(start) : tokens.index(end)] - start
        return WordTokens(tokens.text[start:end], starts, self.count)


_BETWEEN_WORDS = re.compile(r"[ \t\n\r](?=\w)")
"""A character that no word tokenizer takes into a token, before one that can't belong to what stands in front."""


def empty() -> tuple[IntArray, IntArray]:
    """The spans of a text without tokens."""
    return np.empty(0, np.int64), np.empty(0, np.int64)
