"""From what the one write left in the staging folder to the tables of the run."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from pyspark.sql import DataFrame, SparkSession

from jobs import changes
from jobs.manifest import ChunkCounts, DocumentCounts, Files, count_chunks, count_documents
from jobs.publishing import Run
from jobs.reasons import reason
from jobs.text_columns import quoted
from jobs.writing import CHUNKS, DOCUMENTS, GIANTS, PARENTS, document_rows

STAGING = "_staging"
CHANGES = "changes"

log = logging.getLogger("chunkmill")


class PreviousChunks:
    """The chunks of the run that was current: none when there was none, or when they can't be read."""

    def __init__(self, spark: SparkSession, run: Run | None) -> None:
        self.run = run
        self.table: DataFrame | None = None
        self.notes: tuple[str, ...] = ()
        if run is None:
            return
        try:
            self.table = spark.read.parquet(run.path(CHUNKS))
            # Spark Connect reads nothing before it is asked for the schema.
            lacking = [name for name in changes.NEEDED if name not in self.table.schema.names]
        except Exception as error:
            self.give_up(error)
        else:
            if lacking:
                # `output.columns` left them out then.
                self._set_aside(f"has no {', '.join(lacking)}, so that every chunk counts as added")

    def give_up(self, error: Exception) -> None:
        """Go on as if there were none, and say so."""
        self._set_aside(f"can't be read, so that every chunk counts as added: {reason(error)}")

    def _set_aside(self, why: str) -> None:
        assert self.run is not None
        self.table = None
        note = f"{self.run.path(CHUNKS)} {why}"
        self.notes = (note,)
        log.warning(note)


@dataclass(frozen=True)
class Staging:
    """The staged rows of a run.

    `rows` is the frame that was written, without its staging column; it is read for its schema only.
    """

    run: Run
    rows: DataFrame
    column: str

    def giants(self) -> DataFrame | None:
        """The rows of the documents that the first pass has postponed; None when there are none."""
        return self._table(GIANTS) if self.run.storage.sizes(self._staged(GIANTS)) else None

    def documents(self) -> DocumentCounts:
        """Make `documents/` of the document elements and add it up."""
        document_rows(self._table(DOCUMENTS)).write.parquet(self.run.path(DOCUMENTS))
        return count_documents(self._read(self.run, DOCUMENTS))

    def chunks(self, expected: DocumentCounts, columns: Sequence[str]) -> ChunkCounts:
        """Make `chunks/`, and `parents/` where there are some; `columns` narrows them unless it is empty."""
        counted = count_chunks(self._table(CHUNKS))
        if counted.chunks != expected.chunks:
            raise RuntimeError(
                f"{counted.chunks:,} chunks were written, but the documents have {expected.chunks:,}: run "
                "again; if it stays so, the output's storage does not show what was written to it"
            )
        self._finish(CHUNKS, columns)
        if self.run.storage.sizes(self._staged(PARENTS)):
            self._finish(PARENTS, columns)
        return counted

    def changes(self, previous: PreviousChunks) -> dict[str, int] | None:
        """Make `changes/` against the run that was current; None when `output.columns` leaves out what that needs."""
        try:
            return self._changes(previous.table)
        except Exception as error:
            if previous.table is None:
                raise
            # Damage behind a good schema shows only now; if it is not that, it fails again.
            previous.give_up(error)
            self.run.storage.delete(self.run.name(CHANGES))
            return self._changes(None)

    def _changes(self, old: DataFrame | None) -> dict[str, int] | None:
        new = self._read(self.run, CHUNKS)
        if not set(changes.NEEDED) <= set(new.columns):
            return None
        changes.changes(new, old).write.parquet(self.run.path(CHANGES))
        return changes.counts(self._read(self.run, CHANGES))

    def files(self) -> dict[str, Files]:
        """Files and bytes of each table."""
        sizes = {name: self.run.storage.sizes(self.run.name(name)) for name in (CHUNKS, PARENTS, DOCUMENTS, CHANGES)}
        return {name: Files.of(found) for name, found in sizes.items() if found}

    def delete(self) -> None:
        self.run.storage.delete(self.run.name(STAGING))

    def _finish(self, table: str, columns: Sequence[str]) -> None:
        storage, staged = self.run.storage, self._staged(table)
        if columns or not storage.sizes(staged):
            frame = self._table(table)
            wanted = columns or frame.columns
            frame.select(*(quoted(name) for name in wanted)).write.parquet(self.run.path(table))
        else:
            storage.rename(staged, self.run.name(table))

    def _staged(self, table: str) -> str:
        return self.run.name(f"{STAGING}/{self.column}={table}")

    def _table(self, table: str) -> DataFrame:
        staged = self._staged(table)
        if not self.run.storage.sizes(staged):
            return self.rows.limit(0)
        return self.rows.sparkSession.read.schema(self.rows.schema).parquet(self.run.storage.path(staged))

    def _read(self, run: Run, table: str) -> DataFrame:
        return self.rows.sparkSession.read.parquet(run.path(table))
