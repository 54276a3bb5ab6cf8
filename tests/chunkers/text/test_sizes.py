"""Sizes of slices, in code points and in tokens, and where to try a cut."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkers.text.sizes import CharacterSizes, Sizes, TokenSizes
from chunkers.tokenizers import create_tokenizer
from tests.strategies import slices, texts

TOKENIZERS = ("cl100k_base", "o200k_base", "standard", "whitespace", "letter")


def tokens(text: str, tokenizer: str = "standard") -> TokenSizes:
    return TokenSizes(text, create_tokenizer(tokenizer))


def test_characters_are_counted_with_what_stands_before() -> None:
    sizes = CharacterSizes("One two")
    assert sizes.size(4, 7) == 3
    assert sizes.size(4, 7, "ab\n") == 6
    assert sizes.size_of("four") == 4
    assert (sizes.advance(2, 3), sizes.advance(5, 9)) == (5, 7)
    assert (sizes.retreat(5, 3), sizes.retreat(2, 9)) == (2, 0)
    assert not sizes.counts_tokens


def test_tokens_are_counted_with_what_stands_before() -> None:
    sizes = tokens("One two, three")
    assert sizes.size(0, 14) == 3
    assert sizes.size(0, 9) == 2
    assert sizes.size(4, 14, "A title\n") == 4
    assert sizes.size_of("four five") == 2
    assert sizes.counts_tokens


def test_a_slice_that_cuts_a_word_is_counted_afresh() -> None:
    assert tokens("One-two").size(1, 5) == 2
    assert tokens("strawberry", "cl100k_base").size(0, 10) == 3
    assert tokens("strawberry", "cl100k_base").size(5, 10) == 1


def test_advance_goes_to_where_a_later_token_starts() -> None:
    sizes = tokens("One two, three")
    assert [sizes.advance(0, units) for units in range(5)] == [0, 4, 9, 14, 14]
    assert sizes.advance(2, 1) == 9


def test_retreat_goes_back_to_where_a_token_starts() -> None:
    sizes = tokens("One two, three")
    assert [sizes.retreat(14, units) for units in range(5)] == [14, 9, 4, 0, 0]


def test_retreat_does_not_stop_inside_a_character() -> None:
    """A ship is three tokens that all start at its one code point."""
    sizes = tokens("ab\U0001f6a2c", "cl100k_base")
    assert sizes.size_of("\U0001f6a2") == 3
    assert [sizes.retreat(4, units) for units in range(6)] == [4, 3, 3, 3, 2, 0]


@pytest.mark.parametrize("tokenizer", [None, *TOKENIZERS])
@settings(max_examples=40)
@given(piece=slices(), before=texts(3))
def test_a_size_is_that_of_the_slice_by_itself(tokenizer: str | None, piece: tuple[str, int, int], before: str) -> None:
    text, start, end = piece
    sizes: Sizes = CharacterSizes(text) if tokenizer is None else tokens(text, tokenizer)
    assert sizes.size(start, end, before) == sizes.size_of(before + text[start:end])


@pytest.mark.parametrize("tokenizer", [None, *TOKENIZERS])
@settings(max_examples=40)
@given(piece=slices(), units=st.integers(0, 9))
def test_moves_stay_in_the_text_and_are_short_enough(
    tokenizer: str | None, piece: tuple[str, int, int], units: int
) -> None:
    text, position, _ = piece
    sizes: Sizes = CharacterSizes(text) if tokenizer is None else tokens(text, tokenizer)
    ahead, back = sizes.advance(position, units), sizes.retreat(position, units)
    assert 0 <= back <= ahead <= len(text)
    starts = range(len(text)) if tokenizer is None else create_tokenizer(tokenizer).spans(text)[0].tolist()
    assert sum(back <= start < position for start in starts) <= units
    assert sum(position <= start < ahead for start in starts) <= units
