"""A Spark Connect server in a process of its own, whose workers have no chunkmill but what a client sends."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyspark
import pytest

from jobs.java import ensure_java

ROOT = Path(__file__).resolve().parents[2]
SPARK_HOME = Path(pyspark.__file__).parent
_CLASS = "org.apache.spark.sql.connect.service.SparkConnectServer"
_SECONDS_TO_START = 120


@contextmanager
def connect_server(folder: Path) -> Iterator[str]:
    """The URL of a server that runs as long as this; what it says is in `folder/server.log`."""
    port = _free_port()
    log = folder / "server.log"
    with log.open("w") as output:
        server = subprocess.Popen(_command(port, folder), cwd=folder, env=_environment(), stdout=output, stderr=output)
    try:
        _wait(server, port, log)
        yield f"sc://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait()


def needs_server() -> None:
    """Skip where the package of Spark has no server, as that of 3.5."""
    if not list((SPARK_HOME / "jars").glob("spark-connect_*.jar")):
        pytest.skip(f"the package of Spark {pyspark.__version__} has no Connect server", allow_module_level=True)


def client_environment(url: str) -> dict[str, str]:
    """The environment of a process whose sessions are those of the server."""
    path = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYSPARK_", "SPARK_"))}
    return {**environment, "SPARK_REMOTE": url, "PYTHONPATH": os.pathsep.join(path)}


def _command(port: int, folder: Path) -> list[str]:
    settings = {
        "spark.connect.grpc.binding.address": "127.0.0.1",
        "spark.connect.grpc.binding.port": str(port),
        # So often a client hears how far its query is.
        "spark.connect.progress.reportInterval": "200ms",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.memory": "1g",
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.session.timeZone": "Asia/Kathmandu",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.local.dir": str(folder / "local"),
    }
    options = [option for key, value in settings.items() for option in ("--conf", f"{key}={value}")]
    submit = str(SPARK_HOME / "bin" / "spark-submit")
    return [submit, "--master", "local[2]", "--class", _CLASS, "--name", "tests", *options, "spark-internal"]


def _environment() -> dict[str, str]:
    ensure_java()
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYSPARK_", "SPARK_"))}
    environment.update(PYSPARK_PYTHON=sys.executable, PYTHONPATH=str(ROOT / "tests" / "without_chunkmill"))
    return environment


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait(server: subprocess.Popen[bytes], port: int, log: Path) -> None:
    until = time.monotonic() + _SECONDS_TO_START
    while time.monotonic() < until:
        if server.poll() is not None:
            break
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.2)
    raise RuntimeError(f"The Connect server did not start:\n{log.read_text()[-3000:]}")
