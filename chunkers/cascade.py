"""Cascades: each stage cuts the pieces of the one before; spans stay those of the document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from chunkers.chunk import BoolArray, Context, Spans
from chunkers.chunker import Algorithm, Chunker

T = TypeVar("T")
N = TypeVar("N", bound=np.generic)


class Cascade(Algorithm):
    """Stages in order; the pieces of the last one are the output.

    Context, section path and kind of a piece are carried on to what is cut from it. `overlap_chars`
    counts what neighbours share, within one piece and across two.
    """

    def __init__(self, stages: Sequence[Chunker]) -> None:
        self.stages = tuple(stages)

    def spans(self, text: str, context: Context = ()) -> Spans:
        spans = self.stages[0].spans(text, context)
        for stage in self.stages[1:]:
            spans = _next_stage(stage, text, context, spans)
        return spans


def _next_stage(stage: Chunker, text: str, context: Context, pieces: Spans) -> Spans:
    """What `stage` cuts from each piece, as one table."""
    parts: list[tuple[int, Spans]] = []
    rows: list[int] = []
    for row, (start, end) in enumerate(zip(pieces.starts.tolist(), pieces.ends.tolist(), strict=True)):
        before = context if pieces.contexts is None else pieces.contexts[row]
        found = stage.spans(text[start:end], before)
        if len(found):
            parts.append((start, found))
            rows.extend([row] * len(found))
    return _joined(parts, rows, pieces) if parts else Spans.none()


def _joined(parts: list[tuple[int, Spans]], rows: list[int], pieces: Spans) -> Spans:
    found = [spans for _, spans in parts]
    return Spans(
        np.concatenate([spans.starts + start for start, spans in parts]),
        np.concatenate([spans.ends + start for start, spans in parts]),
        token_counts=_numbers([spans.token_counts for spans in found]),
        contexts=_lists([spans.contexts for spans in found]),
        section_paths=_lists([spans.section_paths for spans in found]) or _carried(pieces.section_paths, rows),
        kinds=_lists([spans.kinds for spans in found]) or _carried(pieces.kinds, rows),
        over_limit=_numbers([spans.over_limit for spans in found]),
        context_cut=_either(_numbers([spans.context_cut for spans in found]), pieces.context_cut, rows),
    )


def _numbers(columns: list[npt.NDArray[N] | None]) -> npt.NDArray[N] | None:
    """One column of all; a stage fills it for every piece or for none."""
    given = [column for column in columns if column is not None]
    return np.concatenate(given) if given else None


def _lists(columns: list[Sequence[T] | None]) -> list[T] | None:
    given = [column for column in columns if column is not None]
    return [value for column in given for value in column] if given else None


def _carried(column: Sequence[T] | None, rows: list[int]) -> list[T] | None:
    return None if column is None else [column[row] for row in rows]


def _either(flags: BoolArray | None, of_pieces: BoolArray | None, rows: list[int]) -> BoolArray | None:
    if of_pieces is None:
        return flags
    return of_pieces[rows] if flags is None else flags | of_pieces[rows]
