"""Chunks as Arrow columns: exact types, failed documents as elements, positions and repetition."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import chunkers
from chunkers import CHUNK_TYPE, Context, DocumentError, Spans
from chunkers.arrow import chunk_batch, error_text

BLANK_ROW = dict.fromkeys(CHUNK_TYPE.names)


def rows(texts: list[str | None], contexts: list[Context] | None = None, **parameters: Any) -> list[Any]:
    return chunkers.create("delimiter", **{"delimiter": "!", **parameters}).chunk_batch(texts, contexts).to_pylist()


def column(name: str, texts: list[str | None], **parameters: Any) -> list[list[Any]]:
    return [[row[name] for row in document] for document in rows(texts, **parameters)]


def failed(message: str) -> dict[str, Any]:
    return {**BLANK_ROW, "error": message}


def test_a_row_has_everything() -> None:
    tokens = chunkers.create("fixed_token_length", token_limit=3, overlap_rate=0.4)
    batch = tokens.chunk_batch(["one two three"], [("T\n",)])
    assert batch.to_pylist()[0][1] == {
        "level": 0,
        "chunk_index": 1,
        "chunk_count": 2,
        "start_char": 8,
        "end_char": 13,
        "text": "three",
        "context": "T\n",
        "token_count": 2,
        "section_path": [],
        "kind": "text",
        "overlap_chars": 0,
        "window_start_char": None,
        "window_end_char": None,
        "over_limit": False,
        "context_cut": False,
        "occurrence": 0,
        "parent_index": None,
        "parent_key": None,
        "error": None,
    }


BATCHES: list[list[str | None]] = [[], [None], [""], ["a!b"], ["a!b", None, " ", "\ud800"]]


@pytest.mark.parametrize("texts", BATCHES, ids=ascii)
@pytest.mark.parametrize("name", chunkers.names())
def test_the_type_is_always_the_same(name: str, texts: list[str | None]) -> None:
    batch = chunkers.create(name).chunk_batch(texts)
    batch.validate(full=True)
    assert batch.type == pa.list_(CHUNK_TYPE)
    assert len(batch) == len(texts)


def test_the_columns_of_a_chunk() -> None:
    assert {str(field.type) for field in CHUNK_TYPE} == {"int32", "string", "bool", "list<item: string>"}
    assert CHUNK_TYPE.names[:5] == ["level", "chunk_index", "chunk_count", "start_char", "end_char"]
    assert CHUNK_TYPE.names[-1] == "error"


def test_a_blank_text_has_no_chunk_and_no_error() -> None:
    assert rows(["", " \n", "a"])[:2] == [[], []]


def test_a_null_text_is_an_element_with_its_error_and_nothing_else() -> None:
    assert rows([None]) == [[failed("null_text: the text is null")]]


def test_a_failure_does_not_stop_the_others() -> None:
    found = rows(["a!", "a!b!c", None, "b"], max_chunk_limit=2, on_limit="error")
    assert [[row["text"] for row in document] for document in found] == [["a!"], [None], [None], ["b"]]
    assert found[1] == [failed("max_chunk_limit: 3 chunks, allowed are 2 (max_chunk_limit)")]


def test_a_lone_surrogate_is_an_error_of_the_document() -> None:
    with pytest.raises(chunkers.DocumentError, match="invalid_unicode: a lone surrogate at character 70006"):
        chunkers.create("recursive").chunk("millet " * 10_000 + "grain \ud800")
    with pytest.raises(chunkers.DocumentError, match="invalid_unicode: a lone surrogate in the context"):
        chunkers.create("recursive").chunk("grain", ["\ud800"])


def test_a_lone_surrogate_fails_its_document_only() -> None:
    found = rows(["a!b", "ab\ud800c!", "c"])
    assert [[row["text"] for row in document] for document in found] == [["a!", "b"], [None], ["c"]]
    assert found[1] == [failed("invalid_unicode: a lone surrogate at character 2")]


def test_with_a_tokenizer_too() -> None:
    tokens = chunkers.create("fixed_token_length", tokenizer="cl100k_base")
    assert [[row["error"] for row in document] for document in tokens.chunk_batch(["a", "\udfff"]).to_pylist()] == [
        [None],
        ["invalid_unicode: a lone surrogate at character 0"],
    ]


def test_what_an_algorithm_raises_becomes_the_error_of_that_document() -> None:
    def cut(text: str, context: Context) -> Spans:
        if text == "bad":
            raise ValueError("no such thing")
        return Spans(np.array([0]), np.array([len(text)]))

    assert [document[0]["error"] for document in chunk_batch(cut, ["ok", "bad"], None).to_pylist()] == [
        None,
        "algorithm_error: ValueError: no such thing",
    ]


def test_an_error_is_short() -> None:
    assert error_text(DocumentError("reason", "detail")) == "reason: detail"
    assert len(error_text(ValueError("x" * 1000))) < 300


def test_positions_and_counts_are_those_of_each_document() -> None:
    texts: list[str | None] = ["a!b!", " ", "\U0001f6a2!c"]
    assert column("start_char", texts) == [[0, 2], [], [0, 2]]
    assert column("end_char", texts) == [[2, 4], [], [2, 3]]
    assert column("chunk_index", texts) == [[0, 1], [], [0, 1]]
    assert column("chunk_count", texts) == [[2, 2], [], [2, 2]]


def test_overlap_does_not_reach_into_the_document_before() -> None:
    chars = chunkers.create("fixed_char_length", char_limit=4, overlap_rate=0.5)
    found = chars.chunk_batch(["abcdefgh", "ab", "abcdef"]).to_pylist()
    assert [[row["overlap_chars"] for row in document] for document in found] == [[0, 2, 2], [0], [0, 2]]


def test_occurrence_counts_earlier_chunks_of_the_same_text_in_the_document() -> None:
    assert column("occurrence", ["a!b!a!a!b!", "a!"]) == [[0, 0, 1, 2, 1], [0]]


def test_each_text_has_its_own_context() -> None:
    found = rows(["a!b", "c"], [("One\n", "Two\n"), ()])
    assert [[row["context"] for row in document] for document in found] == [["One\nTwo\n", "One\nTwo\n"], [""]]


def test_as_many_contexts_as_texts() -> None:
    with pytest.raises(ValueError, match=r"shorter|longer"):
        rows(["a", "b"], [("One\n",)])


def test_token_counts_are_null_without_a_tokenizer_and_where_a_document_failed() -> None:
    assert column("token_count", ["a!b"]) == [[None, None]]
    tokens = chunkers.create("fixed_token_length", token_limit=2)
    found = tokens.chunk_batch(["one two three", None]).to_pylist()
    assert [[row["token_count"] for row in document] for document in found] == [[2, 1], [None]]


def test_paths_of_one_document_and_failure_of_another() -> None:
    found = chunkers.create("markdown").chunk_batch(["# A\nb", None, "plain"]).to_pylist()
    assert [[row["section_path"] for row in document] for document in found] == [[["A"]], [None], [[]]]


@pytest.mark.parametrize(
    "spoiled",
    [{"kinds": [7]}, {"over_limit": ["x"]}, {"token_counts": np.array([1, 2])}, {"contexts": [("\ud800\n",)]}],
    ids=str,
)
def test_a_column_that_one_document_spoils_fails_that_document_alone(spoiled: dict[str, Any]) -> None:
    def cut(text: str, context: Context) -> Spans:
        return Spans(np.array([0]), np.array([len(text)]), **(spoiled if text == "bad" else {}))

    good, bad, again = chunk_batch(cut, ["good", "bad", "good"], None).to_pylist()
    assert [row["text"] for row in (*good, *again)] == ["good", "good"]
    assert [row["text"] for row in bad] == [None]
    assert bad[0]["error"] is not None


def test_context_and_paths_beyond_measure_fail_the_document() -> None:
    text = "# " + "h" * 20_000 + "\n\n" + "".join(f"## s{n}\n\nbody\n\n" for n in range(300))
    stages = [("markdown", {}), ("fixed_char_length", {"char_limit": 100})]
    rows = chunkers.create_cascade(stages).chunk_batch([text, "# A\n\nbody\n"]).to_pylist()
    assert [row["error"].partition(":")[0] for row in rows[0]] == ["context_too_large"]
    assert [row["text"] for row in rows[1]] == ["# A\n\nbody\n"]
