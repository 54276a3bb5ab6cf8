"""Run after run on one output: changes, the quality gate, failures, and a script that says how it went."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from jobs import chunk_documents
from jobs.changes import NEEDED
from jobs.errors import InputError, OutputBusyError, QualityError
from jobs.publishing import LOCK, current, exclusive, new_run
from jobs.storage import LocalStorage
from tests.jobs.documents import configuration, rows, run_job, write_documents

pytestmark = pytest.mark.spark


def _changes(spark: SparkSession, result: Any) -> dict[str, set[tuple[Any, str]]]:
    """Which texts were added and so on; removed ones by their id."""
    texts = {row["chunk_id"]: row["text"] for row in rows(spark, result)}
    found: dict[str, set[tuple[Any, str]]] = {}
    for row in rows(spark, result, "changes"):
        found.setdefault(row["change"], set()).add((row["doc_id"], texts.get(row["chunk_id"], row["chunk_id"])))
    return found


def test_changes_from_run_to_run(spark: SparkSession, tmp_path: Path) -> None:
    def go(**columns: Any) -> Any:
        source = write_documents(tmp_path / "in.parquet", **columns)
        return run_job(spark, configuration(source, tmp_path / "out", context={"columns": ["title"]}))

    first = go(id=[1, 2, 3], title=["A", "B", "C"], text=["one\n\ntwo\n\nthree", "same", "gone"])
    assert _changes(spark, first) == {"added": {(1, "one\n\n"), (1, "two\n\n"), (1, "three"), (2, "same"), (3, "gone")}}
    (gone,) = (row["chunk_id"] for row in rows(spark, first) if row["doc_id"] == 3)

    second = go(id=[1, 2], title=["A", "new"], text=["one\n\nnew\n\ntwo\n\nthree", "same"])
    assert _changes(spark, second) == {
        "added": {(1, "new\n\n")},
        "moved": {(1, "two\n\n"), (1, "three")},
        "changed": {(2, "same")},
        "removed": {(3, gone)},
    }
    assert second.manifest.changes == {"added": 1, "changed": 1, "moved": 2, "removed": 1}
    assert second.manifest.previous_run_id == first.run_id

    again = go(id=["1", "2"], title=["A", "new"], text=["one\n\nnew\n\ntwo\n\nthree", "same"])
    assert again.manifest.changes == {"added": 5, "changed": 0, "moved": 0, "removed": 5}


def test_after_a_run_of_few_columns_every_chunk_counts_as_added(
    spark: SparkSession, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    source = write_documents(tmp_path / "in.parquet", id=[1], text=["one\n\ntwo"])
    narrow = run_job(spark, configuration(source, tmp_path / "out", output={"columns": ["chunk_id", "text"]}))
    assert narrow.manifest.changes is None
    wide = run_job(spark, configuration(source, tmp_path / "out"))
    assert wide.manifest.changes == {"added": 2, "changed": 0, "moved": 0, "removed": 0}
    (note,) = wide.manifest.notes
    assert "has no doc_id, content_hash, start_char, end_char, chunk_index, so that every chunk counts" in note
    assert note in caplog.text


def test_what_fails_leaves_the_last_good_run(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    storage = LocalStorage(str(tmp_path / "out"))
    source = write_documents(tmp_path / "in.parquet", id=[1, 2], text=["a\n\nb", None])
    good = run_job(spark, configuration(source, tmp_path / "out", failed=0.5))
    pointer = current(storage)
    assert pointer is not None
    manifest = json.loads(storage.read(pointer["manifest"]) or "")
    assert (manifest["status"], manifest["counts"]["failed"], manifest["counts"]["chunks"]) == ("published", 1, 2)

    with pytest.raises(QualityError, match=r"1 of 2 documents failed .*null_text 1") as rejected:
        run_job(spark, configuration(source, tmp_path / "out", failed=0.4))
    kept = str(rejected.value).rpartition(" ")[2]
    assert spark.read.parquet(kept).where("status = 'failed'").count() == 1
    left = {path.name for path in Path(kept).parent.iterdir() if not path.name.startswith(".")}
    assert left == {"documents", "manifest.json"}

    with exclusive(new_run(storage)), pytest.raises(OutputBusyError):
        run_job(spark, configuration(source, tmp_path / "out"))

    def no_space(*arguments: Any) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(chunk_documents, "write_staged", no_space)
    with pytest.raises(OSError, match="no space"):
        run_job(spark, configuration(source, tmp_path / "out"))

    assert current(storage) == pointer
    assert storage.read(LOCK) is None
    assert {path.name for path in (tmp_path / "out" / "runs").iterdir()} == {good.run_id, Path(kept).parent.name}
    assert len(rows(spark, good)) == 2


def test_previous_chunks_that_are_damaged(spark: SparkSession, tmp_path: Path) -> None:
    source = write_documents(tmp_path / "in.parquet", id=[1], text=["a\n\nb"], **{"x`y": ["z"]})
    config = configuration(
        source,
        tmp_path / "out",
        input={"columns": ["x`y"]},
        output={"columns": [*NEEDED, "x`y"]},
    )
    last = run_job(spark, config)
    assert rows(spark, last)[0]["x`y"] == "z"
    assert last.manifest.notes == ()
    for damage in (_without_schema, _without_data, shutil.rmtree):
        damage(Path(last.path))
        last = run_job(spark, config)
        assert last.manifest.changes == {"added": 2, "changed": 0, "moved": 0, "removed": 0}
        (note,) = last.manifest.notes
        assert "can't be read, so that every chunk counts as added" in note


def test_a_damaged_pointer_stops_before_chunking(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = write_documents(tmp_path / "in.parquet", id=[1], text=["a"])
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "current.json").write_text("{}")
    monkeypatch.setattr(chunk_documents, "write_staged", lambda *arguments: pytest.fail("chunked"))
    with pytest.raises(InputError, match=r"current\.json is damaged"):
        run_job(spark, configuration(source, tmp_path / "out"))
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["current.json"]


def _without_schema(folder: Path) -> None:
    for file in folder.glob("*.parquet"):
        file.write_bytes(b"x")
    _forget_checksums(folder)


def _without_data(folder: Path) -> None:
    """Pages of all files overwritten; footers, which have the schema, stay."""
    for file in folder.glob("*.parquet"):
        content = file.read_bytes()
        end = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
        file.write_bytes(content[:4] + b"\xff" * (end - 4) + content[end:])
    _forget_checksums(folder)


def _forget_checksums(folder: Path) -> None:
    for file in folder.glob(".*.crc"):
        file.unlink()


def test_chunks_that_do_not_add_up_are_not_published(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = write_documents(tmp_path / "in.parquet", id=[1], text=["a\n\nb"])
    write = chunk_documents.write_staged
    monkeypatch.setattr(
        chunk_documents,
        "write_staged",
        lambda rows, path, column: write(rows.where("chunk_index IS NULL OR chunk_index = 0"), path, column),
    )
    with pytest.raises(RuntimeError, match="1 chunks were written, but the documents have 2"):
        run_job(spark, configuration(source, tmp_path / "out"))
    assert not (tmp_path / "out" / "current.json").exists()
