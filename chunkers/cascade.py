"""Cascades: each stage cuts the pieces of the one before; spans stay those of the document."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

from chunkers.chunk import Context, Spans, joined_numbers, joined_values
from chunkers.chunker import Algorithm, Chunker
from chunkers.text.gaps import close_gaps

T = TypeVar("T")
Path = tuple[str, ...]


class Cascade(Algorithm):
    """Stages in order; the pieces of the last one are the output.

    Context, section path and kind of a piece are carried on to what is cut from it. `overlap_chars`
    counts what neighbours share, within one piece and across two.
    """

    def __init__(self, stages: Sequence[Chunker]) -> None:
        self.stages = tuple(stages)

    def spans(self, text: str, context: Context = ()) -> Spans:
        *earlier, last = self.stages
        pieces = Spans(np.array([0]), np.array([len(text)]), contexts=[context])
        for stage in earlier:
            pieces = _next_stage(stage.pieces, text, pieces)
        spans = _next_stage(last.spans, text, pieces)
        return spans if any(stage.trim for stage in self.stages) else _gapless(last, text, spans)


def _next_stage(cut: Callable[[str, Context], Spans], text: str, pieces: Spans) -> Spans:
    """What a stage cuts from each piece, as one table."""
    parts: list[tuple[int, Spans]] = []
    rows: list[int] = []
    for row, (start, end) in enumerate(zip(pieces.starts.tolist(), pieces.ends.tolist(), strict=True)):
        found = cut(text[start:end], () if pieces.contexts is None else pieces.contexts[row])
        if len(found):
            parts.append((start, found))
            rows.extend([row] * len(found))
    return _joined(parts, rows, pieces) if parts else Spans.none()


def _gapless(stage: Chunker, text: str, spans: Spans) -> Spans:
    """White space that fitted into no neighbour of its own piece may fit into one of the next piece."""
    if len(spans) == 0 or np.array_equal(np.append(spans.starts, len(text)), np.append(0, spans.ends)):
        return spans
    starts, ends = spans.starts.tolist(), spans.ends.tolist()
    counts = None if spans.token_counts is None else spans.token_counts.copy()

    def takes(row: int, start: int, end: int) -> bool:
        size = stage.size_within(text[start:end], () if spans.contexts is None else spans.contexts[row])
        if size is not None and counts is not None:
            counts[row] = size
        return size is not None

    close_gaps(starts, ends, len(text), takes)
    return dataclasses.replace(spans, starts=np.array(starts), ends=np.array(ends), token_counts=counts)


def _joined(parts: list[tuple[int, Spans]], rows: list[int], pieces: Spans) -> Spans:
    found = [spans for _, spans in parts]
    cut = joined_numbers(found, "context_cut")
    if pieces.context_cut is not None:
        cut = pieces.context_cut[rows] if cut is None else cut | pieces.context_cut[rows]
    return Spans(
        np.concatenate([spans.starts + start for start, spans in parts]),
        np.concatenate([spans.ends + start for start, spans in parts]),
        token_counts=joined_numbers(found, "token_counts"),
        contexts=joined_values(found, "contexts", ()),
        section_paths=_paths(joined_values(found, "section_paths", ()), pieces.section_paths, rows),
        kinds=joined_values(found, "kinds", "text") or _carried(pieces.kinds, rows),
        over_limit=joined_numbers(found, "over_limit"),
        context_cut=cut,
    )


def _paths(own: list[Path] | None, of_pieces: Sequence[Path] | None, rows: list[int]) -> list[Path] | None:
    """The path of the piece, then what a stage found below it; headings that both have once."""
    if own is None or of_pieces is None:
        return own or _carried(of_pieces, rows)
    return [_path(of_pieces[row], path) for row, path in zip(rows, own, strict=True)]


def _path(outer: Path, inner: Path) -> Path:
    shared = next(n for n in range(min(len(outer), len(inner)), -1, -1) if outer[len(outer) - n :] == inner[:n])
    return (*outer, *inner[shared:])


def _carried(column: Sequence[T] | None, rows: list[int]) -> list[T] | None:
    return None if column is None else [column[row] for row in rows]
