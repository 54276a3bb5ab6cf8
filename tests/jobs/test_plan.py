"""What Spark makes of the job: the UDF runs once, and nothing is sorted or shuffled for the write."""

from __future__ import annotations

import io
import re
from contextlib import redirect_stdout
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from jobs.document_table import document_table, survey
from jobs.reading import read_source
from jobs.session import job_settings
from jobs.writing import chunk_rows
from tests.jobs.documents import configuration, write_documents

pytestmark = pytest.mark.spark


def _plan(spark: SparkSession, tmp_path: Path, *files: list[str]) -> str:
    """The plan for an input of these files, given by the ids in them."""
    for n, ids in enumerate(files):
        write_documents(tmp_path / f"in/{n}.parquet", id=ids, text=["a"] * len(ids), title=["t"] * len(ids))
    source_path = str(tmp_path / "in")
    config = configuration(
        source_path, tmp_path / "out", input={"columns": ["title"]}, context={"columns": ["title"], "lead_chars": 9}
    )
    with job_settings(spark), read_source(spark, config) as source:
        rows = chunk_rows(document_table(source, config.limits, survey(source)), source, config)
        text = io.StringIO()
        with redirect_stdout(text):
            rows.explain()
        return text.getvalue()


@pytest.mark.parametrize("ids", [["a", "b"], ["a", "a", "b"], [f"d{n}" for n in range(50)]])
def test_the_udf_is_evaluated_once(spark: SparkSession, tmp_path: Path, ids: list[str]) -> None:
    plan = _plan(spark, tmp_path, ids)
    assert len(re.findall(r"\w*EvalPython", plan)) == 1
    assert len(re.findall(r"\bGenerate\b", plan)) == 1


def test_documents_are_spread_when_there_are_fewer_row_groups_than_cores(spark: SparkSession, tmp_path: Path) -> None:
    assert "RoundRobinPartitioning(2)" in _plan(spark, tmp_path, [f"d{n}" for n in range(50)])
    assert "RoundRobinPartitioning" not in _plan(spark, tmp_path, ["a", "b"])


@pytest.mark.parametrize(
    ("sizes", "is_spread"), [((60, 30, 10), False), ((20, 20), False), ((98, 1, 1), True)], ids=str
)
def test_documents_are_spread_when_one_task_would_have_most_of_them(
    spark: SparkSession, tmp_path: Path, sizes: tuple[int, ...], is_spread: bool
) -> None:
    files = [[f"{n}-{row}" for row in range(size)] for n, size in enumerate(sizes)]
    spark.conf.set("spark.sql.files.maxPartitionBytes", "8k")
    try:
        plan = _plan(spark, tmp_path, *files)
    finally:
        spark.conf.unset("spark.sql.files.maxPartitionBytes")
    assert ("RoundRobinPartitioning(2)" in plan) == is_spread


@pytest.mark.classic
def test_the_write_does_not_sort(spark: SparkSession, tmp_path: Path) -> None:
    frame = spark.createDataFrame([(1, "x")], "id int, part string")
    with job_settings(spark):
        frame.write.partitionBy("part").parquet(str(tmp_path / "out"))
    store = spark._jsparkSession.sharedState().statusStore()  # type: ignore[attr-defined]
    written = store.executionsList()
    plan = written.apply(written.size() - 1).physicalPlanDescription()
    assert "WriteFiles" in plan
    assert "Sort" not in plan
