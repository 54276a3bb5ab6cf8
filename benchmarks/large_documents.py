"""Documents of 200 MB through the whole job, and a job of 300 MB in small ones: memory of its processes, and time.

A heap of 2 GB, `local[2]` unless said otherwise; every run is a process of its own, so that peaks are those of one run.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import SparkSession

from benchmarks.memory import peaks
from benchmarks.timing import table
from jobs.chunk_documents import run
from jobs.configuration import from_mapping
from jobs.java import ensure_java

HEAP = "2g"
ALGORITHMS: dict[str, dict[str, Any]] = {
    "fixed_token_length": {"token_limit": 512, "overlap_rate": 0.125, "tokenizer": "cl100k_base"},
    "fixed_char_length": {"char_limit": 2048, "overlap_rate": 0.125},
    "delimiter": {"delimiter": "\n\n"},
}
SENTENCES = (
    "the mill grinds grain and the grain becomes flour which bakers of every town along the river carry home before",
    "dawn while water turns a wheel that was built by hands long forgotten under some roof of slate or thatch where",
    "children count sacks instead of sheep because winter has come early this year and brought more rain than ever",
)
WORDS = [word for sentence in SENTENCES for word in sentence.split()]
FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"


def document(megabytes: float, *, emoji: bool = False, seed: int = 1) -> str:
    """Paragraphs of English words, `megabytes` of UTF-8; no two paragraphs are the same."""
    choose = random.Random(seed)
    sign = f" {FAMILY}" if emoji else ""
    bodies = [" ".join(choose.choices(WORDS, k=90)) for _ in range(500)]
    size = sum(len(body) for body in bodies) / len(bodies) + len(sign.encode()) + 10
    count = max(1, int(megabytes * 1e6 / size))
    return "".join(f"{n} {bodies[n % len(bodies)]}{sign}.\n\n" for n in range(count))


def write(folder: Path, documents: dict[str, str]) -> None:
    """One Parquet file with one row group."""
    folder.mkdir(parents=True)
    columns = {"doc_id": list(documents), "text": pa.array(documents.values(), pa.large_string())}
    pq.write_table(pa.table(columns), folder / "documents.parquet", compression="zstd")


def measured(folder: Path, chunk: dict[str, Any], **settings: str) -> dict[str, Any]:
    """Run the job on the documents of `folder` in a process of its own, and give what `_job` prints."""
    command = [sys.executable, "-m", "benchmarks.large_documents", str(folder), json.dumps(chunk), json.dumps(settings)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[1])
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def main() -> None:
    folder = Path(tempfile.mkdtemp(prefix="chunkmill-bench-"))
    try:
        for name, emoji in (("ASCII", False), ("emoji", True)):
            write(folder / name, {"giant": document(200, emoji=emoji), **_small(20)})
        write(folder / "small", _small(3000))
        small = "300 MB in documents of 100 kB, one row group"
        runs = [
            (f"200 MB, {name}", folder / name, algorithm, 2) for algorithm in ALGORITHMS for name in ("ASCII", "emoji")
        ]
        runs += [(small, folder / "small", "fixed_token_length", cores) for cores in (2, 1)]
        rows = []
        for title, place, algorithm, cores in runs:
            found = measured(place, {algorithm: ALGORITHMS[algorithm]}, **{"spark.master": f"local[{cores}]"})
            worker, jvm, seconds = (f"{found[key]:,.0f}" for key in ("worker_mb", "jvm_mb", "seconds"))
            rows.append([title, f"`{algorithm}`", cores, worker, jvm, seconds])
        print(table(["documents", "algorithm", "cores", "largest Python worker MB", "JVM MB", "wall s"], rows))
    finally:
        shutil.rmtree(folder)


def _small(count: int) -> dict[str, str]:
    return {f"small-{n}": document(0.1, seed=n) for n in range(count)}


def _job(folder: Path, chunk: dict[str, Any], settings: dict[str, str]) -> None:
    """One run in this process; its last line on standard output are the figures."""
    ensure_java()
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local[2]").config("spark.driver.memory", HEAP)
    fixed = {"spark.driver.host": "127.0.0.1", "spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false"}
    for key, value in {**fixed, "spark.sql.shuffle.partitions": "8", **settings}.items():
        builder = builder.config(key, value)
    output = Path(tempfile.mkdtemp(prefix="chunkmill-bench-"))
    config = from_mapping(
        {
            "input": {"path": str(folder), "id": "doc_id", "text": "text"},
            "chunk": chunk,
            "output": {"path": str(output)},
            "limits": {"max_document_mb": 256, "max_failed_rate": 1},
        }
    )
    try:
        with peaks() as found:
            spark = builder.getOrCreate()
            started = time.monotonic()
            with Path(os.devnull).open("w") as quiet:
                result = run(config, spark, stream=quiet)
            seconds = time.monotonic() - started
        spark.stop()
    finally:
        shutil.rmtree(output)
    assert result is not None
    figures = {
        "worker_mb": max(found.workers.values()),
        "jvm_mb": max(found.jvm.values()),
        "seconds": seconds,
        "documents": result.manifest.documents.documents,
        "failed": result.manifest.documents.failed_by_reason,
        "chunks": result.manifest.documents.chunks,
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    _job(Path(sys.argv[1]), json.loads(sys.argv[2]), json.loads(sys.argv[3]))
