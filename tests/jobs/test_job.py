"""The whole job on small inputs: rows, types, identity, rejected documents."""

from __future__ import annotations

import hashlib
import io
import json
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession

from chunkers import create
from jobs.chunk_documents import run
from jobs.errors import InputError
from jobs.output_columns import OUTPUT_COLUMN_NAMES
from tests.jobs.documents import configuration, rows, run_job, write_documents

pytestmark = pytest.mark.spark

TYPES = {
    "doc_id": "bigint",
    "chunk_id": "string",
    "parent_chunk_id": "string",
    "field": "string",
    "source_index": "int",
    "level": "int",
    "chunk_index": "int",
    "chunk_count": "int",
    "start_char": "int",
    "end_char": "int",
    "text": "string",
    "context": "string",
    "index_text": "string",
    "token_count": "int",
    "section_path": "array<string>",
    "kind": "string",
    "overlap_chars": "int",
    "window_start_char": "int",
    "window_end_char": "int",
    "content_hash": "string",
    "over_limit": "boolean",
    "context_cut": "boolean",
}
TEXT = "Same.\n\nOther \U0001f469\u200d\U0001f680.\n\nSame.\n\nEnd"


def _sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def test_columns_types_and_values(spark: SparkSession, tmp_path: Path) -> None:
    source = write_documents(tmp_path / "in.parquet", id=[7, 8], text=[TEXT, " "], title=["T", "U"], lang=["en", "he"])
    config = configuration(
        source, tmp_path / "out", input={"columns": ["lang"]}, context={"columns": ["title"], "lead_chars": 5}
    )
    result = run_job(spark, config)

    fields = spark.read.parquet(result.path).schema
    assert {field.name: field.dataType.simpleString() for field in fields} == {**TYPES, "lang": "string"}
    assert tuple(fields.names) == (*OUTPUT_COLUMN_NAMES, "lang")

    chunks = rows(spark, result, "chunks", "chunk_index")
    expected = create("delimiter", delimiter="\n\n").chunk(TEXT, ("T\n", "Same.\n"))
    assert [row["text"] for row in chunks] == [chunk.text for chunk in expected]
    for row, chunk in zip(chunks, expected, strict=True):
        assert TEXT[row["start_char"] : row["end_char"]] == row["text"]
        assert row["index_text"] == row["context"] + row["text"] == chunk.index_text
        assert row["content_hash"] == _sha(row["index_text"])
        constant = ("doc_id", "field", "level", "chunk_count", "lang", "kind", "section_path")
        assert [row[name] for name in constant] == [7, "text", 0, 4, "en", "text", []]
        unused = ("parent_chunk_id", "source_index", "window_start_char", "window_end_char", "token_count")
        assert {row[name] for name in unused} == {None}
    assert len({row["chunk_id"] for row in chunks}) == 4
    assert chunks[2]["chunk_id"] == _sha("\n".join(["chunkmill 2", "[7]", '"text"', "0", "1", _sha("Same.\n\n")]))[:32]

    assert rows(spark, result, "documents", "doc_id") == [
        _document(7, TEXT, status="chunked", chunks=4, tokens=None),
        _document(8, " ", status="empty"),
    ]


def _document(doc_id: Any, text: str | None, **values: Any) -> dict[str, Any]:
    hashed = None if text is None else _sha(text)
    plain = {"reason": None, "repaired": False, "chunks": 0, "tokens": 0, "detail": None}
    return {"doc_id": doc_id, "document_hash": hashed, **plain, **values}


def test_rejected_documents_are_listed_and_the_others_go_on(spark: SparkSession, tmp_path: Path) -> None:
    texts = [b"fine", b"twice", b"also", None, b"x" * 1001, b"nameless", b"caf\xe9 bad!", b"12345"]
    source = write_documents(
        tmp_path / "in.parquet",
        id=["a", "b", "b", "c", "d", None, "e", "f"],
        text=pa.array(texts, pa.binary()).view(pa.string()),
    )
    config = configuration(
        source,
        tmp_path / "out",
        chunk={"fixed_char_length": {"char_limit": 4, "max_chunk_limit": 2, "on_limit": "error"}},
        limits={"max_document_mb": 0.001},
    )
    result = run_job(spark, config)

    failed = {"status": "failed", "chunks": 0, "tokens": 0}
    twice = {**failed, "reason": "duplicate_id", "detail": "other rows have the same id"}
    found = rows(spark, result, "documents", "doc_id", "document_hash")
    limit = found[5].pop("detail")
    assert found == [
        _document(None, "nameless", **failed, reason="null_id", detail="the id is null"),
        _document("a", "fine", status="chunked", chunks=1, tokens=None),
        *sorted((_document("b", text, **twice) for text in ("twice", "also")), key=lambda row: row["document_hash"]),
        _document("c", None, **failed, reason="null_text", detail="the text is null"),
        {k: v for k, v in _document("d", "x" * 1001, **failed, reason="too_large").items() if k != "detail"},
        _document("e", "caf\ufffd bad!", **failed, reason="max_chunk_limit", repaired=True, detail=found[6]["detail"]),
        _document("f", "12345", status="chunked", chunks=2, tokens=None),
    ]
    assert limit == "1,001 bytes, allowed are 0.001 MB"
    assert "allowed are 2" in found[6]["detail"]
    assert {row["doc_id"] for row in rows(spark, result)} == {"a", "f"}
    counts = result.manifest.documents
    assert counts.failed_by_reason == {
        "duplicate_id": 2, "max_chunk_limit": 1, "null_id": 1, "null_text": 1, "too_large": 1
    }  # fmt: skip
    assert (counts.documents, counts.chunked, counts.repaired, counts.chunks) == (8, 2, 1, 3)


def test_the_same_rows_however_the_input_is_cut_up(spark: SparkSession, tmp_path: Path) -> None:
    ids = [f"d{n}" for n in range(40)]
    texts = [f"Text {n % 7}.\n\nWords {n % 3}.\n\nWords {n % 3}." for n in range(40)]
    chunk = {"fixed_token_length": {"token_limit": 5, "tokenizer": "cl100k_base"}}
    one = write_documents(tmp_path / "one" / "a.parquet", id=ids, text=texts)
    for n in range(4):
        write_documents(tmp_path / "many" / f"{n}.parquet", id=ids[n::4], text=texts[n::4])
    found = []
    for source, batch in ((one, "512"), (str(tmp_path / "many"), "3")):
        spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", batch)
        try:
            result = run_job(spark, configuration(source, tmp_path / f"out{batch}", chunk=chunk))
        finally:
            spark.conf.unset("spark.sql.execution.arrow.maxRecordsPerBatch")
        found.append((rows(spark, result, "chunks", "chunk_id"), rows(spark, result, "documents", "doc_id")))
    assert found[0] == found[1]
    assert len(found[0][0]) > 40


def test_several_id_columns_make_one_json_array(spark: SparkSession, tmp_path: Path) -> None:
    source = write_documents(
        tmp_path / "in.parquet", site=['a"b', "a", None], page=[1, 2, 3], text=["x", "y", "z"], **{"my.text": ["q"] * 3}
    )
    config = configuration(
        source, tmp_path / "out", input={"id": ["site", "page"], "text": "my.text", "columns": ["page"]}
    )
    result = run_job(spark, config)
    chunks = rows(spark, result, "chunks", "doc_id")
    assert [json.loads(row["doc_id"]) for row in chunks] == [["a", 2], ['a"b', 1]]
    assert [row["page"] for row in chunks] == [2, 1]
    assert {row["field"] for row in chunks} == {"my.text"}
    (failed,) = (row for row in rows(spark, result, "documents") if row["status"] == "failed")
    assert (failed["doc_id"], failed["reason"]) == ("[null,3]", "null_id")


def test_ids_that_are_not_utf8_are_set_apart(spark: SparkSession, tmp_path: Path) -> None:
    names = pa.array([b"caf\xe9", b"caf\xe8", "caf\ufffd".encode()], pa.binary()).view(pa.string())
    source = write_documents(tmp_path / "in.parquet", name=names, page=[1, 1, 1], text=["x", "y", "z"])
    for n, (columns, shown) in enumerate([(["name"], "caf\ufffd"), (["page", "name"], '[1,"caf\ufffd"]')]):
        result = run_job(spark, configuration(source, tmp_path / f"out{n}", input={"id": columns}))
        found = rows(spark, result, "documents", "document_hash")
        assert {row["doc_id"] for row in found} == {shown}
        assert Counter(row["reason"] for row in found) == {"invalid_id": 2, None: 1}
        assert [row["text"] for row in rows(spark, result)] == ["z"]


def test_times_keep_their_microseconds_in_any_zone(spark: SparkSession, tmp_path: Path) -> None:
    moments = [datetime(2026, 1, 31, 10, 0, 0, micros, UTC) for micros in (0, 1, 120_000)]
    at = pa.array(moments, pa.timestamp("us", "UTC"))
    source = write_documents(tmp_path / "in.parquet", id=at, page=[1, 1, 1], text=["x"] * 3)
    config = configuration(source, tmp_path / "one", context={"columns": ["id"]})
    chunks = rows(spark, run_job(spark, config), "chunks", "doc_id")
    words = "2026-01-31 10:00:00"
    assert [row["context"] for row in chunks] == [f"{words}\n", f"{words}.000001\n", f"{words}.12\n"]
    assert len({row["chunk_id"] for row in chunks}) == 3
    several = configuration(source, tmp_path / "several", input={"id": ["page", "id"]})
    ids = [row["doc_id"] for row in rows(spark, run_job(spark, several), "chunks", "doc_id")]
    assert ids == [f'[1,"2026-01-31T10:00:00.{micros}Z"]' for micros in ("000000", "000001", "120000")]


def test_where_and_limit(spark: SparkSession, tmp_path: Path) -> None:
    source = write_documents(tmp_path / "in.parquet", id=list(range(20)), text=["t"] * 20)
    config = configuration(source, tmp_path / "out", input={"where": "id >= 5", "limit": 3})
    result = run_job(spark, config)
    ids = [row["doc_id"] for row in rows(spark, result)]
    assert len(ids) == 3
    assert min(ids) >= 5
    assert not spark.catalog.listTables()


def test_output_columns_narrow_the_chunks(spark: SparkSession, tmp_path: Path) -> None:
    source = write_documents(tmp_path / "in.parquet", id=[1], text=["a\n\nb"], lang=["en"])
    wanted = ["chunk_index", "lang", "text"]
    config = configuration(source, tmp_path / "out", input={"columns": ["lang"]}, output={"columns": wanted})
    result = run_job(spark, config)
    assert rows(spark, result, "chunks", "chunk_index") == [
        {"chunk_index": 0, "lang": "en", "text": "a\n\n"},
        {"chunk_index": 1, "lang": "en", "text": "b"},
    ]
    assert rows(spark, result, "documents") == [_document(1, "a\n\nb", status="chunked", chunks=2, tokens=None)]
    assert result.manifest.changes is None
    assert result.manifest.chunks is not None
    assert result.manifest.chunks.chars.max == 3


def test_documents_without_a_single_chunk(spark: SparkSession, tmp_path: Path) -> None:
    source = write_documents(tmp_path / "in.parquet", id=[1, 2], text=["", "\n"])
    result = run_job(spark, configuration(source, tmp_path / "out"))
    assert spark.read.parquet(result.path).schema.names == list(OUTPUT_COLUMN_NAMES)
    assert rows(spark, result) == []
    assert [row["status"] for row in rows(spark, result, "documents")] == ["empty", "empty"]


def test_no_documents_publish_nothing(spark: SparkSession, tmp_path: Path) -> None:
    source = write_documents(tmp_path / "in.parquet", id=pa.array([], pa.int64()), text=pa.array([], pa.string()))
    with pytest.raises(InputError, match="no documents"):
        run_job(spark, configuration(source, tmp_path / "out"))
    assert not list((tmp_path / "out" / "runs").glob("*"))


def test_dry_run_writes_nothing(spark: SparkSession, tmp_path: Path) -> None:
    source = write_documents(tmp_path / "in.parquet", id=[1, 1, 2], text=["secret words"] * 3)
    stream = io.StringIO()
    assert run(configuration(source, tmp_path / "out"), spark, dry_run=True, stream=stream) is None
    assert not (tmp_path / "out").exists()
    for words in ("3 documents", "1 id is there more than once", "delimiter", "bigint", "Nothing was written"):
        assert words in stream.getvalue()
    assert "secret" not in stream.getvalue()


def test_settings_of_the_session_are_as_before(spark: SparkSession, tmp_path: Path) -> None:
    before = spark.conf.get("spark.sql.execution.arrow.maxRecordsPerBatch")
    source = write_documents(tmp_path / "in.parquet", id=[1], text=["a"])
    run(configuration(source, tmp_path / "out"), spark, dry_run=True, stream=io.StringIO())
    assert spark.conf.get("spark.sql.execution.arrow.maxRecordsPerBatch") == before
