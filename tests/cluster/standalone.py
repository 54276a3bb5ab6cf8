"""A standalone Spark cluster on this machine: a master and workers from the pyspark package, on loopback.

    with standalone_cluster(folder) as cluster:
        done = cluster.submit(["job.py", "--config", "job.yaml"])
        assert done.returncode == 0, done.stdout + done.stderr

The daemons inherit nothing that could help a job: no PYTHONPATH, no PYSPARK_ or SPARK_ variable.
"""

from __future__ import annotations

import itertools
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyspark

from jobs.java import installed_java, packaged_java_home

SPARK_HOME = Path(pyspark.__file__).resolve().parent
_EXECUTOR = re.compile(r"CoarseGrainedExecutorBackend .*--executor-id (\S+)")
_OURS = ("PYTHON", "PYSPARK_", "SPARK_", "VIRTUAL_ENV", "TIKTOKEN_")


@dataclass(frozen=True)
class Executor:
    """The process of an executor; `id` is the one that the driver's log names."""

    pid: int
    id: str

    def kill(self) -> None:
        os.kill(self.pid, signal.SIGKILL)


@dataclass(frozen=True)
class Submission:
    """A `spark-submit` that was started; `output` and `errors` are the files of its two streams."""

    process: subprocess.Popen[bytes]
    output: Path
    errors: Path

    def wait(self, timeout: float = 600) -> subprocess.CompletedProcess[str]:
        """What came of it; TimeoutExpired when it takes longer, and then it is killed."""
        try:
            code = self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            self.kill()
            raise
        return subprocess.CompletedProcess(self.process.args, code, _read(self.output), _read(self.errors))

    def kill(self) -> None:
        """End the driver and whatever it started."""
        _kill_all([self.process])


@dataclass
class Cluster:
    """A running cluster: `url` is its master, `workers` are the processes of its workers."""

    folder: Path
    cores: int
    memory: str
    url: str
    status_url: str
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)
    submissions: list[Submission] = field(default_factory=list)
    _numbers: Iterator[int] = field(default_factory=itertools.count)

    def submit(
        self,
        arguments: Sequence[str],
        *,
        conf: Mapping[str, str] | None = None,
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
        timeout: float = 600,
    ) -> subprocess.CompletedProcess[str]:
        """`spark-submit` these arguments and wait.

        `conf` are settings, each as a --conf; `env` is put over the environment that the daemons
        have. Workers and driver take this Python unless PYSPARK_PYTHON or a setting says another.
        """
        return self.start(arguments, conf=conf, env=env, cwd=cwd).wait(timeout)

    def start(
        self,
        arguments: Sequence[str],
        *,
        conf: Mapping[str, str] | None = None,
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
    ) -> Submission:
        """As `submit`, without waiting: for tests that do harm meanwhile."""
        settings = {"spark.driver.host": "127.0.0.1", "spark.ui.enabled": "false", **(conf or {})}
        options = [part for key, value in settings.items() for part in ("--conf", f"{key}={value}")]
        command = [str(SPARK_HOME / "bin" / "spark-submit"), "--master", self.url, *options, *arguments]
        name = f"submission-{next(self._numbers)}"
        environment = {**_environment(self.folder), "PYSPARK_PYTHON": sys.executable, **(env or {})}
        process, output, errors = _started(command, self.folder, name, environment, cwd or self.folder)
        self.submissions.append(Submission(process, output, errors))
        return self.submissions[-1]

    def executors(self) -> list[Executor]:
        """The executors that run now, lowest id first."""
        found = [
            Executor(pid, match[1])
            for pid, command in _descendants(self.workers)
            if (match := _EXECUTOR.search(command))
        ]
        return sorted(found, key=lambda executor: executor.id)

    def kill_worker(self, number: int) -> None:
        """Kill a worker, its executors and their Python workers, as a machine that goes down does."""
        _kill_all([self.workers.pop(number)])

    def restore(self, workers: int = 2, *, host: str = "127.0.0.1") -> None:
        """Start as many workers as are missing, at `host`, and wait until the master knows just these."""
        self.workers = [worker for worker in self.workers if worker.poll() is None]
        while len(self.workers) < workers:
            self.workers.append(self._started_worker(host))
        wait_until(lambda: self._alive() >= workers, f"{workers} workers are registered", logs=self.folder)

    def work(self, pattern: str) -> list[Path]:
        """Files that executors left in their working directories, as `*/*/stderr`."""
        return sorted(path for folder in self.folder.glob("work-*") for path in folder.glob(pattern))

    def _started_worker(self, host: str) -> subprocess.Popen[bytes]:
        name = f"worker-{next(self._numbers)}"
        work = self.folder / f"work-{name}"
        address = ["--host", host, "--port", "0", "--webui-port", "0"]
        size = ["--cores", str(self.cores), "--memory", self.memory, "--work-dir", str(work)]
        command = [*_daemon("worker.Worker"), *address, *size, self.url]
        return _started(command, self.folder, name, _environment(self.folder), self.folder)[0]

    def _alive(self) -> int:
        return sum(worker["state"] == "ALIVE" for worker in _status(self.status_url)["workers"])


@contextmanager
def standalone_cluster(folder: Path, *, workers: int = 2, cores: int = 1, memory: str = "1500m") -> Iterator[Cluster]:
    """A cluster whose workers have this many cores and this much memory each; its files are in `folder`."""
    (folder / "conf").mkdir(parents=True)
    port, status_port = _free_port(), _free_port()
    command = [*_daemon("master.Master"), "--host", "127.0.0.1", "--port", str(port), "--webui-port", str(status_port)]
    master, _, _ = _started(command, folder, "master", _environment(folder), folder)
    cluster = Cluster(folder, cores, memory, f"spark://127.0.0.1:{port}", f"http://127.0.0.1:{status_port}/json/")
    # SIGTERM as Ctrl-C, which pytest tidies up after.
    earlier = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        wait_until(lambda: _status(cluster.status_url)["status"] == "ALIVE", "the master is up", logs=folder)
        cluster.restore(workers)
        yield cluster
    finally:
        signal.signal(signal.SIGTERM, earlier)
        _kill_all([*(submission.process for submission in cluster.submissions), *cluster.workers, master])


def wait_until(
    holds: Callable[[], bool], what: str, *, timeout: float = 300, every: float = 0.2, logs: Path | None = None
) -> None:
    """Wait until something holds; raises TimeoutError, with the ends of the logs in the folder `logs`."""
    deadline = time.monotonic() + timeout
    while not holds():
        if time.monotonic() > deadline:
            ends = (
                "".join(f"\n== {log.name}\n{_read(log)[-2000:]}" for log in sorted(logs.glob("*.err"))) if logs else ""
            )
            raise TimeoutError(f"waited {timeout:.0f} s until {what}{ends}")
        time.sleep(every)


def _daemon(name: str) -> list[str]:
    return [str(SPARK_HOME / "bin" / "spark-class"), f"org.apache.spark.deploy.{name}"]


def _environment(folder: Path) -> dict[str, str]:
    """This process's environment without what is Python's and Spark's, and a Java."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(_OURS)}
    if installed_java() is None:
        environment["JAVA_HOME"] = str(packaged_java_home())
    return {
        **environment,
        "SPARK_HOME": str(SPARK_HOME),
        "SPARK_CONF_DIR": str(folder / "conf"),
        "SPARK_LOCAL_DIRS": str(folder / "local"),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_DAEMON_MEMORY": "256m",
        "SPARK_MASTER_OPTS": "-Dspark.master.rest.enabled=false",
    }


def _started(
    command: Sequence[str], folder: Path, name: str, environment: Mapping[str, str], cwd: Path
) -> tuple[subprocess.Popen[bytes], Path, Path]:
    """A process whose streams go to files."""
    output, errors = folder / f"{name}.out", folder / f"{name}.err"
    with output.open("wb") as out, errors.open("wb") as err:
        process = subprocess.Popen(command, stdout=out, stderr=err, stdin=subprocess.DEVNULL, env=environment, cwd=cwd)
    return process, output, errors


def _status(url: str) -> dict[str, Any]:
    """What the master says of itself; nothing while it is not up."""
    try:
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(url, timeout=5) as answer:
            status: dict[str, Any] = json.load(answer)
            return status
    except (urllib.error.URLError, OSError, ValueError):
        return {"status": "", "workers": []}


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _descendants(processes: Sequence[subprocess.Popen[bytes]]) -> list[tuple[int, str]]:
    """Children of these processes at any depth: pid and command line."""
    listed = subprocess.run(["ps", "-A", "-ww", "-o", "pid=,ppid=,args="], capture_output=True, text=True, check=True)
    rows = [line.split(None, 2) for line in listed.stdout.splitlines()]
    known = {process.pid for process in processes}
    found: dict[int, str] = {}
    while fresh := [row for row in rows if int(row[1]) in known | found.keys() and int(row[0]) not in found]:
        found.update((int(pid), command[0] if command else "") for pid, _, *command in fresh)
    return list(found.items())


def _kill_all(processes: Sequence[subprocess.Popen[bytes]]) -> None:
    """Kill these processes and all that they started."""
    running = [process for process in processes if process.poll() is None]
    children = _descendants(running)
    for process in running:
        process.kill()
    for pid, _ in children:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    for process in running:
        process.wait()


def _read(path: Path) -> str:
    return path.read_text("utf-8", errors="replace")
