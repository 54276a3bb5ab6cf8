from __future__ import annotations

import base64
import pickle
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyspark
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


@pytest.fixture(params=[arrow_form, pandas_form])
def form(request: pytest.FixtureRequest) -> Any:
    """Each form of the UDF that this Spark has."""
    if request.param is arrow_form and not hasattr(F, "arrow_udf"):
        pytest.skip("arrow_udf came with Spark 4.1")
    return request.param


def test_both_forms_give_what_the_algorithm_gives(spark: SparkSession, form: Any) -> None:
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


_TEXT = "'a b'"


@pytest.mark.parametrize(
    ("call", "found"),
    [
        (f"wrong({_TEXT}, struct('T' AS t), 'more')", "was called with 3 arguments"),
        ("wrong(7)", "The first argument .* is of type int.*, not a string: CAST it AS STRING"),
        ("wrong(CAST(NULL AS INT))", "The first argument .*, not a string"),
        (f"wrong(CAST({_TEXT} AS BINARY))", "The first argument .* is of type (binary|bytes), not a string"),
        (f"wrong(struct({_TEXT} AS text))", "The first argument .* is of type struct.*, not a string"),
        (f"wrong({_TEXT}, 'T')", "The second argument .* is of type string, not a struct"),
        (f"wrong({_TEXT}, map('title', 'T'))", "The second argument .*, not a struct"),
        (f"wrong({_TEXT}, NULL)", "The second argument .*, not a struct"),
    ],
)
def test_wrong_arguments_fail_the_query(spark: SparkSession, form: Any, call: str, found: str) -> None:
    spark.udf.register("wrong", form(Task.of({"delimiter": {}}, 0)))
    expected = rf"{found}.* Expected are a text, which is a string, and, if wanted, a struct of columns: chunk\(text\)"
    with pytest.raises(PySparkException, match=f"jobs.errors.ArgumentsError: .*{expected}"):
        spark.sql(f"SELECT inline({call})").collect()


def test_a_call_without_arguments_fails_the_query(spark: SparkSession, form: Any) -> None:
    spark.udf.register("wrong", form(Task.of({"delimiter": {}}, 0)))
    # Before Spark 4.3 (the Arrow form: 4.2) pyspark itself fails on it, before it calls the function.
    version = tuple(int(part) for part in pyspark.__version__.split(".")[:2])
    is_called = version >= ((4, 2) if form is arrow_form else (4, 3))
    with pytest.raises(PySparkException, match="was called with no argument" if is_called else "IndexError"):
        spark.sql("SELECT inline(wrong())").collect()


def test_a_null_without_a_type_is_a_null_text(spark: SparkSession, form: Any) -> None:
    spark.udf.register("chunk_null", form(Task.of({"delimiter": {}}, 0)))
    assert [row.error for row in spark.sql("SELECT inline(chunk_null(NULL))").collect()] == [
        "null_text: the text is null"
    ]


CHOOSING = {
    "by": {
        "column": "title",
        "cases": {"A title": {"delimiter": {"delimiter": " "}}},
        "default": {"sentence": {"token_limit": 99, "language_column": "lang"}},
    }
}


@pytest.mark.parametrize(
    ("metadata", "has"),
    [
        ([], r"chooses by 'lang' and 'title' .* but there is no struct .*struct\(lang, title\)"),
        (["n"], r"chooses by 'lang' and 'title' .* but the struct .* has the fields 'n'\. .*struct\(lang, title\)"),
        (
            ["Title", "lang"],
            r"chooses by 'title' .* has the fields 'Title', 'lang'\. .* capitals too: .*struct\(title\)",
        ),
    ],
    ids=["no struct", "no field", "capitals"],
)
def test_a_column_that_is_not_passed_fails_the_query(
    spark: SparkSession, form: Any, metadata: list[str], has: str
) -> None:
    """A default is for nulls, not for a query that forgets the column."""
    function = form(Task.of(CHOOSING, 0))
    struct = [F.struct(*(F.lit("x").alias(name) for name in metadata))] if metadata else []
    with pytest.raises(PySparkException, match=rf"jobs.errors.ArgumentsError: The definition {has}"):
        _frame(spark).select(function("text", *struct)).collect()


def test_a_struct_that_is_null_has_its_fields(spark: SparkSession, form: Any) -> None:
    function = form(Task.of(CHOOSING, 0))
    struct = F.when(F.col("title").isNotNull(), F.struct("title", F.lit(None).cast("string").alias("lang")))
    rows = (
        _frame(spark)
        .where("n = 0 OR n = 3")
        .withColumn("text", F.lit("a b"))
        .unionAll(spark.createDataFrame([(9, "a b", None)], "n int, text string, title string"))
    )
    found = rows.select("n", F.inline(function("text", struct))).orderBy("n", "chunk_index").collect()
    assert [(row.n, row.text) for row in found] == [(0, "a "), (0, "b"), (3, "a b"), (9, "a b")]


def test_a_column_that_chooses_is_in_front_under_another_name_only(spark: SparkSession, form: Any) -> None:
    function = form(Task.of(CHOOSING, 0))
    title, lang = F.lit("A title").alias("title"), F.lit("en").alias("lang")
    row = spark.createDataFrame([("a b",)], "text string")
    for struct, context in (
        (F.struct(title, lang), ""),
        (F.struct(title, lang, F.lit("A title").alias("heading")), "A title\n"),
    ):
        found = row.select(F.inline(function("text", struct))).collect()
        assert [(chunk.context, chunk.text) for chunk in found] == [(context, "a "), (context, "b")]


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


def test_a_task_brings_the_tokenizer_files_that_its_definition_needs(tmp_path: Path) -> None:
    ranks = tmp_path / "ranks.tiktoken"
    ranks.write_bytes(b"".join(b"%s %d\n" % (base64.b64encode(bytes([byte])), byte) for byte in range(256)))
    own = {"fixed_token_length": {"token_limit": 4, "tokenizer": f"{ranks}@cl100k_base"}}
    assert [file.name for file in Task.of([own, TOKENS], 0).files] == [f"{ranks}@cl100k_base", "cl100k_base"]
    assert Task.of({"fixed_token_length": {"tokenizer": "standard"}}, 0).files == ()
    assert Task.of({"delimiter": {}}, 0).files == ()
    # It is looked at where the definition is read, with or without a use for it.
    unused = {"recursive": {"char_limit": 9, "tokenizer": "r50k_base"}}
    assert [file.name for file in Task.of(unused, 0).files] == ["r50k_base"]
    task = Task.of(own, 0)
    ranks.unlink()
    there = "import pickle, sys; print(pickle.load(sys.stdin.buffer).chunk(['abcdef'], None).flatten()[0]['text'])"
    done = subprocess.run([sys.executable, "-c", there], input=pickle.dumps(task), capture_output=True, check=False)
    assert done.stdout == b"abcd\n", done.stderr


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
