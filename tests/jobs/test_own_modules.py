"""`--import`: algorithms of one's own on the command line."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import chunkers
from jobs import cli
from tests.jobs.documents import write_documents

MODULE = """\
from dataclasses import dataclass
from typing import Literal

import numpy as np

import chunkers
from chunkers.parameters import parameter


@dataclass(frozen=True, kw_only=True)
class Halves(chunkers.Chunker):
    name = "halves"
    summary = "Two halves."

    where: Literal["middle", "third"] = parameter("middle", doc="Where to cut.")

    def cut(self, text: str, context: chunkers.Context) -> chunkers.Spans:
        at = len(text) // (2 if self.where == "middle" else 3)
        return chunkers.Spans(np.array([0, at]), np.array([at, len(text)]))


chunkers.register("halves", Halves)
"""

CONFIGURATION = """\
input: {path: documents.parquet, id: id, text: text}
chunk: {halves: {where: third}}
output: {path: out}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The current directory: a module, a configuration that names its algorithm, and a document."""
    (tmp_path / "own_halves.py").write_text(MODULE)
    (tmp_path / "job.yaml").write_text(CONFIGURATION)
    write_documents(tmp_path / "documents.parquet", id=["a"], text=["abcdef"])
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr("chunkers.registry._ALGORITHMS", dict(chunkers.registry._ALGORITHMS))
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        del sys.modules[name]


def test_validate_and_preview_know_what_the_module_registers(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["validate", "job.yaml"]) == 2
    assert "unknown algorithm 'halves'" in capsys.readouterr().err
    assert cli.main(["validate", "job.yaml", "--import", "own_halves"]) == 0
    assert "halves (where 'third')" in capsys.readouterr().out
    assert cli.main(["preview", "job.yaml", "--import", "own_halves"]) == 0
    assert "cdef" in capsys.readouterr().out
    assert cli.main(["current", "job.yaml", "--import", "own_halves"]) == 3
    assert "no current run" in capsys.readouterr().err


def test_everything_that_cannot_be_imported_is_said(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "own_broken.py").write_text("import json\njson.nothing\n")
    (folder / "own_needs.py").write_text("import own_missing_library\n")
    names = ["own_halvs", "own_halves.py", "own_broken", "own_needs", "own_halves.part", ""]
    options = [option for name in names for option in ("--import", name)]
    assert cli.main(["validate", "job.yaml", *options]) == 2
    assert capsys.readouterr().err.splitlines() == [
        "chunkmill: 6 problems in the configuration:",
        f"  --import: no module 'own_halvs' (looked for in PYTHONPATH, the packages, and {folder})",
        "  --import: 'own_halves.py' is a file (give the module's name: own_halves)",
        "  --import: 'own_broken' fails: AttributeError: module 'json' has no attribute 'nothing'"
        " (--log-level debug shows where)",
        "  --import: 'own_needs' fails: ModuleNotFoundError: No module named 'own_missing_library'"
        " (--log-level debug shows where)",
        f"  --import: no module 'own_halves.part' (looked for in PYTHONPATH, the packages, and {folder})",
        "  --import: '' fails: ValueError: Empty module name (--log-level debug shows where)",
    ]


def test_a_module_that_is_installed_comes_before_one_that_lies_here(folder: Path) -> None:
    (folder / "json.py").write_text("raise RuntimeError")
    assert cli.main(["validate", "job.yaml", "--import", "own_halves", "--import", "json"]) == 0


@pytest.mark.spark
def test_workers_of_a_local_run_find_the_module_too(folder: Path) -> None:
    code = "import sys; from jobs.cli import main; sys.exit(main())"
    # -P: as in the chunkmill command, the current directory is not on the path.
    command = [sys.executable, "-P", "-c", code, "run", "job.yaml", "--import", "own_halves"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (chunks,) = folder.glob("out/runs/*/chunks")
    assert pq.read_table(chunks)["text"].to_pylist() == ["ab", "cdef"]
