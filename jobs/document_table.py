"""The documents as the job sees them: identified, made valid, and the impossible ones rejected.

Columns: `doc_id`, `id_json`, `text` (null when rejected or postponed), `metadata` (a struct of strings, where
context needs one), `document_hash`, `repaired`, `rejection`, `is_postponed`, and `carried_0`, `carried_1`, ... in
the order of `Source.carried`. All of it is computed in the JVM.
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
_UNEVEN = 1.5
"""How many times its share of the documents one task may have."""
_MOST_BROADCAST_IDS = 1_000_000


@dataclass(frozen=True)
class Survey:
    """What a scan of the ids alone tells: rows, ids that are there more than once, tasks that have rows.

    `most_in_split` are the rows of the task that has most of them.
    """

    documents: int
    duplicate_ids: int
    splits: int
    most_in_split: int = 0


def survey(source: Source) -> Survey:
    """Look at the ids; raises InputError when there is no row."""
    ids = _identified(source).select("doc_id", "id_fault", F.spark_partition_id().alias("split"))
    counts = ids.groupBy("doc_id", "id_fault").agg(F.count(F.lit(1)).alias("n"), F.min("split").alias("split"))
    is_twice = (F.col("n") > 1) & F.col("id_fault").isNull()
    splits = counts.groupBy("split").agg(F.sum("n").alias("n"), F.count(F.when(is_twice, 1)).alias("twice"))
    none = F.lit(0)
    row = splits.agg(
        F.coalesce(F.sum("n"), none), F.coalesce(F.sum("twice"), none), F.count("split"), F.coalesce(F.max("n"), none)
    ).first()
    assert row is not None
    if row[0] == 0:
        raise InputError(
            "The input has no documents, so nothing is written and what is published stays. "
            "If that is meant, delete the output; else look at input.path and input.where."
        )
    return Survey(*row)


def document_table(source: Source, limits: LimitsConfig, known: Survey, giant_bytes: int | None = None) -> DataFrame:
    """The table that this module describes; texts of more than `giant_bytes` are postponed (None: none is)."""
    rows = _identified(source)
    if known.duplicate_ids:
        rows = _mark_duplicates(rows, known.duplicate_ids)
    else:
        rows = rows.withColumn("is_duplicate", F.lit(False))
    rows = _spread(_with_texts_set_aside(rows, source, limits, giant_bytes), known)
    valid = make_valid(F.col("raw_text"))
    return rows.select(
        "doc_id",
        id_json().alias("id_json"),
        valid.alias("text"),
        *(["metadata"] if source.has_metadata else []),
        F.coalesce("hash_aside", F.sha2(valid, 256)).alias("document_hash"),
        F.coalesce("repaired", is_invalid(F.col("raw_text")), F.lit(False)).alias("repaired"),
        "rejection",
        "is_postponed",
        *_carried(source),
    )


def texts_of(source: Source, documents: DataFrame) -> DataFrame:
    """`id_json`, `text` and, where context needs it, `metadata` of the documents whose `doc_id` is given.

    No two of them have the same. They are spread over the cores, wherever in the input they are.
    """
    rows = _identified(source).where(F.col("id_fault").isNull())
    found = rows.join(F.broadcast(documents.select("doc_id")), "doc_id", "left_semi")
    text = make_valid(F.col("raw_text")).alias("text")
    texts = found.select(id_json().alias("id_json"), text, *(["metadata"] if source.has_metadata else []))
    tasks = min(parallelism(texts.sparkSession), documents.count())
    return texts.repartition(tasks, "id_json") if tasks > 1 else texts


def id_json() -> Column:
    """The id as JSON, of the column `doc_id`."""
    return F.to_json(F.array("doc_id"), MICROSECONDS)


def _with_texts_set_aside(rows: DataFrame, source: Source, limits: LimitsConfig, giant_bytes: int | None) -> DataFrame:
    """Without the texts that are not sent on, which may be large; all that is known of those is known here."""
    text, rejection = F.col("raw_text"), _rejection(F.col("raw_text"), limits)
    is_postponed = F.lit(False)
    if giant_bytes is not None:
        is_postponed = rejection.isNull() & (F.octet_length(text) > giant_bytes)
    is_aside = rejection.isNotNull() | is_postponed
    repaired = F.col("repaired") if source.fields is not None else F.when(is_aside, is_invalid(text))
    return rows.select(
        "doc_id",
        F.when(~is_aside, text).alias("raw_text"),
        *(["metadata"] if source.has_metadata else []),
        F.when(is_aside, F.sha2(make_valid(text), 256)).alias("hash_aside"),
        repaired.alias("repaired"),
        rejection.alias("rejection"),
        is_postponed.alias("is_postponed"),
        *_carried(source),
    )


def _carried(source: Source) -> list[str]:
    return [f"carried_{n}" for n in range(len(source.carried))]


def _identified(source: Source) -> DataFrame:
    """One column for the id, and the others under names of our own."""
    ids = [quoted(name) for name in source.ids]
    types = source.types
    given = {**{context_name(n): name for n, name in enumerate(source.context)}, **source.asked}
    metadata = [to_words(quoted(name), types[name]).alias(alias) for alias, name in given.items()]
    return source.frame.select(
        _doc_id(ids, types[source.ids[0]]).alias("doc_id"),
        _id_fault(ids, [types[name] for name in source.ids]).alias("id_fault"),
        *_raw_text(source),
        *([F.struct(*metadata).alias("metadata")] if metadata else []),
        *(quoted(name).alias(f"carried_{n}") for n, name in enumerate(source.carried)),
    )


def context_name(number: int) -> str:
    """What a context column is called in the metadata: no column that an algorithm asks for is called so."""
    return f"context[{number}]"


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
    """More tasks, or evener ones, where the input's row groups would leave cores idle."""
    tasks = min(parallelism(rows.sparkSession), -(-known.documents // _DOCUMENTS_PER_TASK))
    is_uneven = known.most_in_split * tasks > _UNEVEN * known.documents
    return rows.repartition(tasks) if tasks > 1 and (known.splits < tasks or is_uneven) else rows


def parallelism(spark: SparkSession) -> int:
    """How many tasks Spark cuts a range into by default: its cores, asked in a way that every session answers."""
    return spark.range(1_000_000).select(F.spark_partition_id()).distinct().count()
