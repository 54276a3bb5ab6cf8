"""The documents of a preview whose input only Spark can read."""

from __future__ import annotations

from collections.abc import Iterator

from pyspark.sql import functions as F  # noqa: N812 - what everybody calls it

from jobs.configuration import Configuration
from jobs.document_table import Survey, document_table
from jobs.preview.document import Document
from jobs.reading import read_source
from jobs.session import spark_session
from jobs.text_columns import to_words

_NOT_SURVEYED = Survey(documents=1, duplicate_ids=0, splits=1)
"""Ids are not looked at for duplicates: that is a pass over the whole input."""


def documents_from_spark(config: Configuration, count: int, doc_id: str | None) -> Iterator[Document]:
    """Some `count` documents, or the one called `doc_id`, as the job itself reads them."""
    with read_source(spark_session("chunkmill preview"), config) as source:
        rows = document_table(source, config.limits, _NOT_SURVEYED)
        shown_id = to_words(F.col("doc_id"), rows.schema["doc_id"].dataType)
        if doc_id is not None:
            rows = rows.where(shown_id == doc_id)
        values = F.col("metadata") if source.has_metadata else F.lit(None)
        kept = rows.select(shown_id.alias("doc_id"), "text", values.alias("metadata"), "rejection")
        for row in kept.limit(count).collect():
            metadata = row["metadata"].asDict() if row["metadata"] else {}
            asked = {name: metadata.pop(name) for name in source.asked}
            yield Document(row["doc_id"], row["text"] or "", tuple(metadata.values()), row["rejection"], asked)
