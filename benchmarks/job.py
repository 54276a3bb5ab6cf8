"""The whole job against the same job with an identity pandas UDF: processor time of all its processes.

`local[2]`; the job writes the full output table, the documents table, the changes and the manifest.
One rival reads the same rows, sends every text through a pandas UDF that gives it back, and writes
text and id to Parquet; the other is the job itself with an algorithm that gives every document back.
"""

from __future__ import annotations

import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import SparkSession
from pyspark.sql.functions import pandas_udf  # type: ignore[attr-defined]

from benchmarks.corpora import texts
from benchmarks.timing import table
from chunkers import Chunker, Context, Spans, register
from jobs.chunk_documents import run
from jobs.configuration import from_mapping
from jobs.java import ensure_java

CORPORA = ("docs_markdown", "multilingual", "books", "transcripts")
COPIES = 2
ROUNDS = 3
TOKENS = {"token_limit": 512, "overlap_rate": 0.125, "tokenizer": "cl100k_base"}
TICKS = os.sysconf("SC_CLK_TCK")


def main() -> None:
    if not Path("/proc/self/stat").exists():
        raise SystemExit("the job benchmark reads processor times from /proc, which this system does not have")
    folder = Path(tempfile.mkdtemp(prefix="chunkmill-bench-"))
    try:
        size = _write_documents(folder / "documents")
        _compare(folder, size)
    finally:
        shutil.rmtree(folder)


def _write_documents(folder: Path) -> float:
    """Documents of all corpora, several times over under other ids; gives their size in MB."""
    documents = [text for name in CORPORA for text in texts(name)] * COPIES
    folder.mkdir()
    ids = [f"document-{n}" for n in range(len(documents))]
    rows = pa.table({"doc_id": ids, "text": documents})
    pq.write_table(rows, folder / "documents.parquet", row_group_size=500, compression="zstd")
    return sum(len(text.encode()) for text in documents) / 1e6


@dataclass(frozen=True, kw_only=True)
class WholeDocument(Chunker):
    """The identity as an algorithm: every document is one chunk."""

    name = "whole_document"
    summary = "Every document is one chunk."

    def cut(self, text: str, context: Context) -> Spans:
        return Spans(np.array([0]), np.array([len(text)]))


def _compare(folder: Path, size: float) -> None:
    spark = session()
    register("whole_document", WholeDocument)

    @pandas_udf("string")  # type: ignore[untyped-decorator]
    def same(text: pd.Series) -> pd.Series:
        return text

    def identity() -> None:
        frame = spark.read.parquet(str(folder / "documents"))
        frame.select("doc_id", same("text").alias("text")).write.mode("overwrite").parquet(str(folder / "identity"))

    jobs: dict[str, Callable[[], None]] = {
        "read, identity pandas UDF, write": identity,
        "the whole job with the identity": partial(_run, spark, folder, {"whole_document": {}}),
        "the whole job": partial(_run, spark, folder, {"fixed_token_length": TOKENS}),
    }
    seconds: dict[str, list[tuple[float, float]]] = {name: [] for name in jobs}
    for _ in range(1 + ROUNDS):
        for name, job in jobs.items():
            seconds[name].append(used(job))
    spark.stop()
    medians = {name: [statistics.median(column) for column in zip(*u[1:], strict=True)] for name, u in seconds.items()}
    own = medians["the whole job"][0]
    rows = [[name, f"{cpu:.1f}", f"{wall:.1f}", f"{own / cpu:.2f}"] for name, (cpu, wall) in medians.items()]
    print(f"{size:.0f} MB of documents, medians of {ROUNDS} rounds after one to warm up:\n")
    print(table(["job", "processor s", "wall s", "processor time of the whole job to this"], rows))


def session() -> SparkSession:
    ensure_java()
    os.environ["PYSPARK_PYTHON"] = sys.executable
    settings = {
        "spark.driver.memory": "4g",
        "spark.driver.host": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": "8",
    }
    builder = SparkSession.builder.master("local[2]")
    for key, value in settings.items():
        builder = builder.config(key, value)
    return builder.getOrCreate()


def _run(spark: SparkSession, folder: Path, chunk: dict[str, Any]) -> None:
    """The main job, to an output of its own for each algorithm, so that it has an earlier run to compare with."""
    (name,) = chunk
    run_quietly(
        spark,
        {
            "input": {"path": str(folder / "documents"), "id": "doc_id", "text": "text"},
            "chunk": chunk,
            "output": {"path": str(folder / name)},
        },
    )


def run_quietly(spark: SparkSession, configuration: dict[str, Any]) -> None:
    with Path(os.devnull).open("w") as quiet:
        run(from_mapping(configuration), spark, stream=quiet)


def used(work: Callable[[], None]) -> tuple[float, float]:
    """Processor and wall seconds that `work` takes in this process and all that it started."""
    cpu, wall = _tree_seconds(), time.monotonic()
    work()
    return _tree_seconds() - cpu, time.monotonic() - wall


def _tree_seconds() -> float:
    """Processor seconds so far of this process, its descendants, and those of them that have ended."""
    stats = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        stats[int(path.parent.name)] = (int(fields[1]), sum(map(int, fields[11:15])))
    inside = {os.getpid()}
    grown = True
    while grown:
        found = {pid for pid, (parent, _) in stats.items() if parent in inside} - inside
        inside |= found
        grown = bool(found)
    return sum(stats[pid][1] for pid in inside if pid in stats) / TICKS
