"""A pipeline as the UDF of the job: JSON documents in; passages, or lists of them for every output, out.

All fields of a document come in one call, since they share one budget.
"""

from __future__ import annotations

import functools
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
from pyspark.sql import Column
from pyspark.sql.types import ArrayType, BooleanType, DataType, IntegerType, StringType, StructField, StructType

from chunkers import CHUNK_TYPE
from chunkers.arrow import error_text
from chunkers.opensearch import Passage, Pipeline
from jobs.document_rows import DOCUMENT_LEVEL
from jobs.opensearch.columns import passages
from jobs.opensearch.definition import PipelineDefinition, definition_of, pipeline_of
from jobs.opensearch.fields import Fields, Tree
from jobs.schemas import CHUNK_STRUCT
from jobs.udf import Rows, vectorized

PASSAGE_TYPE = pa.struct([*CHUNK_TYPE, pa.field("field", pa.string()), pa.field("source_index", pa.int32())])
"""A chunk, and the field it was cut from; a row of documents has level DOCUMENT_LEVEL (`jobs.document_rows`)."""

OUTPUTS_TYPE = pa.struct(
    [
        ("chunk_count", pa.int32()),
        ("chars", pa.list_(pa.int32())),
        ("over_limit", pa.list_(pa.bool_())),
        ("passages", pa.string()),
        ("error", pa.string()),
    ]
)
"""One document with columns of passages: sizes and flags of those that are final, and all as JSON (`passages`)."""

_PASSAGES = ArrayType(
    StructType([*CHUNK_STRUCT, StructField("field", StringType()), StructField("source_index", IntegerType())])
)
_OUTPUTS = ArrayType(
    StructType(
        [
            StructField("chunk_count", IntegerType()),
            StructField("chars", ArrayType(IntegerType())),
            StructField("over_limit", ArrayType(BooleanType())),
            StructField("passages", StringType()),
            StructField("error", StringType()),
        ]
    )
)


def passages_udf(definition: PipelineDefinition) -> Callable[..., Column]:
    """JSON document -> array of `PASSAGE_TYPE`: its passages, and behind them the row of the document."""
    made: Callable[..., Column] = vectorized(PassagesTask(definition.as_json()))
    return made


def outputs_udf(definition: PipelineDefinition, fields: Fields) -> Callable[..., Column]:
    """JSON document -> array of one `OUTPUTS_TYPE`."""
    made: Callable[..., Column] = vectorized(OutputsTask(definition.as_json(), fields.writes))
    return made


@dataclass(frozen=True)
class PassagesTask:
    """What a worker is told, as plain data: a pipeline whose passages become rows."""

    definition: str

    @property
    def returns(self) -> DataType:
        return _PASSAGES

    def chunk(self, texts: Sequence[str | None], metadata: Rows | None = None) -> pa.ListArray:
        pipeline = _worker_pipeline(self.definition)
        documents = [list(_passage_rows(pipeline, text)) for text in texts]
        return pa.array(documents, pa.list_(PASSAGE_TYPE))


@dataclass(frozen=True)
class OutputsTask:
    """What a worker is told, as plain data: a pipeline whose outputs become columns."""

    definition: str
    writes: Tree

    @property
    def returns(self) -> DataType:
        return _OUTPUTS

    def chunk(self, texts: Sequence[str | None], metadata: Rows | None = None) -> pa.ListArray:
        pipeline = _worker_pipeline(self.definition)
        return pa.array([[_outputs(pipeline, text, self.writes)] for text in texts], pa.list_(OUTPUTS_TYPE))


@functools.cache
def _worker_pipeline(definition: str) -> Pipeline:
    """Made once in each Python worker."""
    found = definition_of(json.loads(definition))
    assert found is not None
    return pipeline_of(found)


def passage_chunks(found: Sequence[Passage]) -> Iterator[dict[str, Any]]:
    """The columns of each passage; its place is that among the passages of the same field."""
    counts = Counter(passage.field for passage in found)
    places: Counter[str] = Counter()
    seen: Counter[tuple[str, str]] = Counter()
    before: Passage | None = None
    for passage in found:
        same_text = before is not None and _source(passage) == _source(before)
        yield {
            "level": 0,
            "chunk_index": places[passage.field],
            "chunk_count": counts[passage.field],
            "start_char": passage.start,
            "end_char": passage.end,
            "text": passage.text,
            "context": "",
            "section_path": [],
            "kind": "text",
            "overlap_chars": max(before.end - passage.start, 0) if before is not None and same_text else 0,
            "over_limit": passage.over_limit,
            "context_cut": False,
            "occurrence": seen[passage.field, passage.text],
            "field": passage.field,
            "source_index": passage.source_index,
        }
        places[passage.field] += 1
        seen[passage.field, passage.text] += 1
        before = passage


def _source(passage: Passage) -> tuple[str, int | None, str]:
    return passage.field, passage.source_index, passage.output


def _passage_rows(pipeline: Pipeline, text: str | None) -> Iterator[dict[str, Any]]:
    """Rows of a document that is null when the job has rejected it."""
    row: dict[str, Any] = {"level": DOCUMENT_LEVEL, "chunk_count": 0, "token_count": 0}
    try:
        found = [] if text is None else pipeline.passages(json.loads(text))
    except Exception as error:
        yield {**row, "error": error_text(error)}
        return
    yield from passage_chunks(found)
    yield {**row, "chunk_count": len(found), "token_count": None if found else 0}


def _outputs(pipeline: Pipeline, text: str | None, writes: Tree) -> dict[str, Any]:
    nothing: dict[str, Any] = {"chunk_count": 0, "chars": [], "over_limit": []}
    if text is None:
        return nothing
    try:
        document, found = pipeline.outcome(json.loads(text))
    except Exception as error:
        return {**nothing, "error": error_text(error)}
    return {
        "chunk_count": len(found),
        "chars": [len(passage.text) for passage in found],
        "over_limit": [passage.over_limit for passage in found],
        "passages": json.dumps(passages(document, writes), ensure_ascii=False),
    }
