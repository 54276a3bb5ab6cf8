"""The job with a pipeline: rows for both shapes, every kind of nesting, documents that fail."""

from __future__ import annotations

import hashlib
import io
import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession

from jobs.chunk_documents import Result, run
from jobs.configuration import Configuration, from_mapping
from jobs.document_table import Survey, document_table
from jobs.errors import InputError, QualityError
from jobs.opensearch.definition import definition_of
from jobs.opensearch.documents import output_rows
from jobs.output_columns import OUTPUT_COLUMN_NAMES
from jobs.preview import preview_lines
from jobs.preview.terminal import Style
from jobs.reading import read_source
from jobs.session import job_settings
from jobs.writing import chunk_rows
from tests.jobs.documents import rows, run_job, write_documents

pytestmark = pytest.mark.spark

COMMAS = {"delimiter": {"delimiter": ",", "max_chunk_limit": -1}}
SECTION = pa.struct([("body", pa.string()), ("number", pa.int32())])


def pipeline(*field_maps: dict[str, Any], algorithm: Any = COMMAS, **flags: Any) -> dict[str, Any]:
    return {"processors": [{"text_chunking": {"field_map": m, "algorithm": algorithm, **flags}} for m in field_maps]}


def configuration(source: str, target: Path, body: dict[str, Any], **sections: Any) -> Configuration:
    return from_mapping(
        {
            "input": {"path": source, "id": "id", **sections.get("input", {})},
            "chunk": {"opensearch_pipeline": body, **sections.get("chunk", {})},
            "output": {"path": str(target / "out"), **sections.get("output", {})},
            "limits": {"max_failed_rate": 1.0, **sections.get("limits", {})},
        }
    )


def documents(
    spark: SparkSession, tmp_path: Path, body: dict[str, Any], columns: dict[str, Any], **sections: Any
) -> tuple[Result, list[dict[str, Any]]]:
    """The job's rows of shape documents."""
    count = len(next(iter(columns.values())))
    source = write_documents(tmp_path / "in.parquet", **{"id": list(range(count)), **columns})
    sections["chunk"] = {"shape": "documents", **sections.get("chunk", {})}
    result = run_job(spark, configuration(source, tmp_path, body, **sections))
    return result, rows(spark, result, "chunks", "id")


def output(spark: SparkSession, tmp_path: Path, body: dict[str, Any], columns: dict[str, Any]) -> list[dict[str, Any]]:
    """What the job would write for shape documents, without the rest of the job."""
    count = len(next(iter(columns.values())))
    source_path = write_documents(tmp_path / "in.parquet", **{"id": list(range(count)), **columns})
    config = configuration(source_path, tmp_path, body, chunk={"shape": "documents"})
    definition = definition_of(config.chunk)
    assert definition is not None
    with job_settings(spark), read_source(spark, config) as source:
        made = output_rows(document_table(source, config.limits, Survey(count, 0, 1)), source, definition)
        found = [row.asDict(recursive=True)["row"] for row in made.collect()]
    return sorted(found, key=lambda row: int(row["id"]))


class TestChunks:
    def test_columns_ids_and_places(self, spark: SparkSession, tmp_path: Path) -> None:
        source = write_documents(
            tmp_path / "in.parquet",
            id=[7, 8],
            title=["a,b,a,", " "],
            tags=[["x,y", "", "x,z"], []],
            sections=pa.array([[{"body": "\U0001f600,p"}, {"body": None}, {"body": "q"}], None], pa.list_(SECTION)),
            lang=["en", "he"],
        )
        body = pipeline({"title": "t", "tags": "g", "sections": {"body": "b"}})
        result = run_job(spark, configuration(source, tmp_path, body, input={"columns": ["lang"]}))
        found = rows(spark, result, "chunks", "field", "chunk_index")
        assert tuple(found[0]) == (*OUTPUT_COLUMN_NAMES, "lang")
        places = ("field", "source_index", "chunk_index", "chunk_count", "start_char", "end_char", "text")
        assert [tuple(row[name] for name in places) for row in found] == [
            ("sections.body", 0, 0, 3, 0, 2, "\U0001f600,"),
            ("sections.body", 0, 1, 3, 2, 3, "p"),
            ("sections.body", 2, 2, 3, 0, 1, "q"),
            ("tags", 0, 0, 4, 0, 2, "x,"),
            ("tags", 0, 1, 4, 2, 3, "y"),
            ("tags", 2, 2, 4, 0, 2, "x,"),
            ("tags", 2, 3, 4, 2, 3, "z"),
            ("title", None, 0, 3, 0, 2, "a,"),
            ("title", None, 1, 3, 2, 4, "b,"),
            ("title", None, 2, 3, 4, 6, "a,"),
        ]
        assert len({row["chunk_id"] for row in found}) == 10
        twin = "\n".join(["chunkmill 2", "[7]", '"title"', "0", "1", hashlib.sha256(b"a,").hexdigest()])
        assert found[-1]["chunk_id"] == hashlib.sha256(twin.encode()).hexdigest()[:32]
        for row in found:
            assert (row["context"], row["index_text"], row["lang"], row["token_count"]) == ("", row["text"], "en", None)
        kept = ("doc_id", "status", "chunks", "tokens", "reason")
        statuses = [tuple(row[name] for name in kept) for row in rows(spark, result, "documents", "doc_id")]
        assert statuses == [(7, "chunked", 10, None, None), (8, "empty", 0, 0, None)]

    def test_overlap_is_within_one_text(self, spark: SparkSession, tmp_path: Path) -> None:
        words = {"fixed_char_length": {"char_limit": 4, "overlap_rate": 0.5}}
        source = write_documents(tmp_path / "in.parquet", id=[1], tags=[["abcdef", "ghijkl"]])
        result = run_job(spark, configuration(source, tmp_path, pipeline({"tags": "t"}, algorithm=words)))
        found = [(row["text"], row["overlap_chars"]) for row in rows(spark, result, "chunks", "chunk_index")]
        assert found == [("abcd", 0), ("cdef", 2), ("ghij", 0), ("ijkl", 2)]

    @pytest.mark.parametrize("shape", ["chunks", "documents"])
    def test_what_the_budget_left_uncut(self, spark: SparkSession, tmp_path: Path, shape: str) -> None:
        once = {"delimiter": {"delimiter": ",", "max_chunk_limit": 2}}
        source = write_documents(tmp_path / "in.parquet", id=[1, 2], title=["a,b,c", "d"])
        body = pipeline({"title": "t"}, algorithm=once)
        result = run_job(spark, configuration(source, tmp_path, body, chunk={"shape": shape}))
        assert result.manifest.chunks is not None
        assert (result.manifest.chunks.over_limit, result.manifest.chunks.chunks) == (1, 3)
        if shape == "chunks":
            found = [(row["text"], row["over_limit"]) for row in rows(spark, result, "chunks", "doc_id", "chunk_index")]
            assert found == [("a,", False), ("b,c", True), ("d", False)]

    def test_a_second_run_tells_what_changed(self, spark: SparkSession, tmp_path: Path) -> None:
        body = pipeline({"title": "t"})
        changes = []
        for title in ("a,b", "a,c", "a,c"):
            source = write_documents(tmp_path / "in.parquet", id=[1], title=[title])
            changes.append(run_job(spark, configuration(source, tmp_path, body)).manifest.changes)
        none = {"added": 0, "changed": 0, "moved": 0, "removed": 0}
        assert changes == [{**none, "added": 2}, {**none, "added": 1, "removed": 1}, none]


class TestDocuments:
    def test_plain_columns(self, spark: SparkSession, tmp_path: Path) -> None:
        columns = {"title": ["a,b", None, ""], "tags": [["x,y", "z"], None, []], "size": [1.5, None, float("nan")]}
        result, found = documents(spark, tmp_path, pipeline({"title": "t", "tags": "g"}), columns)
        assert found[0] == {
            "id": 0,
            "title": "a,b",
            "tags": ["x,y", "z"],
            "size": 1.5,
            "t": ["a,", "b"],
            "g": ["x,", "y", "z"],
        }
        assert found[1] == {"id": 1, "title": None, "tags": None, "size": None, "t": [], "g": []}
        assert (found[2]["t"], found[2]["g"]) == ([], [])
        assert str(spark.read.parquet(result.path).schema["t"].dataType) == "ArrayType(StringType(), True)"
        statuses = [(row["status"], row["chunks"]) for row in rows(spark, result, "documents", "doc_id")]
        assert statuses == [("chunked", 5), ("empty", 0), ("empty", 0)]
        assert result.manifest.chunks is not None
        assert result.manifest.chunks.chunks == result.manifest.documents.chunks == 5
        assert result.manifest.chunks.chars.max == 2
        assert result.manifest.changes is None
        assert set(result.manifest.files) == {"chunks", "documents"}

    def test_structs(self, spark: SparkSession, tmp_path: Path) -> None:
        kind = pa.struct([("body", pa.string()), ("inner", pa.struct([("a.b", pa.string()), ("when", pa.date32())]))])
        meta = pa.array([{"body": "a,b", "inner": {"a.b": "c,d"}}, None, {"body": None, "inner": None}], kind)
        body = pipeline({"meta": {"body": "b", "inner": {"a.b": "c.d"}}})
        found = output(spark, tmp_path, body, {"meta": meta})
        assert [row["meta"] for row in found] == [
            {"body": "a,b", "inner": {"a.b": "c,d", "when": None, "c.d": ["c,", "d"]}, "b": ["a,", "b"]},
            None,
            {"body": None, "inner": None, "b": []},
        ]

    def test_arrays_of_structs(self, spark: SparkSession, tmp_path: Path) -> None:
        kind = pa.list_(pa.struct([("body", pa.string()), ("parts", pa.list_(SECTION))]))
        sections = [
            [{"body": "a,b", "parts": [{"body": "c,d", "number": 1}, {"body": "e", "number": 2}]}, {"body": "f"}],
            [],
            None,
        ]
        body = pipeline({"sections": {"body": "b", "parts": {"body": "p"}}})
        found = output(spark, tmp_path, body, {"sections": pa.array(sections, kind)})
        first = [
            {"body": "c,d", "number": 1, "p": ["c,", "d"]},
            {"body": "e", "number": 2, "p": ["e"]},
        ]
        assert [row["sections"] for row in found] == [
            [{"body": "a,b", "parts": first, "b": ["a,", "b"]}, {"body": "f", "parts": None, "b": ["f"]}],
            [],
            None,
        ]

    def test_maps(self, spark: SparkSession, tmp_path: Path) -> None:
        parts = [[("en", {"body": "a,b", "number": 1}), ("de", {"body": "c,d", "number": 2}), ("fr", None)], [], None]
        lists = [[("k", ["e,f", "g"]), ("other", ["h,i"])], [("other", None)], None]
        columns = {
            "parts": pa.array(parts, pa.map_(pa.string(), SECTION)),
            "lists": pa.array(lists, pa.map_(pa.string(), pa.list_(pa.string()))),
        }
        body = pipeline({"parts": {"en": {"body": "b"}, "fr": {"body": "c"}}, "lists": {"k": "l", "n": "other"}})
        found = output(spark, tmp_path, body, columns)
        assert [(row["parts"], row["lists"]) for row in found] == [
            (
                {
                    "en": {"body": "a,b", "number": 1, "b": ["a,", "b"], "c": None},
                    "de": {"body": "c,d", "number": 2, "b": None, "c": None},
                    "fr": None,
                },
                {"k": ["e,f", "g"], "l": ["e,", "f", "g"], "other": []},
            ),
            ({}, {"l": [], "other": []}),
            (None, None),
        ]

    def test_maps_in_arrays_and_structs(self, spark: SparkSession, tmp_path: Path) -> None:
        kind = pa.struct([("maps", pa.list_(pa.map_(pa.string(), pa.list_(pa.string()))))])
        value = pa.array([{"maps": [[("k", ["a,b"])], []]}], kind)
        found = output(spark, tmp_path, pipeline({"top": {"maps": {"k": "l"}}}), {"top": value})
        assert found[0]["top"] == {"maps": [{"k": ["a,b"], "l": ["a,", "b"]}, {"l": []}]}

    def test_what_is_not_written_stays(self, spark: SparkSession, tmp_path: Path) -> None:
        columns = {"title": ["a,b", None], "old": [["kept"], ["kept"]]}
        found = output(spark, tmp_path, pipeline({"title": "old", "no": "new"}, ignore_missing=True), columns)
        assert [(row["old"], row["new"]) for row in found] == [(["a,", "b"], None), (["kept"], None)]

    def test_overwriting(self, spark: SparkSession, tmp_path: Path) -> None:
        columns = {"title": ["a,b;c"], "size": [7]}
        semicolons = {"delimiter": {"delimiter": ";"}}
        body = pipeline({"title": "title"})
        body["processors"] += pipeline({"title": "size"}, algorithm=semicolons)["processors"]
        found = output(spark, tmp_path, body, columns)
        assert found == [{"id": 0, "title": ["a,", "b;c"], "size": ["a,", "b;", "c"]}]

    def test_all_fields_share_one_budget(self, spark: SparkSession, tmp_path: Path) -> None:
        body = pipeline({"a": "x", "b": "y"}, algorithm={"delimiter": {"delimiter": ",", "max_chunk_limit": 4}})
        found = output(spark, tmp_path, body, {"a": ["1,2,3"], "b": ["4,5,6"]})
        assert (found[0]["x"], found[0]["y"]) == (["1,", "2,", "3"], ["4,5,6"])

    def test_failed_documents_are_listed_and_left_out(self, spark: SparkSession, tmp_path: Path) -> None:
        words = {"fixed_token_length": {"token_limit": 2}}
        columns = {
            "id": ["a", "b", "c", "d", "d"],
            "tags": pa.array([["one two three"], ["x", None], ["a b c d e f"], ["y"], ["z"]]),
        }
        body = pipeline({"tags": "t"}, algorithm=words)
        result, found = documents(spark, tmp_path, body, columns, chunk={"max_token_count": 5})
        assert found == [{"id": "a", "tags": ["one two three"], "t": ["one two ", "three"]}]
        failed = [(row["doc_id"], row["reason"]) for row in rows(spark, result, "documents", "doc_id") if row["reason"]]
        assert failed == [
            ("b", "list_has_null"),
            ("c", "max_token_count_exceeded"),
            ("d", "duplicate_id"),
            ("d", "duplicate_id"),
        ]

    @pytest.mark.classic  # a client of Spark Connect can't take such strings
    def test_bytes_that_are_not_utf8(self, spark: SparkSession, tmp_path: Path) -> None:
        kind = pa.list_(pa.struct([("body", pa.string())]))
        texts = pa.array([b"a,b", b"caf\xe9,c"], pa.binary()).view(pa.string())
        inner = pa.StructArray.from_arrays([texts], names=["body"])
        sections = pa.ListArray.from_arrays(pa.array([0, 1, 2], pa.int32()), inner).cast(kind)
        result, found = documents(spark, tmp_path, pipeline({"sections": {"body": "b"}}), {"sections": sections})
        assert [row["sections"][0]["b"] for row in found] == [["a,", "b"], ["caf\ufffd,", "c"]]
        assert [row["repaired"] for row in rows(spark, result, "documents", "doc_id")] == [False, True]

    def test_a_passage_over_twenty_million_characters(self, spark: SparkSession, tmp_path: Path) -> None:
        found = output(spark, tmp_path, pipeline({"title": "t"}), {"title": ["x" * 20_000_001]})
        assert len(found[0]["t"][0]) == 20_000_001

    def test_narrowed(self, spark: SparkSession, tmp_path: Path) -> None:
        columns = {"title": ["a,b"], "lang": ["en"]}
        _, found = documents(spark, tmp_path, pipeline({"title": "t"}), columns, output={"columns": ["t", "id"]})
        assert found == [{"t": ["a,", "b"], "id": 0}]

    def test_too_many_failed(self, spark: SparkSession, tmp_path: Path) -> None:
        columns = {"tags": pa.array([["x", None], ["x"]])}
        with pytest.raises(QualityError, match="1 of 2 documents failed"):
            documents(spark, tmp_path, pipeline({"tags": "t"}), columns, limits={"max_failed_rate": 0.1})


class TestInput:
    def test_every_fault_at_once(self, spark: SparkSession, tmp_path: Path) -> None:
        source = write_documents(tmp_path / "in.parquet", id=[1], body=["a"], size=[1])
        body = pipeline({"bdy": "x", "size": "y"})
        config = configuration(
            source, tmp_path, body, chunk={"shape": "documents"}, input={"id": "ids"}, output={"columns": ["z"]}
        )
        with pytest.raises(InputError) as raised:
            run(config, spark, stream=io.StringIO())
        lines = str(raised.value).splitlines()
        assert lines[1:-1] == [
            "  input.id: the input has no column 'ids' (did you mean 'id'?)",
            "  field_map.bdy: the input has no field 'bdy' (did you mean 'body'?)",
            "  field_map.size: is bigint, expected string or array<string> (every document would fail)",
            "  output.columns[0]: the output has no column 'z' (known: body, id, size, x)",
        ]

    @pytest.mark.parametrize(("shape", "line"), [("chunks", "chunk_id "), ("documents", "t      array<string>")])
    def test_dry_run(self, spark: SparkSession, tmp_path: Path, shape: str, line: str) -> None:
        source = write_documents(tmp_path / "in.parquet", id=[1], title=["a"])
        out = io.StringIO()
        run(
            configuration(source, tmp_path, pipeline({"title": "t"}), chunk={"shape": shape}),
            spark,
            dry_run=True,
            stream=out,
        )
        assert "texts in title" in out.getvalue()
        assert f"OpenSearch pipeline of delimiter; shape {shape}" in out.getvalue()
        assert line in out.getvalue()
        assert not (tmp_path / "out").exists()


@pytest.mark.classic  # what Spark Connect explains is cut short
@pytest.mark.parametrize("shape", ["chunks", "documents"])
def test_the_udf_is_evaluated_once(spark: SparkSession, tmp_path: Path, shape: str) -> None:
    sections = pa.array([[{"body": "b"}]], pa.list_(SECTION))
    source_path = write_documents(tmp_path / "in.parquet", id=[1], title=["a"], tags=[["b"]], sections=sections)
    body = pipeline({"title": "t", "tags": "g", "sections": {"body": "b"}})
    config = configuration(source_path, tmp_path, body, chunk={"shape": shape})
    definition = definition_of(config.chunk)
    assert definition is not None
    with job_settings(spark), read_source(spark, config) as source:
        table = document_table(source, config.limits, Survey(1, 0, 1))
        made = output_rows(table, source, definition) if definition.has_documents else chunk_rows(table, source, config)
        plan = made._jdf.queryExecution().executedPlan().toString()  # type: ignore[operator]
    assert len(re.findall(r"\w*EvalPython", plan)) == 1
    assert len(re.findall(r"from_json", plan)) == (shape == "documents")


def test_preview(spark: SparkSession, tmp_path: Path) -> None:
    source = write_documents(
        tmp_path / "in.parquet",
        id=["d1", "d2"],
        title=["a,b", "c"],
        sections=pa.array([[{"body": "d"}, {"body": "e,f"}], None], pa.list_(SECTION)),
    )
    config = configuration(source, tmp_path, pipeline({"title": "t", "sections": {"body": "b"}}))
    lines = list(preview_lines(config, Style(unicode=False)))
    assert [line for line in lines if not line.startswith(("+", "|"))] == [
        "d1",
        "title -> t: 2 chunks of 1 to 2 characters, median 2",
        "sections.body[0] -> sections.b: 1 chunk of 1 character",
        "sections.body[1] -> sections.b: 2 chunks of 1 to 2 characters, median 2",
        "",
        "d2",
        "title -> t: 1 chunk of 1 character",
        "",
        "2 documents: 6 chunks of 1 to 2 characters, median 1",
    ]
    assert [line for line in lines if line.startswith("| ")][:3] == ["| a,", "| b", "| d"]
