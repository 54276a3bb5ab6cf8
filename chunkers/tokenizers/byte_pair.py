"""Byte-pair encodings with exact counts for any cut of a text that was encoded once.

tiktoken defines what is right; gigatoken, where it is installed, does the work. A vocabulary's
split pattern cuts the text into pre-tokens before pairs are merged. At a *seam* (a letter before a
space, a digit before a comma ...) every pattern cuts, whatever stands around it, so between two
seams a slice has just the tokens that the whole text has there. Only the edges of a slice, up to
its first and from its last seam, are encoded afresh. A text of `<|endoftext|>` is plain text.
"""

from __future__ import annotations

import functools
import re
import sys
import unicodedata
from collections.abc import Callable, Mapping

import numpy as np
import numpy.typing as npt

from chunkers.chunk import IntArray
from chunkers.tokenizers.base import Tokenizer, Tokens
from chunkers.tokenizers.blocks import blocks, joined

EncodeIds = Callable[[bytes], npt.NDArray[np.uint32]]


_SHORT = 24


class BytePairTokenizer(Tokenizer):
    """A byte-pair encoding.

    `encode_ids` gives the ids of UTF-8 text (n, without special tokens), `vocabulary` the bytes of
    each token by its id.
    """

    def __init__(self, name: str, encode_ids: EncodeIds, vocabulary: Mapping[int, bytes]) -> None:
        self.name = name
        self.encode_ids = encode_ids
        self._characters, self._inside = _characters(vocabulary)
        self._count_short = functools.lru_cache(1 << 14)(self._count)

    def spans(self, text: str) -> tuple[IntArray, IntArray]:
        edges = self._edges(text)
        return edges[:-1], edges[1:]

    def count(self, text: str) -> int:
        # The edges of slices are short, and the same ones come again and again.
        return self._count_short(text) if len(text) <= _SHORT else self._count(text)

    def _count(self, text: str) -> int:
        return len(self.encode_ids(text.encode()))

    def tokenize(self, text: str) -> Tokens:
        return BytePairTokens(text, self._edges(text)[:-1], self.count)

    def part(self, tokens: Tokens, start: int, end: int) -> Tokens:
        assert isinstance(tokens, BytePairTokens)
        text = tokens.text[start:end]
        head, tail = tokens.seams(start, end)
        if head < 0 or tail < head:
            return self.tokenize(text)
        starts = [tokens.starts[tokens.index(head) : tokens.index(tail)] - start]
        if head > start:
            starts.insert(0, self._edges(text[: head - start])[:-1])
        if tail < end:
            starts.append(self._edges(text[tail - start :])[:-1] + (tail - start))
        return BytePairTokens(text, starts[0] if len(starts) == 1 else np.concatenate(starts), self.count)

    def _edges(self, text: str) -> IntArray:
        """0, then the ends of the tokens (n + 1): where one ends the next one starts."""
        return joined(self._block_edges(text[start:end], start) for start, end in blocks(text, _seam()))

    def _block_edges(self, text: str, start: int) -> IntArray:
        """The ends of the tokens of a block that starts there; the first block's 0 too."""
        ids = self.encode_ids(text.encode())
        edges = np.zeros(len(ids) + 1, np.int32)
        np.add.accumulate(self._characters.take(ids), out=edges[1:])
        if not text.isascii():
            # An end inside a character is moved back to its start.
            edges[1:-1] -= self._inside.take(ids[1:])
        return edges[1:] + start if start else edges


def _characters(vocabulary: Mapping[int, bytes]) -> tuple[IntArray, IntArray]:
    """Of each id: how many characters start in its token, and 1 for one that starts inside a character (n ids each)."""
    ids, lengths = np.array(list(vocabulary)), np.array([len(token) for token in vocabulary.values()])
    starts_character = np.frombuffer(b"".join(vocabulary.values()), np.int8) > _LAST_CONTINUATION
    starts = lengths.cumsum() - lengths
    characters, inside = np.zeros((2, ids.max() + 1), np.int32)
    characters[ids] = np.add.reduceat(starts_character, starts, dtype=np.int32)
    inside[ids] = ~starts_character[starts]
    return characters, inside


_LAST_CONTINUATION = -65
"""Bytes of UTF-8 that go on with a character are 0x80 to 0xBF: -128 to -65 when signed."""


class BytePairTokens(Tokens):
    """A text encoded once; counts of its slices cost the encoding of their edges."""

    def count(self, start: int, end: int, before: str = "") -> int:
        text = self.text
        head, tail = self.seams(start, end, bool(before))
        if head < 0 or tail < head:
            return self._count(before + text[start:end])
        tokens = self.index(tail) - self.index(head)
        if before or head > start:
            tokens += self._count(before + text[start:head])
        if tail < end:
            tokens += self._count(text[tail:end])
        return tokens

    def seams(self, start: int, end: int, inside: bool = False) -> tuple[int, int]:
        """The first and the last seam of a slice, at its ends too (not at its start when `inside`); -1 for none."""
        text, at_seam = self.text, _seam().match
        head = start if not inside and (not start or at_seam(text, start - 1)) else _seam_after(text, start, end)
        tail = end if end == len(text) or at_seam(text, end - 1) else _seam_before(text, start, end)
        return head, tail


def _seam_after(text: str, start: int, end: int) -> int:
    """The first seam inside the slice or at its end, or -1."""
    match = _seam().search(text, start, end + 1)
    return match.end() if match and match.end() <= end else -1


_NEAR = 12
_WINDOW = 64


def _seam_before(text: str, start: int, end: int) -> int:
    """The last seam inside the slice, or -1: step by step where it is near, else by windows."""
    seam = _seam()
    for position in range(end - 2, max(start, end - _NEAR) - 1, -1):
        if seam.match(text, position):
            return position + 1
    low, high = max(start, end - _WINDOW), end
    while True:
        last = -1
        for match in seam.finditer(text, low, high + 1):
            last = match.end()
        if last >= 0 or low == start:
            return last
        high, low = low + 1, max(start, low - 4 * (high - low))


@functools.cache
def _seam() -> re.Pattern[str]:
    """A character after which every split pattern of the bundled vocabularies cuts.

    Letters before a sign, digit or space (o200k_base lets marks and `'s` follow letters), digits
    before anything known that is none, signs before a space. A pre-token that ends in no white
    space is matched the same whether the text goes on behind it or not; that is why no seam
    follows white space. Characters that Unicode 3.2 did not have, or had in another class, count
    as unknown: libraries disagree about young characters.
    """
    letters, digits, signs, spaces = _classes()
    return re.compile(
        f"[{letters}](?=[{digits}{signs}{spaces}])(?!')|[{digits}](?=[{letters}{signs}{spaces}])|[{signs}](?= )"
    )


def _classes() -> tuple[str, str, str, str]:
    """Bodies of character sets: letters, digits, signs (punctuation and symbols), white space."""
    groups: dict[str, list[int]] = {"L": [], "N": [], "P": [], "S": [], "Z": []}
    for point in range(min(0x10000, sys.maxunicode)):
        character = chr(point)
        group = unicodedata.category(character)[0]
        if group in groups and unicodedata.ucd_3_2_0.category(character)[0] == group:
            groups[group].append(point)
    return (
        _set_body(groups["L"]),
        _set_body(groups["N"]),
        _set_body(sorted(groups["P"] + groups["S"])),
        _set_body(groups["Z"]) + r"\t\n\r",
    )


def _set_body(points: list[int]) -> str:
    """Ranges of a regular expression's set for ascending code points."""
    ranges: list[tuple[int, int]] = []
    for point in points:
        if ranges and ranges[-1][1] == point - 1:
            ranges[-1] = (ranges[-1][0], point)
        else:
            ranges.append((point, point))
    return "".join(f"\\u{low:04x}-\\u{high:04x}" for low, high in ranges)
