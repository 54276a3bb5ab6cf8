"""The harness itself: what it starts is a cluster, and nothing of it stays."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.cluster.standalone import Cluster, wait_until

pytestmark = pytest.mark.cluster

WAITING = """
import sys, time
from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
seconds = float(sys.argv[1])

def slowly(batches):
    time.sleep(seconds)
    yield from batches

print("rows", spark.range(0, 40, 1, 2).mapInArrow(slowly, "id long").count())
sys.exit(7)
"""


@pytest.fixture
def waiting(tmp_path: Path) -> str:
    script = tmp_path / "waiting.py"
    script.write_text(WAITING)
    return str(script)


def test_both_workers_work_and_the_exit_code_arrives(cluster: Cluster, waiting: str) -> None:
    done = cluster.submit([waiting, "0"])
    assert done.returncode == 7, done.stdout + done.stderr
    assert "rows 40" in done.stdout
    assert len(cluster.work("app-*/*/stderr")) >= 2


def test_executors_and_workers_can_be_killed(cluster: Cluster, waiting: str) -> None:
    submission = cluster.start([waiting, "3"])
    wait_until(lambda: len(cluster.executors()) == 2, "both executors run")
    first, second = cluster.executors()
    assert {first.id, second.id} == {"0", "1"}
    first.kill()
    wait_until(lambda: "2" in {executor.id for executor in cluster.executors()}, "there is another executor")
    cluster.kill_worker(0)
    done = submission.wait()
    assert done.returncode == 7, done.stdout + done.stderr
    assert "rows 40" in done.stdout


def test_a_submission_that_takes_too_long_is_ended(cluster: Cluster, waiting: str) -> None:
    with pytest.raises(subprocess.TimeoutExpired):
        cluster.submit([waiting, "600"], timeout=15)
    wait_until(lambda: not cluster.executors(), "its executors end too")
