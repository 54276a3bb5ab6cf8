"""Settings of a local run, and none where somebody chose a master."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from jobs.session import (
    _configured_defaults,
    _is_ours,
    _local_defaults,
    bounds_batches_by_bytes,
    job_settings,
    one_document_a_batch,
    row_by_row,
    spark_session,
)

ROWS = "spark.sql.execution.arrow.maxRecordsPerBatch"
VECTORIZED = "spark.sql.parquet.enableVectorizedReader"


@pytest.mark.parametrize("name", ["SPARK_REMOTE", "PYSPARK_GATEWAY_PORT", "PYSPARK_SUBMIT_ARGS"])
def test_not_ours_when_somebody_started_it(name: str) -> None:
    assert _is_ours({})
    assert not _is_ours({name: "x"})


def test_defaults_of_the_installation_are_respected(tmp_path: Path) -> None:
    defaults = "# comment\nspark.driver.memory 9g\nspark.ui.enabled=true\n\n"
    (tmp_path / "spark-defaults.conf").write_text(defaults)
    environment = {"SPARK_CONF_DIR": str(tmp_path)}
    assert _configured_defaults(environment) == {"spark.driver.memory", "spark.ui.enabled"}
    assert _is_ours(environment)
    (tmp_path / "spark-defaults.conf").write_text(f"{defaults}spark.master yarn\n")
    assert not _is_ours(environment)
    assert _configured_defaults({"SPARK_HOME": str(tmp_path)}) == set()


def test_local_defaults() -> None:
    defaults = _local_defaults()
    assert defaults["spark.master"] == "local[*,4]"
    assert 1 <= int(defaults["spark.driver.memory"].removesuffix("g")) <= 16
    assert (Path(defaults["spark.executorEnv.PYTHONPATH"]) / "chunkers").is_dir()


@pytest.mark.spark
def test_an_active_session_is_used(spark: SparkSession) -> None:
    assert spark_session("other") is spark


@pytest.mark.spark
def test_settings_hold_for_the_job_and_yield_to_the_users(spark: SparkSession) -> None:
    before = spark.conf.get(ROWS)
    with job_settings(spark):
        assert spark.conf.get(ROWS) == ("512" if bounds_batches_by_bytes(spark) else "64")
        with one_document_a_batch(spark):
            assert spark.conf.get(ROWS) == "1"
        assert spark.conf.get(ROWS) != "1"
    assert spark.conf.get(ROWS) == before
    for chosen in ("7", str(before)):
        spark.conf.set(ROWS, chosen)
        with job_settings(spark):
            assert spark.conf.get(ROWS) == chosen
        assert spark.conf.get(ROWS) == chosen
    spark.conf.unset(ROWS)


@pytest.mark.spark
def test_texts_are_read_by_rows_unless_the_user_says_otherwise(spark: SparkSession) -> None:
    before = spark.conf.get(VECTORIZED)
    with row_by_row(spark):
        assert spark.conf.get(VECTORIZED) == "false"
    assert spark.conf.get(VECTORIZED) == before
    spark.conf.set(VECTORIZED, "true")
    with row_by_row(spark):
        assert spark.conf.get(VECTORIZED) == "true"
    spark.conf.unset(VECTORIZED)
