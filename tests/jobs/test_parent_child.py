"""Parents and windows in the tables of a run."""

from __future__ import annotations

from pathlib import Path

from pyspark.sql import SparkSession

from jobs.summary import summary_text
from tests.jobs.documents import configuration, rows, run_job, write_documents

TEXT = "The wheel turns. The stone grinds.\n\nThe wheel turns. The stone grinds.\n\nThe miller sleeps."


def test_children_name_their_parents(spark: SparkSession, tmp_path: Path) -> None:
    definition = {"parent_child": {"parent": {"delimiter": {}}, "child": {"sentence": {"token_limit": 6}}}}
    path = write_documents(tmp_path / "in.parquet", id=["a", "b"], text=[TEXT, "One. Two."], lang=["en", "en"])
    config = configuration(path, tmp_path / "out", input={"columns": ["lang"]}, chunk=definition)
    result = run_job(spark, config)
    assert "their parents are beside them, in parents/" in summary_text(result.manifest, result.path)
    children = rows(spark, result, "chunks", "doc_id", "chunk_index")
    parents = {row["chunk_id"]: row for row in rows(spark, result, "parents", "doc_id", "chunk_index")}
    assert len(parents) == 4
    assert [row["doc_id"] for row in parents.values()] == ["a", "a", "a", "b"]
    assert {row["level"] for row in parents.values()} == {1}
    assert {row["level"] for row in children} == {0}
    for child in children:
        parent = parents[child["parent_chunk_id"]]
        assert parent["doc_id"] == child["doc_id"]
        assert parent["start_char"] <= child["start_char"] < child["end_char"] <= parent["end_char"]
        assert child["text"] in parent["text"]
    assert {row["parent_chunk_id"] for row in parents.values()} == {None}
    assert [row["chunks"] for row in rows(spark, result, "documents", "doc_id")] == [5, 1]
    assert set(children[0]) == set(next(iter(parents.values())))


def test_windows_are_columns(spark: SparkSession, tmp_path: Path) -> None:
    path = write_documents(tmp_path / "in.parquet", id=["a"], text=["Ab. Cd. Ef."])
    result = run_job(spark, configuration(path, tmp_path / "out", chunk={"sentence_window": {"window": 1}}))
    found = rows(spark, result, "chunks", "chunk_index")
    assert [(row["window_start_char"], row["window_end_char"]) for row in found] == [(0, 8), (0, 11), (4, 11)]


def test_giants_have_parents_too(spark: SparkSession, tmp_path: Path) -> None:
    definition = {
        "parent_child": {"parent": {"delimiter": {"delimiter": "\n"}}, "child": {"delimiter": {"delimiter": " "}}}
    }
    text = "a b c d\n" * 30_000
    path = write_documents(tmp_path / "in.parquet", id=["a"], text=[text])
    result = run_job(spark, configuration(path, tmp_path / "out", chunk=definition))
    parents = rows(spark, result, "parents", "chunk_index")
    children = rows(spark, result, "chunks", "chunk_index")
    assert (len(parents), len(children)) == (30_000, 120_000)
    assert len({row["chunk_id"] for row in children}) == 120_000
    assert [row["parent_chunk_id"] for row in children] == [row["chunk_id"] for row in parents for _ in range(4)]
