"""What a run changed against the one that was current: what downstream has to embed, move or delete.

One row for each chunk that is not the same: `added` and `removed` by `chunk_id`; `changed` has another
`content_hash` (its context changed) and is embedded again; `moved` has the same, so its vector stays,
at another place in its document.
"""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812

KINDS = ("added", "changed", "moved", "removed")

NEEDED = ("doc_id", "chunk_id", "content_hash", "start_char", "end_char", "chunk_index")
"""Columns that both tables of chunks must have."""


def changes(new: DataFrame, old: DataFrame | None) -> DataFrame:
    """Rows of chunk_id, doc_id, change between two chunk tables; all `added` when there was none."""
    if old is None:
        return new.select("chunk_id", "doc_id", F.lit("added").alias("change"))
    after, before = new.select(*NEEDED).alias("after"), old.select(*NEEDED).alias("before")
    if new.schema["doc_id"].dataType != old.schema["doc_id"].dataType:
        after, before = (_id_as_string(frame).alias(name) for frame, name in ((after, "after"), (before, "before")))
    place = [F.struct(*(f"{side}.{name}" for name in NEEDED[3:])) for side in ("after", "before")]
    change = (
        F.when(F.col("before.chunk_id").isNull(), "added")
        .when(F.col("after.chunk_id").isNull(), "removed")
        .when(F.col("after.content_hash") != F.col("before.content_hash"), "changed")
        .when(place[0] != place[1], "moved")
    )
    joined = after.join(before, F.col("after.chunk_id") == F.col("before.chunk_id"), "full_outer")
    return joined.select(
        F.coalesce("after.chunk_id", "before.chunk_id").alias("chunk_id"),
        F.coalesce("after.doc_id", "before.doc_id").alias("doc_id"),
        change.alias("change"),
    ).where(F.col("change").isNotNull())


def counts(table: DataFrame) -> dict[str, int]:
    """How many rows of each kind."""
    found = {row[0]: row[1] for row in table.groupBy("change").count().collect()}
    return {kind: found.get(kind, 0) for kind in KINDS}


def _id_as_string(frame: DataFrame) -> DataFrame:
    """The same rows; an id that changed its type has become another one, and is shown as text."""
    return frame.withColumn("doc_id", F.col("doc_id").cast("string"))
