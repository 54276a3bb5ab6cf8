"""`delimiter`: a cut after each literal delimiter, which ends its chunk."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkers


def pieces(text: str, delimiter: str = "\n\n", **parameters: object) -> list[str]:
    return [chunk.text for chunk in chunkers.create("delimiter", delimiter=delimiter, **parameters).chunk(text)]


def test_the_delimiter_ends_its_chunk() -> None:
    assert pieces("Go left! Go right! Stop", "!") == ["Go left!", " Go right!", " Stop"]


def test_the_default_is_a_blank_line() -> None:
    assert [chunk.text for chunk in chunkers.create("delimiter").chunk("One\nline.\n\nTwo.")] == [
        "One\nline.\n\n",
        "Two.",
    ]


def test_without_one_the_text_is_one_chunk() -> None:
    assert pieces("Stop", "!") == ["Stop"]


def test_a_delimiter_is_literal() -> None:
    assert pieces("a.b|c", ".") == ["a.", "b|c"]
    assert pieces("a.*b", ".*") == ["a.*", "b"]


def test_it_is_found_from_left_to_right_without_overlap() -> None:
    assert pieces("aaab", "aa") == ["aa", "ab"]


def test_a_delimiter_that_is_text_makes_chunks_of_its_own() -> None:
    assert pieces("!!", "!") == ["!", "!"]
    assert pieces("!a", "!") == ["!", "a"]


def test_a_blank_piece_joins_the_chunk_before_it() -> None:
    assert pieces("a\n\n\n\n \n\nb") == ["a\n\n\n\n \n\n", "b"]
    assert pieces("a! \n!b", "!") == ["a!", " \n!", "b"]
    assert pieces("a!  ", "!") == ["a!  "]


def test_at_the_beginning_it_joins_the_one_after() -> None:
    assert pieces("\n\n\n\na\n\nb") == ["\n\n\n\na\n\n", "b"]
    assert pieces("\n\n \n\na") == ["\n\n \n\na"]


def test_a_blank_text_gives_no_chunk() -> None:
    assert pieces("") == pieces("\n\n\n\n") == pieces(" ", " ") == []


def test_trim_leaves_the_white_space_out() -> None:
    assert pieces(" a \n\n b\n\n", trim=True) == ["a", "b"]


@pytest.mark.parametrize(
    ("text", "delimiter", "expected"),
    [
        ("a\r\nb\rc", "\r", ["a\r\nb\r", "c"]),
        ("ae\u0301be", "e", ["ae\u0301be"]),
        ("x\U0001f468\u200d\U0001f469y", "\u200d", ["x\U0001f468\u200d\U0001f469y"]),
    ],
    ids=["line-end", "accent", "family"],
)
def test_no_cut_inside_a_character(text: str, delimiter: str, expected: list[str]) -> None:
    assert pieces(text, delimiter) == expected


@given(st.text("ab!? ", max_size=30), st.sampled_from(["!", "!?", "a", "ab"]))
def test_pieces_are_those_of_str_split(text: str, delimiter: str) -> None:
    """Without white space at the ends of pieces there is nothing to join."""
    expected = [piece + delimiter for piece in text.split(delimiter)]
    expected[-1] = expected[-1].removesuffix(delimiter)
    assert "".join(pieces(text, delimiter)) == (text if text.strip() else "")
    if text.strip() and all(piece.strip() for piece in expected[:-1]):
        assert pieces(text, delimiter) == (expected if expected[-1].strip() else joined_end(expected))


def joined_end(expected: list[str]) -> list[str]:
    *before, last, blank = expected
    return [*before, last + blank]
