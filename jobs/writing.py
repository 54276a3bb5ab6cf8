"""Documents into chunk rows, and those into files: one evaluation of the UDF, one write.

Chunks and document elements come out of the same pass (`jobs.document_rows`). They are written together
into a staging folder, partitioned by which table they belong to; the partition column is not in the
files, so a partition of chunks is renamed to become `chunks/`, and the small one of documents is read again
to become `documents/`. A document's row travels in the columns of the chunk table:

    doc_id        doc_id
    content_hash  document_hash
    context       the error, `reason: detail`
    context_cut   repaired
    chunk_count   chunks
    token_count   tokens

The element of a giant (`jobs.giants`) lies in a partition of its own until the second pass has added its chunks
and its final element to the others.
"""

from __future__ import annotations

import json

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812

from jobs.configuration import Configuration
from jobs.document_rows import DOCUMENT_LEVEL
from jobs.document_table import id_json, texts_of
from jobs.giants import KEY, POSTPONED, chunk_giants
from jobs.opensearch.definition import definition_of
from jobs.opensearch.udf import passages_udf
from jobs.reading import Source
from jobs.text_columns import quoted
from jobs.udf import job_task, job_udf

CHUNKS, PARENTS, DOCUMENTS, GIANTS = "chunks", "parents", "documents", "giants"

ID_SCHEME = "2"
"""Version of how `chunk_id` is made; part of what is hashed."""


def chunk_rows(documents: DataFrame, source: Source, config: Configuration) -> DataFrame:
    """Every chunk and every document element as a row: the output's columns, then the staging column."""
    # The generator around the UDF, in one select: anything else evaluates the UDF twice.
    rows = documents.select(
        "doc_id",
        "id_json",
        "document_hash",
        "repaired",
        "rejection",
        "is_postponed",
        *_carried(source),
        F.inline(_chunks(source, config)),
    )
    return _staged(rows, source)


def giant_rows(giants: DataFrame, source: Source, config: Configuration) -> DataFrame:
    """The same for the documents that the first pass has postponed; `giants` are their staged rows."""
    names = zip(_carried(source), source.carried, strict=True)
    known = giants.select(
        "doc_id",
        id_json().alias(KEY),
        F.col("content_hash").alias("document_hash"),
        F.col("context_cut").alias("repaired"),
        F.lit(None).cast("string").alias("rejection"),
        F.lit(False).alias("is_postponed"),
        *(quoted(name).alias(column) for column, name in names),
    )
    task = job_task(config.chunk, config.context.lead_chars, config.context.headings)
    chunks = chunk_giants(texts_of(source, giants), task)
    return _staged(chunks.join(F.broadcast(known), KEY), source)


def _staged(rows: DataFrame, source: Source) -> DataFrame:
    is_document = F.col("level") == DOCUMENT_LEVEL
    is_giant = F.col("is_postponed") | F.coalesce(F.col("error") == POSTPONED, F.lit(False))
    return rows.select(
        *_columns(source, is_document),
        *(F.col(column).alias(name) for column, name in zip(_carried(source), source.carried, strict=True)),
        F.when(is_document & is_giant, GIANTS)
        .when(is_document, DOCUMENTS)
        .when(F.col("level") == 1, PARENTS)
        .otherwise(CHUNKS)
        .alias(staging_column(source)),
    )


def _carried(source: Source) -> list[str]:
    return [f"carried_{n}" for n in range(len(source.carried))]


def _chunks(source: Source, config: Configuration) -> Column:
    """The array of chunks and the document element of each document."""
    pipeline = definition_of(config.chunk)
    if pipeline is not None:
        return passages_udf(pipeline)("text")
    chunk = job_udf(config.chunk, lead_chars=config.context.lead_chars, headings=config.context.headings)
    return chunk("text", "metadata") if source.has_metadata else chunk("text")


def staging_column(source: Source) -> str:
    """The name of the column that says which table a row belongs to."""
    name = "table"
    while name in {column.lower() for column in source.carried}:
        name += "_"
    return name


def document_rows(staged: DataFrame) -> DataFrame:
    """The table `documents/` of the staged document elements."""
    error = F.col("context")
    return staged.select(
        "doc_id",
        F.col("content_hash").alias("document_hash"),
        F.when(error.isNotNull(), "failed")
        .when(F.col("chunk_count") == 0, "empty")
        .otherwise("chunked")
        .alias("status"),
        F.substring_index(error, ": ", 1).alias("reason"),
        F.col("context_cut").alias("repaired"),
        F.col("chunk_count").alias("chunks"),
        F.col("token_count").alias("tokens"),
        F.when(error.contains(": "), F.regexp_replace(error, r"(?s)^.*?: (.*)$", "$1")).alias("detail"),
    )


def write_staged(rows: DataFrame, path: str, staging: str, mode: str = "error") -> None:
    """Write the rows of all tables below `path`, each in a folder of its own."""
    rows.write.partitionBy(staging).mode(mode).parquet(path)


def _columns(source: Source, is_document: Column) -> list[Column]:
    """The output's columns in their order."""
    field, source_index, field_json = _field(source)
    text, context = F.col("text"), F.col("context")
    index_text = F.concat(context, text)
    error = F.coalesce(F.col("rejection"), F.col("error"))
    return [
        F.col("doc_id"),
        _chunk_id(field_json, F.col("level"), F.col("occurrence"), F.sha2(text, 256)).alias("chunk_id"),
        _chunk_id(field_json, F.lit(1), F.col("parent_key")).alias("parent_chunk_id"),
        field.alias("field"),
        source_index.alias("source_index"),
        F.col("level"),
        F.col("chunk_index"),
        F.col("chunk_count"),
        F.col("start_char"),
        F.col("end_char"),
        text,
        F.when(is_document, error).otherwise(context).alias("context"),
        index_text.alias("index_text"),
        F.col("token_count"),
        F.col("section_path"),
        F.col("kind"),
        F.col("overlap_chars"),
        F.col("window_start_char"),
        F.col("window_end_char"),
        F.when(is_document, F.col("document_hash")).otherwise(F.sha2(index_text, 256)).alias("content_hash"),
        F.col("over_limit"),
        F.when(is_document, F.col("repaired")).otherwise(F.col("context_cut")).alias("context_cut"),
    ]


def _field(source: Source) -> tuple[Column, Column, Column]:
    """The field that a chunk is from, its place in the field's array, and the field as a JSON string."""
    if source.fields is None:
        return F.lit(source.text), F.lit(None).cast("int"), F.lit(json.dumps(source.text))
    as_json = F.create_map(
        *(F.lit(text) for path in dict.fromkeys(source.fields.paths) for text in (path, json.dumps(path)))
    )
    return F.col("field"), F.col("source_index"), as_json[F.col("field")]


def _chunk_id(field_json: Column, *of_chunk: Column) -> Column:
    """32 hex digits of a hash over lines that hold no line break; null when one of them is.

    `of_chunk` are the level, the occurrence and the SHA-256 of the text; a parent's key is the last two.
    """
    lines = [F.lit(f"chunkmill {ID_SCHEME}"), F.col("id_json"), field_json, *of_chunk]
    parts = [part for line in lines for part in (F.lit("\n"), line.cast("string"))]
    return F.substring(F.sha2(F.concat(*parts[1:]), 256), 1, 32)
