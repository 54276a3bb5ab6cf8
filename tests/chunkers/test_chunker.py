"""What every algorithm has: max_chunk_limit, trim, context, pickling, chunk objects and columns."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkers
from chunkers import Chunk, Chunker, ConfigurationError, Context, DocumentError, Spans
from chunkers.fixed_token_length import FixedTokenLength
from tests.strategies import texts

WORDS = "one two three four five"


def cut(name: str, text: str, context: Context = (), **parameters: Any) -> list[Chunk]:
    return chunkers.create(name, **parameters).chunk(text, context)


# max_chunk_limit


def test_at_the_limit_the_rest_joins_the_last_chunk() -> None:
    chunks = cut("delimiter", "a!b!c!d!", delimiter="!", max_chunk_limit=2)
    assert [chunk.text for chunk in chunks] == ["a!", "b!c!d!"]
    assert not any(chunk.over_limit for chunk in chunks)


def test_a_merged_tail_over_the_size_is_counted_anew_and_flagged() -> None:
    chunks = cut("fixed_token_length", WORDS, token_limit=2, max_chunk_limit=2)
    assert [(chunk.text, chunk.token_count, chunk.over_limit) for chunk in chunks] == [
        ("one two ", 2, False),
        ("three four five", 3, True),
    ]
    assert [chunk.over_limit for chunk in cut("fixed_char_length", "abcdefg", char_limit=3, max_chunk_limit=2)] == [
        False,
        True,
    ]


def test_a_merged_tail_counts_its_context() -> None:
    *_, last = cut("fixed_token_length", WORDS, ("Title\n",), token_limit=3, max_chunk_limit=2)
    assert (last.index_text, last.token_count, last.over_limit) == ("Title\nthree four five", 4, True)


def test_as_many_chunks_as_allowed_are_left_alone() -> None:
    for on_limit in ("merge_tail", "error"):
        chunks = cut("delimiter", "a!b!", delimiter="!", max_chunk_limit=2, on_limit=on_limit)
        assert [chunk.text for chunk in chunks] == ["a!", "b!"]


def test_on_limit_error_fails_the_document() -> None:
    with pytest.raises(DocumentError) as error:
        cut("delimiter", "a!b!c!", delimiter="!", max_chunk_limit=2, on_limit="error")
    assert error.value.reason == "max_chunk_limit"
    assert "3 chunks, allowed are 2" in error.value.detail


@pytest.mark.parametrize("value", [0, -2])
def test_no_limit_is_minus_one(value: int) -> None:
    assert len(cut("delimiter", "a!b!c!", delimiter="!", max_chunk_limit=-1)) == 3
    with pytest.raises(ConfigurationError, match="1 or more, or -1"):
        chunkers.create("delimiter", max_chunk_limit=value)


# trim


def test_trim_leaves_white_space_out_and_moves_the_span() -> None:
    chunks = cut("delimiter", " a !\n b!", delimiter="!", trim=True)
    assert [(chunk.start, chunk.end, chunk.text) for chunk in chunks] == [(1, 4, "a !"), (6, 8, "b!")]


# Context


def test_context_goes_in_front_of_every_chunk() -> None:
    chunks = cut("delimiter", "a!b", ("Title\n", "Lead\n"), delimiter="!")
    assert [(chunk.context, chunk.text) for chunk in chunks] == [("Title\nLead\n", "a!"), ("Title\nLead\n", "b")]
    assert chunks[0].index_text == "Title\nLead\na!"


def test_what_the_text_says_is_not_said_again() -> None:
    chunks = cut("delimiter", "A Title!b", ("Title\n", "Lead\n"), delimiter="!")
    assert [chunk.context for chunk in chunks] == ["Lead\n", "Title\nLead\n"]


def test_a_part_said_by_a_nearer_part_is_left_out() -> None:
    assert [chunk.context for chunk in cut("delimiter", "a", ("Mill\n", "The Mill\n"))] == ["The Mill\n"]


def test_without_what_it_says_a_chunk_is_counted_anew() -> None:
    first, second = cut("fixed_token_length", "the title one two", ("title\n",), token_limit=3)
    assert (first.context, first.text, first.token_count) == ("", "the title ", 2)
    assert (second.context, second.text, second.token_count) == ("title\n", "one two", 3)


# over_limit


def test_what_has_no_size_is_never_over_it() -> None:
    assert not any(chunk.over_limit for chunk in cut("delimiter", "a!b!" * 50, delimiter="!", max_chunk_limit=1))


# Pickling


@pytest.mark.parametrize("name", chunkers.names())
def test_a_chunker_is_its_parameters_and_comes_back_from_a_pickle(name: str) -> None:
    chunker = chunkers.create(name, max_chunk_limit=3)
    before = chunker.chunk(WORDS)
    again = pickle.loads(pickle.dumps(chunker))
    assert again == chunker
    assert again.chunk(WORDS) == before


def test_a_tokenizer_is_made_again_not_pickled() -> None:
    chunker = FixedTokenLength(tokenizer="whitespace")
    fresh = pickle.dumps(chunker)
    chunker.chunk(WORDS)
    assert pickle.dumps(chunker) == fresh


def test_cascades_and_errors_can_be_pickled() -> None:
    cascade = chunkers.create_cascade([("delimiter", {}), ("fixed_token_length", {"token_limit": 2})])
    assert pickle.loads(pickle.dumps(cascade)).chunk(WORDS) == cascade.chunk(WORDS)
    for error in (DocumentError("reason", "detail"), ConfigurationError([chunkers.Problem("a.b", "is bad", "do")])):
        again = pickle.loads(pickle.dumps(error))
        assert (type(again), str(again)) == (type(error), str(error))


# Chunks and columns


def test_blank_texts_give_nothing() -> None:
    for name in chunkers.names():
        assert cut(name, "") == cut(name, " \n\t\u3000") == []
        assert len(chunkers.create(name).spans(" ")) == 0


@given(texts(8), st.sampled_from(chunkers.names()))
def test_chunk_is_spans_as_objects(text: str, name: str) -> None:
    chunker: Chunker = chunkers.create(name, max_chunk_limit=4)
    spans, chunks = chunker.spans(text, ("A title\n",)), chunker.chunk(text, ("A title\n",))
    assert [(chunk.start, chunk.end) for chunk in chunks] == list(
        zip(spans.starts.tolist(), spans.ends.tolist(), strict=True)
    )
    assert [chunk.overlap_chars for chunk in chunks] == spans.overlaps().tolist()
    assert [chunk.text for chunk in chunks] == [text[chunk.start : chunk.end] for chunk in chunks]
    if spans.token_counts is not None:
        assert [chunk.token_count for chunk in chunks] == spans.token_counts.tolist()


@dataclass(frozen=True, kw_only=True)
class Chosen(Chunker):
    """Gives the spans that it was told, right or wrong."""

    name = "chosen"
    summary = "Spans as told."

    edges: tuple[tuple[int, int], ...] = ()

    def cut(self, text: str, context: Context) -> Spans:
        return Spans(np.array([start for start, _ in self.edges]), np.array([end for _, end in self.edges]))


@pytest.mark.parametrize(
    "edges",
    [
        ((0, 3), (5, 100)),  # behind the end
        ((0, 3), (5, 8)),  # "lo" and the rest are left out
        ((5, 11), (0, 5)),  # out of order
        ((0, 11), (3, 3)),  # empty
        ((0, 11), (2, 9)),  # inside the one before
        ((-1, 11),),
        (),
    ],
)
def test_wrong_spans_of_ones_own_algorithm_fail_the_document(edges: tuple[tuple[int, int], ...]) -> None:
    with pytest.raises(DocumentError, match="wrong_spans"):
        Chosen(edges=edges).chunk("hello there")


def test_right_spans_of_ones_own_algorithm_are_taken() -> None:
    assert [chunk.text for chunk in Chosen(edges=((0, 7), (5, 11))).chunk("hello there")] == ["hello t", " there"]


@pytest.mark.parametrize("text", [None, 3, b"bytes"])
def test_a_text_is_a_string(text: Any) -> None:
    with pytest.raises(TypeError, match="a text is a str"):
        chunkers.create("delimiter").chunk(text)


def test_context_is_a_list_of_texts() -> None:
    assert chunkers.create("delimiter").chunk("text", ["A title", " "])[0].context == "A title\n"
    with pytest.raises(TypeError, match="one string"):
        chunkers.create("delimiter").chunk("text", "A title")
    with pytest.raises(TypeError, match="3 is no text"):
        chunkers.create("delimiter").chunk("text", [3])  # type: ignore[list-item]


# tokenizers


def test_an_algorithm_knows_the_tokenizers_of_all_its_parts() -> None:
    tokens = {"fixed_token_length": {"tokenizer": "r50k_base"}}
    assert chunkers.create_algorithm(tokens).tokenizers() == {"r50k_base"}
    assert chunkers.create_algorithm([{"markdown": {}}, tokens, {"delimiter": {}}]).tokenizers() == {"r50k_base"}
    both = {"parent_child": {"parent": [{"markdown": {}}, tokens], "child": {"sentence": {"tokenizer": "letter"}}}}
    assert chunkers.create_algorithm(both).tokenizers() == {"r50k_base", "letter"}
    assert chunkers.create("recursive").tokenizers() == {"cl100k_base"}
    assert chunkers.create("fixed_char_length").tokenizers() == set()
