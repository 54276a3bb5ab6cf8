"""The environments in which the main path runs: each supported Spark once, and interpreters that really run."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tools import every_spark
from tools.every_spark import MAIN_PATH, MATRIX, ROOT, Environment, interpreter


def test_every_supported_spark_and_python_is_there() -> None:
    assert [environment.spark for environment in MATRIX] == ["3.5", "4.0", "4.1", "4.2", "4.3"]
    assert {environment.python for environment in MATRIX} == {"3.11", "3.12", "3.13"}
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    assert f'"pyspark>={MATRIX[0].spark}.0,<4.4"' in project


def test_the_tests_of_the_main_path_are_there() -> None:
    assert [path for path in MAIN_PATH if not (ROOT / path).is_file()] == []


def test_an_interpreter_is_one_that_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    name = f"python{version}"
    (tmp_path / "shims").mkdir()
    shim = tmp_path / "shims" / name
    shim.write_text("#!/bin/sh\necho 'command not found' >&2\nexit 127\n")
    shim.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "shims"))
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path / "pyenv"))
    assert interpreter(version) is None
    real = tmp_path / "pyenv" / "versions" / f"{version}.9" / "bin" / name
    real.parent.mkdir(parents=True)
    real.symlink_to(sys.executable)
    assert interpreter(version) == real
    assert interpreter("2.6") is None


def test_a_missing_interpreter_fails_under_ci_only(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(every_spark, "MATRIX", (Environment("2.6", "9.9"),))
    monkeypatch.delenv("CI", raising=False)
    assert every_spark.main([]) == 0
    assert "Spark 9.9 on Python 2.6: there is no python2.6" in capsys.readouterr().out
    monkeypatch.setenv("CI", "true")
    assert every_spark.main([]) == 1
    assert "Failed: Spark 9.9 on Python 2.6 (no interpreter)" in capsys.readouterr().err
