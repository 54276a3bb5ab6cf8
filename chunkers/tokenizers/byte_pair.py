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
from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from chunkers.chunk import IntArray
from chunkers.text.offsets import code_points
from chunkers.tokenizers.base import Tokenizer, Tokens

EncodeIds = Callable[[bytes], npt.NDArray[np.uint32]]


class BytePairTokenizer(Tokenizer):
    """A byte-pair encoding.

    `encode_ids` gives the ids of UTF-8 text (n, without special tokens), `byte_lengths` the length
    of each id's bytes (one an id of the vocabulary).
    """

    def __init__(self, name: str, encode_ids: EncodeIds, byte_lengths: IntArray) -> None:
        self.name = name
        self.encode_ids = encode_ids
        self._byte_lengths = byte_lengths

    def ends(self, text: str) -> IntArray:
        """Ends of the tokens (n, code points)."""
        blocks = [start + self._block_ends(text[start:end]) for start, end in _blocks(text)]
        return blocks[0] if len(blocks) == 1 else np.concatenate(blocks)

    def _block_ends(self, text: str) -> IntArray:
        encoded = text.encode()
        lengths = self._byte_lengths.take(self.encode_ids(encoded))
        return code_points(encoded, lengths.cumsum(dtype=np.int32), ascii_only=len(encoded) == len(text))

    def spans(self, text: str) -> tuple[IntArray, IntArray]:
        ends = self.ends(text)
        return _starts(ends), ends

    def count(self, text: str) -> int:
        return len(self.encode_ids(text.encode()))

    def tokenize(self, text: str) -> Tokens:
        return BytePairTokens(text, _starts(self.ends(text)), self.count)


class BytePairTokens(Tokens):
    """A text encoded once; counts of its slices cost the encoding of their edges."""

    def count(self, start: int, end: int, before: str = "") -> int:
        text, at_seam = self.text, _seam().match
        if before or (start and not at_seam(text, start - 1)):
            head = _seam_after(text, start, end)
        else:
            head = start
        tail = end if end == len(text) or at_seam(text, end - 1) else _seam_before(text, start, end)
        if head < 0 or tail < head:
            return self._count(before + text[start:end])
        tokens = self.index(tail) - self.index(head)
        if before or head > start:
            tokens += self._count(before + text[start:head])
        if tail < end:
            tokens += self._count(text[tail:end])
        return tokens


def _starts(ends: IntArray) -> IntArray:
    starts = np.empty_like(ends)
    starts[:1] = 0
    starts[1:] = ends[:-1]
    return starts


_BLOCK = 1 << 18


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Parts of a long text between seams: their tokens are those of the whole, their arrays stay in cache."""
    start = 0
    while len(text) - start > 2 * _BLOCK and (match := _seam().search(text, start + _BLOCK)):
        yield start, match.end()
        start = match.end()
    yield start, len(text)


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
