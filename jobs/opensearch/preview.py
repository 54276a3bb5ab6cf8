"""What `preview` shows of a pipeline: the passages of each text, under the field that they are from."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from chunkers import Chunk
from chunkers.opensearch import Passage
from jobs.preview.terminal import Style, safe
from jobs.preview.text import chunk_lines, chunk_summary


def passage_lines(name: str, passages: Sequence[Passage], style: Style) -> Iterator[str]:
    """One document: its name, then for each text where it is, where its passages go, and the passages."""
    yield style.bold(safe(name))
    if not passages:
        yield style.dim("no passages")
    for (field, index, output), found in itertools.groupby(passages, lambda p: (p.field, p.source_index, p.output)):
        chunks = as_chunks(list(found))
        place = field if index is None else f"{field}[{index}]"
        yield style.dim(f"{safe(place)} {style.glyph(chr(0x2192), '->')} {safe(output)}: {chunk_summary(chunks)}")
        yield from chunk_lines(chunks, style)


def as_chunks(passages: Sequence[Passage]) -> list[Chunk]:
    """The passages of one text as chunks."""
    shared = [0, *(max(before.end - after.start, 0) for before, after in itertools.pairwise(passages))]
    return [
        Chunk(passage.start, passage.end, passage.text, index=n, overlap_chars=shared[n], over_limit=passage.over_limit)
        for n, passage in enumerate(passages)
    ]
