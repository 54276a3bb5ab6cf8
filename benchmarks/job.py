"""The whole job against the same job with an identity pandas UDF: processor time of all its processes.

`local[2]`; the job writes the full output table, the documents table, the changes and the manifest.
The rival reads the same rows, sends every text through a pandas UDF that gives it back, and writes
text and id to Parquet.
"""

from __future__ import annotations

import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.corpora import texts
from benchmarks.timing import table
from jobs.java import ensure_java

CORPORA = ("docs_markdown", "multilingual", "books", "transcripts")
COPIES = 2
ROUNDS = 3
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


def _compare(folder: Path, size: float) -> None:
    from pyspark.sql import SparkSession
    from pyspark.sql.functions import pandas_udf

    from jobs.chunk_documents import run
    from jobs.configuration import from_mapping

    ensure_java()
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local[2]").config("spark.driver.memory", "4g")
    spark = builder.config("spark.ui.enabled", "false").config("spark.driver.host", "127.0.0.1").getOrCreate()
    config = from_mapping(
        {
            "input": {"path": str(folder / "documents"), "id": "doc_id", "text": "text"},
            "chunk": {"fixed_token_length": {"token_limit": 512, "overlap_rate": 0.125, "tokenizer": "cl100k_base"}},
            "output": {"path": str(folder / "out")},
        }
    )

    @pandas_udf("string")  # type: ignore[call-overload]
    def same(text: pd.Series) -> pd.Series:
        return text

    def identity() -> None:
        frame = spark.read.parquet(str(folder / "documents"))
        frame.select("doc_id", same("text").alias("text")).write.mode("overwrite").parquet(str(folder / "identity"))

    def whole_job() -> None:
        with Path(os.devnull).open("w") as quiet:
            run(config, spark, stream=quiet)

    used: dict[str, list[tuple[float, float]]] = {"identity pandas UDF": [], "chunkmill": []}
    for _ in range(1 + ROUNDS):
        used["identity pandas UDF"].append(_used(identity))
        used["chunkmill"].append(_used(whole_job))
    spark.stop()
    rows = [
        [name, *(f"{statistics.median(column):.1f}" for column in zip(*u[1:], strict=True))] for name, u in used.items()
    ]
    print(f"{size:.0f} MB of documents, medians of {ROUNDS} rounds after one to warm up:\n")
    print(table(["job", "processor s", "wall s"], rows))
    own, rival = (statistics.median(cpu for cpu, _ in used[name][1:]) for name in ("chunkmill", "identity pandas UDF"))
    print(f"\nprocessor time, chunkmill / identity: {own / rival:.2f}")


def _used(work: Callable[[], None]) -> tuple[float, float]:
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
