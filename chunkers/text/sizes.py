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

    def place(self) -> None:
        """Find now where units are, for one who is going to ask for parts as well as for the whole."""

    def size(self, start: int, end: int, before: str = "") -> int: ...

    def size_of(self, text: str) -> int: ...

    def advance(self, position: int, units: int) -> int: ...

    def retreat(self, position: int, units: int) -> int: ...

    def part(self, start: int, end: int) -> Sizes:
        """The sizes of `text[start:end]` as a text of its own."""


class CharacterSizes:
    """Sizes in code points."""

    counts_tokens = False
    added = 0

    def __init__(self, text: str) -> None:
        self.text = text

    def place(self) -> None:
        pass

    def size(self, start: int, end: int, before: str = "") -> int:
        return len(before) + end - start

    def size_of(self, text: str) -> int:
        return len(text)

    def advance(self, position: int, units: int) -> int:
        return min(len(self.text), position + units)

    def retreat(self, position: int, units: int) -> int:
        return max(0, position - units)

    def part(self, start: int, end: int) -> CharacterSizes:
        return CharacterSizes(self.text[start:end])


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

    def part(self, start: int, end: int) -> TokenSizes:
        made = TokenSizes(self.text[start:end], self._tokenizer)
        if self._placed:
            made.__dict__["tokens"] = self._tokenizer.part(self.tokens, start, end)
        return made

    def place(self) -> None:
        _ = self.tokens

    @property
    def _placed(self) -> bool:
        return "tokens" in self.__dict__

    def size(self, start: int, end: int, before: str = "") -> int:
        if end - start == len(self.text) and not self._placed:
            # To count all of a text, no token need be placed.
            return self.size_of(before + self.text)
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
