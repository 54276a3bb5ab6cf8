"""White space that was left between spans joins a neighbour where it fits."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np

from chunkers.chunk import Context, Spans


def close_gaps(starts: list[int], ends: list[int], low: int, high: int, fits: Callable[[int, int, int], bool]) -> None:
    """Move `starts` and `ends` (n each, ascending, in `[low, high]`) so that gaps go to a neighbour that has room.

    A gap goes to the span after it, else to the one before; `fits(row, start, end)` says whether
    that row may be this span.
    """
    before = low
    for row, start in enumerate(starts):
        if before < start:
            if fits(row, before, ends[row]):
                starts[row] = before
            elif row and fits(row - 1, starts[row - 1], start):
                ends[row - 1] = start
        before = ends[row]
    if starts and before < high and fits(len(starts) - 1, starts[-1], high):
        ends[-1] = high


def gapless(text: str, spans: Spans, size_within: Callable[[str, Context], int | None]) -> Spans:
    """Spans cut from pieces one by one, with the white space that was left given to a span of the next piece.

    `size_within` gives the size of a text with its context, None when that is over the limit.
    """
    if len(spans) == 0 or np.array_equal(np.append(spans.starts, len(text)), np.append(0, spans.ends)):
        return spans
    starts, ends = spans.starts.tolist(), spans.ends.tolist()
    counts = None if spans.token_counts is None else spans.token_counts.copy()
    over = None if spans.over_limit is None else spans.over_limit.copy()

    def takes(row: int, start: int, end: int) -> bool:
        size = size_within(text[start:end], () if spans.contexts is None else spans.contexts[row])
        if size is not None and counts is not None:
            counts[row] = size
        if size is not None and over is not None:
            over[row] = False
        return size is not None

    close_gaps(starts, ends, 0, len(text), takes)
    return dataclasses.replace(
        spans, starts=np.array(starts), ends=np.array(ends), token_counts=counts, over_limit=over
    )
