"""Cascades: each stage cuts the pieces of the one before; spans stay those of the document."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import numpy as np

from chunkers.chunk import Context, IntArray, Spans, joined_numbers, joined_values
from chunkers.chunker import Algorithm, Chunker
from chunkers.text.gaps import gapless
from chunkers.text.placed import located

T = TypeVar("T")
Path = tuple[str, ...]


class Cascade(Algorithm):
    """Stages in order; the pieces of the last one are the output.

    Context, section path and kind of a piece are carried on to what is cut from it. Only the last stage
    may overlap: what pieces share would be cut twice.
    """

    def __init__(self, stages: Sequence[Chunker]) -> None:
        self.stages = tuple(stages)

    def tokenizers(self) -> set[str]:
        return set().union(*(stage.tokenizers() for stage in self.stages))

    @property
    def columns(self) -> frozenset[str]:
        return frozenset().union(*(stage.columns for stage in self.stages))

    def for_document(self, values: Mapping[str, str | None]) -> Cascade:
        return Cascade([stage.for_document(values) for stage in self.stages]) if self.columns else self

    def spans(self, text: str, context: Context = ()) -> Spans:
        return self._cut(text, context, self.stages[-1].spans)

    def pieces(self, text: str, context: Context) -> Spans:
        return self._cut(text, context, self.stages[-1].pieces)

    def without_said(self, text: str, spans: Spans) -> Spans:
        return self.stages[-1].without_said(text, spans)

    def first(self, text: str, spans: Spans, count: int) -> Spans:
        return self.stages[-1].first(text, spans, count)

    def _cut(self, text: str, context: Context, cut: Callable[[str, Context], Spans]) -> Spans:
        *earlier, last = self.stages
        pieces = Spans(np.array([0]), np.array([len(text)]), contexts=[context])
        for stage in earlier:
            pieces = located(_next_stage(stage.pieces, text, pieces), context)
        spans = _next_stage(cut, text, pieces)
        return spans if any(stage.trim for stage in self.stages) else gapless(text, spans, last.size_within)


def _next_stage(cut: Callable[[str, Context], Spans], text: str, pieces: Spans) -> Spans:
    """What a stage cuts from each piece, as one table."""
    parts: list[tuple[int, Spans]] = []
    rows: list[int] = []
    for row, (start, end) in enumerate(zip(pieces.starts.tolist(), pieces.ends.tolist(), strict=True)):
        found = cut(text[start:end], () if pieces.contexts is None else pieces.contexts[row])
        if len(found):
            parts.append((start, found))
            rows.extend([row] * len(found))
    return carried(joined(parts), pieces, rows) if parts else Spans.none()


def joined(parts: list[tuple[int, Spans]]) -> Spans:
    """What was cut from pieces as one table: `parts` are each piece's start and what came of it."""
    found = [spans for _, spans in parts]
    return Spans(
        np.concatenate([spans.starts + start for start, spans in parts]),
        np.concatenate([spans.ends + start for start, spans in parts]),
        token_counts=joined_numbers(found, "token_counts"),
        contexts=joined_values(found, "contexts", ()),
        section_paths=joined_values(found, "section_paths", ()),
        kinds=joined_values(found, "kinds", "text"),
        over_limit=joined_numbers(found, "over_limit"),
        context_cut=joined_numbers(found, "context_cut"),
        window_starts=_shifted(parts, "window_starts"),
        window_ends=_shifted(parts, "window_ends"),
        shown=joined_values(found, "shown", ()),
    )


def carried(spans: Spans, pieces: Spans, rows: list[int]) -> Spans:
    """Spans (n) with what the pieces that they were cut from hand on; `rows` says which piece each is of (n)."""
    cut = spans.context_cut
    if pieces.context_cut is not None:
        cut = pieces.context_cut[rows] if cut is None else cut | pieces.context_cut[rows]
    return dataclasses.replace(
        spans,
        section_paths=_paths(spans.section_paths, pieces.section_paths, rows),
        kinds=spans.kinds or _of_pieces(pieces.kinds, rows),
        context_cut=cut,
    )


def _shifted(parts: list[tuple[int, Spans]], column: str) -> IntArray | None:
    """A column of positions, which all parts have or none."""
    columns = [getattr(spans, column) for _, spans in parts]
    if columns[0] is None:
        return None
    return np.concatenate([values + start for (start, _), values in zip(parts, columns, strict=True)])


def _paths(own: Sequence[Path] | None, of_pieces: Sequence[Path] | None, rows: list[int]) -> Sequence[Path] | None:
    """The path of the piece, then what a stage found below it; headings that both have once."""
    if own is None or of_pieces is None:
        return own or _of_pieces(of_pieces, rows)
    return [_path(of_pieces[row], path) for row, path in zip(rows, own, strict=True)]


def _path(outer: Path, inner: Path) -> Path:
    shared = next(n for n in range(min(len(outer), len(inner)), -1, -1) if outer[len(outer) - n :] == inner[:n])
    return (*outer, *inner[shared:])


def _of_pieces(column: Sequence[T] | None, rows: list[int]) -> list[T] | None:
    return None if column is None else [column[row] for row in rows]
