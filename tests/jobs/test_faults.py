"""What can be wrong with an input: a clear error before anything runs, or a document set aside with its reason."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F  # noqa: N812

import chunkers
from chunkers import Chunker, Context, DocumentError, Spans
from jobs.errors import InputError
from tests.jobs.documents import configuration, rows, run_job, write_documents

pytestmark = pytest.mark.spark


def _strings(*values: bytes | None) -> pa.Array:
    """Strings that need not be UTF-8."""
    return pa.array(values, pa.binary()).view(pa.string())


def test_a_poisoned_document_is_set_aside_and_the_others_go_on(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    @dataclass(frozen=True, kw_only=True)
    class Picky(Chunker):
        name = "picky"
        summary = "All of it, unless it is poisoned."

        def cut(self, text: str, context: Context) -> Spans:
            if text == "refused":
                raise DocumentError("not_for_me", "it says that it is refused")
            if text == "poison":
                raise ZeroDivisionError("division by zero")
            if text == "deep":
                return self.cut(text, context)
            return Spans(np.array([0]), np.array([1 if text == "short" else len(text)]))

    monkeypatch.setattr("chunkers.registry._ALGORITHMS", dict(chunkers.registry._ALGORITHMS))
    chunkers.register("picky", Picky)
    texts = ["good", "poison", "refused", "short", "deep", "fine"]
    source = write_documents(tmp_path / "in.parquet", id=list(range(6)), text=texts)
    result = run_job(spark, configuration(source, tmp_path / "out", chunk={"picky": {}}))
    found = rows(spark, result, "documents", "doc_id")
    assert [row["status"] for row in found] == ["chunked", "failed", "failed", "failed", "failed", "chunked"]
    assert [row["reason"] for row in found[1:5]] == ["algorithm_error", "not_for_me", "wrong_spans", "algorithm_error"]
    assert "division by zero" in found[1]["detail"]
    assert "RecursionError" in found[4]["detail"]
    assert [row["text"] for row in rows(spark, result, "chunks", "doc_id")] == ["good", "fine"]
    assert result.manifest.documents.failed_by_reason == {"algorithm_error": 2, "not_for_me": 1, "wrong_spans": 1}


def test_bytes_that_are_not_utf8_in_every_column(spark: SparkSession, tmp_path: Path) -> None:
    texts, titles = _strings(b"caf\xe9", b"good"), _strings(b"t\xeftle", b"Title")
    source = write_documents(tmp_path / "in.parquet", id=["a", "b"], text=texts, title=titles, mark=titles)
    config = configuration(source, tmp_path / "out", input={"columns": ["mark"]}, context={"columns": ["title"]})
    result = run_job(spark, config)
    # The bytes of a carried column are looked at in Spark: they come out as they went in.
    found = spark.read.parquet(result.path).withColumn("mark", F.hex("mark")).orderBy("doc_id").collect()
    assert [(row["text"], row["context"]) for row in found] == [("caf\ufffd", "t\ufffdtle\n"), ("good", "Title\n")]
    assert [bytes.fromhex(row["mark"]) for row in found] == [b"t\xeftle", b"Title"]
    assert [row["repaired"] for row in rows(spark, result, "documents", "doc_id")] == [True, False]


@pytest.mark.parametrize("kind", ["int64", "binary", "list", "struct", "timestamp"])
def test_a_text_of_another_type(spark: SparkSession, tmp_path: Path, kind: str) -> None:
    values = {
        "int64": pa.array([1]),
        "binary": pa.array([b"x"]),
        "list": pa.array([["x"]]),
        "struct": pa.array([{"x": "y"}]),
        "timestamp": pa.array([1], pa.timestamp("us")),
    }
    source = write_documents(tmp_path / "in.parquet", id=[1], text=values[kind])
    with pytest.raises(InputError, match=r"input.text: 'text' is .*, expected string"):
        run_job(spark, configuration(source, tmp_path / "out"))
    assert not (tmp_path / "out").exists()


def test_a_text_column_of_nothing_but_nulls(spark: SparkSession, tmp_path: Path) -> None:
    source = write_documents(tmp_path / "in.parquet", id=[1, 2], text=pa.array([None, None], pa.string()))
    result = run_job(spark, configuration(source, tmp_path / "out"))
    assert {row["reason"] for row in rows(spark, result, "documents")} == {"null_text"}


def test_columns_that_differ_by_capitals_only(spark: SparkSession, tmp_path: Path) -> None:
    source = write_documents(tmp_path / "in.parquet", id=[1], text=["a"], Text=["b"])
    with pytest.raises(InputError, match=r"(?s)can't be opened.*COLUMN_ALREADY_EXISTS.*text"):
        run_job(spark, configuration(source, tmp_path / "out"))


@pytest.mark.parametrize("name", ["text", "Level", "chunk_id", "DOC_ID"])
def test_a_carried_column_with_a_reserved_name(tmp_path: Path, name: str) -> None:
    with pytest.raises(chunkers.ConfigurationError, match="is the name of an output column"):
        configuration("in", tmp_path / "out", input={"columns": [name]})


def test_names_that_are_hard_to_quote(spark: SparkSession, tmp_path: Path) -> None:
    names = ["a.b", "a`b", "a b", "a'b\"c", "\u05e9\u05dd", "table", "TABLE_", "carried_0", "value_0", "id_fault"]
    columns = {"the id": ["a"], "te.xt": ["x"], **{name: [name] for name in names}}
    source = write_documents(tmp_path / "in.parquet", **columns)
    config = configuration(
        source,
        tmp_path / "out",
        input={"id": "the id", "text": "te.xt", "columns": names},
        context={"columns": ["a`b", "a.b"]},
    )
    (chunk,) = rows(spark, run_job(spark, config))
    assert {name: chunk[name] for name in names} == {name: name for name in names}
    assert (chunk["doc_id"], chunk["field"], chunk["context"]) == ("a", "te.xt", "a`b\na.b\n")


def test_an_input_that_is_not_the_same_twice(spark: SparkSession, tmp_path: Path) -> None:
    source = write_documents(tmp_path / "in.parquet", id=list(range(2000)), text=["x"] * 2000)
    calls = tmp_path / "calls"
    calls.touch()

    def seldom() -> bool:
        """True the more seldom the more often it was asked, so that two passes never choose as many rows."""
        with calls.open("ab") as file:
            file.write(b"x")
        return calls.stat().st_size % (1 + calls.stat().st_size // 1000) == 0

    spark.udf.register("seldom", F.udf(seldom, "boolean").asNondeterministic())
    config = configuration(source, tmp_path / "out", input={"where": "seldom()"})
    with pytest.raises(InputError, match=r"documents when their ids were compared, .* does not choose the same rows"):
        run_job(spark, config)
    assert not (tmp_path / "out" / "current.json").exists()
