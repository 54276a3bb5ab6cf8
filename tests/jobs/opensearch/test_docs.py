"""The Spark half of docs/opensearch.md: what the page shows is what comes out."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from jobs.cli import main
from jobs.configuration import load
from jobs.preview import preview_lines
from jobs.preview.terminal import Style
from jobs.publishing import current
from jobs.storage import open_storage
from tests.test_docs import blocks

pytestmark = pytest.mark.spark

PAGE = "docs/opensearch.md"
SHOWN = ["doc_id", "field", "source_index", "chunk_index", "start_char", "end_char", "over_limit", "text"]


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files of the page."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pipeline.json").write_text(blocks(PAGE, "json")[0].text)
    for name, block in zip(("handbook.yaml", "own.yaml"), blocks(PAGE, "yaml"), strict=True):
        (tmp_path / name).write_text(block.text)
    (making,) = (block.text for block in blocks(PAGE, "python") if "write_table" in block.text)
    exec(making, {})
    return tmp_path


def shown_by(command: str) -> str:
    """What the page shows below a command."""
    found = (block.text for block in blocks(PAGE, "console"))
    return next(text.partition("\n")[2] for text in found if text.startswith(f"$ {command}\n"))


def test_previews(page: Path, spark: SparkSession) -> None:
    style = Style(unicode=False)
    lines = preview_lines(load("handbook.yaml", [_place("input", page / "handbook.parquet")]), style)
    assert "\n".join(lines) + "\n" == shown_by("chunkmill preview handbook.yaml")
    lines = preview_lines(load("own.yaml"), style, doc_id="8")
    assert "\n".join(lines) + "\n" == shown_by("chunkmill preview own.yaml --doc-id 8") + "\n"


def test_both_shapes(page: Path, spark: SparkSession) -> None:
    chunks, schema = (block.text for block in blocks(PAGE, "text"))
    chunked = _run(page / "chunked")
    table = spark.read.parquet(chunked).select(*SHOWN).orderBy("doc_id", "field", "chunk_index")
    assert table._jdf.showString(20, 36, False) == chunks  # type: ignore[operator]
    rows = _run(page / "rows", "chunk.shape=documents")
    assert spark.read.parquet(rows)._jdf.schema().treeString() == schema  # type: ignore[operator]


def _place(section: str, path: Path) -> str:
    """Whole paths: the session that the tests share was started in another folder."""
    return f"{section}.path={path}"


def _run(output: Path, *overrides: str) -> str:
    """Run the job of the page; returns where the output's table is."""
    paths = [_place("input", output.with_name("handbook.parquet")), _place("output", output)]
    options = [word for override in (*paths, *overrides) for word in ("--set", override)]
    assert main(["run", "handbook.yaml", *options]) == 0
    found = current(open_storage(str(output)))
    assert found is not None
    return f"{output}/{found['path']}/chunks"
