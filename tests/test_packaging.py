"""What ships: the wheel, the same as a zip for `--py-files`, the sdist."""

from __future__ import annotations

import importlib.metadata
import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from jobs.java import ensure_java

ROOT = Path(__file__).resolve().parents[1]

USE_WHAT_SHIPS = """
import sys
sys.path.insert(0, sys.argv[1])
import chunkers, jobs
assert chunkers.__file__.startswith(sys.argv[1]) and jobs.__file__.startswith(sys.argv[1])
for tokenizer in ("standard", "whitespace", "cl100k_base", "o200k_base", "p50k_base", "r50k_base"):
    chunker = chunkers.create("fixed_token_length", token_limit=2, tokenizer=tokenizer)
    assert "".join(chunk.text for chunk in chunker.chunk("One two three.")) == "One two three."
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with the wheel and the sdist."""
    target = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(target), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return target


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    (found,) = built.glob("chunkmill-*-py3-none-any.whl")
    return found


def sources() -> set[str]:
    """Every file of the two packages, caches aside."""
    return {
        path.relative_to(ROOT).as_posix()
        for package in ("chunkers", "jobs")
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_wheel_holds_the_packages_and_nothing_else(wheel: Path) -> None:
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert names == sources()


def test_packages_have_what_must_ship() -> None:
    vocabularies = {f"chunkers/tokenizers/vocabularies/{name}_base.tiktoken.gz" for name in _ENCODINGS}
    assert sources() >= {"chunkers/py.typed", "jobs/py.typed", *vocabularies}


_ENCODINGS = ("cl100k", "o200k", "p50k", "r50k")


def test_wheel_names_its_licences_and_the_command(wheel: Path) -> None:
    (metadata,) = importlib.metadata.distributions(path=[str(wheel)])
    assert metadata.metadata["License-Expression"] == "Apache-2.0"
    assert metadata.metadata.get_all("License-File") == ["LICENSE", "NOTICE"]
    (command,) = metadata.entry_points
    assert (command.name, command.value) == ("chunkmill", "jobs.cli:main")


def test_notice_has_the_licences_of_what_others_made() -> None:
    notice = (ROOT / "NOTICE").read_text(encoding="utf-8")
    assert all(f"{name}_base" in notice for name in _ENCODINGS)
    assert "MIT License" in notice
    assert "Copyright (c) 2022 OpenAI" in notice
    assert "UNICODE LICENSE V3" in notice


def test_zip_works_without_being_unpacked(wheel: Path, tmp_path: Path) -> None:
    """Executors import from the zip, vocabularies included."""
    jobs_zip = shutil.copy(wheel, tmp_path / "chunkmill-jobs.zip")
    command = [sys.executable, "-c", USE_WHAT_SHIPS, str(jobs_zip)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr


@pytest.mark.spark
def test_spark_submit_needs_the_script_and_the_zip_alone(wheel: Path, tmp_path: Path) -> None:
    ensure_java()
    shutil.copy(wheel, tmp_path / "chunkmill-jobs.zip")
    shutil.copy(ROOT / "jobs" / "chunk_documents.py", tmp_path)
    pq.write_table(pa.table({"id": [1, 2], "text": ["One.\n\nTwo.", "Three."]}), tmp_path / "documents.parquet")
    configuration = {
        "input": {"path": "documents.parquet", "id": "id", "text": "text"},
        "chunk": {"delimiter": {}},
        "output": {"path": "out"},
    }
    (tmp_path / "job.yaml").write_text(json.dumps(configuration), encoding="utf-8")
    command = [
        *(
            str(Path(sys.executable).with_name("spark-submit")),
            "--master",
            "local[1]",
            "--conf",
            "spark.ui.enabled=false",
        ),
        *("--conf", "spark.driver.host=127.0.0.1", "--py-files", "chunkmill-jobs.zip"),
        *("chunk_documents.py", "--config", "job.yaml"),
    ]
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable}
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    current = json.loads((tmp_path / "out" / "current.json").read_text(encoding="utf-8"))
    chunks = pq.read_table(tmp_path / "out" / current["path"] / "chunks")
    assert sorted(chunks["text"].to_pylist()) == ["One.\n\n", "Three.", "Two."]


def test_sdist_holds_what_the_wheel_is_made_of(built: Path) -> None:
    (sdist,) = built.glob("chunkmill-*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert names >= sources() | {"pyproject.toml", "README.md", "LICENSE", "NOTICE", "CHANGELOG.md", "Makefile"}
    assert not any(name.startswith((".venv", "out/", "dist/")) for name in names)
