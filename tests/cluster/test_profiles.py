"""The profile for standalone clusters, on one: nothing but its sizes is changed."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.cluster.standalone import Cluster
from tests.jobs.documents import write_documents

pytestmark = pytest.mark.cluster

ROOT = Path(__file__).resolve().parents[2]
# Workers here have one core and little memory.
SIZES = {"spark.executor.cores": "1", "spark.executor.memory": "1g", "spark.cores.max": "2"}


def test_the_job_runs_with_the_standalone_profile(cluster: Cluster, tmp_path: Path) -> None:
    write_documents(tmp_path / "in.parquet", id=["a", "b"], text=["one\n\ntwo", "three"])
    job = {
        "input": {"path": str(tmp_path / "in.parquet"), "id": "id", "text": "text"},
        "chunk": {"delimiter": {}},
        "output": {"path": str(tmp_path / "out")},
    }
    (tmp_path / "job.yaml").write_text(json.dumps(job), encoding="utf-8")
    profile = ["--properties-file", str(ROOT / "conf" / "spark" / "standalone.conf")]
    script = str(ROOT / "jobs" / "chunk_documents.py")
    done = cluster.submit([*profile, script, "--config", "job.yaml"], conf=SIZES, cwd=tmp_path, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr[-3000:]
    (run,) = (tmp_path / "out" / "runs").iterdir()
    assert sorted(pq.read_table(run / "chunks")["text"].to_pylist()) == ["one\n\n", "three", "two"]
    assert all(path.name.endswith(".zstd.parquet") for path in (run / "chunks").glob("*.parquet"))
