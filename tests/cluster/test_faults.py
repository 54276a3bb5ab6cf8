"""What goes wrong on a cluster, injected into a running job: nothing is lost, nothing is there twice.

    FAULT_ROUNDS=5 FAULT_TABLE=faults.md pytest -m cluster tests/cluster/test_faults.py

injects each fault five times and writes the table of docs/performance.md.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.cluster.faulty_jobs import DOCUMENTS, POISONED, SCRIPT, SECONDS, WAIT, Driver, Job, Published, submitted
from tests.cluster.standalone import Cluster, Submission, wait_until

pytestmark = pytest.mark.cluster

ROUNDS = pytest.mark.parametrize("round_", range(int(os.environ.get("FAULT_ROUNDS", "1"))))


@dataclass
class Injected:
    """Each fault: what came of it, and how many rows were not as they should be, once for each time."""

    seen: dict[str, list[tuple[str, int]]] = field(default_factory=dict)

    def note(self, fault: str, outcome: str, wrong: int) -> None:
        self.seen.setdefault(fault, []).append((outcome, wrong))

    def lines(self) -> Iterator[str]:
        yield "| fault | injected | what came of it | rows lost, doubled or changed |"
        yield "| --- | --- | --- | --- |"
        for fault, seen in self.seen.items():
            outcomes = ", ".join(dict.fromkeys(outcome for outcome, _ in seen))
            yield f"| {fault} | {len(seen)} | {outcomes} | {sum(wrong for _, wrong in seen)} |"


@pytest.fixture(scope="module")
def injected() -> Iterator[Injected]:
    found = Injected()
    yield found
    if table := os.environ.get("FAULT_TABLE"):
        Path(table).write_text("\n".join(found.lines()) + "\n", encoding="utf-8")


@pytest.fixture(scope="module")
def driver(running_cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Driver]:
    running_cluster.restore()
    made = Driver.on(running_cluster, tmp_path_factory.mktemp("driver"))
    yield made
    made.stop()


@pytest.fixture(scope="module")
def published(driver: Driver, tmp_path_factory: pytest.TempPathFactory) -> Job:
    """A job without a fault, but for a poisoned document, that has published a run."""
    job = Job.of(tmp_path_factory.mktemp("published") / "job", 0.0)
    assert driver.run(job) == 0, driver.log()[-3000:]
    return job


@pytest.fixture(scope="module")
def expected(published: Job) -> Published:
    return Published.read(published.output)


def test_a_poisoned_document_is_set_aside_and_the_rest_is_done(published: Job, expected: Published) -> None:
    (run,) = (published.output / "runs").iterdir()
    documents = {row["doc_id"]: row for row in pq.read_table(run / "documents").to_pylist()}
    poisoned = documents.pop(POISONED)
    assert (poisoned["status"], poisoned["reason"]) == ("failed", "algorithm_error")
    assert "this document is poisoned" in poisoned["detail"]
    assert [row["status"] for row in documents.values()] == ["chunked"] * (DOCUMENTS - 1)
    assert expected.counts["chunks"] == sum(n % 7 + 1 for n in range(DOCUMENTS) if f"d{n}" != POISONED)


def _kill_executor(cluster: Cluster, job: Job) -> None:
    cluster.executors()[0].kill()


def _kill_worker(cluster: Cluster, job: Job) -> None:
    cluster.kill_worker(0)


def _kill_python_workers(cluster: Cluster, job: Job) -> None:
    # When one has just begun a document: they may be between two tasks, and then nothing is lost with them.
    before = job.seen("cut-*")
    wait_until(lambda: job.seen("cut-*") > before, "a document is begun", timeout=WAIT, every=0.01)
    for pid in job.python_workers():
        os.kill(pid, signal.SIGKILL)


KILLED: dict[str, tuple[Callable[[Cluster, Job], None], str]] = {
    "an executor is killed": (_kill_executor, "Lost executor"),
    "a worker is killed, with its executor": (_kill_worker, "Lost executor"),
    "the Python workers are killed": (_kill_python_workers, "Lost task"),
}


@dataclass(frozen=True)
class Faults:
    """What the tests of faults share."""

    driver: Driver
    cluster: Cluster
    expected: Published
    injected: Injected

    def check(self, fault: str, job: Job, code: int, trace: str, start: int) -> None:
        """Whether a run in which something was harmed ended as an undisturbed one; `start` is where its log begins."""
        log = self.driver.log(start)
        assert code == 0, log[-3000:]
        assert trace in log, "the fault hit nothing"
        found = Published.read(job.output)
        wrong = found.wrong(self.expected)
        self.injected.note(fault, "exit code 0, published", wrong)
        assert wrong == 0
        assert found.counts == self.expected.counts
        assert found.changes == self.expected.changes


@pytest.fixture
def faults(driver: Driver, cluster: Cluster, expected: Published, injected: Injected) -> Faults:
    wait_until(lambda: len(cluster.executors()) == 2, "both executors run", timeout=WAIT)
    return Faults(driver, cluster, expected, injected)


@ROUNDS
@pytest.mark.parametrize("fault", KILLED)
def test_processes_are_killed_in_the_middle(fault: str, round_: int, faults: Faults, tmp_path: Path) -> None:
    harm, trace = KILLED[fault]
    job, start = Job.of(tmp_path / "job", SECONDS), len(faults.driver.log())
    run = faults.driver.start(job)
    job.wait_for_the_middle()
    harm(faults.cluster, job)
    faults.check(fault, job, faults.driver.wait(run), trace, start)


@ROUNDS
def test_a_task_fails_twice(round_: int, faults: Faults, tmp_path: Path) -> None:
    job, start = Job.of(tmp_path / "job", harm="crash", attempts=2), len(faults.driver.log())
    code = faults.driver.run(job)
    assert job.seen("crash.*") == 3
    faults.check("a task's process ends itself, twice", job, code, "Lost task", start)


def test_an_algorithm_that_asks_to_exit_fails_its_document(faults: Faults, tmp_path: Path) -> None:
    job = Job.of(tmp_path / "job", harm="leave", attempts=1000)
    assert faults.driver.run(job) == 0
    assert job.seen("leave.*") == 1
    assert Published.read(job.output).counts["failed_by_reason"] == {"algorithm_error": 2}


@ROUNDS
def test_a_task_that_hangs_is_run_a_second_time(round_: int, faults: Faults, tmp_path: Path) -> None:
    """Speculation looks for another host, so one of the two workers gets another address of this machine."""
    faults.cluster.kill_worker(0)
    try:
        faults.cluster.restore(host="127.0.0.2")
    except TimeoutError:
        pytest.skip("127.0.0.2 is no address of this machine")
    wait_until(lambda: len(faults.cluster.executors()) == 2, "both executors run", timeout=WAIT)
    job, start = Job.of(tmp_path / "job", harm="hang", attempts=1), len(faults.driver.log())
    code = faults.driver.run(job)
    faults.cluster.kill_worker(-1)
    assert job.seen("hang.*") == 2
    faults.check("a task hangs, with speculation on", job, code, "speculat", start)


@contextmanager
def nothing_changes(output: Path, fault: str, outcome: str, injected: Injected) -> Iterator[None]:
    """What can't go well leaves the run before it as it was, and nothing half-done."""
    before, files = Published.read(output), _files(output)
    yield
    after = Published.read(output)
    injected.note(fault, outcome, after.wrong(before))
    assert after == before
    assert _files(output) == files


@ROUNDS
def test_a_task_fails_every_time(round_: int, faults: Faults, published: Job) -> None:
    fault, start = "a task's process ends itself, every time", len(faults.driver.log())
    with nothing_changes(published.output, fault, "exit code 1", faults.injected):
        code = faults.driver.run(published, "--set", "chunk.faulty.attempts=1000")
        assert code == 1, faults.driver.log(start)[-3000:]


@ROUNDS
def test_the_disk_is_full_or_read_only(round_: int, faults: Faults, tmp_path: Path) -> None:
    output = tmp_path / "disk" / "out"
    with _mounted(tmp_path / "disk", "size=1m"):
        job = Job.of(tmp_path / "job", output=output)
        assert faults.driver.run(job) == 0
        _remount(tmp_path / "disk", "ro")
        with nothing_changes(output, "the output is read-only", "exit code 1", faults.injected):
            assert faults.driver.run(job) == 1
        _remount(tmp_path / "disk", "rw")
        texts = ["".join(os.urandom(40).hex() + "\n" for _ in range(5000)) for _ in range(4)]
        pq.write_table(pa.table({"id": [f"d{n}" for n in range(4)], "text": texts}), tmp_path / "big.parquet")
        start = len(faults.driver.log())
        with nothing_changes(output, "the disk of the output is full", "exit code 1", faults.injected):
            assert faults.driver.run(job, "--set", f"input.path={tmp_path / 'big.parquet'}") == 1
            assert "No space left on device" in faults.driver.log(start)


@pytest.fixture
def free_cluster(driver: Driver, cluster: Cluster) -> Cluster:
    """The cluster without the driver of the tests above, which keeps all its cores."""
    driver.stop()
    wait_until(lambda: not cluster.executors(), "its executors have ended", timeout=WAIT)
    return cluster


@ROUNDS
@pytest.mark.parametrize(
    ("who", "number", "code"),
    [
        ("the driver", signal.SIGTERM, 143),
        ("the driver", signal.SIGINT, 130),
        ("spark-submit", signal.SIGTERM, 143),
    ],
)
def test_the_run_is_told_to_stop(
    who: str, number: signal.Signals, code: int, round_: int, injected: Injected, free_cluster: Cluster, published: Job
) -> None:
    fault = f"{number.name} to {who}"
    with nothing_changes(published.output, fault, f"exit code {code}", injected):
        submission = _running(free_cluster, published)
        driver = _python_driver(submission)
        os.kill(driver if who == "the driver" else submission.process.pid, number)
        assert submission.wait(WAIT).returncode == code
        wait_until(lambda: not Path(f"/proc/{driver}").exists(), "the driver's Python has ended too")
    assert published.seen("cut-*") < DOCUMENTS, "the work went on to its end"


@ROUNDS
def test_a_second_run_on_the_same_output(
    round_: int, injected: Injected, free_cluster: Cluster, published: Job, expected: Published
) -> None:
    submission = _running(free_cluster, published)
    runs = len(list((published.output / "runs").iterdir()))
    second = submitted(free_cluster, published, master="local[1]").wait(WAIT)
    assert second.returncode == 5, second.stderr[-3000:]
    done = submission.wait(WAIT)
    assert done.returncode == 0, done.stderr[-3000:]
    found = Published.read(published.output)
    wrong = found.wrong(expected)
    injected.note("a second run on the same output", "it: exit code 5; the first: published", wrong)
    assert (wrong, found.changes) == (0, 0)
    assert len(list((published.output / "runs").iterdir())) == runs


def _running(cluster: Cluster, job: Job) -> Submission:
    """A run of its own driver that is in the middle of its work."""
    job.forget()
    # What a shell starts in the background ignores SIGINT, and so would all that it starts.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    submission = submitted(cluster, job, "--set", f"chunk.faulty.seconds={SECONDS * 4}")

    def reached() -> bool:
        assert submission.process.poll() is None, submission.wait().stderr[-3000:]
        return job.seen("cut-*") >= DOCUMENTS // 4

    wait_until(reached, "a quarter is done", timeout=WAIT)
    return submission


def _files(output: Path) -> dict[str, bytes]:
    return {str(path.relative_to(output)): path.read_bytes() for path in output.rglob("*") if path.is_file()}


def _python_driver(submission: Submission) -> int:
    """The Python process that spark-submit started."""
    command = ["ps", "--ppid", str(submission.process.pid), "-o", "pid=,args="]
    listed = subprocess.run(command, capture_output=True, text=True, check=True)
    (found,) = (line.split()[0] for line in listed.stdout.splitlines() if SCRIPT.name in line)
    return int(found)


@contextmanager
def _mounted(folder: Path, options: str) -> Iterator[None]:
    """A file system of its own in memory."""
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", options, "chunkmill-test", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"no file system can be mounted here: {done.stderr.strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def _remount(folder: Path, option: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{option}", str(folder)], check=True)
