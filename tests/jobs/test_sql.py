"""docs/sql.md: its queries run, and chunk each document as often as the page says."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import redirect_stdout
from typing import Any

import pytest
from pyspark.sql import SparkSession

from jobs.udf import register
from tests.test_docs import ROOT, Block, blocks, run

pytestmark = pytest.mark.spark

PAGE = "docs/sql.md"
TRAP = (ROOT / PAGE).read_text("utf-8").partition("## The trap")[0].count("\n")
QUERIES = blocks(PAGE, "sql")


@pytest.fixture(scope="module")
def page(spark: SparkSession) -> Iterator[dict[str, Any]]:
    """What the page's Python defines: the function `chunk` and the view `docs` among it."""
    names: dict[str, Any] = {}
    for block in blocks(PAGE, "python"):
        run(block, names)
    yield names
    spark.catalog.dropTempView("docs")


def _evaluations(spark: SparkSession, query: str) -> int:
    plan = io.StringIO()
    with redirect_stdout(plan):
        spark.sql(query).explain()
    return len(re.findall(r"\b\w*EvalPython\b", plan.getvalue()))


def _rows(spark: SparkSession, query: str) -> list[dict[str, Any]]:
    return [row.asDict(recursive=True) for row in spark.sql(query).collect()]


@pytest.mark.parametrize("block", QUERIES, ids=str)
def test_a_query_chunks_as_often_as_the_page_says(spark: SparkSession, page: dict[str, Any], block: Block) -> None:
    assert _evaluations(spark, block.text) == (1 if block.line < TRAP else 2)
    assert _rows(spark, block.text)


def test_the_forms_give_the_same_chunks(spark: SparkSession, page: dict[str, Any]) -> None:
    select, view, lateral, exploded, with_metadata, failed, outer, *_ = (block.text for block in QUERIES)
    texts = [row["text"] for row in _rows(spark, select) if row["error"] is None]
    assert len(texts) > 2
    assert "".join(texts).endswith("Flour comes out.")
    assert _rows(spark, view) == _rows(spark, lateral)
    assert [row["text"] for row in _rows(spark, view)] == texts
    assert [row["text"] for row in _rows(spark, exploded) if row["text"]] == texts
    assert all(row["index_text"].startswith("Mill\n7\n") for row in _rows(spark, with_metadata))
    assert _rows(spark, failed) == [{"doc_id": "null", "error": "null_text: the text is null"}]
    assert {row["doc_id"] for row in _rows(spark, outer)} == {"mill", "blank", "null"}


def _query(with_: str) -> str:
    (found,) = (block.text for block in QUERIES if with_ in block.text)
    return found


def test_a_column_chooses_and_is_context_by_another_name(spark: SparkSession, page: dict[str, Any]) -> None:
    twice = _query("chunk_by_title")
    once = twice.replace(", docs.title AS heading", "")
    assert once != twice
    assert {row["context"] for row in _rows(spark, once) if row["doc_id"] == "mill"} == {""}
    found = [row for row in _rows(spark, twice) if row["doc_id"] == "mill"]
    assert len(found) > 1
    assert all(row["context"].startswith("Mill\n") for row in found)


def test_headings_and_the_beginning_go_in_front(spark: SparkSession, page: dict[str, Any]) -> None:
    found = _rows(spark, _query("chunk_with_headings"))
    assert all(row["context"].startswith("Mill\n") for row in found)
    assert any("# The wheel\n" in row["context"] for row in found[1:])
    assert ["The stone"] in [row["section_path"] for row in found]
    assert any("# The stone\n" in row["context"] for row in found)


def test_a_name_can_be_given_again(spark: SparkSession) -> None:
    for delimiter, expected in (("|", ["a|", "b,c"]), (",", ["a|b,", "c"])):
        register(spark, "again", {"delimiter": {"delimiter": delimiter}})
        assert [row["text"] for row in _rows(spark, "SELECT inline(again('a|b,c'))")] == expected
