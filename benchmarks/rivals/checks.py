"""The promises as equations over a text and the pieces that a splitter made of it.

Each check gives None where the promise holds, else one line: what came out instead.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from itertools import pairwise

import regex

from benchmarks.rivals.inputs import TABLE_HEADER, Input
from benchmarks.rivals.pieces import Piece
from chunkers.tokenizers import create_tokenizer
from chunkers.tokenizers.base import Tokenizer

Pieces = Sequence[Piece]
Check = Callable[[Input, Pieces, int], str | None]

_SHOWN = 40
_REPLACEMENT = "\ufffd"


def tokens(text: str) -> int:
    """Tokens of a fresh encode, by tiktoken."""
    return _tokenizer().count(text)


@functools.cache
def _tokenizer() -> Tokenizer:
    return create_tokenizer("cl100k_base", backend="tiktoken")


def exact(given: Input, pieces: Pieces, limit: int) -> str | None:
    """`document[start:end] == text`, starts in order, and nothing between two spans: each is where it says it is."""
    last, covered = -1, 0
    for piece in pieces:
        if piece.start is None or piece.end is None:
            return f"no position for {shown(piece.text)}"
        there = given.text[max(piece.start, 0) : piece.end]
        if piece.start < 0 or there != piece.text:
            return f"[{piece.start}:{piece.end}] is {shown(there)}, the chunk is {shown(piece.text)}"
        if piece.start <= last:
            return f"a chunk at {last}, the next one at {piece.start}"
        if given.text[covered : piece.start].strip():
            return f"from {covered} to {piece.start} there is no chunk, if these are the positions"
        last, covered = piece.start, max(covered, piece.end)
    if given.text[covered:].strip():
        return f"from {covered} to the end at {len(given.text)} there is no chunk, if these are the positions"
    return None


def lossless(given: Input, pieces: Pieces, limit: int) -> str | None:
    """Without overlap, the pieces one after another have every character that is not white space, in order."""
    expected = "".join(given.text.split())
    found = "".join("".join(piece.text.split()) for piece in pieces)
    if found == expected:
        return None
    at = next(
        (n for n, (a, b) in enumerate(zip(expected, found, strict=False)) if a != b), min(len(expected), len(found))
    )
    return f"{shown(expected[at : at + _SHOWN])} became {shown(found[at : at + _SHOWN])}"


def within_limit(given: Input, pieces: Pieces, limit: int) -> str | None:
    """A fresh encode of what is embedded has at most `limit` tokens."""
    sizes = [tokens(piece.embedded) for piece in pieces]
    over = [size for size in sizes if size > limit]
    return f"{len(over)} of {len(sizes)} chunks over {limit} tokens, up to {max(over)}" if over else None


def shared(given: Input, pieces: Pieces, limit: int) -> str | None:
    """In prose, where a word ends every few tokens, neighbours share some of what was asked."""
    if not given.is_prose:
        return None
    pairs = [(before.text, after.text) for before, after in pairwise(pieces)]
    without = sum(not any(a.endswith(b[:size]) for size in range(1, len(b))) for a, b in pairs)
    return f"{without} of {len(pairs)} neighbours share nothing" if without else None


def whole_clusters(given: Input, pieces: Pieces, limit: int) -> str | None:
    """No cut inside a grapheme cluster, but in one that alone is over the limit."""
    cuts = {cut for span in positions(given.text, pieces) for cut in span}
    wrong = []
    for match in regex.finditer(r"\X", given.text):
        if any(cut in cuts for cut in range(match.start() + 1, match.end())) and tokens(match[0]) < limit:
            wrong.append(match[0])
    return f"{len(wrong)} cuts inside one, as in {shown(wrong[0])}" if wrong else None


def no_replacement(given: Input, pieces: Pieces, limit: int) -> str | None:
    """No U+FFFD that was not there."""
    damaged = [piece.text for piece in pieces if _REPLACEMENT in piece.text]
    return f"{len(damaged)} of {len(pieces)} chunks damaged, as {shown(damaged[0])}" if damaged else None


def never_blank(given: Input, pieces: Pieces, limit: int) -> str | None:
    """No chunk is empty or only white space."""
    blank = [piece.text for piece in pieces if not piece.text.strip()]
    return f"{len(blank)} of {len(pieces)} chunks, as {shown(blank[0])}" if blank else None


def real_headings(given: Input, pieces: Pieces, limit: int) -> str | None:
    """Every heading that is told is one of the document."""
    told = [title for piece in pieces for title in piece.headings or ()]
    false = [title for title in dict.fromkeys(told) if title not in given.headings]
    return f"told as headings: {', '.join(map(shown, false))}" if false else None


def all_headings(given: Input, pieces: Pieces, limit: int) -> str | None:
    """Every heading of the document is told."""
    told = {title for piece in pieces for title in piece.headings or ()}
    missing = [title for title in given.headings if title not in told]
    return f"not told: {', '.join(map(shown, missing))}" if missing else None


def header_on_every_part(given: Input, pieces: Pieces, limit: int) -> str | None:
    """What is embedded of a part of a table has the table's header."""
    if given.row_mark is None:
        return None
    parts = [piece for piece in pieces if given.row_mark in piece.text]
    without = sum(TABLE_HEADER not in piece.embedded for piece in parts)
    return f"{without} of {len(parts)} parts have no header" if without else None


def same_ids(given: Input, pieces: Pieces, again: Pieces) -> str | None:
    """A second process gives the same ids, and no two chunks have the same."""
    first, second = [piece.id for piece in pieces], [piece.id for piece in again]
    if len(set(first)) < len(first):
        return f"{len(first)} chunks, {len(set(first))} ids"
    changed = [(a, b) for a, b in zip(first, second, strict=True) if a != b]
    return f"{changed[0][0]}, then {changed[0][1]}" if changed else None


def positions(text: str, pieces: Pieces) -> list[tuple[int, int]]:
    """Where the pieces are: as they say if that is true, else by looking for each behind the one before.

    A piece that is nowhere in the text has no position.
    """
    told = [(piece.start, piece.end) for piece in pieces if piece.start is not None and piece.end is not None]
    is_exact = len(told) == len(pieces) and all(text[s:e] == p.text for (s, e), p in zip(told, pieces, strict=True))
    if is_exact and all(before < after for (before, _), (after, _) in pairwise(told)):
        return told
    found = []
    end = 0
    for piece in pieces:
        start = text.find(piece.text, end) if piece.text else -1
        if start >= 0:
            end = start + len(piece.text)
            found.append((start, end))
    return found


def shown(text: str) -> str:
    """A text for a cell of a table: short, with escapes for what cannot be printed."""
    cut = text if len(text) <= _SHOWN else f"{text[: _SHOWN // 2]} ... {text[-_SHOWN // 2 :]}"
    return f"`` {cut!r} ``" if "`" in cut else f"`{cut!r}`"
