"""`fixed_char_length`: a cut every N code points, but never inside a character."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkers
from chunkers import Chunk

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"  # five code points


def cut(text: str, char_limit: int, context: tuple[str, ...] = (), **parameters: object) -> list[Chunk]:
    return chunkers.create("fixed_char_length", char_limit=char_limit, **parameters).chunk(text, context)


def pieces(text: str, char_limit: int, **parameters: object) -> list[str]:
    return [chunk.text for chunk in cut(text, char_limit, **parameters)]


def test_every_n_characters() -> None:
    assert pieces("abcdefghij", 4) == ["abcd", "efgh", "ij"]


def test_the_default_is_2048() -> None:
    assert [len(chunk.text) for chunk in chunkers.create("fixed_char_length").chunk("a" * 5000)] == [2048, 2048, 904]


@pytest.mark.parametrize("rate", [0.25, 0.3, 0.49])
def test_overlap_in_whole_characters(rate: float) -> None:
    assert pieces("abcdefghij", 4, overlap_rate=rate) == ["abcd", "defg", "ghij"]


def test_a_chunk_says_where_it_stands_and_what_it_shares() -> None:
    first, second, third = cut("abcdefghij", 4, overlap_rate=0.25)
    assert (first.start, first.end, first.index, first.overlap_chars) == (0, 4, 0, 0)
    assert (second.start, second.end, second.index, second.overlap_chars) == (3, 7, 1, 1)
    assert (third.start, third.end, third.index, third.overlap_chars) == (6, 10, 2, 1)


def test_characters_are_not_tokens() -> None:
    assert {chunk.token_count for chunk in cut("one two three", 4)} == {None}


def test_a_character_of_many_code_points_stays_whole() -> None:
    assert pieces(f"abc{FAMILY}de", 6) == ["abc", f"{FAMILY}d", "e"]


def test_one_that_is_too_large_is_cut_between_code_points() -> None:
    assert pieces("e" + "\u0301" * 5, 3) == ["e\u0301\u0301", "\u0301\u0301\u0301"]


def test_context_is_part_of_the_limit() -> None:
    chunks = cut("abcdefgh", 6, ("T\n",))
    assert [(chunk.context, chunk.text) for chunk in chunks] == [("T\n", "abcd"), ("T\n", "efgh")]
    assert [chunk.index_text for chunk in chunks] == ["T\nabcd", "T\nefgh"]


@given(st.text("ab \n", max_size=60), st.integers(1, 9))
def test_chunks_follow_each_other(text: str, limit: int) -> None:
    chunks = cut(text, limit)
    assert all(len(chunk.text) <= limit for chunk in chunks)
    assert "".join("".join(pieces(text, limit)).split()) == "".join(text.split())
