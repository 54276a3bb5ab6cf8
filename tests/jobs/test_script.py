"""The job as spark-submit runs it: from any directory, with exit codes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pyspark
import pytest

from tests.jobs.documents import write_documents

pytestmark = pytest.mark.spark

SCRIPT = Path(__file__).parents[2] / "jobs" / "chunk_documents.py"


def _submit(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    from jobs.java import ensure_java

    ensure_java()
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYSPARK_")}
    environment.update(PYSPARK_PYTHON=sys.executable, SPARK_LOCAL_IP="127.0.0.1", PYTHONPATH=str(folder))
    submit = Path(pyspark.__file__).parent / "bin" / "spark-submit"
    local = ["--master", "local[1]", "--conf", "spark.ui.enabled=false"]
    command = [str(submit), *local, str(SCRIPT), "--config", "job.yaml", *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_runs_from_anywhere_and_exits_with_what_happened(tmp_path: Path) -> None:
    write_documents(tmp_path / "in.parquet", id=["a", "b"], text=["one\n\ntwo", None])
    job = {
        "input": {"path": str(tmp_path / "in.parquet"), "id": "id", "text": "text"},
        "chunk": {"delimiter": {}},
        "output": {"path": "out"},
        "limits": {"max_failed_rate": 0.5},
    }
    (tmp_path / "job.yaml").write_text(json.dumps(job))
    done = _submit(tmp_path)
    assert done.returncode == 0, done.stderr[-3000:]
    assert "2: 1 chunked, 1 failed" in done.stdout
    assert (tmp_path / "out" / "current.json").is_file()
    rejected = _submit(tmp_path, "--set", "limits.max_failed_rate=0")
    assert rejected.returncode == 4, rejected.stderr[-3000:]
    # spark-submit puts both streams of the script on its standard output.
    assert "null_text 1" in rejected.stdout + rejected.stderr
