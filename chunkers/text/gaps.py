"""White space that was left between spans joins a neighbour where it fits."""

from __future__ import annotations

from collections.abc import Callable


def close_gaps(starts: list[int], ends: list[int], length: int, fits: Callable[[int, int, int], bool]) -> None:
    """Move `starts` and `ends` (n each, ascending) so that gaps are gone wherever a neighbour has room.

    A gap goes to the span after it, else to the one before; `fits(row, start, end)` says whether
    that row may be this span. `length` is that of the text.
    """
    before = 0
    for row, start in enumerate(starts):
        if before < start:
            if fits(row, before, ends[row]):
                starts[row] = before
            elif row and fits(row - 1, starts[row - 1], start):
                ends[row - 1] = start
        before = ends[row]
    if starts and before < length and fits(len(starts) - 1, starts[-1], length):
        ends[-1] = length
