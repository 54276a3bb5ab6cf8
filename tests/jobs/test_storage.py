"""The three kinds of storage do the same."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pyarrow import fs

from chunkers.errors import ConfigurationError
from jobs.errors import InputError
from jobs.storage import ArrowStorage, HadoopStorage, LocalStorage, Storage, open_storage

Make = Callable[[Path], Storage]


@pytest.fixture(params=["local", "arrow", pytest.param("hadoop", marks=pytest.mark.spark)])
def storage(request: pytest.FixtureRequest, tmp_path: Path) -> Storage:
    root = tmp_path / "out put"
    if request.param == "local":
        return LocalStorage(str(root))
    if request.param == "arrow":
        return ArrowStorage(str(root), fs.LocalFileSystem(), str(root))
    spark: Any = request.getfixturevalue("spark")
    configuration = spark._jsparkSession.sessionState().newHadoopConf()
    path = spark._jvm.org.apache.hadoop.fs.Path(str(root))
    qualified = path.getFileSystem(configuration).makeQualified(path)
    return HadoopStorage(qualified.toString(), qualified.getFileSystem(configuration), spark._jvm, configuration)


@pytest.mark.parametrize("below", ["", "a", "a/b"])
def test_a_file_where_the_output_is_to_be(tmp_path: Path, below: str) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match=r"file is a file\. Name a folder as output\.path"):
        open_storage(str(tmp_path / "file" / below))


def test_text_files(storage: Storage) -> None:
    assert storage.read("a/b.json") is None
    for text in ("one", "two \u05e9\n"):
        storage.replace("a/b.json", text)
        assert storage.read("a/b.json") == text
    assert storage.create("lock", "mine")
    assert not storage.create("lock", "yours")
    assert storage.read("lock") == "mine"
    storage.delete("lock")
    storage.delete("lock")
    assert storage.create("lock", "yours")


def test_replacing_leaves_nothing_beside(storage: Storage, tmp_path: Path) -> None:
    storage.replace("current.json", "old")
    storage.replace("current.json", "new")
    names = [file.name for file in (tmp_path / "out put").iterdir()]
    assert [name for name in names if not name.endswith(".crc")] == ["current.json"]


def test_folders(storage: Storage) -> None:
    storage.replace("run/_staging/table=chunks/part-0", "12345")
    storage.replace("run/_staging/table=chunks/part-1", "123")
    storage.replace("run/_staging/table=chunks/_SUCCESS", "")
    assert sorted(storage.sizes("run/_staging/table=chunks")) == [3, 5]
    assert storage.rename("run/_staging/table=chunks", "run/chunks")
    assert not storage.rename("run/_staging/table=chunks", "run/other")
    assert storage.read("run/chunks/part-1") == "123"
    assert storage.sizes("run/_staging/table=chunks") == storage.sizes("nowhere") == []
    storage.delete("run")
    assert storage.read("run/chunks/part-1") is None


def test_when_a_file_was_written(storage: Storage) -> None:
    assert storage.modified("lock") is None
    storage.create("lock", "mine")
    modified = storage.modified("lock")
    assert modified is not None
    assert modified > 1.7e9


def test_a_full_disk_leaves_no_file(tmp_path: Path) -> None:
    storage = LocalStorage(str(tmp_path))
    for write in (storage.create, storage.replace):
        # A lone surrogate can't be encoded: writing fails once the file is there.
        with pytest.raises(UnicodeEncodeError):
            write("lock", "\ud800")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.spark
def test_a_local_path_is_local_with_and_without_a_session(spark: Any, tmp_path: Path) -> None:
    for path in (str(tmp_path), f"file:{tmp_path}", f"file://{tmp_path}/"):
        for session in (spark, None):
            found = open_storage(path, session)
            assert isinstance(found, LocalStorage)
            assert found.path("x") == f"{tmp_path}/x"


@pytest.mark.parametrize("scheme", ["s3", "s3a", "s3n"])
def test_s3_without_a_session(scheme: str) -> None:
    found = open_storage(f"{scheme}://bucket/out?region=eu-west-1")
    assert isinstance(found, ArrowStorage)
    assert found.path("x").startswith(f"{scheme}://bucket/out")


def test_a_kind_of_path_that_arrow_does_not_know() -> None:
    with pytest.raises(InputError, match="nowhere://b/x can't be opened without Spark: "):
        open_storage("nowhere://b/x")


@pytest.mark.classic
@pytest.mark.spark
def test_a_kind_of_path_that_spark_does_not_know(spark: Any) -> None:
    with pytest.raises(ConfigurationError, match=r"output\.path: nowhere://b/x can't be opened: .*scheme \"nowhere\""):
        open_storage("nowhere://b/x", spark)
