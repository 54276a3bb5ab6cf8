from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Any

import pytest

from jobs.progress import Counts, Tasks, _Messages, _reader, _Show, bar, clock, line


@pytest.mark.parametrize(("seconds", "words"), [(0.9, "0:00"), (75, "1:15"), (600, "10:00"), (3723, "1:02:03")])
def test_clock(seconds: float, words: str) -> None:
    assert clock(seconds) == words


def test_line() -> None:
    assert line(Counts(1250, 9876), 5000, 40) == "1,250 of 5,000 documents, 9,876 chunks, 0:40, about 2:00 left"
    assert line(Counts(0, 0), 5000, 3) == "0 of 5,000 documents, 0 chunks, 0:03"
    assert line(Counts(7, 9), 7, 3) == "7 of 7 documents, 9 chunks, 0:03"


def test_bar() -> None:
    assert bar(0).count("=") == 0
    assert bar(0.5).count("=") == bar(1.5).count("=") / 2
    assert len(bar(0.3)) == len(bar(1))


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("stream", [io.StringIO(), _Terminal()])
def test_what_is_shown_where(stream: io.StringIO) -> None:
    show = _Show(stream, 10, lambda: None)
    show._print(Counts(5, 20))
    if stream.isatty():
        assert stream.getvalue().startswith("\r\x1b[K[===")
        assert "\n" not in stream.getvalue()
    else:
        assert stream.getvalue().startswith("chunkmill: 5 of 10 documents, 20 chunks")
        assert stream.getvalue().endswith("\n")


def test_a_session_that_tells_nothing_shows_nothing_and_fails_nothing() -> None:
    session: Any = object()
    with _reader(session) as read:
        assert read() is None


def test_tasks() -> None:
    assert line(Tasks(3, 12), 5000, 30) == "3 of 12 tasks (5,000 documents), 0:30, about 1:30 left"
    assert line(Tasks(12, 12), 1, 30) == "12 of 12 tasks (1 documents), 0:30"


def test_messages_of_a_server_are_added_up() -> None:
    @dataclass(frozen=True)
    class Stage:
        num_tasks: int
        num_completed_tasks: int

    messages = _Messages()
    assert messages.read() is None
    messages([Stage(4, 4), Stage(8, 1)], 2, "operation", False)
    assert messages.read() == Tasks(5, 12)
    messages([], 0, "another", False)
    assert messages.read() is None
