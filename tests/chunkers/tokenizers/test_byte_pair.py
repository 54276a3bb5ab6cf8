"""Ids, spans and counts of byte-pair encodings, against tiktoken itself."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import tiktoken
from hypothesis import example, given
from hypothesis import strategies as st

from chunkers.tokenizers import blocks, create_tokenizer
from chunkers.tokenizers.byte_pair import BytePairTokenizer
from chunkers.tokenizers.vocabularies import ENCODINGS
from tests.strategies import slices, texts

Reference = Callable[[str], tiktoken.Encoding]

each_encoding = pytest.mark.parametrize("name", ENCODINGS)


def byte_pairs(name: str) -> BytePairTokenizer:
    tokenizer = create_tokenizer(name)
    assert isinstance(tokenizer, BytePairTokenizer)
    return tokenizer


@each_encoding
@given(text=texts())
def test_ids_are_those_of_tiktoken(name: str, text: str, reference: Reference) -> None:
    assert byte_pairs(name).encode_ids(text.encode()).tolist() == reference(name).encode_ordinary(text)


@each_encoding
def test_special_token_text_is_plain_text(name: str, reference: Reference) -> None:
    special = "<|endoftext|>"
    assert reference(name).encode(special, allowed_special="all") == [reference(name).eot_token]
    assert create_tokenizer(name).count(special) == len(reference(name).encode_ordinary(special)) > 1


@each_encoding
@given(text=texts())
def test_spans_are_byte_ends_moved_back_to_characters(name: str, text: str, reference: Reference) -> None:
    starts, ends = create_tokenizer(name).spans(text)
    encoding = reference(name)
    written = b""
    expected = []
    for token in encoding.encode_ordinary(text):
        written += encoding.decode_single_token_bytes(token)
        expected.append(len(written.decode(errors="ignore")))
    assert ends.tolist() == expected
    assert starts.tolist() == [0, *expected[:-1]][: len(expected)]


@each_encoding
@given(text=texts())
def test_spans_ascend_to_the_end_of_the_text(name: str, text: str) -> None:
    _, ends = create_tokenizer(name).spans(text)
    assert (np.diff(ends) >= 0).all()
    assert ends.tolist()[-1:] == ([len(text)] if text else [])


def test_an_end_inside_a_character_is_moved_back_to_its_start() -> None:
    starts, ends = create_tokenizer("r50k_base").spans("a\U0001f9ff")
    assert starts.tolist() == [0, 1, 1, 1]
    assert ends.tolist() == [1, 1, 1, 2]


@each_encoding
@given(found=slices(), before=texts(4))
@example(found=("a b", 1, 3), before="")
@example(found=("don't", 3, 5), before="")
@example(found=("word1,234 x", 4, 9), before="12")
@example(found=("x  \n\n  y", 1, 7), before="Title\n")
@example(found=("a'\u017f b", 1, 5), before="")
def test_counts_of_slices_are_those_of_a_fresh_encode(
    name: str, found: tuple[str, int, int], before: str, reference: Reference
) -> None:
    text, start, end = found
    count = create_tokenizer(name).tokenize(text).count
    encode = reference(name).encode_ordinary
    assert count(start, end) == len(encode(text[start:end]))
    assert count(start, end, before) == len(encode(before + text[start:end]))


@each_encoding
@given(text=texts(30), block=st.integers(1, 40))
def test_a_text_encoded_in_blocks_has_the_spans_of_the_whole(name: str, text: str, block: int) -> None:
    ends = create_tokenizer(name).spans(text)[1].tolist()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "_BLOCK", block)
        assert create_tokenizer(name).spans(text)[1].tolist() == ends


@given(text=texts(), data=st.data())
def test_index_and_position_undo_each_other(text: str, data: st.DataObject) -> None:
    tokens = create_tokenizer("cl100k_base").tokenize(text)
    starts = tokens.starts.tolist()
    position = data.draw(st.integers(0, len(text)))
    index = tokens.index(position)
    assert index == sum(start < position for start in starts)
    assert tokens.position(index) == next((start for start in starts if start >= position), len(text))
    assert tokens.index(position) == index


@each_encoding
@pytest.mark.parametrize("unit", ["a", " ", "\n", "=", "\u05d0", "\u0301", "\U0001f468\u200d", "\u4f60", "1", "ab "])
def test_long_runs(name: str, unit: str, reference: Reference) -> None:
    text = unit * (30_000 // len(unit))
    assert byte_pairs(name).encode_ids(text.encode()).tolist() == reference(name).encode_ordinary(text)


@each_encoding
def test_an_empty_text_has_no_tokens(name: str) -> None:
    tokenizer = create_tokenizer(name)
    starts, ends = tokenizer.spans("")
    assert (len(starts), len(ends), tokenizer.count(""), len(tokenizer.tokenize(""))) == (0, 0, 0, 0)
