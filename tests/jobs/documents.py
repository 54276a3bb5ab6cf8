"""Small inputs for tests of the job, and the job run on them."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import SparkSession

from jobs.chunk_documents import Result, run
from jobs.configuration import Configuration, from_mapping

DELIMITER = {"delimiter": {"delimiter": "\n\n"}}


def write_documents(path: Path, **columns: Any) -> str:
    """Write columns to one Parquet file; returns its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table(columns), path)
    return str(path)


def configuration(
    source: str, target: Path, *, chunk: Any = DELIMITER, failed: float = 1.0, **sections: Mapping[str, Any]
) -> Configuration:
    """A configuration of `id` and `text`, with more keys for its sections."""
    return from_mapping(
        {
            "input": {"path": source, "id": "id", "text": "text", **sections.get("input", {})},
            "chunk": chunk,
            "context": sections.get("context", {}),
            "output": {"path": str(target), **sections.get("output", {})},
            "limits": {"max_failed_rate": failed, **sections.get("limits", {})},
        }
    )


def run_job(spark: SparkSession, config: Configuration) -> Result:
    """Run the job quietly."""
    result = run(config, spark, stream=io.StringIO())
    assert result is not None
    return result


def rows(spark: SparkSession, result: Result, table: str = "chunks", *order: str) -> list[dict[str, Any]]:
    """The rows of one table of a run."""
    frame = spark.read.parquet(result.path.removesuffix("chunks") + table)
    ordered = frame.orderBy(*order) if order else frame
    return [row.asDict(recursive=True) for row in ordered.collect()]
