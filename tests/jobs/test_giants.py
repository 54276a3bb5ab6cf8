"""Documents that one row can't hold: the same rows come out by the second pass."""

from __future__ import annotations

import io
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

import chunkers
from chunkers import Chunker, Context, Spans, names
from jobs import giants
from jobs.document_table import document_table, survey
from jobs.giants import RowLimit
from jobs.reading import read_source
from jobs.session import job_settings
from tests.jobs.documents import DELIMITER, configuration, rows, run_job, write_documents
from tests.promises.variants import sample

pytestmark = pytest.mark.spark

SENTENCE = (
    "The mill grinds grain, \U0001f468\u200d\U0001f469\u200d\U0001f467 and twice the same: The mill grinds grain. "
)
TEXTS = {
    "small": "One.\n\nTwo.",
    "blank": " \n" * 400,
    "giant": "# Mills\n\n" + "".join(f"{SENTENCE}\n\n{SENTENCE}\n\n## Part {n}\n\n" for n in range(40)),
    "invalid": "x" * 500,
    "other": "\n\n".join(f"{n}" for n in range(300)),
}


def _same_rows(spark: SparkSession, patch: pytest.MonkeyPatch, tmp_path: Path, chunk: Any, **constants: Any) -> None:
    """The job gives the same tables with these constants of `jobs.giants` as without."""
    path = write_documents(
        tmp_path / "in.parquet", id=list(TEXTS), text=list(TEXTS.values()), lang=["en"] * 5, n=[[n] for n in range(5)]
    )
    sections: dict[str, Any] = {
        "input": {"columns": ["n", "lang"]},
        "context": {"columns": ["lang"], "lead_chars": 9},
    }
    expected = run_job(spark, configuration(path, tmp_path / "whole", chunk=chunk, **sections))
    for name, value in constants.items():
        patch.setattr(giants, name, value)
    found = run_job(spark, configuration(path, tmp_path / "parts", chunk=chunk, **sections))
    order = {"chunks": ("doc_id", "chunk_index"), "documents": ("doc_id",), "changes": ("chunk_id",)}
    for name, columns in order.items():
        assert rows(spark, found, name, *columns) == rows(spark, expected, name, *columns)
    assert found.manifest.documents == expected.manifest.documents
    assert found.manifest.chunks == expected.manifest.chunks
    # Two writes into the staging folder: files of both are there.
    assert found.manifest.files["chunks"].files > expected.manifest.files["chunks"].files


@pytest.mark.parametrize("name", names())
def test_every_algorithm_gives_the_same_rows_for_a_giant(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    _same_rows(spark, monkeypatch, tmp_path, {name: sample(name)}, GIANT_BYTES=400, GIANT_BYTES_WITHOUT_BOUND=400)


@pytest.mark.parametrize("limit", [RowLimit(20, 10**6), RowLimit(10**6, 1000)], ids=str)
def test_a_document_of_too_many_chunks_for_a_row_gives_the_same_rows(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, limit: RowLimit
) -> None:
    _same_rows(spark, monkeypatch, tmp_path, DELIMITER, ROW_LIMIT=limit)


def test_a_giant_that_fails_does_so_alone(spark: SparkSession, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(giants, "GIANT_BYTES", 20)
    monkeypatch.setattr(giants, "GIANT_BYTES_WITHOUT_BOUND", 20)
    path = write_documents(tmp_path / "in.parquet", id=["a", "b", "c"], text=["x\n\n" * 9, "y\n\n" * 3, "z\n\n" * 9])
    chunk = {"delimiter": {"max_chunk_limit": 8, "on_limit": "error"}}
    result = run_job(spark, configuration(path, tmp_path / "out", chunk=chunk))
    found = {row["doc_id"]: (row["status"], row["reason"], row["chunks"]) for row in rows(spark, result, "documents")}
    assert found == {"a": ("failed", "max_chunk_limit", 0), "b": ("chunked", None, 3), "c": found["a"]}


@dataclass(frozen=True, kw_only=True)
class LateFault(Chunker):
    """Lines, the last of which has a kind that fits into no column."""

    name = "late_fault"
    summary = "A fault after many good chunks."

    def cut(self, text: str, context: Context) -> Spans:
        edges = np.array([0, *range(2, len(text), 2), len(text)])
        kinds: list[Any] = ["text"] * (len(edges) - 1)
        kinds[-1] = 7 if text.startswith("x") else "text"
        return Spans(edges[:-1], edges[1:], kinds=kinds)


def test_a_fault_in_the_last_part_fails_its_document_alone(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("chunkers.registry._ALGORITHMS", dict(chunkers.registry._ALGORITHMS))
    chunkers.register("late_fault", LateFault)
    monkeypatch.setattr(giants, "ROW_LIMIT", RowLimit(1000, 10**9))
    path = write_documents(tmp_path / "in.parquet", id=["a", "b"], text=["x\n" * 70_000, "y\n" * 70_000])
    result = run_job(spark, configuration(path, tmp_path / "out", chunk={"late_fault": {}}))
    found = {row["doc_id"]: (row["reason"], row["chunks"]) for row in rows(spark, result, "documents")}
    assert found == {"a": ("algorithm_error", 0), "b": (None, 70_000)}
    assert result.manifest.chunks is not None
    assert result.manifest.chunks.chunks == 70_000


def test_rejected_documents_are_no_giants(spark: SparkSession, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An invalid id that reads like a giant's, twice the same id, and what is over max_document_mb."""
    monkeypatch.setattr(giants, "GIANT_BYTES", 20)
    monkeypatch.setattr(giants, "GIANT_BYTES_WITHOUT_BOUND", 20)
    ids = [b"a\xff", "a\ufffd".encode(), b"twice", b"twice", b"huge", None]
    texts = ["w" * 30, "giant " * 9, "v" * 30, "u" * 30, "t" * 2000, "s" * 30]
    table = pa.table({"id": pa.array(ids, pa.binary()), "text": texts})
    pq.write_table(table, tmp_path / "binary.parquet")
    spark.read.parquet(str(tmp_path / "binary.parquet")).selectExpr("CAST(id AS STRING) id", "text").write.parquet(
        str(tmp_path / "in")
    )
    config = configuration(str(tmp_path / "in"), tmp_path / "out", limits={"max_document_mb": 0.001})
    result = run_job(spark, config)
    assert result.manifest.documents.failed_by_reason == {
        "invalid_id": 1,
        "duplicate_id": 2,
        "too_large": 1,
        "null_id": 1,
    }
    assert [row["text"] for row in rows(spark, result)] == ["giant " * 9]
    assert all(row["document_hash"] for row in rows(spark, result, "documents"))


def test_giants_are_not_shuffled_where_documents_are_spread(spark: SparkSession, tmp_path: Path) -> None:
    """One row group for many documents: a text is measured, and left out, below the exchange."""
    path = write_documents(tmp_path / "in.parquet", id=[f"{n}" for n in range(50)], text=["x"] * 50)
    config = configuration(path, tmp_path / "out")
    with job_settings(spark), read_source(spark, config) as source, redirect_stdout(io.StringIO()) as plan:
        document_table(source, config.limits, survey(source), 1000).explain()
    above, below = plan.getvalue().split("RoundRobinPartitioning")
    assert "octet_length" in below
    assert "octet_length" not in above
