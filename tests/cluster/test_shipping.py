"""How the job gets to the workers: as zip, as archive, as installed wheel; with vocabularies and one's own algorithms.

Workers have no network and no vocabulary (`walled_in`), and no chunkmill but the one that is shipped.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import chunkers
from tests.cluster.standalone import SPARK_HOME, Cluster
from tests.jobs.documents import write_documents
from tools.pack_environment import pack

pytestmark = pytest.mark.cluster

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "jobs" / "chunk_documents.py"
WALL = Path(__file__).with_name("walled_in")
TOKENS = {"fixed_token_length": {"token_limit": 16, "overlap_rate": 0.25, "tokenizer": "cl100k_base"}}
LINE = "Document {}: the mill grinds the grain, and the grain becomes flour.\n"

MODULE = """\
from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

import chunkers
from chunkers.parameters import parameter
from chunkers.tokenizers import create_tokenizer, tokenizer_parameter


@dataclass(frozen=True, kw_only=True)
class Stride(chunkers.Chunker):
    name = "stride"
    summary = "A cut every few tokens."

    tokens: int = parameter(8, minimum=1, doc="How many.")
    mark: Literal["plain", "loud"] = parameter("plain", doc="The kind of its chunks.")
    tokenizer: str = tokenizer_parameter("cl100k_base")

    def cut(self, text: str, context: chunkers.Context) -> chunkers.Spans:
        starts = create_tokenizer(self.tokenizer).spans(text)[0][:: self.tokens]
        return chunkers.Spans(starts, np.append(starts[1:], len(text)), kinds=[self.mark] * len(starts))


chunkers.register("stride", Stride)
"""

OWN_SCRIPT = (
    MODULE
    + """
from jobs.chunk_documents import run
from jobs.configuration import load

run(load("job.yaml"))
"""
)


@dataclass
class Job:
    """A folder with a configuration and documents, of which the last has no text."""

    folder: Path
    texts: list[str]

    def configure(self, chunk: Any = TOKENS) -> None:
        values = {
            "input": {"path": str(self.folder / "in"), "id": "id", "text": "text"},
            "chunk": chunk,
            "output": {"path": str(self.folder / "out")},
            "limits": {"max_failed_rate": 0.5},
        }
        (self.folder / "job.yaml").write_text(json.dumps(values))

    def chunks(self, *columns: str) -> list[Any]:
        """Values of the run that is current, in the order of the documents."""
        current = json.loads((self.folder / "out/current.json").read_text())
        table = pq.read_table(self.folder / "out" / current["path"] / "chunks")
        rows = table.sort_by([("doc_id", "ascending"), ("chunk_index", "ascending")]).select(columns).to_pylist()
        return [tuple(row.values()) for row in rows]

    def expected(self) -> list[Any]:
        """Text and tokens of the chunks that the algorithm gives here."""
        made = chunkers.create_algorithm(TOKENS)
        return [(chunk.text, chunk.token_count) for text in self.texts for chunk in made.chunk(text)]


@pytest.fixture
def job(tmp_path: Path) -> Job:
    texts = [LINE.format(n) * 3 for n in range(6)]
    for part in range(2):
        mine = {f"doc {n}": text for n, text in enumerate(texts) if n % 2 == part} | ({"none": None} if part else {})
        write_documents(tmp_path / f"in/{part}.parquet", id=list(mine), text=list(mine.values()))
    made = Job(tmp_path, texts)
    made.configure()
    return made


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    (made,) = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def jobs_zip(wheel: Path) -> Path:
    """What `make build` makes for --py-files."""
    return Path(shutil.copy(wheel, wheel.with_name("chunkmill-jobs.zip")))


@pytest.fixture(scope="module")
def with_dependencies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Python with what chunkmill needs, but not chunkmill."""
    return _python(tmp_path_factory.mktemp("with_dependencies"))


def _python(folder: Path) -> Path:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    # The .pth files in there, as that of an editable chunkmill, are not followed.
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return folder / "bin" / "python"


def _packages(python: Path) -> Path:
    (found,) = python.parent.parent.glob("lib/python*/site-packages")
    return found


def walled_in(python: Path | str, **more: str) -> dict[str, str]:
    """Settings for workers with this Python, and nothing else."""
    return {"spark.pyspark.python": str(python), "spark.executorEnv.PYTHONPATH": str(WALL), **more}


def attempt(python: Path, code: str, *paths: Path) -> subprocess.CompletedProcess[str]:
    """Run code as the workers would, with these on the path."""
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(map(str, [WALL, *paths]))}
    folder = python.parent
    return subprocess.run(
        [python, "-c", code], env=environment, cwd=folder, capture_output=True, text=True, check=False
    )


def submitted(
    cluster: Cluster, job: Job, arguments: list[str], conf: Mapping[str, str], env: Mapping[str, str] | None = None
) -> None:
    """Run a job that must succeed, with workers that are walled in."""
    before = cluster.work("app-*/*/walled_in")
    done = cluster.submit(arguments, conf=conf, env=env, cwd=job.folder)
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(cluster.work("app-*/*/walled_in")) > len(before), "the workers were not walled in"


def test_the_zip_for_workers_with_the_dependencies(
    cluster: Cluster, job: Job, jobs_zip: Path, with_dependencies: Path
) -> None:
    """The vocabulary is the driver's: it has it from TIKTOKEN_CACHE_DIR, and the zip has none."""
    bare_zip = job.folder / "bare" / "chunkmill-jobs.zip"
    bare_zip.parent.mkdir()
    with zipfile.ZipFile(jobs_zip) as full, zipfile.ZipFile(bare_zip, "w") as bare:
        for name in full.namelist():
            assert not name.startswith("tests/")
            if not name.endswith(".tiktoken.gz"):
                bare.writestr(name, full.read(name))
    make = "from chunkers.tokenizers import create_tokenizer; create_tokenizer('cl100k_base')"
    assert "No module named 'chunkers'" in attempt(with_dependencies, make).stderr
    failed = attempt(with_dependencies, make, bare_zip)
    assert "no vocabulary file of cl100k_base" in failed.stderr
    assert "no network here" in failed.stderr

    shutil.copy(SCRIPT, job.folder)
    cache = job.folder / "cache"
    cache.mkdir()
    url = "https://openaipublic.blob.core.windows.net/encodings/cl100k_base.tiktoken"
    packed = ROOT / "chunkers/tokenizers/vocabularies/cl100k_base.tiktoken.gz"
    (cache / hashlib.sha1(url.encode()).hexdigest()).write_bytes(gzip.decompress(packed.read_bytes()))
    arguments = ["--py-files", str(bare_zip), SCRIPT.name, "--config", "job.yaml"]
    submitted(cluster, job, arguments, walled_in(with_dependencies), env={"TIKTOKEN_CACHE_DIR": str(cache)})
    assert job.chunks("text", "token_count") == job.expected()


def test_an_archive_for_workers_with_nothing_but_python(cluster: Cluster, job: Job, wheel: Path) -> None:
    archive = job.folder / "environment.tar.gz"
    pack(wheel, archive)
    settings = walled_in("./environment/bin/python", **{"spark.pyspark.driver.python": sys.executable})
    arguments = ["--archives", f"{archive}#environment", str(SCRIPT), "--config", "job.yaml"]
    submitted(cluster, job, arguments, settings)
    assert job.chunks("text", "token_count") == job.expected()
    for unpacked in cluster.work("app-*/*/environment"):
        shutil.rmtree(unpacked)  # half a gigabyte


def test_the_wheel_in_the_python_of_the_workers(cluster: Cluster, job: Job, wheel: Path) -> None:
    python = _python(job.folder / "python")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(_packages(python))
    failed = attempt(python, "from chunkers.tokenizers import create_tokenizer; create_tokenizer('cl100k_base')")
    assert "no vocabularies here" in failed.stderr
    submitted(cluster, job, [str(SCRIPT), "--config", "job.yaml"], walled_in(python))
    assert job.chunks("text", "token_count") == job.expected()


def test_a_module_of_ones_own(cluster: Cluster, job: Job, jobs_zip: Path, with_dependencies: Path) -> None:
    (job.folder / "my_chunkers.py").write_text(MODULE)
    shutil.copy(SCRIPT, job.folder)
    job.configure({"stride": {"mark": "loud"}})
    arguments = ["--py-files", f"{jobs_zip},my_chunkers.py", SCRIPT.name, "--config", "job.yaml"]
    submitted(cluster, job, [*arguments, "--import", "my_chunkers"], walled_in(with_dependencies))
    assert set(job.chunks("kind")) == {("loud",)}
    assert "".join(text for (text,) in job.chunks("text")) == "".join(job.texts)


def test_a_script_of_ones_own(cluster: Cluster, job: Job, jobs_zip: Path, with_dependencies: Path) -> None:
    """Its class travels by value; the tokenizer's file lies where the driver runs, and only there."""
    from tests.tokenizer_files import wordpiece

    (job.folder / "models").mkdir()
    (job.folder / "models" / "tokenizer.json").write_text(wordpiece().to_str())
    (job.folder / "own.py").write_text(OWN_SCRIPT)
    job.configure([{"stride": {"tokens": 1000}}, {"fixed_token_length": {"tokenizer": "models/tokenizer.json"}}])
    submitted(cluster, job, ["--py-files", str(jobs_zip), "own.py"], walled_in(with_dependencies))
    assert [text for (text,) in job.chunks("text")] == job.texts


def test_exit_codes_arrive(cluster: Cluster, job: Job) -> None:
    job.configure({"delimiter": {"delimiter": "\n"}})
    run_id, began = "20260131T100000Z-0a1b2c", "2026-01-31T10:00:00"
    busy = {"run_id": run_id, "host": "elsewhere", "pid": 1, "process": "p", "started_at": began}
    (job.folder / "busy").mkdir()
    (job.folder / "busy" / "_running.json").write_text(json.dumps(busy))
    wrong = {
        0: "limits.max_failed_rate=0.5",
        2: "chunk.x=1",
        3: "input.path=nowhere",
        4: "limits.max_failed_rate=0",
        5: f"output.path={job.folder}/busy",
    }
    for code, change in wrong.items():
        done = cluster.submit([str(SCRIPT), "--config", "job.yaml", "--set", change], cwd=job.folder)
        assert done.returncode == code, done.stdout + done.stderr


def test_a_cluster_in_one_process(cluster: Cluster, job: Job) -> None:
    """`local-cluster` works below SPARK_HOME, so here that is a folder of links."""
    home = job.folder / "spark"
    home.mkdir()
    for part in SPARK_HOME.iterdir():
        (home / part.name).symlink_to(part)
    arguments = ["--master", "local-cluster[2,1,1024]", str(SCRIPT), "--config", "job.yaml"]
    done = cluster.submit(arguments, env={"SPARK_HOME": str(home)}, cwd=job.folder)
    assert done.returncode == 0, done.stdout + done.stderr
    assert {"0", "1"} <= {path.parent.name for path in home.glob("work/app-*/*/stderr")}
    assert job.chunks("text", "token_count") == job.expected()
