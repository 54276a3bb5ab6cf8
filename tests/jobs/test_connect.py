"""The job over Spark Connect: a server of its own process, whose workers have nothing but what a client sends."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.dataset
import pytest

from tests.jobs.connect_server import ROOT, client_environment, connect_server, needs_server
from tests.jobs.documents import write_documents

# Sessions of both kinds can't be in one process, so that what is asked of the server is asked by others.
pytestmark = [pytest.mark.cluster, pytest.mark.xdist_group("connect")]
needs_server()

TABLES = ("chunks", "documents", "changes")
TEXTS = [
    b"# Mill\n\nThe wheel turns.\n\n## Stones\n\nTwo stones, \xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x9a\x80 one turns.",
    b"caf\xe9 is not UTF-8",
    b" \n",
    b"twice",
    b"twice",
    None,
    b"The wheel turns. " * 60,
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with connect_server(tmp_path_factory.mktemp("connect")) as url:
        yield url


def _local() -> dict[str, str]:
    return {name: value for name, value in client_environment("").items() if name != "SPARK_REMOTE"}


def _python(folder: Path, environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def _printed(folder: Path, url: str, code: str) -> str:
    done = _python(folder, client_environment(url), "-c", code)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def _chunkmill(folder: Path, environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return _python(folder, environment, "-m", "jobs.cli", *arguments)


def _write_job(folder: Path, **sections: Any) -> None:
    """`job.yaml`, whose relative paths start in the folder: the server runs elsewhere."""
    job = {
        "input": {"path": "in", "id": "id", "text": "text", "columns": ["lang"]},
        "chunk": [
            {"markdown": {}},
            {"fixed_token_length": {"token_limit": 24, "overlap_rate": 0.2, "tokenizer": "cl100k_base"}},
        ],
        "context": {"columns": ["title", "at"], "lead_chars": 8},
        "output": {"path": "out"},
        "limits": {"max_failed_rate": 1},
    }
    (folder / "job.yaml").write_text(json.dumps({**job, **sections}))


def _write_input(folder: Path) -> None:
    rows = len(TEXTS)
    for n in (0, 1):
        write_documents(
            folder / "in" / f"{n}.parquet",
            id=["a", "b", "c", "d", "d", None, "e"][n::2],
            text=pa.array(TEXTS, pa.binary()).view(pa.string())[n::2],
            title=[f"Title {k}" for k in range(rows)][n::2],
            at=pa.array([k * 1_000_001 for k in range(rows)], pa.timestamp("us", "UTC"))[n::2],
            lang=["en"] * len(TEXTS[n::2]),
        )


def _published(folder: Path, output: str) -> tuple[dict[str, Any], dict[str, list[dict[str, Any]]]]:
    """The manifest of the current run, and the rows of its tables in an order of their own."""
    pointer = json.loads((folder / output / "current.json").read_text())
    run = folder / output / pointer["path"]
    tables = {
        name: pyarrow.dataset.dataset(run / name, format="parquet", exclude_invalid_files=True).to_table().to_pylist()
        for name in TABLES
    }
    return json.loads((run / "manifest.json").read_text()), {
        name: sorted(rows, key=repr) for name, rows in tables.items()
    }


def test_the_same_job_gives_the_same_run(server: str, tmp_path: Path) -> None:
    _write_input(tmp_path)
    _write_job(tmp_path)
    found = {}
    for name, environment in (("local", _local()), ("connect", client_environment(server))):
        done = _chunkmill(tmp_path, environment, "run", "job.yaml", "--set", f"output.path={name}")
        assert done.returncode == 0, done.stderr[-3000:]
        assert "7: 3 chunked, 1 empty, 3 failed" in done.stdout
        found[name] = _published(tmp_path, name)
    (local, local_rows), (connect, connect_rows) = found["local"], found["connect"]
    assert connect_rows == local_rows
    assert len(local_rows["chunks"]) > 10
    for part in ("counts", "sizes", "changes", "fingerprint", "input"):
        assert connect[part] == local[part]
    assert {name: size["files"] > 0 for name, size in connect["files"].items()} == dict.fromkeys(TABLES, True)
    assert "Connecting to the Spark server at sc://127.0.0.1" in done.stderr

    again = _chunkmill(tmp_path, client_environment(server), "run", "job.yaml", "--set", "output.path=connect")
    assert "changes    none against" in again.stdout, again.stderr[-3000:]


def test_errors_are_those_of_the_job(server: str, tmp_path: Path) -> None:
    _write_input(tmp_path)
    _write_job(tmp_path, output={"path": "out"}, limits={"max_failed_rate": 0.1})
    for change, code, words in (
        ("input.path=nowhere", 3, f"parquet files at nowhere): [PATH_NOT_FOUND] Path does not exist: file:{tmp_path}"),
        ("input.columns=[no_such]", 3, "input.columns: the input has no column 'no_such'"),
        ("input.where=no_such = 1", 3, "input.where can't be used: [UNRESOLVED_COLUMN"),
        ("input.where=cast(title AS int) > 1", 3, "input.where fails on a row of the input (CAST_INVALID_INPUT)"),
        ("output.path=out", 4, "documents failed"),
    ):
        done = _chunkmill(tmp_path, client_environment(server), "run", "job.yaml", "--set", change)
        assert (done.returncode, words in done.stderr) == (code, True), done.stderr[-3000:]
        assert "Title 1" not in done.stderr
    assert not (tmp_path / "out" / "current.json").exists()
    assert not (tmp_path / "out" / "_running.json").exists()


def test_the_tests_of_the_job_pass_over_connect(server: str) -> None:
    files = [f"tests/jobs/{name}.py" for name in ("test_job", "test_udf", "test_sql", "test_plan", "test_reading")]
    options = ["-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = _python(ROOT, client_environment(server), *options, *files)
    assert done.returncode == 0, done.stdout[-5000:]


SLOW = """
import time
from dataclasses import dataclass
import numpy as np
import chunkers

@dataclass(frozen=True, kw_only=True)
class Slow(chunkers.Chunker):
    name = "slow"
    summary = "All of it, after a while; leaves a mark that it was at work."

    def cut(self, text, context):
        with open(text, "a") as marks:
            marks.write("x")
        time.sleep(0.2)
        return chunkers.Spans(np.array([0]), np.array([len(text)]))

chunkers.register("slow", Slow)
"""

OWN_JOB = """
import importlib
import sys
from jobs.chunk_documents import run
from jobs.configuration import load
from jobs.session import spark_session

sys.path.insert(0, ".")
module, *artifacts = sys.argv[1:]
importlib.import_module(module)
for artifact in artifacts:
    spark_session("own").addArtifacts(artifact, pyfile=True)
print(run(load("job.yaml", [])).manifest.documents)
"""


def _write_own(folder: Path, documents: int) -> Path:
    marks = folder / "marks"
    write_documents(folder / "in" / "a.parquet", id=list(range(documents)), text=[str(marks)] * documents)
    _write_job(
        folder,
        input={"path": "in", "id": "id", "text": "text"},
        chunk={"slow": {}},
        context={},
        limits={"max_failed_rate": 0},
    )
    (folder / "slow.py").write_text(SLOW)
    (folder / "own_job.py").write_text(OWN_JOB)
    return marks


def test_an_algorithm_of_ones_own_is_sent(server: str, tmp_path: Path) -> None:
    _write_own(tmp_path, 3)
    done = _python(tmp_path, client_environment(server), "own_job.py", "slow")
    assert "documents=3, chunked=3" in done.stdout, done.stderr[-3000:]


def test_a_package_of_ones_own_is_sent_by_oneself(server: str, tmp_path: Path) -> None:
    _write_own(tmp_path, 3)
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "__init__.py").touch()
    (tmp_path / "slow.py").rename(tmp_path / "own" / "slow.py")
    missing = _python(tmp_path, client_environment(server), "own_job.py", "own.slow")
    assert "No module named 'own'" in missing.stderr
    shutil.make_archive(str(tmp_path / "own"), "zip", tmp_path, "own")
    done = _python(tmp_path, client_environment(server), "own_job.py", "own.slow", "own.zip")
    assert "documents=3, chunked=3" in done.stdout, done.stderr[-3000:]


def test_a_stopped_run_stops_on_the_server_too(server: str, tmp_path: Path) -> None:
    marks = _write_own(tmp_path, 2000)
    command = [sys.executable, "own_job.py", "slow"]
    job = subprocess.Popen(command, cwd=tmp_path, env=client_environment(server), stderr=subprocess.PIPE, text=True)
    while not marks.exists():
        assert job.poll() is None, job.communicate()[1][-3000:]
        time.sleep(0.1)
    job.send_signal(signal.SIGTERM)
    _, said = job.communicate()
    assert job.returncode == 128 + signal.SIGTERM, said[-3000:]
    assert "stopped before its end" in said
    assert [path.name for path in (tmp_path / "out").rglob("*") if "_temporary" not in str(path)] == ["runs"]
    done = -1
    while done != marks.stat().st_size:
        done = marks.stat().st_size
        time.sleep(2)
    assert done < 2000


def test_progress_is_shown_in_tasks(server: str, tmp_path: Path) -> None:
    code = """
import io, time
from jobs import progress
from jobs.session import spark_session

progress._LOG_SECONDS = 0.3
spark = spark_session("progress")

def slowly(frames):
    for frame in frames:
        time.sleep(1)
        yield frame

rows = spark.range(8, numPartitions=8).mapInPandas(slowly, "id long")
shown = io.StringIO()
with progress.progress(spark, 1234, shown):
    rows.write.format("noop").mode("append").save()
assert not spark._client._progress_handlers
print(shown.getvalue())
"""
    lines = _printed(tmp_path, server, code).splitlines()
    assert any(" of 8 tasks (1,234 documents), 0:0" in line for line in lines)
    assert all(line.startswith("chunkmill: ") for line in lines if line)


def test_an_output_that_the_server_does_not_see(server: str, tmp_path: Path) -> None:
    code = """
from jobs.connect import check_output_is_shared
from jobs.publishing import new_run
from jobs.session import spark_session
from jobs.storage import LocalStorage

class Elsewhere(LocalStorage):
    def replace(self, name, text):
        LocalStorage(self.root + "/mounted").replace(name, text)

    def delete(self, name):
        LocalStorage(self.root + "/mounted").delete(name)

spark = spark_session("shared")
check_output_is_shared(new_run(LocalStorage("here")), spark)
try:
    check_output_is_shared(new_run(Elsewhere("here")), spark)
except Exception as error:
    print(type(error).__name__, error)
"""
    said = _printed(tmp_path, server, code)
    assert said.startswith("InputError The Spark server does not see what is written here to")
    assert "PATH_NOT_FOUND" in said
    assert not [path for path in (tmp_path / "here").rglob("*") if path.is_file()]


def test_code_is_sent_once_a_session(server: str, tmp_path: Path) -> None:
    code = """
from jobs import connect
from jobs.session import spark_session

archive, made = connect.archive, []
connect.archive = lambda *given: made.append(archive(*given)) or made[-1]
spark = spark_session("code")
assert spark_session("code") is spark
connect.send_code(spark)
print(len(made))
"""
    assert _printed(tmp_path, server, code) == "1\n"


def test_a_server_in_the_same_process(tmp_path: Path) -> None:
    _write_input(tmp_path)
    _write_job(tmp_path)
    done = _chunkmill(tmp_path, {**client_environment("local[2]")}, "run", "job.yaml")
    assert "7: 3 chunked, 1 empty, 3 failed" in done.stdout, done.stderr[-3000:]


def test_missing_packages_are_named(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['grpc'] = None\n")
    environment = client_environment("sc://127.0.0.1:1")
    environment["PYTHONPATH"] = os.pathsep.join([str(tmp_path), environment["PYTHONPATH"]])
    _write_input(tmp_path)
    _write_job(tmp_path)
    done = _chunkmill(tmp_path, environment, "run", "job.yaml")
    assert done.returncode == 1
    assert "pip install 'chunkmill[connect]'" in done.stderr
