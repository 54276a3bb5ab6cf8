"""The documents as the job sees them: identified, made valid, and the impossible ones rejected.

Columns: `doc_id`, `id_json`, `text` (null when rejected), `metadata` (a struct of strings, where context
needs one), `document_hash`, `repaired`, `rejection`, and `carried_0`, `carried_1`, ... in the order of
`Source.carried`. All of it is computed in the JVM.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - what everybody calls it
from pyspark.sql.types import DataType

from jobs.configuration import LimitsConfig
from jobs.errors import InputError
from jobs.opensearch.columns import document_json, is_repaired
from jobs.reading import Source
from jobs.text_columns import MICROSECONDS, has_invalid, is_invalid, is_string, make_valid, quoted, to_words

_DOCUMENTS_PER_TASK = 8
_MOST_BROADCAST_IDS = 1_000_000


@dataclass(frozen=True)
class Survey:
    """What a scan of the ids alone tells: rows, ids that are there more than once, tasks that have rows."""

    documents: int
    duplicate_ids: int
    splits: int


def survey(source: Source) -> Survey:
    """Look at the ids; raises InputError when there is no row."""
    ids = _identified(source).select("doc_id", "id_fault", F.spark_partition_id().alias("split"))
    counts = ids.groupBy("doc_id", "id_fault").agg(F.count(F.lit(1)).alias("n"), F.min("split").alias("split"))
    row = counts.agg(
        F.coalesce(F.sum("n"), F.lit(0)),
        F.count(F.when((F.col("n") > 1) & F.col("id_fault").isNull(), 1)),
        F.countDistinct("split"),
    ).first()
    assert row is not None
    if row[0] == 0:
        raise InputError(
            "The input has no documents, so nothing is written and what is published stays. "
            "If that is meant, delete the output; else look at input.path and input.where."
        )
    return Survey(*row)


def document_table(source: Source, limits: LimitsConfig, known: Survey) -> DataFrame:
    """The table that this module describes."""
    rows = _identified(source)
    if known.duplicate_ids:
        rows = _mark_duplicates(rows, known.duplicate_ids)
    else:
        rows = rows.withColumn("is_duplicate", F.lit(False))
    rows = _spread(rows, known)
    text = F.col("raw_text")
    valid = make_valid(text)
    rejection = _rejection(text, limits)
    return rows.select(
        "doc_id",
        F.to_json(F.array("doc_id"), MICROSECONDS).alias("id_json"),
        F.when(rejection.isNull(), valid).alias("text"),
        *(["metadata"] if source.context else []),
        F.sha2(valid, 256).alias("document_hash"),
        "repaired" if source.fields is not None else F.coalesce(is_invalid(text), F.lit(False)).alias("repaired"),
        rejection.alias("rejection"),
        *(f"carried_{n}" for n in range(len(source.carried))),
    )


def _identified(source: Source) -> DataFrame:
    """One column for the id, and the others under names of our own."""
    ids = [quoted(name) for name in source.ids]
    types = source.types
    context = [to_words(quoted(name), types[name]).alias(f"value_{n}") for n, name in enumerate(source.context)]
    return source.frame.select(
        _doc_id(ids, types[source.ids[0]]).alias("doc_id"),
        _id_fault(ids, [types[name] for name in source.ids]).alias("id_fault"),
        *_raw_text(source),
        *([F.struct(*context).alias("metadata")] if context else []),
        *(quoted(name).alias(f"carried_{n}") for n, name in enumerate(source.carried)),
    )


def _doc_id(ids: list[Column], kind: DataType) -> Column:
    if len(ids) > 1:
        return _json_array(ids)
    return make_valid(ids[0]) if is_string(kind) else ids[0]


def _id_fault(ids: list[Column], kinds: list[DataType]) -> Column:
    """The rejection of a row whose id tells no document from others: made valid, two ids can be the same."""
    missing = reduce(Column.__or__, (column.isNull() for column in ids))
    invalid = reduce(Column.__or__, (has_invalid(column, kind) for column, kind in zip(ids, kinds, strict=True)))
    return F.when(missing, "null_id: the id is null").when(invalid, "invalid_id: the id is not valid UTF-8")


def _raw_text(source: Source) -> list[Column]:
    """What is to be chunked; a document of fields is JSON, valid as Spark writes it, so it says what was not."""
    if source.fields is None:
        return [quoted(source.text).alias("raw_text")]
    return [document_json(source.fields).alias("raw_text"), is_repaired(source.fields).alias("repaired")]


def _json_array(columns: Iterable[Column]) -> Column:
    """A JSON array of columns of any types; to_json takes arrays of one type only."""
    elements = [
        F.regexp_replace(F.to_json(F.array(column), MICROSECONDS), r"(?s)^\[(.*)\]$", "$1") for column in columns
    ]
    return F.concat(F.lit("["), F.concat_ws(",", *elements), F.lit("]"))


def _mark_duplicates(rows: DataFrame, count: int) -> DataFrame:
    ids = rows.where(F.col("id_fault").isNull()).groupBy("doc_id").count()
    twice = ids.where("count > 1").select(F.col("doc_id").alias("duplicate_id"), F.lit(True).alias("is_duplicate"))
    if count <= _MOST_BROADCAST_IDS:
        twice = F.broadcast(twice)
    return rows.join(twice, F.col("doc_id") == F.col("duplicate_id"), "left")


def _rejection(text: Column, limits: LimitsConfig) -> Column:
    """`reason: detail` of a row that can't be chunked, else null."""
    size = F.octet_length(text)
    too_large = F.concat(
        F.lit("too_large: "), F.format_number(size, 0), F.lit(f" bytes, allowed are {limits.max_document_mb} MB")
    )
    return (
        F.when(F.col("id_fault").isNotNull(), F.col("id_fault"))
        .when(F.col("is_duplicate"), "duplicate_id: other rows have the same id")
        .when(text.isNull(), "null_text: the text is null")
        .when(size > limits.max_document_bytes, too_large)
    )


def _spread(rows: DataFrame, known: Survey) -> DataFrame:
    """More tasks, where the input's row groups would leave cores idle."""
    tasks = min(_parallelism(rows.sparkSession), -(-known.documents // _DOCUMENTS_PER_TASK))
    return rows.repartition(tasks) if known.splits < tasks else rows


def _parallelism(spark: SparkSession) -> int:
    """How many tasks Spark cuts a range into by default: its cores, asked in a way that every session answers."""
    return spark.range(1_000_000).select(F.spark_partition_id()).distinct().count()
