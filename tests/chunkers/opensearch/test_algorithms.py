"""The algorithms where the golden cases are too long to write down, and on generated texts."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkers.errors import DocumentError
from chunkers.opensearch import read_pipeline
from tests.chunkers.opensearch.pipelines import TEXTS, algorithms, pipeline, processor


def chunks(text: str, algorithm: str, **parameters: Any) -> list[str]:
    body = pipeline(processor({"a": "b"}, algorithm, **parameters))
    found: list[str] = read_pipeline(body, max_token_count=10_000).run({"a": [text]})["b"]
    return found


def words(first: int, last: int) -> str:
    return "".join(f"w{n} " for n in range(first, last))


def test_overlap_is_floored_in_floating_point() -> None:
    """100 * 0.07 is a little more than 7."""
    text = words(0, 300)
    assert chunks(text, "fixed_token_length", token_limit=100, overlap_rate=0.07) == [
        words(0, 100),
        words(93, 193),
        words(186, 286),
        words(279, 300),
    ]


def test_defaults() -> None:
    assert [len(chunk) for chunk in chunks("z" * 5000, "fixed_char_length")] == [2048, 2048, 904]
    assert [chunk.count(" ") for chunk in chunks(words(0, 1000), "fixed_token_length")] == [384, 384, 232]
    assert chunks("a\n\nb", "delimiter") == ["a\n\n", "b"]


def test_too_many_tokens() -> None:
    assert len(chunks(words(0, 10_000), "fixed_token_length")) == 27
    message = r"^max_token_count_exceeded: analyzer standard throws exception: .* maximum of \[10000\]\."
    with pytest.raises(DocumentError, match=message):
        chunks(words(0, 10_001), "fixed_token_length")


def test_cut_inside_a_surrogate_pair_is_moved_before_it() -> None:
    """OpenSearch counts UTF-16 units, and leaves half a character in each of two chunks."""
    assert chunks("a\U0001f600b\U0001f600", "fixed_char_length", char_limit=2) == ["a", "\U0001f600b", "\U0001f600"]
    assert chunks("\U0001f600" * 3, "fixed_char_length", char_limit=4) == ["\U0001f600" * 2, "\U0001f600"]
    assert chunks("\U0001f600x", "fixed_char_length", char_limit=1) == ["\U0001f600", "x"]


@given(TEXTS, st.integers(1, 9), st.sampled_from([0, 0.2, 0.5]))
def test_characters_are_utf16_units_but_for_pairs(text: str, limit: int, rate: float) -> None:
    units = text.encode("utf-16-le")
    step = limit - int(limit * rate)
    count = 1 + max(0, -(-(len(units) // 2 - limit) // step))
    theirs = [units[2 * step * n : 2 * (step * n + limit)] for n in range(count)]
    whole = [chunk.decode("utf-16-le", "ignore") for chunk in theirs]
    ours = chunks(text, "fixed_char_length", char_limit=limit, overlap_rate=rate, max_chunk_limit=-1)
    if "\U0001f600" not in text:
        assert ours == [chunk for chunk in whole if chunk]
    elif limit > 1:
        assert len(ours) == len(theirs)
        for chunk, part in zip(ours, whole, strict=True):
            assert chunk.strip("\U0001f600") == part.strip("\U0001f600")


@given(TEXTS, algorithms(st.just(0.0)))
def test_chunks_without_overlap_make_up_the_text(text: str, algorithm: dict[str, Any]) -> None:
    (name,) = algorithm
    found = chunks(text, name, **algorithm[name])
    assert "".join(found) == text or (name == "fixed_token_length" and found == [])
