"""Eight times the data, and two workers against one.

The first part is the job on `local[2]`: processor time of all its processes for 1 and for 8 copies of the
documents. The second part is the job on a standalone cluster of this machine, with one and with two workers
of one core each; the time is that of the run, from its manifest, beside how much of the machine was at work.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.corpora import texts
from benchmarks.job import CORPORA, TOKENS, run_quietly, session, used
from benchmarks.timing import table
from tests.cluster.standalone import Cluster, standalone_cluster

COPIES = 8
ROUNDS = 2
SCRIPT = Path(__file__).resolve().parents[1] / "jobs" / "chunk_documents.py"
TASKS = {"spark.sql.files.maxPartitionBytes": "8m", "spark.sql.shuffle.partitions": "8"}


def main() -> None:
    folder = Path(tempfile.mkdtemp(prefix="chunkmill-bench-"))
    print(f"The load of the machine before: {', '.join(f'{load:.1f}' for load in os.getloadavg())}.\n")
    try:
        size = _write_documents(folder)
        _more_data(folder, size)
        _more_workers(folder, size)
    finally:
        shutil.rmtree(folder)


def _write_documents(folder: Path) -> float:
    """Documents of all corpora, a file for each copy under other ids; gives the size of one copy in MB."""
    documents = [text for name in CORPORA for text in texts(name)]
    for name, copies in (("once", 1), ("many", COPIES)):
        (folder / name).mkdir()
        for copy in range(copies):
            rows = pa.table({"doc_id": [f"{copy}-{n}" for n in range(len(documents))], "text": documents})
            pq.write_table(rows, folder / name / f"{copy}.parquet", row_group_size=250, compression="zstd")
    return sum(len(text.encode()) for text in documents) / 1e6


def _configuration(folder: Path, name: str) -> dict[str, Any]:
    return {
        "input": {"path": str(folder / name), "id": "doc_id", "text": "text"},
        "chunk": {"fixed_token_length": TOKENS},
        "output": {"path": str(folder / f"out-{name}")},
    }


def _more_data(folder: Path, size: float) -> None:
    spark = session()
    seconds: dict[str, list[float]] = {"once": [], "many": []}
    for _ in range(1 + ROUNDS):
        for name, found in seconds.items():
            found.append(used(partial(run_quietly, spark, _configuration(folder, name)))[0])
    spark.stop()
    ratios = [many / once for once, many in zip(seconds["once"][1:], seconds["many"][1:], strict=True)]
    rows = [
        [f"{size * copies:.0f}", f"{statistics.median(seconds[name][1:]):.1f}"]
        for name, copies in (("once", 1), ("many", COPIES))
    ]
    print(table(["MB", "processor s"], rows))
    print(f"\n{COPIES} times the data took {statistics.median(ratios):.1f} times the processor time.\n")


def _more_workers(folder: Path, size: float) -> None:
    (folder / "job.yaml").write_text(json.dumps(_configuration(folder, "many")), encoding="utf-8")
    seconds: dict[int, list[float]] = {1: [], 2: []}
    at_work: dict[int, str] = {}
    for workers, found in seconds.items():
        with standalone_cluster(folder / f"cluster-{workers}", workers=workers, memory="2500m") as cluster:
            before = _processor_times()
            found.extend(_run_seconds(cluster, folder) for _ in range(ROUNDS))
            busy, total = (after - start for after, start in zip(_processor_times(), before, strict=True))
            at_work[workers] = f"{busy / total * 100:.0f} %"
    medians = {workers: statistics.median(found) for workers, found in seconds.items()}
    rows = [
        [workers, f"{wall:.1f}", f"{size * COPIES / wall:.1f}", at_work[workers]] for workers, wall in medians.items()
    ]
    print(table(["workers of one core", "wall s", "MB/s", "of all processors at work"], rows))
    print(f"\nTwo workers have {medians[1] / medians[2]:.2f} times the throughput of one.")


def _processor_times() -> tuple[int, int]:
    """What all processors of this machine worked, and that with what they idled, in ticks (Linux)."""
    user, nice, system, idle, waiting, *rest = map(
        int, Path("/proc/stat").read_text("ascii").split("\n")[0].split()[1:9]
    )
    busy = user + nice + system + sum(rest)
    return busy, busy + idle + waiting


def _run_seconds(cluster: Cluster, folder: Path) -> float:
    """Seconds of one run: without the start of driver and executors."""
    conf = {**TASKS, "spark.executor.memory": "2g", "spark.scheduler.minRegisteredResourcesRatio": "1.0"}
    done = cluster.submit([str(SCRIPT), "--config", str(folder / "job.yaml")], conf=conf, timeout=3600)
    if done.returncode:
        raise RuntimeError(done.stdout + done.stderr[-3000:])
    output = folder / "out-many"
    run = output / json.loads((output / "current.json").read_text("utf-8"))["path"]
    return float(json.loads((run / "manifest.json").read_text("utf-8"))["seconds"])
