"""Cuts at an even distance: as many units as fit, overlap, context, clusters, white space."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkers
from chunkers import Spans
from chunkers.chunk import Context, IntArray
from chunkers.text.blanks import trimmed
from chunkers.text.packing import Budget, pack
from chunkers.text.sizes import CharacterSizes, Sizes, TokenSizes
from chunkers.tokenizers import create_tokenizer
from chunkers.tokenizers.base import Tokenizer
from tests.strategies import texts

SHIP = "\U0001f6a2"  # three tokens of cl100k_base, one code point


def even_spans(sizes: Sizes, limit: int, overlap_rate: float = 0.0, context: Context = (), **options: Any) -> Spans:
    return pack(sizes, Budget(limit, overlap_rate, **options), context=context)


def by_characters(text: str, limit: int, overlap_rate: float = 0.0, **options: Any) -> Spans:
    return even_spans(CharacterSizes(text), limit, overlap_rate, **options)


def by_tokens(text: str, limit: int, overlap_rate: float = 0.0, tokenizer: str = "standard", **options: Any) -> Spans:
    sizes = TokenSizes(text, create_tokenizer(tokenizer))
    return even_spans(sizes, limit, overlap_rate, **options)


def pieces(text: str, spans: Spans) -> list[str]:
    return [text[start:end] for start, end in zip(spans.starts.tolist(), spans.ends.tolist(), strict=True)]


def characters(text: str, *arguments: Any, **options: Any) -> list[str]:
    return pieces(text, by_characters(text, *arguments, **options))


def tokens(text: str, *arguments: Any, **options: Any) -> list[str]:
    return pieces(text, by_tokens(text, *arguments, **options))


def test_every_n_characters() -> None:
    assert characters("abcdefghij", 4) == ["abcd", "efgh", "ij"]
    assert characters("abcd", 4) == ["abcd"]


def test_every_n_tokens_up_to_where_the_next_one_starts() -> None:
    text = "one two, three"
    assert tokens(text, 2) == ["one two, ", "three"]
    assert by_tokens(text, 2).token_counts is not None
    assert by_tokens(text, 2).token_counts.tolist() == [2, 1]
    assert by_characters(text, 2).token_counts is None


def test_neighbours_share_the_overlap_rounded_down() -> None:
    assert characters("abcdefghij", 4, 0.25) == ["abcd", "defg", "ghij"]
    assert characters("abcdefghij", 4, 0.49) == ["abcd", "defg", "ghij"]
    assert tokens("one two three four five", 3, 0.34) == ["one two three ", "three four five"]


def test_no_last_chunk_of_overlap_only() -> None:
    assert characters("abcdefgh", 4, 0.5) == ["abcd", "cdef", "efgh"]
    assert tokens("one two three four", 4, 0.5) == ["one two three four"]


def test_overlap_gives_way_to_a_cluster_that_fills_the_chunk() -> None:
    assert characters("abcde\u0301\u0301\u0301", 4, 0.5) == ["abcd", "e\u0301\u0301\u0301"]


def test_a_cluster_is_not_cut_and_overlap_starts_behind_one() -> None:
    assert characters("abce\u0301f", 4) == ["abc", "e\u0301f"]
    assert characters("ae\u0301bcd", 4, 0.5) == ["ae\u0301b", "bcd"]


def test_a_cluster_over_the_limit_is_cut_between_code_points() -> None:
    assert characters("e\u0301\u0301\u0301a", 2) == ["e\u0301", "\u0301\u0301", "a"]
    assert not by_characters("e\u0301\u0301\u0301a", 2).over_limit.any()  # type: ignore[union-attr]


def test_a_code_point_over_the_limit_is_kept_and_flagged() -> None:
    spans = by_tokens(f"{SHIP}{SHIP}a", 1, tokenizer="cl100k_base")
    assert pieces(f"{SHIP}{SHIP}a", spans) == [SHIP, SHIP, "a"]
    assert spans.over_limit is not None
    assert spans.over_limit.tolist() == [True, True, False]


def test_overlap_rounds_down_to_a_whole_character() -> None:
    """Two tokens of overlap would be less than a ship, four are one."""
    assert tokens(SHIP * 3, 6, 0.34, tokenizer="cl100k_base") == [SHIP * 2, SHIP]
    assert tokens(SHIP * 3, 9, 0.5, tokenizer="cl100k_base") == [SHIP * 3]
    assert tokens(SHIP * 4, 9, 0.5, tokenizer="cl100k_base") == [SHIP * 3, SHIP * 2]


def test_context_takes_of_the_limit_and_of_the_overlap() -> None:
    text = "abcdefghij"
    spans = by_characters(text, 6, 0.5, context=("T\n",))
    assert pieces(text, spans) == ["abcd", "cdef", "efgh", "ghij"]
    assert spans.contexts == [("T\n",)] * 4
    assert spans.context_cut is None


def test_context_over_its_share_is_cut_and_flagged() -> None:
    text = "abcdefghij"
    spans = by_characters(text, 6, context=("Title\n",), context_share=0.5)
    assert pieces(text, spans) == ["abc", "def", "ghi", "j"]
    assert spans.contexts == [("Ti\n",)] * 4
    assert spans.context_cut is not None
    assert spans.context_cut.all()
    none = by_characters(text, 6, context=("Title\n",), context_share=0.0)
    assert (pieces(text, none), none.contexts) == (["abcdef", "ghij"], [(), ()])


def test_without_context_there_is_no_column_for_it() -> None:
    assert by_characters("abc", 2).contexts is None


class Framed(Tokenizer):
    """A token a character, and two special ones around every text."""

    name = "framed"
    added_tokens = 2

    def spans(self, text: str) -> tuple[IntArray, IntArray]:
        starts = np.arange(len(text))
        return starts, starts + 1


def test_special_tokens_are_part_of_the_limit() -> None:
    sizes = TokenSizes("abcdefg", Framed())
    spans = even_spans(sizes, 5)
    assert pieces("abcdefg", spans) == ["abc", "def", "g"]
    assert spans.token_counts is not None
    assert spans.token_counts.tolist() == [5, 5, 3]


def test_overlap_is_a_share_of_what_special_tokens_leave() -> None:
    sizes = TokenSizes("abcdefgh", Framed())
    spans = even_spans(sizes, 6, 0.5)
    assert pieces("abcdefgh", spans) == ["abcd", "cdef", "efgh"]


class Restarting(Framed):
    """A text that does not begin with `a` has one token more than its characters."""

    added_tokens = 0

    def count(self, text: str) -> int:
        return len(text) + (text[:1] != "a")


def test_a_slice_over_the_limit_gives_back_no_more_than_the_excess() -> None:
    spans = even_spans(TokenSizes("abcdefgh", Restarting()), 4)
    assert pieces("abcdefgh", spans) == ["abcd", "efg", "h"]


def test_special_tokens_of_context_and_text_are_counted_once() -> None:
    sizes = TokenSizes("abcdef", Framed())
    spans = even_spans(sizes, 8, context=("T\n",))
    assert pieces("abcdef", spans) == ["abcd", "ef"]
    assert spans.token_counts is not None
    assert spans.token_counts.tolist() == [8, 6]


def test_white_space_joins_a_neighbour_with_room() -> None:
    assert characters("a      b", 3) == ["a  ", " b"]
    assert characters("ab   ", 5) == ["ab   "]
    assert characters("ab       ", 3) == ["ab "]
    assert characters("      ab", 3) == ["ab"]
    assert characters("   a", 3) == ["a"]


def test_no_piece_is_blank() -> None:
    assert characters("   ", 3) == []
    assert characters("", 3) == []
    assert characters("\n\n\n\n\n\na\n\n\n\n\n\n", 2) == ["a\n"]


def test_trim_leaves_white_space_out() -> None:
    assert characters("  ab  cd  ", 3, trim=True) == ["ab", "cd"]
    assert tokens(" one, two  three ", 2, trim=True) == ["one, two", "three"]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (" ab ", "ab"),
        ("ab", "ab"),
        ("   ", "   "),
        (" a b\n", "a b"),
        ("a \u0301 ", "a \u0301"),
        (" \u0301a", " \u0301a"),
    ],
    ids=["both-ends", "none", "blank", "inside", "marked-space-behind", "marked-space-before"],
)
def test_trimmed_takes_white_space_that_is_no_part_of_a_cluster(text: str, kept: str) -> None:
    start, end = trimmed(text, 0, len(text))
    assert text[start:end] == kept


@given(st.text("abcdef", min_size=1), st.integers(1, 9), st.sampled_from([0.0, 0.2, 0.5]))
def test_plain_letters_are_a_formula(text: str, limit: int, rate: float) -> None:
    step = limit - int(limit * rate)
    starts = [start for start in range(0, len(text), step) if start == 0 or start + limit - step < len(text)]
    assert characters(text, limit, rate) == [text[start : start + limit] for start in starts]


@given(texts(8), st.integers(1, 9), st.sampled_from(["standard", "cl100k_base"]))
def test_counts_are_those_of_a_fresh_encode(text: str, limit: int, tokenizer: str) -> None:
    spans = by_tokens(text, limit, 0.3, tokenizer=tokenizer, context=("T\n",))
    count = create_tokenizer(tokenizer).count
    assert spans.contexts is not None
    assert spans.token_counts is not None
    expected = [
        count("".join(context) + piece) for context, piece in zip(spans.contexts, pieces(text, spans), strict=True)
    ]
    assert spans.token_counts.tolist() == expected


@pytest.mark.parametrize("name", ["fixed_token_length", "recursive", "sentence", "structure"])
@pytest.mark.parametrize(("limit", "context"), [(16, "A title\n"), (13, "")])
def test_a_cluster_goes_before_the_context(name: str, limit: int, context: str) -> None:
    family = "\U0001f469\u200d\U0001f469\u200d\U0001f467"
    algorithm = chunkers.create(name, token_limit=limit, tokenizer="cl100k_base")
    chunks = algorithm.chunk(f"Hello {family} world", ["A title of five words or more than that"])
    (whole,) = [chunk for chunk in chunks if family in chunk.text]
    assert (whole.context, whole.context_cut, whole.over_limit) == (context, True, False)
    assert all(chunk.context.startswith("A title") for chunk in chunks if chunk is not whole)
