"""Parts of a document's chunks are the rows that the whole document gives."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import chunkers
from chunkers import arrow_parts
from chunkers.arrow_parts import chunk_parts
from tests.promises.variants import definitions
from tests.strategies import texts

DEFINITIONS = [(name, parameters) for name in chunkers.names() for parameters in definitions(name)[::5]]


@pytest.mark.parametrize(("name", "parameters"), DEFINITIONS, ids=str)
@settings(max_examples=20)
@given(
    text=st.one_of(texts(30), st.lists(st.sampled_from(["a", "b c", "\n\n", "# d\n"]), max_size=30).map("".join)),
    context=st.sampled_from([(), ("Title\n",)]),
    rows=st.integers(1, 4),
    characters=st.integers(1, 20),
)
def test_parts_are_the_rows_of_the_whole(
    name: str, parameters: dict[str, Any], text: str, context: chunkers.Context, rows: int, characters: int
) -> None:
    algorithm = chunkers.create(name, **parameters)
    expected = algorithm.chunk_batch([text], [context]).to_pylist()[0]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arrow_parts, "_MOST_ROWS", rows)
        patch.setattr(arrow_parts, "_MOST_CHARS", characters)
        if expected and expected[0]["error"]:
            # A heading of many lines over every token of them.
            with pytest.raises(chunkers.DocumentError, match="context_too_large"):
                list(chunk_parts(text, algorithm.spans(text, context)))
            return
        parts = [part.to_pylist() for part in chunk_parts(text, algorithm.spans(text, context))]
    assert [row for part in parts for row in part] == expected
    assert all(0 < len(part) <= rows for part in parts)
    for part in parts:
        assert len(part) == 1 or sum(len(row["text"]) + len(row["context"]) for row in part) <= characters


def test_texts_that_differ_and_have_one_hash(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrow_parts, "hash", lambda _: 7, raising=False)
    algorithm = chunkers.create("delimiter", delimiter="!")
    text = "a!b!a!a!b!c!"
    parts = [part.to_pylist() for part in chunk_parts(text, algorithm.spans(text))]
    assert [row["occurrence"] for part in parts for row in part] == [0, 0, 1, 2, 1, 0]
    assert parts == algorithm.chunk_batch([text]).to_pylist()


def test_context_beyond_measure() -> None:
    algorithm = chunkers.create("delimiter", delimiter="!")
    text = "a!" * 500
    with pytest.raises(chunkers.DocumentError, match="context_too_large"):
        list(chunk_parts(text, algorithm.spans(text, ("title " * 5000,))))
