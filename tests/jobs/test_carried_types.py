"""Carried columns of every type come out as they went in; ids of every type identify."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from tests.jobs.documents import configuration, rows, run_job

pytestmark = pytest.mark.spark

VALUES = {
    "a_byte": "CAST(1 AS TINYINT)",
    "a_float": "CAST('NaN' AS FLOAT)",
    "a_decimal": "CAST(1.10 AS DECIMAL(30, 2))",
    "a_binary": "X'FF00'",
    "a_date": "DATE'2026-01-31'",
    "an_instant": "TIMESTAMP'2026-01-31 10:00:00.123456'",
    "a_local_time": "TIMESTAMP_NTZ'2026-01-31 10:00:00'",
    "an_interval": "INTERVAL '1 2' DAY TO HOUR",
    "months": "INTERVAL '1-2' YEAR TO MONTH",
    "a_map": "MAP('k', ARRAY(1, NULL))",
    "a_struct": "NAMED_STRUCT('x', 1, 'y', ARRAY(NAMED_STRUCT('z', 'deep')))",
    "table": "'the name of the staging column'",
    "doc_text": "'x'",
    "`a.b c`": "TRUE",
    "nothing": "CAST(NULL AS STRING)",
}
VARIANT = {"a_variant": "PARSE_JSON('{\"a\": [1, 2.50, null]}')"}


def _input(spark: SparkSession, path: Path, values: dict[str, str]) -> str:
    columns = ", ".join(f"{value} AS {name}" for name, value in values.items())
    spark.sql(f"SELECT 'd' AS id, 'one\\n\\ntwo' AS text, {columns}").write.parquet(str(path))
    return str(path)


@pytest.mark.classic  # a client of Spark Connect can't take strings that are not UTF-8
def test_carried_columns_are_untouched(spark: SparkSession, tmp_path: Path) -> None:
    values = {**VALUES, **(VARIANT if spark.version >= "4" else {})}
    source = _input(spark, tmp_path / "in", values)
    names = [name.strip("`") for name in values]
    result = run_job(spark, configuration(source, tmp_path / "out", input={"columns": names}))
    given, found = spark.read.parquet(source), spark.read.parquet(result.path)
    quoted = [f"`{name}`" for name in names]
    assert found.select(*quoted).schema == given.select(*quoted).schema
    shown = "STRUCT(" + ", ".join(quoted) + ")"
    expected = given.selectExpr(f"CAST({shown} AS STRING)").first()
    assert expected is not None
    assert [row[0] for row in found.selectExpr(f"CAST({shown} AS STRING)").collect()] == [expected[0]] * 2


@pytest.mark.parametrize("kind", ["a_decimal", "a_binary", "an_instant", "a_struct"])
def test_ids_of_other_types(spark: SparkSession, tmp_path: Path, kind: str) -> None:
    source = _input(spark, tmp_path / "in", {"key": VALUES[kind]})
    result = run_job(spark, configuration(source, tmp_path / "out", input={"id": "key"}))
    given = spark.read.parquet(source).first()
    assert given is not None
    found = spark.read.parquet(result.path)
    assert found.schema["doc_id"].dataType == spark.read.parquet(source).schema["key"].dataType
    assert [row["doc_id"] for row in found.collect()] == [given["key"]] * 2
    assert len({row["chunk_id"] for row in rows(spark, result)}) == 2
