"""Spark and `simulate` give the same result on the same documents: generated pipelines and documents."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyspark.sql import SparkSession

from chunkers.opensearch import simulate
from jobs.configuration import Configuration, from_mapping
from jobs.document_rows import DOCUMENT_LEVEL
from jobs.document_table import Survey, document_table
from jobs.opensearch.definition import definition_of, pipeline_of
from jobs.opensearch.documents import output_rows
from jobs.reading import read_source
from jobs.session import job_settings
from jobs.writing import chunk_rows

pytestmark = pytest.mark.spark

STRINGS = pa.list_(pa.string())
PART = pa.struct([("body", pa.string()), ("notes", STRINGS)])
SCHEMA = pa.schema(
    [
        ("id", pa.int64()),
        ("title", pa.string()),
        ("tags", STRINGS),
        ("meta", pa.struct([("body", pa.string()), ("notes", STRINGS), ("inner", PART)])),
        ("sections", pa.list_(pa.struct([("body", pa.string()), ("notes", STRINGS), ("parts", pa.list_(PART))]))),
        ("langs", pa.map_(pa.string(), PART)),
        ("lists", pa.map_(pa.string(), STRINGS)),
    ]
)
LEAVES = [
    ("title",),
    ("tags",),
    ("meta", "body"),
    ("meta", "notes"),
    ("meta", "inner", "body"),
    ("sections", "body"),
    ("sections", "notes"),
    ("sections", "parts", "body"),
    ("langs", "en", "body"),
    ("langs", "de", "notes"),
    ("lists", "en"),
]
DOCUMENTS = 40

words = st.sampled_from(
    ["one", "two,", "Three.", ",", "\n\n", "\U0001f469\u200d\U0001f680", "caf\u00e9", "\u6f22", "!!", " "]
)
texts = st.one_of(
    st.lists(words, max_size=12).map(" ".join),
    st.sampled_from(["", " ", '"\\\n\u0001', "a,b\n\nc"]),
    st.text(max_size=8),
)
lists = st.one_of(st.lists(texts, max_size=4), st.just(["a", None]))


def optional(**fields: Any) -> st.SearchStrategy[dict[str, Any]]:
    """A mapping that may lack any of its keys."""
    return st.fixed_dictionaries({}, optional=fields)


part = optional(body=texts, notes=lists)
document = optional(
    title=texts,
    tags=lists,
    meta=optional(body=texts, notes=lists, inner=part),
    sections=st.lists(optional(body=texts, notes=lists, parts=st.lists(part, max_size=2)), max_size=3),
    langs=optional(en=part, de=part),
    lists=optional(en=lists, fr=lists),
)

limits = st.sampled_from([-1, 1, 2, 5, 100])
rates = st.sampled_from([0.0, 0.3, 0.5])
algorithm = st.one_of(
    st.builds(
        lambda size, rate, tokenizer, most: {
            "fixed_token_length": {
                "token_limit": size,
                "overlap_rate": rate,
                "tokenizer": tokenizer,
                "max_chunk_limit": most,
            }
        },
        st.integers(1, 5),
        rates,
        st.sampled_from(["standard", "whitespace", "letter", "classic"]),
        limits,
    ),
    st.builds(
        lambda size, rate, most: {
            "fixed_char_length": {"char_limit": size, "overlap_rate": rate, "max_chunk_limit": most}
        },
        st.integers(1, 9),
        rates,
        limits,
    ),
    st.builds(
        lambda delimiter, most: {"delimiter": {"delimiter": delimiter, "max_chunk_limit": most}},
        st.sampled_from([",", "\n\n", " "]),
        limits,
    ),
)


@st.composite
def pipelines(draw: st.DrawFn) -> dict[str, Any]:
    """One processor, or two of which the second cuts what the first wrote, beside it or in its place."""
    paths = draw(st.lists(st.sampled_from(LEAVES), min_size=1, unique=True))
    stages = [[(path, f"{path[-1]}_chunk") for path in paths]]
    if draw(st.booleans()):
        chosen = draw(st.lists(st.sampled_from(paths), min_size=1, unique=True))
        last = draw(st.sampled_from(["piece", "{}_chunk"]))
        stages.append([((*path[:-1], f"{path[-1]}_chunk"), last.format(path[-1])) for path in chosen])
    return {"processors": [{"text_chunking": draw(processors(stage))} for stage in stages]}


@st.composite
def processors(draw: st.DrawFn, leaves: list[tuple[tuple[str, ...], str]]) -> dict[str, Any]:
    field_map: dict[str, Any] = {}
    for path, target in leaves:
        inner = field_map
        for name in path[:-1]:
            inner = inner.setdefault(name, {})
        inner[path[-1]] = target
    flags = {name: draw(st.booleans()) for name in ("ignore_missing", "ignore_failure")}
    return {"field_map": field_map, "algorithm": draw(algorithm), **flags}


@settings(max_examples=5, suppress_health_check=list(HealthCheck))
@given(
    body=pipelines(),
    sources=st.lists(document, min_size=DOCUMENTS, max_size=DOCUMENTS),
    max_token_count=st.sampled_from([None, 6]),
)
def test_spark_and_simulate_agree(
    spark: SparkSession,
    tmp_path_factory: pytest.TempPathFactory,
    body: dict[str, Any],
    sources: list[dict[str, Any]],
    max_token_count: int | None,
) -> None:
    path = tmp_path_factory.mktemp("in") / "in.parquet"
    table = pa.Table.from_pylist([_row(n, source) for n, source in enumerate(sources)], SCHEMA)
    pq.write_table(table, path)
    requests = [{"_source": source} for source in sources]
    answers = simulate(body, requests, max_token_count=max_token_count, max_depth=None)["docs"]

    config = configuration(path, body, "documents", max_token_count)
    definition = definition_of(config.chunk)
    assert definition is not None
    with job_settings(spark), read_source(spark, config) as source:
        found = output_rows(
            document_table(source, config.limits, Survey(DOCUMENTS, 0, 1)), source, definition
        ).collect()
    assert len(found) == DOCUMENTS
    for row in found:
        answer, given_source = answers[row["document"]["doc_id"]], sources[row["document"]["doc_id"]]
        error = row["document"]["context"]
        if "error" in answer:
            assert error.partition(": ")[2] == answer["error"]["reason"]
        else:
            assert error is None
            written = row["row"].asDict(recursive=True)
            del written["id"]
            assert _plain(written) == _plain(answer["doc"]["_source"]), given_source

    _check_chunks(spark, path, body, max_token_count, sources)


def configuration(path: Path, body: dict[str, Any], shape: str, max_token_count: int | None) -> Configuration:
    return from_mapping(
        {
            "input": {"path": str(path), "id": "id"},
            "chunk": {"opensearch_pipeline": body, "shape": shape, "max_token_count": max_token_count},
            "output": {"path": "out"},
        }
    )


def _check_chunks(
    spark: SparkSession, path: Path, body: dict[str, Any], max_token_count: int | None, sources: list[dict[str, Any]]
) -> None:
    """Shape chunks: the passages that no processor cuts further, each where it says that it is."""
    config = configuration(path, body, "chunks", max_token_count)
    definition = definition_of(config.chunk)
    assert definition is not None
    pipeline = pipeline_of(definition)
    with job_settings(spark), read_source(spark, config) as source:
        rows = chunk_rows(document_table(source, config.limits, Survey(DOCUMENTS, 0, 1)), source, config).collect()
    assert sum(row["level"] == DOCUMENT_LEVEL for row in rows) == DOCUMENTS
    chunks = [row for row in rows if row["level"] != DOCUMENT_LEVEL]
    assert len({row["chunk_id"] for row in chunks}) == len(chunks)
    failed = {row["doc_id"] for row in rows if row["level"] == DOCUMENT_LEVEL and row["context"] is not None}
    for number, document_source in enumerate(sources):
        expected = [] if number in failed else pipeline.passages(document_source)
        own = [row for row in chunks if row["doc_id"] == number]
        for field in {passage.field for passage in expected} | {row["field"] for row in own}:
            mine = sorted((row for row in own if row["field"] == field), key=lambda row: row["chunk_index"])
            assert [row["chunk_index"] for row in mine] == list(range(len(mine)))
            assert {row["chunk_count"] for row in mine} == {len(mine)}
            assert [(row["source_index"], row["start_char"], row["text"]) for row in mine] == [
                (passage.source_index, passage.start, passage.text) for passage in expected if passage.field == field
            ]
            for row in mine:
                strings = list(_strings_at(document_source, field.split(".")))
                text = strings[row["source_index"] or 0]
                assert text[row["start_char"] : row["end_char"]] == row["text"]


def _strings_at(value: Any, path: list[str]) -> Any:
    """The strings of a field in the order of the document, with what is missing or null counted."""
    if isinstance(value, list):
        for item in value:
            yield from _strings_at(item, path)
    elif path:
        if isinstance(value, dict):
            yield from _strings_at(value.get(path[0]), path[1:])
    else:
        yield value


def _row(number: int, source: dict[str, Any]) -> dict[str, Any]:
    """A document as Arrow takes it: maps are lists of pairs."""
    maps = {name: list(source[name].items()) for name in ("langs", "lists") if name in source}
    return {"id": number, **source, **maps}


def _plain(value: Any) -> Any:
    """Keys without a value left out, which a row can't tell from those that are null."""
    if isinstance(value, dict):
        return {name: _plain(inner) for name, inner in value.items() if inner is not None}
    return [_plain(item) for item in value] if isinstance(value, list) else json.loads(json.dumps(value))
