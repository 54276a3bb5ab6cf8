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
"""

from __future__ import annotations

import json

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812

from jobs.configuration import Configuration
from jobs.document_rows import DOCUMENT_LEVEL
from jobs.opensearch.definition import definition_of
from jobs.opensearch.udf import passages_udf
from jobs.reading import Source
from jobs.udf import job_udf

CHUNKS, PARENTS, DOCUMENTS = "chunks", "parents", "documents"

ID_SCHEME = "1"
"""Version of how `chunk_id` is made; part of what is hashed."""


def chunk_rows(documents: DataFrame, source: Source, config: Configuration) -> DataFrame:
    """Every chunk and every document element as a row: the output's columns, then the staging column."""
    carried = [f"carried_{n}" for n in range(len(source.carried))]
    # The generator around the UDF, in one select: anything else evaluates the UDF twice.
    rows = documents.select(
        "doc_id", "id_json", "document_hash", "repaired", "rejection", *carried, F.inline(_chunks(source, config))
    )
    is_document = F.col("level") == DOCUMENT_LEVEL
    return rows.select(
        *_columns(source, is_document),
        *(F.col(column).alias(name) for column, name in zip(carried, source.carried, strict=True)),
        F.when(is_document, DOCUMENTS)
        .when(F.col("level") == 1, PARENTS)
        .otherwise(CHUNKS)
        .alias(staging_column(source)),
    )


def _chunks(source: Source, config: Configuration) -> Column:
    """The array of chunks and the document element of each document."""
    pipeline = definition_of(config.chunk)
    if pipeline is not None:
        return passages_udf(pipeline)("text")
    chunk = job_udf(config.chunk, lead_chars=config.context.lead_chars)
    return chunk("text", "metadata") if source.context else chunk("text")


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


def write_staged(rows: DataFrame, path: str, staging: str) -> None:
    """Write the rows of all tables below `path`, each in a folder of its own."""
    rows.write.partitionBy(staging).mode("errorifexists").parquet(path)


def _columns(source: Source, is_document: Column) -> list[Column]:
    """The output's columns in their order."""
    field, source_index, field_json = _field(source)
    text, context = F.col("text"), F.col("context")
    index_text = F.concat(context, text)
    error = F.coalesce(F.col("rejection"), F.col("error"))
    nothing = F.lit(None)
    return [
        F.col("doc_id"),
        _chunk_id(field_json).alias("chunk_id"),
        nothing.cast("string").alias("parent_chunk_id"),
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


def _chunk_id(field_json: Column) -> Column:
    """32 hex digits of a hash over lines that hold no line break, and the text behind them."""
    lines = [
        F.lit(f"chunkmill {ID_SCHEME}"),
        F.col("id_json"),
        field_json,
        F.col("level"),
        F.col("occurrence"),
    ]
    hashed = F.concat_ws("\n", *(line.cast("string") for line in lines), F.col("text"))
    return F.substring(F.sha2(hashed, 256), 1, 32)
