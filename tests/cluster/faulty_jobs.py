"""Jobs for the tests of faults: small documents, each a little slow, some of them harmful."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from tests.cluster.standalone import Cluster, Submission, wait_until

FILES, DOCUMENTS_EACH = 8, 8
DOCUMENTS = FILES * DOCUMENTS_EACH
POISONED = "d7"
SECONDS = 0.15
"""How long a document takes where there has to be a middle."""
WAIT = 600
"""Seconds; a busy machine takes its time."""

HERE = Path(__file__).parent
SCRIPT = HERE.parents[1] / "jobs" / "chunk_documents.py"
MODULE = HERE / "faulty.py"

CONF = {
    # A file is a task, so that there is something left to do in the middle.
    "spark.sql.files.minPartitionNum": str(FILES),
    "spark.sql.shuffle.partitions": "2",
    "spark.speculation": "true",
    "spark.speculation.quantile": "0.5",
    "spark.speculation.minTaskRuntime": "5s",
}


@dataclass(frozen=True)
class Job:
    """A job of its own folder: documents in `in/`, the output in `out/`, what the algorithm did in `seen/`."""

    folder: Path

    @classmethod
    def of(
        cls, folder: Path, seconds: float = 0.0, *, harm: str = "crash", attempts: int = 0, output: Path | None = None
    ) -> Job:
        """`harm` happens to one document, in its first `attempts`; another one is poisoned."""
        for name in ("in", "seen"):
            (folder / name).mkdir(parents=True)
        for file in range(FILES):
            numbers = range(file * DOCUMENTS_EACH, (file + 1) * DOCUMENTS_EACH)
            texts = {f"d{number}": _text(number) for number in numbers}
            if file == 0:
                texts["d0"], texts[POISONED] = "harm " + texts["d0"], "poison " + texts[POISONED]
            rows = pa.table({"id": list(texts), "text": list(texts.values())})
            pq.write_table(rows, folder / "in" / f"{file}.parquet")
        parameters = {"seconds": seconds, "harm": harm, "attempts": attempts}
        configuration = {
            "input": {"path": str(folder / "in"), "id": "id", "text": "text"},
            "chunk": {"faulty": {**parameters, "folder": str(folder / "seen")}},
            "output": {"path": str(output or folder / "out")},
            "limits": {"max_failed_rate": 0.1},
        }
        (folder / "job.yaml").write_text(json.dumps(configuration), encoding="utf-8")
        return cls(folder)

    @property
    def arguments(self) -> list[str]:
        return ["--config", str(self.folder / "job.yaml"), "--import", MODULE.stem]

    @property
    def output(self) -> Path:
        """The folder of the output."""
        configuration = json.loads((self.folder / "job.yaml").read_text("utf-8"))
        return Path(configuration["output"]["path"])

    def forget(self) -> None:
        """As if no document had been looked at."""
        for path in (self.folder / "seen").iterdir():
            path.unlink()

    def wait_for_the_middle(self) -> None:
        """Until a quarter of the documents has been looked at."""
        wait_until(lambda: self.seen("cut-*") >= DOCUMENTS // 4, "a quarter is done", timeout=WAIT)

    def seen(self, pattern: str) -> int:
        return len(list((self.folder / "seen").glob(pattern)))

    def python_workers(self) -> list[int]:
        """Processes that chunked a document and are still there, the latest first."""
        seen = sorted((self.folder / "seen").glob("cut-*"), key=lambda path: int(path.suffix[1:]), reverse=True)
        pids = dict.fromkeys(int(path.stem.removeprefix("cut-")) for path in seen)
        return [pid for pid in pids if Path(f"/proc/{pid}").exists()]


def _text(number: int) -> str:
    return "".join(f"Line {line} of document {number}.\n" for line in range(number % 7 + 1))


def submitted(cluster: Cluster, job: Job, *arguments: str, master: str | None = None) -> Submission:
    """The job as users submit it, with a driver of its own; on the cluster unless another master is named."""
    elsewhere = ["--master", master] if master else []
    command = [*elsewhere, "--py-files", str(MODULE), str(SCRIPT), *job.arguments, *arguments]
    return cluster.start(command, conf=CONF, cwd=job.folder)


@dataclass
class Driver:
    """One driver for many runs (`driver.py`)."""

    folder: Path
    submission: Submission
    _numbers: Iterator[int] = field(default_factory=itertools.count)

    @classmethod
    def on(cls, cluster: Cluster, folder: Path) -> Driver:
        command = ["--py-files", str(MODULE), str(HERE / "driver.py"), str(folder)]
        return cls(folder, cluster.start(command, conf=CONF, cwd=folder))

    def start(self, job: Job, *arguments: str) -> Path:
        """Ask for a run; its exit code will be in the file that is returned."""
        name = f"{next(self._numbers):04}"
        draft = self.folder / name
        draft.write_text(json.dumps([*job.arguments, *arguments]), encoding="utf-8")
        draft.rename(draft.with_suffix(".request"))
        return draft.with_suffix(".code")

    def wait(self, code: Path) -> int:
        """The exit code of a run."""

        def answered() -> bool:
            assert self.submission.process.poll() is None, f"the driver ended: {self.log()[-3000:]}"
            return code.exists()

        wait_until(answered, "the run has ended", timeout=WAIT)
        return int(code.read_text("utf-8"))

    def run(self, job: Job, *arguments: str) -> int:
        return self.wait(self.start(job, *arguments))

    def log(self, start: int = 0) -> str:
        """What the driver has logged, from a place in it on."""
        return self.submission.errors.read_text("utf-8", errors="replace")[start:]

    def stop(self) -> None:
        """End it, if it has not ended yet."""
        (self.folder / "stop").touch()
        self.submission.wait(WAIT)


@dataclass(frozen=True)
class Published:
    """What a published run has: how often each row is there, and the counts of its manifest."""

    rows: Counter[str]
    changes: int
    counts: dict[str, Any]

    @classmethod
    def read(cls, output: Path) -> Published:
        run = output / json.loads((output / "current.json").read_text("utf-8"))["path"]
        rows = Counter(repr(row) for name in ("chunks", "documents") for row in pq.read_table(run / name).to_pylist())
        manifest = json.loads((run / "manifest.json").read_text("utf-8"))
        return cls(rows, pq.read_table(run / "changes").num_rows, manifest["counts"])

    def wrong(self, expected: Published) -> int:
        """Rows that are lost, there too often, or changed."""
        return (self.rows - expected.rows).total() + (expected.rows - self.rows).total()
