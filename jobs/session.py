"""The Spark session of a job: whatever spark-submit set up, else a local one with sensible defaults."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pyspark
from pyspark import SparkConf, SparkContext
from pyspark.sql import SparkSession

from jobs.connect import connect, send_code
from jobs.java import ensure_java

_LOG_SETTINGS = Path(__file__).resolve().with_name("log4j2.properties")

_RECORDS = "spark.sql.execution.arrow.maxRecordsPerBatch"
_BYTES = "spark.sql.execution.arrow.maxBytesPerBatch"
_VECTORIZED = "spark.sql.parquet.enableVectorizedReader"
_WRITERS = "spark.sql.maxConcurrentOutputFileWriters"


def spark_session(app_name: str) -> SparkSession:
    """The active session, the one that spark-submit or SPARK_REMOTE ask for, or a local one.

    Master, memory and interpreter are set only when nobody else did and the run is local. The workers of
    a Spark Connect server are given chunkmill's code.
    """
    spark = SparkSession.getActiveSession() or _new_session(app_name)
    send_code(spark)
    return spark


def _new_session(app_name: str) -> SparkSession:
    builder = SparkSession.builder.appName(app_name)
    remote = os.environ.get("SPARK_REMOTE", "")
    if remote and not remote.startswith("local"):
        return connect(builder, remote)
    if remote or _is_ours(os.environ):
        ensure_java()
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
        # SPARK_REMOTE=local[4] has said what the master is.
        given = {*_configured_defaults(os.environ), *(["spark.master"] if remote else [])}
        for key, value in _local_defaults().items():
            if key not in given:
                builder = builder.config(key, value)
    elif "PYSPARK_GATEWAY_PORT" in os.environ and _submitted_master().startswith("local"):
        for key, value in _own_sources().items():
            builder = builder.config(key, value)
    return builder.getOrCreate()


def job_settings(spark: SparkSession) -> AbstractContextManager[None]:
    """The settings that chunking needs, where the user has set none; put back afterwards."""
    # Documents differ in size a thousandfold; small batches keep a worker's memory even.
    bounds = {_RECORDS: "512", _BYTES: "16777216"} if bounds_batches_by_bytes(spark) else {_RECORDS: "64"}
    # Four tables are written side by side; without this Spark sorts all rows by table first.
    return _defaults(spark, {**bounds, _WRITERS: "4"})


def row_by_row(spark: SparkSession) -> AbstractContextManager[None]:
    """Within: Parquet files are read by rows. A batch of Spark's other reader, 4,096 texts, may fit into no array."""
    return _defaults(spark, {_VECTORIZED: "false"})


@contextmanager
def _defaults(spark: SparkSession, wanted: Mapping[str, str]) -> Iterator[None]:
    changed = [key for key, value in wanted.items() if not _is_set(spark, key, value)]
    for key in changed:
        spark.conf.set(key, wanted[key])
    try:
        yield
    finally:
        for key in changed:
            spark.conf.unset(key)


@contextmanager
def one_document_a_batch(spark: SparkSession) -> Iterator[None]:
    """Within: a Python worker is given one row at a time, for rows that are very large."""
    before = str(spark.conf.get(_RECORDS))
    spark.conf.set(_RECORDS, "1")
    try:
        yield
    finally:
        spark.conf.set(_RECORDS, before)


def bounds_batches_by_bytes(spark: SparkSession) -> bool:
    """Whether this Spark (4.1 and later) can bound what is sent to a Python worker at once by its bytes."""
    return spark.conf.isModifiable(_BYTES)


def _is_set(spark: SparkSession, key: str, value: str) -> bool:
    """Whether somebody set this key: only then do two different defaults give the same."""
    other = {"false": "true"}.get(value, f"{value}0")
    return spark.conf.get(key, value) == spark.conf.get(key, other)


def _is_ours(environment: Mapping[str, str]) -> bool:
    """Whether nobody has chosen a master."""
    elsewhere = ("SPARK_REMOTE", "PYSPARK_GATEWAY_PORT", "PYSPARK_SUBMIT_ARGS")
    if any(environment.get(name) for name in elsewhere):
        return False
    return not {"spark.master", "spark.remote"} & _configured_defaults(environment)


def _configured_defaults(environment: Mapping[str, str]) -> set[str]:
    """The keys of the `spark-defaults.conf` that Spark is going to read."""
    home = environment.get("SPARK_HOME") or Path(pyspark.__file__).parent
    folder = environment.get("SPARK_CONF_DIR") or Path(home) / "conf"
    try:
        lines = (Path(folder) / "spark-defaults.conf").read_text("utf-8").splitlines()
    except OSError:
        return set()
    return {line.replace("=", " ").split()[0] for line in lines if line.strip() and not line.strip().startswith("#")}


def _local_defaults() -> dict[str, str]:
    defaults = {
        # A task is tried four times, as on a cluster.
        "spark.master": "local[*,4]",
        "spark.driver.memory": f"{_half_of_memory_gb()}g",
        # Not the machine's name: that may lead to a network that is not up.
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.extraJavaOptions": f"-Dlog4j2.configurationFile={_LOG_SETTINGS.as_uri()}",
        # The default of 200 is for clusters: the small joins and counts of a local run would be mostly empty tasks.
        "spark.sql.shuffle.partitions": str(4 * (os.cpu_count() or 1)),
        # How often a running task says how far it is.
        "spark.executor.heartbeatInterval": "2s",
    }
    return {**defaults, **_own_sources()}


def _own_sources() -> dict[str, str]:
    """The setting by which local workers find chunkmill when it is run from its sources."""
    sources = Path(__file__).resolve().parent.parent
    return {} if sources.name == "site-packages" else {"spark.executorEnv.PYTHONPATH": str(sources)}


def _submitted_master() -> str:
    """The master that spark-submit was given; it is known to its JVM only."""
    SparkContext._ensure_initialized()
    return SparkConf().get("spark.master") or ""


def _half_of_memory_gb() -> int:
    """Half of the machine's memory, 1 to 16 GB; the Python workers need the other half."""
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return max(1, min(16, total // 2**31))
