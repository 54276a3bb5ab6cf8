"""`shape: documents`: the input's rows with columns of passages, written in one pass and then told apart.

The staged table has a row for each document: `document` is what the documents table needs, `row` the
output's row. The output then leaves out the documents that failed; it has the run's place for chunks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812

from jobs.manifest import ChunkCounts, DocumentCounts, Files, count_chunks, count_documents
from jobs.opensearch.columns import parsed, with_passages
from jobs.opensearch.definition import PipelineDefinition
from jobs.opensearch.udf import outputs_udf
from jobs.publishing import Run
from jobs.reading import Source
from jobs.staging import STAGING, PreviousChunks
from jobs.text_columns import quoted
from jobs.writing import CHUNKS, DOCUMENTS, document_rows


def output_rows(documents: DataFrame, source: Source, definition: PipelineDefinition) -> DataFrame:
    """A row for each document, as this module describes it."""
    fields = source.fields
    assert fields is not None
    carried = {name: f"carried_{n}" for n, name in enumerate(source.carried)}
    found = F.inline(outputs_udf(definition, fields)("text"))
    # The generator around the UDF, in one select: anything else could evaluate the UDF twice.
    rows = documents.select("doc_id", "document_hash", "repaired", "rejection", *carried.values(), found)
    document = F.struct(
        "doc_id",
        F.col("document_hash").alias("content_hash"),
        F.coalesce("rejection", "error").alias("context"),
        F.col("repaired").alias("context_cut"),
        "chunk_count",
        F.when(F.col("chunk_count") == 0, 0).alias("token_count"),
        "chars",
        "over_limit",
    )
    parsed_rows = rows.select(
        document.alias("document"), *carried.values(), parsed(F.col("passages"), fields).alias("found")
    )
    columns = {name: F.col(column) for name, column in carried.items()}
    return parsed_rows.select("document", F.struct(*with_passages(columns, fields, F.col("found"))).alias("row"))


@dataclass(frozen=True)
class StagedRows:
    """The staged rows of a run; what `Staging` is for chunks."""

    run: Run
    staged: DataFrame

    @classmethod
    def write(cls, run: Run, rows: DataFrame) -> StagedRows:
        """Write the rows of `output_rows`."""
        path = run.path(STAGING)
        rows.write.mode("error").parquet(path)
        return cls(run, rows.sparkSession.read.schema(rows.schema).parquet(path))

    def documents(self) -> DocumentCounts:
        """Make `documents/` and add it up."""
        path = self.run.path(DOCUMENTS)
        document_rows(self.staged.select("document.*")).write.parquet(path)
        return count_documents(self.staged.sparkSession.read.parquet(path))

    def chunks(self, expected: DocumentCounts, columns: Sequence[str]) -> ChunkCounts:
        """Make the output's table of the documents that did not fail."""
        rows = self.staged.where(F.col("document.context").isNull()).select("row.*")
        kept = rows.select(*(quoted(name) for name in columns)) if columns else rows
        kept.write.parquet(self.run.path(CHUNKS))
        return count_chunks(
            self.staged.select(
                F.inline(F.arrays_zip("document.chars", "document.over_limit")).alias("end_char", "over_limit"),
                F.lit(0).alias("start_char"),
                F.lit(None).cast("int").alias("token_count"),
                F.lit(False).alias("context_cut"),
            )
        )

    def changes(self, previous: PreviousChunks) -> None:
        """Passages in columns have no ids, so there is nothing to compare."""

    def files(self) -> dict[str, Files]:
        """Files and bytes of each table."""
        return {name: Files.of(self.run.storage.sizes(self.run.name(name))) for name in (CHUNKS, DOCUMENTS)}

    def delete(self) -> None:
        self.run.storage.delete(self.run.name(STAGING))
