from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession
from pyspark.sql import functions as F  # noqa: N812

import chunkers
from chunkers import CHUNK_TYPE, Chunker, Context, DocumentError, Spans
from chunkers.registry import create_algorithm
from jobs import udf
from jobs.document_context import document_context
from jobs.schemas import CHUNK_STRUCT
from jobs.udf import Task, arrow_form, as_tuples, chunk_udf, pandas_form, register

pytestmark = pytest.mark.spark

TOKENS = {"fixed_token_length": {"token_limit": 5, "overlap_rate": 0.4, "tokenizer": "cl100k_base"}}
TEXTS = ["One two three four. Five six, seven eight nine ten.", "", "  \n ", None, "\U0001f469\u200d\U0001f680 a\u0301"]
TITLES = ["A title", None, "x", "y", "z"]


def _frame(spark: SparkSession) -> Any:
    rows = [(n, text, title) for n, (text, title) in enumerate(zip(TEXTS, TITLES, strict=True))]
    return spark.createDataFrame(rows, "n int, text string, title string")


def _expected(definition: Any, titles: bool = False, lead_chars: int = 0) -> list[Any]:
    contexts = None
    if titles or lead_chars:
        contexts = [
            document_context(text, [title] if titles else [], lead_chars) if text is not None else ()
            for text, title in zip(TEXTS, TITLES, strict=True)
        ]
    made: list[Any] = create_algorithm(definition).chunk_batch(TEXTS, contexts).to_pylist()
    return made


def test_the_spark_type_mirrors_the_arrow_type() -> None:
    from pyspark.sql.pandas.types import to_arrow_type

    assert CHUNK_STRUCT.names == [field.name for field in CHUNK_TYPE]
    assert [to_arrow_type(field.dataType) for field in CHUNK_STRUCT] == [field.type for field in CHUNK_TYPE]


@pytest.mark.parametrize("form", [arrow_form, pandas_form])
def test_both_forms_give_what_the_algorithm_gives(spark: SparkSession, form: Any) -> None:
    if form is arrow_form and not hasattr(F, "arrow_udf"):
        pytest.skip("arrow_udf came with Spark 4.1")
    function = form(Task.of(TOKENS, 0))
    with_titles = form(Task.of(TOKENS, 4))
    found = (
        _frame(spark)
        .select(function("text").alias("a"), with_titles("text", F.struct("title")).alias("b"), "n")
        .orderBy("n")
        .collect()
    )
    assert [[row.asDict(recursive=True) for row in result.a] for result in found] == _expected(TOKENS)
    assert [[row.asDict(recursive=True) for row in result.b] for result in found] == _expected(TOKENS, True, 4)


def test_blank_gives_nothing_and_null_one_error(spark: SparkSession) -> None:
    found = _frame(spark).select(chunk_udf(TOKENS)("text").alias("chunks")).collect()
    assert [len(row.chunks) for row in found][1:4] == [0, 0, 1]
    error = found[3].chunks[0].asDict()
    assert error.pop("error").startswith("null_text: ")
    assert set(error.values()) == {None}


def test_registered_for_sql(spark: SparkSession) -> None:
    register(spark, "chunk", {"delimiter": {"delimiter": "|"}})
    found = spark.sql("SELECT inline(chunk('a|b')) UNION ALL SELECT inline(chunk('c', struct('title' AS t)))").collect()
    assert [(row.text, row.context) for row in found] == [("a|", ""), ("b", ""), ("c", "title\n")]


def test_a_wrong_definition_fails_before_spark_runs() -> None:
    with pytest.raises(chunkers.ConfigurationError, match="token_limit"):
        chunk_udf({"fixed_token_length": {"token_limit": 0, "tokenizer": "whitespace"}})


def test_metadata_that_is_not_text_is_refused(spark: SparkSession) -> None:
    with pytest.raises(PySparkException, match="CAST"):
        _frame(spark).select(chunk_udf(TOKENS)("text", F.struct("n"))).collect()


def test_an_algorithm_of_ones_own_reaches_the_workers(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    @dataclass(frozen=True, kw_only=True)
    class Halves(Chunker):
        name = "halves"
        summary = "Two halves."

        def cut(self, text: str, context: Context) -> Spans:
            if text == "no":
                raise DocumentError("too_short", "two letters are not enough")
            middle = len(text) // 2
            return Spans(np.array([0, middle]), np.array([middle, len(text)]))

    monkeypatch.setattr("chunkers.registry._ALGORITHMS", dict(chunkers.registry._ALGORITHMS))
    chunkers.register("halves", Halves)
    frame = spark.createDataFrame([("abcd",), ("no",)], "text string").coalesce(1)
    found = frame.select(F.inline(chunk_udf({"halves": {}})("text"))).collect()
    assert [(row.text, row.error) for row in found] == [
        ("ab", None),
        ("cd", None),
        (None, "too_short: two letters are not enough"),
    ]


def test_only_the_algorithms_that_a_definition_names_are_shipped(monkeypatch: pytest.MonkeyPatch) -> None:
    @dataclass(frozen=True, kw_only=True)
    class Whole(Chunker):
        name = "whole"
        summary = "All of it."

        def cut(self, text: str, context: Context) -> Spans:
            return Spans(np.array([0]), np.array([len(text)]))

    monkeypatch.setattr("chunkers.registry._ALGORITHMS", dict(chunkers.registry._ALGORITHMS))
    chunkers.register("whole", Whole)
    chunkers.register("other", Whole)
    for definition in ({"whole": {}}, [{"delimiter": {}}, {"whole": {}}]):
        assert Task.of(definition, 0).own == (("whole", Whole),)
    assert Task.of({"delimiter": {}}, 0).own == ()


def test_tuples_of_a_slice() -> None:
    chunks = create_algorithm({"delimiter": {"delimiter": "|"}}).chunk_batch(["a|b", "", "c|d"])
    whole = as_tuples(chunks)
    assert [len(rows) for rows in whole] == [2, 0, 2]
    assert as_tuples(chunks.slice(1, 2)) == whole[1:]
    assert [dict(zip(CHUNK_STRUCT.names, row, strict=True)) for row in whole[2]] == chunks.to_pylist()[2]


def test_an_algorithm_is_made_once_for_a_definition() -> None:
    task, same = Task.of(TOKENS, 0), Task.of(TOKENS, 3)
    udf._worker_algorithm.cache_clear()
    for _ in range(3):
        task.chunk(["a"], None)
        same.chunk(["a"], None)
    assert udf._worker_algorithm.cache_info().misses == 1
    assert isinstance(task.chunk(["a"], None), pa.ListArray)
