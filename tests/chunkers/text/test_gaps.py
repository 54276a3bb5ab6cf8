"""White space between spans joins a neighbour that has room."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from chunkers.text.gaps import close_gaps


def closed(spans: list[tuple[int, int]], length: int, room: int) -> list[tuple[int, int]]:
    """The spans after closing gaps, where no span may be longer than `room`."""
    starts, ends = [start for start, _ in spans], [end for _, end in spans]
    close_gaps(starts, ends, 0, length, lambda row, start, end: end - start <= room)
    return list(zip(starts, ends, strict=True))


def test_a_gap_goes_to_the_span_behind_it() -> None:
    assert closed([(0, 3), (5, 8)], 8, room=5) == [(0, 3), (3, 8)]


def test_else_to_the_one_before_it() -> None:
    assert closed([(0, 2), (4, 8)], 8, room=4) == [(0, 4), (4, 8)]


def test_a_gap_that_fits_nowhere_stays() -> None:
    assert closed([(0, 3), (5, 8)], 8, room=4) == [(0, 3), (5, 8)]


def test_gaps_at_both_ends_of_the_text() -> None:
    assert closed([(1, 3)], 4, room=4) == [(0, 4)]
    assert closed([(1, 3)], 4, room=3) == [(0, 3)]


def test_an_overlap_is_no_gap() -> None:
    assert closed([(0, 4), (2, 6)], 6, room=9) == [(0, 4), (2, 6)]


def test_without_spans_there_is_nothing_to_do() -> None:
    assert closed([], 5, room=9) == []


def test_the_room_is_asked_for_the_row_that_grows() -> None:
    asked: list[tuple[int, int, int]] = []

    def fits(row: int, start: int, end: int) -> bool:
        asked.append((row, start, end))
        return False

    close_gaps([1, 5], [3, 6], 0, 8, fits)
    assert asked == [(0, 0, 3), (1, 3, 6), (0, 1, 5), (1, 5, 8)]


@given(st.lists(st.integers(1, 9), min_size=1, max_size=13), st.integers(1, 20))
def test_spans_only_grow_and_what_is_left_fits_nowhere(steps: list[int], room: int) -> None:
    edges = [sum(steps[:n]) for n in range(len(steps) + 1)]
    spans = list(zip(edges[1::2], edges[2::2], strict=False))
    after = closed(spans, edges[-1], room)
    assert all(new[0] <= old[0] and old[1] <= new[1] for old, new in zip(spans, after, strict=True))
    borders = [0, *(edge for span in after for edge in span), edges[-1]]
    for n, (end, start) in enumerate(zip(borders[::2], borders[1::2], strict=True)):
        assert end <= start
        for low, high in after[max(0, n - 1) : n + 1]:
            assert end == start or (high - low) + (start - end) > room
