"""`max_chunk_limit`: one budget for all strings of a document, with its quirks."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkers.opensearch import read_pipeline
from tests.chunkers.opensearch.pipelines import commas, pipeline, processor


def chunks(limit: int, value: Any) -> list[str]:
    found: list[str] = read_pipeline(pipeline(commas(limit))).run({"a": value})["b"]
    return found


def expected(limit: int, sizes: list[int]) -> list[int]:
    """How many chunks each string gives that has so many pieces: the rule, one cut after the other."""
    count = len(sizes)
    numbers = []
    for pieces in sizes:
        made = 1
        while made < pieces and not (limit != -1 and made - 1 + count >= limit):
            made += 1
        numbers.append(made)
        count -= 1
        if limit != -1:
            limit -= made
    return numbers


@given(st.integers(1, 12) | st.just(-1), st.lists(st.integers(1, 5), max_size=15))
def test_numbers_of_chunks(limit: int, sizes: list[int]) -> None:
    texts = [",".join(["x"] * size) for size in sizes]
    found = iter(chunks(limit, texts))
    for text, number in zip(texts, expected(limit, sizes), strict=True):
        assert "".join(next(found) for _ in range(number)) == text
    assert not list(found)


@given(st.integers(1, 30), st.lists(st.integers(1, 9), min_size=1, max_size=30))
def test_no_more_than_the_limit_unless_there_are_more_strings(limit: int, sizes: list[int]) -> None:
    if len(sizes) <= limit:
        assert sum(expected(limit, sizes)) <= limit


def test_after_more_strings_than_the_limit_there_is_none() -> None:
    assert chunks(1, ["a,b", "c,d", "e,f", "g,h"]) == ["a,b", "c,d", "e,", "f", "g,", "h"]


@pytest.mark.parametrize(("strings", "extra"), [(99, 1), (100, 0), (101, 0), (105, 4)])
def test_second_stage_starves(strings: int, extra: int) -> None:
    """With the default limit of 100, the chunks of the first stage leave nothing to cut for the second."""
    text = ";".join(["a,b"] * strings)
    first = processor({"a": "b"}, delimiter=";", max_chunk_limit=-1)
    second = processor({"b": "c"}, delimiter=",")
    assert len(read_pipeline(pipeline(first, second)).run({"a": text})["c"]) == strings + extra


def test_blank_string_keeps_its_slot() -> None:
    body = pipeline(commas(3, {"a": "b", "c": "d"}))
    assert read_pipeline(body).run({"a": "  ", "c": "x,y,z"})["d"] == ["x,", "y,z"]
    assert read_pipeline(body).run({"a": "", "c": "x,y,z"})["d"] == ["x,", "y,", "z"]


def test_earlier_fields_take_what_there_is() -> None:
    source = {"a": "1,2,3", "c": "4,5,6"}
    result = read_pipeline(pipeline(commas(4, {"a": "b", "c": "d"}))).run(source)
    assert (result["b"], result["d"]) == (["1,", "2,", "3"], ["4,5,6"])
    result = read_pipeline(pipeline(commas(4, {"c": "d", "a": "b"}))).run(source)
    assert (result["b"], result["d"]) == (["1,2,3"], ["4,", "5,", "6"])
