"""Every registered algorithm keeps every promise on texts made to hurt."""

from __future__ import annotations

import os
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import chunkers
from chunkers.text.context import as_parts
from tests.promises.equations import check
from tests.promises.variants import CASCADES, asked, definitions, sample
from tests.strategies import texts

EXAMPLES = int(os.environ.get("CHUNKMILL_EXAMPLES", "24"))
CASES = [{name: parameters} for name in chunkers.names() for parameters in definitions(name)]
CONTEXTS = ((), ("A title",), ("A title", "one\ntwo\nthree"), ("\u05db\u05d5\u05ea \U0001f468\u200d\U0001f469",))


@pytest.mark.parametrize("definition", [*CASES, *CASCADES], ids=str)
@settings(max_examples=EXAMPLES)
@given(text=texts(), context=st.sampled_from(CONTEXTS).map(as_parts))
def test_promises(definition: Any, text: str, context: chunkers.Context) -> None:
    chunks = chunkers.create_algorithm(definition).chunk(text, context)
    check(text, context, chunks, asked(definition))


TAKEN_IN = (
    f"{'x' * 30}\u0600 ",
    "- a\n- b\u0600 ",
    "a\n\n\u0600\nb c d e\u0600 \n",
    "One two.\u0600 ",
    "a \u0600\n",
    "word word \u0301 \u0301",
    "a\u0600 \r\n\r\n b\u0600\u2028",
)
"""White space of which a cluster takes in the first character."""


@pytest.mark.parametrize("definition", [*CASES, *CASCADES], ids=str)
def test_white_space_that_a_cluster_takes_in(definition: Any) -> None:
    for text in TAKEN_IN:
        check(text, (), chunkers.create_algorithm(definition).chunk(text), asked(definition))


PLACED: list[Any] = [
    {"fixed_token_length": {"token_limit": 12, "overlap_rate": 0.25, "tokenizer": "cl100k_base"}},
    {"recursive": {"token_limit": 15, "overlap_rate": 0.25}},
    {"recursive": {"char_limit": 20, "trim": True}},
    {"sentence": {"token_limit": 12, "overlap_sentences": 1}},
    {"delimiter": {"token_limit": 9}},
    {"parent_child": {"parent": {"recursive": {"token_limit": 40}}, "child": {"recursive": {"token_limit": 9}}}},
    [{"delimiter": {"delimiter": "\n"}}, {"recursive": {"token_limit": 9}}],
]


@pytest.mark.parametrize("definition", PLACED, ids=str)
@settings(max_examples=EXAMPLES)
@example("a\u05e9\u05c1\u05b8\u05dc\u05d5\u05b9\u05ddTitle\n===\n ", ())  # The space fits where nothing is said twice.
@given(text=texts(), context=st.sampled_from(CONTEXTS).map(as_parts))
def test_headings_as_context(definition: Any, text: str, context: chunkers.Context) -> None:
    chunks = chunkers.create_algorithm(definition).chunk(text, context, headings=True)
    check(text, context, chunks, asked(definition))


@pytest.mark.parametrize("definition", [{name: sample(name)} for name in chunkers.names()] + list(CASCADES), ids=str)
@settings(max_examples=EXAMPLES // 2)
@given(batch=st.lists(texts(6) | st.none(), max_size=6), data=st.data())
def test_batches_change_nothing(definition: Any, batch: list[str | None], data: st.DataObject) -> None:
    algorithm = chunkers.create_algorithm(definition)
    whole = algorithm.chunk_batch(batch).to_pylist()
    cut = data.draw(st.integers(0, len(batch)))
    parts = algorithm.chunk_batch(batch[:cut]).to_pylist() + algorithm.chunk_batch(batch[cut:]).to_pylist()
    assert whole == parts
    for text, rows in zip(batch, whole, strict=True):
        if text is None:
            assert [row["error"] for row in rows] == ["null_text: the text is null"]
        else:
            assert [(row["start_char"], row["end_char"], row["text"], row["context"]) for row in rows] == [
                (chunk.start, chunk.end, chunk.text, chunk.context) for chunk in algorithm.chunk(text)
            ]
