"""What every test shares: Hypothesis runs that repeat under CI, Spark tests kept in one process."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

settings.register_profile("local", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, database=None, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")


def pytest_report_header() -> str:
    backend = "tiktoken (no gigatoken)" if importlib.util.find_spec("gigatoken") is None else "gigatoken"
    return f"byte pairs are encoded by {backend}"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what uses the session, and give all of it to the same worker, so that one serves every test.

    With SPARK_REMOTE the session is one of Spark Connect, and what needs another kind is skipped.
    """
    remote = os.environ.get("SPARK_REMOTE")
    for item in items:
        if remote and item.get_closest_marker("classic"):
            item.add_marker(pytest.mark.skip("needs a session with a JVM"))
        if "spark" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.spark)
        if item.get_closest_marker("spark"):
            item.add_marker(pytest.mark.xdist_group("spark"))


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """One session for all tests, started by the first that asks for it: local, or that of SPARK_REMOTE."""
    from pyspark.sql import SparkSession

    from jobs.java import ensure_java
    from jobs.session import spark_session

    if os.environ.get("SPARK_REMOTE"):
        remote = spark_session("chunkmill tests")
        yield remote
        remote.stop()
        return
    ensure_java()
    # Workers must find the packages that the tests run with, whatever `python3` is.
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["PYTHONPATH"] = os.pathsep.join([str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    scratch = tmp_path_factory.mktemp("spark")
    session = (
        # Two tasks at a time, so that order and partitions can differ.
        SparkSession.builder.master("local[2]")
        .appName("chunkmill tests")
        # Tables are tiny: the default of 200 would be 200 empty tasks.
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        # The machine's own name may lead to a network that is not up.
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.memory", "2g")
        # Nothing is left behind in the working directory.
        .config("spark.sql.warehouse.dir", str(scratch / "warehouse"))
        .config("spark.local.dir", str(scratch / "local"))
        # A zone that is neither UTC nor the machine's shows where a time depends on it.
        .config("spark.sql.session.timeZone", "Asia/Kathmandu")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()
