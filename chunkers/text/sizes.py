"""How large a slice is, in code points or in tokens: what the packing of chunks asks."""

from __future__ import annotations

import functools
from typing import Protocol

from chunkers.tokenizers.base import Tokenizer, Tokens


class Sizes(Protocol):
    """Sizes within one text.

    `size` is exact for the slice with `before` in front, as a limit wants it. `advance` and `retreat`
    move from a position by at most a number of units of the whole text, which is where to try.
    `added` are the units that every size has even of an empty slice: special tokens.
    """

    text: str
    counts_tokens: bool
    added: int

    def size(self, start: int, end: int, before: str = "") -> int: ...

    def size_of(self, text: str) -> int: ...

    def advance(self, position: int, units: int) -> int: ...

    def retreat(self, position: int, units: int) -> int: ...


class CharacterSizes:
    """Sizes in code points."""

    counts_tokens = False
    added = 0

    def __init__(self, text: str) -> None:
        self.text = text

    def size(self, start: int, end: int, before: str = "") -> int:
        return len(before) + end - start

    def size_of(self, text: str) -> int:
        return len(text)

    def advance(self, position: int, units: int) -> int:
        return min(len(self.text), position + units)

    def retreat(self, position: int, units: int) -> int:
        return max(0, position - units)


class TokenSizes:
    """Sizes in tokens of a fresh encode, the special tokens that the tokenizer adds included."""

    counts_tokens = True

    def __init__(self, text: str, tokenizer: Tokenizer) -> None:
        self.text = text
        self.size_of = tokenizer.count
        self.added = tokenizer.added_tokens
        self._tokenizer = tokenizer

    @functools.cached_property
    def tokens(self) -> Tokens:
        """The text tokenized, when it is first asked where tokens are."""
        return self._tokenizer.tokenize(self.text)

    def size(self, start: int, end: int, before: str = "") -> int:
        return self.tokens.count(start, end, before)

    def advance(self, position: int, units: int) -> int:
        return self.tokens.position(self.tokens.index(position) + units)

    def retreat(self, position: int, units: int) -> int:
        """A token that starts inside a character is no place to go back to: the next one is."""
        tokens = self.tokens
        index = max(0, tokens.index(position) - units)
        while index and tokens.position(index) == tokens.position(index - 1) < position:
            index += 1
        return tokens.position(index)
