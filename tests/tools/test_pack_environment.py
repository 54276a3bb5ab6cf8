"""Environments packed for workers: what is in them, and that they run where they are unpacked."""

from __future__ import annotations

import subprocess
import tarfile
import zipfile
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from tools.pack_environment import needed, pack

METADATA = """\
Metadata-Version: 2.4
Name: mine
Version: 1
Provides-Extra: dates
Requires-Dist: regex>=2024
Requires-Dist: pyspark
Requires-Dist: python-dateutil; extra == "dates"
Requires-Dist: no-such-thing; python_version < "3"
"""

LOOK = """
import sys, importlib.metadata, mine, regex
assert sys.prefix in mine.__file__ and sys.prefix in regex.__file__, sys.path
assert importlib.metadata.version("mine") == "1"
try:
    import pyspark
except ModuleNotFoundError:
    print("mine", mine.ANSWER)
"""


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    made = tmp_path / "mine-1-py3-none-any.whl"
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("mine.py", "ANSWER = 42\n")
        archive.writestr("mine-1.dist-info/METADATA", METADATA)
    return made


def test_it_runs_wherever_it_is_unpacked(wheel: Path, tmp_path: Path) -> None:
    pack(wheel, tmp_path / "environment.tar.gz")
    place = tmp_path / "some where" / "environment"
    with tarfile.open(tmp_path / "environment.tar.gz") as archive:
        archive.extractall(place)  # It holds a link out of it, to the interpreter.
    command = [str(place / "bin" / "python"), "-c", LOOK]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, env={})
    assert done.stdout == "mine 42\n", done.stderr


def test_the_same_packages_give_the_same_bytes(wheel: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        pack(wheel, tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_what_is_needed_and_no_more(wheel: Path, tmp_path: Path) -> None:
    requirements = [line.partition(": ")[2] for line in METADATA.splitlines() if line.startswith("Requires-Dist")]
    assert [found.name for found in needed(requirements)] == ["regex"]
    assert {"python-dateutil", "regex"} <= {found.name for found in needed(requirements, ["dates"])}
    assert {"pytest", "pluggy"} <= {found.name for found in needed(["pytest"])}
    with pytest.raises(PackageNotFoundError, match="no-such-thing"):
        needed(["no-such-thing"])
    pack(wheel, tmp_path / "environment.tar.gz", ["dates"])
    with tarfile.open(tmp_path / "environment.tar.gz") as archive:
        names = {Path(name).parts[3] for name in archive.getnames() if name.startswith("lib/")}
    assert {"mine.py", "regex", "dateutil"} <= names
    assert not any("pyspark" in name for name in names)
