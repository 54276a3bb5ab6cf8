from __future__ import annotations

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from chunkers import CHUNK_TYPE, create
from jobs.document_rows import DOCUMENT_LEVEL, append_document_elements

TEXTS = st.lists(st.sampled_from([None, "", " \n", "a", "one two three", "a b " * 30]), max_size=8)


@given(texts=TEXTS, limited=st.booleans())
def test_every_list_keeps_its_chunks_and_ends_with_its_document(texts: list[str | None], limited: bool) -> None:
    limit = {"max_chunk_limit": 3, "on_limit": "error"} if limited else {}
    algorithm = create("fixed_token_length", token_limit=2, tokenizer="whitespace", **limit)
    plain = algorithm.chunk_batch(texts)
    marked = append_document_elements(plain)
    assert len(marked) == len(texts)
    for before, after in zip(plain.to_pylist(), marked.to_pylist(), strict=True):
        error = before[0]["error"] if before else None
        chunks = [] if error else before
        *kept, document = after
        assert kept == chunks
        assert document["level"] == DOCUMENT_LEVEL
        assert document["error"] == error
        assert document["chunk_count"] == len(chunks)
        assert document["token_count"] == sum(chunk["token_count"] for chunk in chunks)
        assert document["text"] is None


def test_tokens_are_null_where_chunks_have_none_whatever_else_is_in_the_batch() -> None:
    algorithm = create("delimiter", delimiter="|")
    marked = append_document_elements(algorithm.chunk_batch(["a|b", "", "c"])).to_pylist()
    assert [document[-1]["token_count"] for document in marked] == [None, 0, None]


def test_a_slice_of_a_batch() -> None:
    chunks = create("delimiter", delimiter="|").chunk_batch(["a|b", None, "c|d|e", ""])
    expected = append_document_elements(chunks).to_pylist()[1:3]
    assert append_document_elements(chunks.slice(1, 2)).to_pylist() == expected


def test_only_embedded_chunks_count() -> None:
    chunks = create("delimiter", delimiter="|").chunk_batch(["a|b"]).to_pylist()
    chunks[0][0]["level"] = 1
    marked = append_document_elements(pa.array(chunks, pa.list_(CHUNK_TYPE))).to_pylist()
    assert marked[0][-1]["chunk_count"] == 1
