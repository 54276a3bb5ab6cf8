"""The promises of chunkmill as equations over one text and the chunks that came of it.

Each function raises AssertionError; all are oracles of their own and share no code with `chunkers` but
the tokenizers (byte pairs are counted by tiktoken) and where sentences start.
"""

from __future__ import annotations

import functools
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import regex

from chunkers import Chunk
from chunkers.text.sentences import sentence_starts
from chunkers.tokenizers import create_tokenizer
from chunkers.tokenizers.vocabularies import ENCODINGS


@dataclass(frozen=True)
class Asked:
    """What a definition asks for, as the equations need it; None where it asks for nothing."""

    token_limit: int | None = None
    char_limit: int | None = None
    tokenizer: str | None = None
    overlap_rate: float = 0.0
    overlap_sentences: int = 0
    context_share: float = 0.5
    trim: bool = False
    merges_tail: bool = False
    earlier: tuple[Asked, ...] = ()
    """The stages before this one, in a cascade."""
    parent: Asked | None = None
    """What the parents of these chunks ask for."""

    @property
    def limit(self) -> int | None:
        return self.token_limit if self.token_limit is not None else self.char_limit

    def is_too_large(self, text: str) -> bool:
        """Whether it fits into no chunk, which then has no context."""
        return self.limit is not None and self.size(text) > self.limit

    def size(self, text: str) -> int:
        """Size of a text by itself, in the units of the limit."""
        return fresh_count(self.tokenizer, text) if self.tokenizer is not None else len(text)


@functools.lru_cache(maxsize=4096)
def fresh_count(tokenizer: str, text: str) -> int:
    backend = "tiktoken" if tokenizer in ENCODINGS else None
    return create_tokenizer(tokenizer, backend=backend).count(text)


def token_starts(tokenizer: str, text: str) -> list[int]:
    backend = "tiktoken" if tokenizer in ENCODINGS else None
    return create_tokenizer(tokenizer, backend=backend).spans(text)[0].tolist()


def check(
    text: str, context: Sequence[str], chunks: Sequence[Chunk], asked: Asked, parents: Sequence[Chunk] = ()
) -> None:
    """All the promises."""
    if asked.parent is not None:
        two_levels(text, context, chunks, asked)
        return
    exact(text, chunks)
    lossless(text, chunks, asked, parents)
    never_blank(chunks)
    hard_limit(text, chunks, asked)
    whole_clusters(text, chunks, asked)
    new_text_in_each(chunks)
    overlap_as_asked(text, chunks, asked)
    context_bounded(context, chunks, asked)


def two_levels(text: str, context: Sequence[str], chunks: Sequence[Chunk], asked: Asked) -> None:
    """Parents and children keep the promises by themselves, and a child lies in its parent."""
    assert asked.parent is not None
    children = [chunk for chunk in chunks if chunk.level == 0]
    parents = [chunk for chunk in chunks if chunk.level == 1]
    assert list(chunks) == children + parents
    check(text, context, children, replace(asked, parent=None), parents)
    check(text, context, parents, asked.parent)
    assert {child.parent_index for child in children} == set(range(len(parents)))
    for child in children:
        assert child.parent_index is not None
        parent = parents[child.parent_index]
        assert parent.start <= child.start < child.end <= parent.end
    assert all(parent.parent_index is None for parent in parents)


def exact(text: str, chunks: Sequence[Chunk]) -> None:
    for chunk in chunks:
        assert 0 <= chunk.start < chunk.end <= len(text)
        assert text[chunk.start : chunk.end] == chunk.text
        assert chunk.index_text == chunk.context + chunk.text
    assert [chunk.index for chunk in chunks] == list(range(len(chunks)))


def lossless(text: str, chunks: Sequence[Chunk], asked: Asked, parents: Sequence[Chunk] = ()) -> None:
    """Gaps are white space only; without `trim`, just runs that fit into no neighbour within its parent."""
    if not text.strip():
        assert not chunks
        return
    edges = [0, *(edge for chunk in chunks for edge in (chunk.start, chunk.end)), len(text)]
    for n, (end, start) in enumerate(zip(edges[::2], edges[1::2], strict=True)):
        gap = text[end:start]
        if not gap:
            continue
        assert gap.isspace(), f"{gap!r} at {end} is in no chunk"
        if not asked.trim:
            assert asked.limit is not None, f"white space at {end} is in no chunk"
            for neighbour in chunks[max(0, n - 1) : n + 1]:
                if neighbour.parent_index is not None and not _holds(parents, neighbour.parent_index, end, start):
                    continue
                joined = gap + neighbour.text if neighbour.start >= start else neighbour.text + gap
                assert asked.size(neighbour.context + joined) > asked.limit, f"the gap at {end} fits into a neighbour"


def _holds(parents: Sequence[Chunk], index: int, start: int, end: int) -> bool:
    """Whether the children of a parent may have this text; what parents share is the first one's."""
    low = parents[index - 1].end if index else 0
    return max(low, parents[index].start) <= start and end <= parents[index].end


def never_blank(chunks: Sequence[Chunk]) -> None:
    assert all(chunk.text.strip() for chunk in chunks)


def hard_limit(text: str, chunks: Sequence[Chunk], asked: Asked) -> None:
    if asked.limit is None:
        assert not any(chunk.over_limit for chunk in chunks)
        return
    for n, chunk in enumerate(chunks):
        size = asked.size(chunk.index_text)
        assert chunk.token_count == (size if asked.tokenizer is not None else None)
        assert chunk.over_limit == (size > asked.limit)
        is_merged_tail = asked.merges_tail and n == len(chunks) - 1
        is_one_point = chunk.end - chunk.start == 1 and asked.is_too_large(chunk.text)
        assert not chunk.over_limit or is_merged_tail or is_one_point, f"{size} units at {chunk.start}"


def whole_clusters(text: str, chunks: Sequence[Chunk], asked: Asked) -> None:
    """No cut inside a grapheme cluster, but in one that alone is over the limit."""
    boundaries = [0, *(match.end() for match in regex.finditer(r"\X", text))]
    known = set(boundaries)
    for cut in {edge for chunk in chunks for edge in (chunk.start, chunk.end)} - known:
        low = max(edge for edge in boundaries if edge < cut)
        high = min(edge for edge in boundaries if edge > cut)
        assert any(stage.is_too_large(text[low:high]) for stage in (asked, *asked.earlier)), (
            f"cut at {cut} inside the cluster {text[low:high]!r}"
        )


def new_text_in_each(chunks: Sequence[Chunk]) -> None:
    """No chunk that is only overlap; `overlap_chars` says what is shared."""
    for before, after in pairwise(chunks):
        assert before.start < after.start
        assert before.end < after.end
        assert after.overlap_chars == max(0, before.end - after.start)
    assert not chunks or chunks[0].overlap_chars == 0


def overlap_as_asked(text: str, chunks: Sequence[Chunk], asked: Asked) -> None:
    """Nothing shared where nothing was asked, and never more units of the whole text than were."""
    if asked.limit is None or not chunks or asked.earlier:
        return
    if asked.overlap_sentences:
        overlap_in_sentences(text, chunks, asked)
        return
    starts = token_starts(asked.tokenizer, text) if asked.tokenizer is not None else range(len(text))
    for before, after in pairwise(chunks):
        shared = bisect_left(starts, before.end) - bisect_left(starts, after.start) if after.overlap_chars else 0
        assert shared <= asked.limit * asked.overlap_rate, f"{shared} units shared at {after.start}"


def overlap_in_sentences(text: str, chunks: Sequence[Chunk], asked: Asked) -> None:
    """What is shared are whole sentences, no more than were asked."""
    starts = sentence_starts(text).tolist()
    for before, after in pairwise(chunks):
        if after.overlap_chars and not asked.trim:
            assert after.start in starts, f"the overlap at {after.start} starts inside a sentence"
        shared = bisect_left(starts, before.end) - bisect_left(starts, after.start)
        assert shared <= asked.overlap_sentences, f"{shared} sentences shared at {after.start}"


def context_bounded(context: Sequence[str], chunks: Sequence[Chunk], asked: Asked) -> None:
    """Context is at most its share of the limit; what was cut is flagged, what is said is not said again."""
    for chunk in chunks:
        assert chunk.context == "" or chunk.context.endswith("\n")
        if asked.limit is not None and chunk.context:
            assert asked.size(chunk.context) <= asked.limit * asked.context_share
        for part in context:
            missing = part.strip() not in chunk.context and part.strip() not in chunk.text
            assert not missing or chunk.context_cut, f"the context {part!r} is gone, and no flag says so"
