"""Tables whose documents differ: an algorithm by a column, a language by a column."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F  # noqa: N812

from jobs.errors import InputError
from jobs.preview.documents import read_documents
from jobs.udf import chunk_udf
from tests.jobs.documents import configuration, rows, run_job, write_documents

DEFINITION: dict[str, Any] = {
    "by": {
        "column": "Format",
        "cases": {"markdown": {"markdown": {}}, "lines": {"delimiter": {"delimiter": "\n"}}},
    }
}
TEXT = "# A\n\none\n\n# B\n\ntwo"


def mixed(folder: Path) -> str:
    return write_documents(
        folder / "in.parquet",
        id=["m", "l", "n", "p"],
        text=[TEXT] * 4,
        format=["markdown", "lines", None, "pdf"],
        title=["T"] * 4,
    )


def test_each_document_is_cut_by_the_case_of_its_value(spark: SparkSession, tmp_path: Path) -> None:
    config = configuration(
        mixed(tmp_path),
        tmp_path / "out",
        chunk=DEFINITION,
        context={"columns": ["title"]},
        limits={"max_failed_rate": 0.5},
    )
    result = run_job(spark, config)
    texts: dict[str, list[str]] = {}
    for row in rows(spark, result, "chunks", "doc_id", "chunk_index"):
        texts.setdefault(row["doc_id"], []).append(row["context"] + row["text"])
    assert texts == {
        "m": ["T\n# A\n\none\n\n", "T\n# B\n\ntwo"],
        "l": ["T\n# A\n\n", "T\none\n\n", "T\n# B\n\n", "T\ntwo"],
    }
    failed = {row["doc_id"]: row["reason"] for row in rows(spark, result, "documents", "doc_id") if row["reason"]}
    assert failed == {"n": "unknown_case", "p": "unknown_case"}


def test_a_column_that_the_definition_names_must_be_there(spark: SparkSession, tmp_path: Path) -> None:
    path = write_documents(tmp_path / "in.parquet", id=["a"], text=["b"], formats=["c"])
    config = configuration(path, tmp_path / "out", chunk=DEFINITION)
    with pytest.raises(InputError, match=r"chunk: the input has no column 'Format' .*formats"):
        run_job(spark, config)


def test_a_default_takes_the_others(spark: SparkSession, tmp_path: Path) -> None:
    definition = {"by": {**DEFINITION["by"], "default": {"fixed_char_length": {"char_limit": 100}}}}
    result = run_job(spark, configuration(mixed(tmp_path), tmp_path / "out", chunk=definition))
    counts = {row["doc_id"]: row["chunks"] for row in rows(spark, result, "documents", "doc_id")}
    assert counts == {"m": 2, "l": 4, "n": 1, "p": 1}


def test_a_language_by_a_column(spark: SparkSession, tmp_path: Path) -> None:
    path = write_documents(tmp_path / "in.parquet", id=["a", "b"], text=["Go on."] * 2, lang=["en", "xq"])
    definition = {"sentence": {"language_column": "lang"}}
    config = configuration(path, tmp_path / "out", chunk=definition, limits={"max_failed_rate": 0.5})
    result = run_job(spark, config)
    assert [row["text"] for row in rows(spark, result, "chunks", "doc_id")] == ["Go on."]
    assert [row["reason"] for row in rows(spark, result, "documents", "doc_id")] == [None, "unknown_language"]


def test_the_udf_finds_the_columns_in_its_metadata(spark: SparkSession) -> None:
    frame = spark.createDataFrame(
        [("lines", "T", "a\nb"), ("markdown", None, "a\nb")], "Format string, title string, text string"
    )
    chunks = chunk_udf(DEFINITION)("text", F.struct("title", "Format"))
    found = frame.select("Format", F.inline(chunks)).select("Format", "context", "text").collect()
    assert sorted(map(tuple, found)) == [("lines", "T\n", "a\n"), ("lines", "T\n", "b"), ("markdown", "", "a\nb")]


def test_a_preview_cuts_as_the_job_does(tmp_path: Path) -> None:
    config = configuration(mixed(tmp_path), tmp_path / "out", chunk=DEFINITION)
    assert [document.asked for document in read_documents(config, 4)] == [
        {"Format": "markdown"},
        {"Format": "lines"},
        {"Format": None},
        {"Format": "pdf"},
    ]
